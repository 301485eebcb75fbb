import DeviceSupport
import FolderSupport
import Testing

@testable import TouchCore
@testable import TouchInput
@testable import TouchInstruments
@testable import TouchRecordings
@testable import TouchSystem

/// Events as they are written in a test: `abs(0x35, 5)`.
private func abs(_ code: UInt16, _ value: Int32) -> RawEvent {
  RawEvent(type: EventCode.abs, code: code, value: value)
}
private func key(_ code: UInt16, _ value: Int32) -> RawEvent {
  RawEvent(type: EventCode.key, code: code, value: value)
}

extension Recording {
  /// The device of a recording that has one.
  fileprivate var only: Device {
    get throws {
      #expect(devices.count == 1)
      return try #require(devices.first)
    }
  }
}

@Suite struct LibinputRecordingTests {
  static let frames = [
    InputFrame(
      time: Timestamp(microseconds: 5_000_001), events: [abs(0x2f, 1), abs(0x39, 65535), abs(0x36, -3616)]),
    InputFrame(time: Timestamp(microseconds: 5_012_034), cause: .resync, events: [abs(0x39, -1)]),
    InputFrame(time: Timestamp(microseconds: 5_012_034)),
    InputFrame(
      time: Timestamp(microseconds: 99_000_000_000_000),
      events: [key(0x2ff, 1), abs(0x35, .max), abs(0x35, .min), RawEvent(type: 0, code: 2, value: 0)]),
  ]
  static let system = SystemDescription(os: "debian:12", kernel: "6.1.0", dmi: "unknown")

  static func text(_ devices: [(DeviceDescription, InitialState, [InputFrame])]) -> String {
    var text = LibinputWriter.header(devices: devices.count, recorder: "touchtree 0.1.0", system: system)
    for (description, state, frames) in devices {
      var bytes: [UInt8] = []
      var writer = LibinputWriter(start: Timestamp(microseconds: 5_000_000))
      for frame in frames { writer.append(frame, to: &bytes) }
      text +=
        LibinputWriter.header(description, state, udev: UdevProperties(of: description))
        + String(decoding: bytes, as: UTF8.self)
    }
    return text
  }

  @Test func `marks are comments between the frames, and are read with their times`() throws {
    let marks = [(5_000_000, "plan grid"), (5_000_001, "grid 0.1,0.9"), (99_000_000_000_000, "end\nof it")]
      .map { Recording.Mark(time: Timestamp(microseconds: $0.0), text: $0.1) }
    let known = DeviceSummary.known[0]
    let description = DeviceDescription(name: known.name, capabilities: known.capabilities)
    var bytes: [UInt8] = []
    var writer = LibinputWriter(start: Timestamp(microseconds: 5_000_000))
    writer.append(marks[0], to: &bytes)
    for frame in Self.frames {
      writer.append(frame, to: &bytes)
      writer.append(marks[1], to: &bytes)
    }
    writer.append(marks[2], to: &bytes)
    let header = LibinputWriter.header(
      description, InitialState(untouched: description.capabilities), udev: UdevProperties(of: description))
    let text =
      LibinputWriter.header(devices: 1, recorder: "touchtree 0.1.0", system: Self.system) + header
      + String(decoding: bytes, as: UTF8.self)
    let recording = try Recording(text: text, file: "r")
    #expect(try recording.only.frames.count == Self.frames.count)
    #expect(recording.marks.count == 6)
    #expect(recording.marks[0] == Recording.Mark(time: .zero, text: "plan grid"))
    #expect(recording.marks[1] == Recording.Mark(time: Timestamp(microseconds: 1), text: "grid 0.1,0.9"))
    let last = try #require(recording.marks.last)
    #expect(last.time == Timestamp(microseconds: 98_999_995_000_000) && last.text.hasPrefix("end\\"))
  }

  @Test func `the report descriptor of a HID device is in its recording, and readers pass over it`() throws {
    let folder = try TemporaryFolder()
    var parent = "dev"
    try folder.makeFolder(parent)
    for name in ["char", "13:65", "device", "device"] {
      parent += "/" + name
      try folder.makeFolder(parent)
    }
    let bytes = [UInt8](0..<18)
    try folder.write(bytes, to: parent + "/report_descriptor")
    var description = DeviceDescription(
      number: DeviceNumber(rawValue: 13 << 8 | 65), name: "Panel",
      capabilities: DeviceSummary.known[0].capabilities)
    #expect(description.reportDescriptor(in: folder.path) == bytes)
    let header = LibinputWriter.header(
      description, InitialState(untouched: description.capabilities), udev: UdevProperties(of: description),
      hid: bytes)
    #expect(
      header.contains(
        """
          hid: [
            0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f,
            0x10, 0x11
          ]
          udev:
        """))
    var frame: [UInt8] = []
    var writer = LibinputWriter(start: Timestamp(microseconds: 5_000_000))
    writer.append(Self.frames[0], to: &frame)
    let text =
      LibinputWriter.header(devices: 1, recorder: "touchtree 0.1.0", system: Self.system) + header
      + String(decoding: frame, as: UTF8.self)
    description.number = nil
    #expect(try Recording(text: text, file: "r").only.description == description)
    description.number = DeviceNumber(rawValue: 13 << 8 | 66)
    #expect(description.reportDescriptor(in: folder.path).isEmpty)
  }

  @Test(arguments: DeviceSummary.known + DeviceSummary.odd)
  func `what is written is read again as it was`(_ facts: DeviceSummary) throws {
    var capabilities = facts.capabilities
    capabilities.otherCodes = [4: [4, 5], 0x14: [0, 1]]
    let description = DeviceDescription(
      name: facts.name, bus: 0x18, vendor: 0xeef, product: 0xffff, version: 1, capabilities: capabilities)
    var state = InitialState(untouched: capabilities)
    (state.x, state.y, state.isPressed) = (-7, .max, true)
    if !state.slots.isEmpty {
      state.currentSlot = 1
      state.slots[0] = InitialState.Slot(
        trackingID: 7, x: 1, y: -2, toolType: 2, pressure: 30, touchMajor: 4, distance: 5)
    }
    let recording = try Recording(text: Self.text([(description, state, Self.frames)]), file: "r")
    let device = try recording.only
    #expect(device.description == description)
    #expect(device.initialState == state)
    #expect(device.frames.map(\.time.microseconds) == Self.frames.map { $0.time.microseconds - 5_000_000 })
    #expect(device.frames.map(\.cause) == Self.frames.map(\.cause))
    #expect(device.frames.map(\.events) == Self.frames.map(\.events))
    #expect(recording.notices.isEmpty)
  }

  @Test func `several devices are read, each with its own`() throws {
    let devices = ["One", "Two", "Three"].enumerated().map { index, name in
      (
        DeviceDescription(name: name, vendor: UInt16(index)), InitialState(),
        index == 1
          ? [] : [InputFrame(time: Timestamp(microseconds: 5_000_000), events: [abs(0, Int32(index))])]
      )
    }
    let recording = try Recording(text: Self.text(devices), file: "r")
    #expect(recording.devices.map(\.description.name) == ["One", "Two", "Three"])
    #expect(recording.devices.map { $0.frames.map(\.events) } == [[[abs(0, 0)]], [], [[abs(0, 2)]]])
  }

  @Test(arguments: [
    "Panel\nE: 1", "a \"b\" \\c", "é☃\u{1F600}", "\u{7f}\u{85}\u{2028}\u{feff}", "- x: [", " ",
  ])
  func `a device may be called anything`(_ name: String) throws {
    let text = Self.text([(DeviceDescription(name: name), InitialState(), Self.frames)])
    #expect(try Recording(text: text, file: "r").only.description.name == name)
  }

  @Test func `the text is libinput's`() {
    var capabilities = DeviceCapabilities()
    capabilities.keys = [EventCode.btnTouch]
    capabilities.properties = [1]
    capabilities.axes[0] = AxisRange(minimum: 0, maximum: 799, resolution: 8)
    capabilities.axes[1] = AxisRange(minimum: -5, maximum: 479, fuzz: 1, flat: 2, resolution: 3)
    let description = DeviceDescription(
      path: "/dev/input/event3", name: "Panel", bus: 3, vendor: 0xeef, capabilities: capabilities)
    #expect(
      Self.text([(description, InitialState(), Array(Self.frames.prefix(2)))]) == """
        # touchtree 0.1.0 record
        version: 1
        ndevices: 1
        libinput: # the version is that of the format; libinput did not record this
          version: "1.10.0"
          git: "touchtree 0.1.0"
        system:
          os: "debian:12"
          kernel: "6.1.0"
          dmi: "unknown"
        devices:
        - node: "/dev/input/event3"
          evdev:
            name: "Panel"
            id: [3, 3823, 0, 0]
            codes:
              0: [0, 1, 3] # EV_SYN
              1: [330] # EV_KEY
              3: [0, 1] # EV_ABS
            absinfo:
              0: [0, 799, 0, 0, 8] # ABS_X
              1: [-5, 479, 1, 2, 3] # ABS_Y
            properties: [1]
          udev:
            properties: # from the device's capabilities: udev does not run, or does not know it
            - ID_INPUT=1
            - ID_INPUT_HEIGHT_MM=161
            - ID_INPUT_TOUCHSCREEN=1
            - ID_INPUT_WIDTH_MM=99
          touchtree: {pressed: 0, x: 0, y: 0}
          events:
          - evdev:
            - [  0,      1,   3,  47,       1] # EV_ABS / ABS_MT_SLOT 1
            - [  0,      1,   3,  57,   65535] # EV_ABS / ABS_MT_TRACKING_ID 65535
            - [  0,      1,   3,  54,   -3616] # EV_ABS / ABS_MT_POSITION_Y -3616
            - [  0,      1,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +0ms
          - touchtree: resync
            evdev:
            - [  0,  12034,   3,  57,      -1] # EV_ABS / ABS_MT_TRACKING_ID -1
            - [  0,  12034,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +12ms

        """)
  }

  /// The same recording as libinput writes it, as other writers of YAML do, and as JSON.
  @Test(arguments: [
    """
    version: 1
    ndevices: 1
    libinput:
      version: "1.28.1"
      git: "1.28.1-3-g0123456"
    system:
      os: "fedora:42"
      kernel: "6.15.4-200.fc42.x86_64"
      dmi: "dmi:bvnLENOVO:bvrN2IET98W(1.76):pn20TLS0:"
    devices:
      - node: /dev/input/event9
        evdev:
          # Name: Panel
          name: Panel
          id: [29, 1739, 0, 0]
          codes:
            0: [0, 1, 3] # EV_SYN
            1: [330] # EV_KEY
            3: [0, 1] # EV_ABS
          absinfo:
            0: [0, 4089, 0, 0, 42]
            1: [0, 2811, 0, 0, 41]
          properties: []
        hid: [ 12, 23, 34 ]
        udev:
          properties:
          - ID_INPUT=1
          virtual: false
        quirks:
        - AttrEventCode=-ABS_MT_TOOL_TYPE;
        events:
          - hid:
              time: [ 0, 0]
              hidraw0: [1, 2, 3, 4]
          - evdev:
            - [  0,      0,   3,   0,  1218] # EV_ABS / ABS_X 1218
            - [  0,      0,   0,   0,     0] # ------------ SYN_REPORT (0) ---------- +0ms
                                       # Touch device in neutral state
            libinput:
            - {time: 0.000000, type: TOUCH_DOWN, slot: 0, point: [ 1.00,  2.00]}
    """,
    """
    %YAML 1.1
    ---
    devices:
    - events:
      - evdev:
        - - 0
          - 0
          - 3
          - 0
          - 1218
        - - 0
          - 0
          - 0
          - 0
          - 0
      evdev:
        absinfo: {0: [0, 4089, 0, 0, 42], 1: [0, 2811, 0, 0, 41]}
        codes: {0: [0, 1, 3], 1: [330], 3: [0, 1]}
        id: [29, 1739, 0, 0]
        name: Panel
        properties: null
    version: 1
    ...
    """,
    """
    {"version": 1, "devices": [{"evdev": {"name": "Panel", "id": [29, 1739, 0, 0], "codes": {"0": [0, 1, 3],
    "1": [330], "3": [0, 1]}, "absinfo": {"0": [0, 4089, 0, 0, 42], "1": [0, 2811, 0, 0, 41]}},
    "events": [{"evdev": [[0, 0, 3, 0, 1218], [0, 0, 0, 0, 0]]}]}]}
    """,
  ])
  func `the format is read however its YAML is written`(_ text: String) throws {
    for text in [text, text + "\n", text.split(separator: "\n").joined(separator: "\r\n")] {
      let device = try Recording(text: text, file: "r").only
      #expect(device.description.name == "Panel" && device.description.vendor == 1739)
      #expect(device.description.capabilities.keys == [330])
      #expect(device.description.capabilities.axes[1] == AxisRange(minimum: 0, maximum: 2811, resolution: 41))
      #expect(device.frames.map(\.events) == [[abs(0, 1218)]])
      #expect(device.initialState == InitialState())
    }
  }
}

@Suite struct LibinputRecordingErrorTests {
  static let head = """
    version: 1
    ndevices: 1
    devices:
    - node: /dev/input/event0
      evdev:
        name: Panel
        id: [3, 1, 2, 3]
        codes: {0: [0], 1: [330], 3: [0, 1]}
        absinfo: {0: [0, 99, 0, 0, 0], 1: [0, 99, 0, 0, 0]}
      events:

    """
  static let frame = "  - evdev:\n    - [0, 0, 3, 0, 5]\n    - [0, 0, 0, 0, 0]\n"

  /// What follows the frame of the recording above, the line (it has 13), whether the file is cut there,
  /// words of the message.
  static let rows: [(String, Int?, Bool, String)] = [
    ("  - evdev:\n    - [0, 0, 3, 0", 15, true, "cut off here"),
    ("  - evdev:\n    - [0, 0, 3, 0, 5]\n", 15, true, "no SYN_REPORT"),
    ("  - evdev:\n    - [0, 0, 3, 0]\n", 15, false, "4 numbers, not five"),
    ("  - evdev:\n    - [0, 0, 3, 0, 5, 6]\n", 15, false, "more than five"),
    ("  - evdev:\n    - [0, 0, 3, 0, 2147483648]\n", 15, false, "2147483648"),
    ("  - evdev:\n    - [0, 0, 3, 0, -2147483649]\n", 15, false, "-2147483649"),
    ("  - evdev:\n    - [0, 0, 3, 768, 1]\n", 15, false, "768"),
    ("  - evdev:\n    - [0, 0, 32, 0, 1]\n", 15, false, "the event type is \"32\""),
    ("  - evdev:\n    - [-1, 0, 3, 0, 1]\n", 15, false, "the seconds"),
    ("  - evdev:\n    - [0, 1000000, 3, 0, 1]\n", 15, false, "the microseconds"),
    ("  - evdev:\n    - [18446744073709551615, 0, 3, 0, 1]\n", 15, false, "18446744073709551615"),
    ("  - evdev:\n    - [9223372036854775807, 0, 3, 0, 1]\n", 15, false, "9223372036854775807"),
    ("  - evdev:\n    - [9000000001, 0, 3, 0, 1]\n", 15, false, "from 0 to 9000000000"),
    ("  - evdev:\n    - [0, 0, 3, 0, 1e3]\n", 15, false, "1e3"),
    ("  - evdev:\n    - [0, 0, 3, 0, nan]\n", 15, false, "nan"),
    ("  - evdev:\n    - [0, 0, 3, 0, [1]]\n", 15, false, "the value is a list"),
    ("  - evdev:\n    - 7\n", 15, false, "not a list"),
    ("  - evdev:", 14, true, "has none"), ("  - evdev:\n", 14, false, "has none"),
    ("  -", 14, true, "has none"), ("  - evdev: []\n", 14, false, "has none"),
    ("  - 7\n", 14, false, "not a mapping"),
    ("  - *frame\n", 14, false, "alias"),
    ("\tevents: x\n", 14, false, "tab"),
    ("  hid: " + String(repeating: "[", count: 100) + "\n", 14, false, "nested too deep"),
    ("---\nversion: 1\n", 14, false, "second document"),
    ("- node: /dev/input/event1\n  events: []\n", 14, false, "lacks its name"),
  ]

  @Test(arguments: rows.indices)
  func `a broken recording says which line is wrong, and why`(_ index: Int) {
    let (lines, line, isCut, words) = Self.rows[index]
    let error = #expect(throws: Failure.self) {
      try Recording(text: Self.head + Self.frame + lines, file: "broken.yml")
    }
    #expect(error?.message.contains("seems cut off here") == isCut, "\(lines)")
    #expect(
      error?.message.hasPrefix(line.map { "broken.yml:\($0): " } ?? "broken.yml: ") == true,
      "\(lines): \(error?.message ?? "")")
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    ("version: 1", "version: 2", 1, "version 2"), ("ndevices: 1", "ndevices: 2", 13, "only 1 came"),
    ("id: [3, 1, 2, 3]", "id: [3, 1, 2]", 7, "3 numbers"), ("id: [3, ", "id: [65536, ", 7, "65536"),
    ("330]", "768]", 8, "768"), ("3: [0, 1]", "3: [0, 64]", 8, "64"), ("3: [0, 1]", "99: [0]", 8, "99"),
    ("0: [0, 99, 0, 0, 0]", "0: [0, 99]", 9, "2 numbers"),
    ("0: [0, 99,", "0: [0, 4294967296,", 9, "4294967296"),
    ("    name: Panel\n", "", 4, "lacks its name"),
  ])
  func `a broken description says which line is wrong`(
    _ good: String, _ bad: String, _ line: Int, _ words: String
  ) {
    let text = (Self.head + Self.frame).replacing(good, with: bad)
    let error = #expect(throws: Failure.self) { try Recording(text: text, file: "r") }
    #expect(error?.message.hasPrefix("r:\(line): ") == true, "\(error?.message ?? "")")
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func `a recording without events has none to play`() {
    let error = #expect(throws: Failure.self) { try Recording(text: Self.head, file: "r") }
    #expect(error?.message == "r: it has no whole frame of events")
  }

  @Test(arguments: [
    [0xff, 0xfe, 0x76, 0x00], [UInt8]("version: 1\nx: ".utf8) + [0xff], [UInt8]("version: 1\nx: \u{1}".utf8),
  ])
  func `bytes that are not text are rejected`(_ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(bytes, to: "r.yml")
    let error = #expect(throws: Failure.self) { try Recording(path: path) }
    #expect(error?.message.contains(#/r\.yml:[0-9]+: /#) == true)
  }
}
