import TouchCore

/// The values of the last seconds, which a chart shows. (`history:` of a named value.)
///
/// The series has a fixed amount of memory. Values that arrive too fast share a sample, which keeps the
/// smallest and the largest of them. So no peak is lost, and a day costs as much to paint as a minute.
public final class Series {
  /// A value from a time on, until the time of the next sample.
  public struct Sample: Hashable, Sendable {
    /// The time of the first of the sample's values.
    public var time: Timestamp
    /// The smallest value while the sample lasted; NaN in a gap.
    public var minimum: Double
    /// The largest value while the sample lasted; NaN in a gap.
    public var maximum: Double
    /// The last value; nil for a gap in the chart.
    public var value: Double?

    fileprivate init(time: Timestamp, value: Double?) {
      (self.time, self.value) = (time, value)
      (minimum, maximum) = (value ?? .nan, value ?? .nan)
    }
  }

  /// The most samples: the pixel columns of a chart on a large panel.
  public static let mostSamples = 1440
  /// The length of the series in seconds.
  public let seconds: Double
  /// The bytes of the samples, whatever their number.
  public static var bytes: Int { mostSamples * MemoryLayout<Sample>.stride }
  /// The version, which grows with each value. A painter need not draw the same version again.
  public private(set) var version = 0
  /// Called after each new value, for charts that have to be drawn again. Closures hold their views weakly.
  public var onChange: [() -> Void] = []

  /// The samples as a ring, whose oldest is at `first`.
  private var ring: [Sample] = []
  private var first = 0

  /// - Parameter seconds: the length of the series; above 0.
  public init(seconds: Double) {
    self.seconds = seconds
    ring.reserveCapacity(Self.mostSamples)
  }

  /// The time for which a sample collects values: the length of the series, shared by its samples.
  private var microsecondsOfSample: Int64 {
    let share = seconds * 1_000_000 / Double(Self.mostSamples)
    return share < 9e18 ? Int64(share) : .max
  }

  /// The value until the first one arrives; nil if unknown. Its time is unknown, so it is no sample.
  package var initial: Double?

  /// The present value; nil in a gap.
  package var latest: Double? { count > 0 ? self[count - 1].value : initial }

  /// The number of samples.
  public var count: Int { ring.count }

  /// Returns a sample, oldest first. The first one may be older than `seconds`, for the value at their start.
  public subscript(index: Int) -> Sample {
    let place = first + index
    return ring[place < ring.count ? place : place - ring.count]
  }

  /// Adds the value from a time on.
  ///
  /// - Parameters:
  ///   - value: the value; nil, or a number that is not finite, for a gap.
  ///   - time: the time. One before that of the last value counts as that time.
  public func append(_ value: Double?, at time: Timestamp) {
    let value = value.flatMap { $0.isFinite ? $0 : nil }
    defer { changed() }
    guard !ring.isEmpty else { return ring.append(Sample(time: time, value: value)) }
    let last = (first + ring.count - 1) % ring.count
    // A gap and a value never share a sample, except that a gap of no duration is dropped.
    if ring[last].time >= time || (ring[last].value == nil) == (value == nil),
      time.microseconds(since: ring[last].time) < microsecondsOfSample
    {
      return merge(value, into: &ring[last])
    }
    if ring.count < Self.mostSamples {
      ring.append(Sample(time: time, value: value))
    } else {
      ring[first] = Sample(time: time, value: value)
      first = (first + 1) % ring.count
    }
  }

  /// Adds a value from a time on that may lie before others, until that of the sample after it.
  public func insert(_ value: Double?, at time: Timestamp) {
    guard count > 0, time < self[count - 1].time else { return append(value, at: time) }
    var place = (0..<count).firstIndex { self[$0].time > time } ?? count
    if place > 0 {
      let before = (first + place - 1) % ring.count
      if time.microseconds(since: ring[before].time) < microsecondsOfSample {
        merge(value.flatMap { $0.isFinite ? $0 : nil }, into: &ring[before])
        return changed()
      }
    }
    if ring.count == Self.mostSamples {
      // The oldest one makes room.
      guard place > 0 else { return }
      place -= 1
    }
    var samples = (0..<count).map { self[$0] }
    if ring.count == Self.mostSamples { samples.removeFirst() }
    samples.insert(Sample(time: time, value: value.flatMap { $0.isFinite ? $0 : nil }), at: place)
    ring.replaceSubrange(ring.indices, with: samples)
    first = 0
    changed()
  }

  private func changed() {
    version &+= 1
    for hook in onChange { hook() }
  }

  private func merge(_ value: Double?, into sample: inout Sample) {
    guard let value else {
      sample = Sample(time: sample.time, value: nil)
      return
    }
    sample.minimum = sample.value == nil ? value : min(sample.minimum, value)
    sample.maximum = sample.value == nil ? value : max(sample.maximum, value)
    sample.value = value
  }

  /// Takes the samples of another series, when its file is read again.
  package func take(_ other: Series?) {
    guard let other, other !== self, count == 0 else { return }
    for index in 0..<other.count { ring.append(other[index]) }
    version &+= 1
  }

  /// Returns the index of the first sample for a chart of some seconds that ends at a time. It
  /// is the last one before the chart's beginning if there is one, and has the value there.
  public func start(of seconds: Double, before end: Timestamp) -> Int {
    let beginning = end.advanced(bySeconds: -seconds)
    return max(0, (0..<count).partition { self[$0].time <= beginning } - 1)
  }
}
