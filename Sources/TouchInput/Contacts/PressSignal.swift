/// What says that a device with one contact is touched.
public enum PressSignal: Hashable, Sendable {
  /// A BTN_ code.
  case button(UInt16)
  /// ABS_PRESSURE above this, in device units: panels without any button.
  case pressure(above: Int32)

  /// The signal that a device with these capabilities gives: BTN_TOUCH before BTN_LEFT, and pressure only where there is
  /// neither.
  public init(_ capabilities: DeviceCapabilities) {
    let buttons = [EventCode.btnTouch, EventCode.btnLeft]
    if let button = buttons.first(where: capabilities.keys.contains) {
      self = .button(button)
    } else if let range = capabilities.axes[EventCode.absPressure] {
      self = .pressure(above: max(0, range.minimum))
    } else {
      self = .button(EventCode.btnLeft)
    }
  }
}
