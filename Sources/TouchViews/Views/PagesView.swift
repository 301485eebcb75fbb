import TouchCore

extension ViewKind {
  package static let pages = ViewKind(
    "pages", "a view of pages", "pages", .forwarded, .pages,
    alsoCalled: ["tabview", "pageview", "swiper", "carousel"],
    details: { (pages: PagesView) in pages.page.map { ["page \($0.id)"] } ?? [] },
    make: { PagesView(id: $0) })
}

extension ViewProperty {
  package static let page = ViewProperty(
    "page", .name("the id of one of its subviews"), is: .nullable,
    get: { $0.page.map { .text($0.id) } ?? .null },
    set: { pages, id in pages.page = pages.subviews.first { $0.id == id } },
    problem: { (pages: PagesView, id) in
      let ids = pages.pages.map(\.id)
      guard !ids.contains(id) else { return nil }
      return .badValue(.init(.name, "the id of one of its subviews: \(ids.joined(separator: ", "))"))
    },
    "The id of the subview that is shown. Default: the first one. See [pages](scrolling.md#pages).")

  package static let slide = ViewProperty(
    "slide", \PagesView.slideAxis, .slide, is: .nullable,
    "Whether a finger slides from page to page: `horizontal` or `true`, `vertical`, or `false`. See [pages](scrolling.md#pages)."
  )

  static let ofPages: [ViewProperty] = [
    page,
    ViewProperty(
      "indicator", \PagesView.showsIndicator, .flag, is: .uncounted,
      "Whether a dot for each page is shown at the bottom edge. A tap on its right half shows the next page, on its left "
        + "half the previous one."),
    slide,
    ViewProperty(
      "tint", \PagesView.currentDotColor, PropertyType.color.orNone,
      is: [.cosmetic, .nullable, .fixed, .noDefault],
      "The colour of the current page's dot. Default: one that stands out."),
    ViewProperty(
      "track", \PagesView.dotColor, PropertyType.color.orNone,
      is: [.cosmetic, .nullable, .fixed, .noDefault],
      "The colour of the other dots. Default: a faint one."),
  ]
}

extension View {
  /// The view of pages that this one is a page of; nil for any other view.
  package final var enclosingPages: PagesView? { superview as? PagesView }
}

/// Shows one of its subviews, the page, and no other. (UIKit's container controllers;
/// `UIPageViewController`.)
///
/// The other subviews are as if they were hidden: neither painted nor hit. Their own `isHidden` stays as it
/// is. Touches on a page that goes are cancelled.
///
/// With a `slideAxis` it scrolls from page to page. Its offset is 0 at rest; while it moves, the other pages
/// lie side by side with the page, and the page changes where the movement ends.
open class PagesView: ScrollView {
  /// The subview that is shown; the first one, until it is set, and nil without subviews. A view that is not
  /// a subview is ignored.
  public final var page: View? {
    get { shown }
    set {
      guard let newValue, newValue.superview === self, newValue !== shown, newValue !== indicator else {
        return
      }
      show(newValue)
    }
  }
  /// The subviews without the indicator.
  public final var pages: [View] { subviews.filter { $0 !== indicator } }
  /// The indicator; nil without dots.
  package private(set) final var indicator: PageIndicator?

  /// Whether a dot for each page is shown at the bottom edge, in front of the pages.
  public final var showsIndicator: Bool {
    get { indicator != nil }
    set {
      guard newValue != showsIndicator else { return }
      if let indicator {
        indicator.removeFromSuperview()
        self.indicator = nil
      } else {
        let indicator = PageIndicator(of: self)
        self.indicator = indicator
        addSubview(indicator)
      }
    }
  }

  /// The colour of the dot of the page that is shown; nil for one that shows on what is behind it.
  /// (`UIPageControl.currentPageIndicatorTintColor`.)
  public final var currentDotColor: Color? {
    didSet { if oldValue != currentDotColor { indicator?.setNeedsDisplay() } }
  }
  /// The colour of the other dots; nil for a faint one. (`UIPageControl.pageIndicatorTintColor`.)
  public final var dotColor: Color? { didSet { if oldValue != dotColor { indicator?.setNeedsDisplay() } } }

  /// Along which axis a finger slides from page to page; nil, the default, for none. Either axis, and not
  /// `auto`. (`UIPageViewController.TransitionStyle.scroll`, and its navigation orientation.)
  public final var slideAxis: Axis? {
    get { scrolling.isPaging ? scrolling.axis : nil }
    set {
      settle()
      if newValue == nil {
        if let panGestureRecognizer { removeGestureRecognizer(panGestureRecognizer) }
      } else if slideAxis == nil {
        followFingers()
      }
      scrolling.isPaging = newValue != nil
      scrolling.axis = newValue ?? .auto
      scrolling.showsIndicators = false
    }
  }

  /// The subview keeps its page view alive for as long as it is one.
  private weak var shown: View?
  package private(set) final var turns = 0

  /// A page while a finger or a spring moves the pages.
  private struct Place {
    let page: View
    let distance: Double
    /// The origins of the layout rectangle: at rest, and as set last.
    var home, now: LocalPoint
  }
  /// The places of all pages; empty at rest.
  private var places: [Place] = []
  /// The transition that is about to show another page.
  private var transition: Transition?
  /// The change of the shown page, until its motion is over.
  private var change: PageChange?

  public override init(id: String = "", frame: LocalRect = .zero) { super.init(id: id, restingAt: frame) }

  open override class var standardHitTestClass: View.Type { PagesView.self }

  /// Beyond the last view of a page, an arrow slides to the next one.
  override func turnFocus(_ heading: FocusHeading) -> Bool {
    let old = page
    switch (slideAxis, heading) {
    case (.vertical?, .up), (.horizontal?, .left): turn(by: -1)
    case (.vertical?, .down), (.horizontal?, .right): turn(by: 1)
    case (.auto?, _), (.horizontal?, _), (.vertical?, _), (nil, _): return false
    }
    return page !== old
  }

  /// The id of the page that is shown.
  open override var spokenValue: String? { page?.id }

  /// A page that is shown again has the focus where it was.
  open override func keepsFocus(of subview: View) -> Bool { subview !== indicator }

  /// Shows another page. Where pages slide, the next one and the one before slide in.
  /// (`UIPageViewController.setViewControllers(_:direction:animated:completion:)`.)
  ///
  /// - Throws: when there is no such page.
  public final func show(_ target: Target) throws(PropertyError) {
    switch target {
    case .next: slide(by: 1)
    case .previous: slide(by: -1)
    case .id(let id): try set([ViewSetting(.page, id)])
    }
  }

  /// Shows another page, with a transition in pictures. The page that goes is not touched any more.
  ///
  /// - Throws: when there is no such page.
  public final func show(_ target: Target, by transition: Transition) throws(PropertyError) {
    let motion = PageMotion(of: self)
    self.transition = transition
    defer { self.transition = nil }
    switch target {
    case .next: turn(by: 1)
    case .previous: turn(by: -1)
    case .id(let id): try set([ViewSetting(.page, id)])
    }
    begin(transition, motion)
  }

  /// Shows another page with a transition in pictures, and calls a closure at its end.
  final func show(_ page: View, by transition: Transition, completion: @escaping () -> Void) {
    end(nil)
    let motion = PageMotion(of: self)
    self.transition = transition
    self.page = page
    self.transition = nil
    guard let change else { return completion() }
    change.completion = completion
    begin(transition, motion)
  }

  private func begin(_ transition: Transition, _ motion: PageMotion) {
    let change = change
    if !motion.begin(transition, { [weak self] in self?.end(change) }) { end(change) }
  }

  /// Ends the change of the shown page: its motion is over, or another change begins.
  private func end(_ ending: PageChange?) {
    guard let change, change === ending ?? change else { return }
    self.change = nil
    change.end()
  }

  /// Turns by pages. Beyond the ends, the page stays.
  final func turn(by steps: Int) { page = page(after: steps) }

  /// Turns with a transition, if the pages slide and no finger holds them, from where a flick would have
  /// ended.
  final func slide(by steps: Int) {
    guard slideAxis != nil, length > 0, let place = restingPlace else { return turn(by: steps) }
    let way = (isVertical ? place.y : place.x) / length * direction
    let turned = Int(saturating: way.rounded()) + steps
    if turned == 0 {
      if !spring(to: .zero) { settle() }
      return
    }
    let motion = PageMotion(of: self)
    transition = .slide
    turn(by: turned)
    transition = nil
    begin(.slide, motion)
  }

  private func page(after steps: Int) -> View? {
    let pages = pages
    guard let index = pages.firstIndex(where: { $0 === shown }) else { return nil }
    let next = index + steps
    return pages.indices.contains(next) ? pages[next] : nil
  }

  open override func layoutSubviews() {
    for subview in storedSubviews where subview.isArranged {
      let origin = places.isEmpty ? LocalPoint.zero : subview.layoutRect.origin
      subview.layoutRect = LocalRect(origin: origin, size: bounds.size)
    }
    if !places.isEmpty { spread() }
    indicator?.place()
  }

  open override func didAddSubview(_ subview: View) {
    super.didAddSubview(subview)
    settle()
    indicator?.follow()
    if subview === indicator { return }
    if shown == nil { show(subview) } else { subview.isOnOtherPage = true }
  }

  open override func willRemoveSubview(_ subview: View) {
    super.willRemoveSubview(subview)
    settle()
    if subview === shown { show(pages.first { $0 !== subview }) }
    subview.isOnOtherPage = false
    indicator?.follow(without: subview)
  }

  private func show(_ page: View?) {
    end(nil)
    let old = shown
    // A first page appears as it is added.
    let change =
      window == nil || old == nil ? nil : PageChange(self, from: old, to: page, by: transition ?? slid)
    settle(turning: page)
    if let animator = window?.animator { for page in pages { animator.end(page) } }
    shown = page
    turns += 1
    changes &+= 1
    old?.isOnOtherPage = true
    page?.isOnOtherPage = false
    indicator?.follow()
    self.change = change
    change?.begin()
    guard let window else { return }
    window.observe(ViewStep.page(self))
    if let old { window.subtreeLeft(old) }
    if transition == nil { end(change) }
  }

  /// The transition that a finger has made.
  private var slid: Transition { places.isEmpty ? .none : .slide }

  // MARK: Sliding

  /// The offsets from the first page to the last one.
  override var range: (x: ClosedRange<Double>, y: ClosedRange<Double>) {
    guard slideAxis != nil else { return (0...0, 0...0) }
    var (count, index) = (0, 0)
    for subview in storedSubviews where subview !== indicator {
      if subview === shown { index = count }
      count += 1
    }
    let (before, after) = (Double(index) * length, Double(max(0, count - 1 - index)) * length)
    if isVertical { return (0...0, -before...after) }
    return (direction < 0 ? -after...before : -before...after, 0...0)
  }

  override var reportsScrolling: Bool { false }

  final var isVertical: Bool { scrolling.axis == .vertical }
  /// The direction of the next page: -1 if it is at the left.
  final var direction: Double {
    !isVertical && effectiveUserInterfaceLayoutDirection == .rightToLeft ? -1 : 1
  }
  final var length: Double { isVertical ? bounds.size.height : bounds.size.width }
  private var way: Double { isVertical ? bounds.minY : bounds.minX }

  override func show(_ offset: LocalPoint) {
    if places.isEmpty {
      let pages = pages
      let index = pages.firstIndex { $0 === shown } ?? 0
      places = pages.indices.map {
        let origin = pages[$0].layoutRect.origin
        return Place(page: pages[$0], distance: Double($0 - index), home: origin, now: origin)
      }
    }
    super.show(offset)
    spread()
  }

  /// Places the pages side by side, and shows those that can be seen.
  private func spread() {
    for index in places.indices {
      let (page, distance) = (places[index].page, places[index].distance * length * direction)
      // A program may have moved the page.
      if page.layoutRect.origin != places[index].now { places[index].home = page.layoutRect.origin }
      let home = places[index].home
      page.layoutRect.origin = isVertical ? home.offset(x: 0, y: distance) : home.offset(x: distance, y: 0)
      places[index].now = page.layoutRect.origin
      let isAway = abs(distance - way) >= length
      guard isAway != page.isOnOtherPage else { continue }
      page.isOnOtherPage = isAway
      if !isAway, page !== shown { appear(page) }
    }
    indicator?.place()
  }

  /// A finger has brought another page into sight, which may become the one that is shown.
  private func appear(_ page: View) {
    guard window != nil, isOnShownPage else { return }
    page.controllers.begin(true, animated: true)
    shown?.controllers.begin(false, animated: true)
  }

  /// The end of a movement: the page that is there is shown.
  override func rest(at time: Timestamp) {
    super.rest(at: time)
    let steps = length > 0 ? Int(saturating: (way / length * direction).rounded()) : 0
    // Beyond the ends are pages only for a moment: their length has changed on the way.
    if steps != 0, let page = page(after: steps) { self.page = page } else { settle() }
  }

  public override func deadlinePassed(with event: Event) {
    if window == nil { settle() } else { super.deadlinePassed(with: event) }
  }

  /// Ends a movement: all pages are where they are at rest, and no other than the page is shown.
  ///
  /// - Parameter next: the page that is about to be shown; nil for the page that is.
  private func settle(turning next: View? = nil) {
    guard !places.isEmpty else { return }
    let left = places.map(\.page).filter { $0 !== shown && $0 !== next }
    for place in places {
      if place.page.layoutRect.origin == place.now { place.page.layoutRect.origin = place.home }
      place.page.isOnOtherPage = place.page !== shown
    }
    places.removeAll()
    if next == nil, let shown {
      shown.shownControllers.begin(true, animated: true)
      shown.shownControllers.end()
    }
    for page in left {
      page.controllers.begin(false, animated: true)
      page.controllers.end()
    }
    rest(at: LocalPoint.zero)
    indicator?.place()
  }
}
