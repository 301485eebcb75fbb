import TouchCore

/// The source of the rows of a list whose rows are views. (`UITableViewDataSource`.)
public protocol ListViewDataSource: AnyObject {
  /// Returns the number of rows. (`tableView(_:numberOfRowsInSection:)`.)
  func numberOfRows(in listView: ListView) -> Int

  /// Returns the view of a row, which fills the row. It is asked for when the row comes into sight.
  /// (`tableView(_:cellForRowAt:)` with `dequeueReusableCell(withIdentifier:)`.)
  ///
  /// - Parameters:
  ///   - listView: the list that asks.
  ///   - row: the number of the row, from 0.
  ///   - view: a view that this function returned for a row that is out of sight now, to be set up for this
  ///     one; nil if there is none.
  func listView(_ listView: ListView, viewForRowAt row: Int, reusing view: View?) -> View
}

/// The rows of a list that has a data source: each slot has the view that the source has given it.
final class ListRows: RowSource {
  private unowned let list: ListView
  private var slots: [View] = []

  init(of list: ListView) { self.list = list }

  /// Shows what the data source has now, with as many views as fit into the list.
  func reload(count: Int) {
    let seen = list.rowHeight > 0 ? list.bounds.size.height / list.rowHeight : 0
    let fitting = Int(saturating: min(seen, 1000).rounded(.up)) + 1
    while slots.count < fitting { slots.append(View(id: "\(list.id).row\(slots.count)")) }
    list.host?.reload(slots, count: count, from: self)
  }

  /// Whether the list has become higher than its views can fill.
  var isShort: Bool { Double(slots.count - 1) * list.rowHeight < list.bounds.size.height }

  func key(of row: Int) -> PropertyValue { .number(Double(row)) }

  func show(row: Int, in slot: Int) {
    let old = slots[slot].subviews.first
    guard let made = list.dataSource?.listView(list, viewForRowAt: row, reusing: old), made !== old else {
      return
    }
    old?.removeFromSuperview()
    made.isArranged = true
    slots[slot].addSubview(made)
  }

  func refresh(row: Int, in slot: Int) { show(row: row, in: slot) }
  func forget(slot: Int, showing key: PropertyValue) {}
  func take(over source: any RowSource) {}
}

extension ListView {
  /// Asks the data source for all rows again, after its rows have changed. A chosen row stays chosen if there
  /// still is one of that number. (`UITableView.reloadData()`, which chooses none.)
  public final func reloadData() { dataRows?.reload(count: dataSource?.numberOfRows(in: self) ?? 0) }

  /// The view that shows a row; nil for a row out of sight, and without a data source.
  /// (`UITableView.cellForRow(at:)`.)
  public final func view(forRow row: Int) -> View? { host?.slot(of: row)?.subviews.first }
}
