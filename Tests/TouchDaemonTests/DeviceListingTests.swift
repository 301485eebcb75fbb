import Testing

@testable import TouchCore
@testable import TouchInput
@testable import TouchTools

/// The lines `test:` of `touchtree devices`: what `touchtree test` would refuse without any touch.
@Suite struct DeviceListingTests {
  /// A touchscreen with axes of 0…4000 and 0…2400 units.
  private static func panel(slots: Int, resolution: Int32, isTablet: Bool = false) -> DeviceReport {
    var capabilities = DeviceCapabilities()
    let x = AxisRange(minimum: 0, maximum: 4000, resolution: resolution)
    let y = AxisRange(minimum: 0, maximum: 2400, resolution: resolution)
    capabilities.axes = [
      EventCode.absX: x, EventCode.absY: y,
      EventCode.absMTSlot: AxisRange(minimum: 0, maximum: Int32(slots - 1)),
      EventCode.absMTPositionX: x, EventCode.absMTPositionY: y,
      EventCode.absMTTrackingID: AxisRange(minimum: 0, maximum: 65535),
    ]
    capabilities.keys = [EventCode.btnTouch]
    capabilities.properties = [1]
    capabilities.slotCount = slots
    if isTablet {
      capabilities = DeviceCapabilities()
      capabilities.axes = [EventCode.absX: x, EventCode.absY: y]
      capabilities.keys = [EventCode.btnLeft]
    }
    let device = DeviceDescription(path: "/dev/input/event3", name: "Panel", capabilities: capabilities)
    return DeviceReport(
      path: device.path, links: [], finding: .device(device, DeviceClassifier.classify(capabilities)))
  }

  private static let noResolution = "the axes have no resolution, so limits in millimetres need --size WxHmm"
  private static let impossible = "the axes' range and resolution make a panel of"

  @Test(
    arguments: [
      (10, 20, []), (5, 20, []), (10, 0, [noResolution]),
      (2, 20, ["profile hlk asks for 5 contacts, and the driver has 2"]),
      (1, 0, [noResolution, "profile hlk asks for 5 contacts, and the driver has one"]),
      (10, 1, ["\(impossible) 4000 × 2400 mm;"]), (10, 200, ["\(impossible) 20 × 12 mm;"]),
    ] as [(Int, Int32, [String])])
  func `a touchscreen has a line for each thing that a test would refuse`(
    slots: Int, resolution: Int32, refusals: [String]
  ) {
    let report = Self.panel(slots: slots, resolution: resolution)
    let lines = DeviceListing.lines(report, among: []).filter { $0.hasPrefix("  test: ") }
    #expect(lines.count == refusals.count, "\(lines)")
    for (line, refusal) in zip(lines, refusals) { #expect(line.hasPrefix("  test: \(refusal)")) }
  }

  @Test func `what is not a touchscreen has no such line`() {
    let lines = DeviceListing.lines(Self.panel(slots: 1, resolution: 0, isTablet: true), among: [])
    #expect(
      lines.contains { $0.contains("size unknown") } && !lines.contains { $0.contains("test:") }, "\(lines)")
  }

  @Test func `programs get the refusals as a list`() {
    let text = DeviceObject(Self.panel(slots: 2, resolution: 20), among: []).text
    #expect(
      text.contains(#""refusals":["profile hlk asks for 5 contacts, and the driver has 2"]"#), "\(text)")
  }
}
