/// Follows a device with ABS_X, ABS_Y and a button: a single-touch screen or an absolute mouse.
final class AbsoluteTracker {
  private let pressCode: UInt16
  private let rangeX: AxisRange
  private let rangeY: AxisRange
  private let press: PressTracker
  private var attributes = ContactAttributes()
  /// In device units; followed while nothing is pressed too.
  private(set) var position: Point<DeviceSpace>
  var board = NoticeBoard()

  init(
    device: DeviceID, pressCode: UInt16, rangeX: AxisRange, rangeY: AxisRange, initial: InitialState
  ) {
    self.pressCode = pressCode
    self.rangeX = rangeX
    self.rangeY = rangeY
    press = PressTracker(device: device, isPressed: initial.isPressed)
    position = Point(x: Double(initial.x), y: Double(initial.y))
  }

  func apply(_ frame: InputFrame, into changes: inout [ContactChange]) {
    // The button may come before the position it belongs to, so positions are read first.
    var moved = false
    for event in frame.events where event.type == EventCode.abs {
      moved = setValue(event) || moved
    }
    var pressed = false
    for event in frame.events where event.type == EventCode.key && event.code == pressCode {
      pressed = true
      press.press(
        event.value != 0, at: position, cause: frame.cause, attributes: attributes, into: &changes)
    }
    if moved && !pressed { press.move(to: position, attributes: attributes, into: &changes) }
  }

  func cancelAll(into changes: inout [ContactChange]) {
    press.cancelAll(at: position, into: &changes)
  }

  private func setValue(_ event: RawEvent) -> Bool {
    switch event.code {
    case EventCode.absX:
      position.x = Double(event.value)
      board.checkRange(event.value, of: .x, rangeX)
    case EventCode.absY:
      position.y = Double(event.value)
      board.checkRange(event.value, of: .y, rangeY)
    case EventCode.absPressure: attributes.pressure = event.value
    default: return false
    }
    return true
  }
}
