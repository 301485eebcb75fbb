import Foundation
import Testing

/// Filters act on recordings as on devices, in the recording's own time.
@Suite struct FilterReplayTests {
  /// A resistive panel: it bounces as the pen comes down, reports one wild place, and bounces once more on
  /// the way.
  private static let recording = """
    # EVEMU 1.3
    N: Bouncing Panel
    I: 0018 0001 0002 0000
    P: 02 00 00 00 00 00 00 00
    B: 00 0b 00 00 00 00 00 00 00
    \(keys)
    B: 03 03 00 00 00 00 00 00 00
    A: 00 0 799 0 0
    A: 01 0 479 0 0
    \(events)

    """

  /// BTN_TOUCH is bit 2 of byte 41.
  private static let keys = (0..<12).map { line in
    "B: 01 " + (0..<8).map { line * 8 + $0 == 41 ? "04" : "00" }.joined(separator: " ")
  }.joined(separator: "\n")

  private static let events = [
    (0, "X=100 Y=100 touch=1"), (4, "touch=0"), (7, "touch=1"), (15, "X=104"), (23, "X=700 Y=9"),
    (31, "X=108 Y=100"), (39, "X=112"), (50, "touch=0"), (60, "touch=1"), (68, "X=116"), (90, "touch=0"),
    (900, "X=600 touch=1"), (950, "touch=0"),
  ].map { (milliseconds, events) in
    let stamp = String(format: "%.6f", 100 + Double(milliseconds) / 1000)
    let codes = ["X": "0003 0000", "Y": "0003 0001", "touch": "0001 014a"]
    return
      (events.split(separator: " ").map { event in
        let parts = event.split(separator: "=")
        return "E: \(stamp) \(codes[String(parts[0])] ?? "") \(parts[1])"
      } + ["E: \(stamp) 0000 0000 0"]).joined(separator: "\n")
  }.joined(separator: "\n")

  private func trace(_ filter: String) throws -> [String] {
    var lines: [String] = []
    try Program.inFolder { folder in
      let file = folder + "/bounce.yaml"
      let input = "input: {devices: [{match: {name: Bouncing*}, filter: \(filter)}]}\n"
      try (input + ReplayTests.tree).write(toFile: file, atomically: true, encoding: .utf8)
      let recording = folder + "/bounce.evemu"
      try Self.recording.write(toFile: recording, atomically: true, encoding: .utf8)
      let arguments = ["trace", file, "--replay", recording, "--json"]
      let outcome = try Program.run(arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try Program.run(arguments).output == outcome.output, "the same twice")
      lines = outcome.lines.filter { $0.contains(#""event":"touch""#) && $0.contains(#""window""#) }
    }
    return lines.map { line in
      let parts = line.split(separator: "\"")
      let point = line.split(separator: "[")[1].split(separator: "]")[0]
      return "\(parts[8].dropFirst().filter(\.isNumber))\(parts[9]) \(point)"
        .replacingOccurrences(of: "phase", with: "")
    }
  }

  @Test func `without a filter every bounce is a touch of its own`() throws {
    let told = try trace("none")
    #expect(told.count { $0.contains("began") } == 4)
    #expect(told.count { $0.contains("ended") } == 4)
    #expect(told.contains("moved 700,9"))
  }

  @Test func `debounced there are two touches and no wild place`() throws {
    let told = try trace("[debounce, {kind: median, samples: 3}]")
    #expect(
      told.filter { !$0.hasPrefix("moved") } == [
        "began 100,100", "ended 112,100", "began 600,100", "ended 600,100",
      ])
    #expect(!told.contains { $0.contains("700") }, "\(told)")
  }

  @Test func `check says what filters cost`() throws {
    try Program.inFolder { folder in
      let file = folder + "/t.yaml"
      let input = "input:\n  devices:\n    - filter: [debounce, hysteresis]\n    - {filter: none}\n"
      try (input + ReplayTests.tree).write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["check", file])
      #expect(
        outcome.lines == [
          "\(file): good, 2 views",
          "\(file):3: debounce (every lift comes 20 ms late), hysteresis (moves trail by the axis' fuzz)",
        ])
    }
  }
}
