import DispatchFuzzing
import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// Pages that follow a finger, against `UIPageViewController` with the transition style `scroll`. Each row
/// names its source; `ours` is what Apple does not document, `measured` is as for scroll views.
@Suite struct PageSlideTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var title: String
    var source: String
    var axis = ScrollView.Axis.horizontal
    /// The page at the start, of the three a, b and c.
    var start = "a"
    var isControl = false
    var steps: [ScrollTests.Step]
    /// How far the pages have moved afterwards.
    var way = 0.0
    /// The view under (190, 190) afterwards.
    var sees: String
    /// What was reported of the pages.
    var reports: [String] = []
    /// What the page at the start gets.
    var gets: [Touch.Phase] = []
    var testDescription: String { "\(title) (\(source))" }
  }

  /// 90 units of a page of 200, after the 10 that are needed to begin; then a rest, so that the speed does
  /// not count.
  private static let short: [ScrollTests.Step] = [.down(190, 100), .move(90, 100), .rest(0.2)]
  private static let long: [ScrollTests.Step] = [.down(190, 100), .move(70, 100), .rest(0.2)]
  private static let flick: [ScrollTests.Step] = [.down(190, 100), .move(150, 100, steps: 2), .up]
  private static let scroll = "UIPageViewController.TransitionStyle.scroll"

  static let rows: [Row] = [
    Row(
      title: "the page and its neighbour follow the finger", source: scroll, steps: short, way: 90, sees: "b"),
    Row(
      title: "less than half of the page leads back", source: "UIScrollView.isPagingEnabled",
      steps: short + [.up, .rest(2)], sees: "a"),
    Row(
      title: "more than half leads to the neighbour", source: "UIScrollView.isPagingEnabled",
      steps: long + [.up, .rest(2)], sees: "b", reports: ["p b"]),
    Row(
      title: "the page changes where the movement ends, and not before", source: scroll,
      steps: long + [.up, .rest(0.017)], way: 130, sees: "b"),
    Row(
      title: "a flick leads to the neighbour", source: "UIScrollView.isPagingEnabled",
      steps: flick + [.rest(2)], sees: "b", reports: ["p b"]),
    Row(
      title: "and back", source: "UIScrollView.isPagingEnabled", start: "c",
      steps: [.down(10, 100), .move(50, 100, steps: 2), .up, .rest(2)], sees: "b", reports: ["p b"]),
    Row(
      title: "a finger on a moving page holds it, and can go on to the one after it", source: "ours",
      steps: [
        .down(190, 100), .move(70, 100), .up, .rest(0.2), .down(190, 100), .move(70, 100), .up, .rest(2),
      ],
      sees: "c", reports: ["p c"]),
    Row(
      title: "beyond the first page it stretches", source: "measured",
      steps: [.down(50, 100), .move(140, 100), .rest(0.2)],
      way: -((1 - 1 / (80 * 0.55 / 200 + 1)) * 200).rounded(),
      sees: "a"),
    Row(
      title: "and springs back", source: "measured",
      steps: [.down(50, 100), .move(140, 100), .rest(0.2), .up, .rest(2)], sees: "a"),
    Row(
      title: "a flick beyond the last page leads back", source: scroll, start: "c",
      steps: flick + [.rest(2)], sees: "c"),
    Row(
      title: "a vertical one follows a vertical drag", source: "UIPageViewController.NavigationOrientation",
      axis: .vertical,
      steps: [.down(100, 190), .move(100, 70), .rest(0.2), .up, .rest(2)], sees: "b", reports: ["p b"]),
    Row(
      title: "a drag across the axis is the page's", source: "UIPageViewController.NavigationOrientation",
      steps: [.down(100, 150), .rest(0.2), .move(95, 50, steps: 1), .up], sees: "a",
      gets: [.began, .moved, .ended]),
    Row(
      title: "a tap is the page's", source: "UIScrollView.delaysContentTouches",
      steps: [.down(100, 150), .rest(0.05), .up], sees: "a", gets: [.began, .ended]),
    Row(
      title: "a touch that has rested slides, and is cancelled in the page",
      source: "UIScrollView.canCancelContentTouches",
      steps: [.down(190, 100), .rest(0.2), .move(90, 100), .rest(0.2)], way: 90, sees: "b",
      gets: [.began, .cancelled]),
    Row(
      title: "a control keeps its touch", source: "UIScrollView.touchesShouldCancel(in:)", isControl: true,
      steps: [.down(190, 100), .rest(0.2), .move(90, 100, steps: 1), .up], sees: "a",
      gets: [.began, .moved, .ended]),
    Row(
      title: "a touch that is cancelled leads to the nearer page", source: "UITouch.Phase.cancelled",
      steps: short + [.cancel, .rest(2)], sees: "a"),
    Row(
      title: "a step of a wheel along the axis turns the page", source: "ours", axis: .vertical,
      steps: [.wheel(-1), .rest(0.1)], sees: "b", reports: ["p b"]),
    Row(
      title: "and so do parts of a step that add up to one", source: "ours", axis: .vertical,
      steps: [.wheel(-0.4), .wheel(-0.3), .wheel(-0.3), .rest(0.1)], sees: "b", reports: ["p b"]),
    Row(
      title: "but not where it is turned back", source: "ours", axis: .vertical,
      steps: [.wheel(-0.7), .wheel(0.3), .wheel(-0.7), .rest(0.1)], sees: "a"),
  ]

  private let stage = Stage()
  private let pages = PagesView(id: "p", frame: LocalRect(x: 0, y: 0, width: 200, height: 200))
  private let watcher = ValueWatcher()

  private func add(_ page: View) {
    page.layoutRect = LocalRect(x: 0, y: 0, width: 200, height: 200)
    pages.addSubview(page)
  }

  private func start(_ axis: ScrollView.Axis = .horizontal, isControl: Bool = false) {
    stage.add(pages)
    pages.slideAxis = axis
    for id in ["a", "b", "c"] { add(isControl ? Button(id: id) : View(id: id)) }
    stage.dispatcher.observer = watcher
  }

  /// Nothing moves, and one page is in its place.
  private func expectRest(_ comment: Comment? = nil) {
    #expect(stage.dispatcher.deadline == nil && !pages.isDecelerating && !pages.isDragging, comment)
    #expect(
      pages.pages.filter { !$0.isOnOtherPage }.map(\.id) == [pages.page?.id].compactMap(\.self), comment)
    #expect(pages.bounds.origin == .zero && pages.pages.allSatisfy { $0.layoutRect.origin == .zero }, comment)
  }

  /// Where pictures show the page that is shown, along the axis; nil while it does not move.
  private var seenPlace: Double? {
    stage.window.animator?.step(to: stage.time)
    guard let page = pages.page, case .point(let place)? = stage.window.animator?.presented(.place, of: page)
    else { return nil }
    return place.x
  }

  @Test(arguments: [0, Double.leastNonzeroMagnitude, 1e-17, 1e-9, 1, 1e7])
  func `pages whose length changes on their way come to rest`(length: Double) throws {
    start()
    ScrollTests.play(Self.flick, on: stage)
    stage.rest(seconds: 0.1)
    #expect(pages.isDecelerating && pages.bounds.minX > 0)
    pages.layoutRect.size.width = length
    try pages.show(.next)
    for seconds in [0.01, 3] { stage.rest(seconds: seconds) }
    expectRest("\(length)")
  }

  @Test(arguments: rows) func `pages slide as UIPageViewController scrolls`(row: Row) throws {
    start(row.axis, isControl: row.isControl)
    try pages.show(.id(row.start))
    let count = watcher.lines.count
    let phases = Phases()
    pages.page?.handlers = [phases]
    ScrollTests.play(row.steps, on: stage)
    let origin = pages.bounds.origin
    let way = row.axis == .horizontal ? origin.x : origin.y
    // On its way, the spring is anywhere between here and the end.
    #expect(row.way == 130 ? way > 110 && way < 190 : abs(way - row.way) < 0.6, "\(way)")
    #expect(stage.window.hitView(at: WindowPoint(x: 190, y: 190), with: nil)?.id == row.sees)
    #expect(watcher.lines.dropFirst(count).filter { $0.hasPrefix("p ") } == row.reports)
    #expect(phases.phases == row.gets)
    stage.dispatcher.cancelAllTouches(at: stage.time)
    stage.rest(seconds: 10)
    expectRest()
  }

  /// `UIPageViewController.setViewControllers(_:direction:animated:completion:)`
  @Test func `the next page and the one before slide in, and are touched at their place from the start`()
    throws
  {
    start()
    func turn(_ target: PagesView.Target, to id: String, reports: [String]) throws {
      try pages.show(target)
      #expect(pages.page?.id == id && watcher.lines == reports)
      stage.rest(seconds: 0.001)
      stage.rest(seconds: 0.1)
      let way = try #require(seenPlace)
      #expect(target == .next ? way > 5 && way < 195 : way < -5 && way > -195)
      #expect(stage.window.hitView(at: WindowPoint(x: 100, y: 100), with: nil)?.id == id)
      stage.rest(seconds: 2)
      expectRest("\(target)")
    }
    try turn(.next, to: "b", reports: ["p b"])
    try turn(.previous, to: "a", reports: ["p b", "p a"])
    for _ in 0..<2 { try pages.show(.next) }
    for seconds in [0.001, 2] { stage.rest(seconds: seconds) }
    try pages.show(.next)
    #expect(pages.page?.id == "c" && watcher.lines.last == "p c")
    expectRest("beyond the last one")
  }

  @Test func `an impatient second tap on a button that turns pages does not turn back`() throws {
    start(isControl: true)
    for page in pages.pages {
      (page as? Button)?.addAction(for: .touchUpInside) { [unowned pages] in try? pages.show(.next) }
    }
    for id in ["b", "c"] {
      stage.tap(100, 100)
      stage.rest(seconds: 0.1)
      #expect(pages.page?.id == id)
    }
  }

  @Test func `the next page slides in from where a finger let it go, and the one before leads back`() throws {
    start()
    ScrollTests.play(Self.flick + [.rest(0.1)], on: stage)
    let way = pages.bounds.minX
    try pages.show(.next)
    #expect(pages.page?.id == "c" && pages.bounds.origin == .zero)
    #expect(seenPlace == 200 - way)
    try pages.show(.id("a"))
    ScrollTests.play(Self.flick + [.rest(0.1)], on: stage)
    try pages.show(.previous)
    for seconds in [0.001, 2] { stage.rest(seconds: seconds) }
    expectRest()
    #expect(pages.page?.id == "a")
  }

  @Test func `a touch on the dots slides, and a page that is named or a finger that holds does not`() throws {
    start()
    pages.showsIndicator = true
    stage.window.layoutIfNeeded()
    stage.frame((1, .began, 120, 190))
    stage.frame((1, .ended, 120, 190))
    stage.rest(seconds: 0.05)
    #expect(pages.page?.id == "b" && seenPlace ?? 0 > 5)
    stage.rest(seconds: 2)
    try pages.show(.id("a"))
    expectRest()
    #expect(pages.page?.id == "a")
    ScrollTests.play(Self.short, on: stage)
    try pages.show(.next)
    expectRest()
    #expect(pages.page?.id == "b")
  }

  @Test func `a program that shows a page before the motion begins is obeyed`() throws {
    start()
    try pages.show(.next)
    try pages.show(.id("c"))
    for _ in 0..<2 { stage.rest(seconds: 2) }
    expectRest()
    #expect(pages.page?.id == "c")
    try pages.show(.previous)
    pages.pages[1].removeFromSuperview()
    for _ in 0..<2 { stage.rest(seconds: 2) }
    expectRest()
  }

  @Test func `sliding is turned on and off while pages are shown`() throws {
    start()
    try pages.set([.init(key: "slide", value: .flag(false))])
    #expect(pages.gestureRecognizers.isEmpty)
    try pages.show(.next)
    #expect(pages.page?.id == "b")
    for axis in ["horizontal", "vertical"] { try pages.set([.init(key: "slide", value: .text(axis))]) }
    #expect(pages.gestureRecognizers.count == 1)
    ScrollTests.play([.down(100, 190), .move(100, 70), .rest(0.2), .up, .rest(2)], on: stage)
    #expect(pages.page?.id == "c")
  }

  @Test func `without slide a finger moves no page`() {
    start()
    let plain = stage.add(PagesView(id: "q", frame: LocalRect(x: 0, y: 200, width: 200, height: 200)))
    for id in ["x", "y"] {
      stage.add(View(id: id, frame: LocalRect(x: 0, y: 0, width: 200, height: 200)), to: plain)
    }
    stage.drag([(190, 300), (90, 300), (10, 300)])
    #expect(plain.page?.id == "x" && plain.bounds.origin == .zero && plain.gestureRecognizers.isEmpty)
  }

  @Test func `a program that shows a page ends the movement`() throws {
    start()
    ScrollTests.play(Self.short, on: stage)
    try pages.show(.id("c"))
    expectRest()
    stage.frame((1, .moved, 20, 100))
    stage.frame((1, .ended, 20, 100))
    stage.rest(seconds: 2)
    expectRest()
    #expect(pages.page?.id == "c" && watcher.lines == ["p c"])
  }

  @Test func `pages that leave the window while they move come back at rest`() {
    for steps in [Self.short, Self.flick] {
      start()
      ScrollTests.play(steps, on: stage)
      pages.removeFromSuperview()
      stage.rest(seconds: 2)
      expectRest()
      for page in pages.pages { page.removeFromSuperview() }
      pages.slideAxis = nil
      for recognizer in pages.gestureRecognizers { pages.removeGestureRecognizer(recognizer) }
    }
  }

  @Test func `a frame that a program sets while the pages move stays`() {
    start()
    ScrollTests.play(Self.long, on: stage)
    pages.pages[1].layoutRect.origin = LocalPoint(x: 5, y: 7)
    ScrollTests.play([.up, .rest(2)], on: stage)
    #expect(pages.page?.id == "b" && pages.page?.layoutRect.origin == LocalPoint(x: 5, y: 7))
  }

  @Test func `a list in a page scrolls along its own axis, and the pages along theirs`() {
    start()
    let list = stage.add(
      ScrollView(id: "list", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)), to: pages.pages[0])
    list.scrolling.contentSize = Size(width: 200, height: 1000)
    ScrollTests.play([.down(100, 150), .move(100, 50), .rest(0.2), .up], on: stage)
    #expect(list.contentOffset.y == 90 && pages.bounds.origin == .zero)
    stage.rest(seconds: 2)
    ScrollTests.play(Self.long + [.up, .rest(2)], on: stage)
    #expect(list.contentOffset.y == 90 && pages.page?.id == "b")
  }

  @Test(arguments: [1, 20, 300, UInt64.random(in: 0 ... .max)])
  func `whatever happens, at most two pages are seen, one at rest, and every began has its end`(seed: UInt64)
  {
    var random = RandomSource(seed: seed)
    start(random.oneIn(2) ? .horizontal : .vertical)
    pages.showsIndicator = random.oneIn(2)
    let phases = Phases()
    for page in pages.pages { page.handlers = [phases] }
    var point: (x: Double, y: Double)?
    var (serial, moved) = (0, 0)
    for _ in 0..<3000 {
      switch Int.random(in: 0..<40, using: &random) {
      case 0: try? pages.show(random.oneIn(2) ? .next : .previous)
      case 1:
        let page = View(id: "new\(serial)")
        page.handlers = [phases]
        if pages.pages.count < 5 { add(page) }
      case 2: if pages.pages.count > 1 { pages.pages.randomElement(using: &random)?.removeFromSuperview() }
      case 3: pages.layoutRect.size.width = Double.random(in: 150...250, using: &random)
      case 4: stage.dispatcher.cancelAllTouches(at: stage.time)
      case 5..<12: stage.rest(seconds: Double.random(in: 0...0.4, using: &random))
      case 12..<20:
        if let last = point {
          stage.frame((serial, .ended, last.x, last.y))
          point = nil
        }
      default:
        let next = (
          x: Double.random(in: 0..<200, using: &random), y: Double.random(in: 0..<200, using: &random)
        )
        if point == nil { serial += 1 }
        stage.frame((serial, point == nil ? .began : .moved, next.x, next.y))
        point = next
      }
      stage.dispatcher.flush()
      stage.window.layoutIfNeeded()
      if pages.bounds.origin != .zero { moved += 1 }
      #expect(pages.pages.filter { !$0.isOnOtherPage }.count <= 2, "seed \(seed)")
    }
    stage.dispatcher.cancelAllTouches(at: stage.time)
    stage.rest(seconds: 10)
    expectRest("seed \(seed)")
    #expect(moved > 100, "seed \(seed): \(moved)")
    let ends = phases.phases.filter { $0 == .ended || $0 == .cancelled }
    #expect(phases.phases.filter { $0 == .began }.count == ends.count, "seed \(seed)")
    #expect(!ends.isEmpty, "seed \(seed)")
  }
}

private final class Phases: Handler {
  let name = "phases"
  private(set) var phases: [Touch.Phase] = []

  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition {
    for _ in touches { phases.append(phase) }
    return .forward
  }
}
