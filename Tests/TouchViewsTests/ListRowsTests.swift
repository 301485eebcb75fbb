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
    #expect(list.view(forRow: 2)?.superview?.background == list.colors.tint)
    list.selectedRow = nil
    #expect(list.view(forRow: 2)?.superview?.background == nil)
  }

  @Test func `a reload shows what the source has now`() {
    list.selectedRow = 50
    source.count = 2
    source.asked = []
    list.reloadData()
    stage.window.layoutIfNeeded()
    #expect(source.asked.sorted() == [0, 1] && shown(2) == nil && list.selectedRow == 1)
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
