/// One absolute axis as the device declares it. (`struct input_absinfo`.)
public struct AxisRange: Hashable, Sendable {
  /// In device units. Real devices report values outside their own range.
  public var minimum: Int32
  /// In device units; the range includes it.
  public var maximum: Int32
  /// In device units: the kernel has already smoothed away changes smaller than about this.
  /// (`input_absinfo.fuzz`.)
  public var fuzz: Int32
  /// In device units: the dead zone of a joystick; of no use to a touchscreen.
  public var flat: Int32
  /// Device units a millimetre (units a radian for rotations); 0 is unknown.
  public var resolution: Int32
  /// The axis' value when the device was opened.
  public var value: Int32

  /// Arguments as the properties: in device units, but for the resolution.
  public init(
    minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0,
    value: Int32 = 0
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.fuzz = fuzz
    self.flat = flat
    self.resolution = resolution
    self.value = value
  }
}

/// Which axes, keys and properties a device has: enough to classify it, without opening it again.
public struct DeviceCapabilities: Hashable, Sendable {
  /// By ABS_ code.
  public var axes: [UInt16: AxisRange] = [:]
  /// KEY_ and BTN_ codes.
  public var keys: Set<UInt16> = []
  /// REL_ codes.
  public var relativeAxes: Set<UInt16> = []
  /// INPUT_PROP_ codes.
  public var properties: Set<UInt16> = []
  /// The codes of the types that say nothing of touches, by event type: EV_MSC and beyond. They make a copy of a device
  /// like it.
  public var otherCodes: [UInt16: Set<UInt16>] = [:]
  /// How many contacts a protocol B device can hold, or nil when it has no slots.
  public var slotCount: Int?

  /// A device that declares nothing; what it has is filled in.
  public init() {}

  /// The ranges of the axes by which a device of this kind says where it is touched; 0…0 where it has none.
  public func positionAxes(of kind: DeviceKind) -> (x: AxisRange, y: AxisRange) {
    let none = AxisRange(minimum: 0, maximum: 0)
    let isMultitouch = kind == .multitouch
    return (
      axes[isMultitouch ? EventCode.absMTPositionX : EventCode.absX] ?? none,
      axes[isMultitouch ? EventCode.absMTPositionY : EventCode.absY] ?? none
    )
  }
}

/// What a device is to touchtree.
public enum DeviceKind: String, CaseIterable, Sendable {
  /// Contacts in slots, kernel multitouch protocol B; or, where there are no slots, in lists, protocol A.
  case multitouch
  /// One contact, by ABS_X, ABS_Y and a button.
  case singleTouch = "single-touch"
  /// An absolute mouse or tablet: a pointer whose place is its position, pressed by a button.
  case absolutePointer = "absolute-pointer"
  /// A mouse: a pointer that is moved by differences.
  case relativePointer = "relative-pointer"

  /// Whether fingers touch it where the picture is, and no pointer is needed.
  public var isTouchscreen: Bool {
    switch self {
    case .multitouch, .singleTouch: true
    case .absolutePointer, .relativePointer: false
    }
  }
}
