import Foundation
import Testing

@testable import TouchCore
@testable import TouchInput
@testable import TouchInstruments
@testable import TouchMeasure
@testable import TouchSystem

/// What `touchtree monitor` writes of the figures that it shares with `touchtree test`.
@Suite struct MonitorLinesTests {
  private static let panel = DeviceDescription(path: "/dev/input/event3", name: "Panel")

  /// What a writer writes, for people and for programs.
  private func lines(_ write: (inout any MonitorWriter) -> Void) throws -> [String] {
    try [false, true].map { isJSON in
      let path = FileManager.default.temporaryDirectory.appending(path: "touchtree-\(UUID()).txt").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      let output = try LineOutput(path: path, backpressure: .waits)
      var writer: any MonitorWriter = isJSON ? MonitorJSON(output) : MonitorText(output)
      write(&writer)
      try output.flush()
      return String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    }
  }

  @Test(arguments: [(true, "mm", "mm"), (false, "units", "device")])
  func `the jitter of a resting finger is written in the panel's unit`(
    isInMillimetres: Bool, word: String, unit: String
  ) throws {
    let lines = try lines {
      $0.rest(Spread(value: 0.34375, isInMillimetres: isInMillimetres), seconds: 2.125, of: Self.panel)
    }
    #expect(
      lines == [
        "Panel reported a finger that rested for 2.13 s within 0.34 \(word)\n",
        #"{"event":"rest","device":"Panel","path":"/dev/input/event3","seconds":2.125,"spread":0.34375,"#
          + "\"unit\":\"\(unit)\"}\n",
      ])
  }

  @Test(arguments: [(1, "once"), (12, "12 times")])
  func `a violation of the input protocol is written with its count and its first example`(
    count: Int, times: String
  ) throws {
    let lines = try lines {
      $0.violation(.outOfRange, count: count, example: "at 8 ms: ABS_X is 9, not 0…4", of: Self.panel)
    }
    #expect(
      lines == [
        "kernel bug: Panel sends values outside the range of their axis, \(times) so far (the first at 8 ms: ABS_X is 9, "
          + "not 0…4)\n",
        #"{"event":"violation","device":"Panel","path":"/dev/input/event3","violation":"sends values outside the range of "#
          + #"their axis","count":"# + "\(count)" + #","first":"at 8 ms: ABS_X is 9, not 0…4"}"# + "\n",
      ])
  }
}
