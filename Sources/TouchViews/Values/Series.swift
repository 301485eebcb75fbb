import TouchCore

/// What a value was over the last seconds: what a chart shows. (`history:` of a named value.)
///
/// Its memory is fixed when it is made. Values that come faster than it can keep apart share a sample, which keeps the smallest and
/// the largest of them: a peak is never lost, and a day costs as much to paint as a minute.
public final class Series {
  /// What the value was from a time on, until that of the next sample.
  public struct Sample: Hashable, Sendable {
    /// When the first of its values came.
    public var time: Timestamp
    /// The smallest value while the sample lasted; NaN in a gap.
    public var minimum: Double
    /// The largest value while the sample lasted; NaN in a gap.
    public var maximum: Double
    /// The last value; nil while there was none, which is a gap in the chart.
    public var value: Double?

    fileprivate init(time: Timestamp, value: Double?) {
      (self.time, self.value) = (time, value)
      (minimum, maximum) = (value ?? .nan, value ?? .nan)
    }
  }

  /// The most samples: as many as a large panel has columns of pixels for a chart.
  public static let mostSamples = 1440
  /// How far back it goes.
  public let seconds: Double
  /// The bytes that its samples take, however many there are.
  public static var bytes: Int { mostSamples * MemoryLayout<Sample>.stride }
  /// Grows with each value: a painter that has drawn a version need not draw it again.
  public private(set) var version = 0
  /// Told after each value that came: a chart that has to be drawn again. The series outlives no view, so who sets it holds itself
  /// weakly.
  public var onChange: [() -> Void] = []

  /// A ring: the oldest is at `first`.
  private var ring: [Sample] = []
  private var first = 0

  /// - Parameter seconds: how far back it goes; above 0.
  public init(seconds: Double) {
    self.seconds = seconds
    ring.reserveCapacity(Self.mostSamples)
  }

  /// How long a sample collects values: the seconds of the series, shared by its samples.
  private var microsecondsOfSample: Int64 {
    let share = seconds * 1_000_000 / Double(Self.mostSamples)
    return share < 9e18 ? Int64(share) : .max
  }

  /// What the value is until the first one comes; nil where that is not known. When it became so is not known, so it is no sample.
  package var initial: Double?

  /// What the value is now; nil in a gap.
  package var latest: Double? { count > 0 ? self[count - 1].value : initial }

  /// How many samples there are.
  public var count: Int { ring.count }

  /// The samples, the oldest first. The first one may be older than `seconds`: it says what the value was when they began.
  public subscript(index: Int) -> Sample {
    let place = first + index
    return ring[place < ring.count ? place : place - ring.count]
  }

  /// Notes what the value is from a time on.
  ///
  /// - Parameters:
  ///   - value: nil, or not a finite number, for a gap.
  ///   - time: not before that of the value before; one that is counts as the same time.
  public func append(_ value: Double?, at time: Timestamp) {
    let value = value.flatMap { $0.isFinite ? $0 : nil }
    defer {
      version &+= 1
      for told in onChange { told() }
    }
    guard !ring.isEmpty else { return ring.append(Sample(time: time, value: value)) }
    let last = (first + ring.count - 1) % ring.count
    // A gap and a value are never one sample, but a gap that ends in the moment in which it began was none.
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

  private func merge(_ value: Double?, into sample: inout Sample) {
    guard let value else {
      sample = Sample(time: sample.time, value: nil)
      return
    }
    sample.minimum = sample.value == nil ? value : min(sample.minimum, value)
    sample.maximum = sample.value == nil ? value : max(sample.maximum, value)
    sample.value = value
  }

  /// Takes the samples of another series, of a file that was read again.
  package func take(_ other: Series?) {
    guard let other, other !== self, count == 0 else { return }
    for index in 0..<other.count { ring.append(other[index]) }
    version &+= 1
  }

  /// The first sample that counts for a chart of so many seconds that ends at a time: the last one before it begins, if there is
  /// one, and so the value that it begins with.
  public func start(of seconds: Double, before end: Timestamp) -> Int {
    let beginning = end.advanced(bySeconds: -seconds)
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].time <= beginning { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }
}
