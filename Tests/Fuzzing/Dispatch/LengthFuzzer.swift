import TouchCore
import TouchViews

/// Sets tiny, huge and odd lengths on views of every kind as a program may, while fingers turn pages, scroll,
/// step and type: nothing traps, no offset and no value leaves the numbers, a picture costs a bounded number
/// of texts and parts, and everything comes to rest. A seed names a sequence for ever.
public struct LengthFuzzer {
  private var random: RandomSource
  private let window = Window(size: Size(width: 300, height: 300))
  private let dispatcher: Dispatcher
  private let pages = PagesView(id: "pages", frame: LocalRect(x: 0, y: 0, width: 300, height: 300))
  private var views: [View] = []
  private var series: [Series] = []
  /// Paints the window, and says how many texts and parts that took.
  private let paint: ((Window) -> Int)?
  private var time = Timestamp.zero
  private var finger: WindowPoint?
  private var contact = 0
  private var fault: String?
  private var changes = 0
  private var turns = 0

  /// What came of a sequence.
  public struct Result {
    /// The first thing that was wrong.
    public var fault: String?
    /// How many properties were set.
    public var changes: Int
    /// How often a page was turned.
    public var turns: Int
  }

  /// How many texts and parts a picture of one view may cost on a display of 300×300 pixels: a chart has a
  /// column for each pixel of the diagonal, with some beside the display, and a picker three wheels with 200
  /// rows each.
  private static let mostWorkOfView = 2000

  /// Plays the sequence of a seed.
  ///
  /// - Parameter paint: paints the window on a display of 300×300 pixels, and returns how many texts and
  ///   parts that took; nil for a sequence that nothing is seen of.
  public static func run(seed: UInt64, paint: ((Window) -> Int)? = nil) -> Result {
    var fuzzer = LengthFuzzer(seed: seed, paint)
    return fuzzer.run()
  }

  private init(seed: UInt64, _ paint: ((Window) -> Int)?) {
    random = RandomSource(seed: seed)
    self.paint = paint
    dispatcher = Dispatcher(window: window)
  }

  private mutating func run() -> Result {
    makeTree()
    for _ in 0..<number(in: 10...60) where fault == nil {
      switch number(in: 0...10) {
      case 0, 1, 2: change()
      case 10:
        note()
        if random.oneIn(2) { show() }
      case 3: turn()
      case 4: wheel()
      case 5: pass(microseconds: number(in: 0...900_000))
      default: moveFinger()
      }
      check()
    }
    if let finger { play(.ended, at: finger) }
    dispatcher.cancelAllTouches(at: time)
    show()
    // A caret blinks for as long as a field is edited.
    window.endEditing(true)
    comeToRest()
    return Result(fault: fault, changes: changes, turns: turns)
  }

  // MARK: The tree

  private mutating func makeTree() {
    window.addSubview(pages)
    pages.slideAxis = random.oneIn(4) ? .vertical : .horizontal
    pages.showsIndicator = random.oneIn(3)
    for page in 0..<3 {
      let scrollView = ScrollView(
        id: "scroll\(page)", frame: LocalRect(x: 0, y: 0, width: 300, height: 300))
      scrollView.scrolling.contentSize = Size(width: 300, height: 900)
      scrollView.scrolling.isPaging = random.oneIn(3)
      scrollView.scrolling.bounces = !random.oneIn(3)
      scrollView.scrolling.cancelsTouches = random.oneIn(2) ? .always : .auto
      pages.addSubview(scrollView)
      views.append(scrollView)
      for (index, control) in controls(page).enumerated() {
        control.layoutRect = LocalRect(x: 20, y: Double(index) * 60, width: 260, height: 50)
        scrollView.addSubview(control)
        views.append(control)
      }
    }
    views.append(pages)
    let keyboard = KeyboardView(id: "keyboard", frame: LocalRect(x: 0, y: 200, width: 300, height: 100))
    keyboard.isAlways = random.oneIn(2)
    window.addSubview(keyboard)
    views.append(keyboard)
  }

  private mutating func controls(_ page: Int) -> [View] {
    let segmented = SegmentedControl(id: "segmented\(page)")
    segmented.segments = ["a", "b", "c"]
    let list = ListView(id: "list\(page)")
    list.rows = (0..<20).map { "\($0)" }
    let nested = ScrollView(id: "nested\(page)")
    nested.scrolling.contentSize = Size(width: 600, height: 400)
    return shown(page) + [
      Slider(id: "slider\(page)"), Stepper(id: "stepper\(page)"), Switch(id: "switch\(page)"), segmented,
      list,
      nested, StackView(id: "stack\(page)"),
    ]
  }

  /// What shows a text or a value.
  private mutating func shown(_ page: Int) -> [View] {
    let chart = ChartView(id: "chart\(page)")
    chart.style = ChartView.Style.allCases.randomElement(using: &random) ?? .line
    let kept = Series(seconds: 60)
    chart.series = [kept]
    series.append(kept)
    let field = TextField(id: "field\(page)")
    field.text = "a text in a field"
    let label = Label(id: "label\(page)")
    label.text = "a text of several words"
    label.textStyle.lines = 0
    let button = Button(id: "button\(page)")
    button.text = "OK"
    let picker = PickerView(id: "picker\(page)")
    picker.mode = PickerView.Mode.allCases.randomElement(using: &random) ?? .number
    picker.rows = (0..<500).map { "\($0)" }
    return [
      chart, field, label, button, picker, Gauge(id: "gauge\(page)"), ProgressView(id: "progress\(page)"),
      ImageView(id: "image\(page)"),
    ]
  }

  // MARK: What a program does

  private static let lengths: [Double] = [
    0, .leastNonzeroMagnitude, 1e-300, 1e-17, 1e-9, 0.1, 1.0 / 3, 1, 7, 100, 299.999, 300, 1e4, 1e7,
    9_999_999.5,
  ]

  private mutating func length() -> PropertyValue { .number(Self.lengths.randomElement(using: &random) ?? 0) }
  private mutating func place() -> PropertyValue {
    let length = Self.lengths.randomElement(using: &random) ?? 0
    return .number(random.oneIn(3) ? -length : length)
  }

  private static let values: [Double] = [
    -1e308, 1e308, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 0, 1, 1 + 1e-15, 1e16, 1e16 + 2, -1e300,
    1e-300, 20, 21, .nan, .infinity,
  ]

  /// Notes a value for a chart.
  private mutating func note() {
    time.microseconds += Int64(number(in: 0...20_000_000))
    let value = Self.values.randomElement(using: &random) ?? 0
    series.randomElement(using: &random)?.append(value, at: time)
  }

  /// Has the window painted.
  private mutating func show() {
    guard let paint else { return }
    window.layoutIfNeeded()
    let work = paint(window)
    if work > Self.mostWorkOfView * views.count { fail("a picture took \(work) texts and parts") }
  }

  /// Properties that are only seen.
  private mutating func look() -> (String, PropertyValue) {
    func map(_ key: String, _ value: PropertyValue) -> PropertyValue {
      .map([PropertyValue.Entry(key: key, value: value)])
    }
    switch number(in: 0...8) {
    case 0: return ("font", map("size", length()))
    case 1: return ("font", map("letter_spacing", place()))
    case 2: return ("font", map("line_height", length()))
    case 3: return ("seconds", length())
    case 4: return ("corner_radius", length())
    case 5:
      return (
        "border",
        .map([
          PropertyValue.Entry(key: "color", value: .text("#ff0000")),
          PropertyValue.Entry(key: "width", value: length()),
        ])
      )
    case 6:
      return (
        "shadow",
        .map([
          PropertyValue.Entry(key: "blur", value: length()),
          PropertyValue.Entry(key: "spread", value: place()),
          PropertyValue.Entry(key: "offset", value: .list([place(), place()])),
        ])
      )
    case 7: return ("text", .text("another text"))
    default: return ("background", .text("linear-gradient(red, blue)"))
    }
  }

  private mutating func change() {
    guard let view = views.randomElement(using: &random) else { return }
    let entry: (String, PropertyValue) =
      // Where pages rest is their own affair.
      switch view === pages ? 0 : number(in: 0...12) {
      case 0, 1, 2: ("frame", .list([place(), place(), length(), length()]))
      case 3: ("bounds_origin", .list([place(), place()]))
      case 4: ("transform", .list([place(), place(), place(), place(), place(), place()]))
      case 5: ("content", .list([length(), length()]))
      case 6: ("value", place())
      case 7: ("minimum", place())
      case 8: ("maximum", place())
      case 9, 10, 11: look()
      default: ("step", length())
      }
    if entry.0 == "step" {
      guard let control = view as? ValueControl, let value = control.controlValue,
        case .number(let step) = entry.1
      else { return }
      control.controlValue = ControlValue(
        value.number, minimum: value.minimum, maximum: value.maximum, step: step)
      changes += 1
      return
    }
    // What the view does not have is refused.
    if (try? view.set([PropertyValue.Entry(key: entry.0, value: entry.1)])) != nil { changes += 1 }
    if random.oneIn(8), let list = view as? ListView, case .number(let height) = length() {
      list.rowHeight = height
    }
  }

  private mutating func turn() {
    turns += 1
    try? pages.show(random.oneIn(2) ? .next : .previous)
  }

  // MARK: What fingers do

  private mutating func wheel() {
    let change = PointerChange(
      kind: .wheel(x: 0, y: random.oneIn(2) ? 1 : -1), device: DeviceID(rawValue: 2),
      location: WindowPoint(x: 150, y: 150))
    PointerDispatcher(window: window).dispatch([change], at: time)
  }

  private mutating func moveFinger() {
    let place = WindowPoint(x: .random(in: 0..<300, using: &random), y: .random(in: 0..<300, using: &random))
    if finger == nil {
      contact += 1
      play(.began, at: place)
      finger = place
    } else if random.oneIn(3) {
      play(random.oneIn(5) ? .cancelled : .ended, at: place)
      finger = nil
    } else {
      play(.moved, at: place)
      dispatcher.flush()
      finger = place
    }
  }

  private mutating func play(_ kind: ContactChange.Kind, at place: WindowPoint) {
    time.microseconds += 8000
    let contact = ContactID(device: DeviceID(rawValue: 1), serial: contact)
    dispatcher.dispatch([TouchChange(contact: contact, kind: kind, location: place)], at: time)
  }

  private mutating func pass(microseconds: Int) {
    time.microseconds += Int64(microseconds)
    dispatcher.advance(to: time)
  }

  private mutating func comeToRest() {
    // Longer than the longest way takes: from where a scale of 1e-300 put an offset, it is over a minute.
    for _ in 0..<100_000 {
      guard let due = dispatcher.deadline else { break }
      time = max(time, due)
      dispatcher.advance(to: due)
    }
    window.layoutIfNeeded()
    check()
    if dispatcher.deadline != nil { fail("something never comes to rest") }
    if pages.isDragging || pages.isDecelerating { fail("the pages do not rest") }
    if pages.bounds.origin != .zero, !pages.isDragging { fail("the pages rest between two pages") }
  }

  // MARK: Rules

  private mutating func fail(_ what: String) {
    if fault == nil { fault = what }
  }

  private mutating func check() {
    for view in views {
      if let scrollView = view as? ScrollView, !scrollView.contentOffset.isFinite {
        fail("\(view.id) has the offset \(scrollView.contentOffset)")
      }
      if let value = (view as? ValueControl)?.controlValue,
        !(value.number >= value.minimum && value.number <= value.maximum && value.number.isFinite)
      {
        fail("\(view.id) has the value \(value)")
      }
    }
    if pages.page == nil { fail("no page is shown") }
  }

  private mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
}
