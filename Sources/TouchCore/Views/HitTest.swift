// How a hit test goes through the subviews, and what a `HitBehavior` changes about it.

extension View {
  final var canBeHit: Bool { hasStandardHitTest ? refusals.isEmpty : hitTestRefusal == nil }

  /// Calls `hitTest(_:with:)` as a superview does, and reports it to the event's observer.
  ///
  /// - Parameter point: in this view's own bounds space.
  public final func hitView(at point: LocalPoint, with event: Event?) -> View? {
    event?.watcher?.observe(.hitTest(view: self, point: point))
    return hitTest(point, with: event)
  }

  /// `point(inside:with:)`, reported to the event's observer.
  final func asksInside(_ point: LocalPoint, with event: Event?) -> Bool {
    let inside = self.point(inside: point, with: event)
    event?.watcher?.observe(.pointInside(view: self, inside: inside))
    return inside
  }

  /// The hit view of the frontmost subview that has one.
  final func hitInSubviews(at point: LocalPoint, with event: Event?) -> View? {
    if isStandardBelow(event) {
      return standardHitInSubviews(at: point, with: event)?.takeUnretainedValue()
    }
    for subview in layeredSubviews.reversed() {
      if let hit = subview.hitView(at: subview.convertFromSuperview(point), with: event) { return hit }
    }
    return nearestEnlargedSubview(at: point)
  }

  /// Whether no override can run in a hit test of the subviews, and no observer watches it.
  final func isStandardBelow(_ event: Event?) -> Bool { overridesBelow == 0 && !(event?.isWatched ?? false) }

  // Where no override can run and no observer watches, nothing changes the tree during a hit test. So views need not
  // be kept alive on the way, which would cost more than the rest, and methods are called directly.

  /// `hitTest(_:with:)` of a view that leaves hit testing as it is, like everything in it, without an observer.
  ///
  /// - Parameter point: in the superview's bounds space.
  @inline(__always)
  final func standardHit(fromSuperview point: LocalPoint, with event: Event?) -> Unmanaged<View>? {
    guard refusals.isEmpty else { return nil }
    return standardHit(at: convertFromSuperview(point), with: event)
  }

  /// - Parameter point: in this view's own bounds space.
  @inline(__always)
  final func standardHit(at point: LocalPoint, with event: Event?) -> Unmanaged<View>? {
    guard refusals.isEmpty else { return nil }
    guard hitExtension == nil else {
      return extendedHitTest(point, with: event).map { .passUnretained($0) }
    }
    guard bounds.contains(point) else { return nil }
    if storedSubviews.isEmpty { return .passUnretained(self) }
    return standardHitInSubviews(at: point, with: event) ?? .passUnretained(self)
  }

  private func standardHitInSubviews(at point: LocalPoint, with event: Event?) -> Unmanaged<View>? {
    if let hit = standardHitBySubviews(at: point, with: event) { return hit }
    return enlargedSubviews == 0 ? nil : nearestEnlargedSubview(at: point).map { .passUnretained($0) }
  }

  @inline(__always)
  private func standardHitBySubviews(at point: LocalPoint, with event: Event?) -> Unmanaged<View>? {
    if let index = currentIndex {
      return index._withUnsafeGuaranteedRef { $0.frontmost(at: point, with: event) }
    }
    let subviews = raisedSubviews == 0 ? storedSubviews : sortedSubviews()
    var index = subviews.count
    while index > 0 {
      index -= 1
      if let hit = subviews[index].standardHit(fromSuperview: point, with: event) { return hit }
    }
    return nil
  }

  /// The subview that is hit although no subview contains the point: the one with the nearest bounds among those in whose
  /// `minimumHitSize` the point lies; of two as near, the one in front.
  private func nearestEnlargedSubview(at point: LocalPoint) -> View? {
    guard enlargedSubviews > 0 else { return nil }
    var nearest: (view: View, distance: Double)?
    for subview in layeredSubviews.reversed() {
      guard let distance = subview.enlargedDistance(fromSuperview: point) else { continue }
      if distance < nearest?.distance ?? .infinity { nearest = (subview, distance) }
    }
    return nearest?.view
  }

  /// The square of the distance from the bounds to a point that lies in the area of `minimumHitSize`, in the view's own
  /// units; nil if it does not lie there, or the view cannot be hit.
  ///
  /// - Parameter point: in the superview's bounds space.
  fileprivate final func enlargedDistance(fromSuperview point: LocalPoint) -> Double? {
    guard minimumHitSize > 0, canBeHit, let area = enlargedBounds else { return nil }
    let local = convertFromSuperview(point)
    guard area.contains(local) else { return nil }
    let x = max(bounds.minX - local.x, local.x - bounds.maxX, 0)
    let y = max(bounds.minY - local.y, local.y - bounds.maxY, 0)
    return x * x + y * y
  }

  /// The bounds grown about their centre to `minimumHitSize`; nil for a view that has none, or whose behavior says where it
  /// is hit.
  final var enlargedBounds: LocalRect? {
    guard minimumHitSize > 0, hitExtension?.behavior.isBoundsAlone ?? true else { return nil }
    let width = max(bounds.maxX - bounds.minX, minimumHitSize)
    let height = max(bounds.maxY - bounds.minY, minimumHitSize)
    return LocalRect(
      x: bounds.midX - width / 2, y: bounds.midY - height / 2, width: width, height: height)
  }

  /// `hitTest(_:with:)` of a view that can be hit and has a behavior.
  @inline(never)
  final func extendedHitTest(_ point: LocalPoint, with event: Event?) -> View? {
    guard let behavior = hitExtension?.behavior else { return nil }
    if behavior.shape == .children, behavior.redirect == nil, !(event?.isWatched ?? false), hasStandardHitTest
    {
      // A subview that is hit proves that the point is inside, so one pass is enough.
      return mayAskSubviews(point, behavior) ? hitInSubviews(at: point, with: event) : nil
    }
    guard behavior.shape == .children || behavior.redirect != nil else {
      return answer(at: point, behavior, with: event)
    }
    return HitKnowledge.keep(for: event) { answer(at: point, behavior, with: $0) }
  }

  private func answer(at point: LocalPoint, _ behavior: HitBehavior, with event: Event?) -> View? {
    let inside = asksInside(point, with: event)
    if inside, let target = redirectTarget(at: point, with: event) { return target }
    if behavior.pointerEvents != .boxOnly, inside || behavior.asksOutside(self),
      let hit = hitInSubviews(at: point, with: event)
    {
      return hit
    }
    return inside && behavior.answersItself ? self : nil
  }

  /// For a view whose area is its subviews'.
  private func mayAskSubviews(_ point: LocalPoint, _ behavior: HitBehavior) -> Bool {
    behavior.pointerEvents != .boxOnly && (!clipsToBounds || bounds.contains(point))
  }

  /// Whether a point lies in the area that the behavior gives the view.
  final func isInExtendedArea(_ point: LocalPoint, _ hitExtension: HitExtension, with event: Event?) -> Bool {
    guard hitExtension.behavior.shape == .children else {
      return hitExtension.behavior.shape.contains(point, in: bounds, slop: hitExtension.behavior.slop)
    }
    if clipsToBounds && !bounds.contains(point) { return false }
    return reachesInSubviews(point, with: event)
  }

  /// Whether this view, or a subview, could be hit at a point.
  private func reaches(_ point: LocalPoint, with event: Event?) -> Bool {
    guard canBeHit else { return false }
    if self.point(inside: point, with: event) || enlargedBounds?.contains(point) ?? false { return true }
    guard let hitExtension, hitExtension.behavior.asksOutside(self) else { return false }
    return reachesInSubviews(point, with: event)
  }

  private func reachesInSubviews(_ point: LocalPoint, with event: Event?) -> Bool {
    HitKnowledge.keep(for: event) { event in
      if let known = event.known[self, point] { return known }
      let reaches = subviews.contains { $0.reaches($0.convertFromSuperview(point), with: event) }
      event.known[self, point] = reaches
      return reaches
    }
  }

  /// The view that is hit in this view's place, at a point inside both. The target's subviews and its own redirect are
  /// not asked, so redirects cannot form a circle.
  final func redirectTarget(at point: LocalPoint, with event: Event?) -> View? {
    guard let target = hitExtension?.behavior.redirect, target !== self, target.isReachable(from: self),
      target.hitExtension.map({ $0.behavior.answersItself }) ?? true,
      target.asksInside(convert(point, to: target), with: event)
    else { return nil }
    return target
  }

  /// Whether the view is in another view's tree, and neither it nor an ancestor refuses hit tests.
  private func isReachable(from other: View) -> Bool {
    var view = self
    while view.canBeHit {
      guard let parent = view.superview else { return view === other.root }
      view = parent
    }
    return false
  }

  private var root: View {
    var view = self
    while let parent = view.superview { view = parent }
    return view
  }
}

/// Caches, during one hit test, whether views with the shape `children` contain a point.
///
/// The area of a view with `shape` children is the area of what is in it, however deep. The view asks for that before its
/// subviews are tested, each of them may ask its own subviews again, and so may a view that redirects to one of them. So a
/// result is kept until the hit test is over, and each view asks its subviews once: otherwise each level of nesting would
/// double the work.
struct HitKnowledge {
  private struct Question: Hashable {
    let view: ObjectIdentifier
    /// As bits, so that NaN equals itself.
    let x: UInt64
    let y: UInt64

    init(_ view: View, _ point: LocalPoint) {
      self.view = ObjectIdentifier(view)
      x = point.x.bitPattern
      y = point.y.bitPattern
    }
  }

  private var answers: [Question: Bool] = [:]
  /// How many hit tests are nested at the moment.
  private var depth = 0

  subscript(view: View, point: LocalPoint) -> Bool? {
    get { answers[Question(view, point)] }
    set { answers[Question(view, point)] = newValue }
  }

  /// Keeps the results during the hit test in the body; the outermost hit test clears them.
  ///
  /// - Parameter event: holds the results; nil for a temporary one.
  static func keep<Answer>(for event: Event?, _ body: (Event) -> Answer) -> Answer {
    let event = event ?? Event()
    event.known.depth += 1
    defer {
      event.known.depth -= 1
      if event.known.depth == 0 && !event.known.answers.isEmpty {
        event.known.answers.removeAll(keepingCapacity: true)
      }
    }
    return body(event)
  }
}

/// Why a view cannot be hit at any point; of several reasons the first one counts.
public enum HitTestRefusal: String, CaseIterable, Sendable {
  case hidden
  /// Its superview shows another page.
  case otherPage = "on another page"
  case userInteractionDisabled = "user interaction off"
  case transparent = "alpha 0.01 or less"
  case noPointerEvents = "pointer_events none"
  case disabled = "disabled control"
}

extension View {
  /// Whether the view is disabled, as a control can be: it is drawn, but not hit.
  package final var isDisabled: Bool {
    get { refusals[.disabled] }
    set {
      guard newValue != isDisabled else { return }
      refusals[.disabled] = newValue
      reachChanged()
      setNeedsDisplay()
    }
  }

  /// Whether the superview shows another page than this view: then it is neither drawn nor hit.
  package final var isOnOtherPage: Bool {
    get { refusals[.otherPage] }
    set {
      refusals[.otherPage] = newValue
      concealmentChanged()
    }
  }
}

/// The reasons that hold for a view.
struct HitTestRefusals {
  private var bits: UInt8 = 0

  var isEmpty: Bool { bits == 0 }
  var first: HitTestRefusal? { isEmpty ? nil : HitTestRefusal.allCases.first { self[$0] } }

  subscript(refusal: HitTestRefusal) -> Bool {
    get { bits & refusal.bit != 0 }
    set { bits = newValue ? bits | refusal.bit : bits & ~refusal.bit }
  }
}

extension HitTestRefusal {
  fileprivate var bit: UInt8 {
    switch self {
    case .hidden: 1
    case .userInteractionDisabled: 2
    case .transparent: 4
    case .noPointerEvents: 8
    case .disabled: 16
    case .otherPage: 32
    }
  }
}

extension View {
  /// Every view under a point, front to back: what a hit test finds, and what it would find if that one were not
  /// there, and so on. For tools; the first one is the result of `hitTest(_:with:)`.
  ///
  /// If a view overrides hit testing, the result of its override comes before its subviews. Each view
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
      addEnlarged(view, at: point)
    }
    if inside && behavior.answersItself { append(view) }
  }

  /// The subviews that are hit where no other one is, the nearest one first.
  private mutating func addEnlarged(_ view: View, at point: LocalPoint) {
    guard view.enlargedSubviews > 0 else { return }
    let found = view.layeredSubviews.reversed().compactMap { subview in
      subview.enlargedDistance(fromSuperview: point).map { (subview, $0) }
    }
    for (subview, _) in found.sorted(by: { $0.1 < $1.1 }) { append(subview) }
  }

  private mutating func append(_ view: View) {
    if listed.insert(ObjectIdentifier(view)).inserted { views.append(view) }
  }
}
