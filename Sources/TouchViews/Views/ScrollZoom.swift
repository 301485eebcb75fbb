import TouchCore

/// The zoom of a scroll view's content by fingers: two that go apart or together, and a
/// double tap. (`UIScrollView.zoomScale`, `pinchGestureRecognizer`.) What lies between two fingers stays
/// between them, so a pinch scrolls too. Beyond the limits the zoom follows less, and goes back when the
/// fingers lift.
final class ScrollZoom {
  enum Course {
    /// Two fingers zoom.
    case fingers
    /// The zoom goes to an end, by a motion in thousandths.
    case back(ScrollMotion, to: Double, Hold)
  }

  /// A point of the content that stays at a place.
  struct Hold {
    /// The point in units of the content without zoom.
    var content: LocalPoint
    /// The place from the top-left corner of the view.
    var place: LocalVector
  }

  private unowned let scrollView: ScrollView
  /// The zoom, as a multiple of the content's own size.
  private(set) var scale = 1.0
  private let pinch: PinchGestureRecognizer
  private let doubleTap: TapGestureRecognizer
  /// The point that the fingers hold, and the zoom at a scale of 1 of the pinch.
  private var grip: (content: LocalPoint, base: Double)?

  /// The units of a motion for a zoom of 1. A motion ends within half a unit.
  private static let thousand = 1000.0

  init(of scrollView: ScrollView) {
    self.scrollView = scrollView
    pinch = PinchGestureRecognizer(id: "\(scrollView.id).pinch")
    doubleTap = TapGestureRecognizer(id: "\(scrollView.id).double_tap")
    doubleTap.numberOfTapsRequired = 2
    pinch.action = { [weak self] _ in self?.follow() }
    doubleTap.action = { [weak self] _ in self?.turnOver() }
    if let pan = scrollView.panGestureRecognizer { pinch.recognizeSimultaneously(with: pan) }
    scrollView.addGestureRecognizer(pinch)
    scrollView.addGestureRecognizer(doubleTap)
  }

  /// Takes the recognisers off, and the zoom.
  func end() {
    scrollView.removeGestureRecognizer(pinch)
    scrollView.removeGestureRecognizer(doubleTap)
    scale = 1
    apply()
  }

  private var limits: ClosedRange<Double> { scrollView.scrolling.zoomLimits }

  // MARK: The content

  /// Shows the content at the present zoom. Its origin stays in place.
  func apply() {
    guard let view = scrollView.viewForZooming else { return }
    let (origin, size, anchor) = (view.layoutRect.origin, view.bounds.size, view.anchorPoint)
    let transform =
      scale == 1
      ? AffineTransform.identity
      : AffineTransform(
        a: scale, b: 0, c: 0, d: scale, tx: (scale - 1) * (origin.x + anchor.x * size.width),
        ty: (scale - 1) * (origin.y + anchor.y * size.height))
    if view.transform != transform { view.transform = transform }
  }

  /// Zooms so that what is held stays in its place, as far as the edges allow.
  /// - Parameter bounces: whether the content may be beyond its edges, where it follows less.
  func set(_ scale: Double, holding hold: Hold, bounces: Bool) {
    let isChanged = self.scale != scale
    self.scale = scale
    apply()
    if isChanged { scrollView.delegate?.scrollViewDidZoom(scrollView) }
    let (range, room) = (scrollView.range, scrollView.bounds.size)
    let (x, y) = (hold.content.x * scale - hold.place.x, hold.content.y * scale - hold.place.y)
    let before = scrollView.bounds.origin
    scrollView.show(
      LocalPoint(
        x: range.x.stretched(x, room.width, bounces), y: range.y.stretched(y, room.height, bounces)))
    if scrollView.bounds.origin == before { scrollView.report(.changed) }
  }

  /// Returns the hold at a point of the scroll view's own space.
  private func hold(_ point: LocalPoint) -> Hold {
    let bounds = scrollView.bounds
    return Hold(
      content: LocalPoint(x: point.x / scale, y: point.y / scale),
      place: LocalVector(x: point.x - bounds.minX, y: point.y - bounds.minY))
  }

  // MARK: Fingers

  private func follow() {
    switch pinch.state {
    case .began, .changed:
      guard pinch.touches.count >= 2 else { return }
      let point = pinch.location(in: scrollView)
      guard point.isFinite, pinch.scale > 0 else { return }
      if grip == nil || !isHeld {
        grip = (hold(point).content, unstretched(scale) / pinch.scale)
        scrollView.takeZoom(.fingers)
      }
      guard let grip else { return }
      set(
        stretched(grip.base * pinch.scale),
        holding: Hold(content: grip.content, place: hold(point).place), bounces: scrollView.scrolling.bounces)
    case .ended, .cancelled: letGo()
    case .possible, .failed: break
    }
  }

  private var isHeld: Bool {
    if case .zooming(.fingers) = scrollView.state { return true }
    return false
  }

  /// Whether two fingers zoom; then the pan of the scroll view does nothing. When one of them has lifted, the
  /// other one drags.
  func holds(_ pan: ScrollGestureRecognizer) -> Bool {
    guard isHeld else { return false }
    guard pinch.touches.count < 2 else { return true }
    letGo()
    if scrollView.isResting, pan.state == .began || pan.state == .changed {
      scrollView.take(
        ScrollView.Drag(
          origin: scrollView.offset, translation: pan.translation(in: scrollView), lock: nil, leader: nil))
    }
    return true
  }

  /// Releases the content when the fingers lift, or one of two.
  private func letGo() {
    guard isHeld else { return }
    let place = pinch.location(in: scrollView)
    let hold = hold(place.isFinite ? place : scrollView.bounds.origin)
    grip = nil
    let time = scrollView.window?.dispatcher?.eventTime ?? .zero
    go(to: limits.nearest(to: scale), holding: hold, at: time)
  }

  /// A double tap shows all of what is zoomed, or makes it as large as it may be, about the place of the
  /// finger.
  private func turnOver() {
    guard doubleTap.state == .ended, let time = scrollView.window?.dispatcher?.eventTime else { return }
    let (rest, point) = (limits.nearest(to: 1), doubleTap.location(in: scrollView))
    go(to: scale > rest * 1.01 ? rest : limits.upperBound, holding: hold(point), at: time)
  }

  // MARK: Going to an end

  private func go(to end: Double, holding hold: Hold, at time: Timestamp) {
    guard end != scale || !isInside else {
      scrollView.restFromZoom(at: time)
      return
    }
    let motion = ScrollMotion.springing(
      from: scale * Self.thousand, to: end * Self.thousand, speed: 0, stiffness: ScrollMotion.pageStiffness,
      at: time)
    scrollView.takeZoom(.back(motion, to: end, hold))
    scrollView.deadline = time.advanced(byMicroseconds: ScrollView.step)
  }

  private var isInside: Bool {
    let (range, offset) = (scrollView.range, scrollView.offset)
    return range.x.contains(offset.x) && range.y.contains(offset.y)
  }

  func advance(_ course: Course, to time: Timestamp) {
    guard case .back(let motion, let end, let hold) = course else {
      scrollView.deadline = nil
      return
    }
    guard let now = motion.state(at: time) else {
      set(end, holding: hold, bounces: false)
      return scrollView.restFromZoom(at: time)
    }
    set(now.offset / Self.thousand, holding: hold, bounces: false)
    scrollView.deadline = time.advanced(byMicroseconds: ScrollView.step)
  }

  /// Brings a zoom beyond its limits back, which a finger has stopped on its way. Returns false where there
  /// is nothing to do.
  func goesBack(at time: Timestamp) -> Bool {
    guard !limits.contains(scale), scrollView.window != nil else { return false }
    let bounds = scrollView.bounds
    go(to: limits.nearest(to: scale), holding: hold(LocalPoint(x: bounds.midX, y: bounds.midY)), at: time)
    return true
  }

  // MARK: Rubber band

  // Beyond a limit the zoom follows less, as content does beyond an edge. (`UIScrollView.bouncesZoom`; Apple
  // documents no figure.)

  private func stretched(_ scale: Double) -> Double {
    let limit = limits.nearest(to: scale)
    guard scrollView.scrolling.bounces, scale > 0 else { return limit }
    return scale > limit
      ? limit * (1 + ScrollMotion.stretched(scale / limit - 1, length: 1))
      : limit / (1 + ScrollMotion.stretched(limit / scale - 1, length: 1))
  }

  private func unstretched(_ scale: Double) -> Double {
    let limit = limits.nearest(to: scale)
    return scale > limit
      ? limit * (1 + ScrollMotion.unstretched(scale / limit - 1, length: 1))
      : limit / (1 + ScrollMotion.unstretched(limit / scale - 1, length: 1))
  }
}

extension ScrollView {
  /// The scale of the content, as a multiple of its own size. Setting it takes the nearest that the limits
  /// allow, and keeps what is seen in the middle there. (`UIScrollView.zoomScale`.)
  public final var zoomScale: Double {
    get { zoom?.scale ?? 1 }
    set {
      guard let zoom, newValue.isFinite else { return }
      let scale = scrolling.zoomLimits.nearest(to: newValue)
      let middle = LocalVector(x: bounds.size.width / 2, y: bounds.size.height / 2)
      let content = LocalPoint(
        x: (bounds.minX + middle.x) / zoom.scale, y: (bounds.minY + middle.y) / zoom.scale)
      report(.began)
      zoom.set(scale, holding: ScrollZoom.Hold(content: content, place: middle), bounces: false)
      contentOffset = bounds.origin
    }
  }

  /// The smallest zoom, as a multiple of the content's own size; more than 0.
  /// (`UIScrollView.minimumZoomScale`.)
  public final var minimumZoomScale: Double {
    get { scrolling.minimumZoom }
    set { scrolling.minimumZoom = newValue }
  }

  /// The largest zoom. Content zooms if it is above the smallest. (`UIScrollView.maximumZoomScale`.)
  public final var maximumZoomScale: Double {
    get { scrolling.maximumZoom }
    set { scrolling.maximumZoom = newValue }
  }

  /// The subview that zooms: that of the delegate, or the first one.
  /// (`UIScrollViewDelegate.viewForZooming(in:)`.)
  final var viewForZooming: View? { delegate?.viewForZooming(in: self) ?? storedSubviews.first }

  /// Applies new limits of the zoom.
  final func zoomLimitsChanged() {
    let limits = scrolling.zoomLimits
    if limits.lowerBound == limits.upperBound, limits.lowerBound == 1 {
      zoom?.end()
      zoom = nil
    } else {
      if zoom == nil { zoom = ScrollZoom(of: self) }
      if !limits.contains(zoomScale) { zoomScale = zoomScale }
    }
  }

  final func takeZoom(_ course: ScrollZoom.Course) {
    state = .zooming(course)
    deadline = nil
    report(.began)
    begin(.zooming)
  }

  final var isResting: Bool {
    if case .resting = state { return true }
    return false
  }

  /// The zoom is where it ends: so is the content, or it goes back inside its edges.
  final func restFromZoom(at time: Timestamp) {
    state = .resting
    endCourse()
    let motion = released(with: .zero, at: time)
    move(motion.x, motion.y, at: time)
  }
}
