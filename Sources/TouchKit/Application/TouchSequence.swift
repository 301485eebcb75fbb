import TouchCore

/// A sequence of finger movements for `Application.touch(_:)`. Points are in the window's space.
public struct TouchSequence: Hashable, Sendable {
  struct Step: Hashable, Sendable {
    /// The time after the previous step.
    var wait = Duration.zero
    var finger = 1
    var kind: TouchChange.Kind
    var location: WindowPoint
  }

  private(set) var steps: [Step]

  private static let tapTime = Duration.milliseconds(60)
  private static let tapPause = Duration.milliseconds(100)
  /// The time between two moves, for 60 a second.
  private static let moveTime = Duration.milliseconds(16)

  // MARK: Whole gestures

  /// Returns a sequence in which a finger goes down and lifts.
  ///
  /// - Parameters:
  ///   - point: the place of the finger.
  ///   - count: the number of taps, such as 2 for a double tap.
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

  /// Returns a sequence in which a finger goes down in the middle of a view, and
  /// lifts. A view without a window is not touched.
  public static func tap(_ view: View, count: Int = 1) -> Self {
    guard view.window != nil else { return Self(steps: []) }
    return tap(at: view.windowFromLocal.map(view.bounds.center), count: count)
  }

  /// Returns a sequence in which a finger goes down, rests, and lifts.
  public static func press(at point: WindowPoint, for time: Duration = .milliseconds(600)) -> Self {
    Self(steps: [Step(kind: .began, location: point), Step(wait: time, kind: .ended, location: point)])
  }

  /// Returns a sequence in which a finger goes down, moves from point to point, and
  /// lifts at the last one. It moves 60 times a second.
  ///
  /// - Parameters:
  ///   - points: the points, at least two.
  ///   - time: the time for the whole way.
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

  /// Returns a sequence in which a finger goes down, moves straight to another point, and lifts there.
  public static func drag(
    from start: WindowPoint, to end: WindowPoint, over time: Duration = .milliseconds(300)
  ) -> Self { drag(through: [start, end], over: time) }

  /// Returns a sequence in which two fingers, side by side, move apart or together around a point.
  ///
  /// - Parameters:
  ///   - point: the point in the middle between the fingers.
  ///   - distance: the distance of the fingers at first, in window units.
  ///   - last: their distance at the end, in window units.
  ///   - time: the time for the whole movement.
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

  /// Returns a step in which a finger goes down.
  ///
  /// - Parameters:
  ///   - point: the place of the finger.
  ///   - finger: a number that names the finger in later steps. A
  ///     finger that is already down stays where it is.
  public static func began(at point: WindowPoint, finger: Int = 1) -> Self {
    Self(steps: [Step(finger: finger, kind: .began, location: point)])
  }

  /// Returns a step in which a finger that is down moves.
  public static func moved(to point: WindowPoint, finger: Int = 1) -> Self {
    Self(steps: [Step(finger: finger, kind: .moved, location: point)])
  }

  /// Returns a step in which a finger that is down lifts.
  public static func ended(at point: WindowPoint, finger: Int = 1) -> Self {
    Self(steps: [Step(finger: finger, kind: .ended, location: point)])
  }

  /// Returns a step that cancels a finger's touch, as when the panel is unplugged.
  public static func cancelled(at point: WindowPoint, finger: Int = 1) -> Self {
    Self(steps: [Step(finger: finger, kind: .cancelled, location: point)])
  }

  /// Joins two sequences, one after the other.
  public static func + (first: Self, second: Self) -> Self { Self(steps: first.steps + second.steps) }
}
