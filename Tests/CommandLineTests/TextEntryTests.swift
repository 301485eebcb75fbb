import Foundation
import Testing

/// Text fields and the keyboard in a daemon, from outside.
@Suite("Text entry in a run", .serialized)
struct TextEntryTests {
  private static let tree = """
    version: 1
    display: {canvas: {size: [400, 300]}}
    application: {handlers: [log]}
    window:
      subviews:
        - {id: name, kind: text_field, frame: [0, 0, 300, 44], limit: 6, label: Name, hint: Your own, actions: {returned: [set: {hello: {text: "Hello {name.text}"}}]}}
        - {id: pin, kind: text_field, frame: [0, 50, 300, 44], secure: true, keyboard: pin}
        - {id: hello, kind: label, frame: [0, 100, 300, 30]}
        - {id: keys, kind: keyboard, always: true, frame: [0, 140, 400, 160]}
    """

  @Test func `programs type into the field that is edited, and hear of it`() throws {
    try Program.inFolder { folder in
      let daemon = try RemoteTests.Daemon(in: folder, tree: Self.tree, [])
      #expect(try daemon.ctl("type", "Ada").errors.contains("no text field is edited"))
      #expect(try daemon.ctl("type", "Ada", "--into", "hello").errors.contains("takes no text"))
      #expect(try daemon.ctl("type", "Ada", "--into", "nam").errors.contains("did you mean 'name'?"))
      #expect(try daemon.ctl("type", "Ada Lovelace\n", "--into", "name").status == 0)
      let json = try daemon.ctl("tree", "--json").output
      #expect(json.contains(#""text":"Ada Lo""#))
      #expect(json.contains(#""text":"Hello Ada Lo""#))
      #expect(json.contains(#""accessibility":{"label":"Name","value":"Ada Lo","hint":"Your own"}"#))
      // What follows a line break that ended editing is typed nowhere, and may be a secret.
      let rest = try daemon.ctl("type", "a\nsecret", "--into", "name")
      #expect(
        rest.status == 1 && rest.errors.contains("6 letters are left that no field takes"), "\(rest.errors)")
      #expect(!rest.errors.contains("secret"))
      #expect(try !daemon.ctl("tree", "--json").output.contains("secret"))
      // Return ended it.
      #expect(try daemon.ctl("type", "x").status == 1)
      #expect(daemon.end() == 0)
    }
  }

  @Test func `what is typed into a secure field is nowhere, and neither is where the fingers were`() throws {
    try Program.inFolder { folder in
      let daemon = try RemoteTests.Daemon(in: folder, tree: Self.tree, ["--trace", "\(folder)/trace"])
      let watching = try Process.run(
        URL(filePath: "/bin/sh"),
        arguments: [
          "-c",
          "exec '\(Program.executable.path)' ctl watch --json --socket '\(daemon.socket)' "
            + "--event touch --event action --event value --event gesture --event text >'\(folder)/watched' 2>&1",
        ])
      try Program.eventually("the subscription") {
        try daemon.ctl("stats").output.contains("subscribers: 1")
      }
      func read(_ name: String) -> String {
        (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
      }
      #expect(try daemon.ctl("type", "Ada", "--into", "name").status == 0)
      // A letter by a finger, which is no secret.
      #expect(try daemon.ctl("touch", "60,160").status == 0)
      #expect(try daemon.ctl("type", "4711", "--into", "pin").status == 0)
      #expect(try daemon.ctl("touch", "200,160").status == 0)
      #expect(try daemon.ctl("set", "hello", "text=done").status == 0)
      try Program.eventually("the last event") { read("watched").contains("done") }
      let json = try daemon.ctl("tree", "--json").output
      #expect(!json.contains("4711"))
      #expect(json.contains("Adaw"))
      let lines = try daemon.ctl("tree").output
      #expect(
        lines.contains("text \"done\"") && lines.contains("text \"Adaw\"") && !lines.contains("4711"),
        "\(lines)")
      #expect(daemon.end() == 0)
      _ = watching.awaitEnd()
      for (name, text) in [
        ("ctl watch", read("watched")), ("the log", daemon.log), ("the trace", read("trace")),
      ] {
        #expect(!text.contains("4711"), "\(name): \(text)")
        #expect(!text.contains("pin"), "\(name): \(text)")
      }
      let touches = read("watched").split(separator: "\n").filter { $0.contains(#""phase":"began""#) }
      #expect(touches.count == 1)
      #expect(touches.first?.contains(#""view":"keys""#) ?? false)
      #expect(read("watched").contains(#""view":"name","label":"Name","action":"editingChanged""#))
      #expect(read("watched").contains(#""text":"Adaw""#))
    }
  }
}
