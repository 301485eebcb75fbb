import ArgumentParser
import TouchDaemon

/// For the unit's ExecStopPost: after SIGKILL nobody else can.
struct ConsoleRestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "console-restore", abstract: "Restore a virtual terminal to text mode.",
    shouldDisplay: false)

  @Argument(help: "The terminal. Default: the current one.")
  var terminal: String?

  func run() throws {
    try exitingOnFailure { try ConsoleRestoration.restore(terminal) }
  }
}
