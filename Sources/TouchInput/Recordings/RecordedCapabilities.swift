import TouchCore

/// Gathers what a recording says that its device can do.
struct RecordedCapabilities {
  /// More than any kernel has. (`EV_MAX`, `KEY_MAX`, `INPUT_PROP_MAX`; kernel `input-event-codes.h`.)
  static let lastType: UInt16 = 0x1f
  static let lastCode: UInt16 = 0x2ff
  static let lastProperty: UInt16 = 0x1f

  var properties: Set<UInt16> = []
  /// By event type.
  var codes: [UInt16: Set<UInt16>] = [:]
  var axes: [UInt16: AxisRange] = [:]

  /// The last code that a type can have.
  static func lastCode(of type: UInt16) -> UInt16 {
    switch type {
    case EventCode.abs: 0x3f
    case EventCode.rel: 0x0f
    default: lastCode
    }
  }

  /// An axis that is declared without a range counts as 0…0.
  var capabilities: DeviceCapabilities {
    var capabilities = DeviceCapabilities()
    capabilities.properties = properties
    capabilities.keys = codes[EventCode.key] ?? []
    capabilities.relativeAxes = codes[EventCode.rel] ?? []
    for code in codes[EventCode.abs] ?? [] {
      capabilities.axes[code] = axes[code] ?? AxisRange(minimum: 0, maximum: 0)
    }
    capabilities.otherCodes = codes.filter { $0.key > EventCode.abs && !$0.value.isEmpty }
    capabilities.slotCount = Self.slotCount(capabilities.axes)
    return capabilities
  }

  /// As libevdev counts, and up to as many as it can follow.
  private static func slotCount(_ axes: [UInt16: AxisRange]) -> Int? {
    guard let slot = axes[EventCode.absMTSlot], axes[EventCode.absMTSlot - 1] == nil else { return nil }
    return max(0, min(256, Int(slot.maximum) + 1))
  }
}
