import Testing

@testable import TouchCore
@testable import TouchInput
@testable import TouchInstruments

@Suite struct UdevPropertiesTests {
  private static func device(
    bus: UInt16 = 3, axes: [UInt16] = [], keys: [UInt16] = [], rel: [UInt16] = [], properties: [UInt16] = [],
    others: [UInt16: Set<UInt16>] = [:]
  ) -> DeviceDescription {
    var capabilities = DeviceCapabilities()
    for code in axes { capabilities.axes[code] = AxisRange(minimum: 0, maximum: 100) }
    capabilities.keys = Set(keys)
    capabilities.relativeAxes = Set(rel)
    capabilities.properties = Set(properties)
    capabilities.otherCodes = others
    return DeviceDescription(name: "device", bus: bus, capabilities: capabilities)
  }

  private static let multitouch: [UInt16] = [0, 1, 0x2f, 0x35, 0x36, 0x39]

  /// What a device has, and the classes that systemd 252 puts it into.
  private static let rows: [(DeviceDescription, String)] = [
    (device(axes: multitouch, keys: [0x14a], properties: [1]), "TOUCHSCREEN"),
    (device(axes: multitouch, keys: [0x14a, 116, 172], properties: [1]), "KEY TOUCHSCREEN"),
    (device(axes: [0, 1], properties: [1]), "TOUCHSCREEN"),
    (device(axes: [0x35, 0x36], keys: [0x14a]), "TOUCHSCREEN"),
    (device(axes: multitouch, keys: [0x110, 0x145, 0x14a], properties: [0, 2]), "TOUCHPAD"),
    (device(axes: multitouch, keys: [0x145, 0x14a], properties: [1]), "TOUCHSCREEN"),
    (device(axes: [0, 1, 0x18], keys: [0x140, 0x14a, 0x14b], properties: [1]), "TABLET"),
    (device(axes: [0, 1], keys: [0x100, 0x101, 0x14b], rel: [8]), "TABLET TABLET_PAD"),
    (device(axes: [0, 1], keys: [0x110]), "MOUSE"),
    (device(axes: multitouch, keys: [0x110, 0x14a]), "MOUSE TOUCHSCREEN"),
    (device(keys: [0x110, 0x111, 0x112], rel: [0, 1, 8]), "MOUSE"),
    (device(bus: 0x18, keys: [0x110], rel: [0, 1]), "MOUSE POINTINGSTICK"),
    (device(keys: [0x110], rel: [0, 1], properties: [5]), "MOUSE POINTINGSTICK"),
    (device(keys: [UInt16](0x110...0x12f), rel: [0, 1]), "MOUSE"),
    (device(axes: [0, 1, 3, 4], keys: [0x120, 0x121]), "JOYSTICK"),
    (device(axes: [0, 1], keys: [0x120]), ""),
    (device(axes: [3, 4], keys: [UInt16](1...120) + [0x120, 0x121]), "KEY KEYBOARD"),
    (device(keys: [116]), "KEY"), (device(keys: [0x1d0]), "KEY"), (device(keys: [0x150]), ""),
    (device(rel: [8]), "KEY"), (device(axes: [0, 1, 2]), "ACCELEROMETER"),
    (device(axes: [0, 1], keys: [0x14a], properties: [6]), "ACCELEROMETER"),
    (device(others: [5: [0]]), "SWITCH"),
    (device(axes: [0, 1, 0x2e] + multitouch, keys: [0x14a]), "TOUCHSCREEN"),
  ]

  @Test(arguments: rows.indices)
  func `without udev a device is in the classes that udev would put it into`(_ index: Int) {
    let (device, classes) = Self.rows[index]
    let udev = UdevProperties(of: device)
    #expect(udev.origin == .capabilities)
    #expect(
      udev.entries == ["ID_INPUT=1"] + classes.split(separator: " ").map { "ID_INPUT_\($0)=1" },
      "row \(index)")
  }

  @Test func `the size is there if both axes have a resolution`() {
    var device = Self.device(axes: [0, 1], keys: [0x14a])
    device.capabilities.axes[0] = AxisRange(minimum: .min, maximum: .max, resolution: 40)
    #expect(UdevProperties(of: device).entries == ["ID_INPUT=1", "ID_INPUT_TOUCHSCREEN=1"])
    device.capabilities.axes[1] = AxisRange(minimum: 100, maximum: 1099, resolution: 10)
    #expect(
      UdevProperties(of: device).entries == [
        "ID_INPUT=1", "ID_INPUT_HEIGHT_MM=99", "ID_INPUT_TOUCHSCREEN=1", "ID_INPUT_WIDTH_MM=107374182",
      ])
  }

  @Test(arguments: [
    ("LIBINPUT_CALIBRATION_MATRIX=1 0 0.5 0 1 0", "LIBINPUT_CALIBRATION_MATRIX=1 0 0.5 0 1 0"),
    ("EVDEV_ABS_35=0:4095:20", "EVDEV_ABS_35=0:4095:20"),
    ("LIBINPUT_DEVICE_GROUP=a: b", #""LIBINPUT_DEVICE_GROUP=a: b""#),
    ("ID_INPUT_X=1 # no", #""ID_INPUT_X=1 # no""#), ("ID_INPUT_X=\u{1b}[2J", #""ID_INPUT_X=\u001b[2J""#),
  ])
  func `a property stands in a recording as one value of its list`(_ entry: String, _ text: String) throws {
    var udev = UdevProperties(of: Self.device())
    (udev.origin, udev.entries) = (.database, [entry])
    let header = LibinputWriter.header(Self.device(), InitialState(), udev: udev)
    #expect(header.contains("    properties: # from udev's database\n    - \(text)\n"), "\(header)")
  }
}
