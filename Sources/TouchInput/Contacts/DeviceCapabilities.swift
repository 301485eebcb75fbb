/// One absolute axis as the device declares it. (`struct input_absinfo`.)
package struct AxisRange: Hashable, Sendable {
  /// In device units. Real devices report values outside their own range.
  package var minimum: Int32
  /// In device units; the range includes it.
  package var maximum: Int32
  /// In device units: the kernel filters out smaller changes.
  /// (`input_absinfo.fuzz`.)
  package var fuzz: Int32
  /// In device units: the dead zone of a joystick; touchscreens do not use it.
  package var flat: Int32
  /// Device units a millimetre (units a radian for rotations); 0 is unknown.
  package var resolution: Int32
  /// The axis' value when the device was opened.
  package var value: Int32

  /// Arguments as the properties: in device units, but for the resolution.
  package init(
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
package struct DeviceCapabilities: Hashable, Sendable {
  /// By ABS_ code.
  package var axes: [UInt16: AxisRange] = [:]
  /// KEY_ and BTN_ codes.
  package var keys: Set<UInt16> = []
  /// REL_ codes.
  package var relativeAxes: Set<UInt16> = []
  /// INPUT_PROP_ codes.
  package var properties: Set<UInt16> = []
  /// The codes of the other types, by event type: EV_MSC and beyond. Touches do not depend on them; a copy of the device
  /// has them.
  package var otherCodes: [UInt16: Set<UInt16>] = [:]
  /// How many contacts a protocol B device can hold, or nil when it has no slots.
  package var slotCount: Int?

  /// A device that declares nothing; what it has is filled in.
  package init() {}

  /// The ranges of the position axes of a device of this kind; 0…0 for a missing axis.
  package func positionAxes(of kind: DeviceKind) -> (x: AxisRange, y: AxisRange) {
    let none = AxisRange(minimum: 0, maximum: 0)
    let isMultitouch = kind == .multitouch
    return (
      axes[isMultitouch ? EventCode.absMTPositionX : EventCode.absX] ?? none,
      axes[isMultitouch ? EventCode.absMTPositionY : EventCode.absY] ?? none
    )
  }
}

/// How touchtree uses a device.
package enum DeviceKind: String, CaseIterable, Sendable {
  /// Contacts in slots, kernel multitouch protocol B; or, where there are no slots, in lists, protocol A.
  case multitouch
  /// One contact, by ABS_X, ABS_Y and a button.
  case singleTouch = "single-touch"
  /// An absolute mouse or tablet: a pointer that reports positions, pressed by a button.
  case absolutePointer = "absolute-pointer"
  /// A mouse: a pointer that reports relative movement.
  case relativePointer = "relative-pointer"

  /// Whether fingers touch it where the picture is, and no pointer is needed.
  package var isTouchscreen: Bool {
    switch self {
    case .multitouch, .singleTouch: true
    case .absolutePointer, .relativePointer: false
    }
  }
}

/// How a device with one contact reports that it is touched.
package enum PressSignal: Hashable, Sendable {
  /// A BTN_ code.
  case button(UInt16)
  /// ABS_PRESSURE above this, in device units: panels without any button.
  case pressure(above: Int32)

  /// The signal of a device with these capabilities: BTN_TOUCH, or else BTN_LEFT, or else pressure. A mouse's is BTN_LEFT.
  package init(_ capabilities: DeviceCapabilities) {
    var buttons = [EventCode.btnTouch, EventCode.btnLeft]
    if DeviceTraits(capabilities).isMouseWithPositions { buttons.reverse() }
    if let button = buttons.first(where: capabilities.keys.contains) {
      self = .button(button)
    } else if let range = capabilities.axes[EventCode.absPressure] {
      self = .pressure(above: max(0, range.minimum))
    } else {
      self = .button(EventCode.btnLeft)
    }
  }
}
