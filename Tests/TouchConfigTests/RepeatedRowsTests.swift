import Testing
import TouchExpressions
import TouchViews

@testable import TouchConfig
@testable import TouchCore

/// Rows that come and go with the list of a named value.
@Suite struct RepeatedRowsTests {
  private static let file = """
    values: {rooms: [{key: a, name: A}], unit: C}
    templates:
      room:
        kind: stack
        axis: horizontal
        hidden: "{index == 3}"
        subviews:
          - {kind: label, text: "{index} {name} {unit}"}
          - {id: on, kind: switch, value: "{name == 'B'}"}
          - {kind: button, text: "{name}", gestures: [{kind: long_press}],
             actions: {touch_up_inside: [set: {on: {value: true}}, after: {seconds: 1, steps: [set: {unit: F}]}]}}
    window:
      subviews:
        - kind: scroll
          subviews:
            - kind: stack
              id: rows
              axis: vertical
              subviews:
                - {id: head, kind: label, text: "{unit}"}
                - {repeat: {of: room, for: rooms}}
                - {id: foot, kind: label, text: "{room-a-on.value}"}
    """

  private func row(_ key: String, _ name: String) -> PropertyValue {
    .map([.init(key: "key", value: .text(key)), .init(key: "name", value: .text(name))])
  }

  /// Everything that the file can say of each view, in the order of the tree.
  private func described(_ tree: ViewTree) -> [String] {
    var (lines, waiting) = ([String](), [(tree.window as View, 0)])
    while let (view, depth) = waiting.popLast() {
      let properties = ViewProperty.settable.compactMap { property in
        property.value(of: view).map { "\(property.name)=\($0)" }
      }
      lines.append("\(depth) \(view.id) \(view.kind) \(view.gestureRecognizers.map(\.id)) \(properties)")
      waiting += view.subviews.reversed().map { ($0, depth + 1) }
    }
    return lines
  }

  private func tree(_ text: String = Self.file) throws -> ViewTree {
    ViewTree(try parse(text), canvasSize: Size(width: 100, height: 100))
  }

  private func repeated(_ tree: ViewTree, _ rows: [PropertyValue]) throws -> ViewTree {
    let configuration = try #require(try tree.configuration.repeating(["rooms": .list(rows)]))
    try tree.bindings.values.set([.init(key: "rooms", value: .list(rows))], at: .zero)
    let next = ViewTree(repeating: configuration, in: tree)
    next.show()
    return next
  }

  /// The tree as a file makes it that has these rows from the beginning.
  private func afresh(_ rows: [PropertyValue]) throws -> ViewTree {
    let text = rows.map { "\($0)" }.joined(separator: ", ")
    return try tree(
      Self.file.replacing("[{key: a, name: A}]", with: "[\(text)]").replacing(
        "room-a-on.value", with: rows.contains { "\($0)".contains("key: \"a\"") } ? "room-a-on.value" : "unit"
      ))
  }

  @Test func `rows whose key stays are the same views, and the others come and go`() throws {
    var tree = try tree()
    let window = tree.window
    let (first, head) = (try #require(tree.viewsByID["room-a"]), try #require(tree.viewsByID["head"]))
    let press = try #require(tree.recognizers.first)
    tree = try repeated(tree, [row("b", "B"), row("a", "A2")])
    #expect(tree.window === window)
    #expect(tree.viewsByID["room-a"] === first && tree.viewsByID["head"] === head)
    #expect(tree.viewsByID["rows"]?.subviews.map(\.id) == ["head", "room-b", "room-a", "foot"])
    #expect((tree.viewsByID["room-a-label-1"] as? Label)?.text == "1 A2 C")
    #expect((tree.viewsByID["room-b-on"] as? Control)?.controlValue?.isOn == true)
    #expect(press.view === tree.viewsByID["room-a-button-1"])
    tree = try repeated(tree, [row("a", "A2"), row("c", "C")])
    #expect(tree.viewsByID["rows"]?.subviews.map(\.id) == ["head", "room-a", "room-c", "foot"])
    #expect(tree.viewsByID["room-b"] == nil)
    // Whoever is gone listens to nothing.
    try tree.bindings.values.set([.init(key: "unit", value: .text("K"))], at: .zero)
    tree.bindings.settle()
    #expect((tree.viewsByID["room-c-label-1"] as? Label)?.text == "1 C K")
  }

  @Test func `what is set on a row stays while the row does`() throws {
    var tree = try tree()
    let on = try #require(tree.viewsByID["room-a-on"] as? Control)
    try on.set([.init(key: "value", value: .flag(true))])
    tree = try repeated(tree, [row("x", "X"), row("a", "A")])
    #expect(on.controlValue?.isOn == true)
    #expect(tree.viewsByID["room-a-on"] === on)
  }

  @Test func `what rows of a stack are set to counts more than what was changed in them before`() throws {
    let tree = try tree(
      """
      values: {rooms: [{key: a, on: true, level: 3}], other: []}
      templates:
        dimmer: {kind: slider, maximum: 9, value: "{start}", alpha: "{faint}"}
        room:
          kind: stack
          subviews:
            - {id: on, kind: switch, value: "{on}"}
            - {id: own, kind: switch, value: true}
            - {id: name, kind: text_field, text: "{key} {level}"}
            - {id: level, of: dimmer, start: "{level}", faint: 0.9}
      window: {subviews: [{kind: stack, subviews: [{repeat: {of: room, for: rooms}}]}]}
      """)
    func views() -> [PropertyValue?] {
      let properties = [
        ("on", "value"), ("own", "value"), ("name", "text"), ("level", "value"), ("level", "alpha"),
      ]
      return properties.map { id, name in
        let view = tree.viewsByID["room-a-\(id)"]
        return view.flatMap { ViewProperty.named(name, of: $0.kind)?.value(of: $0) }
      }
    }
    func touch() throws {
      for (id, entry) in [
        ("on", ("value", .flag(false))), ("own", ("value", .flag(false))), ("name", ("text", .text("x"))),
        ("level", ("value", .number(8))), ("level", ("alpha", .number(0.5))),
      ] as [(String, (String, PropertyValue))] {
        try tree.viewsByID["room-a-\(id)"]?.set([.init(key: entry.0, value: entry.1)])
      }
    }
    try touch()
    let touched = views()
    #expect(touched == [.flag(false), .flag(false), .text("x"), .number(8), .number(0.5)])
    tree.fillRows(of: ["other"])
    #expect(views() == touched)
    tree.fillRows(of: ["rooms"])
    #expect(views() == [.flag(true), .flag(false), .text("a 3"), .number(3), .number(0.5)])
  }

  @Test func `rows that cannot be made change nothing`() throws {
    let tree = try tree()
    #expect(throws: ConfigurationError.self) {
      try tree.configuration.repeating(["rooms": .list([row("a", "A"), row("a", "B")])])
    }
    #expect(throws: ConfigurationError.self) {
      try tree.configuration.repeating(["rooms": .list([.map([.init(key: "key", value: .text("a"))])])])
    }
    #expect(throws: ConfigurationError.self) { try tree.configuration.repeating(["rooms": .number(3)]) }
  }

  @Test func `a program sets no more rows than are made in a moment, a file and a list may have more`() throws
  {
    func text(_ views: String, rows count: Int) -> String {
      "values: {rooms: [\((0..<count).map { "{name: a\($0)}" }.joined(separator: ", "))]}\n"
        + "window: {subviews: [{frame: [0, 0, 90, 90], \(views)}]}"
    }
    func rows(_ count: Int, name: String = "a") -> [String: PropertyValue] {
      let row = PropertyValue.map([.init(key: "name", value: .text(name))])
      return ["rooms": .list(Array(repeating: row, count: count))]
    }
    let two =
      "{repeat: {for: rooms, view: {subviews: [{kind: label, frame: [0, 0, 9, 9], text: \"{name}\"}]}}}"
    let small = try parse(text("kind: stack, subviews: [\(two)]", rows: 1))
    #expect(throws: Never.self) { try small.repeating(rows(125)) }
    #expect(throws: ConfigurationError.self) { try small.repeating(rows(126)) }
    #expect(throws: Never.self) { try small.repeating(rows(100, name: String(repeating: "x", count: 80))) }
    #expect(throws: ConfigurationError.self) {
      try small.repeating(rows(100, name: String(repeating: "x", count: 90)))
    }
    // What it has once does not grow.
    let again = try #require(try small.repeating(rows(125)))
    #expect(throws: ConfigurationError.self) { try again.repeating(rows(126)) }
    let large = try parse(text("kind: stack, subviews: [\(two)]", rows: 400))
    #expect(throws: Never.self) { try large.repeating(rows(400)) }
    #expect(throws: ConfigurationError.self) { try large.repeating(rows(401)) }
    let list = try parse(text("kind: list, subviews: [\(two)]", rows: 1))
    #expect(throws: Never.self) { try list.repeating(rows(2000, name: String(repeating: "x", count: 20))) }
  }

  @Test(arguments: [
    "kind: stack, subviews: [{repeat: {for: rooms, view: {kind: label, text: \"{name}\", background: \"{col}\"}}}]",
    "kind: stack, subviews: [{repeat: {for: rooms, view: {subviews: [{kind: label, frame: [0, 0, 9, 9], text: \"{name} {col}\"}]}}}]",
    "kind: list, subviews: [{repeat: {for: rooms, view: {kind: label, text: \"{name}\", background: \"{col}\"}}}]",
  ])
  func `a row that lacks what the view of its repeat reads is refused, as one of a template is`(
    keys: String
  ) throws {
    let tree = try tree(
      "values: {rooms: [{name: A, col: red}]}\nwindow: {subviews: [{frame: [0, 0, 90, 90], \(keys)}]}")
    func rows(_ names: [String]) -> PropertyValue {
      .list([.map(names.map { .init(key: $0, value: .text("blue")) })])
    }
    #expect(throws: Never.self) { try tree.configuration.repeating(["rooms": rows(["name", "col"])]) }
    guard
      case .invalid(let found)? =
        (#expect(throws: ConfigurationError.self) {
          try tree.configuration.repeating(["rooms": rows(["name"])])
        })
    else { return }
    #expect(found.first?.message.hasPrefix("nothing is called \"col\"") ?? false, "\(found)")
  }

  /// After any sequence of lists, the tree is the one that is made afresh, but for what stayed: that is the
  /// same object.
  @Test func `after any sequence of lists the tree is as one that is made afresh`() throws {
    var random = SeededGenerator(seed: 27)
    var tree = try tree()
    for _ in 0..<60 {
      let keys = ["a"] + ["b", "c", "d", "e", "f"].filter { _ in Bool.random(using: &random) }
      let rows = keys.shuffled(using: &random).map {
        row($0, ["A", "B", "C"].randomElement(using: &random) ?? "")
      }
      let before = tree.viewsByID
      tree = try repeated(tree, rows)
      let fresh = try afresh(rows)
      #expect(described(tree) == described(fresh))
      for key in keys {
        if let known = before["room-\(key)"] { #expect(tree.viewsByID["room-\(key)"] === known) }
      }
    }
  }
}
