import TouchCore
import TouchPixels
import TouchViews

/// The lines that follow moving fingers and fade.
package struct Trails {
  package struct Point: Hashable, Sendable {
    package var location: WindowPoint
    /// The line's opacity, from 0 to 1.
    package internal(set) var strength = 1.0
    var time: Timestamp
  }

  /// One finger's line. It is a class, so that a change never copies the points.
  package final class Trail {
    /// The points, oldest first. A line of one point is not drawn.
    package internal(set) var points: [Point] = []
    var touch = 0
    var isDown = false

    init() { points.reserveCapacity(Trails.mostPoints + 1) }
  }

  /// The line's width at the finger, in window units. It decreases with the strength.
  package static let width = 8.0

  package private(set) var trails: [Trail] = []
  /// Unused trails, for the next touches.
  private var spare: [Trail] = []

  /// The most points of a trail. A fast finger on a fast panel draws this many in half a second.
  static let mostPoints = 96
  /// The shortest segment, in window units. A point closer to the previous one adds none.
  private static let shortest = 3.0

  package var areFading: Bool { trails.contains { $0.points.count > 1 } }

  /// Updates the trails, whose points are visible for some seconds, and adds changes to the damage.
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
      if trails[index].points.isEmpty { spare.append(trails.remove(at: index)) } else { index += 1 }
    }
  }

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
      // The trail of a resting finger fades too.
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
    // A segment whose newer end has faded is removed.
    var gone = 0
    while gone + 1 < trail.points.count, trail.points[gone + 1].strength == 0 { gone += 1 }
    if gone + 1 == trail.points.count, !trail.isDown { gone += 1 }
    if gone > 0 { trail.points.removeFirst(gone) }
  }

  private func damageLine(of trail: Trail, into damage: inout Damage) {
    for index in trail.points.indices.dropFirst() {
      damage.add(Self.rect(from: trail.points[index - 1].location, to: trail.points[index].location))
    }
  }

  /// Returns the rectangle that the line between two points may paint, in window space.
  package static func rect(from first: WindowPoint, to second: WindowPoint) -> WindowRect {
    WindowRect(
      x: min(first.x, second.x), y: min(first.y, second.y), width: abs(first.x - second.x),
      height: abs(first.y - second.y)
    ).outset(by: width / 2 + 1)
  }
}

/// Paints trails, lines that become thinner and fainter with age, pixel by pixel, because each picture
/// differs. Where a line crosses itself, the stronger part is visible.
final class TrailPainter {
  private let displayFromWindow, windowFromDisplay: AffineTransform
  /// A pixel's width, in window units.
  private let pixelWidth: Double
  private let row: UnsafeMutableBufferPointer<UInt8>
  private var segments: [Segment] = []

  /// The opacity at the finger, as a part of the colour's opacity.
  private static let strongest = 0.75
  /// The width at the line's end, as a part of `Trails.width`.
  private static let thinnest = 0.3

  private struct Segment {
    var pixels: PixelRect
    var start, end: Trails.Point
  }

  init(displayFromWindow: AffineTransform, display: PixelRect) {
    self.displayFromWindow = displayFromWindow
    windowFromDisplay = displayFromWindow.inverse ?? .identity
    pixelWidth = abs(windowFromDisplay.determinant).squareRoot()
    row = .allocate(capacity: max(1, display.width))
    row.initialize(repeating: 0)
  }

  deinit { row.deallocate() }

  func paint(_ points: [Trails.Point], _ color: Color, _ clip: PixelRect, _ target: Target) {
    let area = clip.intersection(target.area)
    segments.removeAll(keepingCapacity: true)
    var reach = PixelRect.empty
    for index in points.indices.dropFirst() {
      let (start, end) = (points[index - 1], points[index])
      let rect = Trails.rect(from: start.location, to: end.location)
      let pixels = PixelRect(covering: displayFromWindow.bounding(rect), sliver: RoundedRect.snap)
        .intersection(area)
      guard !pixels.isEmpty else { continue }
      segments.append(Segment(pixels: pixels, start: start, end: end))
      reach = reach.union(pixels)
    }
    target.settle(reach)
    for y in reach.minY..<max(reach.minY, reach.maxY) { paintRow(y, reach.minX..<reach.maxX, color, target) }
  }

  private func paintRow(_ y: Int, _ columns: Range<Int>, _ color: Color, _ target: Target) {
    var touched = columns.upperBound..<columns.upperBound
    for segment in segments where y >= segment.pixels.minY && y < segment.pixels.maxY {
      let part = segment.pixels.minX..<segment.pixels.maxX
      for x in part {
        let level = level(of: segment, x: x, y: y)
        row[x - columns.lowerBound] = max(row[x - columns.lowerBound], level)
      }
      touched =
        min(
          touched.lowerBound, part.lowerBound)..<max(
          part.upperBound, touched.isEmpty ? 0 : touched.upperBound)
    }
    let pixels = target.surface.pixels + ((y - target.originY) * target.surface.width - target.originX)
    for x in touched {
      let level = row[x - columns.lowerBound]
      guard level > 0 else { continue }
      row[x - columns.lowerBound] = 0
      pixels[x] = over(color.premultiplied(coverage: UInt32(level)), pixels[x])
    }
  }

  private func level(of segment: Segment, x: Int, y: Int) -> UInt8 {
    let place: WindowPoint = windowFromDisplay.map(
      Point<DisplaySpace>(x: Double(x) + 0.5, y: Double(y) + 0.5))
    let (start, end) = (segment.start.location, segment.end.location)
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let length = dx * dx + dy * dy
    let along =
      length > 0 ? max(0, min(1, ((place.x - start.x) * dx + (place.y - start.y) * dy) / length)) : 0
    let nearest = WindowPoint(x: start.x + along * dx, y: start.y + along * dy)
    let strength = segment.start.strength + along * (segment.end.strength - segment.start.strength)
    let radius = Trails.width / 2 * (Self.thinnest + (1 - Self.thinnest) * strength)
    let covered = max(0, min(1, (radius - place.distance(to: nearest)) / pixelWidth + 0.5))
    return UInt8(255 * covered * strength * Self.strongest)
  }
}
