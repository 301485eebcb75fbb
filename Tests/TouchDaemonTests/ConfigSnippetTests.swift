import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchInput
@testable import TouchKit
@testable import TouchTools

@Suite struct ConfigSnippetTests {
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
  private static func rules(_ stanza: ConfigSnippet) throws -> DeviceRules {
    let text = "version: 1\ninput:\n  devices:\n    \(stanza.text)\nwindow: {id: window}\n"
    return DeviceRules(try Configuration.parse(text: text, file: "test.yaml").input.rules)
  }

  @Test(arguments: [
    ("alone", [DeviceDescription]()), ("another model", [device { $0.product = 2 }]),
    ("the same model with another serial number", [device { $0.uniq = "A2" }]),
    ("the same model in another place", [device { $0.phys = "usb-2/input0" }]),
  ])
  func `the snippet matches its device and no other`(_ name: String, _ others: [DeviceDescription])
    throws
  {
    let rules = try Self.rules(ConfigSnippet(Self.panel, among: [Self.panel] + others))
    #expect(rules.rule(for: Self.panel) != nil)
    for other in others { #expect(rules.rule(for: other) == nil, "\(name)") }
  }

  @Test(arguments: [
    ("ACME *?[7]", ["ACME xx7", "ACME *?7", "ACME *y[7]", "ACME  *?[7]"]), ("back\\slash", ["backslash"]),
    ("\u{1b}[31mred\n\u{202e}\u{e0041}", ["\u{1b}3red\n\u{202e}\u{e0041}"]),
  ])
  func `a name of pattern letters and escape sequences matches itself alone, and is seen`(
    _ name: String, _ others: [String]
  ) throws {
    let device = Self.device { $0.name = name }
    let stanza = ConfigSnippet(device, among: [device])
    #expect(stanza.text.unicodeScalars.allSatisfy { $0.isShown })
    let rules = try Self.rules(stanza)
    #expect(rules.rule(for: device) != nil)
    for other in others { #expect(rules.rule(for: Self.device { $0.name = other }) == nil, "\(other)") }
  }

  @Test(arguments: [
    (true, [EventCode.btnTouch, EventCode.btnStylus], DeviceKind.singleTouch),
    (nil, [EventCode.btnTouch, EventCode.btnStylus], nil), (true, [0x120], nil),
  ])
  func `use: true has a device used that is taken for something else, if touches can be made of it`(
    _ use: Bool?, _ keys: [UInt16], _ kind: DeviceKind?
  ) throws {
    var rule = DeviceRule(place: SourceLocation(line: 1, column: 1))
    rule.isUsed = use
    let device = Self.device {
      $0.capabilities.axes[EventCode.absX] = AxisRange(minimum: 0, maximum: 100)
      $0.capabilities.axes[EventCode.absY] = AxisRange(minimum: 0, maximum: 100)
      $0.capabilities.keys = Set(keys)
    }
    let classification = DeviceRules([rule]).classification(of: device)
    #expect(classification.kind == kind)
    #expect(classification.reason.contains("use: true") == (use == true), "\(classification.reason)")
  }

  @Test func `it says no more than it must`() {
    let device = DeviceDescription(path: "/dev/input/event0", name: "Panel", phys: "x", vendor: 1, product: 2)
    #expect(
      ConfigSnippet(device, among: [device]).text
        == "- match: {name: \"Panel\", vendor: 0x0001, product: 0x0002}")
  }

  @Test func `sizes are in millimetres, where the resolution is known`() {
    var device = Self.panel
    device.capabilities.axes[EventCode.absMTPositionX] = AxisRange(minimum: 0, maximum: 4095, resolution: 13)
    device.capabilities.axes[EventCode.absMTPositionY] = AxisRange(minimum: 0, maximum: 4095, resolution: 24)
    let size = DeviceSummary(device: device, kind: .multitouch).millimetres
    #expect(size?.width == 315)
    #expect(size?.height == 170.625)
    device.capabilities.axes[EventCode.absMTPositionY]?.resolution = 0
    #expect(DeviceSummary(device: device, kind: .multitouch).millimetres == nil)
  }
}
