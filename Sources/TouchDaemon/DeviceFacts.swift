import TouchCore
import TouchInput

/// What a device's capabilities mean to its user.
struct DeviceFacts {
  let device: DeviceDescription
  let kind: DeviceKind?

  /// The kernel's multitouch protocol: B with slots, A without them; nil for what has one contact or none.
  /// (kernel `multi-touch-protocol.rst`.)
  var multitouchProtocol: String? {
    guard kind == .multitouch else { return nil }
    return device.capabilities.slotCount == nil ? "A" : "B"
  }

  /// How many contacts there can be at once; nil where the device does not say.
  var contacts: Int? {
    switch kind {
    case .multitouch: device.capabilities.slotCount
    case .singleTouch, .absolutePointer, .relativePointer: 1
    case nil: nil
    }
  }

  /// The size of what is touched, in millimetres; nil where the resolution of an axis is not known.
  var millimetres: (width: Double, height: Double)? {
    let axes = device.capabilities.axes
    for (x, y) in [
      (EventCode.absMTPositionX, EventCode.absMTPositionY), (EventCode.absX, EventCode.absY),
    ] {
      if let width = axes[x]?.millimetres, let height = axes[y]?.millimetres { return (width, height) }
    }
    return nil
  }

  /// The axes that have a name, by their codes.
  var axes: [(name: String, range: AxisRange, isLength: Bool)] {
    device.capabilities.axes.keys.sorted().compactMap { code in
      guard let name = AxisName.of(code), let range = device.capabilities.axes[code] else { return nil }
      return (name, range, AxisName.isLength(code))
    }
  }
}

extension AxisRange {
  /// From the first to the last unit, as libinput reckons it; nil where the resolution is not known. Only for an axis
  /// that is a length.
  var millimetres: Double? {
    guard resolution > 0, maximum > minimum else { return nil }
    return (Double(maximum) - Double(minimum)) / Double(resolution)
  }
}

/// The axes that say where a contact is and what it is like, by the kernel's names.
enum AxisName {
  static func of(_ code: UInt16) -> String? {
    switch code {
    case EventCode.absX: "ABS_X"
    case EventCode.absY: "ABS_Y"
    case EventCode.absPressure: "ABS_PRESSURE"
    case 0x19: "ABS_DISTANCE"
    case EventCode.absMTSlot: "ABS_MT_SLOT"
    case EventCode.absMTTouchMajor: "ABS_MT_TOUCH_MAJOR"
    case 0x31: "ABS_MT_TOUCH_MINOR"
    case 0x32: "ABS_MT_WIDTH_MAJOR"
    case 0x33: "ABS_MT_WIDTH_MINOR"
    case 0x34: "ABS_MT_ORIENTATION"
    case EventCode.absMTPositionX: "ABS_MT_POSITION_X"
    case EventCode.absMTPositionY: "ABS_MT_POSITION_Y"
    case EventCode.absMTToolType: "ABS_MT_TOOL_TYPE"
    case EventCode.absMTTrackingID: "ABS_MT_TRACKING_ID"
    case EventCode.absMTPressure: "ABS_MT_PRESSURE"
    case EventCode.absMTDistance: "ABS_MT_DISTANCE"
    case 0x3c: "ABS_MT_TOOL_X"
    case 0x3d: "ABS_MT_TOOL_Y"
    default: nil
    }
  }

  /// Whether the axis' resolution is in units a millimetre.
  static func isLength(_ code: UInt16) -> Bool {
    switch code {
    case EventCode.absX, EventCode.absY, 0x30...0x33, EventCode.absMTPositionX, EventCode.absMTPositionY,
      0x3c, 0x3d:
      true
    default: false
    }
  }
}
