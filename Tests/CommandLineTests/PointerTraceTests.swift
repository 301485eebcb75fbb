import Foundation
import Testing

/// A recorded mouse in the trace.
@Suite struct PointerTraceTests {
  private static let keys = (0..<12).map { line in
    // BTN_LEFT, BTN_RIGHT and BTN_MIDDLE are bits 0 to 2 of byte 34.
    "B: 01 " + (0..<8).map { line * 8 + $0 == 34 ? "07" : "00" }.joined(separator: " ")
  }.joined(separator: "\n")

  /// REL_X, REL_Y, REL_WHEEL and REL_WHEEL_HI_RES are bits 0, 1, 8 and 11.
  private static let recording = """
    # EVEMU 1.3
    N: Recorded Mouse
    I: 0003 0001 0002 0000
    P: 00 00 00 00 00 00 00 00
    B: 00 0f 00 00 00 00 00 00 00
    \(keys)
    B: 02 03 09 00 00 00 00 00 00
    \(events)

    """

  private static let events = [
    "0002 0000 -200", "0002 0008 -1\n0002 000b -120", "0001 0111 1", "0001 0111 0", "0001 0110 1",
    "0001 0110 0",
    "0002 0000 400",
  ].enumerated().map { index, events in
    let stamp = "E: 100.\(index)00000 "
    return (events.split(separator: "\n") + ["0000 0000 0"]).map { stamp + $0 }.joined(separator: "\n")
  }.joined(separator: "\n")

  private func trace(_ input: String, json: Bool) throws -> [String] {
    var lines: [String] = []
    try Program.inFolder { folder in
      let file = folder + "/mouse.yaml"
      try (input + ReplayTests.tree).write(toFile: file, atomically: true, encoding: .utf8)
      let recording = folder + "/mouse.evemu"
      try Self.recording.write(toFile: recording, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["trace", file, "--replay", recording] + (json ? ["--json"] : []))
      #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
      lines = outcome.lines
    }
    return lines
  }

  @Test func `hover wheel and buttons are lines of their own`() throws {
    let lines = try trace("", json: true)
    let pointer = lines.filter { line in
      ["hover", "wheel", "button"].contains { line.hasPrefix(#"{"event":"\#($0)","#) }
        && line.contains(#""responder":"left""#)
    }
    #expect(
      pointer == [
        #"{"event":"hover","phase":"entered","view":"left","responder":"left","point":[200,240]}"#,
        #"{"event":"wheel","view":"left","responder":"left","point":[200,240],"delta":[0,-1],"disposition":"forward"}"#,
        #"{"event":"button","button":"right","phase":"pressed","view":"left","responder":"left","point":[200,240],"disposition":"forward"}"#,
        #"{"event":"button","button":"right","phase":"released","view":"left","responder":"left","point":[200,240],"disposition":"forward"}"#,
        #"{"event":"hover","phase":"left","view":"left","responder":"left","point":[200,240]}"#,
        #"{"event":"hover","phase":"entered","view":"left","responder":"left","point":[200,240]}"#,
        #"{"event":"hover","phase":"left","view":"left","responder":"left","point":[200,240]}"#,
      ])
    #expect(lines.count { $0.hasPrefix(#"{"event":"hit","#) } == 1, "only the left button touches")
    let ends = lines.suffix(3).map { $0.contains(#""phase":"left","view":"right""#) }
    #expect(ends == [true, true, true], "with the recording, its mouse is gone")
  }

  @Test func `people read it in words`() throws {
    let lines = try trace("", json: false)
    #expect(lines.contains("hover        entered left (200, 240) view left"))
    #expect(lines.contains("wheel        (0, -1) left (200, 240) view left forward"))
    #expect(lines.contains("button       right pressed left (200, 240) view left forward"))
  }

  @Test func `the speed of a mouse is its rules`() throws {
    let rule = "input: {devices: [{match: {name: Recorded*}, speed: 0.5}]}\n"
    let lines = try trace(rule, json: true)
    #expect(
      lines.contains { $0.contains(#""phase":"entered","view":"left","responder":"left","point":[300,240]"#) }
    )
  }
}
