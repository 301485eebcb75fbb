import SystemPackage
import Testing
import TouchSystem

@testable import TouchCore
@testable import TouchInput
@testable import TouchRecordings

/// Recordings of hid-tools. The one in the file was made with its library, whose words stand in the comments.
@Suite struct HIDRecordingTests {
  private static let file =
    FilePath(#filePath).removingLastComponent().string + "/../Recordings/two-fingers.hid"

  @Test func `a touchscreen is described by its report descriptor`() throws {
    let recording = try Recording(path: Self.file)
    let description = try recording.only.description
    #expect(description.name == "HID panel" && description.bus == 3 && description.product == 1)
    #expect(DeviceClassifier.classify(description.capabilities).kind == .multitouch)
    let axes = description.capabilities.axes
    #expect(axes[EventCode.absMTPositionX] == AxisRange(minimum: 0, maximum: 4095, resolution: 20))
    #expect(axes[EventCode.absMTPositionY] == AxisRange(minimum: 0, maximum: 2399, resolution: 20))
    #expect(recording.notices.contains { $0.contains("decoded by the report descriptor") })
  }

  /// Three fingers take two reports; a pen has reports of its own; a lifted finger is at 0, 0 or where it
  /// was.
  @Test func `reports become frames with the contacts that are down`() throws {
    var slots: [Int32: [UInt16: Int32]] = [:]
    var slot: Int32 = 0
    var found: [(time: Int64, places: [[Int32]])] = []
    for frame in try Recording(path: Self.file).only.frames {
      for event in frame.events where event.type == EventCode.abs && event.code >= EventCode.absMTSlot {
        if event.code == EventCode.absMTSlot { slot = event.value }
        slots[slot, default: [:]][event.code] = event.value
      }
      let down = slots.values.filter { $0[EventCode.absMTTrackingID] ?? -1 >= 0 }
      let places = down.map { [$0[EventCode.absMTPositionX] ?? -1, $0[EventCode.absMTPositionY] ?? -1] }
      found.append((frame.time.microseconds, places.sorted { $0[0] < $1[0] }))
    }
    #expect(found.map(\.time) == [0, 8000, 16_000, 32_000, 40_000, 48_000, 56_000])
    #expect(
      found.map(\.places) == [
        [[100, 200]], [[110, 200], [4000, 2300]], [[120, 210], [2000, 1000], [3990, 2310]],
        [[2001, 1000], [3980, 2310]], [], [[1, 2]], [],
      ])
  }

  private static let touch =
    "R: 46 05 0d 09 04 a1 01 09 22 a1 02 09 42 15 00 25 01 75 01 95 01 81 02 75 07 81 03 05 01 09 30 26 ff 04 75 10 81 02"
    + " 09 31 26 1f 03 81 02 c0 c0"
  private static let head = touch + "\nN: Panel\nI: 3 0eef 0001\n"

  @Test func `a panel for one finger has no numbers of reports and of contacts`() throws {
    let text = Self.head + "E: 000000.000000 5 01 ff 04 1f 03\nE: 000000.010000 5 00 ff 04 1f 03\n"
    let frames = try Recording(text: text, file: "one.hid").only.frames
    #expect(frames.map { $0.events.contains(abs(EventCode.absMTTrackingID, -1)) } == [false, true])
    #expect(frames[0].events.contains(abs(EventCode.absMTPositionX, 1279)))
    #expect(frames[0].events.contains(key(EventCode.btnTouch, 1)))
  }

  /// A device with several interfaces, whose lines name theirs by `D:`; reports of the mouse are no touches.
  @Test func `each touchscreen among the interfaces of a device is read`() throws {
    let mouse = "R: 4 05 01 09 02\nN: Mouse\nI: 3 0eef 0002\n"
    let text =
      "D: 0\n" + Self.head + "D: 1\n" + mouse + "D: 2\n" + Self.head.replacing("Panel", with: "Second")
      + "D: 0\nE: 000000.000000 5 01 ff 04 1f 03\nD: 1\nE: 000000.001000 1 00\n"
      + "D: 2\nE: 000000.002000 5 01 00 00 00 00\nD:0\nE: 000000.010000 5 00 ff 04 1f 03\n"
    let devices = try Recording(text: text, file: "r.hid").devices
    #expect(devices.map(\.description.name) == ["Panel", "Second"])
    #expect(devices.map { $0.frames.map(\.time.microseconds) } == [[0, 10_000], [2000]])
  }

  @Test(arguments: [
    (
      "R: 4 05 01 09 02\n",
      "r.hid:1: the report descriptor has no touchscreen; play the recording with `hid-replay`"
    ),
    ("R: 3 05 0d\n", "r.hid:1: the report descriptor has 2 bytes, and says 3"),
    ("R: 2 05 0d 09\n", "r.hid:1: the report descriptor has 3 bytes"),
    ("R: 1 26\n", "r.hid:1: the report descriptor ends within an item"),
    ("R: 5000 05\n", "r.hid:1: the report descriptor has 5000 bytes; the kernel takes 4096"),
    ("R: 1 5g\n", "r.hid:1: a byte of the report descriptor is \"5g\""),
    ("R: 9 75 ff 96 ff ff 26 ff ff 81 02\n", "r.hid:1: the report descriptor has 10 bytes"),
    ("R: 8 76 ff ff 96 ff ff 81 02\n", "r.hid:1: the report descriptor has a report that is larger"),
    ("D: 0\nE: 000000.000000 1 00\n", "r.hid:2: a report comes before the report descriptor"),
    ("D: 64\n" + touch + "\n", "r.hid:1: device 64 is beyond the 64 that are read"),
    (touch + "\n" + touch + "\n", "r.hid:2: this device has a report descriptor already"),
    ("D: 0\nR: 4 05 01 09 02\nD: 1\nR: 4 05 01 09 02\n", "r.hid:2: the report descriptor has no touchscreen"),
    (
      "D: 0\n" + touch + "\nD: 1\nE: 000000.000000 1 00\n",
      "r.hid:4: a report comes before the report descriptor"
    ),
    (
      touch + "\nE: 000000.000000 5 01 ff 04 1f 03\n",
      "r.hid: it lacks the report descriptor (R:), the name (N:)"
    ),
    (head + "E: 0.0 99999 00\n", "r.hid:4: the report has 99999 bytes; the kernel takes 16384"),
    (head + "X: 1\n", "r.hid:4: this is not a line of a HID recording"),
    (head + "E: 000000.000000 1 01\n", "r.hid: it has no whole frame of events"),
  ])
  func `a fault of a HID recording has its line and its reason`(text: String, words: String) {
    let error = #expect(throws: Failure.self) { try Recording(text: text, file: "r.hid") }
    #expect(
      error?.status == .badRecording && error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
  }
}
