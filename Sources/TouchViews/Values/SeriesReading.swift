import TouchCore

/// Reads a series in successive stretches of time, such as the columns of a
/// chart. Each sample is examined once.
package struct SeriesReader {
  package struct Stretch: Hashable {
    package var low, high: Double
  }

  private let series: Series
  /// The index of the sample that is valid at the end of the previous stretch.
  private var index: Int

  /// - Parameter start: the beginning of the first stretch.
  package init(_ series: Series, from start: Timestamp, seconds: Double) {
    self.series = series
    index = series.start(of: seconds, before: start.advanced(bySeconds: seconds))
  }

  /// Returns the values between two times, including those at both, on straight lines between samples.
  /// - Parameter interpolates: whether the value moves from sample to sample, or stays until the next one.
  /// - Returns: nil if there was no value.
  package mutating func next(
    from start: Timestamp, to end: Timestamp, interpolates: Bool
  ) -> Stretch? {
    guard series.count > 0 else { return nil }
    while index + 1 < series.count, series[index + 1].time <= start { index += 1 }
    var stretch: Stretch?
    func take(_ low: Double, _ high: Double) {
      stretch = Stretch(low: min(stretch?.low ?? low, low), high: max(stretch?.high ?? high, high))
    }
    if series[index].time <= start, let value = value(at: start, after: index, interpolates) {
      take(value, value)
    }
    while index < series.count, series[index].time < end {
      let sample = series[index]
      if sample.value != nil, sample.time >= start { take(sample.minimum, sample.maximum) }
      guard index + 1 < series.count, series[index + 1].time < end else { break }
      index += 1
    }
    if series[index].time < end, let value = value(at: end, after: index, interpolates) { take(value, value) }
    return stretch
  }

  /// Returns the value at a time, which is not before that of the sample; nil in a gap.
  private func value(at time: Timestamp, after index: Int, _ interpolates: Bool) -> Double? {
    let sample = series[index]
    guard let value = sample.value else { return nil }
    guard interpolates, index + 1 < series.count, let after = series[index + 1].value else { return value }
    let length = series[index + 1].time.seconds(since: sample.time)
    guard length > 0 else { return after }
    let part = min(1, max(0, time.seconds(since: sample.time) / length))
    // Between the greatest numbers, the difference may be more than a number can hold.
    let way = after - value
    return way.isFinite ? value + way * part : value * (1 - part) + after * part
  }
}
