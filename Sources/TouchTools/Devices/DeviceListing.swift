import TouchInput
import TouchJSON
import TouchKit
import TouchRecordings
import TouchSystem

/// The output of `touchtree devices`: each device's kind, abilities, and why it is or is not used.
package enum DeviceListing {
  /// Returns reports about the connected devices, or throws without a folder of devices.
  package static func reports() throws(DeviceError) -> [DeviceReport] {
    try DeviceDirectory().reports().map(judged)
  }

  /// Returns reports about the devices in a recording, each at the recording's path.
  package static func reports(of recording: Recording) -> [DeviceReport] {
    recording.devices.map { device in
      let classification = DeviceClassifier.classify(device.description.capabilities)
      return judged(
        DeviceReport(path: recording.file, links: [], finding: .device(device.description, classification)))
    }
  }

  private static func judged(_ report: DeviceReport) -> DeviceReport {
    guard case .device(let device, _) = report.finding else { return report }
    let rules = DeviceRules([])
    var classification = rules.classification(of: device)
    if let exclusion = rules.exclusion(of: device), classification.kind != nil {
      classification = .unused(because: "\(exclusion). \(classification.reason)")
    }
    var report = report
    report.finding = .device(device, classification)
    return report
  }

  package static func write(_ reports: [DeviceReport], to output: LineOutput, json: Bool) {
    let devices = reports.compactMap(\.device)
    for report in reports {
      let lines = json ? [DeviceObject(report, among: devices).text] : lines(report, among: devices)
      for line in lines { output.write(line: line) }
    }
  }

  package static func lines(_ report: DeviceReport, among devices: [DeviceDescription]) -> [String] {
    switch report.finding {
    case .failure(let error): return ["\(error)"]
    case .device(let device, let classification):
      let facts = DeviceSummary(device: device, kind: classification.kind)
      var lines = ["\(report.path)  \(device.title)"]
      let role = DeviceRules([]).keyRole(of: device)
      let use =
        classification.kind.map { "used as \($0.rawValue)" } ?? (role == nil ? "not used" : "no touches")
      lines.append("  \(use): \(classification.reason)")
      if let role { lines.append("  presses: \(role.sentence)") }
      lines += identity(of: device, report).map { "  " + $0 }
      lines += facts.axes.map { "  " + axis($0.name, $0.range, isLength: $0.isLength) }
      if classification.kind != nil && classification.kind != .relativePointer {
        lines.append("  " + size(facts))
        lines.append("  " + contacts(facts))
        lines += facts.refusals.map { "  test: " + $0 }
      }
      if let quirk = DeviceRules([]).quirkSentence(for: device) { lines.append("  quirk: " + quirk) }
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
  package var device: DeviceDescription? {
    guard case .device(let device, _) = finding else { return nil }
    return device
  }
}

struct DeviceObject {
  private let report: DeviceReport
  private let devices: [DeviceDescription]

  /// - Parameter devices: all devices, so that the snippet matches only this one.
  init(_ report: DeviceReport, among devices: [DeviceDescription]) {
    (self.report, self.devices) = (report, devices)
  }

  var text: String {
    var json = JSONWriter()
    json.beginObject()
    json.field("path", report.path)
    switch report.finding {
    case .failure(let error):
      json.field("used", false)
      json.field("error", "\(error)")
    case .device(let device, let classification):
      add(classification, to: &json)
      if let role = DeviceRules([]).keyRole(of: device) { json.field("presses", role.rawValue) }
      addIdentity(of: device, to: &json)
      add(DeviceSummary(device: device, kind: classification.kind), to: &json)
      json.field("quirk", DeviceRules([]).quirkSentence(for: device))
      json.field("stanza", ConfigSnippet(device, among: devices).text)
    }
    json.endObject()
    return json.string
  }

  private func add(_ classification: Classification, to json: inout JSONWriter) {
    json.field("used", classification.kind != nil)
    json.field("kind", classification.kind?.rawValue)
    json.field("reason", classification.reason)
  }

  private func addIdentity(of device: DeviceDescription, to json: inout JSONWriter) {
    json.field("name", device.name)
    json.field("phys", device.phys)
    json.field("uniq", device.uniq)
    json.field("bus", Int(device.bus))
    json.field("vendor", Int(device.vendor))
    json.field("product", Int(device.product))
    json.field("version", Int(device.version))
    json.field("syspath", report.syspath.isEmpty ? nil : report.syspath)
    json.field("links", report.links)
  }

  private func add(_ facts: DeviceSummary, to json: inout JSONWriter) {
    json.field("protocol", facts.multitouchProtocol)
    json.field("contacts", facts.contacts)
    json.field("slots", facts.device.capabilities.slotCount)
    json.field("widthMillimetres", facts.millimetres?.width)
    json.field("heightMillimetres", facts.millimetres?.height)
    json.field("refusals", facts.refusals)
    json.objects("axes", of: facts.device.capabilities.axes.sorted { $0.key < $1.key }) { json, axis in
      let (code, range) = axis
      json.field("code", Int(code))
      json.field("name", EventName.code(code, of: EventCode.abs))
      json.field("minimum", Int(range.minimum))
      json.field("maximum", Int(range.maximum))
      json.field("fuzz", Int(range.fuzz))
      json.field("resolution", Int(range.resolution))
      json.field("millimetres", AxisUnit.isLength(code) ? range.millimetres : nil)
    }
  }
}

package struct DeviceSummary {
  let device: DeviceDescription
  let kind: DeviceKind?

  /// The multitouch protocol, B with slots, A without; nil for one contact. (`multi-touch-protocol.rst`)
  var multitouchProtocol: String? {
    guard kind == .multitouch else { return nil }
    return device.capabilities.slotCount == nil ? "A" : "B"
  }

  /// The contacts that profiles of `touchtree test` ask for; others ask for the driver's claim.
  package static let contactsOfProfiles = [(profile: "hlk", least: 5)]

  /// The most contacts at once; nil if the device does not report it.
  var contacts: Int? {
    switch kind {
    case .multitouch: device.capabilities.slotCount
    case .singleTouch, .absolutePointer, .relativePointer: 1
    case nil: nil
    }
  }

  /// The size of the touched area in millimetres; nil if the resolution of an axis is unknown.
  var millimetres: (width: Double, height: Double)? {
    let axes = device.capabilities.axes
    for (x, y) in [
      (EventCode.absMTPositionX, EventCode.absMTPositionY), (EventCode.absX, EventCode.absY),
    ] {
      if let width = axes[x]?.millimetres, let height = axes[y]?.millimetres { return (width, height) }
    }
    return nil
  }

  /// The reasons why `touchtree test` would refuse the device without any touch: sentences without their end.
  var refusals: [String] {
    guard let kind, kind.isTouchscreen else { return [] }
    let (x, y) = device.capabilities.positionAxes(of: kind)
    var refusals: [String] = []
    if x.resolution <= 0 || y.resolution <= 0 {
      refusals.append("the axes have no resolution, so limits in millimetres need --size WxHmm")
    } else if let width = x.millimetres, let height = y.millimetres,
      min(width, height) < 20 || max(width, height) > 2500
    {
      refusals.append(
        "the axes' range and resolution make a panel of \(width.short) × \(height.short) mm; give its size with --size "
          + "WxHmm, and report this to the driver's maker")
    }
    for (profile, least) in Self.contactsOfProfiles {
      guard let contacts, contacts < least else { continue }
      refusals.append(
        "profile \(profile) asks for \(least) contacts, and the driver has \(contacts == 1 ? "one" : "\(contacts)")"
      )
    }
    return refusals
  }

  /// The axes with a name, by their codes.
  var axes: [(name: String, range: AxisRange, isLength: Bool)] {
    device.capabilities.axes.keys.sorted().compactMap { code in
      guard let name = EventName.code(code, of: EventCode.abs), let range = device.capabilities.axes[code]
      else { return nil }
      return (name, range, AxisUnit.isLength(code))
    }
  }
}

extension AxisRange {
  /// The length of an axis that is one, as libinput computes it; nil without a resolution.
  package var millimetres: Double? {
    guard resolution > 0, maximum > minimum else { return nil }
    return (Double(maximum) - Double(minimum)) / Double(resolution)
  }
}

enum AxisUnit {
  /// Returns whether an axis's resolution is in units per millimetre. (kernel `struct input_absinfo`.)
  static func isLength(_ code: UInt16) -> Bool {
    switch code {
    // The codes of a contact's sizes are contiguous, and so are those of its tool's coordinates.
    case EventCode.absX, EventCode.absY, 0x30...0x33, EventCode.absMTPositionX, EventCode.absMTPositionY,
      0x3c, 0x3d:
      true
    default: false
    }
  }
}
