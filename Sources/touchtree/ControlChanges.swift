import ArgumentParser
import TouchHandlers
import TouchSystem

// The subcommands of `touchtree ctl` that change a running daemon.

extension ControlCommand {
  struct SetRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Set properties of a view, or named values.",
      discussion: """
        For example: touchtree ctl set lamp background=#00ff00 hidden=false
        Without a view, named values of the file: touchtree ctl set temperature=21.5
        With a time, their histories: touchtree ctl set temperature=19 --at 2026-11-28T17:30
        """)

    @Argument(
      help: ArgumentHelp("The id of the view; left out for named values.", valueName: "VIEW"),
      completion: .views)
    var view: String

    @Argument(
      help: ArgumentHelp(
        "What to set, as in the configuration file; may be repeated.", valueName: "KEY=VALUE"))
    var properties: [String] = []

    @Option(
      name: .customLong("at"),
      help: ArgumentHelp(
        "From when on named values with a history count: seconds since 1970, or a date and a time.",
        valueName: "TIME"))
    var time: String?

    /// Whether the first argument is a value, without a view. An id with a "=" needs the protocol.
    private var setsValues: Bool { view.contains("=") && !view.hasPrefix("=") }

    private var assignments: [(key: String, value: String)] {
      ((setsValues ? [view] : []) + properties).map { property in
        let parts = property.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
      }
    }

    @OptionGroup var daemon: Daemon

    func validate() throws {
      guard setsValues || !properties.isEmpty else {
        throw ValidationError(
          "give what to set, such as hidden=true; a named value needs no view: temperature=21.5")
      }
      if let time, !setsValues || WallClock.seconds(reading: time) == nil {
        throw ValidationError(
          setsValues
            ? "'\(time)' is no time; give seconds since 1970, or 2026-11-28T17:30"
            : "--at is for named values alone")
      }
      for property in properties where !property.contains("=") || property.hasPrefix("=") {
        throw ValidationError("a property is KEY=VALUE, such as hidden=true, and not '\(property)'")
      }
      let keys = assignments.map(\.key)
      if let twice = keys.indices.first(where: { keys[..<$0].contains(keys[$0]) }) {
        throw ValidationError("'\(keys[twice])' is given twice; give it once")
      }
    }

    func run() throws {
      try daemon.send("set") { json in
        if !setsValues { json.field("view", view) }
        json.field("format", "text")
        if let time { json.field("time", WallClock.seconds(reading: time)) }
        json.object(setsValues ? "values" : "properties") {
          for (key, value) in assignments { $0.field(key, value) }
        }
      }
    }
  }

  struct PageRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "page", abstract: "Show a page of a view of the kind pages.")

    @Argument(
      help: ArgumentHelp("The id of the view of the kind pages.", valueName: "PAGES"), completion: .views)
    var pages: String

    @Argument(help: ArgumentHelp("The id of one of its subviews, or next, or previous.", valueName: "PAGE"))
    var page: String

    @OptionGroup var daemon: Daemon

    func run() throws {
      try daemon.send("page") { json in
        json.field("view", pages)
        json.field("page", page)
      }
    }
  }

  struct TouchRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "touch", abstract: "Tap at a point, or drag from point to point.",
      discussion: """
        The finger is on the device "remote", which device rules can match. It lifts when the command ends, however \
        it ends.
        """)

    @Argument(
      help: ArgumentHelp("In units of the canvas; one point taps, several drag.", valueName: "X,Y"),
      transform: PointArgument.init)
    var points: [PointArgument]

    @Option(
      help: ArgumentHelp(
        "How long the finger is down, in seconds. Default: 0.05 for a tap, 0.3 for a drag.",
        valueName: "SECONDS"))
    var duration: Double?

    @OptionGroup var daemon: Daemon

    func validate() throws {
      if let duration, !(0...60).contains(duration) { throw ValidationError("--duration takes 0 to 60.") }
    }

    func run() throws {
      let path = points.map { (x: $0.x, y: $0.y) }
      try daemon.ask { try $0.touch(path, duration: duration ?? (path.count == 1 ? 0.05 : 0.3)) }
    }
  }

  struct PressRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "press", abstract: "Press keys, one after the other.",
      discussion: """
        For example: touchtree ctl press tab tab enter
        A key is named as in `keys:` of the file: enter, F1, ctrl+s. The keys are on the device "remote", which device \
        rules can match.
        """)

    @Argument(help: ArgumentHelp("The name of a key; may be repeated.", valueName: "KEY")) var keys: [String]

    @OptionGroup var daemon: Daemon

    func run() throws {
      try daemon.ask { connection in
        for key in keys { _ = try connection.ask(Message.line("press") { $0.field("key", key) }) }
      }
    }
  }

  struct TypeRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "type", abstract: "Type a text into the field that is edited.",
      discussion: """
        A line feed in the text is the return key. Other users of the machine see the arguments of a command: give a secret to \
        touchtree ctl - instead, as {"type":"text","text":"..."} on standard input.
        """)

    @Argument(help: ArgumentHelp("What to type.", valueName: "TEXT")) var text: String

    @Option(
      help: ArgumentHelp("The id of a text field, which is edited from then on.", valueName: "VIEW"),
      completion: .views)
    var into: String?

    @OptionGroup var daemon: Daemon

    func run() throws {
      try daemon.send("text") { json in
        json.field("text", text)
        if let into { json.field("view", into) }
      }
    }
  }

  struct WakeRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "wake", abstract: "Show a display that is dimmed or blank, as a touch does.")

    @OptionGroup var daemon: Daemon

    func run() throws {
      try daemon.send("wake")
    }
  }

  struct BacklightRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "backlight", abstract: "Set the brightness of the panel.",
      discussion: """
        It lasts until the daemon ends or another one is set. A stage of idle dims it, and a touch brings it back. 0 is dark \
        until the next touch.
        """)

    @Argument(help: ArgumentHelp("From 0 to 100.", valueName: "PER CENT")) var percent: Double

    @OptionGroup var daemon: Daemon

    func validate() throws {
      guard (0...100).contains(percent) else {
        throw ValidationError("a brightness is from 0 to 100 per cent")
      }
    }

    func run() throws {
      try daemon.send("backlight") { $0.field("value", percent) }
    }
  }

  struct BlankRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "blank", abstract: "Blank the display until the next touch, or show it.")

    enum State: String, ExpressibleByArgument, CaseIterable {
      case on, off
    }

    @Argument(help: ArgumentHelp("Whether it is blank: on or off.", valueName: "STATE")) var state: State

    @OptionGroup var daemon: Daemon

    func run() throws {
      try daemon.send("blank") { $0.field("value", state == .on) }
    }
  }

  struct ReloadRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reload", abstract: "Read the configuration again.",
      discussion: """
        If the configuration has errors, the daemon goes on with the one before, and this command prints them and exits \
        with status 78.
        """)

    @OptionGroup var daemon: Daemon

    func run() throws {
      let answer = try daemon.send("reload")
      for warning in answer["warnings"]?.elements ?? [] {
        StandardError.write(line: (warning.text ?? "").onOneLine)
      }
    }
  }
}
