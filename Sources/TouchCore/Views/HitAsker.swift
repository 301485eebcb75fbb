/// A question about the views under a point. The one walk (`View.hit(at:with:by:)`) is compiled for each.
protocol HitAsker {
  /// The result that ends the walk.
  associatedtype Found

  func canHit(_ view: View) -> Bool
  /// Whether subviews are found by their boxes, if there are many.
  static var usesIndex: Bool { get }

  func isInside(_ view: View, _ point: LocalPoint, with event: Event?) -> Bool
  /// Continues in a subview, from the superview's bounds space.
  func ask(_ subview: View, fromSuperview point: LocalPoint, with event: Event?) -> Found?
  /// Takes a view that is hit. Nil continues with the views behind it.
  func take(_ view: View) -> Found?
}

extension HitAsker {
  static var usesIndex: Bool { false }
  func canHit(_ view: View) -> Bool { view.canBeHit }
  func isInside(_ view: View, _ point: LocalPoint, with event: Event?) -> Bool {
    view.point(inside: point, with: event)
  }
}

/// The question to views without overrides of hit testing and without an observer. Nothing changes the tree,
/// so the views are not retained and methods are called directly.
struct SilentHit: HitAsker {
  static var usesIndex: Bool { true }

  @inline(__always)
  func canHit(_ view: View) -> Bool { view.refusals.isEmpty }

  @inline(__always)
  func isInside(_ view: View, _ point: LocalPoint, with event: Event?) -> Bool {
    view.hitExtension == nil ? view.bounds.contains(point) : view.point(inside: point, with: event)
  }

  @inline(__always)
  func ask(_ subview: View, fromSuperview point: LocalPoint, with event: Event?) -> Unmanaged<View>? {
    guard subview.refusals.isEmpty else { return nil }
    return subview.hit(at: subview.convertFromSuperview(point), with: event, by: self)
  }

  @inline(__always)
  func take(_ view: View) -> Unmanaged<View>? { .passUnretained(view) }
}

/// The question to a view that overrides hit testing or redirects; its subviews are asked silently.
struct SilentHitBelow: HitAsker {
  static var usesIndex: Bool { true }

  @inline(__always)
  func ask(_ subview: View, fromSuperview point: LocalPoint, with event: Event?) -> Unmanaged<View>? {
    SilentHit().ask(subview, fromSuperview: point, with: event)
  }

  func take(_ view: View) -> Unmanaged<View>? { .passUnretained(view) }
}

/// The question to views whose overrides may run. The event's observer gets each step.
struct WatchedHit: HitAsker {
  func isInside(_ view: View, _ point: LocalPoint, with event: Event?) -> Bool {
    let inside = view.point(inside: point, with: event)
    event?.watcher?.observe(.pointInside(view: view, inside: inside))
    return inside
  }

  func ask(_ subview: View, fromSuperview point: LocalPoint, with event: Event?) -> View? {
    subview.hitView(at: subview.convertFromSuperview(point), with: event)
  }

  func take(_ view: View) -> View? { view }
}

extension View {
  /// Returns every view under a point, front to back: the result of a hit test, then its result without that
  /// view, and so on. It is for tools; the first view is the result of `hitTest(_:with:)`.
  ///
  /// If a view overrides hit testing, the result of its override comes before its subviews. Each view is
  /// listed once.
  ///
  /// - Parameters:
  ///   - point: in this view's own bounds space.
  ///   - event: the event that views with overrides get; nil for none.
  public final func hitTestAll(_ point: LocalPoint, with event: Event?) -> [View] {
    let list = HitList()
    HitKnowledge.keep(for: event) { list.ask(self, at: point, with: $0) }
    return list.views
  }
}

/// Collects every view that is hit; nothing ends the walk.
private final class HitList: HitAsker {
  private(set) var views: [View] = []
  private var listed: Set<ObjectIdentifier> = []

  func ask(_ subview: View, fromSuperview point: LocalPoint, with event: Event?) -> Never? {
    ask(subview, at: subview.convertFromSuperview(point), with: event)
    return nil
  }

  /// - Parameter point: in the view's own bounds space.
  func ask(_ view: View, at point: LocalPoint, with event: Event?) {
    if !view.hasStandardHitTest {
      guard let hit = view.hitTest(point, with: event) else { return }
      _ = take(hit)
    }
    _ = view.hit(at: point, with: event, by: self)
  }

  func take(_ view: View) -> Never? {
    if listed.insert(ObjectIdentifier(view)).inserted { views.append(view) }
    return nil
  }
}
