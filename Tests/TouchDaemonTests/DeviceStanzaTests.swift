import Testing
import TouchConfig
import TouchCore
import TouchInput

@testable import TouchDaemon

@Suite struct DeviceStanzaTests {
  private static let panel = DeviceDescription(
    path: "/dev/input/event1", name: "ACME \"7\" panel: #1, é", phys: "usb-1/input0", uniq: "A1",
    vendor: 0xeef,
    product: 1)

  private static func device(_ change: (inout DeviceDescription) -> Void) -> DeviceDescription {
    var device = panel
    device.path = "/dev/input/event2"
    change(&device)
    return device
  }

  /// The rule that a configuration with the stanza has.
  private static func rules(_ stanza: DeviceStanza) throws -> DeviceRules {
    let text = "version: 1\ninput:\n  devices:\n    \(stanza.text)\nwindow: {id: window}\n"
    return DeviceRules(try Configuration.parse(text: text, file: "test.yaml").input.rules)
  }

  @Test(arguments: [
    ("alone", [DeviceDescription]()), ("another model", [device { $0.product = 2 }]),
    ("the same model with another serial number", [device { $0.uniq = "A2" }]),
    ("the same model in another place", [device { $0.phys = "usb-2/input0" }]),
  ])
  func `the stanza matches its device, and none of the others`(_ name: String, _ others: [DeviceDescription])
    throws
  {
    let rules = try Self.rules(DeviceStanza(Self.panel, among: [Self.panel] + others))
    #expect(rules.rule(for: Self.panel) != nil)
    for other in others { #expect(rules.rule(for: other) == nil, "\(name)") }
  }

  @Test func `it says no more than it must`() {
    let device = DeviceDescription(path: "/dev/input/event0", name: "Panel", phys: "x", vendor: 1, product: 2)
    #expect(
      DeviceStanza(device, among: [device]).text
        == "- match: {name: \"Panel\", vendor: 0x0001, product: 0x0002}")
  }

  @Test func `sizes are in millimetres, where the resolution is known`() {
    var device = Self.panel
    device.capabilities.axes[EventCode.absMTPositionX] = AxisRange(minimum: 0, maximum: 4095, resolution: 13)
    device.capabilities.axes[EventCode.absMTPositionY] = AxisRange(minimum: 0, maximum: 4095, resolution: 24)
    let size = DeviceFacts(device: device, kind: .multitouch).millimetres
    #expect(size?.width == 315)
    #expect(size?.height == 170.625)
    device.capabilities.axes[EventCode.absMTPositionY]?.resolution = 0
    #expect(DeviceFacts(device: device, kind: .multitouch).millimetres == nil)
  }
}
