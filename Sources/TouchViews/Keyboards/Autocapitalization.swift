import TouchCore

extension TextField {
  /// The letters that a keyboard on the screen makes capitals by itself. (`UITextAutocapitalizationType`.)
  public enum Autocapitalization: String, CaseIterable, Sendable {
    /// Sentences of plain text, and none of numbers, addresses and secrets.
    case auto
    /// None.
    case none
    /// The first one of each word.
    case words
    /// The first one of each sentence.
    case sentences
    /// Each one. (`allCharacters`)
    case all = "all_characters"

    /// Whether a letter after some others is a capital.
    func applies(after letters: some BidirectionalCollection<Character>) -> Bool {
      switch self {
      case .auto, .none: return false
      case .all: return true
      case .words: return letters.last?.isWhitespace ?? true
      case .sentences:
        guard let last = letters.last else { return true }
        guard last.isWhitespace else { return false }
        // What closes a quotation stands behind the sentence's end.
        let end = letters.last { !$0.isWhitespace && !"\"'”’»)]".contains($0) }
        return end.map { ".!?…。！？".contains($0) } ?? true
      }
    }
  }

  /// Whether a letter at the caret is a capital.
  fileprivate var wantsCapital: Bool {
    let suitable: Autocapitalization = keyboard == .text && !isSecure ? .sentences : .none
    return (autocapitalization == .auto ? suitable : autocapitalization)
      .applies(after: buffer.letters[..<buffer.selection.lowerBound])
  }
}

extension KeyboardView {
  /// Presses shift for the field, or releases what was pressed for it. What a finger did to shift stays.
  final func capitalize() {
    guard typing.shiftFinger == nil, shift != .locked, let field = window?.editedInput as? TextField,
      destination != .kernel
    else { return }
    if field.wantsCapital {
      if shift == .off { (shift, isShiftAutomatic) = (.once, true) }
    } else if isShiftAutomatic, shift == .once {
      (shift, isShiftAutomatic) = (.off, false)
    }
  }
}
