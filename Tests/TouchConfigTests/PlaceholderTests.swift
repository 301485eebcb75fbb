import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// Braces in texts: what fills them in, what is an error, and how a brace is written.
@Suite struct PlaceholderTests {
  @Test(arguments: [
    "kind: label, text: \"{s.value}°\"", "kind: button, text: \"{value}\"", "kind: label, text: \"{}\"",
    "kind: label, text: \"{temperature}\"", "kind: list, rows: [One, \"{value}\"]",
    "kind: segmented, segments: [\"{a.text}\"]",
  ])
  func `braces that nothing fills in are an error where they stand`(keys: String) {
    let found = findings(in: withView(keys))
    #expect(found.count == 1 && (found.first ?? "").contains("error: nothing fills in \"{"), "\(found)")
    #expect(
      (found.first ?? "").hasPrefix(
        keys.contains("rows") ? "1:71: " : keys.contains("segm") ? "1:75: " : "1:6"))
    #expect((found.first ?? "").contains("write \"{{\" for a brace"))
  }

  @Test func `two braces are one`() throws {
    #expect(try made("kind: label, text: \"{{value} {{{{ }}\"", as: Label.self).text == "{value} {{ }}")
    #expect(try made("kind: list, rows: [\"{{a}\"]", as: ListView.self).rows == ["{a}"])
    let filled = ActionStep.filled("{{value} is {value}, {{{value}}") { _ in "22" }
    #expect(filled == "{value} is 22, {22}")
    #expect(ActionStep.filled("\"{{value}\"", isJSON: true) { _ in "22" } == "\"{value}\"")
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
    ("set: {l: {text: \"{valu}\"}}", "{valu}\" stands for nothing; did you mean {value}?"),
    ("set: {l: {text: \"{s}\"}}", "did you mean {s.value}?"),
    ("set: {l: {text: \"{songz.text}\"}}", "no view has the id \"songz\""),
    ("set: {l: {text: \"{songz.txt}\"}}", "did you mean \"songs\"?"),
    ("set: {l: {text: \"{s.value:.1f}\"}}", "write {s.value}: no format"),
    ("set: {l: {text: \"{now}\"}}", "give {value}, {text}"),
    ("set: {l: {text: \"{plain.size}\"}}", "\"plain\" has neither a value nor a text"),
    ("set: {l: {text: {s.value}}}", "put it in quotes: \"{s.value}\""),
    ("run: [echo, \"{s.vale}\"]", "did you mean {s.value}?"),
    ("run: [echo, \"{valu}\"]", "did you mean {value}?"),
    ("send: {to: subscribers, message: {a: [1, \"{s.vale}\"]}}", "did you mean {s.value}?"),
    ("set: {songs: {rows: [\"{s.value}\"]}}", "nothing fills in"),
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
    ("in: {size: [2, none]}", nil), ("l: {size: [2, 2]}", "\"l\" is in none"),
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
}
