/// A view's extensions of UIKit's hit test. Every default is plain UIKit.
public struct HitBehavior {
  /// The parts of a view that can be hit: itself, its subviews, both or neither. (React Native's
  /// `pointerEvents`.)
  public enum PointerEvents: String, CaseIterable, Sendable {
    /// The view, and everything in it.
    case auto
    /// Neither the view nor anything in it.
    case nothing = "none"
    /// The view, but nothing in it.
    case boxOnly = "box-only"
    /// Everything in the view, but not the view.
    case boxNone = "box-none"
  }

  /// The distance outside its edges at which the view can be hit, in its own units. The superview's bounds
  /// still hold.
  public var slop = Insets.zero
  /// The parts that can be hit; `auto` is the view and its subviews.
  public var pointerEvents = PointerEvents.auto
  /// The part of the view that is hit; `slop` stretches it.
  public var shape = HitShape.rect()
  /// Whether subviews can be hit outside the view, unless it clips. The view itself cannot.
  /// (React Native's `RCTView` does so.)
  public var overflows = false
  /// The view that is hit instead of this view and its subviews, if a point lies in both. It must be in the
  /// same tree, and neither it nor an ancestor hidden, disabled or the like. Otherwise it has no effect.
  public weak var redirect: View?
  /// The order among siblings: the view is in front of those with a smaller one, and behind those with a
  /// larger. Equals are in the order in which they were added. (CSS `z-index`; UIKit's `zPosition` does not
  /// change the hit view.)
  public var z = 0.0

  /// Makes a behavior that is plain UIKit.
  public init() {}

  var isPlain: Bool {
    slop == .zero && pointerEvents == .auto && shape == .rect() && !overflows && redirect == nil && z == 0
  }

  var isBoundsAlone: Bool {
    slop == .zero && shape == .rect() && redirect == nil && pointerEvents != .boxNone
  }

  /// Whether the view itself, and not only a subview, can be hit.
  var answersItself: Bool { pointerEvents != .boxNone && shape != .children }

  func asksOutside(_ view: View) -> Bool { overflows && !view.clipsToBounds }

  var dependsOnSubviews: Bool { overflows || shape == .children }
}

/// The storage of a behavior, so that a view without one costs only a pointer.
final class HitExtension {
  let behavior: HitBehavior
  /// Whether the behavior was set with a redirect. Its target may have been released since.
  let redirects: Bool

  init(_ behavior: HitBehavior) {
    self.behavior = behavior
    redirects = behavior.redirect != nil
  }

  var z: Double { behavior.z.isNaN ? 0 : behavior.z }
}

/// The part of a view that can be touched, if that is not all of its bounds.
///
/// Rectangles and points are measured from the view's top-left corner, in its own units. The scroll offset
/// does not move them. Without a rectangle the shape fills the whole view.
public enum HitShape: Hashable, Sendable {
  /// A rectangle.
  case rect(LocalRect? = nil)
  /// A rectangle with round corners. The radius is at most half of the shorter side.
  case roundRect(LocalRect? = nil, radius: Double)
  /// The ellipse that touches the four sides.
  case ellipse(LocalRect? = nil)
  /// The area in a closed line of points.
  case polygon(HitPolygon)
  /// The area of the subviews, inside the bounds or not, without the view itself. Clipping keeps it in the
  /// bounds.
  case children

  /// The shape's own rectangle in the view's bounds space; nil for `children`, which has none.
  func box(in bounds: LocalRect) -> LocalRect? {
    let box: LocalRect?
    switch self {
    case .rect(let rect), .roundRect(let rect, _), .ellipse(let rect): box = rect
    case .polygon(let polygon): box = polygon.box
    case .children: return nil
    }
    return box.map { $0.offsetBy(dx: bounds.minX, dy: bounds.minY) } ?? bounds
  }

  /// Whether a point of the view's bounds space lies in the stretched shape, whose sides slop moves outward.
  /// Minimum edges and curves belong to it.
  func contains(_ point: LocalPoint, in bounds: LocalRect, slop: Insets) -> Bool {
    guard let own = box(in: bounds) else { return false }
    let grown = own.outset(by: slop)
    guard grown.contains(point) else { return false }
    switch self {
    case .rect: return true
    case .roundRect(_, let radius): return Self.roundRect(own, radius, grown, contains: point)
    case .ellipse:
      return Self.isInUnitCircle(
        (point.x - grown.midX) / (grown.size.width / 2), (point.y - grown.midY) / (grown.size.height / 2))
    case .polygon(let polygon):
      guard slop != .zero else { return polygon.contains(point.offset(x: -bounds.minX, y: -bounds.minY)) }
      let x = (point.x - grown.minX) / grown.size.width * own.size.width
      let y = (point.y - grown.minY) / grown.size.height * own.size.height
      return polygon.contains(LocalPoint(x: polygon.box.minX + x, y: polygon.box.minY + y))
    case .children: return false
    }
  }

  private static func roundRect(
    _ own: LocalRect, _ radius: Double, _ grown: LocalRect, contains point: LocalPoint
  ) -> Bool {
    let radius = min(radius, (own.maxX - own.minX) / 2, (own.maxY - own.minY) / 2)
    guard radius > 0 else { return true }
    let radiusX = radius * grown.size.width / own.size.width
    let radiusY = radius * grown.size.height / own.size.height
    let x = max(grown.minX + radiusX - point.x, point.x - (grown.maxX - radiusX), 0)
    let y = max(grown.minY + radiusY - point.y, point.y - (grown.maxY - radiusY), 0)
    return isInUnitCircle(x / radiusX, y / radiusY)
  }

  static func isInUnitCircle(_ x: Double, _ y: Double) -> Bool { x * x + y * y <= 1 }
}

/// A polygon in a view's own units, closed from the last point to the first.
public struct HitPolygon: Hashable, Sendable {
  /// The corners, in the view's own space, in the order in which they are joined.
  public let points: [LocalPoint]
  let box: LocalRect

  /// Makes a polygon of its corners. Fewer than three enclose nothing, and are never hit.
  public init(_ points: [LocalPoint]) {
    self.points = points
    let xs = points.map(\.x)
    let ys = points.map(\.y)
    let left = xs.min() ?? 0
    let top = ys.min() ?? 0
    box = LocalRect(x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
  }

  /// Whether the outline winds around a point, also twice. (The non-zero winding rule)
  func contains(_ point: LocalPoint) -> Bool {
    guard var from = points.last else { return false }
    var winding = 0
    for to in points {
      // Half open: a corner belongs to the edge that starts there, and a point on a left edge is inside.
      if (from.y <= point.y) != (to.y <= point.y) {
        let x = from.x + (point.y - from.y) / (to.y - from.y) * (to.x - from.x)
        if x > point.x { winding += from.y <= point.y ? 1 : -1 }
      }
      from = to
    }
    return winding != 0
  }
}

extension View {
  /// The view's extensions of UIKit's hit test; nil, the default, is plain UIKit.
  public final var hitBehavior: HitBehavior? {
    get { hitExtension?.behavior }
    set {
      let old = hitExtension
      hitExtension = newValue.flatMap { $0.isPlain ? nil : HitExtension($0) }
      refusals[.noPointerEvents] = newValue?.pointerEvents == .nothing
      behaviorChanged(from: old)
    }
  }
}
