import TouchCore

// Where the text of a field is, its caret and what is selected, and the button that deletes it.

extension TextField {
  /// The painted letters: dots for a secure field, else the text.
  package final var shownLetters: String {
    isSecure ? String(repeating: Self.dot, count: buffer.letters.count) : buffer.text
  }

  private static let dot: Character = "\u{2022}"

  /// The rectangle of the visible text, in the view's own space.
  package final var textRect: LocalRect {
    let padding = textStyle.padding ?? Self.padding
    var right = padding.right
    if showsClearButton { right = max(right, bounds.maxX - clearRect.minX) }
    return LocalRect(
      x: bounds.minX + padding.left, y: bounds.minY + padding.top,
      width: max(0, bounds.size.width - padding.left - right),
      height: max(0, bounds.size.height - padding.top - padding.bottom))
  }

  /// Whether the button at the right end is shown now.
  package final var showsClearButton: Bool { hasClearButton && hasText && isFirstResponder && isEnabled }

  package final var clearRect: LocalRect {
    let side = min(bounds.size.height, ValueControl.fingerSize)
    return LocalRect(x: bounds.maxX - side, y: bounds.minY, width: side, height: bounds.size.height)
  }

  /// The part of the text that is painted, and how far its left end is from that of the text: the words that
  /// are seen, and of a short text all of it. Letters of both directions stand in another order than they are
  /// read, so their text is painted whole.
  package final var seenText: (letters: String, start: Double, width: Double) {
    let (places, room) = (places, textRect)
    let whole = (shownLetters, 0.0, places.width)
    guard buffer.letters.count > Self.longestWhole, places.runsRight else { return whole }
    let left = room.minX - textOrigin
    let (first, last) = (
      places.letters.firstIndex { $0.upperBound >= left },
      places.letters.lastIndex {
        $0.lowerBound <= left + room.size.width
      }
    )
    guard var first, var last, first <= last else { return whole }
    // Letters of a word change with those beside them, of a very long one too little to be seen here.
    let (least, most) = (
      max(0, first - Self.longestWord), min(buffer.letters.count - 1, last + Self.longestWord)
    )
    while first > least, buffer.letters[first - 1] != " " { first -= 1 }
    while last < most, buffer.letters[last] != " " { last += 1 }
    let letters =
      isSecure ? String(repeating: Self.dot, count: last - first + 1) : String(buffer.letters[first...last])
    let start = places.letters[first].lowerBound
    return (letters, start, places.letters[last].upperBound - start)
  }

  private static let longestWhole = 256
  private static let longestWord = 64

  /// The letters from the left end of the text, whose left end is at `textOrigin`.
  final var places: CaretPlaces {
    if let measured { return measured }
    let count = buffer.letters.count
    var places =
      window?.caretMeasurer?(shownLetters, textStyle) ?? CaretPlaces(even: count, each: textStyle.size / 2)
    if places.carets.count != count + 1 { places = CaretPlaces(even: count, each: textStyle.size / 2) }
    measured = places
    return places
  }

  /// The width of the spaces that end a right-to-left text, and so are at its left.
  package final var leftSpaces: Double {
    let places = places
    var width = 0.0
    for (letter, place) in zip(buffer.letters, places.letters).reversed() {
      guard letter == " ", !isSecure, abs(place.lowerBound - width) < 0.5,
        place.upperBound < places.width - 0.5
      else { break }
      width = place.upperBound
    }
    return width
  }

  /// The left end of the text, in the view's own space, moved so that the caret is visible.
  package final var textOrigin: Double {
    let (room, places) = (textRect, places)
    let free = room.size.width - places.width - Self.caretWidth
    if free >= 0 {
      scrolled = 0
      switch textStyle.alignment {
      case .left: return room.minX
      case .center: return room.minX + (free / 2).rounded()
      case .right: return room.minX + free.rounded()
      }
    }
    let caret = isFirstResponder ? places.carets[buffer.caret] : 0
    let most = -free
    scrolled = min(max(scrolled, caret - room.size.width + Self.caretWidth), caret)
    scrolled = min(max(0, scrolled), most).rounded()
    return room.minX - scrolled
  }

  /// The rectangle of the caret, in the view's own space.
  package final var caretRect: LocalRect {
    let room = textRect
    let height = min(room.size.height, (textStyle.size * 1.25).rounded())
    let top =
      switch textStyle.verticalAlignment {
      case .top: room.minY
      case .middle: (room.midY - height / 2).rounded()
      case .bottom: room.maxY - height
      }
    return LocalRect(
      x: (textOrigin + places.carets[buffer.caret]).rounded(), y: top, width: Self.caretWidth, height: height)
  }

  /// The rectangles of the selection, in the view's own space; several in text of both directions.
  package final var selectionRects: [LocalRect] {
    guard !buffer.selection.isEmpty else { return [] }
    let (origin, caret, places) = (textOrigin, caretRect, places)
    var spans: [(Double, Double)] = []
    for letter in buffer.selection.map({ places.letters[$0] }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = spans.last, letter.lowerBound <= last.1 + 0.5 {
        spans[spans.count - 1].1 = max(last.1, letter.upperBound)
      } else {
        spans.append((letter.lowerBound, letter.upperBound))
      }
    }
    return spans.map {
      LocalRect(
        x: (origin + $0.0).rounded(), y: caret.minY, width: max(1, ($0.1 - $0.0).rounded()),
        height: caret.size.height)
    }
  }
}

// MARK: Drawing

extension TextField: ContentDrawing {
  final func drawText(in room: LocalRect, _ context: GraphicsContext) {
    for rect in selectionRects { context.fill(rect, with: selectionColor) }
    var (style, limits) = (textStyle, TextRoom())
    (style.lines, style.padding) = (1, .zero)
    limits.limits = bounds
    if hasText {
      // What is painted has no room for spaces at its end, which are on the left where it is read from the
      // right.
      style.alignment = .left
      limits.isReported = privateView == nil
      let text = seenText
      let place = LocalRect(
        x: textOrigin + leftSpaces + text.start, y: room.minY, width: text.width + style.size,
        height: room.size.height)
      if !text.letters.isEmpty { context.canvas.draw(text.letters, style, in: place, limits) }
    } else if !placeholder.isEmpty {
      style.color.alpha = UInt8(Int(style.color.alpha) * 0x66 / 255)
      // Where the caret stands beside it.
      let caret = caretRect.size.width
      let place = LocalRect(
        x: room.minX + caret, y: room.minY, width: max(0, room.size.width - caret), height: room.size.height)
      context.canvas.draw(placeholder, style, in: place, limits)
    }
    if isCaretOn, selection.isEmpty { context.fill(caretRect, with: tint) }
  }

  final func drawClearButton(_ context: GraphicsContext) {
    let rect = clearRect
    let (x, y, radius) = (rect.midX.rounded(), rect.midY.rounded(), 9.0)
    let surface = surfaceColor
    context.fill(
      LocalRect(x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius), cornerRadius: radius,
      with: surface.mixed(with: surface.contrast, parts: 120))
    let half = 0.5.squareRoot()
    for sine in [half, -half] {
      let across = AffineTransform(a: half, b: sine, c: -sine, d: half, tx: x, ty: y)
      context.transformed(by: across) {
        context.fill(LocalRect(x: -4.5, y: -0.75, width: 9, height: 1.5), with: surface)
      }
    }
  }
}
