import TouchCore

extension ViewKind {
  package static let scroll = ViewKind(
    "scroll", "a scroll view", "scroll views", .forwarded, alsoCalled: ["scrollview", "scrollarea"],
    details: { (scrollView: ScrollView) in
      let size = scrollView.contentSize
      return ["content \(size.width.numeral) × \(size.height.numeral)"]
    },
    make: { ScrollView(id: $0) })
}

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
  /// The settings of scrolling. Content that becomes shorter stays inside its edges.
  public final var scrolling = Scrolling() {
    didSet {
      guard oldValue != scrolling else { return }
      setNeedsLayout()
      if oldValue.zoomLimits != scrolling.zoomLimits { zoomLimitsChanged() }
    }
  }

  struct Drag {
    /// The offset without a rubber band, at the time when the finger was at `translation`.
    var origin: LocalPoint
    /// The translation of the recogniser, or the distance of the leader beyond its edges.
    var translation: LocalVector
    /// The only axis of the drag; nil for both.
    var lock: Axis?
    /// The scroll view in this one that drags it along; nil for a finger of its own.
    var leader: ObjectIdentifier?
  }

  enum State {
    case resting
    case dragging(Drag)
    /// The view is about to move to an offset, as soon as time passes.
    case starting(to: LocalPoint)
    /// The view moves along one axis or both.
    case moving(x: ScrollMotion?, y: ScrollMotion?)
    /// Fingers zoom, or the zoom goes back inside its limits.
    case zooming(ScrollZoom.Course)
  }

  final var state = State.resting
  /// The offset without rounding to pixels.
  final var offset = LocalPoint.zero
  /// The scroll views around this one that its finger drags along, the nearest first.
  final var led: [ScrollView] = []
  /// The recogniser that scrolls, by the name `ID.pan`; nil for pages that never slid.
  /// (`UIScrollView.panGestureRecognizer`.)
  public private(set) final var panGestureRecognizer: PanGestureRecognizer?
  /// The zoom and its recognisers; nil for content that does not zoom.
  final var zoom: ScrollZoom?
  final var indicators = ScrollIndicators()
  /// The delegate, which follows the scroll view. (`UIScrollView.delegate`.)
  public final weak var delegate: (any ScrollViewDelegate)?
  /// The part of a course whose end the delegate waits for; nil at rest.
  final var course: Course?
  /// The part of a wheel's turn that is no whole page.
  private var wheelRest = LocalVector.zero
  /// Whether the beginning of this scroll was reported, and its end has to be.
  private var isReported = false

  /// The time between two steps of a motion, in microseconds: 60 a second.
  static let step: Int64 = 16_667
  /// The distance that one step of a wheel scrolls, in units.
  private static let wheelStep = 48.0

  /// Makes a scroll view. It clips, as in UIKit.
  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    needsLayout = true
    followFingers()
  }

  open override class var standardHitTestClass: View.Type { ScrollView.self }

  /// The view to which files and programs refer: itself, or the list whose rows it scrolls.
  package var owner: View { self }

  /// Whether keys can reach the view. Its own taps are for fingers.
  open override var canBecomeFocused: Bool { isFocusable ?? false }

  open override var isFocusGroup: Bool { true }

  /// - Parameter frame: the frame of a view that does not scroll until `followFingers()`.
  init(id: String, restingAt frame: LocalRect) { super.init(id: id, frame: frame) }

  /// Adds the pan that scrolls, and clips.
  final func followFingers() {
    clipsToBounds = true
    if let panGestureRecognizer { return addGestureRecognizer(panGestureRecognizer) }
    let pan = ScrollGestureRecognizer(of: self)
    pan.action = { [weak self, weak pan] _ in if let pan { self?.follow(pan) } }
    addGestureRecognizer(pan)
    panGestureRecognizer = pan
  }

  // MARK: Geometry

  /// The point of the content that is seen at the top-left corner. A drag goes on from where it is set, and
  /// so does content that slows down after one; any other motion ends. At rest the layout keeps it inside the
  /// content's edges. (`UIScrollView.contentOffset`; Apple's sample code StreetScroller sets it while a
  /// finger drags, and while the content slows down.)
  public final var contentOffset: LocalPoint {
    get { bounds.origin }
    set { if !goOn(from: newValue) { rest(at: newValue) } }
  }

  /// Moves to an offset, and stays there.
  final func rest(at place: LocalPoint) {
    state = .resting
    deadline = nil
    setIndicatorOpacity(0)
    forgetContent()
    let isElsewhere = place != bounds.origin
    offset = place
    bounds.origin = place
    setNeedsLayout()
    if isElsewhere { delegate?.scrollViewDidScroll(self) }
    if isElsewhere || isReported { report(.ended) }
    endCourse()
  }

  /// The size of the content from (0, 0); that of the subviews until it is set. (`UIScrollView.contentSize`.)
  public final var contentSize: Size {
    get {
      if let size = scrolling.contentSize {
        let scale = zoomScale
        return Size(width: size.width * scale, height: size.height * scale)
      }
      var size = Size.zero
      for subview in storedSubviews {
        let frame = subview.frame
        size = Size(width: max(size.width, frame.maxX), height: max(size.height, frame.maxY))
      }
      return size
    }
    set {
      let scale = zoomScale
      scrolling.contentSize = Size(width: newValue.width / scale, height: newValue.height / scale)
    }
  }

  /// Places the subviews without a frame: they are as long as their content along the axis on which it
  /// scrolls, and fill the view across it. A content size that is set is theirs.
  open override func layoutSubviews() {
    for subview in storedSubviews where subview.isArranged {
      subview.layoutRect = LocalRect(
        origin: .zero, size: scrolling.contentSize ?? arrangedContentSize(of: subview))
    }
    zoom?.apply()
    stayInside()
    // The indicators show the length of the content.
    if indicatorOpacity > 0 { setNeedsDisplay() }
  }

  private func arrangedContentSize(of subview: View) -> Size {
    func length(_ content: ContentLength, _ room: Double) -> Double {
      content.hugging == .none ? max(room, content.units) : content.units
    }
    var isRow = scrolling.axis == .horizontal
    if scrolling.axis == .auto, let stack = subview as? StackView { isRow = stack.isRow }
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

  /// The first and the last offset along each axis.
  var range: (x: ClosedRange<Double>, y: ClosedRange<Double>) {
    let (content, room, insets) = (contentSize, bounds.size, scrolling.contentInset)
    let (right, bottom) = (
      content.width - room.width + insets.right, content.height - room.height + insets.bottom
    )
    return (
      -insets.left...(scrolling.axis == .vertical ? -insets.left : max(-insets.left, right)),
      -insets.top...(scrolling.axis == .horizontal ? -insets.top : max(-insets.top, bottom))
    )
  }

  final var canScroll: Bool {
    let range = range
    return range.x.isOpen || range.y.isOpen
  }

  /// Takes an offset that lies beyond the edges back, unless a finger or a spring does. The content became
  /// shorter, or the view larger.
  private func stayInside() {
    // The offset is read again, because it may have been set as the bounds of the view.
    if case .resting = state { offset = bounds.origin } else { return }
    let range = range
    let inside = LocalPoint(x: range.x.nearest(to: offset.x), y: range.y.nearest(to: offset.y))
    if inside != offset { show(inside) }
  }

  /// Moves the content, to whole pixels.
  func show(_ offset: LocalPoint) {
    self.offset = offset
    let place = onPixels(offset)
    guard place != bounds.origin else { return }
    bounds.origin = place
    delegate?.scrollViewDidScroll(self)
    if isScrolling { report(.changed) }
  }

  final func onPixels(_ offset: LocalPoint) -> LocalPoint {
    let (matrix, pixels) = (windowFromLocal, window?.pixelsPerUnit ?? Size(width: 1, height: 1))
    func rounded(_ offset: Double, _ axis: WindowVector) -> Double {
      let unit = WindowVector(x: axis.x * pixels.width, y: axis.y * pixels.height).length
      return unit > 0 && unit.isFinite ? (offset * unit).rounded() / unit : offset
    }
    return LocalPoint(
      x: rounded(offset.x, WindowVector(x: matrix.a, y: matrix.b)),
      y: rounded(offset.y, WindowVector(x: matrix.c, y: matrix.d)))
  }

  // MARK: Focus

  /// Whether keys scroll it. Pages, wheels and what is behind a sheet move by themselves.
  var followsFocus: Bool { type(of: self).standardHitTestClass == ScrollView.self }
  /// The height of what may cover the upper edge of the visible content.
  var coverHeight: Double { 0 }

  /// Moves a view that keys do not scroll by an arrow.
  /// - Returns: whether it moved.
  func turnFocus(_ heading: FocusHeading) -> Bool { false }

  /// Scrolls to a row for the focus, which goes on in it, where not all rows exist.
  /// - Returns: whether the row exists now, and did not before.
  func showRow(_ heading: FocusHeading, beyond view: View?, by distance: Int) -> Bool { false }

  // MARK: Reporting

  var reportsScrolling: Bool { true }

  /// Reports a phase to observers, each beginning and each end once.
  final func report(_ phase: ScrollPhase) {
    guard reportsScrolling else { return }
    if phase == .began {
      guard !isReported else { return }
      isReported = true
    } else if phase == .ended {
      isReported = false
    }
    window?.observe(ViewStep.scroll(self, phase))
  }

  // MARK: Dragging

  /// Whether a touch that a view of the content already has can scroll, and is cancelled there.
  /// (`UIScrollView.touchesShouldCancel(in:)`.)
  open func touchesShouldCancel(in view: View) -> Bool {
    switch scrolling.cancelsTouches {
    case .auto: view.control == nil || view.kind == .list
    case .always: true
    case .never: false
    }
  }

  // MARK: Moving

  /// Returns the motion along each axis after the finger lifted; nil at rest.
  /// - Parameter speed: the speed of the offset, in units a second.
  func released(with speed: LocalVector, at time: Timestamp) -> (x: ScrollMotion?, y: ScrollMotion?) {
    let range = range
    return (
      .released(at: offset.x, in: range.x, speed: speed.x, length: bounds.size.width, scrolling, at: time),
      .released(at: offset.y, in: range.y, speed: speed.y, length: bounds.size.height, scrolling, at: time)
    )
  }

  func rest(at time: Timestamp) {
    if zoom?.goesBack(at: time) ?? false { return }
    state = .resting
    let range = range
    show(LocalPoint(x: range.x.nearest(to: offset.x), y: range.y.nearest(to: offset.y)))
    let fade = indicators.fade(after: time)
    deadline = indicatorOpacity > 0 ? fade : nil
    forgetContent()
    if isReported { report(.ended) }
    endCourse()
  }

  open override func deadlinePassed(with event: Event) {
    let time = event.timestamp
    // Outside a window nothing moves.
    guard window != nil else { return rest(at: offset) }
    switch state {
    case .starting(let end): start(to: end, at: window?.dispatcher?.present ?? time)
    case .moving(let x, let y): advance(x, y, to: time)
    case .zooming(let course): zoom?.advance(course, to: time)
    case .resting: fade(at: time)
    case .dragging: deadline = nil
    }
  }

  /// Handles a wheel as long as there is anywhere to go.
  open override func pointerChanged(_ pointer: PointerEvent) -> Disposition {
    let disposition = super.pointerChanged(pointer)
    guard disposition == .forward, case .wheel(let x, let y) = pointer.kind else { return disposition }
    return turn(x: x, y: y, at: pointer.timestamp) ? .handled : .forward
  }

  /// Scrolls by steps of a wheel; from page to page, by whole ones. Returns false where it cannot go any
  /// further that way.
  func turn(x: Double, y: Double, at time: Timestamp) -> Bool {
    let range = range
    guard isScrollEnabled, range.x.leads(from: offset.x, by: x) || range.y.leads(from: offset.y, by: -y)
    else {
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
    switch state {
    case .dragging, .zooming: return true
    case .resting, .starting, .moving: break
    }
    guard next != offset else { return true }
    setIndicatorOpacity(1)
    report(.began)
    offset = next
    rest(at: time)
    return true
  }

  /// The whole steps that a wheel has turned with the rest of what it turned before; the other way round
  /// begins again.
  private static func wholeSteps(_ turned: Double, after rest: inout Double) -> Double {
    let all = rest * turned < 0 ? turned : rest + turned
    // A step may come as fractions whose sum is almost one.
    let whole = (all + (all < 0 ? -1e-6 : 1e-6)).rounded(.towardZero)
    rest = all - whole
    return whole
  }

  // MARK: Indicators

  /// The opacity of the indicators, from 0 to 1.
  package final var indicatorOpacity: Double { indicators.opacity }

  /// The rectangles of the indicators, in the view's own space; nil along an axis that does not scroll.
  package final var indicatorRects: (horizontal: LocalRect?, vertical: LocalRect?) {
    ScrollIndicators.rects(for: range, of: contentSize, in: bounds)
  }

  private func fade(at time: Timestamp) {
    setIndicatorOpacity(indicators.opacityWhileFading(at: time))
    deadline = indicatorOpacity > 0 ? time.advanced(byMicroseconds: 2 * Self.step) : nil
    forgetContent()
  }

  final func setIndicatorOpacity(_ opacity: Double) {
    let opacity = scrolling.showsIndicators ? opacity : 0
    guard indicatorOpacity != opacity else { return }
    indicators.opacity = opacity
    for rect in [indicatorRects.horizontal, indicatorRects.vertical] { if let rect { setNeedsDisplay(rect) } }
  }

  // MARK: Painting

  /// Whether a finger or a motion scrolls, or the indicators of that are still seen: the time in which
  /// painters keep content.
  package final var isScrolling: Bool {
    if case .resting = state { return indicatorOpacity > 0 }
    return true
  }

  /// A painter's kept content while the view scrolls. The painter knows its class; the view gives it back.
  package final var keptContent: AnyObject? {
    didSet {
      watchesContent = keptContent != nil
      changedContent = .zero
    }
  }
  /// The bounding box of changes in the kept content, in the view's own space. The painter empties it.
  package final var changedContent = LocalRect.zero

  open override func contentNeedsDisplay(in rect: LocalRect) {
    guard rect.origin.isFinite, rect.size.width.isFinite, rect.size.height.isFinite else { return }
    changedContent = changedContent.union(rect)
  }

  private func forgetContent() { if !isScrolling, keptContent != nil { keptContent = nil } }
}
