import Foundation
import Testing

/// A panel's own tests, as a user runs them.
@Suite struct RehearsalTests {
  static let panel = """
    theme: dark
    values: {count: 0, wait: 0, where: here}
    display: {canvas: {size: [400, 240]}}
    idle: [{after: 300, page: {screens: home}}]
    application: {keys: {F1: [set: {where: F1}]}}
    handlers: {chime: {kind: exec, when: pressed, command: [sh, -c, "touch started"]}}
    window:
      subviews:
        - id: screens
          kind: pages
          subviews:
            - id: home
              subviews:
                - {id: title, kind: label, frame: [0, 0, 200, 40], text: "{count} at {now:%H:%M:%S}"}
                - id: plus
                  kind: button
                  frame: [0, 40, 100, 60]
                  text: More
                  handlers: [chime]
                  actions:
                    touch_up_inside:
                      - set: {count: "{count + 1}"}
                      - run: [sh, -c, "touch started"]
                      - after: {seconds: 2, steps: [set: {wait: 1}]}
                - {id: level, kind: slider, frame: [0, 100, 200, 40], maximum: 100, value: 0}
                - {id: name, kind: text_field, frame: [0, 140, 200, 40]}
                - {id: lamp, frame: [220, 0, 80, 80], background: red, hidden: true}
                - id: photo
                  frame: [220, 80, 100, 100]
                  background: gray
                  gestures: [{id: hold, kind: long_press, actions: [set: {where: held}]}, {kind: tap, taps: 2, actions: [set: {where: twice}]}]
            - {id: settings, background: "#123456", subviews: [{id: away, kind: button, frame: [0, 0, 90, 40], text: Away}]}

    """

  /// Steps, and the end of the message of the one that fails, with its line and column; nil where all pass.
  static let rows: [(steps: [String], fails: String?)] = [
    (["touch: plus", "expect: {count: 1, title: {text: \"1 at 12:00:00\"}}"], nil),
    (["touch: {at: plus, taps: 3}", "expect: {count: 3}"], nil),
    (["touch: [50, 70]", "expect: {count: 1}"], nil),
    (["touch: plus", "expect: {wait: 0}", "wait: 2", "expect: {wait: 1}"], nil),
    (["touch: plus", "wait: 1.9", "expect: {wait: 1}"], "5:16: error: wait is 0, and not 1"),
    (["touch: {at: photo, hold: 1}", "expect: {where: held}"], nil),
    (["touch: {at: photo, taps: 2}", "expect: {where: twice}"], nil),
    (["drag: {from: [20, 120], to: [400, 120]}", "expect: {level: {value: 100}}"], nil),
    (["type: {text: Ada, into: name}", "type: \" L.\", ", "expect: {name: {text: Ada L.}}"], nil),
    (
      ["type: Ada"],
      "no text field is edited, so \"Ada\" is not typed; touch a text field first, or name one: "
    ),
    (
      ["type: {text: \"Ada\\nLovelace\", into: name}"],
      "a line break ended editing, so \"Lovelace\" is not typed; touch a text field first, or name one: "
    ),
    (["key: F1", "expect: {where: F1}"], nil),
    (["set: {count: 41}", "touch: plus", "expect: {count: 42}"], nil),
    (["set: {lamp: {hidden: false}}", "expect: {lamp: {hidden: false, background: \"#ff0000\"}}"], nil),
    (["page: {screens: settings}", "expect: {screens: {page: settings}}", "touch: away"], nil),
    (
      [
        "page: {screens: settings}", "wait: 299", "expect: {screens: {page: settings}}", "wait: 2",
        "expect: {screens: {page: home}}",
      ], nil
    ),
    (["wait: 86400", "wait: 1", "expect: {title: {text: \"0 at 12:00:01\"}}"], nil),
    (
      ["expect: {title: {text: nothing}}"],
      "3:24: error: title.text is \"0 at 12:00:00\", and not \"nothing\""
    ),
    (["expect: {titel: {text: a}}"], "3:16: error: no view has the id \"titel\"; did you mean \"title\"?"),
    (["expect: {title: {txt: a}}"], "3:24: error: a label has no \"txt\"; did you mean \"text\"?"),
    (["expect: {title: 3}"], "title is a view: name its properties, as in {title: {text: Hello}}"),
    (["expect: {cuont: 3}"], "no value is called \"cuont\"; did you mean \"count\"?"),
    (["touch: pluss"], "3:7: error: no view has the id \"pluss\"; did you mean \"plus\"?"),
    (["touch: away"], "a touch on away at"), (["touch: lamp"], "lamp is hidden; show it first"),
    (["set: {cont: 1}"], "3:13: error: "), (["page: {screens: nowhere}"], "3:14: error: "),
    (["picture: {file: p.png, view: lmp}"], "did you mean \"lamp\"?"),
  ]

  @Test(arguments: rows.indices)
  func `a step passes, or fails with its place and what was found`(row: Int) throws {
    let (steps, fails) = Self.rows[row]
    try Program.inFolder { folder in
      let outcome = try rehearse(steps, in: folder)
      if let fails {
        #expect(outcome.status == 1 && outcome.output.contains(fails), "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("0 of 1 case passed"))
      } else {
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(steps): \(outcome.output)\(outcome.errors)")
      }
      #expect(!FileManager.default.fileExists(atPath: folder + "/started"))
    }
  }

  private func rehearse(
    _ steps: [String], _ options: [String] = [], in folder: String
  ) throws -> Program.Outcome {
    try Self.panel.write(toFile: folder + "/panel.yaml", atomically: true, encoding: .utf8)
    let text =
      "panel: panel.yaml\ncases: [{name: one, steps: [\n"
      + steps.map { "      \($0.hasSuffix(", ") ? $0 : $0 + ",")\n" }.joined()
    try (text + "]}]\n").write(toFile: folder + "/r.yaml", atomically: true, encoding: .utf8)
    return try Program.run(["rehearse", "r.yaml"] + options, in: folder)
  }

  static let wrong: [(text: String, says: String)] = [
    ("cases: []", "a rehearsal needs \"panel\""), ("panel: panel.yaml", "a rehearsal needs \"cases\""),
    (
      "panel: panel.yaml\ncases: [{name: a, steps: [tap: plus]}]",
      "2:27: error: unknown key \"tap\" in a step of a rehearsal; did you mean \"touch\"?"
    ),
    ("panel: panel.yaml\ncases: [{name: a, steps: [{touch: plus, wait: 1}]}]", "a step has several keys"),
    ("panel: panel.yaml\ncases: [{name: a, steps: []}, {name: a, steps: []}]", "two cases have the name"),
    ("panel: panel.yaml\ncases: [{name: a, steps: [key: entr]}]", "did you mean \"enter\"?"),
    (
      "panel: panel.yaml\nnow: 2026-02-30 09:00\ncases: []",
      "2:6: error: now is the text \"2026-02-30 09:00\"; give a date and a time"
    ),
    ("panel: panel.yaml\ncases: [{name: a, steps: [drag: {from: plus}]}]", "a drag needs \"to\""),
    ("panel: panel.yaml\ncases: [{name: a, steps: [wait: 90000]}]", "0 to 86400"),
    ("panel: [", "error: "), ("panel: gone.yaml\ncases: []", "gone.yaml"),
  ]

  @Test(arguments: wrong.indices)
  func `what is wrong with a rehearsal is reported with its place, and nothing is performed`(row: Int) throws
  {
    try Program.inFolder { folder in
      try Self.panel.write(toFile: folder + "/panel.yaml", atomically: true, encoding: .utf8)
      try Self.wrong[row].text.write(toFile: folder + "/r.yaml", atomically: true, encoding: .utf8)
      let outcome = try Program.run(["rehearse", "r.yaml"], in: folder)
      #expect(outcome.status == (Self.wrong[row].text.contains("gone") ? 66 : 78) && outcome.output.isEmpty)
      #expect(outcome.errors.contains(Self.wrong[row].says), "\(outcome.errors)")
    }
  }

  @Test func `a picture is recorded, compared, and tolerated as far as the step says`() throws {
    try Program.inFolder { folder in
      let steps = ["set: {lamp: {hidden: false}}", "picture: {file: p.png, view: lamp}"]
      let first = try rehearse(steps, in: folder)
      #expect(
        first.status == 2 && first.output.contains("4:7: warning: the picture p.png is not there"),
        "\(first.output)")
      #expect(try rehearse(steps, ["--record"], in: folder).status == 0)
      #expect(try rehearse(steps, in: folder).status == 0)
      func other(_ rest: String, color: String = "#fe0000") throws -> Program.Outcome {
        try rehearse(
          [
            "set: {lamp: {hidden: false, background: \"\(color)\"}}",
            "picture: {file: p.png, view: lamp\(rest)}",
          ], ["-o", "all"], in: folder)
      }
      let found = try other("")
      #expect(
        found.status == 1
          && found.output.contains(
            "100 % of its pixels differ, and 0 % may; the first is 0,0, with #fe0000 and not #ff0000"),
        "\(found.output)")
      #expect(FileManager.default.fileExists(atPath: folder + "/all/one-p.png"))
      #expect(try other(", shades: 1").status == 0)
      #expect(try other(", shades: 1", color: "#fd0000").status == 1)
      #expect(try other(", tolerance: 100").status == 0)
      let size = try rehearse(
        [
          "set: {lamp: {hidden: false, frame: [220, 0, 40, 80]}}",
          "picture: {file: p.png, view: lamp, tolerance: 100}",
        ], in: folder)
      #expect(
        size.status == 1 && size.output.contains("it has 40×80 pixels, and not 80×80"), "\(size.output)")
    }
  }

  @Test func `JUnit's file has each case, and a run is the same each time`() throws {
    try Program.inFolder { folder in
      try Self.panel.write(toFile: folder + "/panel.yaml", atomically: true, encoding: .utf8)
      try """
      panel: panel.yaml
      now: 2026-03-01 09:00
      values: {count: 7}
      cases:
        - {name: a "good" one, steps: [touch: plus, expect: {count: 8}]}
        - {name: another, steps: [expect: {count: 8}]}
        - {name: a picture, steps: [picture: none.png]}
      """.write(toFile: folder + "/r.yaml", atomically: true, encoding: .utf8)
      var reports: [String] = []
      for _ in 1...2 {
        let outcome = try Program.run(["rehearse", "r.yaml", "--junit", "j.xml"], in: folder)
        #expect(
          outcome.status == 1 && outcome.output.hasSuffix("r.yaml: 2 of 3 cases passed\n"),
          "\(outcome.output)")
        reports.append(try String(contentsOfFile: folder + "/j.xml", encoding: .utf8))
      }
      #expect(reports[0] == reports[1])
      let parsed = reports[0].matches(of: /<([a-z]+)[ >]/).map { String($0.1) }
      #expect(
        parsed == ["testsuites", "testsuite", "testcase", "testcase", "failure", "testcase", "skipped"])
      #expect(
        reports[0].contains("name=\"a &quot;good&quot; one\"")
          && reports[0].contains("tests=\"3\" failures=\"1\" skipped=\"1\""))
      let one = try Program.run(["rehearse", "r.yaml", "--only", "another"], in: folder)
      #expect(one.status == 1 && one.output.contains("0 of 1 case passed"))
      #expect(
        try Program.run(["rehearse", "r.yaml", "--only", "none"], in: folder).errors.contains(
          "the cases are: "))
    }
  }
}
