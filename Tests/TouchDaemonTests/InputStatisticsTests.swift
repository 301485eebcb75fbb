import Foundation
import InMemoryLogging
import Logging
import RegexBuilder
import Testing
import TouchInspection
import TouchSystem

@testable import TouchConfig
@testable import TouchCore
@testable import TouchDaemon
@testable import TouchInput
@testable import TouchJSON

@Suite struct LatencyHistogramTests {
  /// Delays, in microseconds, and what they are.
  struct Distribution: CustomTestStringConvertible {
    let testDescription: String
    let delays: [Int64]
  }

  static let distributions = [
    Distribution(testDescription: "one delay", delays: [1234]),
    Distribution(testDescription: "the same, again and again", delays: .init(repeating: 777, count: 500)),
    Distribution(testDescription: "even", delays: Array(1...10_000)),
    Distribution(
      testDescription: "two peaks",
      delays: .init(repeating: 90, count: 985) + .init(repeating: 54_000, count: 15)),
    Distribution(testDescription: "powers of two", delays: (0..<26).map { 1 << $0 }),
    Distribution(
      testDescription: "most of them short", delays: (1...5000).map { 30_000_000 / (Int64($0) * Int64($0)) }),
  ]

  @Test(arguments: distributions, [50.0, 90, 99])
  func `a percentile is right to one per cent`(of distribution: Distribution, percent: Double) {
    var histogram = LatencyHistogram()
    for delay in distribution.delays { histogram.add(delay) }
    let sorted = distribution.delays.sorted()
    let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up))
    let exact = Int(sorted[max(rank, 1) - 1])
    let found = histogram.percentile(percent)
    #expect(found >= exact && Double(found) <= Double(exact) * 1.01, "\(found), not \(exact)")
    #expect(histogram.count == sorted.count)
    #expect(histogram.maximum == Int(sorted.last ?? 0))
  }

  @Test func `without a delay every figure is zero`() {
    let histogram = LatencyHistogram()
    #expect(histogram.percentile(50) == 0 && histogram.maximum == 0 && histogram.count == 0)
  }

  @Test(arguments: [(-5, 0), (.min, 0), (60_000_001, 60_000_000), (.max, 60_000_000)] as [(Int64, Int)])
  func `a delay outside the range counts as its end`(_ delay: Int64, _ counted: Int) {
    var histogram = LatencyHistogram()
    histogram.add(delay)
    #expect(histogram.maximum == counted && histogram.count == 1)
  }
}

/// A pipeline whose turns are counted with a clock that the test sets.
@Suite struct InputStatisticsTests {
  private final class Clock {
    var microseconds: Int64 = 1_000_000
  }

  private let clock = Clock()
  private let statistics: InputStatistics
  private let pipeline: InputPipeline
  private let watcher = PipelineWatcher()
  private let panel: TouchSource

  init() throws {
    let configuration = try Configuration.parse(
      text: "window: {subviews: [{id: a, frame: [0, 0, 100, 100]}]}", file: "f.yaml")
    let size = Size(width: 100, height: 100)
    let pipeline = InputPipeline(
      ViewTree(configuration, canvasSize: size), geometry: DisplayGeometry(displaySize: size))
    let statistics = InputStatistics { [clock] in Timestamp(microseconds: clock.microseconds) }
    pipeline.observer = watcher
    watcher.onFrame = { [unowned pipeline] frame, source in
      statistics.count(
        frame, of: source.device, stamp: frame.time, changes: pipeline.changes,
        dispatcher: pipeline.dispatcher, name: "Panel \(source.device.rawValue)")
    }
    var capabilities = DeviceCapabilities()
    for axis in [EventCode.absX, EventCode.absY, EventCode.absMTPositionX, EventCode.absMTPositionY] {
      capabilities.axes[axis] = AxisRange(minimum: 0, maximum: 99)
    }
    capabilities.slotCount = 2
    panel = TouchSource(
      device: DeviceID(rawValue: 1), kind: .multitouch, capabilities: capabilities, initial: InitialState(),
      geometry: DisplayGeometry(displaySize: size))
    self.statistics = statistics
    self.pipeline = pipeline
  }

  private func frame(_ events: [(UInt16, Int32)], at microseconds: Int64, _ cause: InputFrame.Cause = .report)
  {
    pipeline.apply(
      InputFrame(
        time: Timestamp(microseconds: microseconds), cause: cause,
        events: events.map { RawEvent(type: EventCode.abs, code: $0.0, value: $0.1) }), from: panel)
  }

  private func down(_ slot: Int32, at microseconds: Int64) {
    frame(
      [
        (EventCode.absMTSlot, slot), (EventCode.absMTTrackingID, slot + 1), (EventCode.absMTPositionX, 50),
        (EventCode.absMTPositionY, 50),
      ], at: microseconds)
  }

  private func lift(_ slot: Int32, at microseconds: Int64) {
    frame([(EventCode.absMTSlot, slot), (EventCode.absMTTrackingID, -1)], at: microseconds)
  }

  /// Ends a turn that took so long from its first frame to each stage.
  private func endTurn(
    handled: Int64, painted: Int64?, shown: Int64 = 0, atOnce: Bool = false, from start: Int64
  ) {
    pipeline.endTurn()
    clock.microseconds = start + handled
    let handledAt = Timestamp(microseconds: clock.microseconds)
    if let painted {
      clock.microseconds = start + painted
      statistics.painted(isShown: atOnce)
      clock.microseconds = start + shown
    }
    statistics.turnEnds(at: handledAt)
  }

  @Test func `the times between pictures count while something moves, by the display's stamps`() {
    #expect(!statistics.lines.joined().contains("between two pictures"))
    for time in [5_000_000, 5_016_667, 5_033_334, 9_000_000, 9_033_000] as [Int64] {
      statistics.showed(at: Timestamp(microseconds: time))
    }
    #expect(
      statistics.lines.last
        == "  in motion                     16.77 ms       33 ms       33 ms       33 ms           3")
    var json = JSONWriter()
    json.beginObject()
    statistics.write(to: &json)
    json.endObject()
    #expect(
      json.string.hasSuffix(#""intervals_us":{"count":3,"p50":16767,"p90":33000,"p99":33000,"max":33000}}"#))
  }

  @Test func `the frames of one overrun count as one`() {
    for _ in 0..<3 { frame([], at: 2_000_000, .resync) }
    frame([], at: 3_000_000, .resync)
    #expect(statistics.lines.first?.contains(" overruns: 2,") == true, "\(statistics.lines)")
  }

  @Test func `no delay is lost over many turns`() {
    for turn in 1...300 as ClosedRange<Int64> {
      frame([], at: turn * 10_000)
      endTurn(handled: 100, painted: 110, shown: 120, from: turn * 10_000)
    }
    var json = JSONWriter()
    json.beginObject()
    statistics.write(to: &json)
    json.endObject()
    for (name, delay) in [("handled", 100), ("painted", 110), ("shown", 120)] {
      #expect(json.string.contains(#""\#(name)":{"count":300,"p50":\#(delay),"p90":\#(delay),"#))
    }
  }

  @Test func `what is painted is shown on a display that shows it at once`() {
    down(0, at: 2_000_000)
    endTurn(handled: 100, painted: 110, shown: 120, atOnce: true, from: 2_000_000)
    #expect(
      statistics.lines.suffix(2) == [
        "  last pixel written                  0.11 ms     0.11 ms     0.11 ms     0.11 ms           1",
        "  shown                               0.11 ms     0.11 ms     0.11 ms     0.11 ms           1",
      ])
  }

  @Test func `what is painted twice in a turn counts once, when it was painted first`() {
    down(0, at: 2_000_000)
    clock.microseconds = 2_000_110
    statistics.painted(isShown: true)
    endTurn(handled: 100, painted: 900, shown: 900, atOnce: true, from: 2_000_000)
    #expect(
      statistics.lines.suffix(2) == [
        "  last pixel written                  0.11 ms     0.11 ms     0.11 ms     0.11 ms           1",
        "  shown                               0.11 ms     0.11 ms     0.11 ms     0.11 ms           1",
      ])
  }

  @Test func `each stage is timed from the oldest frame of the turn, and turns without a frame are not`() {
    down(0, at: 2_000_000)
    down(1, at: 2_000_050)
    endTurn(handled: 100, painted: 110, shown: 120, from: 2_000_000)
    endTurn(handled: 500, painted: 600, shown: 700, from: 2_000_000)
    lift(0, at: 3_000_000)
    endTurn(handled: 90, painted: nil, from: 3_000_000)
    frame([], at: 3_500_000, .resync)
    endTurn(handled: 91, painted: nil, from: 3_500_000)
    clock.microseconds = 13_000_000
    let expected: String =
      #"{"uptime_s":12,"frames":4,"touches":2,"dropped":1,"overruns":1,"paints":2,"devices":[{"device":"Panel 1","#
      + #""frames":4,"touches":2,"dropped":1,"overruns":1,"latency_us":{"#
      + #""handled":{"count":3,"p50":91,"p90":100,"p99":100,"max":100},"#
      + #""painted":{"count":1,"p50":110,"p90":110,"p99":110,"max":110},"#
      + #""shown":{"count":1,"p50":120,"p90":120,"p99":120,"max":120}}}]}"#
    var json = JSONWriter()
    json.beginObject()
    statistics.write(to: &json)
    json.endObject()
    #expect(json.string == expected)
    #expect(
      statistics.lines == [
        "up 12 s, frames: 4, touches: 2, dropped: 1, overruns: 1, paints: 2", "", "Panel 1",
        "  frames: 4, touches: 2, dropped: 1, overruns: 1",
        "  from the kernel's time stamp to         p50         p90         p99     maximum       count",
        "  handlers done                       0.09 ms      0.1 ms      0.1 ms      0.1 ms           3",
        "  last pixel written                  0.11 ms     0.11 ms     0.11 ms     0.11 ms           1",
        "  shown                               0.12 ms     0.12 ms     0.12 ms     0.12 ms           1",
      ])
  }

  @Test func `a device that returns goes on with its figures, and the first of too many is forgotten`() {
    for number in 1...40 {
      for id in [number, number + 100] {
        statistics.count(
          InputFrame(time: .zero), of: DeviceID(rawValue: id), stamp: .zero, changes: [],
          dispatcher: pipeline.dispatcher, name: "Panel \(number)")
      }
    }
    let names = statistics.lines.filter { $0.hasPrefix("Panel") }
    let last: [String] = (9...40).map { "Panel \($0)" }
    #expect(names == last)
    #expect(statistics.lines.filter { $0 == "  frames: 2, touches: 0, dropped: 0, overruns: 0" }.count == 32)
  }

  @Test func `the same figures are metrics, each with its help, its type and all its samples together`()
    throws
  {
    down(0, at: 2_000_000)
    endTurn(handled: 100, painted: 110, shown: 120, from: 2_000_000)
    var metrics = MetricsText()
    statistics.write(to: &metrics)
    let lines = metrics.text.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy(MetricsTextTests.isWellFormed), "\(lines)")
    let expected = [
      #"touchtree_frames_total{device="Panel 1"} 1"#, #"touchtree_touches_dropped_total{device="Panel 1"} 0"#,
      "touchtree_paints_total 1",
      #"touchtree_latency_seconds{device="Panel 1",stage="handled",quantile="0.5"} 0.0001"#,
      #"touchtree_latency_seconds_sum{device="Panel 1",stage="shown"} 0.00012"#,
      #"touchtree_latency_seconds_count{device="Panel 1",stage="painted"} 1"#,
      #"touchtree_latency_longest_seconds{device="Panel 1",stage="painted"} 0.00011"#,
    ]
    for line in expected { #expect(lines.contains(line), "\(line)") }
    let types = lines.filter { $0.hasPrefix("# TYPE ") }
    #expect(types.count == Set(types).count && types.count == 8)
  }

  @Test func `a revision is another one after each frame and each paint`() {
    var revisions = [statistics.revision]
    down(0, at: 2_000_000)
    revisions.append(statistics.revision)
    statistics.painted(isShown: false)
    revisions.append(statistics.revision)
    #expect(Set(revisions).count == 3)
  }
}

@Suite struct MetricsTextTests {
  /// Whether a line is one of Prometheus' text format.
  static func isWellFormed(_ line: String) -> Bool {
    let label = /[a-zA-Z_][a-zA-Z0-9_]*="([^"\\]|\\\\|\\"|\\n)*"/
    let sample =
      Regex {
        /touchtree_[a-z_]+/
        Optionally {
          "{"
          label
          ZeroOrMore {
            ","
            label
          }
          "}"
        }
        " "
        /[0-9.e+-]+/
      }
    return line.wholeMatch(of: /# HELP touchtree_[a-z_]+ [A-Z].*\./) != nil
      || line.wholeMatch(of: /# TYPE touchtree_[a-z_]+ (counter|gauge|summary)/) != nil
      || line.wholeMatch(of: sample) != nil
  }

  @Test(arguments: [
    ("Panel", "Panel"), (#"a "good" one"#, #"a \"good\" one"#), (#"back\slash"#, #"back\\slash"#),
    ("two\nlines", #"two\nlines"#), ("{x=1},", "{x=1},"), ("é ✓", "é ✓"), ("", ""),
  ])
  func `a label may have any text`(_ text: String, _ written: String) {
    var metrics = MetricsText()
    metrics.begin("a", .gauge, "A.")
    metrics.add(3, [.init("device", text)])
    let line = metrics.text.split(separator: "\n").last.map(String.init) ?? ""
    #expect(line == "touchtree_a{device=\"\(written)\"} 3" && Self.isWellFormed(line))
  }

  @Test(arguments: ["touchtree_a{b=\"c} 3", "touchtree_a 3 ", "a 3", "touchtree_a{b=c} 3", "# TYPE a gauge"])
  func `the check finds what is not of the format`(_ line: String) {
    #expect(!Self.isWellFormed(line))
  }
}
