import TouchCore

/// The motion of a scroll view along one axis after the finger lifted: it coasts and slows down, or a spring
/// takes it to a place. Both are functions of time, so that late steps do not change where it goes.
///
/// Apple documents the deceleration rates (`UIScrollView.DecelerationRate`: the speed is multiplied by 0.998
/// or 0.99 each millisecond). It documents neither the rubber band nor the spring: their figures are those
/// that were measured on iOS.
struct ScrollMotion {
  private enum Course {
    /// - `rate`: of the speed's decay, a second; negative.
    case coasting(from: Double, speed: Double, rate: Double)
    /// A spring that does not swing, from a distance on either side of its end.
    case springing(to: Double, distance: Double, speed: Double, stiffness: Double)
  }

  private let course: Course
  private let start: Timestamp

  /// The stiffness of the spring at an edge, a second.
  private static let edgeStiffness = 10.0
  static let pageStiffness = 20.0
  /// The distance from its end at which a motion is over, in units.
  private static let closeEnough = 0.5
  /// A finger that is faster when it lifts turns the page, in units a second.
  static let pageSpeed = 200.0

  /// Returns the motion of content when a finger lets it go: beyond an edge it springs back, pages spring to
  /// their places, and else it coasts. Nil where it rests.
  /// - Parameter range: the offsets of the scroll view along the axis.
  /// - Parameter speed: the speed of the offset, in units a second.
  /// - Parameter length: the length of the scroll view along the axis.
  static func released(
    at offset: Double, in range: ClosedRange<Double>, speed: Double, length: Double,
    _ scrolling: ScrollView.Scrolling, at time: Timestamp
  ) -> ScrollMotion? {
    guard range.contains(offset) else {
      let edge = range.nearest(to: offset)
      return .springing(
        from: offset, to: edge, speed: speed * slope(at: abs(offset - edge), length: length),
        stiffness: edgeStiffness, at: time)
    }
    guard range.isOpen else { return nil }
    guard scrolling.isPaging, length > 0 else {
      return .coasting(from: offset, speed: speed, scrolling.deceleration, at: time)
    }
    let place = offset / length
    let page =
      abs(speed) < pageSpeed ? place.rounded() : speed > 0 ? place.rounded(.down) + 1 : place.rounded(.up) - 1
    return .turning(from: offset, to: range.nearest(to: page * length), speed: speed, at: time)
  }

  /// The spring that takes a page to its place, and not beyond it.
  static func turning(from offset: Double, to end: Double, speed: Double, at time: Timestamp) -> ScrollMotion
  {
    // Faster, and it would go beyond the page.
    let fastest = pageStiffness * abs(end - offset)
    return .springing(
      from: offset, to: end, speed: min(max(speed, -fastest), fastest), stiffness: pageStiffness, at: time)
  }

  /// Coasts; nil for a speed at which it would not get anywhere.
  /// - Parameter offset: the offset in units.
  /// - Parameter speed: the speed in units a second.
  static func coasting(
    from offset: Double, speed: Double, _ deceleration: ScrollView.Deceleration, at time: Timestamp
  ) -> ScrollMotion? {
    guard speed.isFinite, abs(speed / deceleration.rate) > closeEnough else { return nil }
    return ScrollMotion(course: .coasting(from: offset, speed: speed, rate: deceleration.rate), start: time)
  }

  /// Coasts with the speed at which it gets to an end.
  static func coasting(
    from offset: Double, to end: Double, _ deceleration: ScrollView.Deceleration, at time: Timestamp
  ) -> ScrollMotion? {
    coasting(from: offset, speed: (offset - end) * deceleration.rate, deceleration, at: time)
  }

  static func springing(
    from offset: Double, to end: Double, speed: Double, stiffness: Double, at time: Timestamp
  ) -> ScrollMotion {
    ScrollMotion(
      course: .springing(
        to: end, distance: offset - end, speed: speed.isFinite ? speed : 0, stiffness: stiffness),
      start: time)
  }

  /// Returns the place and the speed at a time; nil at the end.
  func state(at time: Timestamp) -> (offset: Double, speed: Double)? {
    let seconds = max(0, time.seconds(since: start))
    switch course {
    case .coasting(let origin, let speed, let rate):
      let now = speed * (rate * seconds).exponential
      guard abs(now / rate) > Self.closeEnough else { return nil }
      return (origin + (now - speed) / rate, now)
    case .springing(let end, let distance, let speed, let stiffness):
      let decay = (-stiffness * seconds).exponential
      let slope = speed + stiffness * distance
      let isNear = (abs(distance) + abs(slope) * seconds) * decay < Self.closeEnough
      // At the start it may be at its end, and go away from it.
      if isNear && (seconds * stiffness > 1 || abs(slope) < stiffness) { return nil }
      let now = (distance + slope * seconds) * decay
      return (end + now, slope * decay - stiffness * now)
    }
  }

  /// The same from another place: only what coasts has no place of its own to go to.
  func moved(by way: Double) -> ScrollMotion? {
    guard case .coasting(let origin, let speed, let rate) = course, way.isFinite else { return nil }
    return ScrollMotion(course: .coasting(from: origin + way, speed: speed, rate: rate), start: start)
  }

  var end: Double {
    switch course {
    case .coasting(let origin, let speed, let rate): origin - speed / rate
    case .springing(let end, _, _, _): end
    }
  }

  /// The motion that follows when it coasts beyond an edge: a spring, from the moment in which it passed the
  /// edge; nil for one that is a spring already.
  func bouncing(at edge: Double, passedBefore time: Timestamp) -> ScrollMotion? {
    guard case .coasting(let origin, let speed, let rate) = course, let now = state(at: time) else {
      return nil
    }
    // The speed falls in proportion to the way.
    let passing = speed + rate * (edge - origin)
    let since = abs(passing + now.speed) > 0 ? 2 * (now.offset - edge) / (passing + now.speed) : 0
    return .springing(
      from: edge, to: edge, speed: passing, stiffness: Self.edgeStiffness,
      at: max(start, time.advanced(bySeconds: -max(0, since))))
  }

  /// Goes on to a time: a motion becomes a spring where it passes an edge, and nil at its end.
  /// - Parameter bounces: whether it may go beyond an edge.
  /// - Returns: the place at that time; nil for no motion.
  static func advance(
    _ motion: inout ScrollMotion?, in range: ClosedRange<Double>, bounces: Bool, to time: Timestamp
  ) -> Double? {
    guard let course = motion else { return nil }
    guard var now = course.state(at: time) else {
      motion = nil
      return range.nearest(to: course.end)
    }
    let edge = range.nearest(to: now.offset)
    guard edge != now.offset, let spring = course.bouncing(at: edge, passedBefore: time) else {
      return now.offset
    }
    motion = bounces ? spring : nil
    now = motion?.state(at: time) ?? (edge, 0)
    return now.offset
  }

  // MARK: Rubber band

  /// Returns the distance of content whose finger is beyond its edge: (1 − 1 / (x · 0.55 / d + 1)) · d.
  /// - Parameter distance: the distance of the finger, 0 or more.
  /// - Parameter length: the length of the scroll view along the axis.
  static func stretched(_ distance: Double, length: Double) -> Double {
    length > 0 ? (1 - 1 / (distance * elasticity / length + 1)) * length : 0
  }

  /// Returns the distance of the finger for content beyond its edge: the inverse of `stretched`.
  static func unstretched(_ distance: Double, length: Double) -> Double {
    guard length > 0 else { return 0 }
    return (1 / (1 - min(distance / length, 0.99)) - 1) * length / elasticity
  }

  /// Returns the speed of content that is so far beyond its edge, as a part of the finger's: the derivative
  /// of `stretched`.
  static func slope(at distance: Double, length: Double) -> Double {
    guard length > 0 else { return 0 }
    let rest = 1 - min(distance / length, 1)
    return elasticity * rest * rest
  }

  private static let elasticity = 0.55
}

extension ScrollView.Deceleration {
  /// The logarithm of the documented factor, a second instead of a millisecond.
  fileprivate var rate: Double {
    switch self {
    case .normal: -2.002_002_670_673_079
    case .fast: -10.050_335_853_501_45
    }
  }
}

extension Double {
  /// e to the power of this number, which is 0 or less. The standard library has no such function, and the
  /// core imports nothing.
  var exponential: Double {
    guard self > -700 else { return 0 }
    // e^x = (e^(x/1024))^1024, and five terms of the series are exact to ten digits for so small a number.
    let part = self / 1024
    var power = 1 + part * (1 + part / 2 * (1 + part / 3 * (1 + part / 4 * (1 + part / 5))))
    for _ in 0..<10 { power *= power }
    return power
  }
}

/// The offsets of a scroll view along one axis, from its first edge to its last.
extension ClosedRange<Double> {
  func nearest(to offset: Double) -> Double { Swift.min(Swift.max(offset, lowerBound), upperBound) }

  /// Whether there is more than one offset.
  var isOpen: Bool { lowerBound < upperBound }

  func leads(from offset: Double, by way: Double) -> Bool {
    way < 0 ? offset > lowerBound : way > 0 && offset < upperBound
  }

  /// The offset for a finger that went to another one, with the rubber band beyond the edges.
  func stretched(_ offset: Double, _ length: Double, _ bounces: Bool) -> Double {
    let edge = nearest(to: offset)
    guard bounces, offset.isFinite else { return edge }
    let beyond = ScrollMotion.stretched(abs(offset - edge), length: length)
    return offset < edge ? edge - beyond : edge + beyond
  }

  /// Returns the place of the finger at an offset: the inverse of `stretched`.
  func unstretched(_ offset: Double, _ length: Double) -> Double {
    let edge = nearest(to: offset)
    let beyond = ScrollMotion.unstretched(abs(offset - edge), length: length)
    return offset < edge ? edge - beyond : edge + beyond
  }
}
