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
  /// Along which axes it scrolls.
  public enum Axis: String, CaseIterable, Sendable {
    case horizontal, vertical
    /// Along each axis on which the content is longer than the view, as UIKit does.
    case auto
  }

  /// How fast it slows down. (`UIScrollView.DecelerationRate`.)
  public enum Deceleration: String, CaseIterable, Sendable { case normal, fast }

  /// Whether touches that the content already has can scroll; they are cancelled in the content then.
  public enum TouchCancelling: String, CaseIterable, Sendable {
    /// Those of controls cannot, except those of lists. (The default of `UIScrollView.touchesShouldCancel(in:)`, and that
    /// of `UITableView`.)
    case auto
    /// All can.
    case always
    /// None can. (`UIScrollView.canCancelContentTouches` is false.)
    case never
  }

  /// How it scrolls. The defaults are UIKit's.
  public struct Scrolling: Hashable, Sendable {
    /// How large the content is, from (0, 0), in the view's own units; nil for as large as the subviews are.
    /// (`UIScrollView.contentSize`.)
    public var contentSize: Size?
    public var axis = Axis.auto
    /// Whether it stops at multiples of its own size. (`UIScrollView.isPagingEnabled`.)
    public var isPaging = false
    /// Whether content can be dragged beyond its edges, and springs back. (`UIScrollView.bounces`.)
    public var bounces = true
    /// (`UIScrollView.showsVerticalScrollIndicator`, and the horizontal one.)
    public var showsIndicators = true
    /// Whether a touch reaches the content only when it has rested for a moment. (`UIScrollView.delaysContentTouches`.)
    public var delaysTouches = true
    public var cancelsTouches = TouchCancelling.auto
    public var deceleration = Deceleration.normal
    /// Whether a drag that goes along one axis stays on it. (`UIScrollView.isDirectionalLockEnabled`.)
    public var locksDirection = false

    public init() {}
  }

  /// How it scrolls. Content that is shorter now stays inside its edges.
  public final var scrolling = Scrolling() { didSet { if oldValue != scrolling { setNeedsLayout() } } }

  /// What a finger does that scrolls.
  private struct Drag {
    /// Where the offset would be without a rubber band, when the finger was at `translation`.
    var origin: LocalPoint
    /// Of the recogniser.
    var translation: LocalVector
    /// The only axis along which it goes; nil for both.
    var lock: Axis?
  }

  private enum State {
    case resting
    case dragging(Drag)
    /// About to move to an offset, as soon as time passes.
    case starting(to: LocalPoint)
    /// Along one axis, or both.
    case moving(x: ScrollMotion?, y: ScrollMotion?)
  }

  private var state = State.resting
  /// The offset without rounding to pixels.
  private var offset = LocalPoint.zero
  /// How visible the indicators are: 0 … 1.
  public private(set) final var indicatorOpacity = 0.0
  /// What a wheel has turned that is no whole page.
  private var wheelRest = LocalVector.zero
  /// When the indicators begin to fade.
  private var fadeStart: Timestamp?

  /// Between two steps of a motion, in microseconds: 60 a second.
  private static let step: Int64 = 16_667
  /// How long the indicators stay after the content has come to rest, in seconds.
  private static let indicatorStay = 0.4
  private static let indicatorFade = 0.3
  /// A finger that is faster when it lifts turns the page, in units a second.
  private static let pageSpeed = 200.0
  /// How far one step of a wheel scrolls, in units.
  private static let wheelStep = 48.0

  /// It clips, as in UIKit.
  public override init(id: String, layoutRect: LocalRect = .zero) {
    super.init(id: id, layoutRect: layoutRect)
    needsLayout = true
    followFingers()
  }

  /// - Parameter restingAt: a view that does not scroll until `followFingers()`.
  init(id: String, restingAt layoutRect: LocalRect) { super.init(id: id, layoutRect: layoutRect) }

  /// Adds the pan that scrolls, and clips.
  final func followFingers() {
    clipsToBounds = true
    let pan = ScrollGestureRecognizer(id: "\(id).pan")
    pan.action = { [unowned self, unowned pan] _ in follow(pan) }
    addGestureRecognizer(pan)
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

  /// How large the content is, from (0, 0). (`UIScrollView.contentSize`.)
  public final var contentSize: Size {
    if let size = scrolling.contentSize { return size }
    var size = Size.zero
    for subview in storedSubviews {
      let frame = subview.frame
      size = Size(width: max(size.width, frame.maxX), height: max(size.height, frame.maxY))
    }
    return size
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

  /// Whether a finger that went so far scrolls this view, and not one around it.
  ///
  /// - Parameter least: how far it has to go along an axis.
  final func scrolls(by translation: LocalVector, least: Double) -> Bool {
    let range = range
    let (x, y) = (abs(translation.x), abs(translation.y))
    let (goesX, goesY) = (range.x.isOpen, range.y.isOpen)
    let way = goesX && goesY ? translation.length : goesX ? x : goesY ? y : 0
    guard way > 0, way >= least else { return false }
    // Where another one could take the drag, this one takes what goes along its own axes and not beyond its ends.
    let isAlongX = x > y
    let isOwn =
      isAlongX
      ? range.x.leads(from: offset.x, by: -translation.x)
      : range.y.leads(from: offset.y, by: -translation.y)
    return isOwn || !isInsideScrollView(alongX: isAlongX, translation)
  }

  /// Whether a scroll view around this one can take a drag.
  private func isInsideScrollView(alongX: Bool, _ translation: LocalVector) -> Bool {
    var ancestor = superview
    while let view = ancestor {
      if let outer = view as? ScrollView {
        let range = outer.range
        if alongX
          ? range.x.leads(from: outer.offset.x, by: -translation.x)
          : range.y.leads(from: outer.offset.y, by: -translation.y)
        {
          return true
        }
      }
      ancestor = view.superview
    }
    return false
  }

  private func follow(_ pan: ScrollGestureRecognizer) {
    switch pan.state {
    case .began: begin(pan)
    case .changed: drag(pan)
    case .ended: release(pan.velocity(in: self), at: pan.time)
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
    state = .dragging(drag)
    deadline = nil
    fadeStart = nil
    setIndicatorOpacity(canScroll ? 1 : 0)
    self.drag(pan)
  }

  private func drag(_ pan: ScrollGestureRecognizer) {
    guard case .dragging(let drag) = state else { return }
    let (range, now) = (range, pan.translation(in: self))
    var next = offset
    if drag.lock != .vertical, range.x.isOpen || offset.x != 0 {
      next.x = range.x.stretched(
        drag.origin.x - (now.x - drag.translation.x), bounds.size.width, scrolling.bounces)
    }
    if drag.lock != .horizontal, range.y.isOpen || offset.y != 0 {
      next.y = range.y.stretched(
        drag.origin.y - (now.y - drag.translation.y), bounds.size.height, scrolling.bounces)
    }
    show(next)
  }

  // MARK: Moving

  private func release(_ velocity: LocalVector, at time: Timestamp) {
    guard case .dragging(let drag) = state else { return }
    let range = range
    let speed = LocalVector(
      x: drag.lock == .vertical ? 0 : -velocity.x, y: drag.lock == .horizontal ? 0 : -velocity.y)
    let x = motion(from: offset.x, range.x, speed: speed.x, bounds.size.width, at: time)
    let y = motion(from: offset.y, range.y, speed: speed.y, bounds.size.height, at: time)
    move(x, y, at: time)
  }

  private func motion(
    from offset: Double, _ range: ClosedRange<Double>, speed: Double, _ length: Double, at time: Timestamp
  ) -> ScrollMotion? {
    guard range.contains(offset) else {
      let edge = range.nearest(to: offset)
      return .springing(
        from: offset, to: edge, speed: speed * ScrollMotion.slope(at: abs(offset - edge), length: length),
        stiffness: ScrollMotion.edgeStiffness, at: time)
    }
    guard range.isOpen else { return nil }
    guard scrolling.isPaging, length > 0 else {
      return .coasting(from: offset, speed: speed, scrolling.deceleration, at: time)
    }
    let place = offset / length
    let page =
      abs(speed) < Self.pageSpeed
      ? place.rounded() : speed > 0 ? place.rounded(.down) + 1 : place.rounded(.up) - 1
    let end = range.nearest(to: page * length)
    // Faster, and the spring would take it beyond the page.
    let fastest = ScrollMotion.pageStiffness * abs(end - offset)
    return .springing(
      from: offset, to: end, speed: min(max(speed, -fastest), fastest), stiffness: ScrollMotion.pageStiffness,
      at: time)
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
    fadeStart = time.advanced(bySeconds: Self.indicatorStay)
    deadline = indicatorOpacity > 0 ? fadeStart : nil
    forgetContent()
  }

  override func deadlinePassed(with event: Event) {
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
      x: position(&x, range.x, at: time) ?? offset.x, y: position(&y, range.y, at: time) ?? offset.y)
    show(next)
    move(x, y, at: time)
  }

  /// Where a motion is; it becomes a spring where it passes an edge, and nil at its end.
  private func position(
    _ motion: inout ScrollMotion?, _ range: ClosedRange<Double>, at time: Timestamp
  ) -> Double? {
    guard let course = motion else { return nil }
    guard var now = course.state(at: time) else {
      motion = nil
      return range.nearest(to: course.end)
    }
    let edge = range.nearest(to: now.offset)
    guard edge != now.offset, let spring = course.bouncing(at: edge, passedBefore: time) else {
      return now.offset
    }
    motion = scrolling.bounces ? spring : nil
    now = motion?.state(at: time) ?? (edge, 0)
    return now.offset
  }

  /// Scrolls by steps of a wheel; from page to page, by whole ones. Returns false where it cannot go any further that way.
  final func turn(x: Double, y: Double, at time: Timestamp) -> Bool {
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

  private func fade(at time: Timestamp) {
    let elapsed = time.seconds(since: fadeStart ?? time)
    setIndicatorOpacity(min(1, max(0, 1 - elapsed / Self.indicatorFade)))
    deadline = indicatorOpacity > 0 ? time.advanced(byMicroseconds: 2 * Self.step) : nil
    forgetContent()
  }

  private func setIndicatorOpacity(_ opacity: Double) {
    let opacity = scrolling.showsIndicators ? opacity : 0
    guard indicatorOpacity != opacity else { return }
    indicatorOpacity = opacity
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
      isContentKept = keptContent != nil
      changedContent = .zero
    }
  }
  /// Around what has changed of the kept content, in the view's own space. The painter empties it.
  package final var changedContent = LocalRect.zero

  final func contentChanged(in rect: LocalRect) {
    guard rect.origin.isFinite, rect.size.width.isFinite, rect.size.height.isFinite else { return }
    changedContent = changedContent.union(rect)
  }

  private func forgetContent() {
    if !isScrolling, keptContent != nil { keptContent = nil }
  }

  /// Where the indicators are, in the view's own space; nil along an axis that does not scroll.
  public final var indicatorRects: (horizontal: LocalRect?, vertical: LocalRect?) {
    let (range, content) = (range, contentSize)
    let (margin, width) = (3.0, 4.0)
    // In the corner they would meet.
    let corner = range.x.upperBound > 0 && range.y.upperBound > 0 ? margin + width : 0
    func span(_ range: ClosedRange<Double>, _ offset: Double, _ room: Double, _ content: Double) -> (
      Double, Double
    )? {
      let track = room - 2 * margin - corner
      guard range.upperBound > 0, track > 0 else { return nil }
      // Beyond an edge it is as much shorter as the content is away from it.
      let beyond = abs(offset - range.nearest(to: offset))
      let length = min(track, max(2 * width, max(36, track * room / content) - beyond)).rounded()
      return (margin + (track - length) * range.nearest(to: offset) / range.upperBound, length)
    }
    let (left, top) = (bounds.minX, bounds.minY)
    let across = span(range.x, left, bounds.size.width, content.width).map {
      LocalRect(x: left + $0.0, y: bounds.maxY - margin - width, width: $0.1, height: width)
    }
    let down = span(range.y, top, bounds.size.height, content.height).map {
      LocalRect(x: bounds.maxX - margin - width, y: top + $0.0, width: width, height: $0.1)
    }
    return (across, down)
  }
}
