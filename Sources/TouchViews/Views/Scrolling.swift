import TouchCore

extension ViewProperty {
  static let scrollAxis = ViewProperty(
    "axis", of: [.scroll], \ScrollView.scrolling.axis, .word, is: [.nullable, .fixed],
    "Along which axes it scrolls: `horizontal`, `vertical` or `auto`, which is the default: each axis along which the "
      + "content is longer than the view.")

  static let ofScrollViews: [ViewProperty] = [
    ViewProperty(
      "content", of: [.scroll], \ScrollView.scrolling.contentSize, PropertyType.size.orNone, is: .nullable,
      "`[width, height]` of the content. Default: as large as the subviews."),
    ViewProperty(
      "paging", of: .scrolling, \ScrollView.scrolling.isPaging, .flag, is: .fixed,
      "Whether it stops at multiples of its own size."),
    ViewProperty(
      "bounces", of: .scrolling, \ScrollView.scrolling.bounces, .flag, is: .fixed,
      "Whether the content can be dragged beyond its edges, and springs back."),
    ViewProperty(
      "indicators", of: .scrolling, \ScrollView.scrolling.showsIndicators, .flag, is: .fixed,
      "Whether bars show for a moment which part is seen."),
    ViewProperty(
      "delays_touches", of: .scrolling, \ScrollView.scrolling.delaysTouches, .flag, is: .fixed,
      "Whether a touch reaches the content only after a rest of 150 ms, or when it lifts."),
    ViewProperty(
      "cancels_touches", of: .scrolling, \ScrollView.scrolling.cancelsTouches, .word,
      is: [.nullable, .fixed],
      "Whether a touch of the content can still scroll: `auto`, `always` or `never`. `auto`: not that of a "
        + "control other than a list."),
    ViewProperty(
      "deceleration", of: .scrolling, \ScrollView.scrolling.deceleration, .word, is: [.nullable, .fixed],
      "How fast it slows down: each millisecond it keeps 99.8 % of its speed (`normal`), or 99 % (`fast`)."),
    ViewProperty(
      "directional_lock", of: .scrolling, \ScrollView.scrolling.locksDirection, .flag, is: .fixed,
      "Whether a drag that begins along one axis stays on it, where both scroll."),
    ViewProperty(
      "minimum_zoom", of: [.scroll], \ScrollView.scrolling.minimumZoom, .number(.zoom), is: .fixed,
      "The smallest `zoom` that two fingers set. See [zooming](scrolling.md#zooming)."),
    ViewProperty(
      "maximum_zoom", of: [.scroll], \ScrollView.scrolling.maximumZoom, .number(.zoom), is: .fixed,
      "The largest `zoom`, also of a double tap. The view zooms if this is above `minimum_zoom`."),
    ViewProperty(
      "zoom", of: [.scroll], \ScrollView.zoomScale, .number(.zoom), is: .last,
      "How large the content is shown, as a multiple of its size; the nearest that the limits allow."),
  ]
}

/// The directions and habits of a scroll view.
extension ScrollView {
  /// The axes along which a view scrolls.
  public enum Axis: String, CaseIterable, Sendable {
    /// Sideways.
    case horizontal
    /// Up and down.
    case vertical
    /// Along each axis on which the content is longer than the view, as UIKit does.
    case auto
  }

  /// The deceleration after a drag. (`UIScrollView.DecelerationRate`.)
  public enum Deceleration: String, CaseIterable, Sendable {
    /// A slow one, for a long way. (`normal`)
    case normal
    /// A fast one, for a short way. (`fast`)
    case fast
  }

  /// Whether touches that the content already has can scroll; they are cancelled in the content then.
  public enum TouchCancelling: String, CaseIterable, Sendable {
    /// Those of controls cannot, except those of lists. (The default of
    /// `UIScrollView.touchesShouldCancel(in:)`, and that of `UITableView`.)
    case auto
    /// All can.
    case always
    /// None can. (`UIScrollView.canCancelContentTouches` is false.)
    case never
  }

  /// A phase that a scroll view reports. (`UIScrollViewDelegate`.)
  public enum ScrollPhase: String, CaseIterable, Sendable {
    /// A finger drags, or a motion begins. (`scrollViewWillBeginDragging(_:)`.)
    case began
    /// Another part of the content is seen, or at another zoom. (`scrollViewDidScroll(_:)`,
    /// `scrollViewDidZoom(_:)`.)
    case changed
    /// It has come to rest. (`scrollViewDidEndDecelerating(_:)`, `scrollViewDidEndScrollingAnimation(_:)`.)
    case ended
  }

  /// The settings of a scroll view. The defaults are UIKit's.
  public struct Scrolling: Hashable, Sendable {
    /// The size of the content from (0, 0), in the view's own units; nil for
    /// that of the subviews. (`UIScrollView.contentSize`.)
    public var contentSize: Size?
    /// The axes along which the view scrolls.
    public var axis = Axis.auto
    /// The space around the content into which it can be scrolled, in units. (`UIScrollView.contentInset`.)
    public var contentInset = Insets.zero
    /// Whether the view stops at multiples of its own size. (`UIScrollView.isPagingEnabled`.)
    public var isPaging = false
    /// Whether content can be dragged beyond its edges, and springs back. (`UIScrollView.bounces`.)
    public var bounces = true
    /// Whether the indicators are shown.
    /// (`UIScrollView.showsVerticalScrollIndicator`, and the horizontal one.)
    public var showsIndicators = true
    /// Whether a touch reaches the content only when it has rested for a moment.
    /// (`UIScrollView.delaysContentTouches`.)
    public var delaysTouches = true
    /// Whether touches that the content already has can scroll.
    public var cancelsTouches = TouchCancelling.auto
    /// The deceleration after a drag.
    public var deceleration = Deceleration.normal
    /// Whether a drag that goes along one axis stays on it. (`UIScrollView.isDirectionalLockEnabled`.)
    public var locksDirection = false
    /// The smallest zoom, as a multiple of the content's own size; more than 0.
    /// (`UIScrollView.minimumZoomScale`.)
    public var minimumZoom = 1.0
    /// The largest zoom. Content zooms if it is above the smallest. (`UIScrollView.maximumZoomScale`.)
    public var maximumZoom = 1.0

    var zoomLimits: ClosedRange<Double> { minimumZoom...max(minimumZoom, maximumZoom) }

    /// Makes settings with UIKit's defaults.
    public init() {}
  }
}

extension ScrollView {
  /// Whether the view stops at multiples of its own size. (`UIScrollView.isPagingEnabled`.)
  public final var isPagingEnabled: Bool {
    get { scrolling.isPaging }
    set { scrolling.isPaging = newValue }
  }

  /// Whether fingers, wheels and keys scroll. A program always can. (`UIScrollView.isScrollEnabled`.)
  public final var isScrollEnabled: Bool {
    get { panGestureRecognizer?.isEnabled ?? true }
    set { panGestureRecognizer?.isEnabled = newValue }
  }

  /// The space around the content into which it can be scrolled, in units. Content that is at its upper or
  /// left edge stays there. (`UIScrollView.contentInset`.)
  public final var contentInset: Insets {
    get { scrolling.contentInset }
    set {
      let (old, place) = (range, offset)
      scrolling.contentInset = newValue
      let edge = LocalPoint(
        x: place.x <= old.x.lowerBound ? -newValue.left : place.x,
        y: place.y <= old.y.lowerBound ? -newValue.top : place.y)
      if case .resting = state, edge != place { rest(at: edge) }
    }
  }

  /// Whether content can be dragged beyond its edges, and springs back. (`UIScrollView.bounces`.)
  public final var bounces: Bool {
    get { scrolling.bounces }
    set { scrolling.bounces = newValue }
  }
}

extension View {
  /// The part of the bounds that the scroll views around the view let be seen, in the view's own space; empty
  /// for none.
  package final var boundsInSight: LocalRect {
    // Most views are in none, and each mark on a view asks.
    guard isSelfOrAncestor(where: { $0 !== self && type(of: $0) == ScrollView.self }),
      let localFromWindow = windowFromLocal.inverse
    else { return bounds }
    var (seen, next) = (bounds, enclosingScrollView)
    while let scrollView = next {
      let rect: WindowRect = scrollView.windowFrame
      seen = seen.intersection(localFromWindow.bounding(rect))
      next = scrollView.enclosingScrollView
    }
    return seen
  }

  final var enclosingScrollView: ScrollView? {
    var ancestor = superview
    while let view = ancestor {
      if let scrollView = view as? ScrollView { return scrollView }
      ancestor = view.superview
    }
    return nil
  }

  /// The view as one of the kind `scroll`, or what scrolls the views of a list; nil for any other view, and
  /// for pages, which move by themselves.
  package final var scrollView: ScrollView? {
    kind == .scroll ? self as? ScrollView : (self as? ListView)?.host
  }
}
