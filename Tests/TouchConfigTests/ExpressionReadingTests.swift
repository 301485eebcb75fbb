import Testing
import TouchExpressions

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// Expressions in a file: what they may name, what is an error and where, and how a brace is written.
@Suite struct ExpressionReadingTests {
  @Test(arguments: [
    ("kind: label, text: \"{s.value}°\"", "1:68: error: no view has the id \"s\""),
    ("kind: button, text: \"{value}\"", "1:69: error: value stands for that of the control"),
    ("kind: label, text: \"{}\"", "1:68: error: the braces are empty"),
    ("kind: label, text: \"a {{b} {temperature + 1}\"", "1:75: error: nothing is called \"temperature\""),
    ("kind: list, rows: [One, \"{value}\"]", "1:73: error: value stands for"),
    (
      "kind: label, text: '{a.alpha + a.txt}'",
      "1:80: error: \"{a.txt}\" stands for nothing; did you mean {a.text}?"
    ),
    ("kind: label, text: \"\\t{now:%Q}\"", "1:66: error: \"%Q\" is no format of strftime"),
    (
      "kind: label, text: \"{now: HH:mm}\"",
      "1:72: error: \" HH:mm\" has no % in it, so it would be shown as it is; write %H:%M"
    ),
    (
      "kind: label, text: \"{now:H:M}\"",
      "1:72: error: \"H:M\" has no % in it, so it would be shown as it is; write %H:%M"
    ),
    (
      "kind: label, text: \"{now:HH:MM:ss}\"",
      "1:72: error: \"HH:MM:ss\" has no % in it, so it would be shown as it is; write %H:%M:%S"
    ),
    (
      "kind: label, text: \"{now:dd.MM. HH:MM}\"",
      "1:72: error: \"dd.MM. HH:MM\" has no % in it, so it would be shown as it is; write %d.%m. %H:%M"
    ),
    (
      "kind: label, text: \"{now:yyyy-MM-dd}\"",
      "1:72: error: \"yyyy-MM-dd\" has no % in it, so it would be shown as it is; write %Y-%m-%d"
    ),
    (
      "kind: label, text: \"{now:time}\"",
      "1:72: error: \"time\" has no % in it, so it would be shown as it is; write %H:%M for the time"
    ),
    (
      "kind: label, text: \"{a.hidden ? 'On {a.alpha}' : 'off {x} {'}\"",
      "1:83: warning: {a.alpha} is shown with its braces"
    ),
    (
      "kind: label, text: \"{a.hidden ? 'It is {a.text}' : ''}\"",
      "1:86: warning: {a.text} is shown with its braces"
    ),
    ("alpha: \"{a.hidden}\"", "1:54: error: {a.hidden} is true or false, and alpha is a number"),
    ("alpha: \"{1 + }\"", "1:60: error: the expression ends"),
    ("background: \"{a.hidden ? 'red' : 'gren'}\"", "1:59: error: the expression can become \"gren\""),
    (
      "hidden: \"{not a.hidden}\"",
      "1:55: error: these follow each other in a circle: a.hidden follows a.hidden"
    ),
    ("clips: \"{a.hidden}\"", "1:54: error: clips is how the view is made"),
    ("font: {size: \"{a.hidden}\"}, kind: label", "1:60: error: {a.hidden} is true or false"),
  ])
  func `an expression that is wrong is an error where it stands`(keys: String, expected: String) {
    let found = findings(in: withView(keys))
    #expect(found.count == 1 && (found.first ?? "").hasPrefix(expected), "\(found)")
  }

  private static let typed =
    "values: {n: 5, s: x, l: [{n: 1}], names: [A, B], u: null}\nwindow: {subviews: [{id: a, frame: [0,0,9,9], "

  @Test(arguments: [
    ("transform: \"{n}\"", "2:58: error: {n} is a number, which transform cannot be; give [a, b"),
    ("corner_radius: \"{s}\"", "2:62: error: {s} is a text, which corner_radius cannot be; give a number"),
    ("hidden: \"{l}\"", "2:55: error: {l} is a list, and hidden is true or false"),
    ("alpha: \"{l}\"", "2:54: error: {l} is a list, and alpha is a number"),
    ("kind: slider, value: \"{s}\"", "2:68: error: {s} is a text, and value is a number"),
    ("kind: slider, value: \"{l}\"", "2:68: error: {l} is a list"),
    ("kind: slider, maximum: \"{n} {n}\"", "2:70: error: maximum is a number, and this is a text"),
    ("kind: list, rows: \"{s}\"", "2:65: error: {s} is a text, which rows cannot be; give a list of texts"),
    ("kind: list, rows: \"{n} rows\"", "2:65: error: this is a text with an expression in it, which rows"),
    ("kind: label, font: \"{s}\"", "2:66: error: {s} is a text, which font cannot be; give {family"),
    ("border: {color: red, width: \"{l}\"}", "2:75: error: {l} is a list, and width in border is a number"),
    ("kind: label, text: \"{n + l}\"", "2:72: error: this is a list, where a number is wanted"),
  ])
  func `an expression of a type that the property does not take is an error`(keys: String, expected: String) {
    let found = findings(in: Self.typed + keys + "}]}")
    #expect(found.count == 1 && (found.first ?? "").hasPrefix(expected), "\(found)")
  }

  @Test(arguments: [
    "corner_radius: \"{n}\"", "corner_radius: \"{l}\"", "corner_radius: \"{u}\"", "transform: \"{u}\"",
    "kind: list, rows: \"{names}\"",
    "kind: list, rows: [\"{n}\", \"{s}\"]", "kind: segmented, segments: \"{names}\"",
    "kind: picker, mode: time, value: \"{s}\"", "kind: picker, mode: time, maximum: \"{s}\"",
    "kind: label, font: {weight: \"{n}\"}", "kind: switch, value: \"{n}\"",
    "kind: slider, value: \"{n > 4}\"",
    "background: \"{s}\"", "kind: label, text: \"{l} {length(names)}\"",
  ])
  func `an expression of a type that the property takes is right`(keys: String) {
    expect(findings(in: Self.typed + keys + "}]}"), state: [])
  }

  @Test func `a frame, and what a value is set to, have their types`() {
    expect(
      findings(
        in: """
          values: {n: 5, s: x, l: [{n: 1}], m: []}
          window: {subviews: [{frame: "{n}"}, {frame: ["{s}", 0, 9, 9]},
          {kind: button, frame: [0,0,9,9], actions: {touch_up_inside: [set: {n: "{l}"}, set: {s: "{l}"}, set: {l: "{n}"}, set: {m: "{l}"}, set: {s: "{n}"}]}}]}
          """),
      state: [
        "2:29: error: {n} is a number, which frame cannot be … [x, y, width, height]",
        "2:46: error: {s} is a text, and value 1 in frame is a number",
        "3:71: error: {l} is a list, and n is a number", "3:88: error: {l} is a list, and s is a text",
        "3:105: error: {n} is a number, and l is a list",
      ])
  }

  @Test func `a list of texts is what rows and segments follow`() throws {
    let tree = ViewTree(
      try parse(
        """
        values: {names: [Anna, Bert], chosen: 1}
        window:
          subviews:
            - {id: l, kind: list, frame: [0, 0, 9, 9], rows: "{names}", value: "{chosen}"}
            - {id: p, kind: picker, mode: list, frame: [0, 0, 9, 9], rows: "{names}", value: 1}
            - {id: s, kind: segmented, frame: [0, 0, 9, 9], segments: "{names}", value: 1}
            - {id: o, kind: list, frame: [0, 0, 9, 9], rows: "{l.rows}"}
        """), canvasSize: Size(width: 100, height: 100))
    let list = try #require(tree.viewsByID["l"] as? ListView)
    let picker = try #require(tree.viewsByID["p"] as? PickerView)
    let segments = try #require(tree.viewsByID["s"] as? SegmentedControl)
    let other = try #require(tree.viewsByID["o"] as? ListView)
    #expect(list.rows == ["Anna", "Bert"] && list.selectedRow == 1)
    #expect(picker.rows == ["Anna", "Bert"] && picker.controlValue?.number == 1)
    #expect(segments.segments == ["Anna", "Bert"] && segments.selectedIndex == 1)
    #expect(other.rows == ["Anna", "Bert"] && other.selectedRow == nil)
    other.selectedRow = 1
    try tree.bindings.values.set(
      [.init(key: "names", value: .list([.text("Cleo"), .number(2), .text("Dan")]))], at: .zero)
    tree.bindings.settle()
    #expect(list.rows == ["Cleo", "2", "Dan"] && segments.segments.count == 3)
    // Other texts are other rows.
    #expect(other.selectedRow == nil && list.selectedRow == 1)
    try tree.bindings.values.set([.init(key: "names", value: .null)], at: .zero)
    tree.bindings.settle()
    #expect(list.rows.isEmpty && picker.rows.isEmpty)
  }

  @Test func `translated rows can be chosen from the beginning, and stay chosen in another language`() throws
  {
    let tree = ViewTree(
      try parse(
        """
        strings: {de: {a: Wort, b: Zweites}, en: {a: Word, b: Second}}
        window:
          subviews:
            - {id: l, kind: list, frame: [0, 0, 9, 9], rows: ["{t.a}", "{t.b}"], value: 1}
            - {id: p, kind: picker, mode: list, frame: [0, 0, 9, 9], rows: ["{t.a}", "{t.b}"], value: 1}
            - {id: s, kind: segmented, frame: [0, 0, 9, 9], segments: ["{t.a}", "{t.b}"], value: 1}
        """), canvasSize: Size(width: 100, height: 100))
    let list = try #require(tree.viewsByID["l"] as? ListView)
    for (language, text) in [("de", "Zweites"), ("en", "Second")] {
      try tree.bindings.values.set([.init(key: "language", value: .text(language))], at: .zero)
      tree.bindings.settle()
      #expect(list.selectedRow == 1 && list.rows[1] == text)
      #expect((tree.viewsByID["p"] as? PickerView)?.controlValue?.number == 1)
      #expect((tree.viewsByID["s"] as? SegmentedControl)?.selectedIndex == 1)
    }
    list.selectedRow = 0
    try tree.bindings.values.set([.init(key: "language", value: .text("de"))], at: .zero)
    tree.bindings.settle()
    #expect(list.selectedRow == 0)
    expect(
      findings(
        in: "strings: {de: {a: A}}\n"
          + withView("kind: list, rows: [\"{t.a}\", \"{t.a}\"], value: 2")),
      state: ["2:92: error: value is 2; give a whole number from -1 to 1"])
  }

  @Test func `every circle is reported`() {
    let found = findings(in: withView(#"hidden: "{not a.hidden}", alpha: "{a.alpha / 2}""#))
    #expect(
      found.count == 2 && found[0].contains("a.hidden follows a.hidden")
        && found[1].contains("a.alpha follows a.alpha"), "\(found)")
  }

  @Test func `a number with limits is what they allow, whoever sets it, and so it is after a reload`() throws
  {
    let values = try values(
      of:
        "values: {a: {value: 2, minimum: 0, maximum: 5, step: 0.5}, b: {value: null, minimum: 0, maximum: 1}}"
    )
    for (given, taken) in [(3.3, 3.5), (-1, 0), (99, 5)] {
      try values.set([.init(key: "a", value: .number(given))], at: .zero)
      #expect(values.value("a") == .number(taken))
    }
    try values.set([.init(key: "b", value: .text("7"))], isText: true, at: .zero)
    #expect(values.value("b") == .number(1))
    try values.set([.init(key: "b", value: .null)], at: .zero)
    #expect(values.value("b") == .null)
    #expect(throws: PropertyError.self) { try values.set([.init(key: "b", value: .flag(true))], at: .zero) }
    let narrower = try self.values(of: "values: {a: {value: 2, minimum: 0, maximum: 4}}")
    narrower.keep(values)
    #expect(narrower.value("a") == .number(4))
  }

  private func values(of keys: String) throws -> NamedValues {
    NamedValues(try parse(keys + "\nwindow: {}").values)
  }

  @Test func `values have names, types and what they are at first`() throws {
    let text = """
      values: {a: 1, b: {value: null, history: 60, unit: "°C", class: temperature, keep: true}, c: "x", d: true}
      locale: de
      window: {subviews: [{id: v, kind: label, frame: [0, 0, "{a * 10}", 9], text: "{a:.1f} {b}", font: {size: "{a}", color: red}}]}
      """
    let configuration = try parse(text)
    #expect(configuration.values.map(\.initial) == [.number(1), .null, .text("x"), .flag(true)])
    #expect(configuration.values[1].isKept && configuration.values[1].history == 60)
    #expect(configuration.bindings.map(\.name).sorted() == ["v.font.size", "v.frame", "v.text"])
    let tree = ViewTree(configuration, canvasSize: Size(width: 100, height: 100))
    let label = try #require(tree.viewsByID["v"] as? Label)
    #expect(label.text == "1,0 –" && label.textStyle.size == 1 && label.layoutRect.size.width == 10)
    #expect(label.textStyle.color == Color("red"))
    try tree.bindings.values.set([.init(key: "a", value: .number(2))], at: .zero)
    tree.bindings.settle()
    #expect(label.text == "2,0 –" && label.textStyle.size == 2 && label.layoutRect.size.width == 20)
  }

  @Test(
    arguments: [
      ("kind: label, text: \"{v\"", "1:67: warning: the brace has no end"),
      ("kind: label, text: 'a {v and {a.alpha}'", "1:69: warning: the brace has no end"),
      ("kind: label, text: '{v == \"a\"}'", "1:67: warning: what follows the brace is shown as it is"),
      ("kind: list, rows: [One, \"{v\"]", "1:72: warning: the brace has no end"),
      ("kind: label, text: \"{{v { v {3\"", nil),
    ] as [(String, String?)])
  func `a brace that begins a name and has no end is a warning`(keys: String, expected: String?) {
    let found = findings(in: withView(keys)).filter { $0.contains("brace") }
    #expect(found.count == (expected == nil ? 0 : 1), "\(found)")
    if let expected { #expect((found.first ?? "").hasPrefix(expected), "\(found)") }
  }

  @Test func `an outcome that is no page is an error`() {
    let found = findings(
      in: """
        values: {n: 1, s: x}
        window: {subviews: [{id: p, kind: pages, page: "{n == 1 ? 'nope' : 'a'}", frame: [0,0,1,1], subviews: [{id: a}]},
        {id: q, kind: pages, page: c, frame: [0,0,1,1], subviews: [{id: c}]},
        {id: b, kind: button, frame: [0,0,1,1], actions: {touch_up_inside: [set: {q: {page: "{n == 2 ? 'no' : 'c'}"}}]}}]}
        """)
    expect(
      found,
      state: [
        "2:48: error: \"p\" has no subview with the id \"nope\"",
        "4:85: error: \"q\" has no subview with the id \"no\"",
      ])
  }

  @Test func `numbers are written as in the language of the moment, unless the file names a locale`() throws {
    func tree(_ locale: String) throws -> ViewTree {
      let configuration = try parse(
        """
        strings: {de: {a: Ja}, en: {a: "Yes"}, xx: {a: Jes}}
        \(locale)
        values: {v: {value: 21.5, history: 60}}
        window: {subviews: [{id: l, kind: label, frame: [0,0,9,9], text: "{t.a} {v:.1f} {p.text}"},
        {id: p, kind: picker, mode: number, minimum: 0, maximum: 5, step: 0.5, value: 2.5, frame: [0,0,99,99]},
        {id: c, kind: chart, of: v, minimum: 0, maximum: 1.5, frame: [0,0,300,150]}]}
        """)
      return ViewTree(configuration, canvasSize: Size(width: 300, height: 150))
    }
    func shown(_ tree: ViewTree, in language: String) throws -> [String] {
      try tree.bindings.values.set([.init(key: "language", value: .text(language))], at: .zero)
      tree.followLanguage()
      tree.bindings.settle()
      let picker = try #require(tree.viewsByID["p"] as? PickerView)
      let chart = try #require(tree.viewsByID["c"] as? ChartView)
      return [
        (tree.viewsByID["l"] as? Label)?.text ?? "", picker.text(of: 3, in: 0),
        chart.chartFrame.values.last?.text ?? "",
      ]
    }
    let followed = try tree("")
    #expect((followed.viewsByID["l"] as? Label)?.text == "Ja 21,5 2,5", "before anything is set")
    #expect(try shown(followed, in: "en") == ["Yes 21.5 2.5", "1.5", "1.5"])
    #expect(try shown(followed, in: "de") == ["Ja 21,5 2,5", "1,5", "1,5"])
    #expect(try shown(followed, in: "xx") == ["Jes 21.5 2.5", "1.5", "1.5"], "as in English")
    let fixed = try tree("locale: de")
    #expect(try shown(fixed, in: "en") == ["Yes 21,5 2,5", "1,5", "1,5"])
  }

  @Test func `a language is written as a value that is kept`() throws {
    let strings = "strings: {de: {a: x}, en: {a: y}}"
    let kept = try parse("\(strings)\nlanguage: {value: en, keep: true}\nwindow: {}")
    let value = try #require(kept.values.first { $0.name == "language" })
    #expect(value.isKept && value.initial == .text("en") && value.choices == ["de", "en"])
    let plain = try parse("\(strings)\nlanguage: en\nwindow: {}")
    #expect(plain.values.first { $0.name == "language" }?.isKept == false)
    #expect(try parse("\(strings)\nlanguage: null\nwindow: {}").values.first?.initial == .text("de"))
  }

  @Test(arguments: [
    ("strings: {de: {a: x}, en: {a: y, b: z}}", "1:10: warning: the text \"b\" is missing in \"de\""),
    ("strings: [de]", "1:10: error: strings is a list"),
    ("strings: {de: {a: \"um {now:%H:%M}\"}}", "1:19: warning: the text \"a\" is shown with its braces"),
    ("values: {v: [{n: \"{t.a}\"}]}", "1:18: warning: "),
    ("strings: {de: x}", "1:15: error: the language \"de\" is"),
    (
      "strings: {de: {a: x}}\nlanguage: en",
      "2:11: error: language is the text \"en\""
    ),
    (
      "strings: {de: {a: x}}\nlanguage: {value: en, keep: true}",
      "2:19: error: language is the text \"en\""
    ),
    ("strings: {de: {a: x}}\nlanguage: {value: 3}", "2:11: error: language is a mapping"),
    ("values: [a]", "1:9: error: values is a list"),
    ("values: {now: 1}", "1:10: error: \"now\" has a meaning"),
    ("values: {\"a b\": 1}", "1:10: error: \"a b\" cannot be the name"),
    ("values: {a: {}}", "1:13: error: the value \"a\" needs \"value\""),
    (
      "values: {a: {value: 1, kep: true}}",
      "1:24: error: unknown key \"kep\" in a value; did you mean \"keep\"?"
    ),
    ("values: {a: [[1]]}", "1:13: error: the value \"a\" is a list"),
    ("locale: tlh", "1:9: error: locale is the text"),
    ("values: {a: {value: 1, history: 0}}", "1:33: error: history is 0"),
    ("values: {a: {value: 1, minimum: 0}}", "1:33: error: minimum needs both limits"),
    ("values: {a: {value: 1, step: 1}}", "1:30: error: step needs both limits"),
    (
      "values: {a: {value: 1, minimum: 2, maximum: 1}}",
      "1:33: error: minimum is 2; give one that is not above"
    ),
    ("values: {a: {value: x, minimum: 0, maximum: 1}}", "1:33: error: minimum is for a number"),
    (
      "values: {a: {value: 7, minimum: 0, maximum: 5}}",
      "1:21: error: value is 7; the limits do not allow it; the nearest that they do is 5"
    ),
  ])
  func `a value that is wrong is an error where it stands`(keys: String, expected: String) {
    let found = findings(in: keys + "\nwindow: {}")
    #expect(found.count == 1 && (found.first ?? "").hasPrefix(expected), "\(found)")
  }

  @Test func `a view that is called as the texts of strings are is reported where one of them is wanted`() {
    func found(_ text: String) -> [String] {
      findings(
        in:
          "strings: {de: {a: x}}\nwindow: {subviews: [{id: t, kind: label, frame: [0, 0, 9, 9], text: '\(text)'}]}"
      )
    }
    let expected =
      "2:73: error: a view has the id \"t\", which hides the texts of strings; give it another id"
    #expect(found("{t.a}") == [expected])
    #expect(found("{t.hidden}") == [])
  }

  /// A file with the values `n`, `t` and `f`, a bound label `l`, and a button that does something.
  private func step(_ step: String) -> String {
    """
    values: {n: 1, s: x, f: true, r: []}
    window: {subviews: [{id: l, kind: label, frame: [0,0,1,1], text: "{n}"}, {id: b, kind: button, frame: [0,0,1,1], actions: {touch_up_inside: [
    \(step)
    ]}}]}
    """
  }

  @Test(
    arguments: [
      ("set: {n: \"{n + 1}\", s: \"a {n}\", f: \"{not f}\"}", nil), ("set: {n: 5, s: 5, f: false}", nil),
      ("set: {r: [{key: a, on: true}, 3]}", nil), ("set: {r: \"{r}\"}", nil),
      ("set: {r: [[1]]}", "3:10: error: r is a list; give rows of plain values"),
      ("set: {r: [{key: \"{n}\"}]}", "3:17: error: the rows that a step sets are plain values"),
      ("set: {n: [1]}", "3:10: error: n is a list; give what it becomes"),
      ("set: {n: x}", "3:10: error: n: \"x\" is not what this value holds; give a number"),
      ("set: {n: \"{s}\"}", "3:10: error: {s} is a text, and n is a number"),
      ("set: {n: \"a {n}\"}", "3:10: error: n is a number, and this is a text"),
      ("set: {m: 1}", "3:7: error: no view or value has the id \"m\""),
      ("set: {l: {text: a}}", "3:17: error: l.text follows \"{n}\"; set n instead"),
      ("set: {l: {alpha: \"{n / 2}\"}}", nil),
      ("set: {l: {alpha: \"{s}\"}}", "3:18: error: {s} is a text, and alpha"),
      (
        "if: {that: \"{n > 1}\", then: [set: {n: 1}], else: [after: {seconds: 1, steps: [set: {n: 2}]}]}", nil
      ),
      ("if: {that: \"{n}\", then: []}", "3:12: error: {n} is a number, and that is true or false"),
      ("if: {that: true, then: []}", "3:12: error: this is always true"),
      ("if: {that: \"n > 1\", then: []}", "3:12: error: this is a text, and neither"),
      ("if: {that: \"{f}\"}", "3:5: error: an if needs \"then\""),
      ("after: {seconds: 0, steps: []}", "3:18: error: seconds is 0"),
      (
        "after: {seconds: 5min, steps: []}",
        "3:18: error: seconds is the text \"5min\"; write 300, in seconds"
      ),
      (
        "after: {seconds: 2 h, steps: []}", "3:18: error: seconds is the text \"2 h\"; write 7200, in seconds"
      ),
      ("after: {seconds: 1}", "3:8: error: an after needs \"steps\""),
      ("after: {seconds: 1, steps: [set: {l: {txt: a}}]}", "3:39: error: unknown key \"txt\""),
      ("run: [echo, \"{round(n * 10)} {n}\", \"{print n}\"]", nil),
      ("run: [echo, \"{q}\"]", "3:15: error: nothing is called \"q\""),
    ] as [(String, String?)])
  func `steps set values, decide and wait`(step: String, expected: String?) {
    let found = findings(in: self.step(step))
    #expect(found.count == (expected == nil ? 0 : 1), "\(found)")
    if let expected { #expect((found.first ?? "").hasPrefix(expected), "\(found)") }
  }

  @Test func `two braces are one`() throws {
    #expect(try made("kind: label, text: \"{{value} {{{{ }}\"", as: Label.self).text == "{value} {{ }}")
    #expect(try made("kind: list, rows: [\"{{a}\"]", as: ListView.self).rows == ["{a}"])
  }

  /// A step of the button `b`, beside a label, a slider and a list.
  private func stepFindings(of step: String) -> [String] {
    TouchConfigTests.findings(
      in: """
        window: {subviews: [{id: b, kind: button, frame: [0,0,1,1], actions: {touch_up_inside: [
        \(step)
        ]}}, {id: l, kind: label, frame: [0,0,1,1]}, {id: s, kind: slider, frame: [0,0,1,1]},
        {id: songs, kind: list, frame: [0,0,1,1]}, {id: plain, frame: [0,0,1,1], border: {color: red}},
        {id: st, kind: stack, frame: [0,0,1,1], columns: 2, subviews: [{id: in, size: [1, 1]}]}]}
        """)
  }

  static let wrong: [(String, String)] = [
    ("set: {l: {text: \"{s.vale}\"}}", "{s.vale}\" stands for nothing; did you mean {s.value}?"),
    ("set: {l: {text: \"{l.txt}\"}}", "{l.txt}\" stands for nothing; did you mean {l.text}?"),
    ("set: {l: {text: \"{s.colour}\"}}", "did you mean {s.value}?"),
    ("set: {l: {text: \"{valu}\"}}", "nothing is called \"valu\"; did you mean {value}?"),
    ("set: {l: {text: \"{s}\"}}", "did you mean {s.value}?"),
    ("set: {l: {text: \"{songz.text}\"}}", "no view has the id \"songz\""),
    ("set: {l: {text: \"{songz.txt}\"}}", "did you mean \"songs\"?"),
    ("set: {l: {text: {s.value}}}", "put it in quotes: \"{s.value}\""),
    ("run: [echo, \"{s.vale}\"]", "did you mean {s.value}?"),
    ("run: [echo, \"{valu}\"]", "did you mean {value}?"),
    ("send: {to: subscribers, message: {a: [1, \"{s.vale}\"]}}", "did you mean {s.value}?"),
  ]

  @Test(arguments: wrong)
  func `braces with a slip in them are answered with what was meant`(step: String, words: String) {
    let found = stepFindings(of: step)
    #expect(
      found.count == 1 && (found.first ?? "").hasPrefix("2:") && (found.first ?? "").contains(words),
      "\(found)")
  }

  @Test(arguments: [
    "set: {l: {text: \"{s.value}°, {{s.vale}, a { b\"}}", "run: [awk, \"{ print $1 }\"]",
    "run: [sh, -c, \"echo ${HOME}\"]",
    "run: [find, /tmp, -exec, ls, \"{}\", \";\"]", "run: [curl, -d, '{\"on\": true}']",
    "send: {to: subscribers, message: {a: {b: {}}, c: \"{s.value}\"}}",
  ])
  func `braces of a program's own are left alone`(step: String) {
    #expect(stepFindings(of: step).isEmpty)
  }

  static let sets: [(String, String?)] = [
    ("l: {border: {width: 2}}", "a border needs \"color\""), ("plain: {border: {width: 2}}", nil),
    ("l: {border: {color: red, width: 2}}", nil), ("l: {border: none, background: none}", nil),
    ("in: {frame: [0, 0, 1, 1]}", "set size: [width, height]"), ("in: {size: [2, null]}", nil),
    ("in: {size: [2, none]}", nil), ("l: {size: [2, 2]}", "\"l\" is neither"),
    ("st: {axis: horizontal}", "columns"), ("l: {font: {weight: 700, color: orange}}", nil),
    ("l: {background: gren}", "did you mean \"green\"?"), ("l: {frame: [0, 0, 50%, 1]}", "kind: stack"),
    ("l: {alpha: 50%}", "write 0.5"), ("l: {opacity: 1}", "alpha"),
    ("l: {text: {value}}", "put it in quotes"),
  ]

  @Test(arguments: sets)
  func `what an action sets is checked as the file would be`(set: String, words: String?) {
    let found = stepFindings(of: "set: {\(set)}")
    #expect(found.count == (words == nil ? 0 : 1), "\(found)")
    if let words { #expect(found.first?.contains(words) == true, "\(found)") }
  }

  @Test func `none in a file is what null is`() throws {
    let file = """
      window: {subviews: [{id: sc, kind: scroll, frame: [0,0,1,1], content: none},
      {id: b, kind: button, frame: [0,0,1,1], actions: {touch_up_inside: [set: {sc: {content: none}}]}}]}
      """
    let configuration = try parse(file)
    #expect((configuration.views[0].makeView() as? ScrollView)?.scrolling.contentSize == nil)
    #expect(
      configuration.actions.first?.steps.first?.step == .set(view: "sc", [setting("content", Size?.none)]))
  }

  /// A panel of many figures: what changes each second is computed once, and nothing else.
  @Test func `of 200 texts a change computes those that read it, and nothing else`() throws {
    let text = """
      values: {fast: 1, slow: 1}
      window:
        subviews:
          - {repeat: {for: 50, view: {kind: label, frame: [0, 0, 9, 9], text: "{fast + index:.1f}"}}}
          - {repeat: {for: 150, view: {kind: label, frame: [0, 0, 9, 9], text: "{slow + index:.1f}", id: "slow-{index}"}}}
      """
    let tree = ViewTree(try parse(text), canvasSize: Size(width: 10, height: 10))
    let bindings = tree.bindings
    #expect(bindings.computations == 200)
    for second in 1...10 {
      try bindings.values.set([.init(key: "fast", value: .number(Double(second) + 0.5))], at: .zero)
      bindings.settle()
      #expect(bindings.computations == 200 + 50 * second)
      // A turn in which nothing has changed.
      bindings.settle()
      #expect(bindings.computations == 200 + 50 * second)
    }
    #expect((tree.viewsByID["row-49"] as? Label)?.text == "59.5")
    #expect(bindings.nextChange() == nil)
  }

  @Test func `the steps of a row's action know the row and the action`() throws {
    let list =
      "window: {subviews: [{id: l, kind: list, frame: [0, 0, 9, 9], actions: {row_action: [run: [echo, '{row}', '{row_action}']]}}]}"
    let steps = try parse(list).actions[0].steps
    guard case .run(let command, _, _) = steps[0].step else { throw TestProblem("no run") }
    #expect(command.flatMap(\.references) == [.sent(.row), .sent(.rowAction)])
    let button =
      "window: {subviews: [{kind: button, frame: [0, 0, 9, 9], actions: {touch_up_inside: [run: [echo, '{row}']]}}]}"
    expect(findings(in: button), state: ["1:99: error: row of a list that was swiped"])
  }
}
