import ArgumentParser
import Glibc
import TouchHandlers
import TouchJSON
import TouchOutput
import TouchPixels
import TouchSystem
import TouchTools

/// `touchtree ctl`: queries and changes a running daemon.
struct ControlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl", abstract: "Query, touch and change a running daemon.",
    discussion: """
      The socket of the service and of root is /run/touchtree/control.sock; that of another user is \
      touchtree/control.sock in $XDG_RUNTIME_DIR. For a daemon that was started with --control, add --socket PATH, before \
      or after the request: touchtree ctl --socket PATH tree

      `touchtree ctl -` sends each line of standard input as a request, and prints the answers. The \
      requests are listed in /usr/share/doc/touchtree/docs/handlers.md.
      """,
    subcommands: [
      TreeRequest.self, HitRequest.self, ExplainRequest.self, ScreenshotRequest.self, StatsRequest.self,
      SetRequest.self,
      PageRequest.self, TouchRequest.self, PressRequest.self, WatchRequest.self, ViewRequest.self,
      ReloadRequest.self,
      WakeRequest.self, BacklightRequest.self, BlankRequest.self, TypeRequest.self, RelayRequest.self,
    ])

  struct Daemon: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The control socket, for a daemon that was started with --control.", valueName: "PATH"),
      completion: .file())
    var socket: String?

    func ask<Answer>(_ body: (ControlClient) throws -> Answer) throws -> Answer {
      let client = try ControlClient.connect(to: socket)
      return try body(client)
    }

    /// Sends a request, and returns the answer.
    @discardableResult
    func send(_ type: String, _ fields: (inout JSONWriter) -> Void = { _ in }) throws -> JSONValue {
      try ask { try $0.ask(Message.line(type, fields)) }
    }

    func validate() throws {
      if let socket, socket.isEmpty || socket.hasPrefix("@") {
        throw ValidationError("--socket takes the path of a socket.")
      }
    }

    /// Prints lines of an answer, escaped, because the other end may not be trustworthy.
    func print(_ request: [UInt8], _ lines: (JSONValue) throws -> [String]) throws {
      let answer = try ask { try $0.ask(request) }
      let output = LineOutput(.standardOutput)
      for line in try lines(answer) { output.write(line: line) }
      try output.flush()
    }
  }
}

extension JSONValue {
  /// The answer as the object that a command prints with `--json`, without the fields of the protocol.
  fileprivate var content: JSONValue {
    .object((members ?? []).filter { $0.key != "type" && $0.key != "id" })
  }

  fileprivate func texts(_ key: String) throws -> [String] {
    guard let elements = self[key]?.elements else { throw Self.notUnderstood }
    return elements.compactMap(\.text)
  }

  fileprivate static var notUnderstood: Failure {
    Failure(.badAnswer, "the running daemon has a different version: use its own touchtree, or restart it")
  }
}

// MARK: - Queries

extension ControlCommand {
  struct TreeRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tree", abstract: "Print the current view tree.")

    @Flag(help: "Print a JSON object with every view and what can be set of it.") var json = false

    @OptionGroup var daemon: Daemon

    func run() throws {
      let request = Message.line("tree") { json in
        guard !self.json else { return }
        json.field("format", "text")
      }
      try daemon.print(request) { try json ? [$0.content.json] : $0.texts("lines") }
    }
  }

  struct HitRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hit", abstract: "Print the id of the view at a point, or none.")

    @OptionGroup var hit: HitArguments

    @OptionGroup var daemon: Daemon

    func run() throws {
      let question = hit.question
      let request = Message.line("hit") { json in
        json.field("x", question.x)
        json.field("y", question.y)
        if let start = question.start { json.field("in", start) }
        json.field("all", question.isAll)
        json.field("explain", question.isExplained)
      }
      try daemon.print(request) { try question.isJSON ? [$0.content.json] : Self.lines(of: $0) }
    }

    private static func lines(of answer: JSONValue) throws -> [String] {
      let sentences = (answer["asked"]?.elements ?? []).compactMap { $0["why"]?.text }
      let views =
        answer["views"] == nil ? [answer["view"]?.text].compactMap(\.self) : try answer.texts("views")
      return sentences + (views.isEmpty ? ["none"] : views)
    }
  }

  struct ExplainRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "explain", abstract: "Print where the value of a property comes from.",
      discussion:
        "For example: touchtree ctl explain title.text, or for a named value: touchtree ctl explain target")

    @Argument(help: ArgumentHelp("A view and its property, or a named value.", valueName: "VIEW.PROPERTY"))
    var name: String

    @OptionGroup var daemon: Daemon

    func run() throws {
      let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      let request = Message.line("explain") { json in
        json.field("name", String(parts[0]))
        if parts.count > 1 { json.field("property", String(parts[1])) }
      }
      try daemon.print(request) { try $0.texts("lines") }
    }
  }

  struct StatsRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stats",
      abstract: "Print what the devices sent, how long it took to show, and who listens.",
      discussion: """
        The times count from the kernel's time stamp of a device's frame until the handlers have returned, until the last \
        pixel is written, and until the display has been asked to show it. Of several frames that are read at once, the \
        oldest counts.
        """)

    @OptionGroup var daemon: Daemon

    @Flag(help: "Print one JSON object; times are in microseconds.") var json = false

    func run() throws {
      let request = Message.line("stats") { json in json.field("format", "text") }
      try daemon.print(json ? Message.line("stats") : request) {
        try json ? [$0.content.json] : $0.texts("lines")
      }
    }
  }

  struct ScreenshotRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "screenshot", abstract: "Save a screenshot as a PNG file.")

    @Argument(
      help: ArgumentHelp("The PNG file to write; - is standard output.", valueName: "OUT.png"),
      completion: .file(extensions: ["png"]), transform: PictureArgument.init)
    var output: PictureArgument

    @OptionGroup var daemon: Daemon

    func run() throws {
      try PNGWriter.write(try daemon.ask { try $0.screenshot() }, to: output.path)
    }
  }
}

extension JSONValue {
  fileprivate var plain: String { text ?? json }
}

// MARK: - Streams

extension ControlCommand {
  struct WatchRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "watch", abstract: "Print touches, actions, values, gestures and pages as they happen.")

    @Flag(help: "Print JSON objects, one a line.") var json = false

    @Option(
      help: ArgumentHelp("Only what happens on this view and in it; may be repeated.", valueName: "VIEW"),
      completion: .views)
    var view: [String] = []

    @Option(
      help: ArgumentHelp(
        "Only these: touch, action, value, gesture, page, message, reload, text, sheet, scroll, press, focus or scanned; may be repeated. Default: the first six.",
        valueName: "EVENT"),
      completion: .list([
        "touch", "action", "value", "gesture", "page", "message", "reload", "text", "sheet", "scroll",
        "press", "focus", "scanned",
      ]))
    var event: [String] = []

    @OptionGroup var daemon: Daemon

    func run() throws {
      try daemon.ask { client in
        try client.ask(subscription)
        client.waitForEver()
        let output = LineOutput(.standardOutput)
        while true {
          let message = try client.next()
          output.write(line: json ? message.json : Self.line(of: message))
          try output.flush()
          if message["type"] == .text("bye") { throw ControlError(path: client.path, reason: .left) }
        }
      }
    }

    private var subscription: [UInt8] {
      Message.line("subscribe") { json in
        for (key, names) in [("events", event), ("views", view)] where !names.isEmpty {
          json.field(key, names)
        }
      }
    }

    /// Returns a line for people: the event, its view, and the place.
    private static func line(of message: JSONValue) -> String {
      let type = message["type"]?.text ?? ""
      let words =
        switch type {
        case "touch": ["\(message["touch"]?.plain ?? "") \(message["phase"]?.plain ?? "")", message.place]
        case "action": [message["view"]?.plain, message["action"]?.plain]
        case "value": [(message["view"] ?? message["name"])?.plain, message["value"]?.plain]
        case "text": [message["view"]?.plain, message["text"]?.plain]
        case "page": [message["view"]?.plain, message["page"]?.plain]
        case "sheet":
          [message["view"]?.plain, message["presented"]?.boolean ?? false ? "presented" : "dismissed"]
        case "press": [message["key"]?.plain, message["phase"]?.plain, message["view"]?.text]
        case "focus": [message["view"]?.text ?? "nothing", message["text"]?.plain]
        case "scanned": [message["text"]?.plain]
        case "scroll": [message["view"]?.plain, message["phase"]?.plain, message.place]
        case "gesture": [message["gesture"]?.plain, message["state"]?.plain, message.place]
        default: [message.content.json]
        }
      return ([type] + words.compactMap(\.self)).joined(separator: "  ")
    }
  }

  struct ViewRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "view", abstract: "Show the live screen in this terminal, whose mouse is a finger.",
      discussion: """
        The left mouse button is a finger on the device "remote", which device rules can match. q and Ctrl-C quit, Ctrl-L \
        redraws, Ctrl-Z suspends. Over ssh: ssh -t HOST touchtree ctl view
        """)

    @Option(
      help: ArgumentHelp(
        "How the picture is written. Default: the best that the terminal supports.",
        valueName: "blocks|kitty|sixel"))
    var graphics: TerminalGraphics?

    @Option(
      help: ArgumentHelp(
        "How long to wait for a daemon that has ended, such as one that is restarted. Default: 60.",
        valueName: "SECONDS"))
    var wait: Int?

    @OptionGroup var daemon: Daemon

    func validate() throws {
      if let wait, !(0...86_400).contains(wait) { throw ValidationError("--wait takes 0 to 86400.") }
    }

    func run() throws {
      let view = try LiveView(
        of: daemon.socket, graphics: graphics, timeout: wait ?? 60,
        logHead: LogOutput.head(of: .error, forPeople: "touchtree: error: "))
      try view.run()
      if let refusal = view.refusal {
        StandardError.write(line: "touchtree: warning: touches were not taken: \(refusal.onOneLine)")
      }
    }
  }

  struct RelayRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "-", abstract: "Send requests from standard input, and print the answers.",
      discussion: "Each line is one JSON object. The exit status is 1 if an answer is an error.")

    @Flag(
      help: "Print `hello`, too, and put the pictures of `screen` into the lines, as PNG in base64, for ssh.")
    var pictures = false

    @OptionGroup var daemon: Daemon

    func run() throws {
      let output = LineOutput(.standardOutput)
      var hasFailed = false
      var relay = pictures ? PictureRelay() : nil
      try daemon.ask { client in
        // The other end is a client, which expects the greeting.
        if pictures { output.write(line: client.greeting.json) }
        try output.flush()
        try client.relay(from: .standardInput) { message in
          hasFailed = hasFailed || message["type"] == .text("error")
          output.write(line: try relay?.message(message, of: client).json ?? message.json)
          try output.flush()
        }
      }
      if hasFailed { throw ExitCode(ExitStatus.badAnswer.rawValue) }
    }
  }
}

extension JSONValue {
  fileprivate var place: String {
    "\(self["view"]?.plain ?? "") \(self["x"]?.plain ?? ""),\(self["y"]?.plain ?? "")"
  }
}
