import TouchCore

/// The look of lists, with rows of text or of views. Behind a row that is a view lies what is drawn of it.
extension ListView {
  /// Draws the rows that are in the clip, in the space of the list's content.
  final func drawRows(in context: GraphicsContext) {
    let (seen, width) = (context.boundingBoxOfClipPath, bounds.size.width)
    // Pages scroll with the rows; rows of text begin where the bounds of the list do.
    let origin = host == nil ? bounds.origin : .zero
    // What is lower than a pixel cannot be read, and there may be thousands.
    let isLow = rowHeight * context.canvas.pixelsPerUnit.height < 1
    let shown = places.rows(from: seen.minY - origin.y, to: seen.maxY - origin.y)
    if style == .insetGrouped { drawGroups(of: shown, origin, context) }
    for row in shown where !isLow || choice(of: row) > 0 || pressedRow == row {
      var rect = places.rect(of: row, width: width).offsetBy(dx: origin.x, dy: origin.y)
      if row == swipedRow {
        drawActions(context, origin)
        rect = rect.offsetBy(dx: swipeOffset, dy: 0)
      }
      draw(row, in: rect, context)
    }
    drawHeaders(of: shown, origin, context)
  }

  /// Whether a row is the last one of its group or of the list, below which there is no line.
  final func endsSection(_ row: Int) -> Bool { places.section(of: row).upperBound == row + 1 }

  private func draw(_ row: Int, in rect: LocalRect, _ context: GraphicsContext) {
    let (chosen, isPressed) = (choice(of: row), pressedRow == row)
    let padding = textStyle.padding ?? Self.padding
    if isPressed, chosen < 1 { fill(row, rect, with: colors.track, context) }
    if chosen > 0 {
      var color = isPressed ? colors.tint.pressed : colors.tint
      color.alpha = UInt8(Double(color.alpha) * chosen + 0.5)
      if isTonal {
        context.fill(rect.insetBy(dx: 6, dy: 2), cornerRadius: max(8, cornerRadius - 4), with: color)
      } else {
        fill(row, rect, with: color, context)
      }
    } else if !isPressed, !endsSection(row), choice(of: row + 1) == 0, pressedRow != row + 1 {
      let line = LocalRect(
        x: rect.minX + padding.left, y: rect.maxY - 1, width: max(0, rect.size.width - padding.left),
        height: 1)
      context.fill(line, with: colors.track)
    }
    guard host == nil else { return }
    var style = textStyle
    if !isTonal { style.color = style.color.mixed(with: colors.tint.contrast, chosen) }
    var title = Title(rows[row], style, padding: padding)
    if icons.indices.contains(row) { title.icon.name = icons[row] }
    context.canvas.draw(title, in: rect)
  }

  /// Whether the chosen row has a tone behind its text, which keeps its colour: inset, with round corners.
  private var isTonal: Bool { colors.tint.alpha < 128 }

  /// Returns the share of a chosen row's colour that a row has.
  private func choice(of row: Int) -> Double {
    let part = presentedPart ?? 1
    if row == selectedRow { return part }
    return row == leftRow ? 1 - part : 0
  }

  /// Fills a row, inside the round corners that its group or the list may have.
  private func fill(_ row: Int, _ rect: LocalRect, with color: Color, _ context: GraphicsContext) {
    guard cornerRadius > 0, context.canvas.isUpright, style == .insetGrouped || host == nil else {
      return context.fill(rect, with: color)
    }
    var outline = bounds
    if style == .insetGrouped {
      outline = groupRect(of: row)
      outline.origin.x = rect.minX
      outline.origin.y += rect.minY - places.rect(of: row, width: bounds.size.width).minY
    }
    context.canvas.clipToPixels(rect, isWide: false) {
      context.fill(outline, cornerRadius: cornerRadius, with: color)
    }
  }

  // MARK: Sections

  private func groupRect(of row: Int) -> LocalRect {
    let (section, width) = (places.section(of: row), bounds.size.width)
    var rect = places.rect(of: section.lowerBound, width: width)
    rect.size.height = places.rect(of: section.upperBound - 1, width: width).maxY - rect.minY
    return rect
  }

  private func drawGroups(of rows: Range<Int>, _ origin: LocalPoint, _ context: GraphicsContext) {
    guard let color = background else { return }
    var next = rows.lowerBound
    while next < rows.upperBound {
      let rect = groupRect(of: next).offsetBy(dx: origin.x, dy: origin.y)
      context.fill(rect, cornerRadius: cornerRadius, with: color)
      next = places.section(of: next).upperBound
    }
  }

  /// Draws the headers and footers of rows, and those beside them, which may be in the clip without a row of
  /// their own.
  private func drawHeaders(of rows: Range<Int>, _ origin: LocalPoint, _ context: GraphicsContext) {
    guard !headers.isEmpty || !footers.isEmpty else { return }
    let width = bounds.size.width
    for row in max(0, rows.lowerBound - 1)..<min(rows.upperBound + 1, rowCount) {
      if headers.indices.contains(row), !headers[row].isEmpty {
        let rect = places.headerRect(above: row, width: width)
        draw(headers[row], style == .plain ? .middle : .bottom, rect, origin, context)
      }
      if footers.indices.contains(row), !footers[row].isEmpty, endsSection(row) {
        draw(footers[row], .top, places.footerRect(below: row, width: width), origin, context)
      }
    }
  }

  private func draw(
    _ text: String, _ alignment: TextStyle.VerticalAlignment, _ rect: LocalRect, _ origin: LocalPoint,
    _ context: GraphicsContext
  ) {
    var style = textStyle
    style.size = (style.size * 0.8).rounded()
    style.color.alpha = UInt8(Double(style.color.alpha) * 0.65)
    style.verticalAlignment = alignment
    var padding = textStyle.padding ?? Self.padding
    (padding.top, padding.bottom) = (alignment == .top ? 6 : 0, alignment == .bottom ? 6 : 0)
    style.padding = padding
    context.canvas.draw(text, style, in: rect.offsetBy(dx: origin.x, dy: origin.y), TextRoom())
  }

  /// Draws the header that stays at the top, over the rows.
  final func drawStickyHeader(above row: Int, in bounds: LocalRect, _ context: GraphicsContext) {
    guard headers.indices.contains(row) else { return }
    context.fill(bounds, with: surfaceColor)
    draw(headers[row], .middle, bounds, .zero, context)
  }

  // MARK: Actions

  /// Draws the actions behind the row that is swiped aside.
  private func drawActions(_ context: GraphicsContext, _ origin: LocalPoint) {
    for (action, place) in swipeActions {
      let rect = place.offsetBy(dx: origin.x - bounds.minX, dy: origin.y - bounds.minY + top)
      let own = destructiveActions.contains(action) ? destructiveColor : colors.track
      var style = textStyle
      (style.color, style.alignment, style.padding) = (own.contrast, .center, nil)
      var room = TextRoom()
      room.padding = Insets(top: 0, left: 6, bottom: 0, right: 6)
      context.canvas.clipToPixels(rect, isWide: false) {
        context.fill(rect, with: pressedAction == action ? own.pressed : own)
        context.canvas.draw(action, style, in: rect, room)
      }
    }
  }
}

extension View {
  /// The first text in the view; nil for none.
  var firstText: String? {
    if let shownText, !shownText.isEmpty { return shownText }
    return subviews.lazy.compactMap(\.firstText).first
  }
}
