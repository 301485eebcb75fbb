import ArgumentParser
import TouchDaemon

/// For the unit's ExecStopPost: after SIGKILL nobody else can.
struct ConsoleRestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "console-restore", abstract: "Put a virtual terminal back to text mode.",
    shouldDisplay: false)

  @Argument(help: "The terminal; default: the one this process runs on.")
  var terminal: String?

  func run() throws {
    try exitingOnFailure { try ConsoleRestoration.restore(terminal) }
  }
}
