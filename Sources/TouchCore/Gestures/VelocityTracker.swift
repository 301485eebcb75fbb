/// The rate of change of two numbers over the last tenth of a second.
struct VelocityTracker {
  private struct Sample {
    var time: Timestamp
    var x, y: Double
  }

  private var readings: [Sample] = []
  /// The time that is remembered, in seconds. It evens out a panel's report rate, and soon forgets a rest.
  private static let memory = 0.1
  private static let capacity = 16

  init() { readings.reserveCapacity(Self.capacity) }

  mutating func note(x: Double, y: Double = 0, at time: Timestamp) {
    forget(before: time)
    if let last = readings.last, last.time == time { readings.removeLast() }
    if readings.count == Self.capacity { readings.removeFirst() }
    readings.append(Sample(time: time, x: x, y: y))
  }

  /// Returns the rate of change in a second; zero after a rest.
  mutating func velocity(at time: Timestamp) -> (x: Double, y: Double) {
    forget(before: time)
    guard let first = readings.first, let last = readings.last, first.time < last.time else { return (0, 0) }
    let seconds = last.time.seconds(since: first.time)
    return ((last.x - first.x) / seconds, (last.y - first.y) / seconds)
  }

  mutating func removeAll() { readings.removeAll(keepingCapacity: true) }

  private mutating func forget(before time: Timestamp) {
    readings.removeAll { time.seconds(since: $0.time) > Self.memory }
  }
}
