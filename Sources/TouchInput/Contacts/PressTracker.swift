import TouchCore

/// Follows the one contact of a device with a position and a button: a screen or a mouse.
final class PressTracker {
  private enum State {
    case up
    case down(ContactID)
    /// The contact was pressed before the opening, or was cancelled: not delivered until it lifts.
    case dead
  }

  private let device: DeviceID
  private var state: State
  private var nextSerial = 1

  init(device: DeviceID, isPressed: Bool) {
    self.device = device
    state = isPressed ? .dead : .up
  }

  /// Whether the button is down, delivered or not.
  var isPressed: Bool {
    switch state {
    case .up: false
    case .down, .dead: true
    }
  }

  /// Handles a button event at `position`. Returns whether a contact began or ended.
  @discardableResult
  func press(
    _ pressed: Bool, at position: Point<DeviceSpace>, cause: InputFrame.Cause, attributes: ContactAttributes,
    into changes: inout [ContactChange]
  ) -> Bool {
    switch (state, pressed) {
    case (.up, true):
      let contact = ContactID(device: device, serial: nextSerial)
      nextSerial += 1
      state = .down(contact)
      changes.append(
        ContactChange(contact: contact, kind: .began, position: position, attributes: attributes))
    case (.down(let contact), false):
      let kind: ContactChange.Kind = cause == .resync ? .cancelled : .ended
      state = .up
      changes.append(ContactChange(contact: contact, kind: kind, position: position, attributes: attributes))
    case (.dead, false):
      state = .up
      return false
    case (.up, false), (.down, true), (.dead, true): return false
    }
    return true
  }

  func move(
    to position: Point<DeviceSpace>, attributes: ContactAttributes, into changes: inout [ContactChange]
  ) {
    guard case .down(let contact) = state else { return }
    changes.append(ContactChange(contact: contact, kind: .moved, position: position, attributes: attributes))
  }

  func cancelAll(at position: Point<DeviceSpace>, into changes: inout [ContactChange]) {
    guard case .down(let contact) = state else { return }
    state = .dead
    changes.append(
      ContactChange(
        contact: contact, kind: .cancelled, position: position, attributes: ContactAttributes()))
  }
}
