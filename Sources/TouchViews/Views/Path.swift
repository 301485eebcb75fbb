import TouchCore

/// Lines and curves, to be filled or drawn along. (`UIBezierPath`, SwiftUI's `Path`.)
///
/// Coordinates are those of the space in which it is drawn: of a view, its bounds space.
public struct Path: Hashable, Sendable {
  /// A step of the path.
  public enum Element: Hashable, Sendable {
    /// Begins a new part.
    case move(LocalPoint)
    /// A straight line to a point.
    case line(LocalPoint)
    /// A quadratic Bézier curve to a point.
    case quadCurve(LocalPoint, control: LocalPoint)
    /// A cubic Bézier curve to a point.
    case curve(LocalPoint, control1: LocalPoint, control2: LocalPoint)
    /// A line to where the part began, which joins its two ends.
    case close
  }

  /// The elements in the order in which they were added.
  public private(set) var elements: [Element] = []

  /// Makes a path without elements.
  public init() {}

  /// A rectangle, with round corners or without. (`UIBezierPath.init(roundedRect:cornerRadius:)`.)
  ///
  /// - Parameters:
  ///   - rect: the rectangle in the units of the view.
  ///   - corners: the corners. More than half of the shorter side counts as half.
  public init(_ rect: LocalRect, corners: Corners = Corners(0)) {
    let most = min(rect.width, rect.height) / 2
    let places: [(x: Double, y: Double, radius: Double)] = [
      (rect.maxX, rect.minY, corners.topRight), (rect.maxX, rect.maxY, corners.bottomRight),
      (rect.minX, rect.maxY, corners.bottomLeft), (rect.minX, rect.minY, corners.topLeft),
    ]
    for (index, place) in places.enumerated() {
      let radius = max(0, min(place.radius, most))
      let center = LocalPoint(
        x: place.x + (index < 2 ? -radius : radius),
        y: place.y + (index == 1 || index == 2 ? -radius : radius))
      addArc(
        center: center, radius: radius, startAngle: Double(index) * 90, endAngle: Double(index) * 90 + 90)
    }
    close()
  }

  /// An ellipse. (`UIBezierPath.init(ovalIn:)`.)
  public init(_ ellipse: Ellipse<LocalSpace>) {
    let rect = ellipse.rect
    func point(_ x: Double, _ y: Double) -> LocalPoint {
      LocalPoint(x: rect.midX + x * rect.width / 2, y: rect.midY + y * rect.height / 2)
    }
    let arc = Arc(center: .zero, radius: 1, start: 0, end: 360)
    move(to: point(arc.first.x, arc.first.y))
    arc.forEachCurve { control1, control2, end in
      addCurve(
        to: point(end.x, end.y), control1: point(control1.x, control1.y),
        control2: point(control2.x, control2.y))
    }
    close()
  }

  /// The smallest rectangle around all points, control points included; nothing for a path without elements.
  /// (`UIBezierPath.bounds`, around the control points as `CGPath.boundingBox` has it.)
  public var bounds: LocalRect {
    var (low, high) = (LocalPoint(x: .infinity, y: .infinity), LocalPoint(x: -.infinity, y: -.infinity))
    func add(_ point: LocalPoint) {
      low = LocalPoint(x: min(low.x, point.x), y: min(low.y, point.y))
      high = LocalPoint(x: max(high.x, point.x), y: max(high.y, point.y))
    }
    for element in elements {
      switch element {
      case .move(let point), .line(let point): add(point)
      case .quadCurve(let point, let control):
        add(point)
        add(control)
      case .curve(let point, let control1, let control2):
        add(point)
        add(control1)
        add(control2)
      case .close: break
      }
    }
    guard low.x <= high.x else { return .zero }
    return LocalRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
  }

  /// The end of the last element; nil for a path without elements, and after a closed part.
  public var currentPoint: LocalPoint? {
    switch elements.last {
    case .move(let point), .line(let point), .quadCurve(let point, _), .curve(let point, _, _): point
    case .close, nil: nil
    }
  }

  /// Begins a new part at a point. (`UIBezierPath.move(to:)`.)
  public mutating func move(to point: LocalPoint) { elements.append(.move(point)) }

  /// A line from the current point. A path without one begins there. (`UIBezierPath.addLine(to:)`.)
  public mutating func addLine(to point: LocalPoint) {
    elements.append(currentPoint == nil ? .move(point) : .line(point))
  }

  /// A curve from the current point, towards its control point.
  /// (`UIBezierPath.addQuadCurve(to:controlPoint:)`.)
  public mutating func addQuadCurve(to point: LocalPoint, control: LocalPoint) {
    if currentPoint == nil { move(to: control) }
    elements.append(.quadCurve(point, control: control))
  }

  /// A curve from the current point, which leaves towards the first control point and arrives from the second
  /// one. (`UIBezierPath.addCurve(to:controlPoint1:controlPoint2:)`.)
  public mutating func addCurve(to point: LocalPoint, control1: LocalPoint, control2: LocalPoint) {
    if currentPoint == nil { move(to: control1) }
    elements.append(.curve(point, control1: control1, control2: control2))
  }

  /// A part of a circle, after a line to where it begins.
  /// (`UIBezierPath.addArc(withCenter:radius:startAngle:endAngle:clockwise:)`, whose angles are in radians
  /// from three o'clock.)
  ///
  /// - Parameters:
  ///   - center: the centre in the units of the view.
  ///   - radius: the radius in the units of the view; with 0 there is only the line.
  ///   - startAngle: the beginning in degrees clockwise from twelve o'clock.
  ///   - endAngle: the end likewise; clockwise from the start if it is larger, otherwise the other way.
  public mutating func addArc(center: LocalPoint, radius: Double, startAngle: Double, endAngle: Double) {
    let arc = Arc(center: center, radius: radius, start: startAngle, end: endAngle)
    addLine(to: arc.first)
    guard radius > 0 else { return }
    arc.forEachCurve { addCurve(to: $2, control1: $0, control2: $1) }
  }

  /// Joins the two ends of the part. (`UIBezierPath.close()`.)
  public mutating func close() { if currentPoint != nil { elements.append(.close) } }

  /// Adds the parts of another path.
  public mutating func append(_ other: Path) { elements += other.elements }
}

/// The style of a line along a path.
public struct StrokeStyle: Hashable, Sendable {
  /// The end of a line. (`CGLineCap`.)
  public enum Cap: String, CaseIterable, Sendable {
    /// At its end, cut off straight.
    case butt
    /// With half a disc beyond its end.
    case round
    /// With half a square beyond its end.
    case square
  }

  /// The meeting of two lines. (`CGLineJoin`.)
  public enum Join: String, CaseIterable, Sendable {
    /// In a point, unless that would be more than four widths long.
    case miter
    /// In a part of a disc.
    case round
    /// In a corner that is cut off.
    case bevel
  }

  /// The width in units of the space, half on each side of the path. If the space
  /// is scaled differently along its axes, the width follows the mean of both.
  public var width: Double
  /// The ends of lines.
  public var cap: Cap
  /// The joins of lines.
  public var join: Join

  /// Makes a style, by default with round ends and joins.
  public init(width: Double = 1, cap: Cap = .round, join: Join = .round) {
    (self.width, self.cap, self.join) = (width, cap, join)
  }
}

/// A part of a circle, as curves.
package struct Arc: Hashable, Sendable {
  package var center: LocalPoint
  package var radius: Double
  /// The beginning in degrees clockwise from twelve o'clock.
  package var start: Double
  package var end: Double

  /// The length of each curve but the last, in degrees. An arc that grows keeps all curves but its last one.
  package static let stride = 15.0

  package init(center: LocalPoint, radius: Double, start: Double, end: Double) {
    (self.center, self.radius, self.start, self.end) = (center, radius, start, end)
  }

  package var first: LocalPoint { point(.rotation(degrees: start)) }

  /// Returns the end of a turn from twelve o'clock.
  private func point(_ turn: AffineTransform) -> LocalPoint {
    let point: LocalPoint = turn.map(LocalPoint(x: 0, y: -radius))
    return center.offset(x: point.x, y: point.y)
  }

  /// Calls `body` with the control points and the end of each curve.
  package func forEachCurve(
    _ body: (_ control1: LocalPoint, _ control2: LocalPoint, _ end: LocalPoint) -> Void
  ) {
    func control(_ turn: AffineTransform, _ length: Double) -> LocalPoint {
      let way: LocalPoint = turn.map(LocalPoint(x: length, y: 0))
      return point(turn).offset(x: way.x, y: way.y)
    }
    // Turns are most of the work, so each is computed once.
    var (from, turn) = (start, AffineTransform.rotation(degrees: start))
    var (length, tangent) = (0.0, 0.0)
    while from != end {
      // More than a whole turn is one.
      guard abs(from - start) < 360 else { return }
      let to = end > start ? min(end, from + Self.stride) : max(end, from - Self.stride)
      if to - from != length {
        length = to - from
        let quarter = AffineTransform.rotation(degrees: length / 4)
        // The length of the tangents, for an arc of a circle. (tan = sin / cos of a fourth of the angle.)
        tangent = 4 / 3 * quarter.b / quarter.a * radius
      }
      let next = AffineTransform.rotation(degrees: to)
      body(control(turn, tangent), control(next, -tangent), point(next))
      (from, turn) = (to, next)
    }
  }
}
