import Testing

@testable import TouchCore
@testable import TouchInput
@testable import TouchInstruments
@testable import TouchRecordings

@Suite struct UinputReplayTests {
  /// A device with the keys T, O, U, C, H, X, space and enter, the power key, KEY_OK, BTN_LEFT, BTN_TOUCH,
  /// BTN_DPAD_UP, BTN_TRIGGER_HAPPY1, a lid, and axes.
  private static let device = """
    N: Panel with keys
    I: 0003 0001 0002 0003
    B: 01 00 00 50 11 08 60 00 02
    B: 01 00 00 00 00 00 00 10 00
    \((2..<4).map { _ in "B: 01 00 00 00 00 00 00 00 00" }.joined(separator: "\n"))
    B: 01 00 00 01 00 00 00 00 00
    B: 01 00 04 00 00 01 00 00 00
    \((6..<8).map { _ in "B: 01 00 00 00 00 00 00 00 00" }.joined(separator: "\n"))
    B: 01 00 00 00 00 01 00 00 00
    \((9..<11).map { _ in "B: 01 00 00 00 00 00 00 00 00" }.joined(separator: "\n"))
    B: 01 01 00 00 00 00 00 00 00
    B: 03 03
    A: 00 0 100 0 0 0
    A: 01 0 100 0 0 0
    B: 05 01

    """

  private func frames(_ events: [String]) -> String {
    events.enumerated().map { number, event in "E: \(number).0 \(event)\nE: \(number).0 0000 0000 0\n" }
      .joined()
  }

  @Test func `keys, the power key and the lid are left out, and the buttons and axes stay`() throws {
    let events = ["0001 0014 1", "0001 0074 1", "0001 014a 1", "0003 0000 5", "0005 0000 1", "0001 0160 1"]
    var recording = try Recording(text: Self.device + frames(events), file: "rec")
    let removed = recording.removeKeys()
    let sentence = try #require(removed)
    #expect(sentence.hasPrefix("rec: left out 11 codes of keys and switches, and 4 events of them"))
    #expect(sentence.contains("--keys"))
    let device = try #require(recording.devices.first)
    #expect(device.description.capabilities.keys == [0x110, 0x14a, 0x220, 0x2c0])
    #expect(device.description.capabilities.otherCodes.isEmpty)
    #expect(Set(device.description.capabilities.axes.keys) == [0, 1])
    #expect(
      device.frames.map(\.events) == [
        [], [], [RawEvent(type: 1, code: 0x14a, value: 1)], [RawEvent(type: 3, code: 0, value: 5)], [], [],
      ])
  }

  @Test func `events of keys that the device does not declare are left out too`() throws {
    let text = "N: Panel\nI: 0003 0001 0002 0003\nB: 01 00\n" + frames(["0001 001c 1"])
    var recording = try Recording(text: text, file: "rec")
    let sentence = recording.removeKeys()
    #expect(sentence?.contains("0 codes of keys and switches, and 1 events") == true)
    #expect(recording.devices[0].frames.map(\.events) == [[]])
  }

  @Test(arguments: ["slots.yml", "mouse.yml", "protocol-a.evemu"])
  func `a recording without keys is played as it is`(_ name: String) throws {
    let recording = try Recording(path: "Tests/Recordings/\(name)")
    var played = recording
    let sentence = played.removeKeys()
    #expect(sentence == nil)
    #expect(
      played.devices.map { $0.frames.map(\.events) } == recording.devices.map { $0.frames.map(\.events) })
    #expect(played.devices.map(\.description) == recording.devices.map(\.description))
  }
}
