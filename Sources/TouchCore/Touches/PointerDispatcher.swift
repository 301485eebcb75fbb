/// Delivers the pointer's events that are no touches.
///
/// Hovering is delivered to every responder of the chain of the view under the pointer: entered from the
/// window inwards, then moved, and left from the view outwards. A wheel and a button go up the chain until a
/// responder handles them.
public final class PointerDispatcher {
  private struct Hover {
    var view: View
    var path: [Responder]
    var device: DeviceID
    var location: WindowPoint
  }

  private struct Press {
    var button: PointerButton
    var device: DeviceID
    var view: View
    var path: [Responder]
    var location: WindowPoint
  }

  private let window: Window
  private var hover: Hover?
  private var presses: [Press] = []
  /// The devices whose pressing button is down: their events are touches.
  private var pressing: [DeviceID] = []
  /// The last motion since `flush()`.
  private var motion: (location: WindowPoint, device: DeviceID)?
  private var now = Timestamp.zero

  /// - Parameter window: the tree under the pointer. Its dispatcher's observer sees each delivery.
  public init(window: Window) { self.window = window }

  /// Dispatches the pointer changes of one frame; motion waits for `flush()`.
  public func dispatch(_ changes: [PointerChange], at time: Timestamp) {
    now = max(now, time)
    for change in changes {
      switch change.kind {
      case .moved: motion = (change.location, change.device)
      case .pressed:
        flush()
        pressing.append(change.device)
        leave()
      case .released:
        pressing.removeAll { $0 == change.device }
        motion = (change.location, change.device)
      case .wheel(let x, let y): turn(.wheel(x: x, y: y), change)
      case .buttonDown(let button): press(button, change)
      case .buttonUp(let button): release(button, of: change.device, at: change.location)
      }
    }
  }

  /// Delivers the last motion. The loop calls it once a turn.
  public func flush() {
    if let hover, hover.view.window !== window { leave() }
    guard let motion, pressing.isEmpty else { return }
    self.motion = nil
    guard let view = window.hitView(at: motion.location, with: nil) else { return leave() }
    if hover?.view === view {
      hover?.location = motion.location
      if let hover { for responder in hover.path { send(.moved, hover, responder) } }
    } else {
      enter(
        Hover(
          view: view, path: ResponderChain(from: view).responders, device: motion.device,
          location: motion.location))
    }
  }

  /// Ends the hover until the pointer moves again, because it is not used for the time being.
  public func rest(at time: Timestamp) {
    now = max(now, time)
    motion = nil
    leave()
  }

  /// Ends the hover of a device that was removed, and cancels the buttons that it held down.
  public func lose(_ device: DeviceID, at time: Timestamp) {
    now = max(now, time)
    pressing.removeAll { $0 == device }
    if hover?.device == device || motion?.device == device { rest(at: time) }
    cancelPresses { $0.device == device }
  }

  /// Ends the hover and cancels every button that is down.
  public func cancelAll(at time: Timestamp) {
    rest(at: time)
    cancelPresses { _ in true }
  }

  // MARK: Hovering

  private func enter(_ next: Hover) {
    let old = hover
    hover = next
    if let old {
      for responder in old.path where !next.path.contains(where: { $0 === responder }) {
        send(.left, old, responder)
      }
    }
    for responder in next.path.reversed() {
      let stays = old?.path.contains { $0 === responder } ?? false
      send(stays ? .moved : .entered, next, responder)
    }
  }

  private func leave() {
    guard let old = hover else { return }
    hover = nil
    for responder in old.path { send(.left, old, responder) }
  }

  private func send(_ kind: PointerEvent.Kind, _ hover: Hover, _ responder: Responder) {
    let event = PointerEvent(
      kind: kind, view: hover.view, location: hover.location, timestamp: now, device: hover.device)
    _ = ask(responder, event)
  }

  // MARK: Wheel and buttons

  /// Delivers up the chain of the view under the pointer. Returns the responders that got it.
  @discardableResult
  private func turn(_ kind: PointerEvent.Kind, _ change: PointerChange) -> (view: View, path: [Responder])? {
    flush()
    guard let view = window.hitView(at: change.location, with: nil) else { return nil }
    let event = PointerEvent(
      kind: kind, view: view, location: change.location, timestamp: now, device: change.device)
    var path: [Responder] = []
    for responder in ResponderChain(from: view).responders {
      path.append(responder)
      if ask(responder, event) != .forward { break }
    }
    return (view, path)
  }

  private func press(_ button: PointerButton, _ change: PointerChange) {
    guard !presses.contains(where: { $0.button == button && $0.device == change.device }),
      let (view, path) = turn(.pressed(button), change)
    else { return }
    presses.append(
      Press(button: button, device: change.device, view: view, path: path, location: change.location))
  }

  private func release(_ button: PointerButton, of device: DeviceID, at location: WindowPoint) {
    flush()
    guard let index = presses.firstIndex(where: { $0.button == button && $0.device == device }) else {
      return
    }
    var press = presses.remove(at: index)
    press.location = location
    end(press, as: .released(button))
  }

  private func cancelPresses(where isMeant: (Press) -> Bool) {
    while let index = presses.firstIndex(where: isMeant) {
      let press = presses.remove(at: index)
      end(press, as: .cancelled(press.button))
    }
  }

  private func end(_ press: Press, as kind: PointerEvent.Kind) {
    let event = PointerEvent(
      kind: kind, view: press.view, location: press.location, timestamp: now, device: press.device)
    for responder in press.path { _ = ask(responder, event) }
  }

  private func ask(_ responder: Responder, _ event: PointerEvent) -> Disposition {
    let disposition = responder.pointerChanged(event)
    window.dispatcher?.observer?.observe(.pointer(event, responder: responder, disposition: disposition))
    return disposition
  }
}
