import Histogram
import TouchJSON

/// The numbers of delays up to a minute, to 1 %, added in nanoseconds. (HdrHistogram)
package struct LatencyHistogram {
  /// The longest delay, in microseconds. A longer one counts as one minute.
  package static let longest: Int64 = 60_000_000

  private var counts = Histogram<UInt32>(
    highestTrackableValue: UInt64(longest), numberOfSignificantValueDigits: .two)

  /// The sum of all delays, in microseconds.
  package private(set) var sum: Int64 = 0

  package init() {}

  package var count: Int { Int(counts.totalCount) }

  /// The longest delay, in microseconds; 0 without any.
  package var maximum: Int { count == 0 ? 0 : Int(counts.maxRecorded) }

  /// Adds a delay.
  /// - Parameter microseconds: the delay. A negative one counts as 0, because the
  ///   clocks of a recording and of its player differ.
  package mutating func add(_ microseconds: Int64) {
    let delay = min(max(microseconds, 0), Self.longest)
    sum += delay
    _ = counts.record(UInt64(delay))
  }

  /// Returns a percentile in microseconds, up to 1 % too long; 0 without delays.
  package func percentile(_ percent: Double) -> Int {
    count == 0 ? 0 : Int(counts.valueAtPercentile(percent))
  }

  /// The figures as cells of a table, in milliseconds: p50, p90, p99, maximum, and the count.
  package var cells: [String] {
    [percentile(50), percentile(90), percentile(99), maximum].map { "\((Double($0) / 1000).short) ms" }
      + ["\(count)"]
  }

  package static let heads = ["p50", "p90", "p99", "maximum", "count"]

  /// Writes `"count":…,"p50":…,"p90":…,"p99":…,"max":…`, in microseconds.
  package func write(to json: inout JSONWriter) {
    json.field("count", count)
    json.field("p50", percentile(50))
    json.field("p90", percentile(90))
    json.field("p99", percentile(99))
    json.field("max", maximum)
  }
}
