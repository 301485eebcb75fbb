import Foundation
import Testing

/// What programs and files beside a daemon learn of a private view that is touched.
@Suite("Private views in a run", .serialized)
struct PrivateViewTests {
  /// A pad with all that reports something, with everything around it listening; and a switch beside it.
  static let tree = """
    version: 1
    display: {canvas: {size: [400, 300]}}
    handlers:
      all: {kind: process, command: [./listener.sh, all]}
      own: {kind: process, command: [./listener.sh, own]}
      gone: {kind: process, command: ["false"]}
    application: {handlers: [log, all]}
    window:
      handlers: [all]
      gestures: [{id: anywhere, kind: tap, handlers: [all]}]
      subviews:
        - id: pad
          private: true
          frame: [0, 0, 400, 200]
          handlers: [log]
          subviews:
            - id: key-1
              kind: button
              label: Secret one
              frame: [0, 0, 100, 100]
              text: Alpha
              forwards: true
              handlers: [own, log]
              gestures: [{id: key-1-hold, kind: long_press, handlers: [own]}]
              actions:
                touch_up_inside:
                  - set: {digits: {text: Bravo}, slide-1: {value: 0.7125}}
                  - page: {dots: next}
                  - send: {to: subscribers, message: {pin: "{digits.text}"}}
                  - send: {to: gone, message: pressed}
                  - run: ["false"]
            - {id: slide-1, kind: slider, frame: [100, 0, 200, 50]}
            - {id: digits, kind: label, frame: [100, 50, 200, 50], text: Charlie}
            - id: dots
              kind: pages
              frame: [100, 100, 200, 50]
              subviews: [{id: dots-0}, {id: dots-1}]
        - id: light
          kind: switch
          label: Ceiling
          frame: [0, 220, 80, 40]
          forwards: true
          actions: {value_changed: [send: {to: subscribers, message: {pin: "{digits.text}"}}]}
    """

  private static let listener = """
    #!/bin/sh
    echo '{"type":"ready","protocol":1,"wants":["began","ended","cancelled","action","gesture"]}'
    exec cat >>"$(dirname "$0")/heard-$1"
    """

  /// What nothing may say: ids, texts and labels of what is in the pad.
  static let secrets = [
    "key-1", "Secret one", "Alpha", "Bravo", "Charlie", "slide-1", "digits", "dots", "0.7125",
  ]

  /// A folder with a daemon's tree and the process that listens.
  private func inPanel(_ body: (String) throws -> Void) throws {
    try Program.inFolder { folder in
      let listener = folder + "/listener.sh"
      try Self.listener.write(toFile: listener, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: listener)
      try body(folder)
    }
  }

  private func expectSilence(_ text: String, of source: String) {
    for secret in Self.secrets { #expect(!text.contains(secret), "\(source) has \(secret): \(text)") }
  }

  @Test func `clients, processes around it, the log and the trace get nothing of it`() throws {
    try inPanel { folder in
      let daemon = try RemoteTests.Daemon(
        in: folder, tree: Self.tree, ["--trace", "\(folder)/trace", "--pictures", "\(folder)/pictures"])
      let watching = try Process.run(
        URL(filePath: "/bin/sh"),
        arguments: [
          "-c",
          "exec '\(Program.executable.path)' ctl watch --json --socket '\(daemon.socket)' "
            + "--event touch --event action --event value --event gesture --event page --event message --event text "
            + ">'\(folder)/watched' 2>&1",
        ])
      try Program.eventually("the subscription") {
        try daemon.ctl("stats").output.contains("subscribers: 1")
      }
      func read(_ name: String) -> String {
        (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
      }
      #expect(try daemon.ctl("touch", "50,50").status == 0)
      #expect(try daemon.ctl("touch", "150,25", "250,25").status == 0)
      #expect(try daemon.ctl("touch", "350,150").status == 0)
      // What a client sets there is done, and not reported.
      #expect(try daemon.ctl("set", "digits", "text=Charlie2").status == 0)
      #expect(try daemon.ctl("touch", "40,240").status == 0)
      try Program.eventually("the switch") {
        read("watched").contains(#"{"type":"message","from":"light""#) && read("heard-all").contains("light")
      }
      try Program.eventually("the pad's own handler") { read("heard-own").contains("touchUpInside") }
      #expect(read("heard-own").contains(#""view":"key-1""#))
      #expect(read("watched").contains(#""view":"light","label":"Ceiling""#))
      for text in [
        try daemon.ctl("tree").output, try daemon.ctl("tree", "--json").output,
        try daemon.ctl("hit", "50,50").output,
        try daemon.ctl("hit", "50,50", "--explain", "--all", "--json").output,
        try daemon.ctl("stats").output,
      ] {
        expectSilence(text, of: "an answer")
      }
      #expect(try daemon.ctl("hit", "50,50").output == "pad\n")
      #expect(try daemon.ctl("tree", "--json").output.contains(#""private":true"#))
      #expect(daemon.end() == 0)
      _ = watching.awaitEnd()
      expectSilence(read("watched").replacing("{digits.text}", with: ""), of: "ctl watch")
      expectSilence(read("heard-all"), of: "the process of the window")
      // The tap on the pad itself is one of the window's gesture.
      for name in ["watched", "heard-all", "trace"] {
        let lines = read(name).split(separator: "\n").filter { $0.contains("anywhere") }
        #expect(lines.allSatisfy { $0.contains("failed") && $0.contains("[4]") }, "\(name): \(lines)")
      }
      expectSilence(daemon.log, of: "the log")
      expectSilence(read("trace"), of: "the trace")
      #expect(read("trace").contains(#""view":"light""#))
      let pictures = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/pictures")
      expectSilence(pictures.joined(separator: " "), of: "the pictures' names")
      #expect(pictures.contains { $0.contains("began-pad") })
      // A command that fails is worth a line, which names the private view.
      #expect(
        daemon.log.contains("actions of pad: ")
          && daemon.log.contains("pad: a message to handler gone is lost") && daemon.log.contains("began 4"),
        "\(daemon.log)")
    }
  }

  @Test func `a dry run shows what its touches do, without values`() throws {
    try inPanel { folder in
      try Self.tree.write(toFile: folder + "/tree.yaml", atomically: true, encoding: .utf8)
      let trace = try Program.run(
        [
          "trace", folder + "/tree.yaml", "--json", "--drag", "116,25:200,25:250,25", "--drag",
          "40,240:40,240",
        ])
      #expect(trace.status == 0, "\(trace.errors)")
      #expect(trace.output.contains(#""view":"slide-1","action":"valueChanged""#))
      let values = trace.lines.filter { $0.contains(#""event":"value""#) }
      #expect(values == [#"{"event":"value","view":"light","value":true}"#])
      let check = try Program.run(["check", folder + "/tree.yaml", "--strict"])
      #expect(
        check.status == 78 && check.errors.contains("pad is private, so no subscriber gets this message"))
      let leak = """
        version: 1
        values: {code: ""}
        window:
          subviews:
            - id: pad
              frame: [0, 0, 200, 100]
              private: true
              subviews:
                - {id: one, kind: button, text: "1", frame: [0, 0, 90, 90], actions: {touch_up_inside: [set: {code: "{code + '1'}"}]}}
        """
      try leak.write(toFile: folder + "/leak.yaml", atomically: true, encoding: .utf8)
      let leaking = try Program.run(["check", folder + "/leak.yaml", "--strict"])
      #expect(
        leaking.status == 78
          && leaking.errors.contains("pad is private, and clients and MQTT get the value \"code\""),
        "\(leaking.errors)")
    }
  }

  /// A code, and around it what shows it, what only chooses by it, and what shows that.
  static let followed = """
    version: 1
    display: {canvas: {size: [400, 300]}}
    window:
      id: window
      subviews:
        - id: pad
          private: true
          frame: [0, 0, 200, 100]
          subviews: [{id: digits, kind: label, frame: [0, 0, 200, 50], text: Charlie}]
        - {id: copy, kind: label, frame: [0, 100, 200, 50], text: "Code {digits.text}"}
        - {id: again, kind: label, frame: [0, 150, 200, 50], text: "{copy.text}"}
        - {id: own, private: true, frame: [0, 200, 200, 50], subviews: [{id: mine, kind: label, frame: [0, 0, 90, 40], text: "{digits.text}"}]}
        - {id: state, kind: label, frame: [200, 0, 200, 50], text: "{digits.text == '' ? 'none' : 'some'}"}
        - {id: ok, kind: button, frame: [200, 100, 100, 50], text: OK, enabled: "{digits.text != ''}"}
    """

  @Test func `a view that shows what is in it is private, too, and check says so`() throws {
    try Program.inFolder { folder in
      let daemon = try RemoteTests.Daemon(
        in: folder, tree: Self.followed, ["--watch-socket", "\(folder)/watch"])
      for socket in [daemon.socket, "\(folder)/watch"] {
        func ask(_ arguments: String...) throws -> String {
          let answer = try Program.run(["ctl"] + arguments + ["--socket", socket])
          return answer.output + answer.errors
        }
        let answers = [
          try ask("tree"), try ask("tree", "--json"), try ask("explain", "copy.text"),
          try ask("explain", "again.text"), try ask("explain", "ok.enabled"),
        ]
        for answer in answers { #expect(!answer.contains("Charlie"), "\(answer)") }
        #expect(answers[0].contains("some") && answers[2].contains("copy is private"))
        #expect(answers[4].contains("ok.enabled is true"))
        #expect(answers[4].contains("pad is private") && !answers[4].contains("digits.text is"))
      }
      func screenshot(_ name: String) throws -> Data {
        #expect(try daemon.ctl("screenshot", "\(folder)/\(name)").status == 0)
        return try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
      }
      let before = try screenshot("a.png")
      try daemon.ctl("set", "digits", "text=Bravo")
      #expect(try screenshot("b.png") == before)
      try daemon.ctl("set", "digits", "text=")
      #expect(try screenshot("c.png") != before, "that there is a code is told")
      #expect(daemon.end() == 0)
      try Self.followed.write(toFile: folder + "/tree.yaml", atomically: true, encoding: .utf8)
      let check = try Program.run(["check", folder + "/tree.yaml", "--strict"])
      let warnings = check.errors.split(separator: "\n").filter { $0.contains("which is private") }
      #expect(check.status == 78 && warnings.count == 2, "\(check.errors)")
      #expect(warnings.first?.contains("error: copy shows what is in pad") ?? false, "\(warnings)")
      #expect(warnings.last?.contains("error: again shows what is in copy") ?? false, "\(warnings)")
    }
  }

  @Test func `check warns of a place that follows what is in it`() throws {
    try Program.inFolder { folder in
      let file = """
        version: 1
        window:
          subviews:
            - {id: pad, private: true, kind: text_field, frame: [0, 0, 200, 50]}
            - {id: bar, frame: [0, 100, "{length(pad.text) * 10}", 10]}

        """
      try file.write(toFile: folder + "/tree.yaml", atomically: true, encoding: .utf8)
      let check = try Program.run(["check", folder + "/tree.yaml"])
      #expect(
        check.status == 0
          && check.errors.contains("tree.yaml:5:24: warning: the frame of bar follows pad, which is private"),
        "\(check.errors)")
    }
  }

  @Test func `a screenshot has none of its pixels`() throws {
    try inPanel { folder in
      let daemon = try RemoteTests.Daemon(in: folder, tree: Self.tree)
      func screenshot(_ name: String) throws -> Data {
        #expect(try daemon.ctl("screenshot", "\(folder)/\(name)").status == 0)
        return try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
      }
      let before = try screenshot("a.png")
      try daemon.ctl("set", "digits", "background=#ffffff", "text=1")
      try daemon.ctl("set", "pad", "background=#00ff00")
      #expect(try screenshot("b.png") == before)
      try daemon.ctl("set", "light", "value=true")
      #expect(try screenshot("c.png") != before)
      #expect(daemon.end() == 0)
    }
  }

  /// A password, what is made of it, and a process that asks for what cannot be done.
  static let leaking = """
    version: 1
    display: {canvas: {size: [400, 300]}}
    values: {rows: []}
    handlers:
      bad: {kind: process, command: [./bad.sh]}
    window:
      subviews:
        - id: pad
          private: true
          frame: [0, 0, 400, 200]
          handlers: [bad]
          subviews:
            - {id: room, kind: slider, frame: [0, 60, 200, 40], maximum: 999}
            - {id: photo, kind: image, frame: [0, 100, 50, 50], image: "photos/{pin.text}"}
            - {id: cover, kind: image, frame: [50, 100, 50, 50], image: "{pin.text}"}
            - id: pin
              kind: text_field
              secure: true
              frame: [0, 0, 200, 44]
              actions:
                returned:
                  # What is known to be a text is refused where the file is read.
                  - set: {room: {value: "{pin.text != '' ? pin.text : 0}"}}
                  - set: {outside: {value: "{pin.text != '' ? pin.text : 0}", background: "{pin.text}"}}
                  - set: {rows: "{pin.text != '' ? pin.text : rows}"}
        - {id: outside, kind: slider, frame: [0, 220, 200, 40], maximum: 999}
    """

  private static let badRequests = """
    #!/bin/sh
    echo '{"type":"ready","protocol":1}'
    echo '{"type":"set","view":"room","properties":{"value":"hunter2"}}'
    echo '{"type":"set","view":"photo","properties":{"icon":"hunter2"}}'
    echo '{"type":"text","view":"room","text":"hunter2"}'
    echo 'hunter2 is no request'
    echo '{"type":"set","view":"outside","properties":{"value":"shown"}}'
    exec sleep 100
    """

  @Test func `warnings have nothing of what is in it`() throws {
    try Program.inFolder { folder in
      let script = folder + "/bad.sh"
      try Self.badRequests.write(toFile: script, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
      let daemon = try RemoteTests.Daemon(in: folder, tree: Self.leaking)
      #expect(try daemon.ctl("type", "hunter2\n", "--into", "pin").status == 0)
      // What is asked for from outside is answered with what is wrong.
      #expect(try daemon.ctl("set", "room", "value=hunter2").errors.contains("hunter2"))
      try Program.eventually("the warnings") {
        daemon.log.contains("value cannot be \"shown\"")
          && daemon.log.contains("a picture, an icon or a font")
          && daemon.log.contains("pad: a property cannot be what it follows")
      }
      #expect(daemon.end() == 0)
      let log = daemon.log
      let words = ["hunter2", "room", "photo", "cover"]
      // The file itself, where it is read, may be quoted: nobody has typed yet.
      let warnings = log.split(separator: "\n").filter { !$0.contains("tree.yaml:") }
      #expect(!warnings.contains { line in words.contains { line.contains($0) } }, "\(log)")
      #expect(
        log.matches(of: /actions of pad: a property cannot be what it is set to; pad is private/).count == 3,
        "\(log)")
      #expect(log.contains("a request is not done: pad is private, so the log does not have"), "\(log)")
      #expect(
        log.contains("its output is not the protocol's: this line is not a JSON object: column"), "\(log)")
    }
  }
}
