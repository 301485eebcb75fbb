import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// Lists whose rows are views of a data source.
@Suite struct ListRowsTests {
  final class Source: ListViewDataSource {
    var count = 100
    var made = 0
    var asked: [Int] = []

    func numberOfRows(in listView: ListView) -> Int { count }

    func listView(_ listView: ListView, viewForRowAt row: Int, reusing view: View?) -> View {
      asked.append(row)
      if view == nil { made += 1 }
      let label = view as? Label ?? Label()
      label.text = "row \(row)"
      return label
    }
  }

  let stage = Stage()
  let source = Source()
  let list = ListView(id: "list", frame: LocalRect(x: 0, y: 0, width: 200, height: 200))

  init() {
    list.rowHeight = 50
    list.dataSource = source
    stage.add(list)
    stage.window.layoutIfNeeded()
  }

  func shown(_ row: Int) -> String? { (list.view(forRow: row) as? Label)?.text }

  @Test func `only rows that are seen exist, and their views are used again`() {
    #expect(source.asked == [0, 1, 2, 3] && source.made == 4)
    #expect(shown(3) == "row 3" && shown(4) == nil)
    ScrollTests.play([.down(100, 180), .move(100, 60), .rest(0.2), .up, .rest(1)], on: stage)
    stage.window.layoutIfNeeded()
    #expect(shown(2) == "row 2" && shown(5) == "row 5" && shown(0) == nil)
    #expect(source.made == 5, "one more than fit")
    #expect(list.view(forRow: 3)?.superview?.bounds.size == Size(width: 200, height: 50))
  }

  @Test func `a tap chooses the row under it, wherever the rows are scrolled`() {
    var chosen: [Int?] = []
    list.addAction(for: .valueChanged) { [unowned list] in chosen.append(list.selectedRow) }
    ScrollTests.play([.down(100, 180), .move(100, 70), .rest(0.2), .up, .rest(1)], on: stage)
    stage.window.layoutIfNeeded()
    ScrollTests.play([.down(100, 10), .rest(0.3), .up, .rest(1)], on: stage)
    #expect(chosen == [2] && list.selectedRow == 2)
    #expect(list.shownText == "row 2")
  }

  /// Holds a finger on a row for a moment, and lifts it there or after a drag.
  /// - Returns: the row that was pressed meanwhile.
  func press(_ row: Int, dragsTo end: Double? = nil) -> Int? {
    let start = Double(row) * 50 + 25
    stage.frame((1, .began, 100, start))
    stage.rest(seconds: 0.1)
    #expect(list.pressedRow == nil, "the finger may scroll")
    stage.rest(seconds: 0.1)
    let pressed = list.pressedRow
    let way = (end ?? start) - start
    for step in 1...10 {
      stage.frame((1, .moved, 100, start + way * Double(step) / 10))
      stage.dispatcher.flush()
    }
    stage.frame((1, .ended, 100, start + way))
    stage.rest(seconds: 1)
    return pressed
  }

  @Test func `a row is pressed after UIKit's delay, and not any more when the finger scrolls`() {
    #expect(press(1) == 1 && list.pressedRow == nil && list.selectedRow == 1)
    #expect(press(2, dragsTo: 60) == 2 && list.pressedRow == nil)
    #expect(list.selectedRow == 1 && list.host?.contentOffset.y ?? 0 > 0)
    list.allowsSelection = false
    #expect(press(3) == nil && list.selectedRow == 1)
  }

  @Test func `a control in a row keeps its touch, and chooses no row`() {
    let on = Switch(id: "on", frame: LocalRect(x: 140, y: 8, width: 52, height: 32))
    list.view(forRow: 1)?.superview?.addSubview(on)
    ScrollTests.play([.down(160, 75), .rest(0.2), .up, .rest(1)], on: stage)
    #expect(on.isOn && list.selectedRow == nil && list.pressedRow == nil)
    #expect(stage.window.hitTest(LocalPoint(x: 160, y: 75), with: nil) === on)
    #expect(stage.window.hitTest(LocalPoint(x: 20, y: 75), with: nil) === list.view(forRow: 1)?.superview)
  }

  @Test func `a row that is a view is swiped with it, wherever it is scrolled, and does its action`() throws {
    list.trailingActions = ["Delete"]
    var done: [String] = []
    list.addAction(for: .rowAction) { [unowned list] in
      done.append(list.swiped.map { "\($0.row) \($0.action)" } ?? "")
    }
    list.host?.contentOffset = LocalPoint(x: 0, y: 500)
    stage.window.layoutIfNeeded()
    let swipe: [ScrollTests.Step] = [.down(180, 75), .move(100, 75), .rest(0.2), .up, .rest(1)]
    ScrollTests.play(swipe, on: stage)
    stage.window.layoutIfNeeded()
    let slot = try #require(list.view(forRow: 11)?.superview)
    #expect(list.swipedRow == 11 && list.swipeOffset == -74 && slot.layoutRect.minX == -74)
    #expect(list.swipeActions.map(\.rect) == [LocalRect(x: 126, y: 50, width: 74, height: 50)])
    ScrollTests.play([.down(160, 75), .rest(0.2), .up, .rest(1)], on: stage)
    stage.window.layoutIfNeeded()
    #expect(done == ["11 Delete"] && slot.layoutRect.minX == 0 && list.selectedRow == nil)
    ScrollTests.play(swipe, on: stage)
    #expect(list.swipedRow == 11)
    source.count = 3
    list.reloadData()
    stage.window.layoutIfNeeded()
    #expect(list.swipedRow == nil && stage.dispatcher.deadline == nil)
  }

  @Test func `keys choose a row as a whole only where they reach nothing in it`() {
    stage.press(.down)
    #expect(stage.window.focusSystem.focusedItem?.view === list.view(forRow: 0)?.superview)
    let button = Button("OK", id: "ok")
    button.frame = LocalRect(x: 140, y: 4, width: 50, height: 40)
    list.view(forRow: 1)?.superview?.addSubview(button)
    stage.press(.down)
    #expect(stage.window.focusSystem.focusedItem?.view.id == "ok")
    stage.press(.down)
    stage.press(.enter)
    #expect(list.selectedRow == 2)
    list.allowsSelection = false
    #expect(list.view(forRow: 3)?.superview?.canBecomeFocused == false)
  }

  @Test func `headers move the rows below them, and are no rows`() {
    list.headers = ["Lamps", "", "More", "", " "]
    list.textStyle.size = 20
    stage.window.layoutIfNeeded()
    #expect((0..<5).map { list.rect(of: $0).minY } == [36, 86, 172, 222, 308])
    #expect(list.row(at: LocalPoint(x: 9, y: 35)) == nil && list.row(at: LocalPoint(x: 9, y: 36)) == 0)
    #expect(list.row(at: LocalPoint(x: 9, y: 136)) == nil && list.row(at: LocalPoint(x: 9, y: 172)) == 2)
    #expect(list.view(forRow: 2)?.superview?.layoutRect.minY == 172)
    #expect(list.host?.contentSize.height == 5108.0)
    list.style = .insetGrouped
    stage.window.layoutIfNeeded()
    #expect(list.rect(of: 0) == LocalRect(x: 16, y: 48, width: 168, height: 50))
    #expect(list.row(at: LocalPoint(x: 9, y: 60)) == nil && list.row(at: LocalPoint(x: 20, y: 60)) == 0)
  }

  @Test func `a footer is below the last row of its section, and is no row`() {
    list.headers = ["Lamps", "", "More"]
    list.footers = ["in the middle of a section", "All are off", "", "", ""]
    list.textStyle.size = 20
    stage.window.layoutIfNeeded()
    #expect((0..<4).map { list.rect(of: $0).minY } == [36, 86, 208, 258])
    #expect(list.row(at: LocalPoint(x: 9, y: 135)) == 1 && list.row(at: LocalPoint(x: 9, y: 140)) == nil)
    #expect(list.row(at: LocalPoint(x: 9, y: 171)) == nil)
    source.count = 3
    list.footers = ["", "", "The end"]
    list.reloadData()
    #expect(list.places.height == 36 + 100 + 36 + 50 + 36)
    for place in stride(from: 0.0, to: list.places.height, by: 7) {
      for row in list.places.rows(from: place, to: place + 7) {
        let rect = list.places.rect(of: row, width: 200)
        #expect(rect.minY < place + 7 && rect.maxY > place, "\(place)")
      }
    }
  }

  @Test func `the header of a section stays at the top until the next one comes, and covers rows`() throws {
    list.headers = ["Lamps", "", "", "", "More"]
    list.textStyle.size = 20
    stage.window.layoutIfNeeded()
    let rows = try #require(list.host)
    func header() -> Double? {
      stage.window.layoutIfNeeded()
      guard let header = rows.subviews.first(where: { $0.id == "list.header" }), !header.isHidden else {
        return nil
      }
      return header.layoutRect.minY - rows.bounds.minY
    }
    #expect(header() == 0)
    for (offset, place) in [(100.0, 0.0), (200, 0), (210, -10), (235, -35), (236, 0), (500, 0)] {
      rows.jump(to: LocalPoint(x: 0, y: offset))
      #expect(header() == place, "\(offset)")
    }
    #expect(list.row(at: LocalPoint(x: 9, y: 20)) == nil && list.row(at: LocalPoint(x: 9, y: 37)) != nil)
    list.selectedRow = nil
    ScrollTests.play([.down(100, 20), .rest(0.3), .up, .rest(1)], on: stage)
    #expect(list.selectedRow == nil)
    list.style = .insetGrouped
    #expect(header() == nil && rows.bounds.origin.y > 0)
  }

  @Test func `keys lead to rows below the header that stays`() throws {
    list.headers = ["All"]
    stage.window.layoutIfNeeded()
    for key in Array(repeating: KeyCode.down, count: 9) + Array(repeating: .up, count: 6) {
      stage.press(key)
      stage.window.layoutIfNeeded()
      let row = try #require(stage.window.focusSystem.focusedItem?.view)
      #expect(row.windowFrame.minY >= list.places.headerHeight, "\(row.windowFrame)")
    }
    #expect(list.host?.bounds.minY ?? 0 > 0)
  }

  @Test func `a reload shows what the source has now`() {
    list.selectedRow = 50
    source.count = 2
    source.asked = []
    list.reloadData()
    stage.window.layoutIfNeeded()
    #expect(source.asked.sorted() == [0, 1] && shown(2) == nil && list.selectedRow == nil)
    source.count = 0
    list.reloadData()
    stage.window.layoutIfNeeded()
    #expect(list.selectedRow == nil && shown(0) == nil)
    list.dataSource = nil
    list.rows = ["a", "b"]
    #expect(list.subviews.isEmpty && list.focusPartCount == 2)
  }

  @Test func `a list that becomes higher has as many views as it needs, and keys go from row to row`() {
    list.frame = LocalRect(x: 0, y: 0, width: 200, height: 400)
    stage.window.layoutIfNeeded()
    #expect(shown(7) == "row 7")
    stage.press(.down)
    stage.press(.down)
    stage.press(.enter)
    #expect(list.selectedRow != nil)
  }
}
