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
  ///   - view: a view that this function returned for a row that is out of sight now, to be set up for this one; nil if
  ///     there is none.
  func listView(_ listView: ListView, viewForRowAt row: Int, reusing view: View?) -> View
}

/// The rows of a list that has a data source: views that scroll, of which only those exist that are seen.
final class ListRows: RowSource {
  private unowned let list: ListView
  /// What scrolls the rows.
  let view: RowsView
  private var slots: [Slot] = []

  /// What stands behind the view of a row. A key that selects it presses the row.
  final class Slot: View {
    override var canBecomeFocused: Bool { isFocusable ?? true }
  }

  init(of list: ListView) {
    self.list = list
    view = RowsView(id: "\(list.id).rows")
    view.isArranged = true
    list.addSubview(view)
  }

  func end() { view.removeFromSuperview() }

  /// Shows what the data source has now, with as many views as fit into the list.
  func reload() {
    let seen = list.rowHeight > 0 ? list.bounds.size.height / list.rowHeight : 0
    let count = Int(saturating: min(seen, 1000).rounded(.up)) + 1
    while slots.count < count { slots.append(Slot(id: "\(list.id).row\(slots.count)")) }
    view.reload(slots, count: list.rowCount, rowHeight: list.rowHeight, from: self)
    paint()
  }

  /// Whether the list has become higher than its views can fill.
  var isShort: Bool { Double(slots.count - 1) * list.rowHeight < list.bounds.size.height }

  /// Shows which row is chosen, and which one is pressed.
  func paint() {
    for slot in slots {
      guard let row = view.row(of: slot) else { continue }
      let color: Color? =
        row == list.selectedRow ? list.colors.tint : row == list.pressedRow ? list.colors.track : nil
      if slot.background != color { slot.background = color }
    }
  }

  // MARK: The views

  func key(of row: Int) -> PropertyValue { .number(Double(row)) }

  func show(row: Int, in slot: Int) {
    let old = slots[slot].subviews.first
    guard let made = list.dataSource?.listView(list, viewForRowAt: row, reusing: old) else { return }
    if made !== old {
      old?.removeFromSuperview()
      made.isArranged = true
      slots[slot].addSubview(made)
    }
    let color: Color? = row == list.selectedRow ? list.colors.tint : nil
    if slots[slot].background != color { slots[slot].background = color }
  }

  func refresh(row: Int, in slot: Int) { show(row: row, in: slot) }
  func forget(slot: Int, showing key: PropertyValue) {}
  func take(over source: any RowSource) {}
}

extension ListView {
  /// The number of rows, of texts or of the data source.
  final var rowCount: Int { dataSource?.numberOfRows(in: self) ?? rows.count }

  /// Asks the data source for all rows again, after its rows have changed. A chosen row stays chosen if there still is one of that
  /// number. (`UITableView.reloadData()`, which chooses none.)
  public final func reloadData() {
    controlValue = ControlValue(
      controlValue?.number ?? -1, minimum: -1, maximum: Double(max(0, rowCount) - 1), step: 1)
    host?.reload()
  }

  /// The view that shows a row; nil for a row out of sight, and without a data source. (`UITableView.cellForRow(at:)`.)
  public final func view(forRow row: Int) -> View? {
    host?.view.subviews.first { host?.view.row(of: $0) == row }?.subviews.first
  }
}
