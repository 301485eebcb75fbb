import Histogram
import TouchSystem

/// How often each delay occurred, up to a minute, to 1 %. Adding one takes a few nanoseconds and no memory. (HdrHistogram.)
package struct LatencyHistogram {
  /// In microseconds. A longer delay counts as one minute.
  package static let longest: Int64 = 60_000_000

  private var counts = Histogram<UInt32>(
    highestTrackableValue: UInt64(longest), numberOfSignificantValueDigits: .two)

  package init() {}

  /// How many delays were added.
  package var count: Int { Int(counts.totalCount) }

  /// In microseconds; 0 without any delay.
  package var maximum: Int { count == 0 ? 0 : Int(counts.maxRecorded) }

  /// Adds a delay.
  ///
  /// - Parameter microseconds: less than 0 counts as 0: the clocks of a recording and of its player differ.
  package mutating func add(_ microseconds: Int64) {
    _ = counts.record(UInt64(min(max(microseconds, 0), Self.longest)))
  }

  /// The delay that so many percent of all were not above, in microseconds, up to 1 % too long; 0 without any delay.
  package func percentile(_ percent: Double) -> Int {
    count == 0 ? 0 : Int(counts.valueAtPercentile(percent))
  }

  /// The figures as cells of a table, in milliseconds: p50, p90, p99, maximum, and the count.
  package var cells: [String] {
    [percentile(50), percentile(90), percentile(99), maximum].map { "\((Double($0) / 1000).short) ms" }
      + ["\(count)"]
  }

  /// The names of `cells`.
  package static let heads = ["p50", "p90", "p99", "maximum", "count"]

  /// Writes `{"count":…,"p50":…,"p90":…,"p99":…,"max":…}`, in microseconds.
  package func write(to json: inout JSONWriter) {
    json.beginObject()
    json.key("count")
    json.value(count)
    json.key("p50")
    json.value(percentile(50))
    json.key("p90")
    json.value(percentile(90))
    json.key("p99")
    json.value(percentile(99))
    json.key("max")
    json.value(maximum)
    json.endObject()
  }
}
