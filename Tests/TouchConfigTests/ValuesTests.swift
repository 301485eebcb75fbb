import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// What a right file means.
@Suite struct ValuesTests {
  @Test func `what a file leaves out has the documented default`() throws {
    let configuration = try parse("window:\n  subviews:\n    - frame: [1, 2, 3, 4]\n")
    #expect(configuration.display == DisplaySettings())
    #expect(configuration.display.device == "auto")
    #expect(configuration.display.canvasSize == nil)
    #expect(configuration.display.scale == .fit)
    #expect(configuration.display.background.hex == "#101418")
    #expect(configuration.display.console == .hide)
    #expect(configuration.input == Configuration.Input())
    #expect(configuration.highlight == HighlightStyle())
    #expect(configuration.window == Configuration.Window())
    #expect(configuration.handlers.isEmpty && configuration.applicationHandlers.isEmpty)
    let view = try #require(configuration.views.first)
    #expect(
      view
        == Configuration.View(
          id: "view-1", kind: .view, parent: nil, place: SourceLocation(line: 3, column: 7)
        )
        .with {
          $0.isNameless = true
          $0.settings = [setting("frame", LocalRect(x: 1, y: 2, width: 3, height: 4))]
        })
    let made = view.makeView()
    #expect(
      made.alpha == 1 && made.isUserInteractionEnabled && made.forwards && !made.isHidden
        && !made.clipsToBounds)
    #expect(configuration.warnings.isEmpty)
  }

  @Test func `the rest of the file is read`() throws {
    let configuration = try parse(
      """
      version: 1
      display: {device: /dev/fb1, rotation: 270, canvas: {size: [800, 480.5], scale: stretch},
        background: "#ffffff", console: keep}
      input:
        cursor: never
        devices:
          - match: {name: FT5*, phys: usb-1, uniq: 007, vendor: 0x0eef, product: 1, path: /dev/input/x}
            use: false
            calibration: [1, 2, 3, 4, 5, 6]
            rotation: 90
            output: [1, 2, 3, 4]
            grab: true
          - {calibration: null, output: ~}
      highlight: {view: {style: fill, color: "#00000080", width: 0}, touches: false}
      handlers:
        bell: {kind: plugin, path: libbell.so, config: {b: 1, a: [x, 2.5, ~]}}
        plain: {kind: plugin, path: ./plain.so, budget: 0.25}
        chime: {kind: exec, on: [began, cancelled], command: [sleep, 0.50, true, "", 0x10]}
        ding: {kind: exec, on: ended, command: [ding], timeout: 0.5}
        dong: {kind: exec, when: [pressed, touch_drag_exit], command: [dong], timeout: none}
      application: {handlers: [log, bell]}
      window: {id: root, handlers: [ding], fixed_target: b, passes: 2, subviews: [
        {id: a, frame: [0, 0, 9, 9], controller: {id: m, handlers: [bell], presented_by: n}},
        {id: b, frame: [0, 0, 9, 9], controller: {id: n}}]}
      """)
    #expect(configuration.display.device == "/dev/fb1")
    #expect(configuration.display.rotation == .threeQuarters)
    #expect(configuration.display.canvasSize == Size(width: 800, height: 480.5))
    #expect(configuration.display.scale == .stretch && configuration.display.console == .keep)
    #expect(configuration.display.background.hex == "#ffffff")
    #expect(configuration.input.cursor == .never && configuration.input.rules.count == 2)
    let rule = configuration.input.rules[0]
    #expect(rule.match.name == "FT5*" && rule.match.phys == "usb-1" && rule.match.uniq == "007")
    #expect(rule.match.vendor == 0x0eef && rule.match.product == 1 && rule.match.path == "/dev/input/x")
    #expect(rule.isUsed == false && rule.isGrabbed && rule.rotation == .quarter)
    #expect(rule.output == WindowRect(x: 1, y: 2, width: 3, height: 4))
    #expect(rule.place == SourceLocation(line: 7, column: 7))
    let calibrated: Point<NormalizedSpace> = try #require(rule.calibration)
      .map(Point<NormalizedSpace>(x: 10, y: 100))
    #expect(calibrated == Point(x: 1 * 10 + 2 * 100 + 3, y: 4 * 10 + 5 * 100 + 6), "libinput's order")
    #expect(
      configuration.input.rules[1] == DeviceRule(place: SourceLocation(line: 13, column: 7)))
    #expect(configuration.highlight.view.shape == .fill && configuration.highlight.view.width == 0)
    #expect(configuration.highlight.view.color.alpha == 0x80 && !configuration.highlight.touches.showsMarker)
    #expect(configuration.handlers.map(\.name) == ["bell", "plain", "chime", "ding", "dong"])
    #expect(
      configuration.handlers.map(\.kind) == [
        .plugin(path: "libbell.so", configJSON: #"{"b":1,"a":["x",2.5,null]}"#),
        .plugin(path: "./plain.so", configJSON: "{}", budget: 0.25),
        .exec(on: [.began, .cancelled], command: ["sleep", "0.50", "true", "", "0x10"], timeLimit: 10),
        .exec(on: [.ended], command: ["ding"], timeLimit: 0.5),
        .exec(on: [.pressed, .touchDragExit], command: ["dong"], timeLimit: nil),
      ])
    #expect(configuration.applicationHandlers == ["log", "bell"])
    #expect(configuration.window.id == "root" && configuration.window.handlers == ["ding"])
    #expect(configuration.window.fixedTarget == "b" && configuration.window.passes == 2)
    #expect(
      configuration.views[0].controller
        == Configuration.View.Controller(id: "m", handlers: ["bell"], presentedBy: "n"))
  }

  @Test(arguments: [
    ("42", "42"), ("1.50", "1.50"), ("true", "true"), ("\"null\"", "null"), ("a b", "a b"), ("''", ""),
    ("\"a\\nb\"", "a\nb"),
  ])
  func `Text that is only passed on is taken as it is written`(written: String, text: String) throws {
    #expect(try made("kind: label, text: \(written)", as: Label.self).text == text)
  }

  @Test(arguments: [
    ("[1, 2, 3, 4, 5, 6]", AffineTransform(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6)),
    ("{}", .identity), ("null", .identity), ("{scale: 2}", .scale(x: 2, y: 2)),
    ("{scale: [2, -3]}", .scale(x: 2, y: -3)), ("{scale: 0}", .scale(x: 0, y: 0)),
    ("{translate: [4, 5]}", .translation(x: 4, y: 5)),
    ("{rotate: 90}", AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)),
    ("{rotate: -270}", AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)),
    ("{rotate: 540}", AffineTransform(a: -1, b: 0, c: 0, d: -1, tx: 0, ty: 0)),
    ("{rotate: 270}", AffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 0)),
    (
      "{translate: [10, 20], rotate: 90, scale: [2, 3]}",
      AffineTransform(a: 0, b: 2, c: -3, d: 0, tx: 10, ty: 20)
    ),
  ])
  func `A transform is a matrix, or scale, then rotate, then translate`(
    written: String, transform: AffineTransform
  ) throws {
    #expect(try made("transform: \(written)").transform == transform)
  }

  @Test func `a turn is clockwise as seen`() throws {
    let transform = try made("transform: {rotate: 30}").transform
    let right: LocalPoint = transform.map(LocalPoint(x: 1, y: 0))
    #expect(abs(right.x - 3.0.squareRoot() / 2) < 1e-15)
    #expect(abs(right.y - 0.5) < 1e-15, "what was on the right is lower now")
  }

  @Test(
    arguments: [
      ("image: a.png", "a.png", .fit), ("image: a.png, image_mode: stretch", "a.png", .stretch),
      ("image: {path: b/a.png, mode: center}", "b/a.png", .center), ("image: {path: a.png}", "a.png", .fit),
      ("image: {path: a.png}, image_mode: fill", "a.png", .fill),
    ] as [(String, String, ImageView.Mode)])
  func `An image has a path and a mode`(keys: String, path: String, mode: ImageView.Mode) throws {
    let image: ImageView = try made("kind: image, \(keys)")
    #expect(image.path == path && image.mode == mode)
    #expect(try view("kind: image").picture == nil)
  }

  @Test(arguments: [
    ("a.yaml", ".", "x.png", "x.png"), ("b/a.yaml", "b", "x.png", "b/x.png"),
    ("/a.yaml", "/", "x.png", "/x.png"), ("/b/a.yaml", "/b", "../x.png", "/b/../x.png"),
    ("b/a.yaml", "b", "/x.png", "/x.png"), ("./a.yaml", ".", "x.png", "x.png"),
  ])
  func `A relative path starts at the folder of the file`(
    file: String, folder: String, path: String, resolved: String
  ) {
    let configuration = Configuration(file: file)
    #expect(configuration.folder == folder)
    #expect(configuration.resolve(path) == resolved)
  }

  /// Each text is that of the one before, twice.
  @Test func `texts that double end at a bound, each and all together`() throws {
    let labels = (1...30).map {
      "- {id: v\($0), kind: label, frame: [0, 0, 9, 9], text: \"{v\($0 - 1).text}{v\($0 - 1).text}\"}"
    }
    let tree = ViewTree(
      try parse(
        "values: {a: null}\nwindow:\n  subviews:\n    - {id: v0, kind: label, frame: [0, 0, 9, 9], text: abcdefgh}\n    "
          + labels.joined(separator: "\n    ")), canvasSize: Size(width: 9, height: 9))
    var told: [String] = []
    tree.bindings.report = { message, _, _ in told.append(message) }
    let lengths = (0...30).map { (tree.viewsByID["v\($0)"] as? Label)?.text.utf8.count ?? -1 }
    #expect(lengths.max() == 65_536 && lengths[14...].allSatisfy { $0 == 0 }, "\(lengths)")
    #expect(told.first?.contains("65536 bytes") == true, "\(told)")
    // Each is within the bound, and there are many.
    let many = (0..<600).map { "- {id: m\($0), kind: label, frame: [0, 0, 9, 9], text: \"{a}!\"}" }
    let all = ViewTree(
      try parse("values: {a: ''}\nwindow:\n  subviews:\n    " + many.joined(separator: "\n    ")),
      canvasSize: Size(width: 9, height: 9))
    try all.bindings.values.set(
      [.init(key: "a", value: .text(String(repeating: "a", count: 60_000)))], at: .zero)
    all.bindings.settle()
    let sum = (0..<600).reduce(0) { $0 + ((all.viewsByID["m\($1)"] as? Label)?.text.utf8.count ?? 0) }
    #expect(sum > 15 << 20 && sum <= 16 << 20, "\(sum)")
  }

  @Test func `texts of templates that double end at a bound`() {
    let templates = (0..<20).map {
      "  t\($0): {kind: view, subviews: [{of: t\($0 + 1), frame: [0, 0, 9, 9], p: \"{p}{p}\"}]}"
    }
    let found = findings(
      in: "templates:\n" + templates.joined(separator: "\n")
        + "\n  t20: {kind: label, text: \"{p}\"}\nwindow: {subviews: [{of: t0, frame: [0, 0, 9, 9], p: abcdefgh}]}"
    )
    #expect(found.contains { $0.contains("the text has more than 65536 bytes") }, "\(found)")
  }

  @Test func `a display is a connector, in a mode, turned as its panel is mounted`() throws {
    let display = try Configuration.parse(
      text: "display: {device: kms:HDMI-A-1, mode: 1280x800@60, rotation: auto}\nwindow: {}", file: "f.yaml"
    ).display
    #expect(
      display.device == "kms:HDMI-A-1" && display.mode?.text == "1280x800@60" && display.rotation == nil)
  }

  @Test(arguments: [
    "background: null", "border: null", "border: ", "controller: null", "handlers: ", "subviews: null",
    "transform: null",
  ])
  func `Null and an empty value ask for nothing where there need not be anything`(keys: String) throws {
    #expect(try view(keys) == view("handlers: []"))
  }
}

extension Configuration.View {
  fileprivate func with(_ change: (inout Self) -> Void) -> Self {
    var view = self
    change(&view)
    return view
  }
}
