/// The declaration of one absolute axis by the device. (`struct input_absinfo`.)
package struct AxisRange: Hashable, Sendable {
  /// The smallest value, in device units. Real devices report values outside their own range.
  package var minimum: Int32
  /// The largest value, in device units; the range includes it.
  package var maximum: Int32
  /// The noise in device units: the kernel filters out smaller changes. (`input_absinfo.fuzz`.)
  package var fuzz: Int32
  /// The dead zone of a joystick in device units; touchscreens do not use it.
  package var flat: Int32
  /// The device units in a millimetre, or in a radian for rotations; 0 is unknown.
  package var resolution: Int32
  package var value: Int32

  package init(
    minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0, value: Int32 = 0
  ) {
    (self.minimum, self.maximum, self.fuzz, self.flat) = (minimum, maximum, fuzz, flat)
    (self.resolution, self.value) = (resolution, value)
  }
}

/// The axes, keys and properties of a device: enough to classify it without opening it again.
package struct DeviceCapabilities: Hashable, Sendable {
  /// The absolute axes by their ABS_ codes.
  package var axes: [UInt16: AxisRange] = [:]
  /// The KEY_ and BTN_ codes.
  package var keys: Set<UInt16> = []
  /// The REL_ codes.
  package var relativeAxes: Set<UInt16> = []
  /// The INPUT_PROP_ codes.
  package var properties: Set<UInt16> = []
  /// The codes of EV_MSC and the types beyond, by type, for copies of the device.
  package var otherCodes: [UInt16: Set<UInt16>] = [:]
  /// The number of contacts that a protocol B device can hold; nil for a device without slots.
  package var slotCount: Int?

  /// Makes the capabilities of a device that declares nothing, to be filled in.
  package init() {}

  /// Returns the ranges of the position axes of a device of this kind; 0…0 for a missing axis.
  package func positionAxes(of kind: DeviceKind) -> (x: AxisRange, y: AxisRange) {
    let none = AxisRange(minimum: 0, maximum: 0)
    let isMultitouch = kind == .multitouch
    return (
      axes[isMultitouch ? EventCode.absMTPositionX : EventCode.absX] ?? none,
      axes[isMultitouch ? EventCode.absMTPositionY : EventCode.absY] ?? none
    )
  }
}

package enum DeviceKind: String, CaseIterable, Sendable {
  /// Contacts in slots, by kernel multitouch protocol B, or in lists without slots, by protocol A.
  case multitouch
  /// One contact, by ABS_X, ABS_Y and a button.
  case singleTouch = "single-touch"
  /// An absolute mouse or tablet: a pointer that reports positions, pressed by a button.
  case absolutePointer = "absolute-pointer"
  /// A mouse: a pointer that reports relative movement.
  case relativePointer = "relative-pointer"

  /// Whether fingers touch it on the picture, so that it needs no pointer.
  package var isTouchscreen: Bool {
    switch self {
    case .multitouch, .singleTouch: true
    case .absolutePointer, .relativePointer: false
    }
  }
}

/// The signal by which a device with one contact reports a touch.
package enum PressSignal: Hashable, Sendable {
  /// A button, by its BTN_ code.
  case button(UInt16)
  /// ABS_PRESSURE above a value in device units, for panels without any button.
  case pressure(above: Int32)

  /// Chooses the signal: BTN_TOUCH, else BTN_LEFT, else pressure. A mouse's is BTN_LEFT.
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
