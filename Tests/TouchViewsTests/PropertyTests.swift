import StageSupport
import Testing
import TouchCore
import TouchViews

/// One view of each kind, and a window that collects what must be drawn again.
private struct Tree {
  let window = Window(size: Size(width: 400, height: 400))
  let plain = View(id: "plain", frame: LocalRect(x: 0, y: 0, width: 50, height: 50))
  let button = Button(id: "button", frame: LocalRect(x: 0, y: 60, width: 50, height: 50))
  let label = Label(id: "label", frame: LocalRect(x: 0, y: 120, width: 50, height: 50))
  let image = ImageView(id: "image", frame: LocalRect(x: 0, y: 180, width: 50, height: 50))
  let dial = Control(id: "dial", frame: LocalRect(x: 0, y: 240, width: 50, height: 50))
  let heating = Switch(id: "heating", frame: LocalRect(x: 0, y: 300, width: 50, height: 50))
  let pages = PagesView(id: "pages", frame: LocalRect(x: 100, y: 0, width: 300, height: 400))
  let stack = StackView(id: "stack", frame: LocalRect(x: 0, y: 300, width: 100, height: 50))
  let fan = SegmentedControl(id: "fan", frame: LocalRect(x: 0, y: 400, width: 100, height: 32))
  let scroll = ScrollView(id: "scroll", frame: LocalRect(x: 0, y: 350, width: 100, height: 50))
  let list = ListView(id: "list", frame: LocalRect(x: 0, y: 0, width: 100, height: 500))
  let sheet = SheetView(id: "sheet")
  let field = TextField(id: "field", frame: LocalRect(x: 0, y: 450, width: 100, height: 44))
  let chart = ChartView(id: "chart", frame: LocalRect(x: 0, y: 0, width: 50, height: 50))
  let spinner = Spinner(id: "spinner", frame: LocalRect(x: 0, y: 0, width: 20, height: 20))

  init() {
    for view in [
      plain, button, label, image, dial, heating, pages, stack, fan, scroll, chart, field, spinner,
    ] {
      window.addSubview(view)
    }
    window.addSubview(SheetBackdrop(of: sheet, over: plain))
    scroll.scrolling.maximumZoom = 4
    scroll.addSubview(list)
    window.layoutIfNeeded()
    for id in ["home", "settings", "about"] {
      pages.addSubview(View(id: id, frame: LocalRect(x: 0, y: 0, width: 300, height: 400)))
    }
    dial.controlValue = ControlValue(20, minimum: 5, maximum: 30, step: 0.5)
    window.damage.removeAll()
  }

  func view(_ id: String) -> View {
    ([
      window, plain, button, label, image, dial, heating, pages, stack, fan, scroll, list, sheet, chart,
      field, spinner,
    ]
      + pages.subviews)
      .first { $0.id == id } ?? plain
  }
}

@Suite struct PropertyTests {
  private let tree = Tree()

  struct Row: CustomTestStringConvertible {
    var view: String
    var key: String
    var text: String
    /// The same as JSON has it.
    var typed: PropertyValue
    /// What the property is then, if that looks different.
    var result: PropertyValue?

    init(
      _ view: String, _ key: String, _ text: String, _ typed: PropertyValue, _ result: PropertyValue? = nil
    ) {
      (self.view, self.key, self.text, self.typed, self.result) = (view, key, text, typed, result)
    }

    var testDescription: String { "\(view) \(key)=\(text)" }
  }

  private static func numbers(_ numbers: Double...) -> PropertyValue { .list(numbers.map { .number($0) }) }

  static let rows: [Row] = [
    Row("plain", "frame", "10, 20,30,40.5", numbers(10, 20, 30, 40.5)),
    Row("plain", "frame", "[10, 20, 30, 40]", numbers(10, 20, 30, 40)),
    Row("window", "bounds_origin", "0,-7", numbers(0, -7)),
    Row("plain", "transform", "2,0,0,2,5,6", numbers(2, 0, 0, 2, 5, 6)),
    Row(
      "plain", "transform.rotate", "90", .map([.init(key: "rotate", value: .number(90))]),
      numbers(0, 1, -1, 0, 0, 0)),
    Row(
      "plain", "transform.scale", "2,3", .map([.init(key: "scale", value: numbers(2, 3))]),
      numbers(2, 0, 0, 3, 0, 0)),
    Row("plain", "alpha", "0.5", .number(0.5)),
    Row("plain", "hidden", "true", .flag(true)),
    Row("plain", "focusable", "true", .flag(true)),
    Row("plain", "user_interaction", "false", .flag(false)),
    Row("button", "enabled", "false", .flag(false)),
    Row("dial", "selected", "true", .flag(true)),
    Row("plain", "label", "Warmer", .text("Warmer")),
    Row("plain", "hint", "Makes it warmer", .text("Makes it warmer")),
    Row("plain", "background", "#01020304", .text("#01020304")),
    Row("plain", "corner_radius", "4", .number(4)),
    Row(
      "plain", "border.color", "#ff0000", .map([.init(key: "color", value: .text("#ff0000"))]),
      .map([.init(key: "color", value: .text("#ff0000")), .init(key: "width", value: .number(1))])),
    Row(
      "plain", "corner_radius", "[4, 0, 8, 2]", .list([4, 0, 8, 2].map { .number($0) })),
    Row(
      "plain", "background", "linear-gradient(90deg, #010203, red 25%, #fff)",
      .map([
        .init(
          key: "gradient", value: .list(["#010203 0%", "#ff0000 25%", "#ffffff 100%"].map { .text($0) })),
        .init(key: "angle", value: .number(90)),
      ])),
    Row(
      "plain", "background", "radial-gradient(at 50% 0%, #010203, #fff0)",
      .map([
        .init(key: "gradient", value: .list(["#010203", "#ffffff00"].map { .text($0) })),
        .init(key: "kind", value: .text("radial")),
        .init(key: "center", value: .list([.number(0.5), .number(0)])),
        .init(key: "radius", value: .number(1)),
      ])),
    Row(
      "plain", "shadow.blur", "12", .map([.init(key: "blur", value: .number(12))]),
      .map([
        .init(key: "color", value: .text("#00000080")), .init(key: "blur", value: .number(12)),
        .init(key: "offset", value: .list([.number(0), .number(4)])), .init(key: "spread", value: .number(0)),
      ])),
    Row("button", "text", "a b", .text("a b")),
    Row("label", "text", "21.5", .number(21.5), .text("21.5")),
    Row("image", "image", "logo.png", .text("logo.png"), image("logo.png", "fit")),
    Row("button", "detail", "a b", .text("a b")),
    Row("button", "icon", "plus", .text("plus"), icon("plus")),
    Row("fan", "icons", "[plus, minus]", .list([.text("plus"), .text("minus")])),
    Row(
      "dial", "states.pressed", "#123456", .map([.init(key: "pressed", value: .text("#123456"))]),
      pressed("#123456")),
    Row("image", "image.mode", "fill", .map([.init(key: "mode", value: .text("fill"))]), .null),
    Row("plain", "z", "-3", .number(-3)),
    Row("dial", "value", "21.3", .number(21.3), .number(21.5)),
    Row("dial", "value", "1000", .number(1000), .number(30)),
    Row("dial", "minimum", "10", .number(10)),
    Row("dial", "maximum", "3", .number(3)),
    Row("heating", "value", "true", .flag(true)),
    Row("heating", "tint", "#102030", .text("#102030")),
    Row("pages", "page", "settings", .text("settings")),
    Row("pages", "indicator", "true", .flag(true)),
    Row("pages", "slide", "vertical", .text("vertical")),
    Row("pages", "slide", "true", .flag(true), .text("horizontal")),
    Row("pages", "slide", "false", .flag(false)),
    Row("pages", "slide", "none", .null, .flag(false)),
    Row("chart", "chart", "area", .text("area")),
    Row("chart", "grid", "true", .flag(true)),
    Row("spinner", "animating", "false", .flag(false)),
    Row("spinner", "tint", "#00ff00", .text("#00ff00")),
    Row("chart", "seconds", "3600", .number(3600)),
    Row("chart", "maximum", "none", .null),
    Row("sheet", "presented", "true", .flag(true)),
    Row("field", "placeholder", "Name", .text("Name")),
    Row("field", "text", "Zoë", .text("Zoë")),
    Row("field", "editing", "true", .flag(true)),
    Row("plain", "spacing_after", "12", .number(12)),
    Row("plain", "spacing_after", "none", .null),
    Row("plain", "size", "40, none", .list([.number(40), .null])),
    Row("stack", "axis", "vertical", .text("vertical")),
    Row("stack", "spacing", "4", .number(4)),
    Row("stack", "insets", "8", .number(8), numbers(8, 8, 8, 8)),
    Row("stack", "insets", "1,2,3,4", numbers(1, 2, 3, 4)),
    Row("stack", "distribution", "fill_equally", .text("fill_equally")),
    Row("stack", "alignment", "center", .text("center")),
    Row("stack", "columns", "3", .number(3)),
    Row("fan", "segments", "[Off, 1, High]", .list([.text("Off"), .number(1), .text("High")]), offToHigh),
    Row("scroll", "zoom", "2", .number(2)),
    Row("scroll", "content", "300, 400", numbers(300, 400)),
    Row("scroll", "content", "none", .null),
    Row("scroll", "bounds_origin", "0, 20", numbers(0, 20)),
    Row("list", "rows", "[\"a, b\", \"c\\\"d\" , e f]", .list([.text("a, b"), .text("c\"d"), .text("e f")])),
    Row("list", "rows", "a, b ,,c", .list([.text("a"), .text("b"), .text(""), .text("c")])),
    Row("list", "rows", "[]", .list([])),
    Row("list", "headers", "[One, Two]", .list([.text("One"), .text("Two")])),
    Row("list", "footers", "[\"\", Two]", .list([.text(""), .text("Two")])),
    Row("list", "leading_actions", "[Pin]", .list([.text("Pin")])),
    Row("list", "trailing_actions", "[Delete, Archive]", .list([.text("Delete"), .text("Archive")])),
    Row("list", "destructive_actions", "[Delete]", .list([.text("Delete")])),
  ]

  private static let offToHigh = PropertyValue.list(["Off", "1", "High"].map { .text($0) })

  private static func image(_ path: String, _ mode: String) -> PropertyValue {
    .map([
      .init(key: "path", value: .text(path)), .init(key: "mode", value: .text(mode)),
      .init(key: "slice", value: .null), .init(key: "follow", value: .flag(false)),
    ])
  }

  private static func icon(_ name: String) -> PropertyValue {
    .map([
      .init(key: "name", value: .text(name)), .init(key: "path", value: .null),
      .init(key: "size", value: .null),
      .init(key: "place", value: .text("left")), .init(key: "color", value: .null),
    ])
  }

  private static func pressed(_ color: String) -> PropertyValue {
    let others = ["pressed_text", "selected", "selected_text", "disabled", "disabled_text"]
    return .map(
      [.init(key: "pressed", value: .text(color))] + others.map { .init(key: $0, value: .null) }
        + [.init(key: "fade", value: .number(0))])
  }

  @Test(arguments: rows)
  func
    `a property is set by its name, from a text or a typed value, and what is so already is not drawn again`(
      row: Row
    ) throws
  {
    let view = tree.view(row.view)
    let name = row.key.split(separator: ".").first.map(String.init) ?? ""
    let property = try #require(ViewProperty.named(name, of: view.kind))
    try view.set([.init(key: row.key, value: .text(row.text))], isText: true)
    #expect(property.value(of: view) == row.result ?? row.typed)
    tree.window.damage.removeAll()
    try view.set([.init(key: name, value: row.typed)])
    #expect(property.value(of: view) == row.result ?? row.typed)
    // The same path may be another picture now.
    let isDrawnAgain = property == .image
    #expect(tree.window.damage.isEmpty || isDrawnAgain)
    if let now = property.value(of: view) { try view.set([.init(key: name, value: now)]) }
    #expect(tree.window.damage.isEmpty || isDrawnAgain)
  }

  /// Bindings compare the counter first. A property without it has to say so: `uncounted`.
  @Test(arguments: rows)
  func `a change of a property grows its view's counter`(row: Row) throws {
    let view = tree.view(row.view)
    let name = row.key.split(separator: ".").first.map(String.init) ?? ""
    let property = try #require(ViewProperty.named(name, of: view.kind))
    let (before, count) = (property.value(of: view), view.changes)
    try view.set([.init(key: row.key, value: .text(row.text))], isText: true)
    if property.isCounted, property.value(of: view) != before { #expect(view.changes != count) }
  }

  @Test func `every property has a row`() {
    let names = Set(Self.rows.compactMap { $0.key.split(separator: ".").first.map(String.init) })
    // Fonts have a test of their own, and `IdleDisplayTests` and `ExplorationTests` have those of windows.
    let tested = Set(ViewProperty.settable.map(\.name))
    #expect(names == tested.subtracting(["font", "detail_font", "backlight", "blank", "touch_exploration"]))
  }

  @Test func `each part of a font is set by itself`() throws {
    for (key, text) in [
      ("family", "serif"), ("size", "30"), ("weight", "bold"), ("color", "#ff0000"), ("align", "right"),
      ("valign", "top"), ("lines", "2"),
    ] {
      try tree.label.set([.init(key: "font.\(key)", value: .text(text))], isText: true)
    }
    var style = TextStyle(alignment: .right)
    (style.family, style.size, style.weight) = ("serif", 30, .bold)
    style.color = Color(red: 255, green: 0, blue: 0)
    (style.verticalAlignment, style.lines) = (.top, 2)
    #expect(tree.label.textStyle == style)
    #expect(tree.window.damage.rects == [tree.label.windowFrame])
    tree.window.damage.removeAll()
    let now = try #require(ViewProperty.font.value(of: tree.label))
    try tree.label.set([.init(key: "font", value: now)])
    #expect(tree.window.damage.isEmpty)
    try tree.label.set([.init(key: "font", value: .map([.init(key: "size", value: .number(8))]))])
    #expect(tree.label.textStyle.size == 8 && tree.label.textStyle.family == "serif")
  }

  @Test func `segments have a text, and the value is set after them`() throws {
    try tree.fan.set([
      .init(key: "value", value: .number(2)),
      .init(key: "segments", value: .list(["Off", "Low", "High"].map { .text($0) })),
    ])
    #expect(tree.fan.selectedIndex == 2)
    try tree.fan.set([.init(key: "segments", value: .list([.text("Off"), .text("On")]))])
    #expect(tree.fan.selectedIndex == 1)
    for wrong in [PropertyValue.list([]), .null, .text("Off"), .list([.list([])])] {
      #expect(throws: PropertyError.self) { try tree.fan.set([.init(key: "segments", value: wrong)]) }
    }
    #expect(tree.fan.segments == ["Off", "On"])
  }

  @Test func `null takes away what can be absent`() throws {
    let view = tree.plain
    try view.set(
      [("background", "#ffffff"), ("border.color", "#ffffff"), ("transform.rotate", "30")].map {
        .init(key: $0.0, value: .text($0.1))
      }, isText: true)
    try view.set(["background", "border", "transform"].map { .init(key: $0, value: .null) })
    #expect(view.appearance == Appearance() && view.transform == .identity)
    try tree.image.set([.init(key: "image", value: .text("a.png"))])
    try tree.image.set([.init(key: "image", value: .null)])
    #expect(tree.image.path == "")
    try tree.stack.set([.init(key: "columns", value: .number(2))])
    try tree.stack.set([.init(key: "columns", value: .null)])
    #expect(tree.stack.arrangement.columns == nil)
  }

  @Test(arguments: [
    ("plain", "hidden", "yes", "view plain: hidden cannot be \"yes\"; give true or false"),
    ("plain", "hidden", "", "view plain: hidden cannot be \"\"; give true or false"),
    (
      "plain", "user_interaction", "True",
      "view plain: user_interaction cannot be \"True\"; give true or false"
    ),
    ("plain", "alpha", "nan", "view plain: alpha cannot be \"nan\"; give a number from 0 to 1"),
    ("plain", "alpha", "1.1", "view plain: alpha cannot be \"1.1\"; give a number from 0 to 1"),
    ("plain", "alpha", " 1", "view plain: alpha cannot be \" 1\"; give a number from 0 to 1"),
    (
      "plain", "background", "redd",
      "view plain: background cannot be \"redd\"; give a colour; did you mean red?"
    ),
    ("plain", "frame", "1,2,3", "view plain: frame cannot be \"1,2,3\"; give [x, y, width, height]"),
    (
      "plain", "frame", "1,2,-3,4",
      "view plain: width in frame cannot be \"-3\"; give a number from 0 to 10000000"
    ),
    (
      "plain", "transform", "east",
      "view plain: transform cannot be \"east\"; give [a, b, c, d, tx, ty] or {rotate: ..., scale: ..., translate: ...}"
    ),
    ("plain", "border", "1", "view plain: border cannot be \"1\"; give {color: ..., width: ...} or none"),
    (
      "plain", "border.width", "3",
      "view plain: border is not set; give it a color too: {color: \"#ffffff\", width: 2}"
    ),
    ("plain", "border.style", "dashed", "view plain: no \"border.style\" can be set; there are color, width"),
    (
      "label", "font.size", "0", "view label: font.size cannot be \"0\"; give a number above 0, up to 1000"
    ),
    (
      "label", "font.align", "middle",
      "view label: font.align cannot be \"middle\"; give left, center or right"
    ),
    ("plain", "enabled", "true", "view plain: has no property enabled; only controls and buttons have"),
    (
      "plain", "text", "x",
      "view plain: has no property text; only labels, buttons, text fields, text views and QR codes have"
    ),
    ("label", "value", "1", "view label: has no property value; only controls with a value have"),
    ("button", "value", "1", "view button: has no property value; only controls with a value have"),
    ("window", "frame", "0,0,1,1", "view window: has no property frame; only views inside the window have"),
    (
      "pages", "page", "setings",
      "view pages: page cannot be \"setings\"; give the id of one of its subviews: home, settings, about"
    ),
    (
      "stack", "insets", "1,2",
      "view stack: insets cannot be \"1,2\"; give [top, left, bottom, right] or one number for all of them"
    ),
    (
      "stack", "columns", "0",
      "view stack: columns cannot be \"0\"; give a whole number from 1 to 100, or none"
    ),
    (
      "pages", "slide", "auto",
      "view pages: slide cannot be \"auto\"; give false, true, horizontal or vertical"
    ),
    (
      "stack", "segments", "a", "view stack: has no property segments; only segmented controls have"
    ),
    (
      "plain", "Hidden", "true",
      "view plain: no property \"Hidden\" can be set; did you mean \"hidden\"?"
    ),
    ("label", "txt", "x", "view label: no property \"txt\" can be set; did you mean \"text\"?"),
    ("plain", "opacity", "1", "view plain: no property \"opacity\" can be set; did you mean \"alpha\"?"),
    (
      "plain", "visible", "true",
      "view plain: no property \"visible\" can be set; did you mean \"hidden\", which is the opposite?"
    ),
    (
      "label", "font_size", "9",
      "view label: no property \"font_size\" can be set; did you mean \"font.size\"?"
    ),
    (
      "label", "color", "red",
      "view label: no property \"color\" can be set; did you mean \"background\" or \"font.color\"?"
    ),
    ("plain", "color", "red", "view plain: no property \"color\" can be set; did you mean \"background\"?"),
    (
      "plain", "blink", "1",
      "view plain: no property \"blink\" can be set; there are frame, bounds_origin, transform, alpha, hidden, "
        + "user_interaction, focusable, label, hint, background, corner_radius, border, shadow, z, size, spacing_after"
    ),
  ])
  func `an invalid value changes nothing, not even what is set with it`(
    id: String, key: String, value: String, message: String
  ) {
    let view = tree.view(id)
    let error = #expect(throws: PropertyError.self) {
      try view.set(
        [.init(key: "alpha", value: .text("0.25")), .init(key: key, value: .text(value))], isText: true)
    }
    #expect(error?.description == message)
    #expect(view.alpha == 1)
    #expect(tree.window.damage.isEmpty)
  }

  @Test(arguments: [
    ("alpha", PropertyValue.text("0.5"), "alpha cannot be \"0.5\"; give a number from 0 to 1"),
    ("hidden", .text("true"), "hidden cannot be \"true\"; give true or false"),
    ("hidden", .number(1), "hidden cannot be 1; give true or false"),
    ("frame", .text("1,2,3,4"), "frame cannot be \"1,2,3,4\"; give [x, y, width, height]"),
    (
      "frame", .list([.number(1), .flag(true), .number(3), .number(4)]),
      "y in frame cannot be true; give a number from -10000000 to 10000000"
    ),
    (
      "background", .text("#12"),
      "background cannot be \"#12\"; give a colour such as \"#0a84ff\", or its CSS name, such as orange, or a gradient, or none"
    ),
    ("background", .text("rgb(1,2,3)"), "background cannot be \"rgb(1,2,3)\"; give #010203"),
    (
      "background", .text("rgba(1 2 3 / 50%)"),
      "background cannot be \"rgba(1 2 3 / 50%)\"; give #01020380"
    ),
    (
      "background", .text("hsl(120 50% 50%)"),
      "background cannot be \"hsl(120 50% 50%)\"; give a colour such as \"#0a84ff\", or its CSS name, such as orange, or a gradient, or none"
    ),
    (
      "background", .text("linear-gradient(red)"),
      "background cannot be \"linear-gradient(red)\"; give a gradient such as \"linear-gradient(90deg, #1b2834, #0d141b)\", or none"
    ),
    ("border", .list([]), "border cannot be []; give {color: ..., width: ...} or none"),
    (
      "transform", .map([.init(key: "rotate", value: .map([]))]),
      "transform.rotate cannot be {}; give a number from -10000000 to 10000000"
    ),
  ])
  func `a typed value is not read as a text`(key: String, value: PropertyValue, message: String) {
    let error = #expect(throws: PropertyError.self) { try tree.plain.set([.init(key: key, value: value)]) }
    #expect(error?.description == "view plain: " + message)
  }

  @Test func `any number of changes in a turn is one rectangle to paint`() throws {
    for number in 0..<10_000 {
      try tree.label.set([.init(key: "text", value: .number(Double(number)))])
    }
    #expect(tree.label.text == "9999")
    #expect(tree.window.damage.rects == [tree.label.windowFrame])
  }

  @Test func `what cannot be seen is not drawn when it changes, and is when it is shown`() throws {
    let hidden = tree.pages.subviews[1]
    let label = Label(id: "inside", frame: LocalRect(x: 10, y: 10, width: 20, height: 20))
    hidden.addSubview(label)
    tree.window.damage.removeAll()
    try label.set([.init(key: "text", value: .text("21°"))])
    hidden.appearance.background = Color(red: 1, green: 2, blue: 3)
    hidden.isHidden = true
    hidden.isHidden = false
    #expect(tree.window.damage.isEmpty)
    tree.pages.page = hidden
    #expect(tree.window.damage.rects == [tree.pages.windowFrame])
  }
}

@Suite struct ControlValueTests {
  @Test(
    arguments: [
      (ControlValue(21.26, minimum: 5, maximum: 30, step: 0.5), 21.5, "21.5"),
      (ControlValue(21, minimum: 5, maximum: 30, step: 0.5), 21, "21.0"),
      (ControlValue(0.4, step: 0.05), 0.4, "0.40"),
      (ControlValue(7, maximum: 100, step: 1), 7, "7"),
      (ControlValue(-1.25, minimum: -2, maximum: 2, step: 0.25), -1.25, "-1.25"),
      (ControlValue(-0.001, minimum: -2, maximum: 2), -0.001, "0.00"),
      (ControlValue(2, minimum: 0.5, maximum: 5, step: 1), 2.5, "2.5"),
      (ControlValue(9, maximum: 10, step: 4), 8, "8"),
      (ControlValue(10, maximum: 10, step: 4), 10, "10"),
      (ControlValue(99), 1, "1.00"), (ControlValue(-99), 0, "0.00"), (ControlValue(.nan), 0, "0.00"),
      (ControlValue(1.0 / 3), 1.0 / 3, "0.33"), (ControlValue(3, maximum: 2e17, step: 1e15), 0, "0"),
      (ControlValue(5, minimum: 7, maximum: 3), 7, "7.00"),
    ] as [(ControlValue, Double, String)])
  func `it is within its limits, on a step, and shown with the decimals of the step`(
    value: ControlValue, number: Double, text: String
  ) {
    #expect(value.number == number)
    #expect(value.text == text)
  }

  @Test func `setting it reports the change once, and sends no action`() {
    let stage = Stage()
    let dial = stage.add(Dial(id: "dial", frame: LocalRect(x: 0, y: 0, width: 100, height: 100)))
    let watcher = ValueWatcher()
    stage.dispatcher.observer = watcher
    dial.controlValue?.number = 20
    dial.controlValue?.number = 20.1
    #expect(watcher.lines == ["dial 20"])
    stage.drag([(50, 50), (70, 50)])
    #expect(
      watcher.lines == [
        "dial 20", "dial.touchDown", "dial 70", "dial.valueChanged", "dial.touchDragInside",
        "dial.touchUpInside",
      ])
  }
}

/// A control whose value follows the finger.
private final class Dial: Control {
  override init(id: String, frame: LocalRect) {
    super.init(id: id, frame: frame)
    controlValue = ControlValue(0, maximum: 100, step: 1)
  }

  override func touchesMoved(_ touches: [Touch], with event: Event) -> Disposition {
    controlValue?.number = touches[0].location(in: self).x
    send(.valueChanged, touches[0], event)
    return super.touchesMoved(touches, with: event)
  }
}

/// Notes values, pages and what controls send.
final class ValueWatcher: DispatchObserver {
  private(set) var lines: [String] = []

  func observe(_ step: DispatchStep) {
    switch step.viewStep {
    case .value(let control): lines.append("\(control.id) \(control.controlValue?.text ?? "nothing")")
    case .page(let pages): lines.append("\(pages.id) \(pages.page?.id ?? "nothing")")
    case .control(let control, let action, _): lines.append("\(control.id).\(action.rawValue)")
    case .text, .sheet, .scroll, nil: break
    }
  }

  // MARK: Another view in its place

  /// What the old file says, what was set, what the new file says, and what the new view is.
  @Test(
    arguments: [
      ("alpha", 1, .number(0.5), 1, .number(0.5)),
      ("alpha", 1, .number(0.5), 0.25, .number(0.25)),
      ("alpha", 1, .number(1), 0.25, .number(0.25)),
      ("alpha", 0.5, .number(1), 0.5, .number(1)),
      ("border", 1, .null, 1, .null),
      (
        "border", 1, .map([Self.entry("color", .text("#00ff00"))]), 2,
        .map([Self.entry("color", .text("#00ff00")), Self.entry("width", .number(2))])
      ),
      (
        "border", 1, .map([Self.entry("color", .text("#00ff00")), Self.entry("width", .number(3))]), 2,
        .map([Self.entry("color", .text("#00ff00")), Self.entry("width", .number(2))])
      ),
      (
        "frame", 1, .list([.number(1), .number(2), .number(3), .number(4)]), 1,
        .list([.number(1), .number(2), .number(3), .number(4)])
      ),
    ] as [(String, Double, PropertyValue, Double, PropertyValue)])
  func `a view that replaces another keeps what was set, unless it was made with another value`(
    key: String, old: Double, set: PropertyValue, new: Double, result: PropertyValue
  ) throws {
    func made(_ number: Double) -> View {
      let view = View(id: "a", frame: LocalRect(x: 0, y: 0, width: 9, height: 9))
      view.alpha = number
      view.appearance.border = Appearance.Border(color: Color(red: 255, green: 0, blue: 0), width: number)
      return view
    }
    let shown = made(old)
    try shown.set([PropertyValue.Entry(key: key, value: set)])
    let next = made(new)
    next.keepSettings(of: shown, madeAs: made(old))
    #expect(try ViewProperty.named(key).map { try #require($0.value(of: next)) } == result)
  }

  /// What is set before it is the value's turn decides what the value may be.
  @Test(arguments: [
    (minimum: 0.0, maximum: 100.0, value: 80.0), (minimum: -50, maximum: 1, value: -20),
    (minimum: 20, maximum: 30, value: 25), (minimum: -9, maximum: -5, value: -7),
  ])
  func `a control that replaces another keeps the value that was set, with the limits that allow it`(
    row: (minimum: Double, maximum: Double, value: Double)
  ) throws {
    let shown = Slider(id: "a", frame: LocalRect(x: 0, y: 0, width: 90, height: 9))
    for (key, number) in [("maximum", row.maximum), ("minimum", row.minimum), ("value", row.value)] {
      try shown.set([PropertyValue.Entry(key: key, value: .number(number))])
    }
    let (made, next) = (Slider(id: "a", frame: .zero), Slider(id: "a", frame: .zero))
    next.keepSettings(of: shown, madeAs: made)
    #expect(next.controlValue?.number == row.value)
    #expect(next.controlValue?.minimum == row.minimum && next.controlValue?.maximum == row.maximum)
  }

  private static func entry(_ key: String, _ value: PropertyValue) -> PropertyValue.Entry {
    PropertyValue.Entry(key: key, value: value)
  }

  @Test func `the name of an icon that is far too long has no suggestion, which would take long to find`() {
    #expect(IconNames.nearest(to: "wide light", among: ["light", "wide"]) == ["wide", "light"])
    #expect(
      IconNames.nearest(to: String(repeating: "wide ", count: 13) + "light", among: ["light", "wide"]) == [])
  }
}
