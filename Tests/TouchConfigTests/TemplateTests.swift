import SystemPackage
import Testing
import TouchExpressions
import TouchViews

@testable import TouchConfig
@testable import TouchCore

/// Views that are used several times: `templates:`, `of:` and `repeat:`.
@Suite struct TemplateTests {
  private static let room = """
    templates:
      room: {kind: stack, axis: horizontal, subviews: [{kind: label, id: title, text: "{name}"}, {id: on, kind: switch}]}

    """

  private func ids(_ text: String) throws -> [String] { try parse(text).views.map(\.id) }

  private func texts(_ text: String) throws -> [String] {
    try parse(text).views.compactMap { $0.value(of: .text, as: String.self) }
  }

  @Test func `a template is a view with parameters, and its ids are those of the instance`() throws {
    let configuration = try parse(
      Self.room
        + "window: {subviews: [{of: room, id: kitchen, name: Kitchen, spacing: 3}, {of: room, name: Hall}]}")
    #expect(
      configuration.views.map(\.id) == [
        "kitchen", "kitchen-title", "kitchen-on", "room-view-1", "room-view-1-title", "room-view-1-on",
      ])
    #expect(configuration.views[0].kind == .stack)
    #expect((configuration.views[0].makeView() as? StackView)?.spacing == 3)
    #expect(configuration.views[1].value(of: .text) == "Kitchen")
    #expect(configuration.views[4].value(of: .text) == "Hall")
    // Nothing changes: nothing is bound.
    #expect(configuration.bindings.isEmpty)
    #expect(configuration.views.map(\.isNameless) == [false, false, false, true, true, true])
  }

  @Test
  func `a view is repeated for each mapping of a list, so often as a number says, or for a value's rows`()
    throws
  {
    let rows =
      #"window: {subviews: [{repeat: {of: room, for: [{name: Kitchen}, {name: Hall}], id: "r{index}"}}]}"#
    #expect(try ids(Self.room + rows) == ["r0", "r0-title", "r0-on", "r1", "r1-title", "r1-on"])
    #expect(try texts(Self.room + rows) == ["Kitchen", "Hall"])
    let count =
      #"window: {subviews: [{repeat: {for: 3, view: {kind: label, id: "l{index + 1}", text: "{index:02d}"}}}]}"#
    #expect(try ids(count) == ["l1", "l2", "l3"])
    #expect(try texts(count) == ["00", "01", "02"])
    let values = "values: {rooms: [{key: k, name: Kitchen}, {key: h, name: Hall}], names: [a, b]}\n"
    let named = values + Self.room + "window: {subviews: [{repeat: {of: room, for: rooms}}]}"
    #expect(try ids(named) == ["room-k", "room-k-title", "room-k-on", "room-h", "room-h-title", "room-h-on"])
    #expect(try parse(named).repeatedValues == ["rooms"])
    let items =
      values + #"window: {subviews: [{repeat: {for: "{names}", view: {kind: label, text: "{item}"}}}]}"#
    #expect(try texts(items) == ["a", "b"])
    #expect(try ids(items) == ["row-0", "row-1"])
  }

  @Test
  func `rows of several repeats without an id have ids that differ, however many rows there are`() throws {
    func ids(_ first: Int) throws -> [String] {
      try self.ids(
        """
        templates:
          two: {kind: stack, subviews: [{repeat: {for: 1, view: {id: x}}}, {repeat: {for: 1, view: {id: x}}}]}
        window:
          subviews:
            - {repeat: {for: \(first), view: {kind: label, text: a}}}
            - {repeat: {for: 1, id: "own-{index}", view: {kind: label, text: b}}}
            - {kind: list, subviews: [{repeat: {for: 1, view: {kind: label, text: c}}}]}
            - {repeat: {for: [{key: k}], view: {kind: label, text: "{key}"}}}
            - {of: two, id: t}
        """)
    }
    let others = ["own-0", "list-1", "row-2-0", "row-3-k", "t", "t-x-0", "t-x-2-0"]
    #expect(try ids(2).sorted() == (["row-0", "row-1"] + others).sorted())
    #expect(try ids(0).sorted() == others.sorted())
  }

  @Test func `parameters are numbers where a number is wanted, and lists where a list is`() throws {
    let text = """
      templates:
        key: {kind: button, text: "{digit}", frame: ["{index * 50}", 0, 48, 48], actions: {touch_up_inside: "{steps}"}}
      window:
        subviews:
          - repeat: {of: key, for: [{digit: 7, steps: [run: [a]]}, {digit: "{{8", steps: [run: [b], run: [c]]}]}
      """
    let configuration = try parse(text)
    #expect(configuration.views[1].makeView().frame.origin.x == 50)
    #expect(configuration.views.map { $0.value(of: .text) } == ["7", "{8"])
    #expect(configuration.actions.map(\.steps.count) == [1, 2])
  }

  @Test func `what is named in a template is looked for in the instance first, and then in the file`() throws
  {
    let text = """
      values: {heating: 1, cooling: 2}
      templates:
        row:
          kind: stack
          subviews:
            - {id: on, kind: switch}
            - {kind: label, text: "{on.value} {other.hidden} {level} {id}"}
            - id: go
              kind: button
              actions: {touch_up_inside: [set: {on: {value: true}, other: {hidden: false}, "{level}": 3}]}
      window:
        subviews:
          - {id: other, frame: [0, 0, 1, 1]}
          - {of: row, id: a, level: "{heating}"}
          - {of: row, id: b, level: "{a-on.value}"}
      """
    // A property is none of the values that a step sets.
    expect(findings(in: text), state: ["10:86: error: no view or value has the id … a-on.value"])
    let configuration = try parse(text.replacing("level: \"{a-on.value}\"", with: "level: \"{cooling}\""))
    #expect(
      configuration.bindings.map(\.setting.references)
        == ["heating", "cooling"].enumerated().map { index, level in
          let id = ["a", "b"][index]
          return [.property(view: "\(id)-on", "value"), .property(view: "other", "hidden"), .value(level)]
        })
    let steps = configuration.actions.map { $0.steps.map(\.step) }
    #expect(steps[1].last == .setValue("cooling", .constant(.number(3))))
    guard case .set("a-on", _, _)? = steps[0].first else {
      Issue.record("\(steps[0])")
      return
    }
  }

  @Test func `messages name the place in the template, and the instance`() {
    let text = """
      templates:
        room: {kind: label, alpha: "{level}", text: "{nmae.text}"}
      window:
        subviews:
          - {of: room, id: kitchen, level: 2}
          - {of: room, id: hall, level: 2}
      """
    expect(
      findings(in: text),
      state: [
        "2:30: error: alpha … 2 … 0 to 1 … in \"kitchen\", line 5, column 7",
        "2:49: error: no view has the id \"nmae\" … in \"kitchen\", line 5, column 7",
      ])
  }

  @Test(arguments: [
    ("{of: room, nme: a}", ["5:18: error: no parameter \"nme\" … did you mean \"name\""]),
    ("{nme: a, of: room}", ["5:8: error: no parameter \"nme\" … did you mean \"name\""]),
    (
      "{repeat: {of: slip, for: [{name: a}, {name: b}]}}",
      ["2:41: error: slip … {nmae} … did you mean {name}"]
    ),
    (
      "{repeat: {of: slip, for: [{name: a}]}}\n    - {kind: label, text: \"{slip-0-on.value}\"}",
      ["2:41: error: slip … {nmae} … did you mean {name}"]
    ),
    (
      """
      {of: room, id: x}
          - kind: button
            redirect: x-on
            actions: {touch_up_inside: [set: {x-on: {value: true}}, set: {x: {hidden: "{x-on.value}"}}]}
      """, ["5:8: error: room … {name} … name: and its value"]
    ),
    ("{of: room, name: A, blorb: 3}", ["5:27: error: no parameter \"blorb\" … it reads name"]),
    ("{of: room, name: A, width: 3}", ["5:27: error: no parameter \"width\" … write frame"]),
    ("{of: room, id: x, name: '{1 + twp}'}", ["5:37: error: nothing is called \"twp\""]),
    ("{repeat: {of: room, for: [{name: '{1 + twp}'}]}}", ["5:46: error: nothing is called \"twp\""]),
    (
      "{kind: list, subviews: [{repeat: {for: ['{1 + 2}'], view: {kind: label, text: '{item}'}}}]}",
      ["5:40: error: \"item\" of the rows … no plain value"]
    ),
  ])
  func `a slip in a parameter is one message, whatever refers to the view`(view: String, messages: [String]) {
    let text = """
      templates: {room: {kind: label, text: "{name}"},
        slip: {subviews: [{kind: label, text: "{nmae}"}, {id: on, kind: switch}]}}
      window:
        subviews:
          -\u{20}
      """ + view
    expect(findings(in: text).filter { !$0.contains("nothing uses") }, state: messages)
  }

  @Test(arguments: [
    ("{of: rom}", "1:78: error: no template is called \"rom\" … did you mean \"room\""),
    ("{of: room}", "1:74: error: room … line 1, column 20 … {name}"),
    ("{of: room, nam: a, name: b}", "1:84: error: no parameter \"nam\" … did you mean \"name\""),
    ("{repeat: {of: room}}", "1:82: error: a repeat needs \"for\""),
    ("{repeat: {for: 3}}", "1:82: error: a repeat needs \"of\" or \"view\""),
    ("{repeat: {of: room, view: {}, for: 3}}", "1:99: error: has both"),
    ("{repeat: {view: {}, for: rooms}}", "1:98: error: no value is called \"rooms\""),
    ("{repeat: {view: {}, for: 10001}}", "1:98: error: for … 0 to 10000"),
    ("{repeat: {view: {id: x}, for: 2, id: a}}", "1:110: error: more than one row"),
    ("{repeat: {view: {}, for: 2, id: 'a{name}'}}", "1:105: error: nothing called {name}"),
    ("{id: x, repeat: {view: {}, for: 2}}", "1:74: error: repeat … alone … id"),
  ])
  func `what a template cannot be made of is reported`(view: String, message: String) {
    let before = "templates: {room: {kind: label, text: '{name}'}}\nwindow: {subviews: ["
      .replacing("\n", with: " , ").replacing("templates", with: "{templates")
    expect(
      findings(in: before + view + "]}}").filter {
        !$0.contains("nothing uses") && (!$0.contains("{name}") || message.contains("{name}"))
      }
      .prefix(1).map(\.self), state: [message])
  }

  @Test func `a template that is in itself is reported with its path`() {
    let text = """
      templates:
        a: {kind: stack, subviews: [{of: b}]}
        b: {of: c}
        c: {kind: stack, subviews: [{of: a}]}
      window: {subviews: [{of: a}]}
      """
    expect(findings(in: text), state: ["4:36: error: in itself … \"a\" → \"b\" → \"c\" → \"a\""])
  }

  @Test func `rows and single views of a template have different ids`() throws {
    let text =
      "templates: {d: {kind: label}}\nwindow: {subviews: [{of: d}, {repeat: {of: d, for: 3}}, {of: d}]}"
    #expect(try ids(text) == ["d-view-1", "d-0", "d-1", "d-2", "d-view-2"])
  }

  @Test func `a template that nothing uses is a warning`() {
    expect(
      findings(in: "templates: {a: {of: b}, b: {}, c: {}}\nwindow: {subviews: [{repeat: {of: c, for: 0}}]}"),
      state: ["1:13: warning: nothing uses the template \"a\"", "1:25: warning: nothing uses … b"])
  }

  @Test func `a file cannot ask for more views than there is room for`() {
    var text = "templates:\n  t0: {kind: label}\n"
    for depth in 1...6 {
      text += "  t\(depth): {kind: stack, subviews: [{repeat: {of: t\(depth - 1), for: 100}}]}\n"
    }
    let found = findings(in: text + "window: {subviews: [{of: t6}]}")
    #expect(found.count == 1)
    #expect(found[0].contains("more than 20000 views come from templates"), "\(found)")
  }

  @Test func `a chart shows the value that of names, also in a template`() throws {
    let text = """
      values: {outside: {value: null, history: 60}}
      templates: {curve: {kind: chart, of: "{source}"}}
      window: {subviews: [{of: curve, source: outside}, {kind: chart, of: outside}]}
      """
    let configuration = try parse(text)
    #expect(configuration.views.map(\.kind) == [.chart, .chart])
    #expect(
      configuration.views.map { $0.value(of: .chartValues, as: [String].self) } == [["outside"], ["outside"]])
  }
}

/// Files that include others.
@Suite struct IncludeTests {
  private func load(_ files: [String: String]) throws(ConfigurationError) -> Configuration {
    try Configuration.parse(bytes: Array((files["p/main.yaml"] ?? "").utf8), file: "p/main.yaml") {
      path throws(Errno) in
      guard let text = files[path] else { throw .noSuchFileOrDirectory }
      return Array(text.utf8)
    }
  }

  private func findings(_ files: [String: String]) -> [String] {
    do {
      return try load(files).warnings.map(\.description)
    } catch .invalid(let diagnostics) {
      return diagnostics.map(\.description)
    } catch {
      return ["\(error)"]
    }
  }

  @Test func `what files give is put together, and the one that includes counts`() throws {
    let configuration = try load([
      "p/main.yaml": """
      include: [base.yaml, parts/pages.yaml]
      values: {a: 1}
      display: {canvas: {size: [10, 20]}}
      window: {subviews: [{id: front, style: s}]}
      """,
      "p/base.yaml": """
      values: {a: 2, b: 3}
      display: {canvas: {size: [30, 40]}, background: "#111111"}
      styles: {s: {background: "#222222"}}
      window: {subviews: [{id: back}]}
      """,
      "p/parts/pages.yaml": """
      include: ../base.yaml
      handlers: {h: {kind: exec, on: ended, command: [./run.sh]}}
      window: {subviews: [{id: middle, kind: image, image: a.png}]}
      """,
    ])
    #expect(configuration.views.map(\.id) == ["back", "middle", "front"])
    #expect(configuration.values.map(\.initial) == [.number(1), .number(3)])
    #expect(configuration.display.canvasSize == Size(width: 10, height: 20))
    #expect(configuration.display.background != Configuration(file: "").display.background)
    #expect(configuration.views[1].picture?.path == "p/parts/a.png")
    guard case .exec(_, let command, _)? = configuration.handlers.first?.kind else {
      throw TestProblem("no exec")
    }
    #expect(command.first == "p/parts/./run.sh")
    #expect(
      configuration.origins.files == [
        "p/main.yaml", "p/base.yaml", "p/parts/../base.yaml", "p/parts/pages.yaml",
      ]
        || configuration.origins.files == ["p/main.yaml", "p/base.yaml", "p/parts/pages.yaml"])
  }

  @Test func `messages name the file that they are about`() {
    let found = findings([
      "p/main.yaml": "include: a.yaml\nwindow: {subviews: [{of: t, id: i, level: 3}]}",
      "p/a.yaml": "templates:\n  t: {alpha: \"{level}\", text: x}\nvalues: {a: [[1]]}\n",
    ])
    #expect(found.count == 3)
    #expect(found[0].hasPrefix("p/a.yaml:2:14: error: alpha is 3"))
    #expect(found[0].hasSuffix("(in \"i\", line 2, column 21 of p/main.yaml)"))
    #expect(found[2].hasPrefix("p/a.yaml:3:13: error: the value \"a\" is a list"))
  }

  @Test func `messages name the file of what they point to, if that is another one`() {
    let found = findings([
      "p/main.yaml": "include: [a.yaml, b.yaml]\nwindow: {subviews: [{of: t, id: i}, {id: same}]}",
      "p/a.yaml": "templates:\n  t: {kind: label, text: \"{level}\"}\n",
      "p/b.yaml": "window: {subviews: [{id: same}]}",
    ])
    let template = "the template \"t\" (line 2, column 6 of p/a.yaml) reads {level}"
    #expect(found.contains { $0.hasPrefix("p/main.yaml:2:") && $0.contains(template) }, "\(found)")
    let other = "first to a view in line 2, column 42 of p/main.yaml"
    #expect(found.contains { $0.hasPrefix("p/b.yaml:1:") && $0.contains(other) }, "\(found)")
  }

  @Test(arguments: [
    (
      "include: b.yaml\nwindow: {}",
      "p/main.yaml:1:10: error: \"p/b.yaml\" cannot be read: No such file or directory; check the path"
    ),
    (
      "include: main.yaml\nwindow: {}",
      "p/main.yaml:1:10: error: the file includes itself, \"p/main.yaml\" → \"p/main.yaml\"; remove one of the includes"
    ),
    (
      "include: c.yaml\nwindow: {}",
      "p/c.yaml:1:10: error: the file includes itself, \"p/main.yaml\" → \"p/c.yaml\" → \"p/main.yaml\"; remove one of the includes"
    ),
    (
      "include: [3]\nwindow: {}",
      "p/main.yaml:1:11: error: include is 3; give the path of a file, or a list of them: [styles.yaml]"
    ),
    (
      "include: d.yaml\nwindow: {}",
      "p/d.yaml:1:1: error: the file is a list; an included file has keys of a configuration, such as \"styles:\""
    ),
  ])
  func `what cannot be included is reported`(text: String, message: String) {
    let files = ["p/main.yaml": text, "p/c.yaml": "include: ../p/main.yaml\n", "p/d.yaml": "[a]"]
    #expect(findings(files) == [message])
  }

  @Test func `a text alone includes nothing`() {
    expect(
      TouchConfigTests.findings(in: "include: a.yaml\nwindow: {}"), state: ["1:10: error: only included"])
  }
}
