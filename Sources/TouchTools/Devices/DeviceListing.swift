import TouchCore
import TouchDaemon
import TouchInput
import TouchMeasure
import TouchSystem
import TouchViews

/// What `touchtree devices` prints: for each device what it is, what it can do, and why it is or is not used.
package enum DeviceListing {
  /// What is known of the devices that are connected.
  ///
  /// - Throws: `DeviceError` when there is no place where devices are.
  package static func reports() throws(DeviceError) -> [DeviceReport] {
    try DeviceDirectory().reports().map(judged)
  }

  /// The same of those in a recording, each at the recording's path.
  package static func reports(of recording: Recording) -> [DeviceReport] {
    recording.devices.map { device in
      let verdict = DeviceClassifier.classify(device.description.capabilities)
      return judged(
        DeviceReport(path: recording.file, links: [], finding: .device(device.description, verdict)))
    }
  }

  /// With the verdict that quirks leave of it.
  private static func judged(_ report: DeviceReport) -> DeviceReport {
    guard case .device(let device, _) = report.finding else { return report }
    let rules = DeviceRules([])
    var verdict = rules.verdict(on: device)
    if let exclusion = rules.exclusion(of: device), verdict.kind != nil {
      verdict = .unused(because: "\(exclusion). \(verdict.reason)")
    }
    var report = report
    report.finding = .device(device, verdict)
    return report
  }

  package static func write(_ reports: [DeviceReport], to output: LineOutput, json: Bool) {
    let devices = reports.compactMap(\.device)
    for report in reports {
      let lines = json ? [DeviceObject(report, among: devices).text] : lines(report, among: devices)
      for line in lines { output.write(line: line) }
    }
  }

  /// The lines of one device.
  static func lines(_ report: DeviceReport, among devices: [DeviceDescription]) -> [String] {
    switch report.finding {
    case .failure(let error): return ["\(error)"]
    case .device(let device, let verdict):
      let facts = DeviceSummary(device: device, kind: verdict.kind)
      var lines = ["\(report.path)  \(device.title)"]
      lines.append("  \(verdict.kind.map { "used as \($0.rawValue)" } ?? "not used"): \(verdict.reason)")
      lines += identity(of: device, report).map { "  " + $0 }
      lines += facts.axes.map { "  " + axis($0.name, $0.range, isLength: $0.isLength) }
      if verdict.kind != nil && verdict.kind != .relativePointer {
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
  /// Who the device is, where it could be opened.
  var device: DeviceDescription? {
    guard case .device(let device, _) = finding else { return nil }
    return device
  }
}

/// One line of `touchtree devices --json`.
struct DeviceObject {
  private let report: DeviceReport
  private let devices: [DeviceDescription]

  /// - Parameter devices: every device, so that the snippet matches this one only.
  init(_ report: DeviceReport, among devices: [DeviceDescription]) {
    self.report = report
    self.devices = devices
  }

  var text: String {
    var json = JSONWriter()
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
      addIdentity(of: device, to: &json)
      add(DeviceSummary(device: device, kind: verdict.kind), to: &json)
      json.key("quirk")
      json.value(DeviceRules([]).quirkSentence(for: device))
      json.key("stanza")
      json.value(ConfigSnippet(device, among: devices).text)
    }
    json.endObject()
    return json.string
  }

  private func add(_ verdict: Classification, to json: inout JSONWriter) {
    json.key("used")
    json.value(verdict.kind != nil)
    json.key("kind")
    json.value(verdict.kind?.rawValue)
    json.key("reason")
    json.value(verdict.reason)
  }

  private func addIdentity(of device: DeviceDescription, to json: inout JSONWriter) {
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
    json.key("version")
    json.value(Int(device.version))
    json.key("syspath")
    json.value(report.syspath.isEmpty ? nil : report.syspath)
    json.key("links")
    json.beginArray()
    for link in report.links { json.value(link) }
    json.endArray()
  }

  private func add(_ facts: DeviceSummary, to json: inout JSONWriter) {
    json.key("protocol")
    json.value(facts.multitouchProtocol)
    json.key("contacts")
    add(facts.contacts, to: &json)
    json.key("slots")
    add(facts.device.capabilities.slotCount, to: &json)
    json.key("widthMillimetres")
    json.value(facts.millimetres?.width ?? .nan)
    json.key("heightMillimetres")
    json.value(facts.millimetres?.height ?? .nan)
    json.key("refusals")
    json.beginArray()
    for refusal in facts.refusals { json.value(refusal) }
    json.endArray()
    json.key("axes")
    json.beginArray()
    for code in facts.device.capabilities.axes.keys.sorted() { addAxis(code, of: facts.device, to: &json) }
    json.endArray()
  }

  private func add(_ number: Int?, to json: inout JSONWriter) {
    if let number { json.value(number) } else { json.value(nil as String?) }
  }

  private func addAxis(_ code: UInt16, of device: DeviceDescription, to json: inout JSONWriter) {
    guard let range = device.capabilities.axes[code] else { return }
    json.beginObject()
    json.key("code")
    json.value(Int(code))
    json.key("name")
    json.value(EventName.code(code, of: EventCode.abs))
    json.key("minimum")
    json.value(Int(range.minimum))
    json.key("maximum")
    json.value(Int(range.maximum))
    json.key("fuzz")
    json.value(Int(range.fuzz))
    json.key("resolution")
    json.value(Int(range.resolution))
    json.key("millimetres")
    json.value((AxisUnit.isLength(code) ? range.millimetres : nil) ?? .nan)
    json.endObject()
  }
}

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

  /// What `touchtree test` would refuse without any touch: sentences without their end.
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
    for name in PanelProfile.names {
      guard let least = (try? PanelProfile.load(name))?.limit(of: .mostContacts)?.value, let contacts,
        Double(contacts) < least
      else { continue }
      refusals.append(
        "profile \(name) asks for \(least.plain) contacts, and the driver has \(contacts == 1 ? "one" : "\(contacts)")"
      )
    }
    return refusals
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
