extension View {
  /// Every view under a point, front to back: what a hit test finds, and what it would find if that one were not
  /// there, and so on. For tools; the first one is the answer of `hitTest(_:with:)`.
  ///
  /// A view that overrides hit testing is asked as a whole, and what it answers comes before what is in it. Each view
  /// is listed once.
  ///
  /// - Parameter point: in this view's own bounds space.
  public final func hitTestAll(_ point: LocalPoint, with event: Event?) -> [View] {
    var list = HitList()
    HitKnowledge.keep(for: event) { list.add(self, at: point, with: $0) }
    return list.views
  }
}

private struct HitList {
  private(set) var views: [View] = []
  private var listed: Set<ObjectIdentifier> = []

  mutating func add(_ view: View, at point: LocalPoint, with event: Event?) {
    if !view.hasStandardHitTest {
      guard let hit = view.hitTest(point, with: event) else { return }
      append(hit)
    }
    guard view.canBeHit else { return }
    let behavior = view.hitBehavior ?? HitBehavior()
    let inside = view.point(inside: point, with: event)
    if inside, let target = view.redirectTarget(at: point, with: event) {
      append(target)
      return
    }
    if behavior.pointerEvents != .boxOnly && (inside || behavior.asksOutside(view)) {
      for subview in view.layeredSubviews.reversed() {
        add(subview, at: subview.convertFromSuperview(point), with: event)
      }
    }
    if inside && behavior.answersItself { append(view) }
  }

  private mutating func append(_ view: View) {
    if listed.insert(ObjectIdentifier(view)).inserted { views.append(view) }
  }
}
