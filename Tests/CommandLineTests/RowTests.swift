import Foundation
import Testing

/// Rows that are made of a value, files that include others, and the kiosk that is one file, in a daemon that
/// runs.
extension ValueTests {
  @Test func `rows come and go with the list of a value, and those that stay keep what was set`() throws {
    try Program.inFolder { folder in
      let file = """
        include: parts/rows.yaml
        display: {device: headless, canvas: {size: [200, 300]}}
        values: {rooms: {value: [{key: a, name: A}], keep: true}}
        window: {subviews: [{kind: stack, axis: vertical, subviews: [{repeat: {of: room, for: rooms}}]}]}

        """
      let rows =
        "templates: {room: {kind: stack, subviews: [{kind: label, text: \"{name}\"}, {id: on, kind: switch}]}}\n"
      try Data(file.utf8).write(to: URL(filePath: "\(folder)/a.yaml"))
      try FileManager.default.createDirectory(atPath: "\(folder)/parts", withIntermediateDirectories: true)
      try Data(rows.utf8).write(to: URL(filePath: "\(folder)/parts/rows.yaml"))
      let log = try withDaemon(in: folder) { ctl in
        func tree() throws -> String { try ctl(["tree"]).output }
        #expect(try ctl(["set", "room-a-on", "value=true"]).status == 0)
        #expect(try ctl(["set", #"rooms=[{"key":"b","name":"B"},{"key":"a","name":"Z"}]"#]).status == 0)
        try Program.eventually("two rows") {
          try tree().contains(
            /room-b .*\n.*\n.*room-b-on .*value false\n.*room-a .*\n.*\n.*room-a-on .*value true/)
        }
        // What no row can be made of changes nothing, and is said.
        let refused = try ctl(["set", #"rooms=[{"key":"b"}]"#])
        #expect(refused.status == 1 && refused.errors.contains("a.yaml:4:72: error: the template \"room\""))
        #expect(try ctl(["explain", "rooms"]).output.contains("Z"))
        _ = try ctl(["set", #"rooms=[{"key":"c","name":"C"}]"#])
        try Program.eventually("one row") { try tree().contains("room-c") && !tree().contains("room-a") }
        try Data(rows.replacing("id: on", with: "id: off").utf8)
          .write(to: URL(filePath: "\(folder)/parts/rows.yaml"))
        #expect(try ctl(["reload"]).status == 0)
        try Program.eventually("the file that is included") { try tree().contains("room-c-off") }
        try Data("templates: {room: {kind: lable}}".utf8).write(
          to: URL(filePath: "\(folder)/parts/rows.yaml"))
        let reload = try ctl(["reload"])
        #expect(
          reload.status == 78 && reload.errors.contains("parts/rows.yaml:1:26: error: kind is the text"))
        try Data(rows.utf8).write(to: URL(filePath: "\(folder)/parts/rows.yaml"))
      }
      #expect(!log.contains("a.yaml:4:72: error"), "\(log)")
      // They are kept over a restart.
      _ = try withDaemon(in: folder) { ctl in
        try Program.eventually("the kept row") { try ctl(["tree"]).output.contains("room-c-on") }
      }
    }
  }

  @Test func `a request may be for one row of a list alone`() throws {
    try Program.inFolder { folder in
      let daemon = try RemoteTests.Daemon(
        in: folder,
        tree: """
          display: {canvas: {size: [200, 300]}}
          values: {bays: [{key: a}, {key: b}]}
          templates: {bay: {kind: stack, subviews: [{id: on, kind: switch}]}}
          window:
            subviews:
              - {kind: list, frame: [0, 0, 200, 100], subviews: [{repeat: {of: bay, for: bays}}]}
              - {id: other, kind: switch, frame: [0, 200, 60, 40]}
          """)
      let rows = [
        ("bay-0-on", #""a""#, "done"), ("bay-0-on", #""b""#, #"shows the row \"a\" at the moment"#),
        ("bay-0-on", "null", "is for a view that is in no list"), ("other", "null", "done"),
        ("other", #""a""#, "shows no row at the moment"), ("bays", "null", "a named value is called so"),
        ("bayss", "null", #"did you mean \"bays\"?"#),
      ]
      let requests = rows.map { view, key, _ in
        #"{"type":"set","id":1,"view":"\#(view)","row_key":\#(key),"properties":{"value":true}}"#
      }
      let lines = requests.map { "'\($0)'" }.joined(separator: " ")
      let outcome = try daemon.shell("printf '%s\\n' \(lines) | \"$T\" ctl - --socket \"$S\"")
      let answers = outcome.output.split(separator: "\n").filter { $0.contains(#""id":1"#) }
      #expect(answers.count == rows.count, "\(outcome.output)")
      for (answer, row) in zip(answers, rows) { #expect(answer.contains(row.2), "\(answer)") }
    }
  }

  @Test(arguments: ["list", "stack"])
  func `a list that is set again undoes what was changed in its rows`(kind: String) throws {
    try Program.inFolder { folder in
      try """
      display: {device: headless, canvas: {size: [200, 300]}}
      values: {bays: [{key: a, on: true}]}
      templates: {bay: {kind: stack, subviews: [{id: on, kind: switch, value: "{on}"}]}}
      window: {subviews: [{kind: \(kind), frame: [0, 0, 99, 99], subviews: [{repeat: {of: bay, for: bays}}]}]}
      """.write(toFile: "\(folder)/a.yaml", atomically: true, encoding: .utf8)
      _ = try withDaemon(in: folder) { ctl in
        let id = kind == "list" ? "bay-0-on" : "bay-a-on"
        func set(_ arguments: String...) throws {
          let outcome = try ctl(["set"] + arguments)
          #expect(outcome.status == 0, "\(outcome.errors)")
        }
        func expect(_ isOn: Bool) throws {
          let tree = try ctl(["tree"]).output
          #expect(tree.contains(/bay-.*-on .*value true/) == isOn, "\(tree)")
        }
        for list in [#"[{"key":"a","on":true}]"#, #"[{"key":"a","on":true},{"key":"b","on":false}]"#] {
          try set(id, "value=false")
          try expect(false)
          try set("bays=\(list)")
          try expect(true)
        }
        let tree = try ctl(["tree", "--json"]).output
        #expect(tree.contains(#""row_key":"a""#) == (kind == "list"))
      }
    }
  }

  @Test func `a picture has the values that are given, at any size of the display`() throws {
    try Program.inFolder { folder in
      func file(_ power: Int, _ bays: String) throws -> String {
        let name = "\(folder)/\(power)\(bays.count).yaml"
        try """
        display: {canvas: {size: [120, 120], scale: extend}}
        values: {power: \(power), bays: \(bays)}
        window:
          subviews:
            - {kind: label, frame: [0, 0, 120, 40], text: "{power}"}
            - kind: list
              frame: [0, 40, 120, 80]
              row_height: 20
              subviews: [{repeat: {view: {kind: label, text: "{name}"}, for: bays}}]
        """.write(toFile: name, atomically: true, encoding: .utf8)
        return name
      }
      let bays = #"[{"name":"A"},{"name":"B"}]"#
      let (bare, whole) = (try file(1, "[]"), try file(7, bays))
      for size in ["120x120", "120x200"] {
        func picture(_ file: String, _ options: String...) throws -> Data {
          let outcome = try Program.run(["render", file, "-o", "\(folder)/p.png", "--size", size] + options)
          try #require(outcome.status == 0, "\(outcome.errors)")
          return try Data(contentsOf: URL(filePath: "\(folder)/p.png"))
        }
        #expect(try picture(bare, "--set", "power=7", "--set", "bays=\(bays)") == picture(whole))
        #expect(try picture(bare) != picture(whole))
      }
      let refused = try Program.run(["render", bare, "-o", "\(folder)/p.png", "--set", "bays=[{}]"])
      #expect(refused.status == 78 && refused.errors.contains("name"), "\(refused.errors)")
    }
  }

  @Test func `a value of which no rows can be made is refused, with those that are set beside it`() throws {
    try Program.inFolder { folder in
      try """
      theme: dark
      display: {device: headless, canvas: {size: [200, 300]}}
      values: {rooms: [], any: null}
      strings: {de: {a: A}, en: {a: A}}
      window:
        subviews:
          - kind: stack
            axis: vertical
            subviews:
              - {repeat: {for: rooms, id: "room-{key}", view: {kind: label, text: "{name}"}}}
              - {repeat: {for: any, view: {id: other, kind: label, text: "{item}"}}}
      """.write(toFile: "\(folder)/a.yaml", atomically: true, encoding: .utf8)
      _ = try withDaemon(in: folder) { ctl in
        func refuses(_ values: String..., because reason: String) throws {
          let refused = try ctl(["set"] + values)
          #expect(refused.status == 1 && refused.errors.contains(reason), "\(refused.errors)")
          #expect(refused.errors.count { $0 == "\n" } == 1, "\(refused.errors)")
        }
        let row = #"rooms=[{"key":"b{x}","name":"{y}"}]"#
        try refuses("any=5", row, because: "any")
        #expect(try !ctl(["tree"]).output.contains("room-b"))
        #expect(try ctl(["set", row]).status == 0)
        try Program.eventually("a row") { try ctl(["tree"]).output.contains("room-b{x}  label") }
        #expect(try ctl(["tree", "--json"]).output.contains(#""text":"{y}""#))
        try refuses(#"rooms=[{"key":"b"}]"#, because: "a.yaml:10:79: error: nothing is called \"name\"")
        try refuses(#"rooms=[{"key":"a","name":1},{"key":"a","name":2}]"#, because: "rooms")
        #expect(try ctl(["set", #"any=["x"]"#]).status == 0)
        try Program.eventually("the other row") { try ctl(["tree"]).output.contains("other-0  label") }
        #expect(try ctl(["tree"]).output.contains("room-b{x}  label"))
        try refuses("theme=blue", because: "the theme \"blue\" is not opened; give dark, light")
        #expect(try ctl(["set", "theme=light"]).status == 0)
        try refuses("language=fr", because: "the language \"fr\" is not there; give de, en")
        #expect(try ctl(["set", "language=en"]).status == 0)
      }
    }
  }

  @Test func `the kiosk of one file does without any program what it shows`() throws {
    try Program.inFolder { folder in
      let kiosk = try String(
        contentsOf: Program.package.appending(path: "config/examples/kiosk.yaml"), encoding: .utf8)
      #expect(kiosk.split(separator: "\n").count <= 110)
      try kiosk.replacing("display: {", with: "display: {device: headless, ")
        .replacing("size: [480, 480]", with: "size: [800, 480]")
        .write(toFile: "\(folder)/a.yaml", atomically: true, encoding: .utf8)
      _ = try withDaemon(in: folder) { ctl in
        func touch(_ points: String...) throws {
          for point in points { #expect(try ctl(["touch", point, "--duration", "0"]).status == 0) }
        }
        func eventually(_ text: String) throws {
          try Program.eventually(text) { try ctl(["tree", "--json"]).output.contains(text) }
        }
        // A finger and a broker change the same values.
        try touch("724,130")
        try eventually("22.0 °C")
        _ = try ctl(["set", "target=18", "outside=-3.25"])
        try eventually("18.0 °C")
        try eventually("outside -3.2 °C")
        try touch("400,450", "754,26")
        try Program.eventually("a lamp") {
          try ctl(["tree"]).output.contains(/lamp-porch-on .*value true/)
            && ctl(["explain", "lamp-porch-name.icon"]).output.contains("lightbulb")
        }
        // The PIN, with a wrong digit taken back.
        try touch("666,450", "400,97", "290,97", "290,370", "400,188", "400,279", "400,370", "510,370")
        try eventually(#""page":"open""#)
        try touch("400,210")
        try eventually(#""presented":true"#)
        let frame = try #require(
          try ctl(["tree"]).output.firstMatch(of: /yes  button  \(.*\)/), "the dialog's button")
        #expect(frame.0.contains("button"))
        try touch("400,238")
        try eventually("20.0 °C")
        try eventually(#""page":"locked""#)
      }
    }
  }
}
