import Testing

@testable import TouchConfig

/// Ids, and what refers to them.
@Suite struct NamesTests {
  private static let frame = "frame: [0, 0, 1, 1]"
  private static let twice = "is given twice, first to a"

  @Test(
    arguments: [
      (
        "{id: a, \(frame)}, {id: a, \(frame)}",
        ["2:36: error: the id \"a\" \(twice) view in line 2, column 6; give this view another one"]
      ),
      (
        "{id: a, \(frame), controller: a}",
        ["2:42: error: the id \"a\" \(twice) view in line 2, column 6; give this controller another one"]
      ),
      (
        "{id: a, \(frame), controller: {id: m}}, {id: m, \(frame)}",
        ["2:57: error: the id \"m\" \(twice) controller in line 2, column 47; give this view another one"]
      ),
      (
        "{id: window, \(frame)}",
        ["2:6: error: the id \"window\" is the window's; give this view another one"]
      ),
      (
        "{id: application, \(frame)}",
        ["2:6: error: the id \"application\" is the application's own; give another one"]
      ),
      (
        "{id: none, \(frame)}",
        ["2:6: error: the id \"none\" is what a hit test that finds no view prints; give another one"]
      ),
      ("{id: \"\", \(frame)}", ["2:6: error: id is empty; give a name that nothing else in the file has"]),
      ("{id: 7, \(frame)}", ["2:6: error: id is 7; put it in quotes to make it a text"]),
      (
        "{id: \"a\\tb\", \(frame)}",
        ["2:6: error: the id \"a\\tb\" has a control character; use letters and digits"]
      ),
      (
        "&v {id: a, \(frame)}, *v",
        [
          "2:9: error: the id \"a\" is given twice, because an alias repeats it; leave the id out, "
            + "or write the second view out"
        ]
      ),
    ] as [(String, [String])])
  func `Ids are there once, over views, controllers, window and application`(
    views: String, expected: [String]
  ) {
    #expect(findings(in: "window: {subviews: [\n\(views)]}") == expected)
  }

  @Test func `the second of two ids is the one further down whatever the order of keys`() {
    #expect(
      findings(in: "window:\n  subviews:\n    - {id: a, \(Self.frame)}\n  id: a\n") == [
        "4:7: error: the id \"a\" is given twice, first to a view in line 3, column 12; give this window another one"
      ])
  }

  @Test(
    arguments: [
      ("fixed_target: dail", ["1:24: error: no view has the id \"dail\"; did you mean \"dial\"?"]),
      ("fixed_target: nowhere", ["1:24: error: no view has the id \"nowhere\"; give a view's id"]),
      ("fixed_target: main", ["1:24: error: fixed_target is a controller, \"main\"; give a view's id"]),
      ("fixed_target: [dial]", ["1:24: error: fixed_target is a list; give a view's id, or null"]),
      ("handlers: [gone]", ["1:21: error: no handler is called \"gone\"; declare it under \"handlers:\""]),
      ("fixed_target: window", []), ("fixed_target: dial", []), ("fixed_target: null", []),
      ("fixed_target: ", []),
    ] as [(String, [String])])
  func `What is referred to has to be there`(keys: String, expected: [String]) {
    #expect(
      findings(in: "window: {\(keys), subviews: [{id: dial, \(Self.frame), controller: main}]}") == expected)
  }

  @Test(
    arguments: [
      ("mian", ["3:68: error: no controller has the id \"mian\"; did you mean \"main\"?"]),
      ("a", ["3:68: error: presented_by is a view, \"a\"; give a controller's id"]),
      (
        "sheet",
        [
          "3:68: error: the responder chain goes in a circle here, from \"sheet\" to \"sheet\"; "
            + "let another controller present one of them"
        ]
      ),
      (
        "popover",
        [
          "3:68: error: the responder chain goes in a circle here, "
            + "from \"sheet\" to \"popover\" to \"sheet\"; let another controller present one of them"
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
    #expect(findings(in: text) == expected)
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
    #expect(
      findings(in: "window: {fixed_target: view-1, subviews: [{\(Self.frame)}]}") == [
        "1:24: error: no view has the id \"view-1\"; give a view's id"
      ])
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
}
