import ArgumentParser
import TouchSystem
import TouchTools

struct HealthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Print in one line whether the running daemon does its work, for updaters and monitors.",
    discussion: """
      The exit status is 0 if all is well, and 1 if not; the line then names what is wrong, where, and what to do. The \
      names are listed in /usr/share/doc/touchtree/docs/displays.md. The socket for watching answers, too.
      """)

  @Flag(
    help:
      "Also look at what the display scans out: cable, light, terminal, other programs, and, where it may be read, every pixel."
  )
  var glass = false

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "Ask at most every 15 s until this time is over, and end at the first problem.", valueName: "SECONDS"))
  var seconds: Double?

  @OptionGroup var daemon: ControlCommand.Daemon

  func validate() throws {
    if let seconds, !(0...86_400).contains(seconds) {
      throw ValidationError("--for takes 0 to 86400 seconds.")
    }
  }

  func run() throws {
    let result = HealthCheck(of: daemon.socket, glass: glass).run(for: seconds ?? 0)
    let output = LineOutput(.standardOutput)
    output.write(line: result.line)
    try output.flush()
    if !result.isWell { throw ExitCode(ExitStatus.badAnswer.rawValue) }
  }
}
