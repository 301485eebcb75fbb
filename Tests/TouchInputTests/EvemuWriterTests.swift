import Testing
import TouchCore

@testable import TouchInput

@Suite struct EvemuWriterTests {
  static let frames = [
    InputFrame(time: Timestamp(microseconds: 1), events: [abs(0x2f, 1), abs(0x39, 65535), abs(0x36, -3616)]),
    InputFrame(time: Timestamp(microseconds: 12_000_034), cause: .resync, events: [abs(0x39, -1)]),
    InputFrame(time: Timestamp(microseconds: 12_000_034)),
    InputFrame(
      time: Timestamp(microseconds: 1_330_495_931_101_120),
      events: [key(0x2ff, 1), abs(0x35, .max), abs(0x35, .min), RawEvent(type: 0, code: 2, value: 0)]),
  ]

  @Test(arguments: DeviceFacts.known + DeviceFacts.odd)
  func `what is written is read again as it was`(_ device: DeviceFacts) throws {
    let description = DeviceDescription(
      name: device.name, bus: 0x18, vendor: 0xeef, product: 0xffff, version: 1,
      capabilities: device.capabilities)
    let text = EvemuWriter.text(description, Self.frames)
    let recording = try EvemuRecording(text: text, file: "r")
    #expect(recording.description == description)
    #expect(recording.frames.map(\.time) == Self.frames.map(\.time))
    #expect(recording.frames.map(\.cause) == Self.frames.map(\.cause))
    #expect(recording.frames.map(\.events) == Self.frames.map(\.events))
    #expect(recording.notices.isEmpty)
  }

  @Test func `the text is evemu's`() {
    var capabilities = DeviceCapabilities()
    capabilities.keys = [EventCode.btnTouch]
    capabilities.axes[1] = AxisRange(minimum: -5, maximum: 479, fuzz: 1, flat: 2, resolution: 3)
    let description = DeviceDescription(name: "Panel", bus: 3, vendor: 0xeef, capabilities: capabilities)
    let lines = EvemuWriter.text(description, [Self.frames[0]]).split(separator: "\n").map(String.init)
    #expect(
      lines[0...3] == ["# EVEMU 1.3", "# Input device name: \"Panel\"", "N: Panel", "I: 0003 0eef 0000 0000"])
    #expect(lines.contains("B: 00 0b 00 00 00 00 00 00 00"))
    #expect(lines.contains("B: 01 00 04 00 00 00 00 00 00"))
    #expect(lines.contains("A: 01 -5 479 1 2 3"))
    #expect(
      lines.suffix(4) == [
        "E: 0.000001 0003 002f 0001\t# EV_ABS / ABS_MT_SLOT 1",
        "E: 0.000001 0003 0039 65535\t# EV_ABS / ABS_MT_TRACKING_ID 65535",
        "E: 0.000001 0003 0036 -3616\t# EV_ABS / ABS_MT_POSITION_Y -3616",
        "E: 0.000001 0000 0000 0000\t# ------------ SYN_REPORT (0) ----------",
      ])
    #expect(EvemuWriter.lines(Self.frames[1]).contains("0003 0039 -001\t"))
  }

  @Test func `a name with a line end in it stays on its line`() throws {
    let description = DeviceDescription(name: "Panel\nE: 1.0 0003 0000 5\u{7f}", bus: 3)
    let recording = try EvemuRecording(text: EvemuWriter.text(description, Self.frames), file: "r")
    #expect(recording.description.name == "Panel?E: 1.0 0003 0000 5?")
    #expect(recording.frames.count == Self.frames.count)
  }
}
