import ArgumentParser
import TouchCore
import TouchDaemon
import TouchPixels
import TouchSystem
import TouchTools

/// `touchtree ctl`: queries a running daemon.
struct ControlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl", abstract: "Query a running daemon.",
    discussion: """
      The socket of the service and of root is /run/touchtree/control.sock; that of another user is \
      touchtree/control.sock in $XDG_RUNTIME_DIR.
      """,
    subcommands: [TreeRequest.self, HitRequest.self, ScreenshotRequest.self, StatsRequest.self])

  /// Which daemon is asked.
  struct Daemon: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "The control socket, for a daemon that was started with --control.", valueName: "PATH"),
      completion: .file())
    var socket: String?

    /// - Throws: `ControlError`, or a `Failure` with the daemon's own words.
    func ask(_ request: ControlRequest) throws -> ControlResponse {
      let answer = try ControlClient.ask(request, at: socket)
      guard case .refused(let refusal, let sentence) = answer else { return answer }
      throw Failure(refusal == .notShown ? .unavailable : .badAnswer, sentence.onOneLine)
    }

    /// The answer is of another kind than the request.
    var notUnderstood: Failure {
      Failure(.badAnswer, "the running daemon has a different version: use its own touchtree, or restart it")
    }

    func validate() throws {
      if let socket, socket.isEmpty || socket.hasPrefix("@") {
        throw ValidationError("--socket takes the path of a socket.")
      }
    }

    /// Prints the lines that answer a request. What answers need not be a daemon that can be trusted: each line is
    /// escaped as one of our own.
    func print(_ request: ControlRequest) throws {
      guard case .text(let bytes) = try ask(request) else { throw notUnderstood }
      let output = LineOutput(.standardOutput)
      var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      if lines.last?.isEmpty ?? false { lines.removeLast() }
      for line in lines { output.write(line: String(decoding: line, as: UTF8.self)) }
      try output.flush()
    }
  }

  struct TreeRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tree", abstract: "Print the current view tree.")

    @OptionGroup var daemon: Daemon

    func run() throws {
      try exitingOnFailure { try daemon.print(.tree) }
    }
  }

  struct HitRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hit", abstract: "Print the id of the view at a point, or none.")

    @OptionGroup var hit: HitArguments

    @OptionGroup var daemon: Daemon

    func run() throws {
      try exitingOnFailure { try daemon.print(.hit(hit.question)) }
    }
  }

  struct StatsRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stats", abstract: "Print what the devices sent, and how long it took to show.",
      discussion: """
        The times count from the kernel's time stamp of a device's frame until the handlers have returned, until the last \
        pixel is written, and until the display has been asked to show it. Of several frames that are read at once, the \
        oldest counts.
        """)

    @OptionGroup var daemon: Daemon

    @Flag(help: "Print one JSON object; times are in microseconds.")
    var json = false

    func run() throws {
      try exitingOnFailure { try daemon.print(.stats(isJSON: json)) }
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
      try exitingOnFailure {
        guard case .picture(let picture) = try daemon.ask(.screenshot) else { throw daemon.notUnderstood }
        try PNGWriter.write(picture, to: output.path)
      }
    }
  }
}
