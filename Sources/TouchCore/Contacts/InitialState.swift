/// What a device reported when it was opened, before its first frame: the kernel sends only what changes.
public struct InitialState: Hashable, Sendable {
  /// One slot of a protocol B device.
  public struct Slot: Hashable, Sendable {
    /// −1 while no contact is in the slot.
    public var trackingID: Int32
    /// In device units.
    public var x: Int32
    /// In device units.
    public var y: Int32
    public var toolType: Int32?
    public var pressure: Int32?
    public var touchMajor: Int32?

    public init(
      trackingID: Int32 = -1, x: Int32 = 0, y: Int32 = 0, toolType: Int32? = nil, pressure: Int32? = nil,
      touchMajor: Int32? = nil
    ) {
      self.trackingID = trackingID
      self.x = x
      self.y = y
      self.toolType = toolType
      self.pressure = pressure
      self.touchMajor = touchMajor
    }
  }

  /// Empty on a device without slots.
  public var slots: [Slot]
  /// ABS_X, in device units.
  public var x: Int32
  /// ABS_Y, in device units.
  public var y: Int32
  /// Whether the button that presses (BTN_TOUCH, BTN_LEFT) is down.
  public var isPressed: Bool

  public init(slots: [Slot] = [], x: Int32 = 0, y: Int32 = 0, isPressed: Bool = false) {
    self.slots = slots
    self.x = x
    self.y = y
    self.isPressed = isPressed
  }
}
