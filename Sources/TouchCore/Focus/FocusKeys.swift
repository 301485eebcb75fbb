// The keys' part of the focus: they move it, and press, edit or scroll the focused view.

extension FocusSystem {
  /// Prepares the focus for a key that goes down. The ring shows if the key works the focus.
  func keysAreUsed(_ press: Press) {
    updateIfNeeded()
    wasShown = isRingShown
    if types(press) {
      if keyboard != nil, showsLetters(press) { leaveKeyboard() }
      return
    }
    guard press.type != nil || press.key.keyCode == .tab else { return }
    if isEditing || press.type == .select { leaveUnseen() }
    isRingShown = true
    followFirstResponder()
  }

  /// Moves the focus off an item that was covered meanwhile. The press then only shows the new item.
  private func leaveUnseen() {
    guard let item = focusedItem, item.view !== window.firstResponder else { return }
    window.layoutIfNeeded()
    guard !FocusSearch(in: scope).has(item) else { return }
    setNeedsUpdate()
    updateIfNeeded()
    wasShown = false
  }

  /// Moves the focus to the field that is the first responder, even if a finger chose it.
  private func followFirstResponder() {
    guard keyboard == nil, let field = window.firstResponder as? View, field is any KeyInput,
      focusedItem?.view !== field
    else { return }
    focus(Item(field))
  }

  /// Hides the ring, because a finger or a mouse is used.
  package func touchesAreUsed() {
    isRingShown = false
    isEditing = false
  }

  /// Offers a press to the focused view, before its superviews get it. Returns whether the view used it.
  func give(_ press: Press, to view: View) -> Bool {
    guard let item = focusedItem, item.view === view else { return false }
    let isFirst = press.phase == .began
    // The caret marks a field, even without a ring.
    if view === window.firstResponder, view is any KeyInput {
      if types(press) { return false }
      if press.type == .select, isFirst, enterKeyboard() { return true }
    }
    if isEditing, let steps = press.steps {
      adjust(item, by: steps, press, wraps: press.key.keyCode == .tab)
      return true
    }
    switch press.type {
    case .select where !isFirst: return true
    // An item without a ring is not pressed: the user cannot know that it is focused.
    case .select where !wasShown: return true
    case .select where view.canAdjustFocus(of: item.part):
      isEditing.toggle()
      return true
    case .select:
      activate(item, press)
      return true
    case .menu where isEditing:
      isEditing = false
      return true
    case .menu where isFirst && keyboard === view:
      _ = window.firstResponder?.resignFirstResponder()
      leaveKeyboard()
      return true
    default: return false
    }
  }

  /// A press that no responder handled moves the focus.
  func take(_ press: Press) {
    switch press.type {
    case .upArrow: moveOrScroll(.up)
    case .downArrow: moveOrScroll(.down)
    case .leftArrow: moveOrScroll(.left)
    case .rightArrow: moveOrScroll(.right)
    case .turnRight: step(.next)
    case .turnLeft: step(.previous)
    case .pageUp: scroll(.up, isPage: true)
    case .pageDown: scroll(.down, isPage: true)
    case .select where focusedItem == nil && press.phase == .began: step(.next)
    case .menu where press.phase == .began: _ = window.firstResponder?.resignFirstResponder()
    case nil where press.key.keyCode == .tab && press.key.modifierFlags.isDisjoint(with: .commanding):
      step(press.key.modifierFlags.contains(.shift) ? .previous : .next)
    case .select, .menu, .playPause, nil: break
    }
  }

  /// Moves the focus by one item. The first key after a touch shows the focus and moves it; the first key of
  /// all shows the first item.
  private func step(_ heading: FocusHeading) {
    if keyboard != nil { return stepInKeyboard(heading) }
    let wasTyping = window.firstResponder is any KeyInput
    guard move(heading), wasTyping else { return }
    // Typing goes on in the next field, as with tab on an iPad.
    if let field = focusedItem?.view, field is any KeyInput {
      field.becomeFirstResponder()
    } else {
      _ = window.firstResponder?.resignFirstResponder()
    }
  }

  private func moveOrScroll(_ heading: FocusHeading) {
    if !move(heading), keyboard == nil { scroll(heading, isPage: false) }
  }

  /// Scrolls the innermost view around the focus that can still scroll.
  private func scroll(_ heading: FocusHeading, isPage: Bool) {
    let start = focusedItem?.view ?? FocusSearch(in: scope).scroller
    var next = start
    while let view = next {
      if let scroller = view as? any FocusScroller, scroller.scrollFocus(heading, isPage: isPage) { return }
      next = view.superview
    }
  }

  /// Holds the item as a finger on its middle would, until the key comes up.
  private func activate(_ item: Item, _ press: Press) {
    guard let dispatcher = window.dispatcher else { return }
    reveal(item)
    let rect = item.rect
    let location = WindowPoint(x: rect.midX, y: rect.midY)
    // The negative serial keeps the contact apart from the fingers of the same device.
    let contact = ContactID(device: press.device, serial: -press.id)
    activations.append((press.id, contact, location))
    dispatcher.dispatchIndirect(contact, on: item.view, at: location, time: press.timestamp)
  }

  func release(_ press: Press) {
    guard let index = activations.firstIndex(where: { $0.press == press.id }) else { return }
    let held = activations.remove(at: index)
    window.dispatcher?.dispatch(
      [
        TouchChange(
          contact: held.contact, kind: press.phase == .cancelled ? .cancelled : .ended,
          location: held.location)
      ], at: press.timestamp)
    enterKeyboard(after: press)
  }

  private func adjust(_ item: Item, by steps: Int, _ press: Press, wraps: Bool) {
    window.dispatcher?.actIndirectly(on: item.view, by: press.device, at: press.timestamp) { touch, event in
      item.view.adjustFocus(of: item.part, by: steps, wraps: wraps, touch, event)
    }
  }
}

extension Press {
  /// The steps by which the key changes an edited value; nil for a key that does not.
  fileprivate var steps: Int? {
    switch type {
    case .turnRight, .rightArrow, .upArrow: 1
    case .turnLeft, .leftArrow, .downArrow: -1
    case nil where key.keyCode == .tab: key.modifierFlags.contains(.shift) ? -1 : 1
    case .select, .menu, .playPause, .pageUp, .pageDown, nil: nil
    }
  }
}
