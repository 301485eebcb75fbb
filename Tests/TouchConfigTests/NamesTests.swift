import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// Ids, and what refers to them.
@Suite struct NamesTests {
  private static let frame = "frame: [0, 0, 1, 1]"

  @Test(
    arguments: [
      (
        "{id: a, \(frame)}, {id: a, \(frame)}",
        ["2:36: error: a … twice … line 2, column 6"]
      ),
      (
        "{id: a, \(frame), controller: a}",
        ["2:42: error: a … twice … line 2, column 6"]
      ),
      (
        "{id: a, \(frame), controller: {id: m}}, {id: m, \(frame)}",
        ["2:57: error: m … twice … line 2, column 47"]
      ),
      (
        "{id: window, \(frame)}",
        ["2:6: error: window … another"]
      ),
      (
        "{id: application, \(frame)}",
        ["2:6: error: application … another"]
      ),
      (
        "{id: none, \(frame)}",
        ["2:6: error: none … hit test"]
      ),
      ("{id: \"\", \(frame)}", ["2:6: error: id … empty"]),
      ("{id: 7, \(frame)}", ["2:6: error: id … quotes"]),
      (
        "{id: \"a\\tb\", \(frame)}",
        ["2:6: error: control character … letters"]
      ),
      (
        "&v {id: a, \(frame)}, *v",
        [
          "2:9: error: a … alias"
        ]
      ),
    ] as [(String, [String])])
  func `Ids are there once, over views, controllers, window and application`(
    views: String, expected: [String]
  ) {
    expect(findings(in: "window: {subviews: [\n\(views)]}"), state: expected)
  }

  @Test func `the second of two ids is the one further down whatever the order of keys`() {
    expect(
      findings(in: "window:\n  subviews:\n    - {id: a, \(Self.frame)}\n  id: a\n"),
      state: [
        "4:7: error: a … twice … line 3, column 12"
      ])
  }

  @Test(
    arguments: [
      ("fixed_target: dail", ["1:24: error: dail … dial"]),
      ("fixed_target: nowhere", ["1:24: error: nowhere … view's id"]),
      ("fixed_target: main", ["1:24: error: fixed_target … controller"]),
      ("fixed_target: [dial]", ["1:24: error: fixed_target … null"]),
      ("handlers: [gone]", ["1:21: error: gone … handlers"]),
      ("fixed_target: window", []), ("fixed_target: dial", []), ("fixed_target: null", []),
      ("fixed_target: ", []),
    ] as [(String, [String])])
  func `What is referred to has to be there`(keys: String, expected: [String]) {
    expect(
      findings(in: "window: {\(keys), subviews: [{id: dial, \(Self.frame), controller: main}]}"),
      state: expected)
  }

  @Test(
    arguments: [
      ("mian", ["3:68: error: mian … main"]),
      ("a", ["3:68: error: presented_by … controller"]),
      (
        "sheet",
        [
          "3:68: error: circle … \"sheet\" to \"sheet\""
        ]
      ),
      (
        "popover",
        [
          "3:68: error: circle … \"popover\" to \"sheet\""
        ]
      ),
      ("main", []), ("null", []), ("", []),
    ] as [(String, [String])])
  func `A controller is presented by another one, and not in a circle`(presenter: String, expected: [String])
  {
    let text = """
      window: {subviews: [
      {id: a, \(Self.frame), controller: main},
      {id: b, \(Self.frame), controller: {id: sheet, presented_by: \(presenter)}, subviews: [
      {id: c, \(Self.frame), subviews: [{id: d, \(Self.frame), controller: popover}]}]}]}
      """
    expect(findings(in: text), state: expected)
  }

  @Test func `views without an id are named by their kind and never like another`() throws {
    let frame = Self.frame
    let views = try parse(
      """
      window:
        subviews:
          - \(frame)
          - {kind: label, \(frame), subviews: [{\(frame)}]}
          - {id: view-3, \(frame)}
          - {\(frame), controller: label-2}
          - {kind: label, \(frame)}
      """
    ).views
    #expect(views.map(\.id) == ["view-1", "label-1", "view-2", "view-3", "view-4", "label-3"])
  }

  @Test func `a made up id cannot be referred to`() {
    expect(
      findings(in: "window: {fixed_target: view-1, subviews: [{\(Self.frame)}]}"),
      state: [
        "1:24: error: view-1 … view's id"
      ])
  }

  @Test(arguments: [
    ("weight: 600", "1:54: error: weight … write font: {weight: 600}"),
    ("background: 'rgb(1,2,3)'", "1:66: error: background … did you mean \"#010203\""),
  ])
  func `what another notation has is answered with what is written here`(line: String, finding: String) {
    expect(
      findings(in: "window: {subviews: [{id: a, frame: [0, 0, 100, 100], \(line)}]}"),
      state: [finding])
  }

  @Test func `a value that is declared with an error is not called undeclared as well`() {
    let text =
      "{values: {t: {value: 1, history: 60}}, window: {subviews: [{id: c, kind: chart, of: t, frame: [0, 0, 100, 100]}]}}"
    expect(findings(in: text), state: ["1:11: error: \"t\" has a meaning in expressions"])
  }

  @Test(
    arguments: [
      ("alhpa", "alpha"), ("fram", "frame"), ("framee", "frame"), ("hiden", "hidden"), ("id", nil),
      ("corner-radius", "corner_radius"), ("", nil), ("background_colour", nil), ("handler", "handlers"),
    ] as [(String, String?)])
  func `The nearest right name is the one with the fewest slips`(name: String, expected: String?) {
    let keys = ["alpha", "frame", "hidden", "corner_radius", "background", "handlers", "z"]
    #expect(Suggestion.nearest(to: name, among: keys) == expected)
  }

  @Test(
    arguments: [
      ("vl", "vol"), ("stt", "st"), ("nme", "name"), ("ts", "st"), ("x", nil), ("zz", nil), ("volu", "vol"),
    ] as [(String, String?)])
  func `of ids that are short, one slip is seen`(name: String, expected: String?) {
    #expect(Suggestion.nearest(to: name, among: ["vol", "st", "name", "q"], leastSlips: 1) == expected)
  }
}
