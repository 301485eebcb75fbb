import TouchCore

extension ViewKind {
  package static let picker = ViewKind(
    "picker", "a picker", "pickers", .actions, .number(isStepped: false),
    is: [.font, .padding, .rows, .times],
    alsoCalled: ["dropdown", "select", "combobox", "combo", "roller", "wheel", "option"]
  ) { PickerView(id: $0) }
}

extension ViewProperty {
  package static let mode = ViewProperty(
    "mode", \PickerView.mode, .word, is: [.fixed, .first],
    "The kind of wheels: `list` (of `rows`), `number`, `time` or `date`. See [pickers](controls.md#pickers).")
}

/// Wheels that a finger turns: for one of several texts, a number, a time or a date. (`UIPickerView`,
/// `UIDatePicker`.)
///
/// The value is the number of the row of a list, counted from 0; a number; the minutes since midnight; or the
/// days since 1 January
/// 1970. It changes, and is sent, when a wheel has come to rest on a row.
open class PickerView: ValueControl, TextStyled, RowsHolding, NumberShowing {
  /// The content of the wheels. (`UIDatePicker.Mode`.)
  public enum Mode: String, CaseIterable, Sendable {
    /// One wheel with a row for each of `rows`.
    case list
    /// One wheel, from the minimum to the maximum by steps.
    case number
    /// Hours and minutes of a day, which go round; the step is that of the minutes.
    /// (`UIDatePicker.minuteInterval`.)
    case time
    /// Year, month and day.
    case date
  }

  /// The kind of values on the wheels. Setting another one gives the value its limits.
  public final var mode = Mode.number {
    didSet {
      guard oldValue != mode else { return }
      controlValue = standardValue
      makeWheels()
    }
  }
  /// The texts of a list, from top to bottom.
  public final var rows: [String] = [] {
    didSet {
      guard oldValue != rows, mode == .list else { return }
      let number = controlValue?.number ?? 0
      controlValue = standardValue
      controlValue?.number = number
      contentChanged(true)
    }
  }
  /// The centred style of the rows, which are twice as high as the font's size.
  public final var textStyle = TextStyle(alignment: .center) {
    didSet {
      contentChanged(oldValue != textStyle)
      if oldValue.size != textStyle.size { setNeedsLayout() }
    }
  }
  /// The text between a whole number and its decimals. (`Locale.decimalSeparator`.)
  public final var decimalSeparator = "." { didSet { contentChanged(oldValue != decimalSeparator) } }
  /// The wheels from left to right.
  public private(set) final var wheels: [PickerWheel] = []
  /// Whether the value comes from a wheel, which then is not turned.
  private var isFromWheel = false

  static let mostRows = 10_000

  /// Makes a picker from 0 to 100, unless other limits are set.
  public override init(id: String = "", frame: LocalRect = .zero) {
    super.init(id: id, frame: frame)
    controlValue = standardValue
    clipsToBounds = true
    makeWheels()
  }

  open override class var standardHitTestClass: View.Type { PickerView.self }

  private var standardValue: ControlValue {
    switch mode {
    case .list: ControlValue(0, minimum: 0, maximum: Double(max(0, rows.count - 1)), step: 1)
    case .number: ControlValue(0, minimum: 0, maximum: 100, step: 1)
    case .time: ControlValue(0, minimum: 0, maximum: 1439, step: 1)
    case .date:
      ControlValue(
        0, minimum: Double(CivilDate(year: 1900, month: 1, day: 1).days),
        maximum: Double(CivilDate(year: 2100, month: 12, day: 31).days), step: 1)
    }
  }

  /// Returns the height of five rows, and no width of its own.
  open override func contentSize(atWidth width: Double) -> ContentSize {
    ContentSize(width: .none, height: ContentLength(5 * rowHeight, .content))
  }

  /// The value for people: the text of the row, the number, `21:30` or `2026-11-23`.
  public final var shownValue: String {
    guard let value = controlValue else { return "" }
    let number = Int(saturating: value.number)
    return switch mode {
    case .list: rows.indices.contains(number) ? rows[number] : ""
    case .number: value.text(separator: decimalSeparator)
    case .time: TimeOfDay(minutes: number).text
    case .date: CivilDate(days: number).text
    }
  }

  open override var shownText: String? { shownValue }

  package override func words(from minimum: Double, to maximum: Double) -> String? {
    let texts: [String]
    switch mode {
    case .list, .number: return nil
    case .time: texts = [minimum, maximum].map { TimeOfDay(minutes: Int(saturating: $0)).text }
    case .date: texts = [minimum, maximum].map { CivilDate(days: Int(saturating: $0)).text }
    }
    return "a \(mode.rawValue) from \(texts[0]) to \(texts[1])"
  }

  package override func advice(forStep step: Double) -> String? {
    guard mode == .time, step > 0, 60.truncatingRemainder(dividingBy: step) != 0 || step != step.rounded()
    else { return nil }
    return "the minutes of a time repeat in each hour; give 1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30 or 60"
  }

  /// A wheel stops after the finger has left it.
  package override func comesLate(_ action: Action) -> Bool { action == .valueChanged }

  // MARK: Focus

  /// Each wheel.
  open override var focusPartCount: Int { wheels.count }

  open override func focusRect(of part: Int) -> LocalRect {
    wheels.indices.contains(part) ? wheels[part].layoutRect : bounds
  }

  open override func canAdjustFocus(of part: Int?) -> Bool {
    part.map { wheels.indices.contains($0) && wheels[$0].rowCount > 1 } ?? false
  }

  /// Turns the wheel by rows.
  open override func adjustFocus(
    of part: Int?, by steps: Int, wraps: Bool, _ touch: Touch, _ event: Event
  ) {
    guard let part, canAdjustFocus(of: part) else { return }
    let (wheel, count) = (wheels[part], wheels[part].rowCount)
    var row = wheel.row + steps
    if wraps || wheel.goesRound { row = (row % count + count) % count }
    wheel.turn(to: min(max(0, row), count - 1))
    stopped(wheel, touch)
  }

  // MARK: Wheels

  /// The height of a row, in units of the view.
  public final var rowHeight: Double { max(1, (textStyle.size * 2).rounded()) }

  private func makeWheels() {
    for wheel in wheels { wheel.removeFromSuperview() }
    let count =
      switch mode {
      case .list, .number: 1
      case .time: 2
      case .date: 3
      }
    wheels = (0..<count).map { PickerWheel(of: self, column: $0) }
    for wheel in wheels { addSubview(wheel) }
    setNeedsLayout()
    setNeedsDisplay()
  }

  open override func layoutSubviews() {
    let width = bounds.size.width / Double(max(1, wheels.count))
    for (index, wheel) in wheels.enumerated() {
      let (left, right) = ((Double(index) * width).rounded(), (Double(index + 1) * width).rounded())
      wheel.layoutRect = LocalRect(
        x: bounds.minX + left, y: bounds.minY, width: right - left, height: bounds.size.height)
    }
    turnWheels(all: true)
  }

  final func rowCount(of column: Int) -> Int {
    guard let value = controlValue else { return 0 }
    switch (mode, column) {
    case (.list, _): return rows.count
    case (.number, _):
      guard value.step > 0 else { return 1 }
      let steps = ((value.maximum - value.minimum) / value.step - 1e-9).rounded(.up)
      return min(Self.mostRows, max(0, Int(saturating: steps)) + 1)
    case (.time, 0): return 24
    case (.time, _): return max(1, 60 / minuteStep)
    case (.date, 0): return min(Self.mostRows, years.count)
    case (.date, 1): return 12
    case (.date, _):
      let date = CivilDate(days: Int(saturating: value.number))
      return CivilDate.days(in: date.month, of: date.year)
    }
  }

  /// Returns the text of a wheel's row.
  public final func text(of row: Int, in column: Int) -> String {
    switch (mode, column) {
    case (.list, _): rows.indices.contains(row) ? rows[row] : ""
    case (.number, _): number(of: row).text(separator: decimalSeparator)
    case (.time, 0): row.padded(to: 2)
    case (.time, _): (row * minuteStep).padded(to: 2)
    case (.date, 0): String(years.lowerBound + row)
    case (.date, _): (row + 1).padded(to: 2)
    }
  }

  private var minuteStep: Int { min(60, max(1, Int(saturating: controlValue?.step ?? 1))) }

  private var years: ClosedRange<Int> {
    let first = CivilDate(days: Int(saturating: controlValue?.minimum ?? 0)).year
    return first...max(first, CivilDate(days: Int(saturating: controlValue?.maximum ?? 0)).year)
  }

  private func number(of row: Int) -> ControlValue {
    var number = controlValue ?? ControlValue(0)
    number.number = number.minimum + Double(row) * number.step
    return number
  }

  private var valueRows: [Int] {
    guard let value = controlValue else { return wheels.map { _ in 0 } }
    let number = Int(saturating: value.number)
    switch mode {
    case .list: return [max(0, number)]
    case .number:
      guard value.step > 0 else { return [0] }
      return [Int(saturating: ((value.number - value.minimum) / value.step - 1e-9).rounded(.up))]
    case .time: return [number / 60, number % 60 / minuteStep]
    case .date:
      let date = CivilDate(days: number)
      return [date.year - years.lowerBound, date.month - 1, date.day - 1]
    }
  }

  private func value(of rows: [Int]) -> Double {
    switch mode {
    case .list: Double(rows[0])
    case .number: number(of: rows[0]).number
    case .time: Double(rows[0] * 60 + rows[1] * minuteStep)
    case .date:
      Double(
        CivilDate(
          year: years.lowerBound + rows[0], month: rows[1] + 1,
          day: min(rows[2] + 1, CivilDate.days(in: rows[1] + 1, of: years.lowerBound + rows[0]))
        ).days)
    }
  }

  /// Turns the wheels to the value.
  /// - Parameter all: whether also wheels that a finger or a motion turns.
  private func turnWheels(all: Bool) {
    for (wheel, row) in zip(wheels, valueRows) where all || wheel.isResting { wheel.turn(to: row) }
  }

  override func valueDidChange(from old: ControlValue?) {
    super.valueDidChange(from: old)
    if !isFromWheel { turnWheels(all: true) }
  }

  /// Handles a wheel that has come to rest.
  /// - Parameter touch: the touch that turned the wheel; nil for a mouse's wheel.
  final func stopped(_ wheel: PickerWheel, _ touch: Touch?) {
    var rows = valueRows
    guard rows.indices.contains(wheel.column), wheel.row != rows[wheel.column] else { return }
    rows[wheel.column] = wheel.row
    isFromWheel = true
    let number = value(of: rows)
    if let touch, let event = window?.dispatcher?.currentEvent {
      change(to: number, touch, event)
    } else {
      controlValue?.number = number
    }
    isFromWheel = false
    // Another row than the finger's may be the nearest that the limits allow, and a month may have fewer
    // days.
    turnWheels(all: false)
  }

  // MARK: Appearance

  override var drawsIntoCorners: Bool { true }

  /// The most drawn rows above and below the middle. More would be illegible on any display.
  private static let mostDrawn = 100.0

  /// Draws the rows of the wheels that are seen: those further from the middle are fainter, and a band marks
  /// the middle.
  open override func draw(in context: GraphicsContext) {
    let height = rowHeight
    let top = (bounds.midY - height / 2).rounded()
    context.fill(
      LocalRect(x: bounds.minX + 4, y: top, width: max(0, bounds.size.width - 8), height: height),
      cornerRadius: 8, with: colors.track)
    let reach = bounds.size.height / 2 / height + 0.5
    let seen = min(reach, Self.mostDrawn)
    var room = TextRoom()
    room.padding = Insets(top: 0, left: 8, bottom: 0, right: 8)
    for wheel in wheels {
      let (frame, position) = (wheel.layoutRect, wheel.position)
      let first = Int(saturating: (position - seen).rounded(.up))
      let last = Int(saturating: (position + seen).rounded(.down))
      guard first <= last else { continue }
      for place in first...last {
        let text = wheel.row(at: place).map { self.text(of: $0, in: wheel.column) } ?? ""
        guard !text.isEmpty else { continue }
        let distance = Double(place) - position
        var style = textStyle
        if abs(distance) >= 0.5 {
          style.color.alpha = UInt8(
            Double(style.color.alpha) * max(0.12, 1 - 0.75 * min(1, abs(distance) / reach) - 0.1))
        }
        let rect = LocalRect(
          x: frame.minX, y: top + (distance * height).rounded(), width: frame.size.width, height: height)
        context.canvas.draw(text, style, in: rect, room)
      }
    }
  }
}

extension PickerView: FocusTextHolding {
  final func focusText(of part: Int) -> String? {
    wheels.indices.contains(part) ? text(of: wheels[part].row, in: part) : nil
  }
}
