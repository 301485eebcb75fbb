import TouchCore

/// What fingers do, one thing after the other, for `Application.touch(_:)`. Points are in the window's space.
public struct TouchSequence: Hashable, Sendable {
  struct Step: Hashable, Sendable {
    /// After the step before.
    var wait = Duration.zero
    var finger = 1
    var kind: TouchChange.Kind
    var location: WindowPoint
  }

  private(set) var steps: [Step]

  /// Between down and up.
  private static let tapTime = Duration.milliseconds(60)
  /// Between two taps of a double tap.
  private static let tapPause = Duration.milliseconds(100)
  /// Between two moves: 60 a second.
  private static let moveTime = Duration.milliseconds(16)

  // MARK: Whole gestures

  /// A finger goes down and lifts.
  ///
  /// - Parameters:
  ///   - point: where.
  ///   - count: how often, as for a double tap.
  public static func tap(at point: WindowPoint, count: Int = 1) -> Self {
    var sequence = Self(steps: [])
    for index in 0..<max(0, count) {
      sequence.steps += [
        Step(wait: index == 0 ? .zero : tapPause, kind: .began, location: point),
        Step(wait: tapTime, kind: .ended, location: point),
      ]
    }
    return sequence
  }

  /// A finger goes down in the middle of a view, and lifts. A view that is in no window is not touched.
  public static func tap(_ view: View, count: Int = 1) -> Self {
    guard view.window != nil else { return Self(steps: []) }
    return tap(at: view.windowFromLocal.map(view.bounds.center), count: count)
  }

  /// A finger goes down, rests, and lifts.
  public static func press(at point: WindowPoint, for time: Duration = .milliseconds(600)) -> Self {
    Self(steps: [Step(kind: .began, location: point), Step(wait: time, kind: .ended, location: point)])
  }

  /// A finger goes down, moves from point to point, and lifts at the last one. It moves 60 times a second.
  ///
  /// - Parameters:
  ///   - points: at least two.
  ///   - time: how long all of the way takes.
  public static func drag(through points: [WindowPoint], over time: Duration = .milliseconds(300)) -> Self {
    guard let first = points.first, let last = points.last, points.count > 1 else { return Self(steps: []) }
    var steps = [Step(kind: .began, location: first)]
    let count = max(points.count - 1, Int(time / moveTime))
    for index in 1...count {
      let place = Double(index) / Double(count) * Double(points.count - 1)
      let leg = min(Int(place), points.count - 2)
      let (from, to, part) = (points[leg], points[leg + 1], place - Double(leg))
      let location = WindowPoint(x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part)
      steps.append(Step(wait: time / count, kind: .moved, location: location))
    }
    steps.append(Step(kind: .ended, location: last))
    return Self(steps: steps)
  }

  /// A finger goes down, moves straight to another point, and lifts there.
  public static func drag(
    from start: WindowPoint, to end: WindowPoint, over time: Duration = .milliseconds(300)
  ) -> Self { drag(through: [start, end], over: time) }

  /// Two fingers, side by side, move apart or together around a point.
  ///
  /// - Parameters:
  ///   - point: in the middle between the fingers.
  ///   - distance: between the fingers at first, in window units.
  ///   - last: between them at the end.
  ///   - time: how long all of it takes.
  public static func pinch(
    around point: WindowPoint, from distance: Double, to last: Double,
    over time: Duration = .milliseconds(300)
  ) -> Self {
    let count = max(1, Int(time / moveTime))
    func both(_ kind: TouchChange.Kind, _ distance: Double, after wait: Duration) -> [Step] {
      [
        Step(wait: wait, kind: kind, location: WindowPoint(x: point.x - distance / 2, y: point.y)),
        Step(finger: 2, kind: kind, location: WindowPoint(x: point.x + distance / 2, y: point.y)),
      ]
    }
    var steps = both(.began, distance, after: .zero)
    for index in 1...count {
      let part = Double(index) / Double(count)
      steps += both(.moved, distance + (last - distance) * part, after: time / count)
    }
    return Self(steps: steps + both(.ended, last, after: .zero))
  }

  // MARK: Single steps

  /// A finger goes down.
  ///
  /// - Parameters:
  ///   - point: where.
  ///   - finger: names it in later steps. One that is down already stays where it is.
  public static func began(at point: WindowPoint, finger: Int = 1) -> Self {
    Self(steps: [Step(finger: finger, kind: .began, location: point)])
  }

  /// A finger that is down moves.
  public static func moved(to point: WindowPoint, finger: Int = 1) -> Self {
    Self(steps: [Step(finger: finger, kind: .moved, location: point)])
  }

  /// A finger that is down lifts.
  public static func ended(at point: WindowPoint, finger: Int = 1) -> Self {
    Self(steps: [Step(finger: finger, kind: .ended, location: point)])
  }

  /// A finger's touch is broken off, as when the panel is unplugged.
  public static func cancelled(at point: WindowPoint, finger: Int = 1) -> Self {
    Self(steps: [Step(finger: finger, kind: .cancelled, location: point)])
  }

  /// One after the other.
  public static func + (first: Self, second: Self) -> Self { Self(steps: first.steps + second.steps) }
}
