import ArgumentParser
import TouchConfig
import TouchDaemon
import TouchSystem

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Validate configuration files.")

  @Argument(
    help: ArgumentHelp("The configuration files.", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "Look for plugins in this folder, as run does; may be repeated.", valueName: "DIR"),
    completion: .directory)
  var plugins: [String] = []

  func run() throws {
    var worst: ExitStatus?
    let output = LineOutput(.standardOutput)
    for file in files {
      do {
        let configuration = try Configuration.loadReportingWarnings(file)
        try configuration.checkHandlers(pluginFolders: plugins.isEmpty ? PluginFolders.standard : plugins) {
          StandardError.write(line: LogOutput.head(of: .warning, forPeople: "touchtree: warning: ") + "\($0)")
        }
        let count = configuration.views.count
        output.write(line: "\(file): good, \(count) view\(count == 1 ? "" : "s")")
        for delay in configuration.filterDelays { output.write(line: delay) }
        // Errors of the next file go to another stream, and come after this.
        try output.flush()
      } catch {
        let failure = Failure(error)
        failure.report()
        // A bad file matters more than one that is missing or cannot be read.
        if worst != .badConfiguration { worst = failure.status }
      }
    }
    if let worst { throw ExitCode(worst.rawValue) }
  }
}
