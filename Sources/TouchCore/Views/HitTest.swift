// The walk of a hit test through the subviews, and its changes by a `HitBehavior`.

extension View {
  final var canBeHit: Bool { hasStandardHitTest ? refusals.isEmpty : hitTestRefusal == nil }

  /// Calls `hitTest(_:with:)` as a superview does, and reports it to the event's observer.
  ///
  /// - Parameters:
  ///   - point: in this view's own bounds space.
  ///   - event: the event whose observer sees the question; nil for none.
  public final func hitView(at point: LocalPoint, with event: Event?) -> View? {
    event?.watcher?.observe(.hitTest(view: self, point: point))
    return hitTest(point, with: event)
  }

  /// Whether no override can run in a hit test of the subviews, and no observer watches it.
  final func isSilentBelow(_ event: Event?) -> Bool { overridesBelow == 0 && !(event?.isWatched ?? false) }

  // MARK: The walk

  /// An asker's result in this view and its subviews, at a point in its bounds space: every hit test's walk.
  @inline(__always)
  final func hit<Asker: HitAsker>(at point: LocalPoint, with event: Event?, by asker: Asker) -> Asker.Found? {
    guard asker.canHit(self) else { return nil }
    guard hitExtension == nil else { return extendedHit(at: point, with: event, by: asker) }
    guard asker.isInside(self, point, with: event) else { return nil }
    if storedSubviews.isEmpty { return asker.take(self) }
    return hitBelow(at: point, with: event, by: asker) ?? asker.take(self)
  }

  private func hitBelow<Asker: HitAsker>(
    at point: LocalPoint, with event: Event?, by asker: Asker
  ) -> Asker.Found? {
    if let found = hitBySubviews(at: point, with: event, by: asker) { return found }
    return enlargedSubviews == 0 ? nil : hitEnlarged(at: point, by: asker)
  }

  @inline(__always)
  private func hitBySubviews<Asker: HitAsker>(
    at point: LocalPoint, with event: Event?, by asker: Asker
  ) -> Asker.Found? {
    if Asker.usesIndex, let index = currentIndex {
      return index._withUnsafeGuaranteedRef { $0.frontmost(at: point, with: event, by: asker) }
    }
    let subviews = raisedSubviews == 0 ? storedSubviews : sortedSubviews()
    var index = subviews.count
    while index > 0 {
      index -= 1
      if let found = asker.ask(subviews[index], fromSuperview: point, with: event) { return found }
    }
    return nil
  }

  /// The result among subviews whose `minimumHitSize` reaches the point: nearest first, then frontmost.
  @inline(never)
  private func hitEnlarged<Asker: HitAsker>(at point: LocalPoint, by asker: Asker) -> Asker.Found? {
    let subviews = layeredSubviews
    var last: (distance: Double, place: Int)?
    while true {
      var nearest: (distance: Double, place: Int)?
      for place in subviews.indices.reversed() {
        guard let distance = subviews[place].enlargedDistance(fromSuperview: point),
          distance < nearest?.distance ?? .infinity
        else { continue }
        // Those that were taken before are nearer, or as near and further in front.
        if let last, distance < last.distance || (distance == last.distance && place >= last.place) {
          continue
        }
        nearest = (distance, place)
      }
      guard let nearest else { return nil }
      if let found = asker.take(subviews[nearest.place]) { return found }
      last = nearest
    }
  }

  @inline(never)
  private func extendedHit<Asker: HitAsker>(
    at point: LocalPoint, with event: Event?, by asker: Asker
  ) -> Asker.Found? {
    guard let behavior = hitExtension?.behavior else { return nil }
    guard behavior.shape == .children || behavior.redirect != nil else {
      return hit(behavior, at: point, with: event, by: asker)
    }
    if behavior.redirect == nil, hasStandardHitTest, !(event?.isWatched ?? false) {
      // A subview that is hit proves that the point is inside, so one pass is enough.
      guard behavior.pointerEvents != .boxOnly, !clipsToBounds || bounds.contains(point) else { return nil }
      return hitBelow(at: point, with: event, by: asker)
    }
    return HitKnowledge.keep(for: event) { hit(behavior, at: point, with: $0, by: asker) }
  }

  private func hit<Asker: HitAsker>(
    _ behavior: HitBehavior, at point: LocalPoint, with event: Event?, by asker: Asker
  ) -> Asker.Found? {
    let inside = asker.isInside(self, point, with: event)
    if inside, let target = redirectTarget(at: point, with: event, by: asker) { return asker.take(target) }
    if behavior.pointerEvents != .boxOnly, inside || behavior.asksOutside(self),
      let found = hitBelow(at: point, with: event, by: asker)
    {
      return found
    }
    return inside && behavior.answersItself ? asker.take(self) : nil
  }

  /// The squared distance from the bounds to a point of the superview's space in the area of
  /// `minimumHitSize`, in own units; nil outside, or if the view cannot be hit.
  private func enlargedDistance(fromSuperview point: LocalPoint) -> Double? {
    guard minimumHitSize > 0, canBeHit, let area = enlargedBounds else { return nil }
    let local = convertFromSuperview(point)
    guard area.contains(local) else { return nil }
    let x = max(bounds.minX - local.x, local.x - bounds.maxX, 0)
    let y = max(bounds.minY - local.y, local.y - bounds.maxY, 0)
    return x * x + y * y
  }

  /// The bounds grown to `minimumHitSize`; nil without one, or if the behavior sets the area.
  final var enlargedBounds: LocalRect? {
    guard minimumHitSize > 0, hitExtension?.behavior.isBoundsAlone ?? true else { return nil }
    let width = max(bounds.maxX - bounds.minX, minimumHitSize)
    let height = max(bounds.maxY - bounds.minY, minimumHitSize)
    return LocalRect(x: bounds.midX - width / 2, y: bounds.midY - height / 2, width: width, height: height)
  }

  /// Whether a point lies in the area that the behavior gives the view.
  final func isInExtendedArea(_ point: LocalPoint, _ hitExtension: HitExtension, with event: Event?) -> Bool {
    guard hitExtension.behavior.shape == .children else {
      return hitExtension.behavior.shape.contains(point, in: bounds, slop: hitExtension.behavior.slop)
    }
    if clipsToBounds && !bounds.contains(point) { return false }
    return reachesInSubviews(point, with: event)
  }

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

  /// The view hit in this view's place, at a point inside both. Only it is asked, so there is no circle.
  private func redirectTarget<Asker: HitAsker>(
    at point: LocalPoint, with event: Event?, by asker: Asker
  ) -> View? {
    guard let target = hitExtension?.behavior.redirect, target !== self, target.isReachable(from: self),
      target.hitExtension.map({ $0.behavior.answersItself }) ?? true,
      asker.isInside(target, convert(point, to: target), with: event)
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

/// A cache of whether views with the shape `children` contain a point, during one hit test: their area is
/// that of their subviews, who may ask theirs again. Without it each level of nesting would double the work.
struct HitKnowledge {
  private struct Question: Hashable {
    let view: ObjectIdentifier
    /// The coordinate's bits, so that NaN equals itself.
    let x: UInt64
    let y: UInt64

    init(_ view: View, _ point: LocalPoint) {
      self.view = ObjectIdentifier(view)
      x = point.x.bitPattern
      y = point.y.bitPattern
    }
  }

  private var answers: [Question: Bool] = [:]
  private var depth = 0

  subscript(view: View, point: LocalPoint) -> Bool? {
    get { answers[Question(view, point)] }
    set { answers[Question(view, point)] = newValue }
  }

  /// Keeps results during the hit test in the body, in an event or, for nil, for the time being.
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

/// The reason why a view cannot be hit at any point. Of several reasons the first one counts.
public enum HitTestRefusal: String, CaseIterable, Sendable {
  /// The view is hidden. (`UIView.isHidden`.)
  case hidden
  /// The superview shows another page.
  case otherPage = "on another page"
  /// User interaction is off. (`UIView.isUserInteractionEnabled` is false.)
  case userInteractionDisabled = "user interaction off"
  /// The view is transparent. (`UIView.alpha`.)
  case transparent = "alpha 0.01 or less"
  /// The view gets no pointer events. (`HitBehavior.pointerEvents`.)
  case noPointerEvents = "pointer_events none"
  /// The control is disabled. (`UIControl.isEnabled` is false.)
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
      if newValue { window?.dismissFirstResponder(in: self) }
    }
  }

  /// Whether the superview shows another page than this view, which is then neither drawn nor hit.
  package final var isOnOtherPage: Bool {
    get { refusals[.otherPage] }
    set {
      refusals[.otherPage] = newValue
      concealmentChanged()
    }
  }
}

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
