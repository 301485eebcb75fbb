import Foundation
import Testing
import TouchConfig
import TouchCore
import TouchKit
import TouchMeasure
import TouchRecordings

@testable import TouchInput
@testable import TouchInstruments

/// What `touchtree bridge` makes of a device.
@Suite struct BridgedPanelTests {
  private static let geometry = DisplayGeometry(displaySize: Size(width: 800, height: 480), canvasSize: nil)

  private static func panel(
    x: AxisRange, y: AxisRange, slots: Int? = 5, rotation: DisplayGeometry.Rotation = .none,
    output: WindowRect? = nil
  ) -> (panel: BridgedPanel, mapping: Mapping) {
    var capabilities = DeviceCapabilities()
    capabilities.axes = [EventCode.absMTPositionX: x, EventCode.absMTPositionY: y]
    capabilities.slotCount = slots
    var settings = Mapping.Settings()
    (settings.rotation, settings.output) = (rotation, output)
    let mapping = Mapping(x: x, y: y, settings: settings, geometry: geometry)
    let device = DeviceDescription(name: "Panel", bus: 3, vendor: 1, product: 2, capabilities: capabilities)
    return (
      BridgedPanel(device, as: .multitouch, mapping: mapping, window: geometry.displayBoundsInWindow), mapping
    )
  }

  /// Where a position of the device is on what is made of it.
  private func place(_ x: Double, _ y: Double, _ bridged: (panel: BridgedPanel, mapping: Mapping)) -> [Int32]
  {
    let contact = ContactID(device: DeviceID(rawValue: 1), serial: 1)
    let location = bridged.mapping.map(Point(x: x, y: y))
    let change = bridged.panel.change(TouchChange(contact: contact, kind: .moved, location: location))
    return [change.x, change.y]
  }

  private func range(_ code: UInt16, _ bridged: (panel: BridgedPanel, mapping: Mapping)) -> AxisRange? {
    bridged.panel.description.capabilities.axes[code]
  }

  @Test func `a device that needs nothing keeps its units and its size`() {
    let bridged = Self.panel(
      x: AxisRange(minimum: 0, maximum: 16_383, resolution: 80),
      y: AxisRange(minimum: 0, maximum: 9599, resolution: 70))
    #expect(
      range(EventCode.absMTPositionX, bridged) == AxisRange(minimum: 0, maximum: 16_383, resolution: 80))
    #expect(range(EventCode.absY, bridged) == AxisRange(minimum: 0, maximum: 9599, resolution: 70))
    for (x, y) in [(0, 0), (1, 1), (16_383, 9599), (8191, 4801), (12_345, 678)] {
      #expect(place(Double(x), Double(y), bridged) == [Int32(x), Int32(y)])
    }
    let description = bridged.panel.description
    #expect(description.name == "Panel (touchtree bridge)" && description.bus == 6)
    #expect(description.capabilities.properties == [1])
    #expect(DeviceClassifier.classify(description.capabilities).kind == .multitouch)
  }

  @Test func `a range that does not begin at 0 does, and few units become more`() {
    let bridged = Self.panel(
      x: AxisRange(minimum: -100, maximum: 699, resolution: 4),
      y: AxisRange(minimum: 20, maximum: 499, resolution: 4))
    // Nine times 480 units are the first multiple above 4096.
    #expect(range(EventCode.absMTPositionX, bridged) == AxisRange(minimum: 0, maximum: 7199, resolution: 36))
    #expect(range(EventCode.absMTPositionY, bridged) == AxisRange(minimum: 0, maximum: 4319, resolution: 36))
    #expect(place(-100, 20, bridged) == [0, 0])
    #expect(place(699, 499, bridged) == [7191, 4311])
    #expect(place(-101, 600, bridged) == [0, 4319])
  }

  @Test func `a panel that is turned is turned with its size`() {
    let bridged = Self.panel(
      x: AxisRange(minimum: 0, maximum: 4799, resolution: 50),
      y: AxisRange(minimum: 0, maximum: 7999, resolution: 40), rotation: .quarter)
    #expect(range(EventCode.absMTPositionX, bridged) == AxisRange(minimum: 0, maximum: 7999, resolution: 40))
    #expect(range(EventCode.absMTPositionY, bridged) == AxisRange(minimum: 0, maximum: 4799, resolution: 50))
    #expect(place(0, 7999, bridged) == [1, 0])
    #expect(place(4799, 0, bridged) == [7999, 4799])
  }

  @Test func `a panel over half of the display covers half of what is made of it`() {
    let half = Rect<WindowSpace>(x: 400, y: 0, width: 400, height: 480)
    let bridged = Self.panel(
      x: AxisRange(minimum: 0, maximum: 9999), y: AxisRange(minimum: 0, maximum: 9999), output: half)
    #expect(range(EventCode.absMTPositionX, bridged)?.maximum == 19_999)
    #expect(place(0, 0, bridged) == [10_000, 0])
    #expect(place(5000, 5000, bridged) == [15_000, 5000])
  }

  @Test func `a list has sixteen slots, and one finger has one`() {
    let axis = AxisRange(minimum: 0, maximum: 4095)
    #expect(Self.panel(x: axis, y: axis, slots: nil).panel.slotCount == 16)
    var capabilities = DeviceCapabilities()
    capabilities.axes = [EventCode.absX: axis, EventCode.absY: axis]
    capabilities.keys = [EventCode.btnTouch]
    let device = DeviceDescription(name: String(repeating: "ä", count: 60), capabilities: capabilities)
    let single = BridgedPanel(
      device, as: .singleTouch, mapping: Mapping(x: axis, y: axis, geometry: Self.geometry),
      window: Self.geometry.displayBoundsInWindow)
    #expect(single.slotCount == 1)
    #expect(single.description.name.utf8.count <= 79)
    #expect(single.description.name.hasSuffix(BridgedPanel.suffix))
  }

  // MARK: Options

  private static func twin(_ phys: String, path: String = "") -> DeviceDescription {
    DeviceDescription(path: path, name: "Panel [2]", phys: phys, bus: 3, vendor: 1, product: 2)
  }

  @Test func `two identical panels have each its own rotation, output and name, by their ports`() throws {
    let file =
      "input: {devices: [{match: {vendor: 1}, rotation: 180, filter: {kind: debounce}}]}\nwindow: {id: w}"
    let configured = try Configuration.parse(text: file, file: "f").input.rules
    var choice = DeviceBridge.PanelChoice(rules: configured)
    var (left, right) = (DeviceBridge.PanelOptions(path: "A"), DeviceBridge.PanelOptions(path: "B"))
    (left.output, right.output, right.rotation, right.name) = ("DSI-1", "HDMI-A-1", .quarter, "Right")
    try choice.add(left, of: Self.twin("usb-1/input0"))
    try choice.add(right, of: Self.twin("usb-2/input0"))
    let rules = DeviceRules(choice.rules, quirks: .none)
    let rows: [(phys: String, output: String?, name: String?, rotation: DisplayGeometry.Rotation)] = [
      ("usb-1/input0", "DSI-1", nil, .half), ("usb-2/input0", "HDMI-A-1", "Right", .quarter),
      ("usb-3/input0", nil, nil, .half),
    ]
    for row in rows {
      // Plugged in again, it has another node.
      let device = Self.twin(row.phys, path: "/dev/input/event77")
      let (options, rule) = (choice.options(of: device), try #require(rules.rule(for: device)))
      #expect(options?.output == row.output && options?.name == row.name, "\(row.phys)")
      #expect(rule.rotation == row.rotation && rule.filters.count == 1, "the rest is the configuration's")
    }
    #expect {
      try choice.add(left, of: Self.twin("usb-2/input0"))
    } throws: {
      "\($0)".contains("A: Panel [2] cannot be told from B")
    }
  }

  @Test(arguments: [
    (nil, nil, "Panel (touchtree bridge)", "touchtree-bridge"),
    ("Left", "HDMI-A-1", "Left", "touchtree-bridge HDMI-A-1"),
  ])
  func `a new device has the chosen name, and its output behind its port`(
    name: String?, output: String?, title: String, port: String
  ) {
    let axis = AxisRange(minimum: 0, maximum: 4095)
    let device = DeviceDescription(name: "Panel", phys: "usb-1/input0")
    let made = BridgedPanel(
      device, as: .multitouch, mapping: Mapping(x: axis, y: axis, geometry: Self.geometry),
      window: Self.geometry.displayBoundsInWindow, name: name, output: output
    ).description
    #expect(made.name == title && made.phys == port)
  }

  // MARK: Recordings

  private static let package = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }
  private static let recordings = files(in: package.appending(path: "Tests/Recordings").path)
  /// Of real devices; not part of the project.
  private static let shared: [String] = {
    let folder = package.deletingLastPathComponent().appending(path: "shared/recordings").path
    let found = files(in: folder)
    if found.isEmpty {
      print("note: \(folder) has no recordings of real devices; only the project's own are bridged")
    }
    return found
  }()

  private static func files(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { !$0.hasSuffix(".desc") && $0.contains(".") }.sorted().map { folder + "/" + $0 }
  }

  /// The project's recordings and tests of panels.
  private static let own: [String] =
    recordings
    + [
      "config/demo.evemu", "config/examples/faulty-panel.evemu",
      "Tests/CommandLineTests/Golden/output/panel.yml",
    ]
    .map { package.appending(path: $0).path }

  /// As they are, and four times with frames that are lost at random, as on a bad cable: lifts and landings
  /// among them.
  private static let seeds = 0...4

  /// Whatever a device does, what is made of it keeps to the protocol, has the same contacts, and no finger
  /// stays on it.
  @Test(arguments: own + shared, seeds)
  func `a recording comes through whole`(_ path: String, seed: Int) throws {
    #expect((Self.own.count + Self.shared.count) * Self.seeds.count >= 45)
    var dice = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func isLost() -> Bool {
      dice = dice &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return seed > 0 && dice >> 60 < 3
    }
    for device in try Recording(path: path).devices {
      let capabilities = device.description.capabilities
      guard let kind = DeviceClassifier.classify(capabilities).kind, kind != .relativePointer else {
        continue
      }
      let source = TouchSource(
        device: DeviceID(rawValue: 1), kind: kind, capabilities: capabilities, initial: device.initialState,
        geometry: Self.geometry)
      let panel = BridgedPanel(
        device.description, as: kind, mapping: source.mapping, window: Self.geometry.displayBoundsInWindow)
      var writer = SlotWriter(slotCount: panel.slotCount, usesPalms: true)
      var audit = ProtocolAudit(panel.description.capabilities, InitialState())
      let reader = TouchSource(
        device: DeviceID(rawValue: 2), kind: .multitouch, capabilities: panel.description.capabilities,
        initial: InitialState(), geometry: Self.geometry)
      var pointer = Pointer(bounds: Self.geometry.canvasBounds)
      var sent: [TouchChange] = []
      var seen: [TouchChange] = []
      var now = Timestamp.zero
      func read(_ frame: InputFrame) {
        var frame = frame
        frame.time = now
        audit.add(frame)
        reader.apply(frame, pointer: &pointer, into: &seen)
      }
      for frame in device.frames where !isLost() {
        now = frame.time
        let before = sent.count
        source.apply(frame, pointer: &pointer, into: &sent)
        writer.write(sent[before...].map(panel.change), emit: read)
      }
      writer.cancelAll(emit: read)
      #expect(writer.isEmpty)
      for violation in ProtocolAudit.Violation.allCases
      where ![.emptyFrame, .clockBackwards, .overrun].contains(violation) {
        #expect(
          audit.counts[violation.rawValue] == 0, "\(violation): \(audit.examples[violation.rawValue] ?? "")")
      }
      let began = seen.filter { $0.kind == .began }.map(\.contact)
      #expect(began.count == sent.count { $0.kind == .began })
      #expect(Set(began) == Set(seen.filter { [.ended, .cancelled].contains($0.kind) }.map(\.contact)))
      #expect(seen.count { $0.kind == .ended } == sent.count { $0.kind == .ended })
    }
  }
}
