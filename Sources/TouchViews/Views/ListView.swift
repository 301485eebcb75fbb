import TouchCore

extension ViewKind {
  package static let list = ViewKind(
    "list", "a list", "lists", .actions, .choice(of: "row"), is: [.font, .padding, .icons, .rows],
    alsoCalled: ["table", "tableview", "listview", "listbox", "menu"],
    details: { (list: ListView) in ["\(list.rowCount) rows"] },
    make: { ListView(id: $0) })
}

extension ViewProperty {
  package static let rowHeight = ViewProperty(
    "row_height", \ListView.rowHeight, .number(.extent), is: [.nullable, .fixed], "The height of each row.")

  static let ofLists: [ViewProperty] = [
    rowHeight,
    ViewProperty(
      "list_style", \ListView.style, .word, is: [.nullable, .fixed],
      "`plain`, or `inset_grouped`: the rows below each of the `headers` are a group with round corners, inset from the edges of "
        + "the list, and `background` and `corner_radius` are those of the groups."),
    ViewProperty(
      "headers", \ListView.headers, .texts(0...10_000), is: .nullable,
      "The header above each row, in their order: `\"\"` for none, `\" \"` for the space of one. Default: none."
    ),
    ViewProperty(
      "footers", \ListView.footers, .texts(0...10_000), is: .nullable,
      "The footer below each row, in their order: `\"\"` for none. That of the last row of a section is shown. Default: none."
    ),
    ViewProperty(
      "allows_selection", \ListView.allowsSelection, .flag, is: .fixed,
      "Whether a finger presses rows, and chooses one."),
    ViewProperty(
      "leading_actions", \ListView.leadingActions, .texts(0...8), is: .nullable,
      "Actions behind each row at its left, the outermost first. See [lists](lists.md#lists). Default: none."),
    ViewProperty(
      "trailing_actions", \ListView.trailingActions, .texts(0...8), is: .nullable,
      "The same at its right. Default: nothing."),
    ViewProperty(
      "destructive_actions", \ListView.destructiveActions, .texts(0...16), is: .nullable,
      "Those of the actions that are red. Default: none."),
    ViewProperty(
      "destructive", \ListView.destructiveColor, .color, is: [.cosmetic, .nullable, .fixed],
      "The colour behind those actions."),
  ]
}

/// Rows of which one can be chosen. (`UITableView`.) They are texts, in a scroll view when there are many, or
/// with a `dataSource` views of the program, which the list scrolls by itself.
///
/// The value is the number of the chosen row, counted from 0, or −1 if no row is chosen. It changes when a
/// finger is lifted on the row on which it came down, and no control in the row has taken it. Rows of text
/// are parts of the control, not views; of those that are views, only those that are seen exist.
open class ListView: ValueControl, TextStyled, IconsHolding, RowsHolding {
  /// The look of a list. (`UITableView.Style`.)
  public enum Style: String, CaseIterable, Sendable {
    /// Rows from edge to edge.
    case plain
    /// Groups of rows with round corners, inset from the edges. (`UITableView.Style.insetGrouped`.)
    case insetGrouped = "inset_grouped"
  }

  /// The texts, from top to bottom. A chosen row stays chosen where its text stays in its place.
  /// (`UITableView.reloadData()` always forgets it.)
  public final var rows: [String] = [] {
    didSet {
      guard oldValue != rows else { return }
      let chosen = oldValue.indices.contains(selectedRow ?? -1) ? selectedRow : nil
      let stays = chosen.map { rows.indices.contains($0) && rows[$0] == oldValue[$0] } ?? false
      if host == nil { rowsChanged(count: rows.count, keepsChoice: stays) }
      contentChanged(true)
      forgetTouch()
    }
  }
  /// The name of the icon in front of each row's text, in the order of the rows; empty for none. See `Icon`.
  public final var icons: [String] = [] { didSet { appearanceChanged(oldValue != icons) } }
  /// The height of a row, in units of the list. (`UITableView.rowHeight`.)
  public final var rowHeight = ValueControl.fingerSize {
    didSet {
      guard oldValue != rowHeight else { return }
      placesChanged()
      reloadData()
    }
  }
  /// The style of the list, which decides where its background is. (`UITableView.style`.)
  public final var style = Style.plain { didSet { if oldValue != style { placesChanged() } } }
  /// The header above each row, in the order of the rows: empty for none. The rows up to the next header are
  /// a section. (`UITableViewDataSource.tableView(_:titleForHeaderInSection:)`.)
  public final var headers: [String] = [] { didSet { if oldValue != headers { placesChanged() } } }
  /// The footer below each row, in the order of the rows: empty for none. That of the last row of a section is
  /// shown. (`UITableViewDataSource.tableView(_:titleForFooterInSection:)`.)
  public final var footers: [String] = [] { didSet { if oldValue != footers { placesChanged() } } }
  /// Whether a finger presses rows, and chooses one. (`UITableView.allowsSelection`.)
  public final var allowsSelection = true
  private(set) final var places = RowPlaces()
  /// The style of the texts: left-aligned, with a row's padding on both sides.
  public final var textStyle = TextStyle(alignment: .left) {
    didSet {
      guard oldValue != textStyle else { return }
      if oldValue.size != textStyle.size { placesChanged() } else { appearanceChanged(true) }
    }
  }
  /// The greatest sideways distance of a finger that presses a row, in units, as before a pan begins.
  private static let slop = 10.0
  /// The space between the edges and the text of a row, for a style without padding.
  package static let padding = Insets(top: 0, left: 16, bottom: 0, right: 16)

  /// The actions behind a row at its left, for a finger that swipes the row to the right: the outermost
  /// first. (`UITableViewDelegate.tableView(_:leadingSwipeActionsConfigurationForRowAt:)`.)
  public final var leadingActions: [String] = [] { didSet { actionsChanged(oldValue != leadingActions) } }
  /// The same at its right. (`tableView(_:trailingSwipeActionsConfigurationForRowAt:)`.)
  public final var trailingActions: [String] = [] { didSet { actionsChanged(oldValue != trailingActions) } }
  /// The actions that are red. (`UIContextualAction.Style.destructive`.)
  public final var destructiveActions: [String] = [] {
    didSet { appearanceChanged(oldValue != destructiveActions) }
  }
  /// The colour behind the destructive actions.
  public final var destructiveColor = Color(red: 0xd9, green: 0x3b, blue: 0x3b) {
    didSet { appearanceChanged(oldValue != destructiveColor) }
  }
  /// The row that was swiped last, with its action, for `rowAction`.
  public internal(set) final var swiped: (row: Int, action: String)?
  package override var doneRowAction: (row: Int, action: String)? { swiped }

  /// An action of a row that was swiped away has no touch on it.
  package override func comesLate(_ action: Action) -> Bool { action == .rowAction && pressedAction == nil }

  /// The source of rows that are views; nil for rows of text. (`UITableView.dataSource`.)
  public final weak var dataSource: (any ListViewDataSource)? {
    didSet {
      guard oldValue !== dataSource else { return }
      dataRows = dataSource.map { _ in ListRows(of: self) }
      if dataSource == nil { hideViews() } else { showViews(count: 0) }
      reloadData()
    }
  }
  private(set) final var dataRows: ListRows?
  /// The view that scrolls rows that are views; nil for rows of text.
  package private(set) final var host: RowsView?

  /// Nil for a list whose rows have no actions.
  private var swipe: RowSwipe?
  /// The pressed action behind a row.
  public private(set) final var pressedAction: String? {
    didSet { if oldValue != pressedAction { redraw(swipedRow) } }
  }

  /// The row under the tracked finger. (`UITableViewCell.isHighlighted`.)
  private(set) final var pressedRow: Int? {
    didSet {
      guard oldValue != pressedRow else { return }
      for row in [oldValue, pressedRow] { redraw(row) }
    }
  }

  /// The row that was chosen before a touch chose another one, whose colour goes while that of the other
  /// comes.
  private(set) final var leftRow: Int?
  /// The share of its colour that the chosen row has in a picture; nil for all of it.
  final var presentedPart: Double?

  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    controlValue = ControlValue(-1, minimum: -1, maximum: -1, step: 1)
  }

  open override class var standardHitTestClass: View.Type { ListView.self }

  /// The chosen row; nil for none. Setting it sends no action. (`UITableView.indexPathForSelectedRow`.)
  public final var selectedRow: Int? {
    get { controlValue.flatMap { $0.number >= 0 ? Int(saturating: $0.number) : nil } }
    set { controlValue?.number = newValue.map(Double.init) ?? -1 }
  }

  /// Returns the height of all rows of text, and no width of its own.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    ContentSize(width: .none, height: host == nil ? ContentLength(places.height, .content) : .none)
  }

  /// The number of rows, of texts or of views.
  package final var rowCount: Int { host?.count ?? rows.count }

  /// Makes the rows views, which the list scrolls.
  /// - Parameter count: the number of the rows until they are there, of which one may be chosen.
  package final func showViews(count: Int) {
    guard host == nil else { return }
    host = RowsView(of: self, count: count)
    rowsChanged(count: count, keepsChoice: false)
  }

  private func hideViews() {
    host?.removeFromSuperview()
    host = nil
    rowsChanged(count: rows.count, keepsChoice: false)
  }

  /// Takes over the number of the rows.
  final func rowsChanged(count: Int, keepsChoice: Bool) {
    controlValue = ControlValue(
      keepsChoice ? controlValue?.number ?? -1 : -1, minimum: -1, maximum: Double(count - 1), step: 1)
    if places.count != count { placesChanged() }
  }

  /// Lets go of the pressed row, and of the one that is swiped aside: others are in their places now.
  final func forgetTouch() {
    pressedRow = nil
    swipe?.forget()
  }

  private func placesChanged() {
    let isPlain = style == .plain
    places = RowPlaces(
      count: rowCount, rowHeight: rowHeight,
      starts: headers.indices.prefix(rowCount).filter { !headers[$0].isEmpty },
      headerHeight: (textStyle.size * (isPlain ? 1.8 : 2.4)).rounded(),
      footerHeight: (textStyle.size * 1.8).rounded(), edge: isPlain ? 0 : 16, inset: isPlain ? 0 : 16)
    places.ends = footers.indices.prefix(rowCount).filter { !footers[$0].isEmpty && endsSection($0) }
    host?.placesChanged()
    contentChanged(true)
  }

  // MARK: Parts

  private func actionsChanged(_ changed: Bool) {
    guard changed else { return }
    if leadingActions.isEmpty, trailingActions.isEmpty {
      swipe?.end()
      swipe = nil
    } else if swipe == nil {
      swipe = RowSwipe(of: self)
    }
    setNeedsDisplay()
  }

  /// The row that is swiped aside; nil for none.
  public final var swipedRow: Int? { swipe?.side == nil ? nil : swipe?.row }
  /// The distance of that row to the right; negative to the left.
  public final var swipeOffset: Double { swipe?.offset ?? 0 }
  /// The visible actions behind that row, from the edge of the list inwards.
  public final var swipeActions: [(action: String, rect: LocalRect)] { swipe?.parts ?? [] }

  /// Returns the rectangle of a row, where it is scrolled to.
  public final func rect(of row: Int) -> LocalRect {
    let place = bounds.origin
    return places.rect(of: row, width: bounds.size.width).offsetBy(dx: place.x, dy: place.y - top)
  }

  /// The distance that rows that are views are scrolled.
  final var top: Double { host?.bounds.minY ?? 0 }

  open override func layoutSubviews() {
    super.layoutSubviews()
    if let dataRows, dataRows.isShort { reloadData() }
  }

  /// Rows that are views are focused as such.
  open override var canBecomeFocused: Bool { host == nil && super.canBecomeFocused }

  /// Each row of text.
  open override var focusPartCount: Int { host == nil ? rows.count : 0 }

  open override func focusRect(of part: Int) -> LocalRect { rect(of: part) }

  /// The text of the chosen row; of one that is a view and is seen, that of the first view with one.
  open override var shownText: String? {
    guard let row = selectedRow else { return "" }
    return host.map { $0.slot(of: row)?.firstText ?? "" } ?? (rows.indices.contains(row) ? rows[row] : "")
  }

  private func row(under touch: Touch) -> Int? { row(at: touch.location(in: self)) }

  final func row(at point: LocalPoint) -> Int? {
    guard bounds.contains(point), host?.coversWithHeader(point) != true else { return nil }
    let place = point.y - bounds.minY + top
    let row = places.rows(from: place, to: place.nextUp).first
    return row.flatMap { rect(of: $0).contains(point) ? $0 : nil }
  }

  override func valueDidChange(from old: ControlValue?) {
    for number in [old?.number, controlValue?.number] { redraw(number.map { Int(saturating: $0) }) }
  }

  /// Fades the colour from one row to the other in pictures.
  private func fadeChoice(from old: Int?) {
    guard let seconds = knownLayer?.stateColors?.fade, seconds > 0, let animator = window?.runningAnimator
    else { return }
    leftRow = old
    animator.move(.part, of: self, from: .number(0), to: .number(1), in: animator.group(Timing(seconds)))
  }

  final func redraw(_ row: Int?) {
    guard let row, row >= 0 else { return }
    // The line above a coloured row is not drawn.
    var rect = host == nil ? rect(of: row) : places.rect(of: row, width: bounds.size.width)
    (rect.origin.y, rect.size.height) = (rect.minY - 1, rect.size.height + 1)
    if let host { host.redraw(rect) } else { setNeedsDisplay(rect) }
  }

  // MARK: Touches

  /// An action behind a row is pressed; while one is open, any other touch closes it, and does nothing else.
  open override func beginTracking(_ touch: Touch, with event: Event) -> Bool {
    pressedAction = swipe?.action(at: touch.location(in: self))
    if pressedAction != nil { return true }
    if swipe?.close() ?? false { return false }
    pressedRow = allowsSelection ? row(under: touch) : nil
    return pressedRow != nil
  }

  /// A finger that leaves its row, or goes along it as far as a pan, presses none, and does not come back to
  /// it.
  override func isInsideTrackingArea(_ touch: Touch) -> Bool {
    if let pressedAction { return pressedAction == swipe?.action(at: touch.location(in: self)) }
    let way = touch.location(in: self).x - convertFromWindow(touch.beganSample.location).x
    if pressedRow != row(under: touch) || abs(way) >= Self.slop { pressedRow = nil }
    return pressedRow != nil
  }

  open override func endTracking(_ touch: Touch, with event: Event) {
    if let pressedAction, isTouchInside { swipe?.perform(pressedAction, touch) }
    pressedAction = nil
    let old = selectedRow
    if let pressedRow { change(to: Double(pressedRow), touch, event) }
    pressedRow = nil
    if selectedRow != old { fadeChoice(from: old) }
    super.endTracking(touch, with: event)
  }

  open override func cancelTracking(_ touch: Touch, with event: Event) {
    (pressedRow, pressedAction) = (nil, nil)
    super.cancelTracking(touch, with: event)
  }

  open override func touchesEnded(_ touches: [Touch], with event: Event) -> Disposition {
    let disposition = super.touchesEnded(touches, with: event)
    swipe?.resume(at: event.timestamp)
    return disposition
  }

  open override func touchesCancelled(_ touches: [Touch], with event: Event) -> Disposition {
    let disposition = super.touchesCancelled(touches, with: event)
    swipe?.resume(at: event.timestamp)
    return disposition
  }

  open override func deadlinePassed(with event: Event) {
    if let swipe { swipe.advance(to: event.timestamp) } else { super.deadlinePassed(with: event) }
  }

  /// Keeps taps from recognisers of other views. (UIKit since iOS 6.)
  open override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
    !isSingleTap(ofOther: recognizer)
  }

  // MARK: Appearance

  override var drawsIntoCorners: Bool { style == .plain }

  override var paintsOwnBackground: Bool { style == .insetGrouped }

  open override func draw(in context: GraphicsContext) { if host == nil { drawRows(in: context) } }
}

extension ListView: FocusTextHolding {
  final func focusText(of part: Int) -> String? { rows.indices.contains(part) ? rows[part] : nil }
}

extension ListView: PartPresenting {
  /// The chosen row, whose colour appears.
  final var ownPart: Double? { controlValue?.number }
}
