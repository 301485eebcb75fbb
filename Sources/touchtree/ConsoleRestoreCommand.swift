import ArgumentParser
import TouchOutput

/// Restores the console for the unit's ExecStopPost. After SIGKILL the daemon itself cannot.
struct ConsoleRestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "console-restore", abstract: "Restore a virtual terminal to text mode.",
    shouldDisplay: false)

  @Argument(help: "The terminal. Default: the current one.") var terminal: String?

  func run() throws {
    try Console.restore(terminal.map { .path($0) } ?? .own)
  }
}
