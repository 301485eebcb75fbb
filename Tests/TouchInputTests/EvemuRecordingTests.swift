import SystemPackage
import Testing
import TouchSystem

@testable import TouchCore
@testable import TouchInput
@testable import TouchRecordings

/// Events as they are written in a test: `abs(0x35, 5)`.
func abs(_ code: UInt16, _ value: Int32) -> RawEvent {
  RawEvent(type: EventCode.abs, code: code, value: value)
}
func key(_ code: UInt16, _ value: Int32) -> RawEvent {
  RawEvent(type: EventCode.key, code: code, value: value)
}

enum OwnRecordings {
  static let folder = FilePath(#filePath).removingLastComponent().string + "/Recordings"
  static let twoFingers = folder + "/two-fingers.events"
  static let tap = folder + "/Test Panel v1.2.tap.events"

  /// The lines that describe a device, for recordings that a test writes itself.
  static let header = """
    N: Panel
    I: 0003 0eef 0001 0100
    P: 00
    B: 00 0b
    B: 03 03
    A: 00 0 2047 0 0 0
    A: 01 0 2047 0 0 0

    """
}

extension Recording {
  /// The device of a recording that has one.
  var only: Device {
    get throws {
      #expect(devices.count == 1)
      return try #require(devices.first)
    }
  }
}

@Suite struct EvemuRecordingTests {
  @Test func `a self-describing recording gives its device`() throws {
    let recording = try Recording(path: OwnRecordings.twoFingers).only
    let device = recording.description
    #expect(device.name == "Test Multitouch # 1")
    #expect(device.bus == 0x18 && device.vendor == 0x1234 && device.product == 0x5678 && device.version == 1)
    #expect(device.capabilities.properties == [1])
    #expect(device.capabilities.keys == [EventCode.btnTouch])
    #expect(device.capabilities.axes.keys.sorted() == [0, 1, 0x2f, 0x35, 0x36, 0x39])
    #expect(device.capabilities.axes[0x36] == AxisRange(minimum: -10, maximum: 479, resolution: 5))
    #expect(device.capabilities.slotCount == 2)
    #expect(DeviceClassifier.classify(device.capabilities).kind == .multitouch)
    #expect(recording.initialState.slots == [InitialState.Slot(), InitialState.Slot()])
    #expect(!recording.initialState.isPressed)
  }

  @Test func `frames end at SYN_REPORT and keep the recording's times`() throws {
    let frames = try Recording(path: OwnRecordings.twoFingers).only.frames
    #expect(frames[0].events == [abs(0x39, 7), abs(0x35, 539), abs(0x36, -5), key(0x14a, 1)])
    #expect(frames[1].events == [abs(0x2f, 1), abs(0x39, 8)])
    #expect(frames.map(\.time.microseconds) == [1, 10_000, 30_000, 30_000, 40_000])
    #expect(frames.map(\.cause) == [.report, .report, .resync, .resync, .report])
  }

  @Test func `after an overrun everything that was down is lifted, and the slot is named again`() throws {
    let frames = try Recording(path: OwnRecordings.twoFingers).only.frames
    #expect(frames[2].events == [abs(0x35, 100)])
    #expect(
      frames[3].events == [
        abs(0x2f, 0), abs(0x39, -1), abs(0x2f, 1), abs(0x39, -1), key(0x14a, 0), abs(0x2f, 0),
      ])
    #expect(frames[4].events == [abs(0x35, 200)])
  }

  @Test func `a contact that an overrun has lifted does not lift again`() throws {
    let (end, lost, lift) = ("0000 0000 0", "0000 0003 0", "0003 0039 -1")
    let events = ["0003 0039 7", end, lost, "0003 0035 9", end, lift, end, "0003 0039 8", end, lift, end]
    let text = events.enumerated().map { "E: \($0.offset).0 \($0.element)\n" }
    let frames = try Recording(text: OwnRecordings.header + text.joined(), file: "r").only.frames
    let ids = frames.map { $0.events.filter { $0.code == EventCode.absMTTrackingID }.map(\.value) }
    #expect(ids == [[7], [-1], [], [8], [-1]])
  }

  @Test func `an old recording takes its description from the .desc file`() throws {
    let file = try Recording(path: OwnRecordings.tap)
    let recording = try file.only
    #expect(file.notices.isEmpty)
    #expect(recording.description.name == "Test Panel v1.2")
    #expect(recording.description.capabilities.axes[1] == AxisRange(minimum: 0, maximum: 2047, fuzz: 4))
    #expect(recording.description.capabilities.slotCount == nil)
    #expect(recording.frames.count == 2)
    #expect(recording.frames[0].time.microseconds == 1_330_495_931_101_120)
    #expect(recording.frames[0].events == [key(0x14a, 1), abs(0, 1024), abs(1, 7)])
  }

  @Test func `the description is looked for under ever shorter names`() {
    #expect(
      EvemuPair.descriptionPaths(for: "/r/A 0.1 B.2 taps.events")
        == ["/r/A 0.1 B.2 taps.desc", "/r/A 0.1 B.desc", "/r/A 0.desc"])
    #expect(EvemuPair.descriptionPaths(for: "A.desc").isEmpty)
    #expect(EvemuPair.descriptionPaths(for: "plain").isEmpty)
  }

  @Test func `a clock that goes backwards does not make frames go backwards`() throws {
    let text = OwnRecordings.header + "E: 5.5 0000 0000 0\nE: 4.25 0000 0000 0\nE: 6.000001 0000 0000 0\n"
    let recording = try Recording(text: text, file: "r")
    #expect(try recording.only.frames.map(\.time.microseconds) == [5_500_000, 5_500_000, 6_000_001])
    #expect(recording.notices.first?.contains("backwards 1 times") == true)
  }

  @Test func `an old slot axis that is one of every axis makes no slots`() throws {
    let text =
      OwnRecordings.header + "B: 03 00 00 00 c0\nA: 2e 0 1 0 0 0\nA: 2f 0 9 0 0 0\nE: 1.0 0000 0000 0\n"
    #expect(try Recording(text: text, file: "r").only.description.capabilities.slotCount == nil)
  }

  @Test func `a byte order mark before the first line is passed over`() throws {
    let text = "\u{FEFF}" + OwnRecordings.header + "E: 1.0 0003 0000 5\nE: 1.0 0000 0000 0\n"
    #expect(try Recording(text: text, file: "r").only.description.name == "Panel")
  }

  @Test func `the last line needs no end`() throws {
    let text = OwnRecordings.header + "E: 1.0 0003 0000 5\nE: 1.0 0000 0000 0"
    #expect(try Recording(text: text, file: "r").only.frames.map(\.events) == [[abs(0, 5)]])
  }

  @Test func `lines may end as on Windows`() throws {
    let text = (OwnRecordings.header + "E: 1.0 0003 0000 5\nE: 1.0 0000 0000 0\n")
      .replacing("\n", with: "\r\n")
    let recording = try Recording(text: text, file: "r").only
    #expect(recording.description.name == "Panel")
    #expect(recording.frames.map(\.events) == [[abs(0, 5)]])
  }
}

@Suite struct WholeRecordings {
  private static let package = (0..<3).reduce(FilePath(#filePath)) { path, _ in path.removingLastComponent() }
  static let own = recordings(in: package.appending("Tests/Recordings").string, ending: ".evemu")
  /// Of real devices; not part of the project. Where they are missing, a line says so.
  static let shared: [String] = {
    let folder = package.removingLastComponent().appending("shared/recordings").string
    let found = recordings(in: folder, ending: ".events")
    if found.isEmpty {
      print("note: \(folder) has no recordings of real devices; only the project's own are read")
    }
    return found
  }()

  private static func recordings(in folder: String, ending: String) -> [String] {
    FileContents.names(in: folder).filter { $0.hasSuffix(ending) }.map { folder + "/" + $0 }
  }

  @Test(arguments: shared) func `a recording of a real device is read whole`(_ path: String) throws {
    try expectWhole(path)
    let name = try #require(FilePath(path).lastComponent).string
    #expect(name.hasPrefix(try Recording(path: path).only.description.name))
  }

  @Test(arguments: own) func `a recording of the project is read whole`(_ path: String) throws {
    try expectWhole(path)
  }

  /// What the recordings of real devices declare, of the project's own.
  @Test(
    arguments: [
      ("like-maxtouch", DeviceKind.multitouch, 10), ("like-isdv4", .multitouch, 2),
      ("like-n-trig", .multitouch, nil),
      ("like-qemu-tablet", .absolutePointer, nil), ("light-finger", .multitouch, 10),
    ] as [(String, DeviceKind, Int?)])
  func `a recording has the kind of device that it is like`(_ name: String, _ kind: DeviceKind, _ slots: Int?)
    throws
  {
    let path = try #require(Self.own.first { $0.hasSuffix("/\(name).evemu") })
    let capabilities = try Recording(path: path).only.description.capabilities
    #expect(DeviceClassifier.classify(capabilities).kind == kind)
    #expect(capabilities.slotCount == slots)
  }

  private func expectWhole(_ path: String) throws {
    let file = try Recording(path: path)
    let recording = try file.only
    let ends = try String(decoding: FileContents.read(path, upTo: 1 << 24), as: UTF8.self).split(
      separator: "\n"
    )
    .filter { $0.hasPrefix("E:") && $0.contains(" 0000 0000 ") }
    #expect(recording.frames.count == ends.count)
    #expect(file.notices.isEmpty)
    #expect(DeviceClassifier.classify(recording.description.capabilities).kind != nil)
    let times = recording.frames.map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
  }
}
