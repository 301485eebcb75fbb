import TouchCore

// How keys move the caret of a field and change what is selected, which field comes next, and whether the caret is seen.

extension TextField {
  /// Moves the caret by so many letters to the right, or to the left if it is negative. From a selection it goes to an end of it.
  public final func moveCaret(by steps: Int) {
    guard steps != 0 else { return }
    anchor = nil
    var caret = buffer.caret
    if !buffer.selection.isEmpty {
      let ends = [buffer.selection.lowerBound, buffer.selection.upperBound]
      let places = places.carets
      caret =
        (steps > 0 ? ends.max { places[$0] < places[$1] } : ends.min { places[$0] < places[$1] }) ?? caret
    } else {
      for _ in 0..<abs(steps) {
        let next = places.caret(beside: caret, isRight: steps > 0)
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

  /// Moves the caret to a place between two letters, or the end of the selection that was moved last.
  private func moveCaret(to place: Int, selects: Bool) {
    if selects {
      extendSelection { _ in place }
    } else {
      selection = place..<place
    }
  }

  final func edits(_ presses: [Press], _ disposition: Disposition) -> Disposition {
    guard disposition == .forward, isFirstResponder else { return disposition }
    var isTaken = false
    for press in presses where edits(press) { isTaken = true }
    return isTaken ? .handled : .forward
  }

  private func edits(_ press: Press) -> Bool {
    let modifiers = press.key.modifierFlags
    guard modifiers.isDisjoint(with: .commanding) else { return false }
    switch press.key.keyCode {
    case .left, .right:
      let isRight = press.key.keyCode == .right
      if modifiers.contains(.shift) {
        extendSelection { places.caret(beside: $0, isRight: isRight) }
      } else {
        moveCaret(by: isRight ? 1 : -1)
      }
    case .up, .home: moveCaret(to: 0, selects: modifiers.contains(.shift))
    case .down, .end: moveCaret(to: buffer.letters.count, selects: modifiers.contains(.shift))
    case .deleteForward: deleteForward()
    default: return press.type == .menu && press.phase == .began && resignFirstResponder()
    }
    return true
  }

  /// The next field of the window that can be edited, in the order of the tree.
  final var nextField: TextField? {
    guard let window else { return nil }
    var (fields, waiting): ([TextField], [View]) = ([], [window])
    while let view = waiting.popLast() {
      if view.isConcealed { continue }
      if let field = view as? TextField { fields.append(field) }
      waiting += view.subviews.reversed()
    }
    guard let place = fields.firstIndex(where: { $0 === self }) else { return nil }
    return fields[(place + 1)...].first { $0.isEnabled && $0.isUserInteractionEnabled }
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
