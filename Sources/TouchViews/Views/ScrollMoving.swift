import TouchCore

// Where a scroll view goes when no finger leads it: on after a drag, or to a place that a program names.

extension ScrollView {
  /// Whether the view scrolls by itself after a drag. (`UIScrollView.isDecelerating`.)
  public final var isDecelerating: Bool { course == .decelerating }

  /// Whether the content moves without a finger, so that one that comes down stops it.
  final var isMoving: Bool {
    switch state {
    case .moving, .zooming(.back): true
    case .resting, .dragging, .starting, .zooming(.fingers): false
    }
  }

  /// Whether a finger scrolls. (`UIScrollView.isDragging`.)
  public final var isDragging: Bool {
    if case .dragging = state { return true }
    return false
  }

  /// Releases the content when the finger lifts.
  /// - Parameter velocity: the velocity of the finger.
  /// - Parameter leader: the scroll view whose finger it is; nil for this one.
  final func letGo(_ velocity: LocalVector, by leader: ScrollView? = nil, at time: Timestamp) {
    guard case .dragging(let drag) = state, drag.leader == leader.map(ObjectIdentifier.init) else { return }
    let velocity = velocity.isFinite ? velocity : .zero
    let speed = LocalVector(
      x: drag.lock == .vertical ? 0 : -velocity.x, y: drag.lock == .horizontal ? 0 : -velocity.y)
    let motion = released(with: speed, at: time)
    if motion.x != nil || motion.y != nil { begin(.decelerating) }
    // The delegate may have moved the content.
    guard case .dragging = state else { return }
    move(motion.x, motion.y, at: time)
  }

  final func move(_ x: ScrollMotion?, _ y: ScrollMotion?, at time: Timestamp) {
    // Outside a window no time passes.
    guard x != nil || y != nil, window != nil else { return rest(at: time) }
    state = .moving(x: x, y: y)
    report(.began)
    deadline = time.advanced(byMicroseconds: Self.step)
  }

  /// The end of a motion; the offset at rest, and nil while a finger decides.
  final var restingPlace: LocalPoint? {
    switch state {
    case .resting: offset
    case .dragging, .zooming: nil
    case .starting(let end): end
    case .moving(let x, let y): LocalPoint(x: x?.end ?? offset.x, y: y?.end ?? offset.y)
    }
  }

  /// Moves to an offset as from page to page. (`UIScrollView.setContentOffset(_:animated:)`.)
  /// - Returns: false if no time passes. Then nothing moves.
  final func spring(to end: LocalPoint) -> Bool {
    guard let window, !window.reducesMotion, let dispatcher = window.dispatcher else { return false }
    begin(.animating)
    if let time = dispatcher.eventTime {
      start(to: end, at: time)
    } else {
      state = .starting(to: end)
      deadline = dispatcher.present
    }
    return true
  }

  final func start(to end: LocalPoint, at time: Timestamp) {
    func spring(_ offset: Double, _ end: Double) -> ScrollMotion? {
      offset == end
        ? nil : .springing(from: offset, to: end, speed: 0, stiffness: ScrollMotion.pageStiffness, at: time)
    }
    move(spring(offset.x, end.x), spring(offset.y, end.y), at: time)
  }

  final func advance(_ x: ScrollMotion?, _ y: ScrollMotion?, to time: Timestamp) {
    let range = range
    var (x, y) = (x, y)
    let next = LocalPoint(
      x: ScrollMotion.advance(&x, in: range.x, bounces: scrolling.bounces, to: time) ?? offset.x,
      y: ScrollMotion.advance(&y, in: range.y, bounces: scrolling.bounces, to: time) ?? offset.y)
    state = .moving(x: x, y: y)
    show(next)
    // Who hears of it may have moved the content, or stopped it.
    guard case .moving(let x, let y) = state else { return }
    move(x, y, at: time)
  }

  /// Whether the end of the content is seen, along each axis on which it scrolls.
  public final var isAtEnd: Bool {
    let range = range
    return offset.x >= range.x.upperBound - 0.5 && offset.y >= range.y.upperBound - 0.5
  }

  // MARK: By a program

  /// A place to scroll to.
  public enum Target: Hashable, Sendable {
    /// The point of the content that is to be seen at the top-left corner.
    case offset(LocalPoint)
    /// An end of the content.
    case edge(Edge)
    /// The view in the content that has this id: as much of it as there is room for.
    case view(String)

    /// Makes a target of `top`, `left`, `bottom`, `right`, or an id.
    public init(_ text: String) { self = Edge(rawValue: text).map { .edge($0) } ?? .view(text) }
  }

  /// An end of the content.
  public enum Edge: String, CaseIterable, Sendable {
    /// The upper end.
    case top
    /// The left end.
    case left
    /// The lower end.
    case bottom
    /// The right end.
    case right
  }

  /// Scrolls to a place, as far as the content goes, with a motion where time passes.
  /// (`UIScrollView.setContentOffset(_:animated:)`.)
  ///
  /// - Throws: when there is no such view in the content.
  public final func scroll(to target: Target) throws(PropertyError) {
    window?.layoutIfNeeded()
    let range = range
    var end = restingPlace ?? offset
    switch target {
    case .offset(let place): end = place
    case .edge(.top): end.y = range.y.lowerBound
    case .edge(.left): end.x = range.x.lowerBound
    case .edge(.bottom): end.y = range.y.upperBound
    case .edge(.right): end.x = range.x.upperBound
    case .view(let id):
      guard let view = view(id: id), view !== self else {
        throw PropertyError(
          view: (superview as? ListView)?.id ?? self.id, key: "scroll_to", value: .text(id),
          cause: .badValue(.init(.name, "top, left, bottom, right, or the id of a view in it")))
      }
      end = place(showing: local(view.windowFrame), from: end)
    }
    scroll(to: end)
  }

  private func scroll(to place: LocalPoint) {
    let range = range
    let end = LocalPoint(x: range.x.nearest(to: place.x), y: range.y.nearest(to: place.y))
    guard end != offset || restingPlace != offset else { return }
    if isDragging || !spring(to: end) { jump(to: end) }
  }

  /// Scrolls to an offset. With a motion the content stays inside its edges, and the delegate gets
  /// `scrollViewDidEndScrollingAnimation(_:)` at the end. (`UIScrollView.setContentOffset(_:animated:)`.)
  ///
  /// - Parameters:
  ///   - offset: the point of the content that is to be seen at the top-left corner, in units.
  ///   - animated: whether the content moves there; otherwise it is there at once.
  public final func setContentOffset(_ offset: LocalPoint, animated: Bool) {
    guard animated else {
      contentOffset = offset
      return
    }
    window?.layoutIfNeeded()
    scroll(to: offset)
  }

  /// Moves to an offset without a motion. A finger that drags goes on from
  /// there. (`UIScrollView.setContentOffset(_:animated:)` without animation.)
  final func jump(to end: LocalPoint) {
    if isDragging { contentOffset = end } else { rest(at: end) }
  }

  /// Has a finger of its own, or content that slows down, go on from another offset.
  /// - Returns: false if there is neither.
  final func goOn(from place: LocalPoint) -> Bool {
    let (range, way) = (range, place.vector(from: offset))
    switch state {
    case .dragging(var drag):
      guard window != nil, drag.leader == nil, place.isFinite, let pan = panGestureRecognizer else {
        return false
      }
      drag.origin = LocalPoint(
        x: range.x.unstretched(place.x, bounds.size.width),
        y: range.y.unstretched(place.y, bounds.size.height))
      drag.translation = pan.translation(in: self)
      guard drag.translation.isFinite else { return false }
      state = .dragging(drag)
      stopLed()
    case .moving(let x, let y):
      guard window != nil, range.x.contains(place.x), range.y.contains(place.y),
        case (let x, let y) = (x?.moved(by: way.x), y?.moved(by: way.y)), x != nil || y != nil
      else { return false }
      state = .moving(x: x, y: y)
    case .resting, .starting, .zooming: return false
    }
    show(place)
    return true
  }

  private func local(_ rect: WindowRect) -> LocalRect { windowFromLocal.inverse?.bounding(rect) ?? .zero }

  /// Returns the nearest offset at which a rectangle is visible, or as much of
  /// its beginning as there is room for.
  private func place(showing rect: LocalRect, from now: LocalPoint) -> LocalPoint {
    func offset(_ now: Double, _ low: Double, _ high: Double, _ room: Double) -> Double {
      low < now || high - low > room ? low : max(now, high - room)
    }
    return LocalPoint(
      x: offset(now.x, rect.minX, rect.maxX, bounds.size.width),
      y: offset(now.y, rect.minY, rect.maxY, bounds.size.height))
  }

  /// Scrolls so far that a rectangle of the content is seen, or as much of its beginning as there is room
  /// for. (`UIScrollView.scrollRectToVisible(_:animated:)`.)
  public final func scrollRectToVisible(_ rect: LocalRect, animated: Bool = false) {
    let place = place(showing: rect, from: bounds.origin)
    if animated { return setContentOffset(place, animated: true) }
    jump(to: place)
    layoutIfNeeded()
  }
}
