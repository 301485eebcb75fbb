import TouchCore

/// Shows a part of content that is larger than itself, and moves it under a finger. (`UIScrollView`.)
///
/// The origin of its bounds is the offset, so touches find the content wherever it has moved.
///
/// ```
///                finger went far enough               finger lifted with speed, or beyond an edge
///      resting ──────────────────────────→ dragging ──────────────────────────────────────→ moving
///         ↑                                  │  ↑            finger came down                  │
///         │   finger lifted, inside the edges│  └─────────────────────────────────────────────┤
///         └──────────────────────────────────┴────────────────────────────────────────────────┘
///                                                                       the end is reached
/// ```
/// Where Apple documents no figure (the rubber band, the spring, the indicators), it is one measured on iOS.
open class ScrollView: View {
  /// How it scrolls. Content that is shorter now stays inside its edges.
  public final var scrolling = Scrolling() { didSet { if oldValue != scrolling { setNeedsLayout() } } }

  /// What a finger does that scrolls.
  struct Drag {
    /// Where the offset would be without a rubber band, when the finger was at `translation`.
    var origin: LocalPoint
    /// Of the recogniser; or how far the leader was beyond its edges.
    var translation: LocalVector
    /// The only axis along which it goes; nil for both.
    var lock: Axis?
    /// The scroll view in this one that drags it along; nil for a finger of its own.
    var leader: ObjectIdentifier?
  }

  enum State {
    case resting
    case dragging(Drag)
    /// About to move to an offset, as soon as time passes.
    case starting(to: LocalPoint)
    /// Along one axis, or both.
    case moving(x: ScrollMotion?, y: ScrollMotion?)
  }

  final var state = State.resting
  /// The offset without rounding to pixels.
  final var offset = LocalPoint.zero
  /// Those around this one that its finger drags along, the nearest first.
  final var led: [ScrollView] = []
  /// The recogniser that scrolls, by the name `ID.pan`; nil for pages that never slid.
  /// (`UIScrollView.panGestureRecognizer`.)
  public private(set) final var panGestureRecognizer: PanGestureRecognizer?
  private var indicators = ScrollIndicators()
  /// What a wheel has turned that is no whole page.
  private var wheelRest = LocalVector.zero

  /// Between two steps of a motion, in microseconds: 60 a second.
  private static let step: Int64 = 16_667
  /// How far one step of a wheel scrolls, in units.
  private static let wheelStep = 48.0

  /// It clips, as in UIKit.
  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    needsLayout = true
    followFingers()
  }

  open override class var standardHitTestClass: View.Type { ScrollView.self }

  /// - Parameter restingAt: a view that does not scroll until `followFingers()`.
  init(id: String, restingAt frame: LocalRect) { super.init(id: id, frame: frame) }

  /// Adds the pan that scrolls, and clips.
  final func followFingers() {
    clipsToBounds = true
    if let panGestureRecognizer { return addGestureRecognizer(panGestureRecognizer) }
    let pan = ScrollGestureRecognizer(id: "\(id).pan")
    pan.action = { [unowned self, unowned pan] _ in follow(pan) }
    addGestureRecognizer(pan)
    panGestureRecognizer = pan
  }

  // MARK: Geometry

  /// The point of the content that is seen at the top-left corner. Setting it ends a drag or a motion; the layout keeps it
  /// inside the content's edges. (`UIScrollView.contentOffset`.)
  public final var contentOffset: LocalPoint {
    get { bounds.origin }
    set {
      state = .resting
      deadline = nil
      setIndicatorOpacity(0)
      forgetContent()
      offset = newValue
      bounds.origin = newValue
      setNeedsLayout()
    }
  }

  /// How large the content is, from (0, 0): as large as the subviews, until it is set. (`UIScrollView.contentSize`.)
  public final var contentSize: Size {
    get {
      if let size = scrolling.contentSize { return size }
      var size = Size.zero
      for subview in storedSubviews {
        let frame = subview.frame
        size = Size(width: max(size.width, frame.maxX), height: max(size.height, frame.maxY))
      }
      return size
    }
    set { scrolling.contentSize = newValue }
  }

  /// Whether it stops at multiples of its own size. (`UIScrollView.isPagingEnabled`.)
  public final var isPagingEnabled: Bool {
    get { scrolling.isPaging }
    set { scrolling.isPaging = newValue }
  }

  /// Whether content can be dragged beyond its edges, and springs back. (`UIScrollView.bounces`.)
  public final var bounces: Bool {
    get { scrolling.bounces }
    set { scrolling.bounces = newValue }
  }

  /// Places the subviews without a frame: they are as long as their content along the axis on which it scrolls, and fill the
  /// view across it. A content size that is set is theirs.
  open override func layoutSubviews() {
    for subview in storedSubviews where subview.isArranged {
      subview.layoutRect = LocalRect(
        origin: .zero, size: scrolling.contentSize ?? arrangedContentSize(of: subview))
    }
    stayInside()
    // They show how long the content is.
    if indicatorOpacity > 0 { setNeedsDisplay() }
  }

  private func arrangedContentSize(of subview: View) -> Size {
    func length(_ content: ContentLength, _ room: Double) -> Double {
      content.hugging == .none ? max(room, content.units) : content.units
    }
    var isRow = scrolling.axis == .horizontal
    if scrolling.axis == .auto, let stack = subview as? StackView {
      isRow = stack.arrangement.axis == .horizontal && stack.arrangement.columns == nil
    }
    let room = bounds.size
    let content = subview.arrangedSize(atWidth: isRow ? .infinity : room.width)
    return isRow
      ? Size(width: length(content.width, room.width), height: room.height)
      : Size(width: room.width, height: length(content.height, room.height))
  }

  open override func didAddSubview(_ subview: View) {
    super.didAddSubview(subview)
    setNeedsLayout()
  }

  /// From the first offset to the last one, along each axis.
  var range: (x: ClosedRange<Double>, y: ClosedRange<Double>) {
    let (content, room) = (contentSize, bounds.size)
    return (
      0...(scrolling.axis == .vertical ? 0 : max(0, content.width - room.width)),
      0...(scrolling.axis == .horizontal ? 0 : max(0, content.height - room.height))
    )
  }

  /// Whether there is anything to scroll to.
  final var canScroll: Bool {
    let range = range
    return range.x.isOpen || range.y.isOpen
  }

  /// Takes an offset that lies beyond the edges back, unless a finger or a spring does. The content became shorter, or the
  /// view larger.
  private func stayInside() {
    // Read again: it may have been set as the bounds of the view.
    if case .resting = state { offset = bounds.origin } else { return }
    let range = range
    let inside = LocalPoint(x: range.x.nearest(to: offset.x), y: range.y.nearest(to: offset.y))
    if inside != offset { show(inside) }
  }

  /// Scrolls so far that a rectangle of the content is seen, or as much of its beginning as there is room for.
  /// (`UIScrollView.scrollRectToVisible(_:animated:)`, without animation.)
  public final func scrollRectToVisible(_ rect: LocalRect) {
    func offset(_ now: Double, _ low: Double, _ high: Double, _ room: Double) -> Double {
      low < now || high - low > room ? low : max(now, high - room)
    }
    contentOffset = LocalPoint(
      x: offset(bounds.minX, rect.minX, rect.maxX, bounds.size.width),
      y: offset(bounds.minY, rect.minY, rect.maxY, bounds.size.height))
    layoutIfNeeded()
  }

  /// Moves the content, to whole pixels.
  func show(_ offset: LocalPoint) {
    self.offset = offset
    let (matrix, pixels) = (windowFromLocal, window?.pixelsPerUnit ?? Size(width: 1, height: 1))
    func rounded(_ offset: Double, _ axis: WindowVector) -> Double {
      let unit = WindowVector(x: axis.x * pixels.width, y: axis.y * pixels.height).length
      return unit > 0 && unit.isFinite ? (offset * unit).rounded() / unit : offset
    }
    bounds.origin = LocalPoint(
      x: rounded(offset.x, WindowVector(x: matrix.a, y: matrix.b)),
      y: rounded(offset.y, WindowVector(x: matrix.c, y: matrix.d)))
  }

  // MARK: Dragging

  /// Whether it goes on by itself after a drag. (`UIScrollView.isDecelerating`.)
  public final var isDecelerating: Bool {
    if case .moving = state { return true }
    return false
  }

  /// Whether a finger scrolls. (`UIScrollView.isDragging`.)
  public final var isDragging: Bool {
    if case .dragging = state { return true }
    return false
  }

  /// Whether a touch that a view of the content already has can scroll, and is cancelled there.
  /// (`UIScrollView.touchesShouldCancel(in:)`.)
  open func touchesShouldCancel(in view: View) -> Bool {
    switch scrolling.cancelsTouches {
    case .auto: !(view is Control) || view is ListView
    case .always: true
    case .never: false
    }
  }

  private func follow(_ pan: ScrollGestureRecognizer) {
    switch pan.state {
    case .began: begin(pan)
    case .changed: drag(pan)
    case .ended:
      let speed = pan.velocity(in: nil)
      release(WindowVector(x: speed.x, y: speed.y), at: pan.time)
    case .cancelled: release(.zero, at: pan.time)
    case .possible, .failed: break
    }
  }

  private func begin(_ pan: ScrollGestureRecognizer) {
    let (range, translation) = (range, pan.translation(in: self))
    // The content follows from the place at which the finger had gone far enough.
    let length = translation.length
    let part = length > 0 ? min(1, pan.leastTranslation / length) : 0
    var drag = Drag(
      origin: LocalPoint(
        x: range.x.unstretched(offset.x, bounds.size.width),
        y: range.y.unstretched(offset.y, bounds.size.height)),
      translation: LocalVector(x: translation.x * part, y: translation.y * part))
    if scrolling.locksDirection {
      let (x, y) = (abs(translation.x), abs(translation.y))
      // A diagonal drag is free.
      drag.lock = x > 2 * y ? .horizontal : y > 2 * x ? .vertical : nil
    }
    take(drag)
    self.drag(pan)
  }

  /// A finger scrolls from here on.
  final func take(_ drag: Drag) {
    state = .dragging(drag)
    deadline = nil
    indicators.stay()
    setIndicatorOpacity(canScroll ? 1 : 0)
  }

  private func drag(_ pan: ScrollGestureRecognizer) {
    let now = pan.translation(in: self)
    guard case .dragging(let drag) = state, drag.leader == nil, now.isFinite else { return }
    let range = range
    let goesX = drag.lock != .vertical && (range.x.isOpen || offset.x != 0)
    let goesY = drag.lock != .horizontal && (range.y.isOpen || offset.y != 0)
    var next = LocalPoint(
      x: goesX ? drag.origin.x - (now.x - drag.translation.x) : offset.x,
      y: goesY ? drag.origin.y - (now.y - drag.translation.y) : offset.y)
    let taken = dragAlong(
      LocalVector(
        x: goesX ? range.x.excess(of: next.x, beyond: drag.origin.x) : 0,
        y: goesY ? range.y.excess(of: next.y, beyond: drag.origin.y) : 0))
    if goesX { next.x = range.x.stretched(next.x - taken.x, bounds.size.width, scrolling.bounces) }
    if goesY { next.y = range.y.stretched(next.y - taken.y, bounds.size.height, scrolling.bounces) }
    show(next)
  }

  // MARK: Moving

  /// The finger lifts.
  ///
  /// - Parameters:
  ///   - velocity: of the finger.
  ///   - leader: whose finger it is, if not the view's own.
  final func letGo(_ velocity: LocalVector, by leader: ScrollView? = nil, at time: Timestamp) {
    guard case .dragging(let drag) = state, drag.leader == leader.map(ObjectIdentifier.init) else { return }
    let range = range
    let velocity = velocity.isFinite ? velocity : .zero
    let speed = LocalVector(
      x: drag.lock == .vertical ? 0 : -velocity.x, y: drag.lock == .horizontal ? 0 : -velocity.y)
    let x = ScrollMotion.released(
      at: offset.x, in: range.x, speed: speed.x, length: bounds.size.width, scrolling, at: time)
    let y = ScrollMotion.released(
      at: offset.y, in: range.y, speed: speed.y, length: bounds.size.height, scrolling, at: time)
    move(x, y, at: time)
  }

  private func move(_ x: ScrollMotion?, _ y: ScrollMotion?, at time: Timestamp) {
    // Outside a window no time passes.
    guard x != nil || y != nil, window != nil else { return rest(at: time) }
    state = .moving(x: x, y: y)
    deadline = time.advanced(byMicroseconds: Self.step)
  }

  func rest(at time: Timestamp) {
    state = .resting
    let range = range
    show(LocalPoint(x: range.x.nearest(to: offset.x), y: range.y.nearest(to: offset.y)))
    let fade = indicators.fade(after: time)
    deadline = indicatorOpacity > 0 ? fade : nil
    forgetContent()
  }

  open override func deadlinePassed(with event: Event) {
    let time = event.timestamp
    // Outside a window nothing moves.
    guard window != nil else {
      contentOffset = offset
      return
    }
    switch state {
    case .starting(let end): start(to: end, at: window?.dispatcher?.present ?? time)
    case .moving(let x, let y): advance(x, y, to: time)
    case .resting: fade(at: time)
    case .dragging: deadline = nil
    }
  }

  /// Where a motion ends; the offset at rest, and nil while a finger decides.
  final var restingPlace: LocalPoint? {
    switch state {
    case .resting: offset
    case .dragging: nil
    case .starting(let end): end
    case .moving(let x, let y): LocalPoint(x: x?.end ?? offset.x, y: y?.end ?? offset.y)
    }
  }

  /// Moves to an offset as from page to page. (`UIScrollView.setContentOffset(_:animated:)`.)
  ///
  /// - Returns: false where no time passes; then nothing moves.
  final func spring(to end: LocalPoint) -> Bool {
    guard let dispatcher = window?.dispatcher else { return false }
    if let time = dispatcher.eventTime {
      start(to: end, at: time)
    } else {
      state = .starting(to: end)
      deadline = dispatcher.present
    }
    return true
  }

  private func start(to end: LocalPoint, at time: Timestamp) {
    func spring(_ offset: Double, _ end: Double) -> ScrollMotion? {
      offset == end
        ? nil
        : .springing(from: offset, to: end, speed: 0, stiffness: ScrollMotion.pageStiffness, at: time)
    }
    move(spring(offset.x, end.x), spring(offset.y, end.y), at: time)
  }

  private func advance(_ x: ScrollMotion?, _ y: ScrollMotion?, to time: Timestamp) {
    let range = range
    var (x, y) = (x, y)
    let next = LocalPoint(
      x: ScrollMotion.advance(&x, in: range.x, bounces: scrolling.bounces, to: time) ?? offset.x,
      y: ScrollMotion.advance(&y, in: range.y, bounces: scrolling.bounces, to: time) ?? offset.y)
    show(next)
    move(x, y, at: time)
  }

  /// Handles a wheel as long as there is anywhere to go.
  open override func pointerChanged(_ pointer: PointerEvent) -> Disposition {
    let disposition = super.pointerChanged(pointer)
    guard disposition == .forward, case .wheel(let x, let y) = pointer.kind else { return disposition }
    return turn(x: x, y: y, at: pointer.timestamp) ? .handled : .forward
  }

  /// Scrolls by steps of a wheel; from page to page, by whole ones. Returns false where it cannot go any further that way.
  private func turn(x: Double, y: Double, at time: Timestamp) -> Bool {
    let range = range
    guard range.x.leads(from: offset.x, by: x) || range.y.leads(from: offset.y, by: -y) else {
      wheelRest = .zero
      return false
    }
    var (x, y) = (x, y)
    if scrolling.isPaging {
      x = Self.wholeSteps(x, after: &wheelRest.x)
      y = Self.wholeSteps(y, after: &wheelRest.y)
    }
    let step = scrolling.isPaging ? bounds.size : Size(width: Self.wheelStep, height: Self.wheelStep)
    let next = LocalPoint(
      x: range.x.nearest(to: offset.x + x * step.width), y: range.y.nearest(to: offset.y - y * step.height))
    if case .dragging = state { return true }
    guard next != offset else { return true }
    setIndicatorOpacity(1)
    offset = next
    rest(at: time)
    return true
  }

  /// The whole steps that a wheel has turned with the rest of what it turned before; the other way round begins again.
  private static func wholeSteps(_ turned: Double, after rest: inout Double) -> Double {
    let all = rest * turned < 0 ? turned : rest + turned
    // A step may come as fractions whose sum is almost one.
    let whole = (all + (all < 0 ? -1e-6 : 1e-6)).rounded(.towardZero)
    rest = all - whole
    return whole
  }

  // MARK: Indicators

  /// How visible the indicators are: 0 … 1.
  package final var indicatorOpacity: Double { indicators.opacity }

  /// Where the indicators are, in the view's own space; nil along an axis that does not scroll.
  package final var indicatorRects: (horizontal: LocalRect?, vertical: LocalRect?) {
    ScrollIndicators.rects(for: range, of: contentSize, in: bounds)
  }

  private func fade(at time: Timestamp) {
    setIndicatorOpacity(indicators.opacityWhileFading(at: time))
    deadline = indicatorOpacity > 0 ? time.advanced(byMicroseconds: 2 * Self.step) : nil
    forgetContent()
  }

  private func setIndicatorOpacity(_ opacity: Double) {
    let opacity = scrolling.showsIndicators ? opacity : 0
    guard indicatorOpacity != opacity else { return }
    indicators.opacity = opacity
    for rect in [indicatorRects.horizontal, indicatorRects.vertical] {
      if let rect { setNeedsDisplay(rect) }
    }
  }

  // MARK: Painting

  /// Whether a finger or a motion scrolls, or the indicators of that are still seen: the time in which painters keep content.
  package final var isScrolling: Bool {
    if case .resting = state { return indicatorOpacity > 0 }
    return true
  }

  /// What a painter keeps of the content while the view scrolls; the painter knows its class. The view gives it back.
  package final var keptContent: AnyObject? {
    didSet {
      watchesContent = keptContent != nil
      changedContent = .zero
    }
  }
  /// Around what has changed of the kept content, in the view's own space. The painter empties it.
  package final var changedContent = LocalRect.zero

  open override func contentNeedsDisplay(in rect: LocalRect) {
    guard rect.origin.isFinite, rect.size.width.isFinite, rect.size.height.isFinite else { return }
    changedContent = changedContent.union(rect)
  }

  private func forgetContent() {
    if !isScrolling, keptContent != nil { keptContent = nil }
  }
}
