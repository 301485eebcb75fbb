/// Turns changes of keys into presses, and sends them up the responder chain. (`UIApplication.sendEvent(_:)`
/// of a `UIPressesEvent`.)
///
/// ```
///          key down              key repeats
///    up ─────────────→ down ──────────────────→ down
///    ↑                  │ key up, or cancelled
///    └──────────────────┘
/// ```
/// A press begins at the focused view, else at the first responder, else at the window, and goes up from
/// there until a responder handles it. Each responder that got began gets exactly one ended or cancelled,
/// whatever happens to the device, the view or the display. A press that no responder handles types into the
/// first responder, if that takes text, or moves the focus.
public final class PressDispatcher {
  private final class Held {
    let press: Press
    /// The responders that got began, in order; after a claim, only the one that claimed.
    var path: [Responder] = []
    /// Whether the end has been delivered, or is about to be.
    var isOver = false

    init(_ press: Press) { self.press = press }
  }

  /// The tree that gets the presses.
  public let window: Window
  private var held: [Held] = []
  private let event = PressesEvent()
  private var nextID = 1
  private var now = Timestamp.zero
  /// The devices that have typed a letter or a digit.
  private var typists: Set<DeviceID> = []
  private var isDelivering = false
  /// Changes that arrived during a delivery.
  private var backlog: [(changes: [PressChange], time: Timestamp)] = []
  /// Presses to cancel, because a view was removed during a delivery.
  private var orphans: [Held] = []

  /// - Parameter window: the tree that gets the presses. It has one dispatcher at a time; a later one
  ///   replaces it.
  public init(window: Window) {
    self.window = window
    window.pressDispatcher = self
  }

  deinit { if window.pressDispatcher === self { window.pressDispatcher = nil } }

  /// The keys that are down, in the order in which they went down.
  public var presses: [Press] { held.map(\.press) }

  /// Delivers the changes of a device's keys in one frame. A second down of a key that is down is ignored,
  /// and so is an up of a key that is not.
  ///
  /// - Parameters:
  ///   - changes: in the order in which the device reported them.
  ///   - time: the frame's, on the kernel's monotonic clock.
  public func dispatch(_ changes: [PressChange], at time: Timestamp) {
    guard !isDelivering else {
      backlog.append((changes, time))
      return
    }
    now = max(now, time)
    for change in changes {
      event.modifierFlags = change.key.modifierFlags
      let index = held.firstIndex {
        $0.press.device == change.device && $0.press.key.keyCode == change.key.keyCode
      }
      switch (change.kind, index) {
      case (.began, nil): begin(change)
      case (.repeated, let index?): repeats(held[index])
      case (.ended, let index?): end(held[index], as: .ended)
      case (.cancelled, let index?): end(held[index], as: .cancelled)
      case (.began, _), (.repeated, nil), (.ended, nil), (.cancelled, nil): break
      }
    }
    finish()
  }

  /// Cancels the presses of a device that was removed.
  public func lose(_ device: DeviceID, at time: Timestamp) {
    typists.remove(device)
    cancel(at: time) { $0.press.device == device }
  }

  /// Whether a device has typed a letter or a digit, so that its enter ends a text.
  func hasTyped(_ device: DeviceID) -> Bool { typists.contains(device) }

  /// Cancels every press: for a console switch, a new configuration, or the end of the program.
  public func cancelAll(at time: Timestamp) { cancel(at: time) { _ in true } }

  func subtreeLeft(_ view: View) {
    cancel(at: now) { held in held.path.contains { ($0.coordinateView?.isDescendant(of: view) ?? false) } }
  }

  private func cancel(at time: Timestamp, where isMeant: (Held) -> Bool) {
    now = max(now, time)
    let meant = held.filter { !$0.isOver && isMeant($0) }
    guard !isDelivering else {
      orphans += meant
      return
    }
    guard !meant.isEmpty else { return }
    for held in meant { end(held, as: .cancelled) }
    finish()
  }

  private func finish() {
    while true {
      if !orphans.isEmpty {
        end(orphans.removeFirst(), as: .cancelled)
      } else if !backlog.isEmpty {
        let next = backlog.removeFirst()
        dispatch(next.changes, at: next.time)
      } else {
        return window.focusSystem.updateIfNeeded()
      }
    }
  }

  // MARK: Delivery

  private func begin(_ change: PressChange) {
    let press = Press(id: nextID, key: change.key, device: change.device, timestamp: now)
    nextID += 1
    let held = Held(press)
    self.held.append(held)
    if press.type == nil, !press.key.insertedText.isEmpty { typists.insert(press.device) }
    window.focusSystem.keysAreUsed(press)
    let first = window.pressResponder(to: press)
    press.responder = first
    prepare(press)
    isDelivering = true
    var isHandled = false
    for responder in ResponderChain(from: first).responders {
      held.path.append(responder)
      let disposition = ask(responder, press)
      if disposition == .claim { claim(held) }
      isHandled = disposition != .forward || takesText(press, responder)
      // A removed view ends the delivery.
      if isHandled || orphans.contains(where: { $0 === held }) { break }
    }
    isDelivering = false
    if !isHandled { window.focusSystem.take(press) }
  }

  private func repeats(_ held: Held) {
    held.press.phase = .changed
    held.press.repeatCount += 1
    prepare(held.press)
    isDelivering = true
    var isHandled = false
    for responder in held.path where !isHandled {
      isHandled = ask(responder, held.press) != .forward || takesText(held.press, responder)
    }
    isDelivering = false
    if !isHandled { window.focusSystem.take(held.press) }
  }

  private func end(_ held: Held, as phase: Press.Phase) {
    guard !held.isOver else { return }
    held.isOver = true
    held.press.phase = phase
    prepare(held.press)
    isDelivering = true
    for responder in held.path { _ = ask(responder, held.press) }
    isDelivering = false
    self.held.removeAll { $0 === held }
    window.focusSystem.release(held.press)
  }

  private func claim(_ held: Held) {
    guard let claimant = held.path.last else { return }
    let phase = held.press.phase
    held.press.phase = .cancelled
    for responder in held.path.dropLast().reversed() { _ = ask(responder, held.press) }
    held.press.phase = phase
    held.path = [claimant]
  }

  private func prepare(_ press: Press) {
    press.timestamp = now
    event.timestamp = now
    event.allPresses.removeAll(keepingCapacity: true)
    for held in held {
      if held.press !== press { held.press.phase = .stationary }
      event.allPresses.append(held.press)
    }
    window.observe(PressReport(press: press))
  }

  private func ask(_ responder: Responder, _ press: Press) -> Disposition {
    let disposition =
      switch press.phase {
      case .began: responder.pressesBegan([press], with: event)
      case .changed: responder.pressesChanged([press], with: event)
      case .ended: responder.pressesEnded([press], with: event)
      case .cancelled: responder.pressesCancelled([press], with: event)
      case .stationary: Disposition.forward
      }
    window.dispatcher?.observer?.observe(.press(press, responder: responder, disposition: disposition))
    return disposition
  }

  /// Types into the first responder, if it takes text and did not handle the press.
  private func takesText(_ press: Press, _ responder: Responder) -> Bool {
    guard responder === window.firstResponder, let input = responder as? any KeyInput else { return false }
    switch press.key.keyCode {
    case .backspace where press.key.modifierFlags.isDisjoint(with: .commanding): input.deleteBackward()
    case .enter, .keypadEnter: if press.phase == .began { input.insertText("\n") }
    default:
      let text = press.key.insertedText
      guard !text.isEmpty else { return false }
      input.insertText(text)
    }
    return true
  }
}

extension Window {
  /// The first responder of a press: the keyboard on the screen if the press works that, else as for a scan.
  final func pressResponder(to press: Press) -> Responder {
    if let system = usedFocusSystem, system.worksKeyboard(press), let keyboard = system.keyboard {
      return keyboard
    }
    return pressResponder
  }

  /// The first responder of a scan: the focused view, else the first responder, else the window.
  package final var pressResponder: Responder {
    if let first = firstResponder as? any KeyInput { return first }
    // A sheet without anything to focus still gets the key that closes it.
    return focusSystem.focusedItem?.view ?? firstResponder ?? focusSystem.scope
  }
}
