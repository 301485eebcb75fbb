import Testing
import TouchExpressions
import TouchViews

@testable import TouchConfig
@testable import TouchCore

/// Values and parameters of templates that follow expressions.
@Suite struct DerivedValueTests {
  private func tree(_ text: String) throws -> ViewTree {
    let configuration = try parse(text)
    #expect(configuration.warnings.isEmpty)
    return ViewTree(configuration, canvasSize: Size(width: 400, height: 300))
  }

  private func set(_ name: String, _ value: PropertyValue, in tree: ViewTree) throws {
    try tree.bindings.values.set([.init(key: name, value: value)], at: .zero)
    tree.bindings.settle()
  }

  @Test func `a value follows what its expression reads, and others follow the value`() throws {
    let tree = try tree(
      """
      values:
        total: "{cost + fee.value}"
        cost: {value: "{energy * price}", unit: €, label: Cost, history: 60}
        late: "{total > 10}"
        words: "{energy:.1f} kWh"
        energy: 4
        price: 2
      window:
        subviews:
          - {id: shown, kind: label, text: "{words}, {cost:.2f}", hidden: "{late}"}
          - {id: fee, kind: slider, maximum: 5, value: "{energy / 4}"}
      """)
    let label = try #require(tree.viewsByID["shown"] as? Label)
    let values = tree.bindings.values
    #expect(label.text == "4.0 kWh, 8.00" && values.value("total") == .number(9) && !label.isHidden)
    try set("energy", .number(8), in: tree)
    #expect(label.text == "8.0 kWh, 16.00" && values.value("total") == .number(18) && label.isHidden)
    #expect(values.series(of: "cost")?.latest == 16)
    let computations = tree.bindings.computations
    tree.bindings.settle()
    #expect(tree.bindings.computations == computations)
    #expect(throws: PropertyError.self) { try values.set([.init(key: "cost", value: .number(1))], at: .zero) }
  }

  @Test(arguments: [
    ("a: \"{b + 1}\", b: \"{a}\"", "1:13: error: circle: a follows b follows a"),
    ("a: \"{c}\"", "1:15: error: nothing is called \"c\""),
    ("a: {value: \"{t0}\", keep: true}, t0: 1", "1:35: error: keep … follows an expression"),
    ("a: {value: \"{t0}\", minimum: 0, maximum: 5}, t0: 1", "1:38: error: minimum … follows an expression"),
  ])
  func `what is wrong with it is said where it stands`(values: String, message: String) {
    let found = findings(in: "values: {\(values)}\nwindow: {subviews: [{id: v}]}")
    expect(Array(found.prefix(1)), state: [message])
  }

  @Test func `setting it is an error where a step does, and so are rows of it`() {
    let text = """
      values: {a: "{b}", b: 1, list: "{b}"}
      window:
        subviews:
          - {kind: button, frame: [0, 0, 50, 50], text: A, actions: {touch_up_inside: [set: {a: 2}, set: {a: "{b + 1}"}]}}
          - {kind: stack, subviews: [{repeat: {for: list, view: {kind: label, text: "{item}"}}}]}
      """
    expect(
      findings(in: text),
      state: [
        "4:91: error: a follows … set b instead", "4:104: error: a follows … set b instead",
        "5:47: error: list … follows an expression",
      ])
  }

  @Test func `a parameter of a template may be any expression, also in a template in it`() throws {
    let tree = try tree(
      """
      values: {energy: 1.25, on: false, log: ""}
      templates:
        reading: {kind: label, text: "<{shows}>", hidden: "{off}"}
        room:
          kind: stack
          subviews:
            - {of: reading, id: text, shows: "{name}: {shows}", off: "{off or energy > 5}"}
            - {id: go, kind: button, text: "{shows}", actions: {touch_up_inside: [set: {log: "{shows}"}]}}
      window:
        subviews:
          - {of: room, id: kitchen, name: Kitchen, shows: "{energy:.1f} kWh", off: "{not on}"}
          - {kind: stack, subviews: [{repeat: {of: room, for: [{key: hall, name: Hall, shows: "{energy + 1}", off: "{on}"}]}}]}
      """)
    func label(_ id: String) -> Label? { tree.viewsByID[id] as? Label }
    #expect(label("kitchen-text")?.text == "<Kitchen: 1.2 kWh>" && label("kitchen-text")?.isHidden == true)
    #expect(label("room-hall-text")?.text == "<Hall: 2.25>" && label("room-hall-text")?.isHidden == false)
    try set("energy", .number(3), in: tree)
    try set("on", .flag(true), in: tree)
    #expect(label("kitchen-text")?.text == "<Kitchen: 3.0 kWh>" && label("kitchen-text")?.isHidden == false)
    #expect(
      label("room-hall-text")?.text == "<Hall: 4>"
        && (tree.viewsByID["kitchen-go"] as? Button)?.text == "3.0 kWh")
    try set("energy", .number(6), in: tree)
    #expect(label("kitchen-text")?.isHidden == true)
  }

  @Test func `a parameter in a row that recycles follows the row`() throws {
    let tree = try tree(
      """
      values: {price: 2}
      templates: {cost: {kind: label, text: "{shows}"}}
      window:
        subviews:
          - id: list
            kind: list
            frame: [0, 0, 200, 100]
            row_height: 50
            subviews:
              - repeat:
                  for: [{kwh: 1}, {kwh: 2}, {kwh: 3}, {kwh: 4}]
                  view: {kind: view, subviews: [{of: cost, id: cost, frame: [0, 0, 100, 40], shows: "{kwh * price:.2f} EUR"}]}
      """)
    tree.window.layoutIfNeeded()
    tree.bindings.settle()
    func texts() -> [String] {
      tree.viewsByID.values.compactMap { ($0 as? Label)?.text }.filter { $0.hasSuffix("EUR") }.sorted()
    }
    #expect(texts().contains("2.00 EUR") && texts().contains("4.00 EUR"))
    try set("price", .number(3), in: tree)
    #expect(texts().contains("3.00 EUR") && texts().contains("6.00 EUR"))
  }

  @Test func `what a private view holds does not get out by a value`() throws {
    let configuration = try parse(
      """
      values: {typed: "{pin.text}", twice: "{typed} {typed}"}
      templates: {shown: {kind: label, text: "{text}"}}
      window:
        subviews:
          - {id: pin, kind: text_field, private: true, frame: [0, 0, 100, 50], text: "1234"}
          - {of: shown, id: copy, frame: [0, 50, 100, 50], text: "<{pin.text}>"}
      """)
    let tree = ViewTree(configuration, canvasSize: Size(width: 400, height: 300))
    #expect(
      tree.bindings.values.value("typed") == .null && tree.bindings.values.value("twice") == .text("– –"))
    #expect(tree.viewsByID["copy"]?.isPrivate == true && (tree.viewsByID["copy"] as? Label)?.text == "<1234>")
    #expect(tree.disclosures.count == 2)
  }
}
