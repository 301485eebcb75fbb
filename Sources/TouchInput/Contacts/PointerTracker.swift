import TouchCore

/// Follows the part of a mouse or tablet that is no touch: pointer, wheel, and the other buttons.
final class PointerTracker {
  private let device: DeviceID
  /// The window units for each of the device's counts.
  private let speed: Double
  private var wasPressed: Bool

  /// - Parameter isPressed: whether the pressing button is down from the start.
  init(device: DeviceID, speed: Double, isPressed: Bool) {
    (self.device, self.speed, wasPressed) = (device, speed, isPressed)
  }

  func move(_ pointer: inout Pointer, by frame: InputFrame) -> Bool {
    var x: Int32 = 0
    var y: Int32 = 0
    var moves = false
    for event in frame.events where event.type == EventCode.rel {
      switch event.code {
      case EventCode.relX: x &+= event.value
      case EventCode.relY: y &+= event.value
      default: continue
      }
      moves = true
    }
    if moves {
      pointer.move(x: Double(x) * speed, y: Double(y) * speed)
      pointer.note(.moved, by: device)
    }
    return moves
  }

  func move(_ pointer: inout Pointer, to location: WindowPoint) {
    let old = pointer.location
    pointer.move(to: location)
    if pointer.location != old { pointer.note(.moved, by: device) }
  }

  /// Notes everything else in the frame, after which the pressing button may be down.
  func note(_ frame: InputFrame, isPressed: Bool, on pointer: inout Pointer) {
    if isPressed != wasPressed { pointer.note(isPressed ? .pressed : .released, by: device) }
    wasPressed = isPressed
    noteWheel(frame, on: &pointer)
    for event in frame.events where event.type == EventCode.key {
      // A value of 2 is a repetition.
      guard let button = PointerButton(code: event.code), event.value != 2 else { continue }
      pointer.note(event.value != 0 ? .buttonDown(button) : .buttonUp(button), by: device)
    }
  }

  /// Notes the wheel. High-resolution ones report 120 parts of a step and the step. (`REL_WHEEL_HI_RES`)
  private func noteWheel(_ frame: InputFrame, on pointer: inout Pointer) {
    var whole = (x: Int32(0), y: Int32(0))
    var parts = (x: Int32(0), y: Int32(0))
    var hasParts = (x: false, y: false)
    for event in frame.events where event.type == EventCode.rel {
      switch event.code {
      case EventCode.relHWheel: whole.x &+= event.value
      case EventCode.relWheel: whole.y &+= event.value
      case EventCode.relHWheelHiRes:
        parts.x &+= event.value
        hasParts.x = true
      case EventCode.relWheelHiRes:
        parts.y &+= event.value
        hasParts.y = true
      default: break
      }
    }
    let x = hasParts.x ? Double(parts.x) / 120 : Double(whole.x)
    let y = hasParts.y ? Double(parts.y) / 120 : Double(whole.y)
    if x != 0 || y != 0 { pointer.note(.wheel(x: x, y: y), by: device) }
  }
}

extension PointerButton {
  init?(code: UInt16) {
    guard (EventCode.btnRight...EventCode.btnTask).contains(code) else { return nil }
    self = Self.allCases[Int(code - EventCode.btnRight)]
  }
}
