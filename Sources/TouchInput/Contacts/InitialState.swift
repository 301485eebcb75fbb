/// What a device already reported before anybody listened: the starting point of the differences that its frames
/// are. All positions are in device units.
public struct InitialState: Hashable, Sendable {
  /// One slot of a protocol B device. A value that the device does not report is nil.
  public struct Slot: Hashable, Sendable {
    /// The contact in the slot, or -1 when there is none.
    public var trackingID: Int32
    /// Where the slot's contact is or, when there is none, where its last one was: the kernel does not report an
    /// axis again that a new contact does not change. (kernel `multi-touch-protocol.rst`.)
    public var x: Int32
    /// As `x`.
    public var y: Int32
    /// (`ABS_MT_TOOL_TYPE`.)
    public var toolType: Int32?
    /// In the device's own units; nil where it has no such axis. (`ABS_MT_PRESSURE`.)
    public var pressure: Int32?
    /// The contact's longer axis, in device units; nil where it has no such axis. (`ABS_MT_TOUCH_MAJOR`.)
    public var touchMajor: Int32?
    /// The contact's shorter axis, as `touchMajor`. (`ABS_MT_TOUCH_MINOR`.)
    public var touchMinor: Int32?
    /// How far above the screen, in the device's own units; nil where it has no such axis.
    /// (`ABS_MT_DISTANCE`.)
    public var distance: Int32?

    /// A slot that holds no contact, unless a tracking id of 0 or more is given.
    public init(
      trackingID: Int32 = -1, x: Int32 = 0, y: Int32 = 0, toolType: Int32? = nil,
      pressure: Int32? = nil, touchMajor: Int32? = nil, touchMinor: Int32? = nil, distance: Int32? = nil
    ) {
      self.trackingID = trackingID
      self.x = x
      self.y = y
      self.toolType = toolType
      self.pressure = pressure
      self.touchMajor = touchMajor
      self.touchMinor = touchMinor
      self.distance = distance
    }
  }

  /// One for each slot of the device; none when it is not a protocol B device.
  public var slots: [Slot]
  /// The slot that the first MT events are about, unless they name another one. (`ABS_MT_SLOT`.)
  public var currentSlot: Int32
  /// The single-touch position. (`ABS_X`, `ABS_Y`.)
  public var x: Int32
  /// As `x`, of the other axis.
  public var y: Int32
  /// Whether it was already touched, by what says so. (`PressSignal`.)
  public var isPressed: Bool

  /// A device that nothing touches, unless something else is given.
  public init(
    slots: [Slot] = [], currentSlot: Int32 = 0, x: Int32 = 0, y: Int32 = 0, isPressed: Bool = false
  ) {
    self.slots = slots
    self.currentSlot = currentSlot
    self.x = x
    self.y = y
    self.isPressed = isPressed
  }
}
