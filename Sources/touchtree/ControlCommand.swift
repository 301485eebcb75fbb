import ArgumentParser
import TouchCore
import TouchDaemon
import TouchPixels
import TouchSystem
import TouchTools

/// `touchtree ctl`: asks a daemon that runs.
struct ControlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl", abstract: "Ask a touchtree that runs.",
    discussion: """
      It is found by its socket: root's and the service's is /run/touchtree/control.sock, another user's is \
      touchtree/control.sock in $XDG_RUNTIME_DIR.
      """,
    subcommands: [TreeRequest.self, HitRequest.self, ScreenshotRequest.self])

  /// Which daemon is asked.
  struct Daemon: ParsableArguments {
    @Option(
      help: ArgumentHelp("The socket of a daemon that was started with --control.", valueName: "PATH"),
      completion: .file())
    var socket: String?

    /// - Throws: `ControlError`, or a `Failure` with the daemon's own words.
    func ask(_ request: ControlRequest) throws -> ControlResponse {
      let answer = try ControlClient.ask(request, at: socket)
      guard case .refused(let refusal, let sentence) = answer else { return answer }
      throw Failure(refusal == .notShown ? .unavailable : .badAnswer, sentence.onOneLine)
    }

    /// It answered something else than what it was asked.
    var notUnderstood: Failure {
      Failure(.badAnswer, "this is another version of touchtree than the one that runs; use that one")
    }

    func validate() throws {
      if let socket, socket.isEmpty || socket.hasPrefix("@") {
        throw ValidationError("--socket is the path of a file.")
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
      commandName: "tree", abstract: "Print the view tree as it is now.")

    @OptionGroup var daemon: Daemon

    func run() throws {
      try exitingOnFailure { try daemon.print(.tree) }
    }
  }

  struct HitRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "hit", abstract: "Print the id of the view that is under a point now, or none.")

    @OptionGroup var hit: HitArguments

    @OptionGroup var daemon: Daemon

    func run() throws {
      try exitingOnFailure { try daemon.print(.hit(hit.question)) }
    }
  }

  struct ScreenshotRequest: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "screenshot", abstract: "Write what the display shows into a PNG file.")

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
