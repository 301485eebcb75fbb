import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// What scroll views tell programs, and where programs send them.
@Suite struct ScrollReportTests {
  private final class Watcher: DispatchObserver {
    var lines: [String] = []
    func observe(_ step: DispatchStep) {
      guard case .scroll(let view, let phase)? = step.viewStep else { return }
      if phase == .changed, lines.last == "\(view.id) changed" { return }
      lines.append("\(view.id) \(phase)")
    }
    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  private let stage = Stage()
  private let watcher = Watcher()
  private let list = ScrollView(id: "list", frame: LocalRect(x: 0, y: 0, width: 200, height: 200))

  init() {
    stage.add(list)
    stage.dispatcher.observer = watcher
    for row in 0..<10 {
      stage.add(
        View(id: "row \(row)", frame: LocalRect(x: 0, y: 100 * Double(row), width: 200, height: 100)),
        to: list)
    }
    stage.window.layoutIfNeeded()
  }

  /// `UIScrollViewDelegate`: scrollViewWillBeginDragging, scrollViewDidScroll, scrollViewDidEndDecelerating.
  @Test func `a drag, a flick, a wheel and a program are reported from beginning to end`() throws {
    let whole = ["list began", "list changed", "list ended"]
    ScrollTests.play([.down(100, 150), .move(100, 50), .rest(0.2), .up], on: stage)
    #expect(watcher.take() == whole)
    ScrollTests.play([.down(100, 150), .move(100, 50), .up], on: stage)
    #expect(watcher.take() == ["list began", "list changed"])
    stage.rest(seconds: 5)
    #expect(watcher.take() == ["list changed", "list ended"])
    ScrollTests.play([.wheel(1)], on: stage)
    #expect(watcher.take() == whole)
    try list.scroll(to: .edge(.bottom))
    stage.rest(seconds: 0)
    stage.rest(seconds: 5)
    #expect(watcher.take() == whole && list.isAtEnd)
    list.contentOffset = .zero
    #expect(watcher.take() == ["list ended"] && !list.isAtEnd)
    ScrollTests.play([.down(100, 150), .up], on: stage)
    #expect(watcher.take().isEmpty)
    stage.rest(seconds: 2)
    #expect(stage.dispatcher.deadline == nil)
  }

  /// Writes the calls of a delegate, those of one kind in a row once.
  private final class Delegate: ScrollViewDelegate {
    var lines: [String] = []
    var zoomed: View?
    private func note(_ line: String) { if lines.last != line { lines.append(line) } }
    func scrollViewDidScroll(_ scrollView: ScrollView) { note("scroll") }
    func scrollViewWillBeginDragging(_ scrollView: ScrollView) { note("drag") }
    func scrollViewDidEndDragging(_ scrollView: ScrollView, willDecelerate decelerate: Bool) {
      note("dragged \(decelerate)")
    }
    func scrollViewWillBeginDecelerating(_ scrollView: ScrollView) { note("decelerate") }
    func scrollViewDidEndDecelerating(_ scrollView: ScrollView) { note("decelerated") }
    func scrollViewDidEndScrollingAnimation(_ scrollView: ScrollView) { note("animated") }
    func viewForZooming(in scrollView: ScrollView) -> View? { zoomed }
    func scrollViewDidZoom(_ scrollView: ScrollView) { note("zoom \(scrollView.zoomScale)") }
    func take() -> String {
      defer { lines = [] }
      return lines.joined(separator: ", ")
    }
  }

  @Test func `a delegate follows a drag, a flick, a finger that stops it, and a program in UIKit's order`() {
    let delegate = Delegate()
    list.delegate = delegate
    ScrollTests.play([.down(100, 150), .move(100, 100), .rest(0.2), .up], on: stage)
    #expect(delegate.take() == "drag, scroll, dragged false")
    ScrollTests.play([.down(100, 150), .move(100, 50), .up], on: stage)
    #expect(delegate.take() == "drag, scroll, dragged true, decelerate" && list.isDecelerating)
    stage.rest(seconds: 5)
    #expect(delegate.take() == "scroll, decelerated" && !list.isDecelerating)
    ScrollTests.play([.down(100, 150), .move(100, 190), .up, .rest(0.05), .down(100, 100)], on: stage)
    #expect(delegate.take() == "drag, scroll, dragged true, decelerate, scroll, decelerated, drag")
    ScrollTests.play([.rest(0.2), .up], on: stage)
    #expect(delegate.take() == "dragged false")
    list.contentOffset = LocalPoint(x: 0, y: 300)
    #expect(delegate.take() == "scroll")
    list.setContentOffset(LocalPoint(x: 0, y: 300), animated: true)
    #expect(delegate.take().isEmpty, "it is there")
    list.setContentOffset(LocalPoint(x: 0, y: 100), animated: true)
    stage.rest(seconds: 0)
    #expect(!list.isDecelerating && !list.isDragging)
    stage.rest(seconds: 5)
    #expect(delegate.take() == "scroll, animated" && list.contentOffset.y == 100)
    list.setContentOffset(LocalPoint(x: 0, y: 50), animated: false)
    #expect(delegate.take() == "scroll" && list.contentOffset.y == 50)
    list.setContentOffset(LocalPoint(x: 0, y: 500), animated: true)
    stage.rest(seconds: 0.05)
    list.contentOffset = .zero
    #expect(delegate.take().hasSuffix("scroll, animated"), "what is begun has an end")
  }

  @Test func `a delegate chooses what zooms, and follows the zoom`() {
    let delegate = Delegate()
    delegate.zoomed = list.subviews[1]
    list.delegate = delegate
    (list.minimumZoomScale, list.maximumZoomScale) = (0.5, 4)
    list.zoomScale = 2
    #expect(delegate.take().hasPrefix("zoom 2.0") && list.subviews[1].transform.a == 2)
    #expect(list.subviews[0].transform == .identity)
    list.zoomScale = 9
    #expect(list.zoomScale == 4)
  }

  @Test func `insets are room around the content, in which it stays at its edge`() {
    list.contentInset = Insets(top: 20, left: 0, bottom: 30, right: 0)
    #expect(list.contentOffset.y == -20, "content at its upper edge stays there")
    try? list.scroll(to: .edge(.bottom))
    stage.rest(seconds: 0)
    stage.rest(seconds: 5)
    #expect(list.contentOffset.y == 830)
    list.contentInset = Insets(top: 40, left: 0, bottom: 0, right: 0)
    stage.window.layoutIfNeeded()
    #expect(list.contentOffset.y == 800)
    ScrollTests.play([.down(100, 10), .move(100, 190), .rest(0.2), .up], on: stage)
    #expect(list.contentOffset.y == 630)
  }

  @Test func `a scroll view that is disabled follows a program alone`() {
    list.isScrollEnabled = false
    ScrollTests.play([.down(100, 150), .move(100, 50), .rest(0.2), .up, .wheel(1)], on: stage)
    #expect(list.contentOffset.y == 0)
    list.contentOffset = LocalPoint(x: 0, y: 70)
    list.isScrollEnabled = true
    ScrollTests.play([.down(100, 150), .move(100, 50), .rest(0.2), .up], on: stage)
    #expect(list.contentOffset.y == 160)
  }

  static let targets: [(ScrollView.Target, Double)] = [
    (ScrollView.Target("bottom"), 800), (ScrollView.Target("top"), 0),
    (.offset(LocalPoint(x: 0, y: 120)), 120), (.offset(LocalPoint(x: 50, y: 5000)), 800),
    // As far as is needed, as UIScrollView.scrollRectToVisible(_:animated:).
    (ScrollView.Target("row 7"), 600), (ScrollView.Target("row 3"), 300),
  ]

  /// `UIScrollView.setContentOffset(_:animated:)`.
  @Test func `a program scrolls to an edge, an offset and a view, with a motion where time passes`() throws {
    for (target, end) in Self.targets {
      list.contentOffset = LocalPoint(x: 0, y: 400)
      try list.scroll(to: target)
      stage.rest(seconds: 0)
      stage.rest(seconds: 0.05)
      #expect(list.contentOffset.y != 400 && list.contentOffset.y != end, "\(target)")
      stage.rest(seconds: 3)
      #expect(list.contentOffset == LocalPoint(x: 0, y: end), "\(target)")
    }
    #expect(throws: PropertyError.self) { try list.scroll(to: .view("nothing")) }
    let still = ScrollView(id: "still", frame: LocalRect(x: 0, y: 0, width: 100, height: 100))
    still.scrolling.contentSize = Size(width: 100, height: 300)
    try still.scroll(to: .edge(.bottom))
    #expect(still.contentOffset.y == 200)
  }
}
