import Testing
import TouchExpressions

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// Lists whose rows are views, of which those exist that are seen.
@Suite struct RowListTests {
  private static let template = """
    templates:
      lamp:
        kind: control
        actions: {touch_up_inside: [set: {on: {value: true}}]}
        subviews:
          - {kind: label, frame: [0, 0, 80, 40], text: "{index + 1} {name}"}
          - {id: on, kind: switch, frame: [90, 4, 60, 31], value: "{lit}"}
          - {id: state, kind: label, frame: [150, 0, 50, 40], text: "{on.value} {unit}"}

    """

  /// A list of 200 by 200, with rows that are 40 high.
  private func list(_ rows: String, values: String = "") throws -> ViewTree {
    let tree = ViewTree(
      try parse(
        """
        values: {unit: W\(values)}
        \(Self.template)
        window:
          subviews:
            - {id: lamps, kind: list, frame: [0, 0, 200, 200], row_height: 40, subviews: [{repeat: {of: lamp, for: \(rows)}}]}
        """), canvasSize: Size(width: 300, height: 200))
    tree.window.layoutIfNeeded()
    return tree
  }

  /// The same with all of its rows.
  private func whole(_ rows: [String]) throws -> ViewTree {
    ViewTree(
      try parse(
        """
        values: {unit: W}
        \(Self.template)
        window:
          subviews:
            - id: lamps
              kind: scroll
              frame: [0, 0, 200, 200]
              content: [200, \(rows.count * 40)]
              subviews:
                - {repeat: {of: lamp, for: [\(rows.joined(separator: ", "))], id: "lamp-{index}", frame: [0, "{index * 40}", 200, 40]}}
        """), canvasSize: Size(width: 300, height: 200))
  }

  private func settle(_ tree: ViewTree) {
    tree.window.layoutIfNeeded()
    tree.bindings.settle()
  }

  @Test func `a tree with a theme and rows of views is freed with all that it has`() throws {
    weak var window: Window?
    weak var lamps: View?
    weak var bindings: Bindings?
    do {
      let tree = ViewTree(
        try parse(
          """
          theme: dark
          values: {unit: W}
          \(Self.template)
          window:
            subviews:
              - id: lamps
                kind: list
                frame: [0, 0, 200, 200]
                row_height: 40
                subviews: [{repeat: {of: lamp, for: [{name: A, lit: true}, {name: B, lit: false}]}}]
          """), canvasSize: Size(width: 300, height: 200))
      settle(tree)
      (window, lamps, bindings) = (tree.window, tree.viewsByID["lamps"], tree.bindings)
      #expect(window != nil && lamps != nil)
    }
    #expect(window == nil && lamps == nil && bindings == nil)
  }

  private func rows(_ tree: ViewTree) throws -> RowsView {
    try #require((tree.viewsByID["lamps"] as? ListView)?.host)
  }

  /// A view of a row, by its place in the row: 0 is the row itself.
  private func view(_ place: Int, ofRow row: Int, in tree: ViewTree) throws -> View {
    let rows = try rows(tree)
    let root = try #require(rows.subviews.first { rows.row(of: $0) == row })
    return place == 0 ? root : root.subviews[place - 1]
  }

  /// What a row shows, and what was set on it.
  private func described(_ root: View) -> [String] {
    [root].map { "\($0.layoutRect)" }
      + ([root] + root.subviews).flatMap { view in
        ViewProperty.settable.compactMap { property in
          property == .frame && view === root
            ? nil : property.value(of: view).map { "\(property.name)=\($0)" }
        }
      }
  }

  @Test(arguments: 0..<20) func `what is seen is what a list would show whose rows all exist`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let rows = (0..<37).map { "{key: k\($0), name: L\($0 * 7 % 5), lit: \($0 % 3 == 0)}" }
    let (some, all) = (try list("[\(rows.joined(separator: ", "))]"), try whole(rows))
    let (short, long) = (try self.rows(some), try #require(all.viewsByID["lamps"] as? ScrollView))
    for _ in 0..<60 {
      let offset = LocalPoint(x: 0, y: Double(Int.random(in: 0...37 * 40 - 200, using: &random)))
      if Bool.random(using: &random) { (short.contentOffset, long.contentOffset) = (offset, offset) }
      settle(some)
      settle(all)
      #expect(short.shownRows.count <= 6)
      for row in short.shownRows {
        let (one, other) = (try view(0, ofRow: row, in: some), try #require(all.viewsByID["lamp-\(row)"]))
        #expect(described(one) == described(other))
      }
      let point = LocalPoint(x: .random(in: 0..<200, using: &random), y: .random(in: 0..<200, using: &random))
      let (hit, known) = (some.window.hitTest(point, with: nil), all.window.hitTest(point, with: nil))
      let both = [hit, known].compactMap(\.self)
      let row = try #require(hit.flatMap(short.row))
      #expect(hit?.id.split(separator: "-").last == "on" || known?.id == "lamp-\(row)")
      #expect(known?.id.hasPrefix("lamp-\(row)") == true && hit?.kind == known?.kind)
      // Somebody changes what is there.
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        for case let one as Switch in both { one.controlValue?.number = 1 - (one.controlValue?.number ?? 0) }
      case 1: for one in both { try one.set([PropertyValue.Entry(key: "alpha", value: .number(0.5))]) }
      case 2:
        let settings = [PropertyValue.Entry(key: "background", value: .text("#102030"))]
        for one in both { try one.set(settings) }
      default:
        let unit = PropertyValue.text("U\(Int.random(in: 0..<3, using: &random))")
        for tree in [some, all] { try tree.bindings.values.set([.init(key: "unit", value: unit)], at: .zero) }
      }
      settle(some)
      settle(all)
    }
  }

  @Test func `thousands of rows cost the views that are seen`() throws {
    let tree = try list("5000, name: lamp, lit: false")
    #expect(tree.configuration.views.count < 80)
    let rows = try rows(tree)
    #expect(rows.count == 5000 && rows.contentSize.height == 200_000)
    #expect(rows.subviews.count == 6, "one is behind them")
    rows.contentOffset = LocalPoint(x: 0, y: 199_790)
    settle(tree)
    #expect(rows.shownRows == 4994..<5000 && rows.subviews.count == 7)
    #expect((try view(1, ofRow: 4999, in: tree) as? Label)?.text == "5000 lamp")
  }

  @Test func `a higher window has more rows`() throws {
    let configuration = try parse(
      "window: {subviews: [{id: lamps, kind: list, subviews: [{repeat: {for: 100, view: {kind: label, text: \"{index}\"}}}]}]}"
    )
    let tree = ViewTree(configuration, canvasSize: Size(width: 300, height: 2000))
    tree.window.layoutIfNeeded()
    #expect(try rows(tree).shownRows.count == 46)
  }

  private func lamp(_ key: String, _ name: String) -> PropertyValue {
    .map([
      .init(key: "key", value: .text(key)), .init(key: "name", value: .text(name)),
      .init(key: "lit", value: .flag(false)),
    ])
  }

  @Test func `rows keep what was set on them by their key, wherever they go`() throws {
    var tree = try list("all", values: ", all: []")
    func show(_ rows: [PropertyValue]) throws {
      try tree.bindings.values.set([.init(key: "all", value: .list(rows))], at: .zero)
      let configuration = try #require(try tree.configuration.repeating(["all": .list(rows)]))
      let next = ViewTree(repeating: configuration, in: tree)
      next.show()
      tree = next
      settle(tree)
    }
    #expect(try rows(tree).shownRows.isEmpty)
    try show([lamp("a", "A"), lamp("b", "B")])
    let first = try view(2, ofRow: 0, in: tree)
    (first as? Switch)?.controlValue?.number = 1
    settle(tree)
    #expect((try view(3, ofRow: 0, in: tree) as? Label)?.text == "true W")
    try show([lamp("a", "A2"), lamp("b", "B"), lamp("c", "C")])
    // It stays in its place, and so would a touch on it.
    #expect(try view(2, ofRow: 0, in: tree) === first && first.window === tree.window)
    #expect((try view(1, ofRow: 0, in: tree) as? Label)?.text == "1 A2")
    #expect((first as? Switch)?.controlValue?.number == 1)
    try show([lamp("b", "B"), lamp("a", "A")])
    #expect((try view(2, ofRow: 0, in: tree) as? Switch)?.controlValue?.number == 0)
    #expect((try view(2, ofRow: 1, in: tree) as? Switch)?.controlValue?.number == 1)
    #expect((try view(3, ofRow: 1, in: tree) as? Label)?.text == "true W")
    // Read again, it keeps the rows of the list that has the same id.
    let next = ViewTree(tree.configuration, inPlaceOf: tree)
    next.keepSettings(of: tree)
    next.show()
    tree = next
    settle(tree)
    #expect((try view(2, ofRow: 1, in: tree) as? Switch)?.controlValue?.number == 1)
  }

  /// Between two buttons, with rows of two controls each, of which five are seen.
  private func focusable() throws -> (tree: ViewTree, press: (String) -> String) {
    let tree = ViewTree(
      try parse(
        """
        window:
          subviews:
            - {id: top, kind: button, frame: [0, 0, 200, 30]}
            - id: lamps
              kind: list
              row_height: 40
              frame: [0, 40, 200, 200]
              subviews:
                - repeat:
                    for: [\((0..<12).map { "{key: k\($0), name: R\($0)}" }.joined(separator: ", "))]
                    view:
                      kind: view
                      subviews:
                        - {id: one, kind: button, frame: [0, 0, 90, 38], label: "{name} one"}
                        - {id: two, kind: button, frame: [100, 0, 90, 38], label: "{name} two"}
            - {id: ok, kind: button, frame: [0, 250, 200, 30]}
        """), canvasSize: Size(width: 200, height: 300))
    settle(tree)
    let (touches, presses) = (Dispatcher(window: tree.window), PressDispatcher(window: tree.window))
    func press(_ keys: String) -> String {
      for name in keys.split(separator: " ") {
        guard let key = KeyCode(name: String(name)) else { continue }
        for kind in [PressChange.Kind.began, .ended] {
          presses.dispatch(
            [PressChange(device: DeviceID(rawValue: 1), kind: kind, key: Key(key))], at: .zero)
        }
        withExtendedLifetime(touches) { settle(tree) }
      }
      let view = tree.window.focusSystem.focusedItem?.view
      return view?.accessibilityLabel ?? view?.id ?? "nothing"
    }
    return (tree, press)
  }

  @Test func `a knob goes through all rows, also those out of sight, and round`() throws {
    let (_, press) = try focusable()
    let all = ["top"] + (0..<12).flatMap { ["R\($0) one", "R\($0) two"] } + ["ok"]
    for name in all + all.prefix(4) { #expect(press("turn_right") == name) }
    for name in (all + all.prefix(3)).reversed() + [all[all.count - 1], all[all.count - 2]] {
      #expect(press("turn_left") == name)
    }
  }

  @Test func `arrows go through all rows, and out of the list at its ends`() throws {
    let (tree, press) = try focusable()
    _ = press("tab tab tab")
    for row in 1..<12 { #expect(press("down") == "R\(row) two") }
    #expect(press("down") == "ok")
    #expect(press("up").hasPrefix("R11"))
    for row in (0..<11).reversed() { #expect(press("up").hasPrefix("R\(row) ")) }
    #expect(press("up") == "top")
    #expect(try rows(tree).contentOffset.y == 0)
  }

  @Test func `what a list is set to counts more than what was changed in its rows before, seen or not`()
    throws
  {
    let lamps = (0..<12).map { lamp("\($0)", "L\($0)") }
    var tree = try list("all", values: ", all: []")
    func show() throws {
      try tree.bindings.values.set([.init(key: "all", value: .list(lamps))], at: .zero)
      let lists = tree.bindings.values.takeSetLists()
      if let configuration = try tree.configuration.repeating(["all": .list(lamps)]) {
        let next = ViewTree(repeating: configuration, in: tree)
        next.show()
        tree = next
      }
      settle(tree)
      tree.fillRows(of: lists)
      settle(tree)
    }
    func flip(_ row: Int) throws {
      let on = try #require(try view(2, ofRow: row, in: tree) as? Switch)
      on.controlValue?.number = 1
      on.alpha = 0.5
      settle(tree)
    }
    func row(_ row: Int) throws -> (isOn: Bool?, alpha: Double) {
      try rows(tree).contentOffset = LocalPoint(x: 0, y: Double(row) * 40)
      settle(tree)
      let on = try view(2, ofRow: row, in: tree)
      return ((on as? Switch)?.controlValue?.isOn, on.alpha)
    }
    try show()
    try flip(0)
    #expect(try row(7).isOn == false)
    try flip(7)
    // The first one is out of sight. What no parameter fills in stays as it was set.
    try show()
    #expect(try row(7) == (false, 0.5))
    #expect(try row(0) == (false, 0.5))
    try flip(0)
    #expect(try row(0).isOn == true && row(6).isOn == false && row(0).isOn == true)
  }

  @Test func `a place that a list does not have is refused with the name of the list`() throws {
    let tree = try list("[{name: A, lit: true}]")
    let rows = try rows(tree)
    let error = #expect(throws: PropertyError.self) { try rows.scroll(to: .view("nothing")) }
    #expect(error?.view == tree.viewsByID["lamps"]?.id)
  }

  @Test func `a touch on a row that goes out of sight ends`() throws {
    let tree = try list("50, name: lamp, lit: false")
    let dispatcher = Dispatcher(window: tree.window)
    let touch = TouchChange(
      contact: ContactID(device: DeviceID(rawValue: 1), serial: 1), kind: .began,
      location: WindowPoint(x: 20, y: 20))
    dispatcher.dispatch([touch], at: .zero)
    let row = try #require(try view(0, ofRow: 0, in: tree) as? Control)
    dispatcher.advance(to: Timestamp(microseconds: 500_000))
    #expect(row.trackedTouch != nil)
    try rows(tree).contentOffset = LocalPoint(x: 0, y: 1000)
    settle(tree)
    #expect(row.trackedTouch == nil)
  }

  @Test func `what is wrong with rows is said at their place`() {
    let start = "window: {subviews: [{kind: list, frame: [0, 0, 9, 9], subviews: [{repeat: "
    expect(
      findings(in: start + "{for: 3, view: {kind: label, text: \"{nme}\"}}}]}]}"),
      state: ["1:112: error: nme"])
    expect(
      findings(in: start + "{for: [{name: A}], view: {kind: label, hidden: \"{name}\"}}}]}]}"),
      state: ["1:122: error: {name} is a text … true or false"])
    expect(
      findings(
        in: "values: {a: 1}\n" + start + "{for: [{n: \"{a}\"}], view: {kind: label, text: \"{n}\"}}}]}]}"),
      state: ["2:75: error: n … no plain value"])
    expect(
      findings(in: start + "{for: 2, view: {kind: list, subviews: [{repeat: {for: 2, view: {}}}]}}}]}]}"),
      state: ["1:123: error: in a row of another one"])
  }

  @Test func `a list whose rows are views has the keys of any list, and those of what scrolls`() {
    let keys = "kind: list, frame: [0, 0, 9, 9], subviews: [{repeat: {for: 2, view: {kind: label, text: A}}}]"
    for theme in Theme.names {
      expect(findings(in: "theme: \(theme)\nwindow: {subviews: [{\(keys)}]}"), state: [])
    }
    for key in [
      "tint: red", "value: 1", "trailing_actions: [Delete]", "bounces: false", "allows_selection: false",
    ] {
      expect(findings(in: "window: {subviews: [{\(key), \(keys)}]}"), state: [])
      expect(findings(in: "styles: {s: {\(key)}}\nwindow: {subviews: [{style: s, \(keys)}]}"), state: [])
    }
    expect(
      findings(in: "window: {subviews: [{rows: [A], \(keys)}]}"),
      state: ["1:22: error: rows … this is a list whose rows are views"])
    expect(
      findings(in: "window: {subviews: [{kind: list, frame: [0, 0, 9, 9], rows: [A], bounces: false}]}"),
      state: ["1:66: error: bounces … this is a list whose rows are texts"])
    expect(
      findings(in: "styles: {s: {jumps: true}}\nwindow: {subviews: [{style: s, \(keys)}]}"),
      state: ["2:29: error: the style gives a list the key \"jumps\" … only a slider"])
  }
}
