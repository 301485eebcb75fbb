import TouchCore
import TouchInput
import TouchSystem

/// One line of `touchtree devices --json`.
struct DeviceObject {
  private let report: DeviceReport
  private let devices: [DeviceDescription]

  /// - Parameter devices: everything that is there, so that the stanza matches no other one.
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
