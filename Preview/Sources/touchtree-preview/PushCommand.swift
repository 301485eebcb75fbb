import ArgumentParser
import Glibc
import TouchCommand
import TouchPreview
import TouchSystem

struct PushCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ExternalCommand.push.rawValue, abstract: ExternalCommand.push.abstract,
    discussion: """
      The panel is checked here, sent with the files that it needs, checked there, and shown at once: the board's touchtree \
      reads it again, and keeps its values and its page. ssh has your configuration and your keys. touchtree has to run on the \
      board; its file is made to include what is sent, and the one before is kept beside it.
      """)

  @Argument(help: ArgumentHelp("The board, as ssh knows it.", valueName: "HOST")) var host: String

  @Argument(
    help: ArgumentHelp("The configuration file.", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var file: String

  @Flag(help: "Send it again at each save, until Ctrl-C.") var watch = false

  @Flag(help: "Show the board's screen in the browser through the same connection, until Ctrl-C.")
  var preview = false

  @Option(
    help: ArgumentHelp(
      "The folder on the board. Default: /var/lib/touchtree-push for root, .local/share/touchtree-push for others.",
      valueName: "DIR"))
  var folder: String?

  @Option(help: ArgumentHelp("The command for ssh, with its options.", valueName: "COMMAND")) var ssh = "ssh"

  func validate() throws {
    if host.isEmpty || host.hasPrefix("-") { throw ValidationError("HOST is the name of a board.") }
  }

  func run() throws {
    let output = LineOutput(.standardOutput)
    func report(_ line: String) {
      output.write(line: line)
      try? output.flush()
    }
    var settings = Push.Settings(host: host, file: file)
    (settings.ssh, settings.folder) = (ShellWords(ssh).words, folder)
    let push = try Push(settings, report: report)
    guard watch || preview else { return try push.push() }
    try push.stay(watching: watch, previewing: preview) { Failure($0).report(as: "touchtree") }
  }
}
