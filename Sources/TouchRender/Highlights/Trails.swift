import TouchCore

/// The lines that fingers draw behind them, and that go by themselves.
public struct Trails {
  /// A place where a finger was, and how much of the line's colour is left there.
  public struct Point: Hashable, Sendable {
    /// In window space.
    public var location: WindowPoint
    /// 0 … 1.
    public internal(set) var strength = 1.0
    var time: Timestamp
  }

  /// One finger's line. A class, so that no copy of the points is ever made for a change of them.
  public final class Trail {
    /// Oldest first. A line of one point is not drawn.
    public internal(set) var points: [Point] = []
    var touch = 0
    var isDown = false

    init() {
      points.reserveCapacity(Trails.mostPoints + 1)
    }
  }

  /// The line's width where the finger is, in window units. It gets thinner with its strength.
  public static let width = 8.0

  public private(set) var trails: [Trail] = []
  /// Trails of touches that are over, for the next ones.
  private var spare: [Trail] = []

  /// A fast finger on a fast panel draws this much in half a second.
  static let mostPoints = 96
  /// A point nearer to the one before than this is not worth a line of its own, in window units.
  private static let shortest = 3.0

  /// Whether any line is there that gets fainter by itself.
  public var areFading: Bool { trails.contains { $0.points.count > 1 } }

  /// Brings the lines up to date and adds what has to be drawn again.
  ///
  /// - Parameter length: how long a point can be seen, in seconds; above 0.
  mutating func update(touches: [Touch], length: Double, at time: Timestamp, into damage: inout Damage) {
    for index in trails.indices {
      trails[index].isDown = false
      damageLine(of: trails[index], into: &damage)
    }
    for touch in touches where touch.location.isFinite { follow(touch, at: time) }
    var index = 0
    while index < trails.count {
      age(trails[index], length: length, at: time)
      damageLine(of: trails[index], into: &damage)
      if trails[index].points.isEmpty {
        spare.append(trails.remove(at: index))
      } else {
        index += 1
      }
    }
  }

  /// Forgets every line.
  mutating func removeAll(into damage: inout Damage) {
    for trail in trails { damageLine(of: trail, into: &damage) }
    trails.removeAll()
  }

  private mutating func follow(_ touch: Touch, at time: Timestamp) {
    let trail = trail(of: touch.id)
    trail.isDown = true
    let point = Point(location: touch.location, time: time)
    let count = trail.points.count
    if count > 0 && trail.points[count - 1].location == touch.location {
      // The line behind a finger that rests goes all the same.
      if count == 1 { trail.points[0] = point }
    } else if count > 1, trail.points[count - 2].location.distance(to: touch.location) < Self.shortest {
      trail.points[count - 1] = point
    } else {
      if count == Self.mostPoints { trail.points.removeFirst() }
      trail.points.append(point)
    }
  }

  private mutating func trail(of touch: Int) -> Trail {
    for trail in trails where trail.touch == touch { return trail }
    let trail = spare.popLast() ?? Trail()
    trail.touch = touch
    trails.append(trail)
    return trail
  }

  private func age(_ trail: Trail, length: Double, at time: Timestamp) {
    for index in trail.points.indices {
      let age = time.seconds(since: trail.points[index].time) / length
      trail.points[index].strength = max(0, min(1, 1 - age))
    }
    // A line whose newer end has gone has gone.
    var gone = 0
    while gone + 1 < trail.points.count, trail.points[gone + 1].strength == 0 { gone += 1 }
    if gone + 1 == trail.points.count, !trail.isDown { gone += 1 }
    if gone > 0 { trail.points.removeFirst(gone) }
  }

  private func damageLine(of trail: Trail, into damage: inout Damage) {
    for index in trail.points.indices.dropFirst() {
      damage.add(
        Self.rect(from: trail.points[index - 1].location, to: trail.points[index].location))
    }
  }

  /// Where the line between two points may paint, in window space.
  public static func rect(from first: WindowPoint, to second: WindowPoint) -> WindowRect {
    WindowRect(
      x: min(first.x, second.x), y: min(first.y, second.y), width: abs(first.x - second.x),
      height: abs(first.y - second.y)
    ).outset(by: width / 2 + 1)
  }
}
