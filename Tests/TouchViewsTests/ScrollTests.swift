import DispatchFuzzing
import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// Scroll views, against what Apple documents of UIKit's. Each row names its source; `ours` is what the
/// documentation leaves open, or an addition; `measured` is what iOS does, as others have measured it.
@Suite struct ScrollTests {
  enum Step: Sendable {
    /// In the window; the scroll view fills it from (0, 0) to (200, 200).
    case down(Double, Double)
    /// The finger goes there in so many steps, each of 10 ms.
    case move(Double, Double, steps: Int)
    case up
    case cancel
    case rest(Double)
    /// Steps of a wheel, away from the user.
    case wheel(Double)

    static func move(_ x: Double, _ y: Double) -> Step { .move(x, y, steps: 10) }
  }

  struct Row: CustomTestStringConvertible, Sendable {
    var title: String
    var source: String
    var change: @Sendable (inout ScrollView.Scrolling) -> Void = { _ in }
    /// Fills the content of 200 × 1000 units.
    var content: @Sendable () -> View = { View(id: "content") }
    var size = Size(width: 200, height: 1000)
    var steps: [Step]
    /// The offset afterwards, from left to right and down.
    var x = 0.0
    var y: Double
    /// What the content gets.
    var gets: [Touch.Phase] = []
    var testDescription: String { "\(title) (\(source))" }
  }

  /// 100 units to (100, 50) at 1000 units a second, of which 10 are needed to begin.
  private static let flick: [Step] = [.down(100, 150), .move(100, 50), .up]
  /// The same way, with a rest before the finger lifts.
  private static let drag: [Step] = [.down(100, 150), .move(100, 50), .rest(0.2), .up]
  private static func drag(by y: Double) -> [Step] {
    [.down(100, 100), .move(100, 100 + y), .rest(0.2)]
  }

  static let rows: [Row] = [
    Row(
      title: "the content follows the finger", source: "Scroll View Programming Guide for iOS", steps: drag,
      y: 90),
    Row(
      title: "a finger that goes less than 10 units does not scroll", source: "ours",
      steps: [.down(100, 150), .move(100, 141), .rest(0.1), .up], y: 0, gets: [.began, .moved, .ended]),
    Row(
      title: "a flick goes on: each millisecond keeps 0.998 of the speed",
      source: "UIScrollView.DecelerationRate.normal",
      steps: flick + [.rest(5)], y: 90 + (1000 / 2.002_002_67).rounded()),
    Row(
      title: "with the fast rate it keeps 0.99", source: "UIScrollView.DecelerationRate.fast",
      change: { $0.deceleration = .fast }, steps: flick + [.rest(5)], y: 90 + (1000 / 10.050_335_85).rounded()
    ),
    Row(
      title: "half a second after a flick", source: "UIScrollView.DecelerationRate.normal",
      steps: flick + [.rest(30 * 0.016_667)], y: 90 + (1000 / 2.002_002_67 * (1 - 0.367_46)).rounded()),
    Row(
      title: "beyond the edge the content follows less: (1 − 1/(x·0.55/d + 1))·d", source: "measured",
      steps: drag(by: 90), y: -((1 - 1 / (80 * 0.55 / 200 + 1)) * 200).rounded()),
    Row(
      title: "and springs back", source: "UIScrollView.bounces", steps: drag(by: 90) + [.up, .rest(2)], y: 0),
    Row(
      title: "without bounces it stays at the edge", source: "UIScrollView.bounces",
      change: { $0.bounces = false }, steps: drag(by: 90), y: 0),
    Row(
      title: "a flick to the end comes to rest there", source: "UIScrollView.bounces",
      size: Size(width: 200, height: 300), steps: flick + [.rest(5)], y: 100),
    Row(
      title: "on its way it goes beyond the end", source: "UIScrollView.bounces",
      size: Size(width: 200, height: 300), steps: flick + [.rest(0.116_669)], y: 136),
    Row(
      title: "without bounces a flick stops at the end", source: "UIScrollView.bounces",
      change: { $0.bounces = false }, size: Size(width: 200, height: 300), steps: flick + [.rest(0.1)], y: 100
    ),
    Row(
      title: "content that fits does not scroll", source: "UIScrollView.alwaysBounceVertical",
      size: Size(width: 200, height: 200), steps: [.down(100, 150), .move(100, 50, steps: 1), .up], y: 0,
      gets: [.began, .moved, .ended]),
    // Paging
    Row(
      title: "more than half of a page leads to the next one", source: "UIScrollView.isPagingEnabled",
      change: { $0.isPaging = true }, steps: [.down(100, 190), .move(100, 70), .rest(0.2), .up, .rest(2)],
      y: 200),
    Row(
      title: "less than half of a page leads back", source: "UIScrollView.isPagingEnabled",
      change: { $0.isPaging = true }, steps: drag + [.rest(2)], y: 0),
    Row(
      title: "a flick turns one page, however fast", source: "UIScrollView.isPagingEnabled",
      change: { $0.isPaging = true },
      steps: [.down(100, 190), .move(100, 150, steps: 2), .up, .rest(2)], y: 200),
    Row(
      title: "a flick from beyond the middle of a page turns to the next one, and not further",
      source: "UIScrollView.isPagingEnabled", change: { $0.isPaging = true },
      steps: [.down(100, 190), .move(100, 40, steps: 2), .up, .rest(2)], y: 200),
    // Touches
    Row(
      title: "a touch that moves at once is not the content's", source: "UIScrollView.delaysContentTouches",
      steps: [.down(100, 150), .rest(0.04), .move(100, 50), .rest(0.2), .up], y: 90),
    Row(
      title: "one that rests for 150 ms is", source: "Scroll View Programming Guide for iOS",
      steps: [.down(100, 150), .rest(0.16)], y: 0, gets: [.began]),
    Row(
      title: "one that rests for less is not yet", source: "Scroll View Programming Guide for iOS",
      steps: [.down(100, 150), .rest(0.14)], y: 0),
    Row(
      title: "a tap reaches the content when it lifts", source: "UIScrollView.delaysContentTouches",
      steps: [.down(100, 150), .rest(0.05), .up], y: 0, gets: [.began, .ended]),
    Row(
      title: "without the delay the content has the touch at once, and loses it when it scrolls",
      source: "UIScrollView.delaysContentTouches", change: { $0.delaysTouches = false },
      steps: [.down(100, 150), .move(100, 130, steps: 1)], y: 10, gets: [.began, .cancelled]),
    Row(
      title: "a touch that has rested scrolls, and is cancelled in the content",
      source: "UIScrollView.canCancelContentTouches",
      steps: [.down(100, 150), .rest(0.2), .move(100, 50), .rest(0.2), .up], y: 90,
      gets: [.began, .cancelled]
    ),
    Row(
      title: "where the content keeps its touches it does not",
      source: "UIScrollView.canCancelContentTouches",
      change: { $0.cancelsTouches = .never },
      steps: [.down(100, 150), .rest(0.2), .move(100, 50, steps: 1), .up], y: 0,
      gets: [.began, .moved, .ended]
    ),
    Row(
      title: "a control keeps its touch", source: "UIScrollView.touchesShouldCancel(in:)",
      content: { Button(id: "content") },
      steps: [.down(100, 150), .rest(0.2), .move(100, 50, steps: 1), .up], y: 0,
      gets: [.began, .moved, .ended]
    ),
    Row(
      title: "unless cancels_touches overrides that", source: "UIScrollView.touchesShouldCancel(in:)",
      change: { $0.cancelsTouches = .always }, content: { Button(id: "content") },
      steps: [.down(100, 150), .rest(0.2), .move(100, 50, steps: 1), .rest(0.2), .up], y: 90,
      gets: [.began, .cancelled]),
    Row(
      title: "a list gives up its touch", source: "UITableView scrolls with a finger that rested on a row",
      content: {
        let list = ListView(id: "content")
        list.rows = (0..<20).map { "\($0)" }
        return list
      }, steps: [.down(100, 150), .rest(0.2), .move(100, 50, steps: 1), .rest(0.2), .up], y: 90,
      gets: [.began, .cancelled]),
    Row(
      title: "a drag along a slider does not scroll", source: "UIKit since iOS 6: UISlider keeps its drag",
      content: {
        let slider = Slider(id: "content")
        slider.jumps = true
        return slider
      }, size: Size(width: 1000, height: 1000), steps: [.down(150, 100), .move(50, 100, steps: 1), .up], y: 0,
      gets: [.began, .moved, .ended]),
    Row(
      title: "a drag across it does", source: "UIKit since iOS 6: in a direction parallel to the slider",
      content: {
        let slider = Slider(id: "content")
        slider.jumps = true
        return slider
      }, steps: drag, y: 90),
    Row(
      title: "a tap stops a flick, and is not the content's", source: "measured",
      steps: flick + [.rest(30 * 0.016_667), .down(100, 100), .rest(0.3), .up, .rest(2)],
      y: 90 + (1000 / 2.002_002_67 * (1 - 0.367_46)).rounded()),
    Row(
      title: "a slider that a flick has brought under the finger is not moved", source: "measured",
      content: {
        let slider = Slider(id: "content")
        slider.jumps = true
        slider.isUserInteractionEnabled = true
        return slider
      }, steps: [.wheel(-1), .down(100, 150), .up], y: 48, gets: [.began, .ended]),
    Row(
      title: "a touch that is cancelled leaves the content inside its edges",
      source: "UITouch.Phase.cancelled",
      steps: drag(by: 90) + [.cancel, .rest(2)], y: 0),
    // Axes
    Row(
      title: "a drag along an axis that does not scroll stays the content's", source: "measured",
      steps: [.down(100, 150), .rest(0.2), .move(10, 150, steps: 1), .up], y: 0,
      gets: [.began, .moved, .ended]
    ),
    Row(
      title: "both axes scroll at once", source: "UIScrollView.isDirectionalLockEnabled",
      size: Size(width: 1000, height: 1000),
      steps: [.down(150, 150), .move(50, 50), .rest(0.2), .up], x: 93, y: 93),
    Row(
      title: "with the lock a drag stays on its axis", source: "UIScrollView.isDirectionalLockEnabled",
      change: { $0.locksDirection = true }, size: Size(width: 1000, height: 1000),
      steps: [.down(150, 150), .move(150, 100, steps: 1), .move(50, 50, steps: 1), .rest(0.2), .up], y: 90),
    Row(
      title: "a diagonal drag is free", source: "UIScrollView.isDirectionalLockEnabled",
      change: { $0.locksDirection = true }, size: Size(width: 1000, height: 1000),
      steps: [.down(150, 150), .move(50, 50), .rest(0.2), .up], x: 93, y: 93),
    Row(
      title: "an axis that is chosen is the only one", source: "ours", change: { $0.axis = .vertical },
      size: Size(width: 1000, height: 1000), steps: [.down(150, 150), .move(50, 50), .rest(0.2), .up], y: 93),
    // Wheels
    Row(
      title: "a wheel scrolls", source: "ours", steps: [.wheel(-2)], y: 96),
    Row(title: "and stops at the edge", source: "ours", steps: [.wheel(-2), .wheel(5)], y: 0),
    Row(
      title: "with paging a step of it is a page", source: "ours", change: { $0.isPaging = true },
      steps: [.wheel(-1), .rest(1)], y: 200),
    Row(
      title: "and parts of a step when they add up to one", source: "ours",
      change: { $0.isPaging = true },
      steps: [.wheel(-0.5), .wheel(-0.25), .wheel(-0.25), .wheel(-0.9), .rest(1)], y: 200),
  ]

  @Test(arguments: rows) func `a scroll view does what UIKit documents`(row: Row) {
    let stage = Stage()
    let scrollView = stage.add(
      ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)))
    row.change(&scrollView.scrolling)
    let content = stage.add(row.content(), to: scrollView)
    content.layoutRect = LocalRect(origin: .zero, size: row.size)
    let phases = Phases()
    content.handlers = [phases]
    Self.play(row.steps, on: stage)
    #expect(abs(scrollView.contentOffset.x - row.x) < 0.6 && abs(scrollView.contentOffset.y - row.y) < 0.6)
    #expect(phases.phases == row.gets)
    stage.dispatcher.cancelAllTouches(at: stage.time)
    stage.rest(seconds: 10)
    #expect(stage.dispatcher.deadline == nil && scrollView.indicatorOpacity == 0, "at rest nothing is woken")
  }

  static func play(_ steps: [Step], on stage: Stage) {
    let pointer = PointerDispatcher(window: stage.window)
    var point = (x: 0.0, y: 0.0)
    for step in steps {
      switch step {
      case .down(let x, let y):
        point = (x, y)
        stage.frame((1, .began, x, y))
      case .move(let x, let y, let steps):
        let start = point
        for step in 1...steps {
          let part = Double(step) / Double(steps)
          point = (start.x + (x - start.x) * part, start.y + (y - start.y) * part)
          stage.frame((1, .moved, point.x, point.y))
          stage.dispatcher.flush()
        }
      case .up: stage.frame((1, .ended, point.x, point.y))
      case .cancel: stage.frame((1, .cancelled, point.x, point.y))
      case .rest(let seconds): stage.rest(seconds: seconds)
      case .wheel(let y):
        let change = PointerChange(
          kind: .wheel(x: 0, y: y), device: DeviceID(rawValue: 2), location: WindowPoint(x: 100, y: 100))
        pointer.dispatch([change], at: stage.time)
      }
    }
  }

  // MARK: Nested

  /// An outer scroll view of 200 × 200 units with an inner one of 200 × 150 at its top.
  private static func nested(
    _ stage: Stage, outer outerSize: Size, inner innerSize: Size
  ) -> (outer: ScrollView, inner: ScrollView) {
    let outer = stage.add(ScrollView(id: "outer", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)))
    let inner = stage.add(
      ScrollView(id: "inner", frame: LocalRect(x: 0, y: 0, width: 200, height: 150)), to: outer)
    (outer.scrolling.contentSize, inner.scrolling.contentSize) = (outerSize, innerSize)
    return (outer, inner)
  }

  static let nestedRows: [(String, Size, Double, Double, [Step], outer: LocalPoint, inner: LocalPoint)] = [
    (
      "the inner one scrolls first", Size(width: 200, height: 1000), 1000, 0,
      [.down(100, 140), .move(100, 40), .rest(0.2), .up], LocalPoint(x: 0, y: 0), LocalPoint(x: 0, y: 90)
    ),
    (
      "at its end the outer one does", Size(width: 200, height: 1000), 1000, 850,
      [.down(100, 140), .move(100, 40), .rest(0.2), .up], LocalPoint(x: 0, y: 90), LocalPoint(x: 0, y: 850)
    ),
    (
      "the other axis is the outer one's", Size(width: 1000, height: 200), 1000, 0,
      [.down(150, 100), .move(50, 90), .rest(0.2), .up], LocalPoint(x: 90, y: 0), LocalPoint(x: 0, y: 0)
    ),
    (
      "where the outer one cannot go either, the inner one stretches", Size(width: 200, height: 1000), 1000,
      0,
      [.down(100, 40), .move(100, 100), .rest(0.2)], LocalPoint(x: 0, y: 0),
      LocalPoint(x: 0, y: -((1 - 1 / (50 * 0.55 / 150 + 1)) * 150))
    ),
    (
      "dragged beyond its end, the inner one drags the outer one along", Size(width: 200, height: 1000), 200,
      0,
      [.down(100, 140), .move(100, 40), .rest(0.2)], LocalPoint(x: 0, y: 40), LocalPoint(x: 0, y: 50)
    ),
    (
      "and both stay there when the finger lifts", Size(width: 200, height: 1000), 200, 0,
      [.down(100, 140), .move(100, 40), .rest(0.2), .up, .rest(2)], LocalPoint(x: 0, y: 40),
      LocalPoint(x: 0, y: 50)
    ),
    (
      "a finger that comes back brings the outer one back first", Size(width: 200, height: 1000), 200, 0,
      [.down(100, 140), .move(100, 40), .move(100, 100), .rest(0.2)], LocalPoint(x: 0, y: 0),
      LocalPoint(x: 0, y: 30)
    ),
    (
      "where both are at their end, the inner one stretches", Size(width: 200, height: 220), 200, 0,
      [.down(100, 140), .move(100, 40), .rest(0.2)], LocalPoint(x: 0, y: 20),
      LocalPoint(x: 0, y: 50 + (1 - 1 / (20 * 0.55 / 150 + 1)) * 150)
    ),
    (
      "and springs back alone", Size(width: 200, height: 220), 200, 0,
      [.down(100, 140), .move(100, 40), .rest(0.2), .up, .rest(2)], LocalPoint(x: 0, y: 20),
      LocalPoint(x: 0, y: 50)
    ),
    (
      "an outer one of the other axis is not dragged along", Size(width: 1000, height: 200), 200, 0,
      [.down(100, 140), .move(90, 40), .rest(0.2)], LocalPoint(x: 0, y: 0),
      LocalPoint(x: 0, y: 50 + (1 - 1 / (40 * 0.55 / 150 + 1)) * 150)
    ),
    (
      "a flick goes on in the one that the finger moved last", Size(width: 200, height: 2000), 200, 0,
      [.down(100, 140), .move(100, 40), .up, .rest(5)],
      LocalPoint(x: 0, y: 40 + (1000 / 2.002_002_67).rounded()), LocalPoint(x: 0, y: 50)
    ),
    (
      "a flick of the inner one ends in it", Size(width: 200, height: 1000), 300, 0,
      [.down(100, 140), .move(100, 40), .up, .rest(5)], LocalPoint(x: 0, y: 0), LocalPoint(x: 0, y: 150)
    ),
    (
      "a wheel turns the inner one first, then the outer one", Size(width: 200, height: 1000), 180, 0,
      [.wheel(-1), .wheel(-1)], LocalPoint(x: 0, y: 48), LocalPoint(x: 0, y: 30)
    ),
  ]

  @Test(arguments: nestedRows.indices) func `of two scroll views one takes a drag`(index: Int) {
    let (title, outerSize, innerHeight, start, steps, outerOffset, innerOffset) = Self.nestedRows[index]
    let stage = Stage()
    let (outer, inner) = Self.nested(stage, outer: outerSize, inner: Size(width: 200, height: innerHeight))
    inner.contentOffset.y = start
    Self.play(steps, on: stage)
    #expect(outer.contentOffset.distance(to: outerOffset) < 1.5, "\(title)")
    #expect(inner.contentOffset.distance(to: innerOffset) < 1.5, "\(title)")
  }

  /// Scroll views in each other, of the same size as the window's part, with the innermost one last.
  private static func nest(
    _ stage: Stage, ranges: [Double], _ change: (ScrollView) -> Void = { _ in }
  ) -> [ScrollView] {
    var parent: View = stage.window
    return ranges.enumerated().map { index, range in
      let view = stage.add(
        ScrollView(id: "s\(index)", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)), to: parent)
      view.scrolling.contentSize = Size(width: 200, height: 200 + range)
      change(view)
      parent = view
      return view
    }
  }

  @Test(arguments: 0..<100) func `a finger that is back where a drag began has brought all scroll views back`(
    seed: UInt64
  ) {
    var random = RandomSource(seed: seed)
    let stage = Stage()
    let views = Self.nest(stage, ranges: (0..<3).map { _ in .random(in: 20...120, using: &random).rounded() })
    { $0.scrolling.bounces = random.oneIn(2) }
    // Inside its edges, so that the innermost one takes the drag.
    for view in views { view.contentOffset.y = .random(in: 5...15, using: &random).rounded() }
    let start = views.map(\.contentOffset)
    let place = 100.0
    stage.frame((1, .began, 100, place))
    stage.frame((1, .moved, 100, place - 10))
    stage.dispatcher.flush()
    for _ in 0..<20 {
      let y = Double.random(in: -300...300, using: &random).rounded()
      stage.frame((1, .moved, 100, y))
      stage.dispatcher.flush()
      for view in views.dropLast() {
        #expect(
          (0...view.contentSize.height - 200).contains(view.contentOffset.y), "seed \(seed): \(view.id)")
      }
      // The content stays under the finger, until all are at their ends.
      let went = zip(views, start).reduce(0) { $0 + $1.0.contentOffset.y - $1.1.y }
      let isStretched =
        views.last.map { !(0...$0.contentSize.height - 200).contains($0.contentOffset.y) } ?? true
      let isAtEnd = views.allSatisfy { [0, $0.contentSize.height - 200].contains($0.contentOffset.y) }
      if !isStretched && !isAtEnd { #expect(went == place - 10 - y, "seed \(seed): \(y)") }
    }
    stage.frame((1, .moved, 100, place - 10))
    stage.dispatcher.flush()
    #expect(views.map(\.contentOffset) == start, "seed \(seed)")
    stage.frame((1, random.oneIn(2) ? .ended : .cancelled, 100, place - 10))
    stage.rest(seconds: 20)
    #expect(views.allSatisfy { !$0.isDragging && !$0.isDecelerating } && stage.dispatcher.deadline == nil)
  }

  @Test func `a page that a scroll view in it drags along goes to its place when the finger lifts`() {
    for (way, page) in [(60.0, "a"), (180, "b")] {
      let stage = Stage()
      let pages = stage.add(PagesView(id: "p", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)))
      pages.slideAxis = .horizontal
      for id in ["a", "b"] {
        stage.add(View(id: id, frame: LocalRect(x: 0, y: 0, width: 200, height: 200)), to: pages)
      }
      let shelf = stage.add(
        ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 100)), to: pages.pages[0])
      shelf.scrolling.contentSize = Size(width: 240, height: 100)
      Self.play([.down(190, 50), .move(190 - 10 - 40 - way, 50), .rest(0.2)], on: stage)
      #expect(shelf.contentOffset.x == 40 && pages.bounds.minX == way)
      Self.play([.up, .rest(2)], on: stage)
      #expect(pages.page?.id == page && pages.bounds.origin == .zero && !pages.isDragging)
      #expect(stage.dispatcher.deadline == nil)
    }
  }

  @Test func `what is taken out of the window while it drags others along lets go of them`() {
    for index in [0, 1, 2] {
      let stage = Stage()
      let views = Self.nest(stage, ranges: [100, 20, 20])
      Self.play([.down(100, 150), .move(100, 90)], on: stage)
      #expect(views.map(\.isDragging) == [true, true, true] && views[0].contentOffset.y == 10)
      views[index].removeFromSuperview()
      stage.rest(seconds: 5)
      #expect(views.allSatisfy { !$0.isDragging && !$0.isDecelerating }, "\(index)")
      #expect(stage.dispatcher.deadline == nil)
    }
  }

  /// (Apple's sample code StreetScroller puts the content back into the middle again and again while a finger
  /// drags it.)
  @Test func `a drag goes on from the offset that a program sets`() {
    let stage = Stage()
    let scrollView = stage.add(
      ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)))
    scrollView.scrolling.contentSize = Size(width: 200, height: 3000)
    Self.play([.down(100, 180), .move(100, 120)], on: stage)
    #expect(scrollView.contentOffset.y == 50)
    scrollView.contentOffset = LocalPoint(x: 0, y: 1000)
    stage.window.layoutIfNeeded()
    #expect(scrollView.isDragging && scrollView.contentOffset.y == 1000)
    Self.play([.move(100, 90)], on: stage)
    #expect(scrollView.contentOffset.y == 1030)
    try? scrollView.scroll(to: .edge(.top))
    Self.play([.move(100, 60), .rest(0.2)], on: stage)
    #expect(scrollView.contentOffset.y == 30)
    Self.play([.up, .rest(1)], on: stage)
    #expect(scrollView.contentOffset.y == 30 && !scrollView.isDragging)
    #expect(stage.dispatcher.deadline == nil)
  }

  @Test
  func
    `content that slows down goes on from the offset that a program sets, and stops where it is scrolled to`()
  {
    let stage = Stage()
    let scrollView = stage.add(
      ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)))
    scrollView.scrolling.contentSize = Size(width: 200, height: 9000)
    Self.play(Self.flick + [.rest(0.1)], on: stage)
    let way = 90 + (1000 / 2.002_002_67).rounded() - scrollView.contentOffset.y
    scrollView.contentOffset = LocalPoint(x: 0, y: 5000)
    #expect(scrollView.isDecelerating)
    Self.play([.rest(5)], on: stage)
    #expect(abs(scrollView.contentOffset.y - 5000 - way) <= 1 && stage.dispatcher.deadline == nil)
    Self.play(Self.flick + [.rest(0.1)], on: stage)
    scrollView.scrollRectToVisible(LocalRect(x: 0, y: 100, width: 10, height: 10))
    Self.play([.rest(5)], on: stage)
    #expect(scrollView.contentOffset.y == 100)
    // Beyond the end there is nothing to go on to.
    Self.play(Self.flick + [.rest(0.1)], on: stage)
    scrollView.contentOffset = LocalPoint(x: 0, y: 20_000)
    stage.window.layoutIfNeeded()
    #expect(scrollView.contentOffset.y == 8800 && !scrollView.isDecelerating)
  }

  /// `UIScrollView.setContentOffset(_:animated:)` without animation.
  @Test func `a bounds origin that a program sets ends a flick, and a drag goes on from it`() throws {
    let stage = Stage()
    let scrollView = stage.add(
      ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)))
    scrollView.scrolling.contentSize = Size(width: 200, height: 9000)
    func set(_ y: Double) throws {
      try scrollView.set([.init(key: "bounds_origin", value: .list([.number(0), .number(y)]))])
    }
    Self.play(Self.flick + [.rest(0.1)], on: stage)
    #expect(scrollView.isDecelerating)
    try set(50)
    Self.play([.rest(0.1)], on: stage)
    #expect(scrollView.contentOffset.y == 50 && !scrollView.isDecelerating)
    #expect(stage.dispatcher.deadline == nil)
    Self.play([.down(100, 180), .move(100, 120)], on: stage)
    try set(1000)
    Self.play([.move(100, 90)], on: stage)
    #expect(scrollView.contentOffset.y == 1030)
  }

  @Test func `those that a drag has taken along stay where they are when a program sets the offset`() {
    let stage = Stage()
    let (outer, inner) = Self.nested(
      stage, outer: Size(width: 200, height: 1000), inner: Size(width: 200, height: 200))
    Self.play([.down(100, 140), .move(100, 40)], on: stage)
    #expect(inner.contentOffset.y == 50 && outer.contentOffset.y == 40)
    inner.contentOffset = .zero
    Self.play([.move(100, 20)], on: stage)
    #expect(inner.contentOffset.y == 20 && outer.contentOffset.y == 40)
    Self.play([.move(100, -30)], on: stage)
    #expect(inner.contentOffset.y == 50 && outer.contentOffset.y == 60)
    Self.play([.rest(0.2), .up, .rest(5)], on: stage)
    #expect(stage.dispatcher.deadline == nil)
  }

  @Test func `content that is caught beyond its edge stays under the finger`() {
    let stage = Stage()
    let scrollView = stage.add(
      ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)))
    scrollView.scrolling.contentSize = Size(width: 200, height: 1000)
    Self.play([.down(100, 20), .move(100, 180), .rest(0.2), .up], on: stage)
    stage.rest(seconds: 0.05)
    let caught = scrollView.contentOffset.y
    #expect(caught < -10)
    // Far enough to be a drag, and back again.
    Self.play([.down(100, 100), .move(100, 112), .move(100, 110)], on: stage)
    #expect(abs(scrollView.contentOffset.y - caught) < 2)
  }

  @Test func `a touch that stops a scroll view is not a slider's in it`() {
    let stage = Stage()
    let scrollView = stage.add(
      ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)))
    let slider = stage.add(
      Slider(id: "c", frame: LocalRect(x: 0, y: 0, width: 200, height: 2000)), to: scrollView)
    slider.jumps = true
    scrollView.scrolling.cancelsTouches = .always
    // The slider keeps fingers from the scroll view, so another view is flicked.
    let handle = stage.add(
      View(id: "h", frame: LocalRect(x: 0, y: 0, width: 200, height: 160)), to: scrollView)
    Self.play(Self.flick, on: stage)
    #expect(scrollView.isDecelerating && handle.superview === scrollView)
    stage.rest(seconds: 0.5)
    Self.play([.down(10, 100), .rest(0.3), .up], on: stage)
    #expect(!scrollView.isDecelerating && slider.controlValue?.number == 0)
  }

  @Test func `a second finger scrolls, and touches nothing`() {
    let stage = Stage()
    let scrollView = stage.add(
      ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)))
    let content = stage.add(
      View(id: "c", frame: LocalRect(x: 0, y: 0, width: 200, height: 1000)), to: scrollView)
    content.isMultipleTouchEnabled = true
    let phases = Phases()
    content.handlers = [phases]
    Self.play([.down(100, 150), .move(100, 100)], on: stage)
    stage.frame((2, .began, 50, 150))
    stage.rest(seconds: 0.3)
    stage.frame((1, .moved, 100, 60), (2, .moved, 50, 110))
    stage.dispatcher.flush()
    stage.frame((1, .ended, 100, 60), (2, .ended, 50, 110))
    #expect(phases.phases.isEmpty && scrollView.contentOffset.y == 80)
  }

  // MARK: Geometry

  @Test func `a hit test finds the content where it is while it moves`() {
    let stage = Stage()
    let scrollView = stage.add(
      ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)))
    for row in 0..<50 {
      stage.add(
        View(id: "\(row)", frame: LocalRect(x: 0, y: Double(row) * 40, width: 200, height: 40)),
        to: scrollView)
    }
    Self.play(Self.flick, on: stage)
    for _ in 0..<20 {
      stage.rest(seconds: 0.05)
      let row = Int((scrollView.contentOffset.y + 100) / 40)
      #expect(stage.window.hitView(at: WindowPoint(x: 100, y: 100), with: nil)?.id == "\(row)")
    }
    #expect(scrollView.contentOffset.y > 300)
  }

  @Test func `a stack in a scroll view is as long as what is in it, and the offset stays inside`() {
    let stage = Stage()
    let scrollView = stage.add(
      ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)))
    let stack = StackView(id: "stack")
    stack.arrangement.axis = .vertical
    stack.isArranged = true
    for row in 0..<10 {
      let view = View(id: "\(row)")
      view.fixedHeight = 50
      stack.addArrangedSubview(view)
    }
    scrollView.addSubview(stack)
    stage.window.layoutIfNeeded()
    #expect(scrollView.contentSize == Size(width: 200, height: 500))
    scrollView.contentOffset = LocalPoint(x: 0, y: 1000)
    stage.window.layoutIfNeeded()
    #expect(scrollView.contentOffset.y == 300)
    for view in stack.subviews.prefix(4) { view.isHidden = true }
    stage.window.layoutIfNeeded()
    #expect(scrollView.contentSize.height == 300 && scrollView.contentOffset.y == 100)
    stack.arrangement.axis = .horizontal
    for view in stack.subviews { view.fixedWidth = 100 }
    stage.window.layoutIfNeeded()
    #expect(scrollView.contentSize == Size(width: 600, height: 200) && scrollView.contentOffset == .zero)
  }

  @Test func `it stops at whole pixels of the display`() {
    let stage = Stage()
    stage.window.pixelsPerUnit = Size(width: 2.5, height: 2.5)
    let scrollView = stage.add(
      ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)))
    scrollView.scrolling.contentSize = Size(width: 200, height: 1000)
    Self.play([.down(100, 150), .move(100, 100.7, steps: 1), .rest(0.2)], on: stage)
    #expect(abs(scrollView.contentOffset.y - 39.2) < 1e-9)
  }

  @Test func `a rectangle of the content is scrolled into view`() {
    let stage = Stage()
    let scrollView = stage.add(
      ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)))
    scrollView.scrolling.contentSize = Size(width: 200, height: 1000)
    for (top, height, offset) in [
      (500.0, 50.0, 350.0), (400, 50, 350), (100, 50, 100), (600, 400, 600), (980, 20, 800),
    ] {
      scrollView.scrollRectToVisible(LocalRect(x: 0, y: top, width: 10, height: height))
      #expect(scrollView.contentOffset.y == offset)
    }
  }

  @Test func `a list keeps its chosen row where the text stays, and shows the text`() {
    let list = ListView(id: "list")
    (list.rows, list.selectedRow) = (["a", "b", "c"], 1)
    list.rows = ["x", "b"]
    #expect(list.selectedRow == 1 && list.shownText == "b")
    list.rows = ["b", "x"]
    #expect(list.selectedRow == nil && list.shownText == "")
    list.selectedRow = 5
    #expect(list.selectedRow == 1)
  }

  @Test func `a view that replaces another one keeps the offset, the rows and the chosen row that were set`()
    throws
  {
    func make(_ rows: [String]) -> (ScrollView, ListView) {
      let scrollView = ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 100, height: 100))
      let list = ListView(id: "l")
      (list.rows, list.isArranged) = (rows, true)
      scrollView.addSubview(list)
      return (scrollView, list)
    }
    let (old, made, new) = (make(["a"]), make(["a"]), make(["a"]))
    old.1.rows = ["a", "b", "c", "d"]
    old.1.selectedRow = 3
    old.0.contentOffset.y = 60
    old.0.layoutIfNeeded()
    new.0.keepSettings(of: old.0, madeAs: made.0)
    new.1.keepSettings(of: old.1, madeAs: made.1)
    new.0.layoutIfNeeded()
    #expect(new.0.contentOffset.y == 60 && new.1.rows.count == 4 && new.1.selectedRow == 3)
    // The file has shorter content now.
    let shorter = make(["a", "b", "c"])
    shorter.0.keepSettings(of: old.0, madeAs: made.0)
    shorter.0.layoutIfNeeded()
    #expect(shorter.0.contentOffset.y == 32)
  }

  // MARK: Random

  @Test(arguments: 0..<200) func `at rest the offset is inside the edges, and each began has its end`(
    seed: UInt64
  ) {
    var random = RandomSource(seed: seed)
    let stage = Stage()
    let outer = Self.randomScrollView("outer", &random)
    let inner = Self.randomScrollView("inner", &random)
    stage.add(outer)
    stage.add(inner, to: outer)
    let content = stage.add(
      random.oneIn(3) ? Button(id: "c") : View(id: "c"), to: inner)
    content.layoutRect = LocalRect(x: 0, y: 0, width: 500, height: 500)
    content.isMultipleTouchEnabled = true
    let phases = Phases()
    content.handlers = [phases]
    var down: Set<Int> = []
    for _ in 0..<80 {
      let (x, y) = (Double.random(in: 0...200, using: &random), Double.random(in: 0...200, using: &random))
      let finger = Int.random(in: 1...2, using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0 where down.contains(finger), 1 where down.contains(finger):
        stage.frame((finger, random.oneIn(4) ? .cancelled : .ended, x, y))
        down.remove(finger)
      case _ where !down.contains(finger):
        stage.frame((finger, .began, x, y))
        down.insert(finger)
      case 2: stage.rest(seconds: .random(in: 0...0.8, using: &random))
      case 3: inner.scrolling.contentSize?.height = .random(in: 0...1000, using: &random)
      case 4: Self.play([.wheel(.random(in: -3...3, using: &random))], on: stage)
      case 5 where random.oneIn(3): outer.contentOffset = LocalPoint(x: x, y: y)
      default:
        stage.frame((finger, .moved, x, y))
        stage.dispatcher.flush()
      }
    }
    stage.dispatcher.cancelAllTouches(at: stage.time)
    stage.rest(seconds: 20)
    stage.window.layoutIfNeeded()
    for view in [outer, inner] {
      let (size, offset) = (view.contentSize, view.contentOffset)
      // The end is rounded to a pixel.
      let end = (x: max(0, size.width - 200).rounded(), y: max(0, size.height - 200).rounded())
      let isInside = (0...end.x).contains(offset.x) && (0...end.y).contains(offset.y)
      #expect(isInside && !view.isDragging && !view.isDecelerating, "seed \(seed): \(view.id) \(offset)")
    }
    #expect(stage.dispatcher.deadline == nil, "seed \(seed)")
    let ends = phases.phases.filter { $0 == .ended || $0 == .cancelled }.count
    #expect(phases.phases.filter { $0 == .began }.count == ends, "seed \(seed)")
  }

  private static func randomScrollView(_ id: String, _ random: inout RandomSource) -> ScrollView {
    let view = ScrollView(id: id, frame: LocalRect(x: 0, y: 0, width: 200, height: 200))
    view.scrolling.contentSize = Size(
      width: .random(in: 0...600, using: &random), height: .random(in: 0...1000, using: &random))
    view.scrolling.isPaging = random.oneIn(3)
    view.scrolling.bounces = !random.oneIn(3)
    view.scrolling.delaysTouches = random.oneIn(2)
    view.scrolling.locksDirection = random.oneIn(3)
    view.scrolling.deceleration = random.oneIn(2) ? .fast : .normal
    view.scrolling.axis = ScrollView.Axis.allCases[Int.random(in: 0..<3, using: &random)]
    view.scrolling.cancelsTouches = ScrollView.TouchCancelling.allCases[Int.random(in: 0..<3, using: &random)]
    return view
  }
}

/// The phases that a view got.
private final class Phases: Handler {
  let name = "phases"
  private(set) var phases: [Touch.Phase] = []

  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition {
    for _ in touches { phases.append(phase) }
    return .forward
  }
}
