import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// Rows that are swiped for actions, against what Apple documents of UITableView's. Each row names its
/// source; `ours` is what the documentation leaves open.
@Suite struct RowSwipeTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var title: String
    var source: String
    var play: @Sendable (Scene) -> Void
    /// What was done, as `row action`.
    var done: [String] = []
    /// How far the row is aside at the end.
    var offset = 0.0
    var testDescription: String { "\(title) (\(source))" }
  }

  /// A list of 300 units in a scroll view, with two actions at the right of each row and one at its left.
  final class Scene {
    let stage = Stage()
    let list = ListView(id: "list", frame: LocalRect(x: 0, y: 0, width: 300, height: 880))
    let scrollView = ScrollView(id: "s", frame: LocalRect(x: 0, y: 0, width: 300, height: 220))
    var done: [String] = []

    init() {
      list.rows = (0..<20).map { "row \($0)" }
      list.trailingActions = ["Delete", "Archive"]
      list.leadingActions = ["Pin"]
      scrollView.addSubview(list)
      stage.add(scrollView)
      list.addAction(for: .rowAction) { [unowned self] in
        done.append(list.swiped.map { "\($0.row) \($0.action)" } ?? "nothing")
      }
      stage.window.layoutIfNeeded()
    }

    /// A finger goes from one place to another, and lifts after a rest.
    func drag(_ x: Double, _ y: Double, to end: (Double, Double), rests: Bool = true) {
      stage.frame((1, .began, x, y))
      for step in 1...10 {
        let part = Double(step) / 10
        stage.frame((1, .moved, x + (end.0 - x) * part, y + (end.1 - y) * part))
        stage.dispatcher.flush()
      }
      if rests { stage.rest(seconds: 0.2) }
      stage.frame((1, .ended, end.0, end.1))
      stage.rest(seconds: 2)
    }

    func tap(_ x: Double, _ y: Double) {
      stage.tap(x, y)
      stage.rest(seconds: 2)
    }
  }

  private static let trailing = "UITableViewDelegate.tableView(_:trailingSwipeActionsConfigurationForRowAt:)"
  private static let leading = "UITableViewDelegate.tableView(_:leadingSwipeActionsConfigurationForRowAt:)"

  static let rows: [Row] = [
    Row(
      title: "a swipe to the left shows the actions at the right", source: trailing,
      play: { $0.drag(250, 60, to: (150, 60)) }, offset: -148),
    Row(
      title: "one to the right those at the left", source: leading,
      play: { $0.drag(100, 60, to: (160, 60)) }, offset: 74),
    Row(title: "a short one shows nothing", source: "ours", play: { $0.drag(250, 60, to: (210, 60)) }),
    Row(
      title: "unless it is fast", source: "ours", play: { $0.drag(250, 60, to: (210, 60), rests: false) },
      offset: -148),
    Row(
      title: "a tap on an action does it, and closes the row", source: "UIContextualAction.Handler",
      play: {
        $0.drag(250, 60, to: (150, 60))
        $0.tap(180, 60)
      }, done: ["1 Archive"]),
    Row(
      title: "the first action lies at the edge", source: "UISwipeActionsConfiguration.actions",
      play: {
        $0.drag(250, 60, to: (150, 60))
        $0.tap(290, 60)
      }, done: ["1 Delete"]),
    Row(
      title: "a full swipe does the first action",
      source: "UISwipeActionsConfiguration.performsFirstActionWithFullSwipe",
      play: { $0.drag(290, 100, to: (60, 100)) }, done: ["2 Delete"]),
    Row(
      title: "a tap elsewhere closes the row, and chooses none", source: "ours",
      play: {
        $0.drag(250, 60, to: (150, 60))
        $0.tap(100, 150)
      }),
    Row(
      title: "another row closes it, too", source: "ours",
      play: {
        $0.drag(250, 60, to: (150, 60))
        $0.drag(250, 150, to: (150, 150))
      }, offset: -148),
    Row(
      title: "a swipe back closes it", source: "ours",
      play: {
        $0.drag(250, 60, to: (150, 60))
        $0.drag(100, 60, to: (240, 60))
      }),
    Row(
      title: "a finger that goes to the side without actions chooses no row", source: "ours",
      play: {
        $0.list.leadingActions = []
        $0.drag(100, 60, to: (160, 60))
      }),
    Row(
      title: "a drag up scrolls, and swipes nothing", source: "UIScrollView",
      play: { $0.drag(150, 200, to: (140, 100)) }),
  ]

  @Test(arguments: rows) func `rows are swiped as UIKit documents`(row: Row) {
    let scene = Scene()
    row.play(scene)
    #expect(scene.done == row.done)
    #expect(scene.list.swipeOffset == row.offset && scene.list.selectedRow == nil)
    #expect((scene.list.swipedRow != nil) == (row.offset != 0))
    #expect((scene.scrollView.contentOffset.y > 0) == row.source.hasPrefix("UIScrollView"))
    scene.stage.rest(seconds: 2)
    #expect(scene.stage.dispatcher.deadline == nil, "at rest nothing is woken")
  }

  /// What is shown where it goes is touched there.
  @Test func `actions of a row that opens are pressed where they go, and those of one that closes no more`() {
    let scene = Scene()
    func drag(from x: Double, to end: Double) {
      scene.stage.drag([(x, 60), ((x + end) / 2, 60), (end, 60), (end, 60)])
      scene.stage.rest(seconds: 0.02)
    }
    drag(from: 250, to: 210)
    #expect(scene.list.swipeOffset > -140)
    scene.stage.tap(160, 60)
    #expect(scene.done == ["1 Archive"])
    scene.stage.rest(seconds: 0.02)
    #expect(scene.list.swipeOffset < 0, "on its way back")
    scene.stage.tap(290, 60)
    scene.stage.rest(seconds: 2)
    #expect(scene.done == ["1 Archive"] && scene.list.selectedRow == 1 && scene.list.swipedRow == nil)
  }

  /// As far as a pan goes before it begins: `UITableView` chooses no row after that.
  @Test(arguments: [(9.0, 1), (-9, 1), (11, nil), (-11, nil)])
  func `a finger that goes along a row presses it no more`(way: Double, row: Int?) {
    let scene = Scene()
    (scene.list.leadingActions, scene.list.trailingActions) = ([], [])
    scene.stage.frame((1, .began, 150, 60))
    scene.stage.rest(seconds: 0.2)
    for x in [150 + way, 150] {
      scene.stage.frame((1, .moved, x, 60))
      scene.stage.dispatcher.flush()
    }
    scene.stage.frame((1, .ended, 150, 60))
    #expect(scene.list.selectedRow == row)
  }

  @Test func `rows that change close, and a list without actions is a plain one`() {
    let scene = Scene()
    scene.drag(250, 60, to: (150, 60))
    #expect(scene.list.swipedRow == 1 && scene.list.swipeActions.map(\.action) == ["Delete", "Archive"])
    #expect(scene.list.swipeActions.map(\.rect.minX) == [226, 152])
    scene.list.rows = ["one"]
    #expect(scene.list.swipedRow == nil)
    (scene.list.trailingActions, scene.list.leadingActions) = ([], [])
    #expect(scene.list.gestureRecognizers.isEmpty)
    scene.tap(100, 20)
    #expect(scene.list.selectedRow == 0)
  }
}
