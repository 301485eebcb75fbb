/// Touches of a person who does not see the screen: they find elements, and press the one that was found
/// last. (VoiceOver's gestures.) The element has the focus, and what reports the focus reports it.
///
/// ```
///   a finger that stays, or moves after it stayed    the element under it
///   a tap                                            the element under it
///   a flick to the right, to the left                the next element, the one before
///   a flick up, down                                 a step more, a step less, of what has a value
///   two taps anywhere, or a tap while a finger stays  presses the element
/// ```
///
/// No touch reaches a view, apart from those that began before and the ones that press.
package final class TouchExploration {
  private struct Finger {
    let contact: ContactID
    let began: Timestamp
    let start: WindowPoint
    var location: WindowPoint
    /// Whether it has stayed, and finds what is under it.
    var explores = false
  }

  /// The time after which a finger is neither a tap nor a flick, in seconds.
  private static let rest = 0.25
  /// The least way of a flick, in units of the window.
  private static let flick = 40.0

  /// Whether a view is found: `FocusSearch` looks for such views in place of those that keys reach.
  let isElement: (View) -> Bool
  private unowned let focus: FocusSystem
  /// The fingers that are down, the first one first.
  private var fingers: [Finger] = []
  /// The tap that may be the first of two.
  private var tap: (end: Timestamp, location: WindowPoint)?
  /// The number of presses, each of which is a contact of its own.
  private var presses = 0

  init(_ focus: FocusSystem, isElement: @escaping (View) -> Bool) {
    (self.focus, self.isElement) = (focus, isElement)
  }

  /// The time at which `advance(to:)` has to be called; nil while nothing waits.
  package var deadline: Timestamp? {
    let stays = fingers.first.flatMap { $0.explores ? nil : $0.began.advanced(bySeconds: Self.rest) }
    guard let tap else { return stays }
    let ends = tap.end.advanced(bySeconds: interval)
    return stays.map { min($0, ends) } ?? ends
  }

  private var interval: Double { focus.window.dispatcher?.tapSettings.interval ?? 0 }

  /// Decides what has waited until a time: a finger that stays, and a tap that stayed alone.
  package func advance(to time: Timestamp) {
    while let due = deadline, due <= time {
      if let first = fingers.first, !first.explores, first.began.advanced(bySeconds: Self.rest) <= due {
        fingers[0].explores = true
        tap = nil
        find(at: first.location, again: true)
      } else if let single = tap.take() {
        find(at: single.location, again: true)
      }
    }
  }

  /// Takes the changes of its fingers out of those of a frame.
  package func take(_ changes: inout [TouchChange], at time: Timestamp) {
    advance(to: time)
    changes.removeAll { take($0, at: time) }
  }

  /// Forgets the fingers, as the dispatcher cancels its touches.
  package func forgetAll() { (fingers, tap) = ([], nil) }

  private func take(_ change: TouchChange, at time: Timestamp) -> Bool {
    if change.kind == .began {
      fingers.append(
        Finger(contact: change.contact, began: time, start: change.location, location: change.location))
      return true
    }
    // A finger from before is a touch of the dispatcher's.
    guard let index = fingers.firstIndex(where: { $0.contact == change.contact }) else { return false }
    fingers[index].location = change.location
    switch change.kind {
    case .began: break
    case .moved: if index == 0, fingers[0].explores { find(at: change.location, again: false) }
    case .ended: lift(fingers.remove(at: index), isFirst: index == 0, at: time)
    case .cancelled: fingers.remove(at: index)
    }
    return true
  }

  private func lift(_ finger: Finger, isFirst: Bool, at time: Timestamp) {
    guard !finger.explores, time.seconds(since: finger.began) < Self.rest else { return }
    let (x, y) = (finger.location.x - finger.start.x, finger.location.y - finger.start.y)
    guard max(abs(x), abs(y)) < Self.flick else {
      tap = nil
      if isFirst {
        abs(x) >= abs(y) ? focus.show(x > 0 ? .next : .previous) : step(y < 0 ? 1 : -1, finger, time)
      }
      return
    }
    let isSecond = isFirst ? tap.take() != nil : fingers.first?.explores ?? false
    if isSecond { return press(finger, at: time) }
    if isFirst { tap = (time, finger.start) }
  }

  // MARK: Elements

  /// Moves the focus to the element at a point.
  /// - Parameter again: whether to report it once more if it has the focus.
  private func find(at point: WindowPoint, again: Bool) {
    focus.window.layoutIfNeeded()
    guard let item = FocusSearch(in: focus.scope).item(at: point) else { return }
    let isSame = item == focus.focusedItem
    guard !isSame || again else { return }
    focus.isRingShown = true
    guard isSame else {
      _ = focus.move(to: item, .none)
      return
    }
    focus.window.observe(
      FocusReport(FocusUpdateContext(previous: item, next: item, heading: .none), isExplored: true))
  }

  /// Changes the value of the focused element. (`accessibilityIncrement()`.)
  private func step(_ steps: Int, _ finger: Finger, _ time: Timestamp) {
    guard let item = usableItem, item.view.canAdjustFocus(of: item.part) else { return }
    focus.window.dispatcher?.actIndirectly(on: item.view, by: finger.contact.device, at: time) {
      touch, event in
      item.view.adjustFocus(of: item.part, by: steps, wraps: false, touch, event)
    }
  }

  /// Presses the focused element at its middle. (`accessibilityActivate()`, `accessibilityActivationPoint`.)
  private func press(_ finger: Finger, at time: Timestamp) {
    guard let item = usableItem, let dispatcher = focus.window.dispatcher else { return }
    focus.reveal(item)
    let rect = item.rect
    let location = WindowPoint(x: rect.midX, y: rect.midY)
    presses += 1
    // A negative serial keeps the contact apart from the device's fingers.
    let contact = ContactID(device: finger.contact.device, serial: -presses)
    dispatcher.dispatchIndirect(contact, on: item.view, at: location, time: time)
    dispatcher.dispatch([TouchChange(contact: contact, kind: .ended, location: location)], at: time)
  }

  /// The focused element; nil for one that cannot be used, such as a text or a disabled control.
  private var usableItem: FocusSystem.Item? {
    guard let item = focus.focusedItem, item.view.window === focus.window else { return nil }
    let isUsable = sequence(first: item.view, next: \.superview).allSatisfy { $0.hitTestRefusal == nil }
    return isUsable && (item.view.canBecomeFocused || item.part != nil) ? item : nil
  }
}

extension FocusSystem {
  /// Lets touches explore, or not any more. The dispatcher ignores the ends of fingers that it does not know.
  /// - Parameter isElement: whether a view is found.
  package func explore(_ isOn: Bool, isElement: @escaping (View) -> Bool) {
    guard isOn != (exploration != nil) else { return }
    exploration = isOn ? TouchExploration(self, isElement: isElement) : nil
    setNeedsUpdate()
  }

  fileprivate func show(_ heading: FocusHeading) {
    isRingShown = true
    move(heading)
  }
}
