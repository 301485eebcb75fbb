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
