import TouchCore

// What keys and a menu do with what is selected.

extension Window {
  /// The text that was copied or cut last; nil for none. It stays in the program.
  /// (`UIPasteboard.general.string`.)
  public final var pasteboard: String? {
    get { knownLayer?.pasteboard }
    set { ownLayer.pasteboard = newValue }
  }
}

extension TextInput {
  /// Copies what is selected. Nothing of a secure field is. (`UIResponderStandardEditActions.copy(_:)`.)
  public final func copy() {
    guard canCopy else { return }
    window?.pasteboard = String(buffer.letters[selection])
    hideMenu()
  }

  /// Copies what is selected, and deletes it. (`UIResponderStandardEditActions.cut(_:)`.)
  public final func cut() {
    guard canCopy, isEnabled else { return }
    copy()
    deleteBackward()
  }

  /// Types what was copied, in the place of what is selected. (`UIResponderStandardEditActions.paste(_:)`.)
  public final func paste() {
    guard let text = window?.pasteboard else { return }
    hideMenu()
    insertText(text)
  }

  /// Selects the whole text. (`UIResponderStandardEditActions.selectAll(_:)`.)
  public final func selectAll() { selection = 0..<buffer.letters.count }

  private var canCopy: Bool { !selection.isEmpty && !isConfidential }

  // MARK: Keys

  final func edits(_ presses: [Press], _ disposition: Disposition) -> Disposition {
    guard disposition == .forward, isFirstResponder else { return disposition }
    var isTaken = false
    for press in presses where edits(press) { isTaken = true }
    return isTaken ? .handled : .forward
  }

  private func edits(_ press: Press) -> Bool {
    let modifiers = press.key.modifierFlags
    if modifiers.intersection(.commanding) == .control { return commands(press) }
    guard modifiers.isDisjoint(with: .commanding) else { return false }
    let (key, selects) = (press.key.keyCode, modifiers.contains(.shift))
    switch key {
    case .left, .right:
      if selects {
        extendSelection { caret(beside: $0, isRight: key == .right) }
      } else {
        moveCaret(by: key == .right ? 1 : -1)
      }
    case .up, .down, .home, .end:
      if selects {
        extendSelection { destination(of: key, from: $0) ?? $0 }
      } else if let place = destination(of: key, from: buffer.caret) {
        selection = place..<place
      }
    case .deleteForward: deleteForward()
    default: return press.type == .menu && press.phase == .began && resignFirstResponder()
    }
    return true
  }

  /// The commands of a keyboard, by the letters on its keys.
  private func commands(_ press: Press) -> Bool {
    let typed = press.key.charactersIgnoringModifiers.lowercased()
    // The letter of a layout without Latin letters is that of a plain keyboard.
    switch typed.first?.isASCII ?? false ? typed : press.key.keyCode.plainText {
    case "c": copy()
    case "x": cut()
    case "v": paste()
    case "a": selectAll()
    default: return false
    }
    return true
  }

  /// Moves the caret by so many letters to the right, or to the left if it is negative. From a selection it
  /// goes to an end of it.
  public final func moveCaret(by steps: Int) {
    guard steps != 0 else { return }
    anchor = nil
    var caret = buffer.caret
    if !buffer.selection.isEmpty {
      caret = end(ofSelectionAtRight: steps > 0)
    } else {
      for _ in 0..<abs(steps) {
        let next = self.caret(beside: caret, isRight: steps > 0)
        if next == caret { break }
        caret = next
      }
    }
    selection = caret..<caret
  }

  /// Moves the end of the selection that was moved last, so that the selection becomes larger or smaller.
  private func extendSelection(_ move: (_ end: Int) -> Int) {
    let start = anchor.flatMap { [selection.lowerBound, selection.upperBound].contains($0) ? $0 : nil }
    let fixed = start ?? selection.lowerBound
    let end = selection.lowerBound == fixed ? selection.upperBound : selection.lowerBound
    let moved = move(end)
    selection = min(fixed, moved)..<max(fixed, moved)
    anchor = fixed
  }

  // MARK: The menu

  final var isMenuShown: Bool { menu != nil }

  /// Shows the menu of what can be done with what is selected, if anything can.
  final func showMenu() {
    guard let window, isFirstResponder else { return }
    var words: [(String, () -> Void)] = []
    if canCopy {
      words += [("Cut", { [unowned self] in cut() }), ("Copy", { [unowned self] in copy() })]
    }
    if window.pasteboard != nil { words.append(("Paste", { [unowned self] in paste() })) }
    guard !words.isEmpty else { return }
    let rects = selectionFrames.isEmpty ? [caretFrame] : selectionFrames
    let rect = rects.dropFirst().reduce(rects[0]) { $0.union($1) }.intersection(bounds)
    let shown = EditMenu(words)
    menu = shown
    window.addSubview(shown)
    shown.place(over: windowFromLocal.bounding(rect), in: window)
  }

  final func hideMenu() {
    menu?.removeFromSuperview()
    menu = nil
  }

  /// Whether a part of the field is in the window, and the window on a display.
  final var isSeen: Bool {
    guard let window, window.isOnDisplay else { return false }
    var rect = bounds
    var view: View = self
    while let parent = view.superview {
      rect = view.convert(rect, to: parent)
      if parent.clipsToBounds || parent === window {
        guard rect.maxX > parent.bounds.minX, rect.minX < parent.bounds.maxX, rect.maxY > parent.bounds.minY,
          rect.minY < parent.bounds.maxY
        else { return false }
      }
      view = parent
    }
    return true
  }
}

/// A bar with a word for each thing that can be done with what is selected, over the selection.
/// (`UIEditMenuInteraction`.)
final class EditMenu: StackView {
  private static let (height, margin) = (ValueControl.fingerSize, 8.0)

  init(_ words: [(title: String, action: () -> Void)]) {
    super.init(id: "")
    appearance.background = Color(red: 0x3a, green: 0x46, blue: 0x52)
    appearance.cornerRadius = 8
    distribution = .fillEqually
    for (title, action) in words {
      let button = Button(title, action: action)
      button.textStyle.size = 16
      addArrangedSubview(button)
    }
    var behavior = HitBehavior()
    behavior.z = NumberRange.farthest
    hitBehavior = behavior
  }

  /// Above a rectangle of the window if there is room, else below.
  func place(over rect: WindowRect, in window: Window) {
    let (room, margin) = (window.bounds.size, Self.margin)
    let widest =
      arrangedSubviews.map { $0.arrangedSize(atWidth: .infinity).width.units + 2 * margin }.max() ?? 0
    let width = min(room.width, Double(arrangedSubviews.count) * max(64, widest))
    let above = rect.minY - Self.height - margin
    frame = LocalRect(
      x: max(0, min(room.width - width, (rect.midX - width / 2).rounded())),
      y: above >= 0 ? above.rounded() : min(room.height - Self.height, (rect.maxY + margin).rounded()),
      width: width, height: Self.height)
  }
}

extension Window {
  /// The text that is edited; nil while none is.
  package final var editedInput: TextInput? { firstResponder as? TextInput }
}
