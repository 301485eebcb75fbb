import TouchCore

/// The source of the rows of a `RowsView`.
package protocol RowSource: AnyObject {
  /// Returns the key of a row, which identifies it in any place.
  func key(of row: Int) -> PropertyValue
  /// Has the views of a slot show a row, with what was set on it before.
  func show(row: Int, in slot: Int)
  /// Has the views of a slot show the row that they show already, which may hold something else now.
  func refresh(row: Int, in slot: Int)
  /// Keeps what was set on the row that the views of a slot showed, and makes them as they were.
  func forget(slot: Int, showing key: PropertyValue)
  /// Continues in place of another source of the same list.
  func take(over source: any RowSource)
}

/// A list whose rows are views, of which only those exist that are seen: when one scrolls out, its views show
/// another row. (`UITableView` with `dequeueReusableCell(withIdentifier:)`.) There are a few slots, each with
/// the same views. Row `n` is always shown by slot `n` modulo their number, so what is seen needs as many
/// slots as rows fit into the view, and one more.
package final class RowsView: ScrollView {
  private unowned let list: ListView
  /// Behind the rows; as large as the content, with which it scrolls.
  private let page: RowsPage
  /// Over the rows, once the header of a section stays at the top.
  private var header: StickyHeader?
  package private(set) var count: Int
  package private(set) var shownRows = 0..<0
  private struct Slot {
    let view: View
    /// The row; nil while the slot shows none.
    var row: Int?
    var key = PropertyValue.null
  }
  private var slots: [Slot] = []
  private var source: (any RowSource)?

  init(of list: ListView, count: Int) {
    (self.list, self.count) = (list, count)
    page = RowsPage(of: list)
    super.init(id: "\(list.id).rows")
    isArranged = true
    addSubview(page)
    list.addSubview(self)
  }

  package override class var standardHitTestClass: View.Type { RowsView.self }

  /// The list, to which files and programs refer.
  package override var owner: View { list }

  override var followsFocus: Bool { true }
  override var coverHeight: Double {
    list.style == .plain && !list.places.starts.isEmpty ? list.places.headerHeight : 0
  }

  /// Keys choose a row in which they reach nothing else.
  package override func offersFocus(to subview: View) -> Bool {
    list.allowsSelection && subview !== page && subview !== header && !subview.hasFocusableContent
  }

  func slot(of row: Int) -> View? { slots.first { $0.row == row }?.view }

  package func row(of view: View) -> Int? {
    slots.first { $0.row != nil && view.isDescendant(of: $0.view) }?.row
  }

  /// Returns the key of the row that the views of a slot show; nil while they show none.
  fileprivate func key(ofSlot view: View) -> PropertyValue? {
    slots.first { $0.row != nil && $0.view === view }?.key
  }

  /// Shows other rows. Those that stay in their place, by their keys, go on with the touches on them.
  /// - Parameter views: each shows one row after the other.
  package func reload(_ views: [View], count: Int, from source: any RowSource) {
    let chosen = list.selectedRow.flatMap { $0 < self.count ? self.source?.key(of: $0) : nil }
    var next = views.map { Slot(view: $0) }
    let old = self.source
    var staying: [Int] = []
    for (index, slot) in slots.enumerated() {
      guard let row = slot.row else { continue }
      if index < next.count, next[index].view === slot.view, row < count, source.key(of: row) == slot.key {
        next[index] = slot
        staying.append(index)
      } else {
        old?.forget(slot: index, showing: slot.key)
        slot.view.removeFromSuperview()
      }
    }
    func stays(_ row: Int?) -> Bool { row == nil || next.contains { $0.row == row } }
    if !stays(list.swipedRow) || !stays(list.pressedRow) { list.forgetTouch() }
    if let old { source.take(over: old) }
    for view in views { view.isArranged = false }
    (slots, self.source, self.count) = (next, source, count)
    for index in staying { slots[index].row.map { source.refresh(row: $0, in: index) } }
    let stays = list.selectedRow.map { $0 < count && (chosen ?? source.key(of: $0)) == source.key(of: $0) }
    list.rowsChanged(count: count, keepsChoice: stays ?? false)
    placesChanged()
  }

  /// Has all rows placed again.
  func placesChanged() {
    scrolling.contentSize = Size(width: 0, height: list.places.height)
    setNeedsLayout()
  }

  /// Draws a part of what is behind the rows again, and places their views: one may be swiped aside.
  func redraw(_ rect: LocalRect) {
    page.setNeedsDisplay(rect)
    setNeedsLayout()
  }

  /// The visible rows, as far as there are slots.
  private var seenRows: Range<Int> {
    guard count > 0, !slots.isEmpty, bounds.size.height > 0 else { return 0..<0 }
    let rows = list.places.rows(from: bounds.minY, to: bounds.maxY)
    return rows.prefix(slots.count)
  }

  override func show(_ offset: LocalPoint) {
    super.show(offset)
    if seenRows != shownRows { setNeedsLayout() }
    placeHeader()
  }

  /// Has the header of the section that passes the top stay there, above the rows, until the next one comes.
  private func placeHeader() {
    let place = list.style == .plain ? list.places.stickyHeader(at: bounds.minY) : nil
    header?.isHidden = place == nil
    guard let place else { return }
    let header = header ?? StickyHeader(of: list)
    if self.header == nil {
      self.header = header
      addSubview(header)
    }
    header.row = place.row
    header.layoutRect = LocalRect(
      x: 0, y: place.top, width: bounds.size.width, height: list.places.headerHeight)
  }

  /// Whether the header that stays at the top is over a point of the list.
  final func coversWithHeader(_ point: LocalPoint) -> Bool {
    guard let header, !header.isHidden else { return false }
    return point.y - list.bounds.minY + bounds.minY < header.layoutRect.maxY
  }

  package override func layoutSubviews() {
    super.layoutSubviews()
    page.layoutRect = LocalRect(x: 0, y: 0, width: bounds.size.width, height: list.places.height)
    cornerRadius = list.style == .plain ? list.cornerRadius : 0
    let rows = seenRows
    shownRows = rows
    for index in slots.indices where slots[index].view.superview != nil {
      if let row = slots[index].row, rows.contains(row) { continue }
      leave(index)
    }
    var last: View = page
    placeHeader()
    for row in rows {
      let index = row % slots.count
      let view = slots[index].view
      if slots[index].row != row {
        (slots[index].row, slots[index].key) = (row, source?.key(of: row) ?? .null)
        source?.show(row: row, in: index)
        place(view, row)
        // In the order of the rows, which is that of the focus.
        if view.superview == nil {
          insertSubview(view, at: subviews.firstIndex { $0 === last }.map { $0 + 1 } ?? 1)
        }
      } else {
        place(view, row)
      }
      last = view
    }
  }

  /// Scrolls to a row for the focus, which goes on in it.
  /// - Parameter view: in a row, which stays; nil for the first row of all, or the last one.
  /// - Parameter distance: how many rows further on.
  /// - Returns: whether the row exists now, and did not before.
  override func showRow(_ heading: FocusHeading, beyond view: View?, by distance: Int) -> Bool {
    let step: Int
    switch heading {
    case .next, .down: step = 1
    case .previous, .up: step = -1
    case .left, .right, .none: return false
    }
    let target: Int
    if let view {
      guard distance < slots.count, let row = row(of: view) else { return false }
      target = row + step * distance
    } else {
      // An arrow enters where it comes from.
      guard heading == .next || heading == .previous else { return false }
      target = step > 0 ? 0 : count - 1
      guard !shownRows.contains(target) else { return false }
    }
    guard (0..<count).contains(target) else { return false }
    revealFocus(list.places.rect(of: target, width: bounds.size.width))
    layoutIfNeeded()
    return view.map { row(of: $0) == target - step * distance } ?? true
  }

  private func place(_ view: View, _ row: Int) {
    var rect = list.places.rect(of: row, width: bounds.size.width)
    if row == list.swipedRow { rect.origin.x += list.swipeOffset }
    view.layoutRect = rect
  }

  /// It waits for another row. A control in it loses its touch; a finger that scrolls goes on.
  private func leave(_ index: Int) {
    let view = slots[index].view
    if holdsScrollingTouch(view) {
      // Above the first row, where nothing is seen or hit.
      view.layoutRect.origin.y = -Self.farAway
    } else {
      view.removeFromSuperview()
    }
    guard slots[index].row != nil else { return }
    source?.forget(slot: index, showing: slots[index].key)
    slots[index].row = nil
  }

  private static let farAway = 100_000.0

  /// Whether a touch came down in a view, and no control there has it any more.
  private func holdsScrollingTouch(_ view: View) -> Bool {
    guard let dispatcher = window?.dispatcher else { return false }
    return dispatcher.touches.contains { touch in
      guard let touched = touch.view, touched.isDescendant(of: view) else { return false }
      return touched.controlTouch == nil
    }
  }

  /// Redraws the contents of a row that is not visible when it becomes so.
  package override func contentNeedsDisplay(in rect: LocalRect) {
    let (first, last) = (max(rect.minY, bounds.minY), min(rect.maxY, bounds.maxY))
    guard first < last else { return }
    super.contentNeedsDisplay(
      in: LocalRect(x: rect.minX, y: first, width: rect.size.width, height: last - first))
  }
}

/// The background of rows that are views: the lines between them, the colours of the pressed and the
/// chosen one, headers, footers, groups, and the actions behind the row that is swiped aside.
private final class RowsPage: View {
  private unowned let list: ListView

  init(of list: ListView) {
    self.list = list
    super.init(id: "\(list.id).page")
    isUserInteractionEnabled = false
  }

  override func draw(in context: GraphicsContext) { list.drawRows(in: context) }
}

/// The header of a section of a plain list, which stays while the section passes the top.
private final class StickyHeader: View {
  private unowned let list: ListView
  /// The row below the header.
  var row = 0 { didSet { if oldValue != row { setNeedsDisplay() } } }

  init(of list: ListView) {
    self.list = list
    super.init(id: "\(list.id).header")
  }

  override func draw(in context: GraphicsContext) { list.drawStickyHeader(above: row, in: bounds, context) }
}

extension View {
  /// Whether keys reach anything in the view.
  fileprivate var hasFocusableContent: Bool {
    subviews.contains { !$0.isHidden && ($0.canBecomeFocused || $0.hasFocusableContent) }
  }

  /// The key of the row that the view shows in a list whose rows are views; nil where it shows none.
  package var rowKey: PropertyValue? {
    var (slot, next) = (self, superview)
    while let current = next {
      if let list = current as? RowsView { return list.key(ofSlot: slot) }
      (slot, next) = (current, current.superview)
    }
    return nil
  }
}
