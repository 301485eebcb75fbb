import TouchCore
import TouchInput

/// A multitouch device whose frames are written as text, and what comes of them as text.
///
/// A frame is words with values, such as "slot=0 id=7 x=10 y=20"; "mt" is a SYN_MT_REPORT, "resync" says how
/// the frame came about, and "at=40" when, in milliseconds.
struct ContactScript {
  static let geometry = DisplayGeometry(displaySize: Size(width: 800, height: 480))

  /// - Parameter slots: nil for a device that lists its contacts (protocol A).
  static func panel(slots: Int?, initial: InitialState = InitialState(), device: Int = 1) -> TouchSource {
    var capabilities = DeviceCapabilities()
    capabilities.axes[EventCode.absMTPositionX] = AxisRange(minimum: 0, maximum: 799)
    capabilities.axes[EventCode.absMTPositionY] = AxisRange(minimum: 0, maximum: 479)
    capabilities.slotCount = slots
    return TouchSource(
      device: DeviceID(rawValue: device), kind: .multitouch, capabilities: capabilities, initial: initial,
      geometry: geometry)
  }

  static func frame(_ text: String) -> InputFrame {
    var frame = InputFrame()
    for word in text.split(separator: " ") {
      let parts = word.split(separator: "=")
      let value = parts.count > 1 ? Int32(parts[1]) ?? 0 : 0
      switch parts[0] {
      case "resync": frame.cause = .resync
      case "at": frame.time = Timestamp(microseconds: Int64(value) * 1000)
      case "mt": frame.events.append(RawEvent(type: EventCode.syn, code: EventCode.synMTReport, value: 0))
      case "touch": frame.events.append(RawEvent(type: EventCode.key, code: EventCode.btnTouch, value: value))
      case "volume": frame.events.append(RawEvent(type: EventCode.key, code: 115, value: value))
      case let name:
        frame.events.append(RawEvent(type: EventCode.abs, code: codes[String(name)] ?? 0, value: value))
      }
    }
    return frame
  }

  private static let codes: [String: UInt16] = [
    "slot": EventCode.absMTSlot, "id": EventCode.absMTTrackingID, "x": EventCode.absMTPositionX,
    "y": EventCode.absMTPositionY, "tool": EventCode.absMTToolType, "major": EventCode.absMTTouchMajor,
    "width": 0x32, "pressure": EventCode.absMTPressure, "distance": EventCode.absMTDistance,
    "sx": EventCode.absX,
    "sy": EventCode.absY,
  ]

  /// Plays frames, and says what changed: "began 1 10,20".
  static func play(_ source: TouchSource, _ frames: [String]) -> [String] {
    changes(source, frames.map(frame)).map {
      "\($0.kind) \($0.contact.serial) \(Int($0.location.x)),\(Int($0.location.y))"
    }
  }

  static func changes(_ source: TouchSource, _ frames: [InputFrame]) -> [TouchChange] {
    var pointer = Pointer(bounds: geometry.canvasBounds)
    var changes: [TouchChange] = []
    for frame in frames { source.apply(frame, pointer: &pointer, into: &changes) }
    return changes
  }
}
