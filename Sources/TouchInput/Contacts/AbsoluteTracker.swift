import TouchCore

/// Follows a single-touch screen or absolute mouse, by ABS_X, ABS_Y and a button or pressure.
final class AbsoluteTracker {
  private let signal: PressSignal
  private let rangeX, rangeY: AxisRange
  private let press: PressTracker
  /// The detection of missed lifts; nil for a pointer, which may jump to any position while it is pressed.
  private var missedLift: MissedLift?
  /// The place and time of the last report of the press; nil while nothing is pressed.
  private var last: MissedLift.Sighting?
  private var attributes = ContactAttributes()
  /// The position in device units; it is followed while nothing is pressed, too.
  private(set) var position: Point<DeviceSpace>
  var warnings = DeviceWarnings()
  var isPressed: Bool { press.isPressed }

  init(
    device: DeviceID, signal: PressSignal, isTouchscreen: Bool, rangeX: AxisRange, rangeY: AxisRange,
    initial: InitialState
  ) {
    self.signal = signal
    missedLift = isTouchscreen ? MissedLift(x: rangeX, y: rangeY) : nil
    self.rangeX = rangeX
    self.rangeY = rangeY
    press = PressTracker(device: device, isPressed: initial.isPressed)
    position = Point(x: Double(initial.x), y: Double(initial.y))
  }

  func apply(_ frame: InputFrame, into changes: inout [ContactChange]) {
    // The button may come before its position, so positions are read first.
    let before = position
    var moved = false
    for event in frame.events {
      if event.type == EventCode.abs { moved = setValue(event) || moved }
      if event.type == EventCode.key && event.code == EventCode.btnToolPen {
        attributes.tool = event.value != 0 ? .pen : .finger
      }
    }
    var changed = false
    for event in frame.events {
      guard let isDown = isDown(event) else { continue }
      // A panel that is not pressed measures nothing: any position that it reports is noise.
      if !isDown, case .pressure = signal { position = before }
      changed =
        press.press(isDown, at: position, cause: frame.cause, attributes: attributes, into: &changes)
        || changed
    }
    if moved && !changed && !findMissedLift(in: frame, from: before, into: &changes) {
      press.move(to: position, attributes: attributes, into: &changes)
    }
    missedLift?.note(changes)
    last = press.isPressed ? MissedLift.Sighting(position: position, time: frame.time) : nil
  }

  /// Cancels the press if another finger took it over, and begins the next one. Returns whether it did.
  private func findMissedLift(
    in frame: InputFrame, from before: Point<DeviceSpace>, into changes: inout [ContactChange]
  ) -> Bool {
    guard frame.cause == .report, let last,
      let pause = missedLift?.pause(since: last, position, at: frame.time)
    else { return false }
    warnings.post(.missedLift(milliseconds: pause))
    press.cancelAll(at: before, into: &changes)
    for isDown in [false, true] {
      press.press(isDown, at: position, cause: frame.cause, attributes: attributes, into: &changes)
    }
    return true
  }

  func cancelAll(into changes: inout [ContactChange]) { press.cancelAll(at: position, into: &changes) }

  /// Whether an event presses or releases; nil for any other event.
  private func isDown(_ event: RawEvent) -> Bool? {
    switch signal {
    case .button(let code): event.type == EventCode.key && event.code == code ? event.value != 0 : nil
    case .pressure(let threshold):
      event.type == EventCode.abs && event.code == EventCode.absPressure ? event.value > threshold : nil
    }
  }

  private func setValue(_ event: RawEvent) -> Bool {
    switch event.code {
    case EventCode.absX: position.x = Double(event.value)
    case EventCode.absY: position.y = Double(event.value)
    case EventCode.absPressure: attributes.pressure = event.value
    default: return false
    }
    warnings.checkRange(event, x: rangeX, y: rangeY)
    return true
  }
}
