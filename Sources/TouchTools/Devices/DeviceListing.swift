import TouchCore
import TouchInput
import TouchSystem

/// What `touchtree devices` prints: for each device what it is, what it can do, and why it is or is not used.
package enum DeviceListing {
  /// - Returns: how many devices can be used.
  /// - Throws: `DeviceError` when there is no place where devices are.
  @discardableResult
  package static func write(to output: LineOutput, json: Bool) throws(DeviceError) -> Int {
    let reports = try DeviceDirectory().reports()
    let devices = reports.compactMap(\.device)
    for report in reports {
      let lines = json ? [DeviceObject(report, among: devices).text] : lines(report, among: devices)
      for line in lines { output.write(line: line) }
    }
    return reports.count { $0.kind != nil }
  }

  private static func lines(_ report: DeviceReport, among devices: [DeviceDescription]) -> [String] {
    switch report.finding {
    case .failure(let error): return ["\(error)"]
    case .device(let device, let verdict):
      let facts = DeviceSummary(device: device, kind: verdict.kind)
      var lines = ["\(report.path)  \(device.name)"]
      lines.append("  \(verdict.kind.map { "used as \($0.rawValue)" } ?? "not used"): \(verdict.reason)")
      lines += identity(of: device, report).map { "  " + $0 }
      lines += facts.axes.map { "  " + axis($0.name, $0.range, isLength: $0.isLength) }
      if verdict.kind != nil && verdict.kind != .relativePointer {
        lines.append("  " + size(facts))
        lines.append("  " + contacts(facts))
      }
      lines.append("  configuration: " + ConfigSnippet(device, among: devices).text)
      return lines
    }
  }

  private static func identity(of device: DeviceDescription, _ report: DeviceReport) -> [String] {
    var text = "bus \(ConfigSnippet.hex(device.bus)), vendor \(ConfigSnippet.hex(device.vendor)), "
    text += "product \(ConfigSnippet.hex(device.product)), version \(ConfigSnippet.hex(device.version))"
    if !device.phys.isEmpty { text += ", phys \(device.phys)" }
    if !device.uniq.isEmpty { text += ", uniq \(device.uniq)" }
    return [text] + (report.syspath.isEmpty ? [] : [report.syspath]) + report.links
  }

  private static func axis(_ name: String, _ range: AxisRange, isLength: Bool) -> String {
    var text = "\(name) \(range.minimum)…\(range.maximum)"
    if range.fuzz != 0 { text += ", fuzz \(range.fuzz)" }
    guard range.resolution > 0 else { return text }
    text += ", \(range.resolution) units a \(isLength ? "millimetre" : "radian")"
    if isLength, let length = range.millimetres { text += ", \(length.short) mm" }
    return text
  }

  private static func size(_ facts: DeviceSummary) -> String {
    guard let size = facts.millimetres else { return "size unknown: its driver gives no resolution" }
    return "\(size.width.rounded().plain) × \(size.height.rounded().plain) mm"
  }

  private static func contacts(_ facts: DeviceSummary) -> String {
    let count =
      facts.contacts.map { $0 == 1 ? "1 contact" : "up to \($0) contacts" } ?? "any number of contacts"
    guard let name = facts.multitouchProtocol else { return count }
    return "multitouch protocol \(name), \(count)"
  }
}

extension DeviceReport {
  /// What the device is used as, or nil.
  var kind: DeviceKind? {
    guard case .device(_, let verdict) = finding else { return nil }
    return verdict.kind
  }

  /// Who the device is, where it could be opened.
  var device: DeviceDescription? {
    guard case .device(let device, _) = finding else { return nil }
    return device
  }
}
