import StageSupport
import Testing
import TouchCore
import TouchViews

/// `UIScreenEdgePanGestureRecognizer`. Each row names what Apple documents; `ours` is what the documentation
/// leaves open.
@Suite struct ScreenEdgePanTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var title: String
    var source: String
    var edges: Set<ScreenEdgePanGestureRecognizer.Edge> = [.left]
    /// In a window of 400 × 400 units.
    var from: (Double, Double)
    var to: (Double, Double)
    var isFound: Bool
    var testDescription: String { "\(title) (\(source))" }
  }

  static let rows: [Row] = [
    Row(
      title: "a finger from the left edge", source: "UIScreenEdgePanGestureRecognizer", from: (2, 200),
      to: (60, 210), isFound: true),
    Row(
      title: "one from further inside is none", source: "UIRectEdge", from: (40, 200), to: (120, 200),
      isFound: false),
    Row(
      title: "edges that are not asked for do not count", source: "UIScreenEdgePanGestureRecognizer.edges",
      from: (398, 200), to: (300, 200), isFound: false),
    Row(
      title: "no edge is asked for by default", source: "UIScreenEdgePanGestureRecognizer.edges", edges: [],
      from: (2, 200), to: (60, 200), isFound: false),
    Row(
      title: "the right edge", source: "UIRectEdge.right", edges: [.right], from: (398, 200), to: (300, 200),
      isFound: true),
    Row(
      title: "the upper edge", source: "UIRectEdge.top", edges: [.top, .bottom], from: (200, 2),
      to: (200, 60), isFound: true),
    Row(
      title: "the lower edge", source: "UIRectEdge.bottom", edges: [.top, .bottom], from: (200, 398),
      to: (200, 300), isFound: true),
    Row(
      title: "a drag along the edge is none", source: "ours", from: (2, 200), to: (10, 100), isFound: false),
    Row(title: "a drag back out is none", source: "ours", from: (18, 200), to: (1, 200), isFound: false),
  ]

  @Test(arguments: rows) func `a drag from an edge of the screen is found`(row: Row) {
    let stage = Stage()
    let pan = ScreenEdgePanGestureRecognizer(id: "edge")
    pan.edges = row.edges
    stage.window.addGestureRecognizer(pan)
    let (start, end) = (row.from, row.to)
    let path = (0...10).map { step in
      let part = Double(step) / 10
      return (x: start.0 + (end.0 - start.0) * part, y: start.1 + (end.1 - start.1) * part)
    }
    stage.drag(path)
    #expect(stage.diary.lines.contains("edge.began") == row.isFound)
    #expect(stage.diary.lines.contains("edge.failed") == !row.isFound)
  }

  @Test func `it goes before what scrolls, which has the touch as soon as it is none`() {
    for (x, offset) in [(2.0, 0.0), (100, -1)] {
      let stage = Stage()
      let scrollView = stage.add(
        ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 400, height: 400)))
      scrollView.scrolling.contentSize = Size(width: 4000, height: 400)
      scrollView.contentOffset = LocalPoint(x: 1000, y: 0)
      let pan = ScreenEdgePanGestureRecognizer(id: "edge")
      pan.edges = [.left]
      stage.window.addGestureRecognizer(pan)
      stage.drag((0...10).map { (x: x + Double($0) * 10, y: 200) })
      #expect((scrollView.contentOffset.x == 1000) == (offset == 0))
      #expect(stage.diary.lines.contains("edge.began") == (offset == 0))
    }
  }
}
