import TouchCore
import TouchInput

/// What `touchtree devices` prints: for each device what it is, what it can do, and why it is or is not used.
public enum DeviceListing {
  /// - Returns: how many devices can be used.
  /// - Throws: `DeviceError` when there is no place where devices are.
  @discardableResult
  public static func write(to output: LineOutput, json: Bool) throws(DeviceError) -> Int {
    let reports = try DeviceDirectory().reports()
    for report in reports { output.write(line: json ? object(report) : text(report)) }
    return reports.count { $0.kind != nil }
  }

  // MARK: For people

  private static func text(_ report: DeviceReport) -> String {
    switch report.finding {
    case .failure(let error): return "\(error)"
    case .device(let device, let verdict):
      var lines = ["\(report.path)  \(device.name)"]
      lines.append("  \(verdict.kind.map { "used as \($0.rawValue)" } ?? "not used"): \(verdict.reason)")
      lines.append("  " + identity(of: device))
      for code in device.capabilities.axes.keys.sorted() where AxisName.of(code) != nil {
        lines.append("  " + axis(code, device.capabilities.axes[code]))
      }
      if let slots = device.capabilities.slotCount { lines.append("  up to \(slots) contacts") }
      for link in report.links { lines.append("  \(link)") }
      if verdict.kind != nil { lines.append("  match: \(stanza(for: device))") }
      return lines.joined(separator: "\n")
    }
  }

  private static func identity(of device: DeviceDescription) -> String {
    var text = "bus \(hex(device.bus)), vendor \(hex(device.vendor)), product \(hex(device.product))"
    if !device.phys.isEmpty { text += ", phys \(device.phys)" }
    if !device.uniq.isEmpty { text += ", uniq \(device.uniq)" }
    return text
  }

  private static func axis(_ code: UInt16, _ range: AxisRange?) -> String {
    guard let name = AxisName.of(code), let range else { return "" }
    var text = "\(name) \(range.minimum)…\(range.maximum)"
    if range.fuzz != 0 { text += ", fuzz \(range.fuzz)" }
    guard range.resolution > 0 else { return text }
    let millimetres = (Double(range.maximum) - Double(range.minimum) + 1) / Double(range.resolution)
    return text + ", \(range.resolution) a millimetre, \(millimetres.rounded().plain) mm"
  }

  /// The match that picks this device out, as it stands in a configuration file.
  private static func stanza(for device: DeviceDescription) -> String {
    "{name: \(quoted(device.name)), vendor: \(hex(device.vendor)), product: \(hex(device.product))}"
  }

  private static func quoted(_ text: String) -> String {
    var json = JSONText()
    json.value(text)
    return json.string
  }

  static func hex(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  // MARK: For programs

  private static func object(_ report: DeviceReport) -> String {
    var json = JSONText()
    json.beginObject()
    json.key("path")
    json.value(report.path)
    switch report.finding {
    case .failure(let error):
      json.key("used")
      json.value(false)
      json.key("error")
      json.value("\(error)")
    case .device(let device, let verdict):
      add(verdict, to: &json)
      add(device, to: &json)
      json.key("links")
      json.beginArray()
      for link in report.links { json.value(link) }
      json.endArray()
    }
    json.endObject()
    return json.string
  }

  private static func add(_ verdict: DeviceVerdict, to json: inout JSONText) {
    json.key("used")
    json.value(verdict.kind != nil)
    json.key("kind")
    json.value(verdict.kind?.rawValue)
    json.key("reason")
    json.value(verdict.reason)
  }

  private static func add(_ device: DeviceDescription, to json: inout JSONText) {
    json.key("name")
    json.value(device.name)
    json.key("phys")
    json.value(device.phys)
    json.key("uniq")
    json.value(device.uniq)
    json.key("bus")
    json.value(Int(device.bus))
    json.key("vendor")
    json.value(Int(device.vendor))
    json.key("product")
    json.value(Int(device.product))
    json.key("slots")
    if let slots = device.capabilities.slotCount { json.value(slots) } else { json.value(nil as String?) }
    json.key("axes")
    json.beginArray()
    for code in device.capabilities.axes.keys.sorted() { addAxis(code, of: device, to: &json) }
    json.endArray()
  }

  private static func addAxis(_ code: UInt16, of device: DeviceDescription, to json: inout JSONText) {
    guard let range = device.capabilities.axes[code] else { return }
    json.beginObject()
    json.key("code")
    json.value(Int(code))
    json.key("name")
    json.value(AxisName.of(code))
    json.key("minimum")
    json.value(Int(range.minimum))
    json.key("maximum")
    json.value(Int(range.maximum))
    json.key("fuzz")
    json.value(Int(range.fuzz))
    json.key("resolution")
    json.value(Int(range.resolution))
    json.endObject()
  }
}

extension DeviceReport {
  /// What the device is used as, or nil.
  var kind: DeviceKind? {
    guard case .device(_, let verdict) = finding else { return nil }
    return verdict.kind
  }
}

/// The axes that say where a contact is and what it is like, by the kernel's names.
enum AxisName {
  static func of(_ code: UInt16) -> String? {
    switch code {
    case EventCode.absX: "ABS_X"
    case EventCode.absY: "ABS_Y"
    case EventCode.absPressure: "ABS_PRESSURE"
    case EventCode.absMTSlot: "ABS_MT_SLOT"
    case EventCode.absMTTouchMajor: "ABS_MT_TOUCH_MAJOR"
    case EventCode.absMTPositionX: "ABS_MT_POSITION_X"
    case EventCode.absMTPositionY: "ABS_MT_POSITION_Y"
    case EventCode.absMTToolType: "ABS_MT_TOOL_TYPE"
    case EventCode.absMTTrackingID: "ABS_MT_TRACKING_ID"
    case EventCode.absMTPressure: "ABS_MT_PRESSURE"
    default: nil
    }
  }
}
