import TouchCore
import TouchInput

/// What a device's capabilities mean to its user.
struct DeviceSummary {
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
      guard let name = EventName.code(code, of: EventCode.abs), let range = device.capabilities.axes[code]
      else { return nil }
      return (name, range, AxisUnit.isLength(code))
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

enum AxisUnit {
  /// Whether an axis' resolution is in units a millimetre. (kernel `struct input_absinfo`.)
  static func isLength(_ code: UInt16) -> Bool {
    switch code {
    // The sizes of a contact lie side by side, and so do its tool's coordinates.
    case EventCode.absX, EventCode.absY, 0x30...0x33, EventCode.absMTPositionX, EventCode.absMTPositionY,
      0x3c, 0x3d:
      true
    default: false
    }
  }
}
