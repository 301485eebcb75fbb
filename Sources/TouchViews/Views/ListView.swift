import TouchCore

extension ViewKind {
  /// `ListView`
  package static let list = ViewKind(
    "list", "a list", "lists", .actions, .choice(of: "row"), is: [.font, .padding, .icons, .rows],
    alsoCalled: ["table", "tableview", "listview", "listbox", "menu"],
    details: { (list: ListView) in ["\(list.rows.count) rows"] },
    make: { ListView(id: $0) })
}

extension ViewProperty {
  package static let rowHeight = ViewProperty(
    "row_height", \ListView.rowHeight, .number(.extent), is: [.nullable, .fixed], "The height of each row.")

  static let ofLists: [ViewProperty] = [
    rowHeight,
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

/// Rows of text, of which one can be chosen; in a scroll view when there are many. (`UITableView`, with rows of its own.) With a
/// `dataSource` its rows are views of the program, and it scrolls by itself.
///
/// The value is the number of the chosen row, counted from 0, or −1 if no row is chosen. It changes when a finger is lifted
/// on the row on which it came down. The rows are parts of the control, not views: only those that are seen cost anything.
open class ListView: ValueControl, TextStyled, IconsHolding, RowsHolding {
  /// The texts, from top to bottom. A chosen row stays chosen where its text stays in its place. (`UITableView.reloadData()`
  /// always forgets it.)
  public final var rows: [String] = [] {
    didSet {
      guard oldValue != rows else { return }
      let chosen = oldValue.indices.contains(selectedRow ?? -1) ? selectedRow : nil
      let stays = chosen.map { rows.indices.contains($0) && rows[$0] == oldValue[$0] } ?? false
      controlValue = ControlValue(
        stays ? controlValue?.number ?? -1 : -1, minimum: -1, maximum: Double(rows.count - 1), step: 1)
      // Its text may be another one now.
      pressedRow = nil
      swipe?.forget()
      contentChanged(true)
    }
  }
  /// The name of the icon in front of each row's text, in the order of the rows; empty for none. See `Icon`.
  public final var icons: [String] = [] { didSet { appearanceChanged(oldValue != icons) } }
  /// The height of a row, in units of the list. (`UITableView.rowHeight`.)
  public final var rowHeight = ValueControl.fingerSize {
    didSet {
      contentChanged(oldValue != rowHeight)
      if oldValue != rowHeight { host?.reload() }
    }
  }
  /// The style of the texts: left-aligned, with a row's padding on both sides.
  public final var textStyle = TextStyle(alignment: .left) {
    didSet { appearanceChanged(oldValue != textStyle) }
  }
  /// The greatest sideways distance of a finger that presses a row, in units, as before a pan begins.
  private static let slop = 10.0
  /// The space between the edges and the text of a row, for a style without padding.
  package static let padding = Insets(top: 0, left: 16, bottom: 0, right: 16)

  /// What lies behind a row at its left, for a finger that swipes the row to the right: the outermost first.
  /// (`UITableViewDelegate.tableView(_:leadingSwipeActionsConfigurationForRowAt:)`.)
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

  /// The source of rows that are views; nil for rows of text. Actions of rows are for those of text. (`UITableView.dataSource`.)
  public final weak var dataSource: (any ListViewDataSource)? {
    didSet {
      guard oldValue !== dataSource else { return }
      if dataSource == nil {
        host?.end()
        host = nil
      } else if host == nil {
        host = ListRows(of: self)
      }
      reloadData()
    }
  }
  /// The rows of the data source.
  final var host: ListRows?

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
      host?.paint()
    }
  }

  /// The row that was chosen before a touch chose another one, whose colour goes while that of the other comes.
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

  /// Returns the height of all rows, and no width of its own.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    ContentSize(
      width: .none, height: host == nil ? ContentLength(Double(rows.count) * rowHeight, .content) : .none)
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

  /// Returns the rectangle of a row.
  public final func rect(of row: Int) -> LocalRect {
    LocalRect(
      x: bounds.minX, y: bounds.minY + Double(row) * rowHeight - top, width: bounds.size.width,
      height: rowHeight)
  }

  /// The distance that the rows of a data source are scrolled.
  private var top: Double { host?.view.bounds.minY ?? 0 }

  open override func layoutSubviews() {
    super.layoutSubviews()
    if let host, host.isShort { host.reload() }
  }

  /// The rows of a data source are focused as views.
  open override var canBecomeFocused: Bool { host == nil && super.canBecomeFocused }

  /// Each row of text.
  open override var focusPartCount: Int { host == nil ? rows.count : 0 }

  open override func focusRect(of part: Int) -> LocalRect { rect(of: part) }

  open override var shownText: String? { selectedRow.map { rows.indices.contains($0) ? rows[$0] : "" } ?? "" }

  private func rows(from top: Double, to bottom: Double) -> Range<Int> {
    guard rowHeight > 0, top < bottom else { return 0..<0 }
    let count = host == nil ? rows.count : rowCount
    func row(_ place: Double) -> Int {
      Int(saturating: min(max(0, (place - bounds.minY + self.top) / rowHeight), Double(count)))
    }
    return row(top)..<min(count, row(bottom) + 1)
  }

  private func row(under touch: Touch) -> Int? { row(at: touch.location(in: self)) }

  /// The row at a point of the list; nil beside all of them.
  final func row(at point: LocalPoint) -> Int? {
    guard bounds.contains(point) else { return nil }
    return rows(from: point.y, to: point.y.nextUp).first
  }

  override func valueDidChange(from old: ControlValue?) {
    for number in [old?.number, controlValue?.number] { redraw(number.map { Int(saturating: $0) }) }
    host?.paint()
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
    let rect = rect(of: row)
    setNeedsDisplay(
      LocalRect(x: rect.minX, y: rect.minY - 1, width: rect.size.width, height: rect.size.height + 1))
  }

  // MARK: Touches

  /// An action behind a row is pressed; while one is open, any other touch closes it, and does nothing else.
  open override func beginTracking(_ touch: Touch, with event: Event) -> Bool {
    pressedAction = swipe?.action(at: touch.location(in: self))
    if pressedAction != nil { return true }
    if swipe?.close() ?? false { return false }
    pressedRow = row(under: touch)
    return pressedRow != nil
  }

  /// A finger that leaves its row, or goes along it as far as a pan, presses none, and does not come back to it.
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

  override var drawsIntoCorners: Bool { true }

  /// Draws the rows that are in the clip.
  open override func draw(in context: GraphicsContext) {
    guard host == nil else { return }
    let seen = context.boundingBoxOfClipPath
    // What is lower than a pixel cannot be read, and there may be thousands.
    let isLow = rowHeight * context.canvas.pixelsPerUnit.height < 1
    for row in rows(from: seen.minY, to: seen.maxY)
    where !isLow || choice(of: row) > 0 || pressedRow == row {
      var rect = rect(of: row)
      if row == swipedRow {
        drawActions(context)
        rect = rect.offsetBy(dx: swipeOffset, dy: 0)
      }
      draw(row, in: rect, context)
    }
  }

  private func draw(_ row: Int, in rect: LocalRect, _ context: GraphicsContext) {
    let (chosen, isPressed) = (choice(of: row), pressedRow == row)
    let padding = textStyle.padding ?? Self.padding
    if isPressed, chosen < 1 { fillRow(rect, with: colors.track, context) }
    if chosen > 0 {
      var color = isPressed ? colors.tint.pressed : colors.tint
      color.alpha = UInt8(Double(color.alpha) * chosen + 0.5)
      if isTonal {
        context.fill(rect.insetBy(dx: 6, dy: 2), cornerRadius: max(8, cornerRadius - 4), with: color)
      } else {
        fillRow(rect, with: color, context)
      }
    } else if !isPressed, row + 1 < rows.count, choice(of: row + 1) == 0, pressedRow != row + 1 {
      let line = LocalRect(
        x: rect.minX + padding.left, y: rect.maxY - 1, width: max(0, rect.size.width - padding.left),
        height: 1)
      context.fill(line, with: colors.track)
    }
    var style = textStyle
    if !isTonal { style.color = style.color.mixed(with: colors.tint.contrast, chosen) }
    var title = Title(rows[row], style, padding: padding)
    if icons.indices.contains(row) { title.icon.name = icons[row] }
    context.canvas.draw(title, in: rect)
  }

  /// Whether the chosen row has a tone behind its text, which keeps its colour: inset, with round corners.
  private var isTonal: Bool { colors.tint.alpha < 128 }

  /// Returns the share of a chosen row's colour that a row has.
  private func choice(of row: Int) -> Double {
    let part = presentedPart ?? 1
    if row == selectedRow { return part }
    return row == leftRow ? 1 - part : 0
  }

  /// Fills a row, inside the round corners that the list may have.
  private func fillRow(_ rect: LocalRect, with color: Color, _ context: GraphicsContext) {
    guard cornerRadius > 0, context.canvas.isUpright else { return context.fill(rect, with: color) }
    context.canvas.clipToPixels(rect, isWide: false) {
      context.fill(bounds, cornerRadius: cornerRadius, with: color)
    }
  }

  /// Draws the actions behind the row that is swiped aside.
  private func drawActions(_ context: GraphicsContext) {
    for (action, rect) in swipeActions {
      let own = destructiveActions.contains(action) ? destructiveColor : colors.track
      var style = textStyle
      (style.color, style.alignment, style.padding) = (own.contrast, .center, nil)
      var room = TextRoom()
      room.padding = Insets(top: 0, left: 6, bottom: 0, right: 6)
      context.canvas.clipToPixels(rect, isWide: false) {
        context.fill(rect, with: pressedAction == action ? own.pressed : own)
        context.canvas.draw(action, style, in: rect, room)
      }
    }
  }
}

extension ListView: FocusTextHolding {
  final func focusText(of part: Int) -> String? { rows.indices.contains(part) ? rows[part] : nil }
}

extension ListView: PartPresenting {
  /// The chosen row, whose colour appears.
  final var ownPart: Double? { controlValue?.number }
}
