// How keys work the keyboard on the screen: an encoder, a remote control or three buttons type with it.

extension FocusSystem {
  /// The keyboard on the screen whose keys are focused one by one while a text is edited; nil where keys type into the text themselves.
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

  /// The keyboard on the screen that types into the first responder and can be worked by keys.
  private var reachableKeyboard: (any FirstResponderWatcher)? {
    window.responderWatchers.first { $0.window === window && !$0.isConcealed && $0.isTypedWithByFocus }
  }

  /// Whether a press types into the text that is edited: letters do, and enter of a device that has letters. Enter of any other device
  /// presses, as select does, where there is a keyboard on the screen.
  func types(_ press: Press) -> Bool {
    guard window.firstResponder is any KeyInput else { return false }
    switch press.key.keyCode {
    case .enter, .keypadEnter:
      return reachableKeyboard == nil || window.pressDispatcher?.hasTyped(press.device) ?? false
    case .backspace: return true
    default: return !press.key.insertedText.isEmpty
    }
  }

  /// Whether a press that types shows that its device has letters, and needs those on the screen no more. A remote control has digits.
  func showsLetters(_ press: Press) -> Bool {
    press.key.insertedText.contains(where: \.isLetter) || press.key.keyCode == .enter
  }

  /// Whether a press goes to the keyboard on the screen, and not to the text.
  func worksKeyboard(_ press: Press) -> Bool {
    keyboard != nil && !types(press) && (press.type != nil || press.key.keyCode == .tab)
  }

  /// Moves the focus from the text that is edited to the first key of the keyboard on the screen.
  ///
  /// - Returns: false where there is none.
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

  /// Moves the focus back to the text.
  func leaveKeyboard() {
    enteredKeyboard = nil
    if let typedInto, !focus(Item(typedInto)) { requestUpdate(to: typedInto) }
  }

  /// A step from the first key or from the last one leads back to the text, so that a knob alone leaves the keyboard.
  func stepInKeyboard(_ heading: FocusHeading) {
    guard let item = focusedItem, !leaves(item, heading) else { return leaveKeyboard() }
    _ = move(heading)
  }

  /// Another responder gets what is typed, or none does. From the keyboard the focus goes to the field that was edited last.
  func firstResponderChanged() {
    guard enteredKeyboard != nil else { return }
    if let field = window.firstResponder as? View, field is any KeyInput {
      typedInto = field
      return
    }
    enteredKeyboard = nil
    if let typedInto { requestUpdate(to: typedInto) }
  }

  /// A key that pressed a field came up: who has no letters gets those on the screen.
  func enterKeyboard(after press: Press) {
    guard press.phase == .ended, let view = focusedItem?.view, view === window.firstResponder,
      !types(press)
    else { return }
    _ = enterKeyboard()
  }
}
