// The focus in the keyboard on the screen: an encoder, a remote control or three buttons type with it.

extension FocusSystem {
  /// The keyboard on the screen whose keys are focused one by one while a text is edited; nil while keys type
  /// into the text directly.
  ///
  /// ```
  ///             select, of a device without letters           select types, steps and arrows move
  ///   the field ───────────────────────────────────→ the keyboard ⟲
  ///      ↑          a letter, or a step past an end        │
  ///      ├─────────────────────────────────────────────────┤
  ///      │                back, or the end of editing      │
  ///      └──────── the field, no longer edited ←───────────┘
  /// ```
  package var keyboard: (any FirstResponderWatcher)? {
    guard let enteredKeyboard, enteredKeyboard.window === window, !enteredKeyboard.isConcealed,
      window.firstResponder is any KeyInput
    else { return nil }
    return enteredKeyboard
  }

  /// The keyboard on the screen that types into the first responder and whose keys can be focused.
  private var reachableKeyboard: (any FirstResponderWatcher)? {
    window.responderWatchers.first { $0.window === window && !$0.isConcealed && $0.isTypedWithByFocus }
  }

  /// Whether a press types into the edited text. Letters do, and so does enter on a device with letters.
  /// Enter on any other device acts as select, if there is a keyboard on the screen.
  func types(_ press: Press) -> Bool {
    guard window.firstResponder is any KeyInput else { return false }
    switch press.key.keyCode {
    case .enter, .keypadEnter:
      return reachableKeyboard == nil || window.pressDispatcher?.hasTyped(press.device) ?? false
    case .backspace: return true
    default: return !press.key.insertedText.isEmpty
    }
  }

  /// Whether a press shows that its device has letters. Digits do not: a remote control has them.
  func showsLetters(_ press: Press) -> Bool {
    press.key.insertedText.contains(where: \.isLetter) || press.key.keyCode == .enter
  }

  /// Whether a press goes to the keyboard on the screen instead of the text.
  func worksKeyboard(_ press: Press) -> Bool {
    keyboard != nil && !types(press) && (press.type != nil || press.key.keyCode == .tab)
  }

  /// Moves the focus from the edited text to the keyboard's first key; false if there is none.
  func enterKeyboard() -> Bool {
    guard keyboard == nil, let found = reachableKeyboard, let field = window.firstResponder as? View
    else { return false }
    (enteredKeyboard, typedInto) = (found, field)
    window.layoutIfNeeded()
    guard let first = FocusSearch(in: found).first, move(to: first, .none) else {
      enteredKeyboard = nil
      return false
    }
    return true
  }

  func leaveKeyboard() {
    enteredKeyboard = nil
    if let typedInto, !focus(Item(typedInto)) { requestUpdate(to: typedInto) }
  }

  /// Moves the focus within the keyboard; past its ends back to the text, for knobs alone.
  func stepInKeyboard(_ heading: FocusHeading) {
    guard let item = focusedItem, !leaves(item, heading) else { return leaveKeyboard() }
    _ = move(heading)
  }

  /// Follows the first responder. When editing ends, the focus goes back to the edited field.
  func firstResponderChanged() {
    guard enteredKeyboard != nil else { return }
    if let field = window.firstResponder as? View, field is any KeyInput {
      typedInto = field
      return
    }
    enteredKeyboard = nil
    if let typedInto { requestUpdate(to: typedInto) }
  }

  /// Enters the keyboard on the screen after a key pressed a field, if the key's device has no letters.
  func enterKeyboard(after press: Press) {
    guard press.phase == .ended, let view = focusedItem?.view, view === window.firstResponder, !types(press)
    else { return }
    _ = enterKeyboard()
  }
}
