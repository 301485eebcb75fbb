import ArgumentParser
import Glibc
import TouchConfig
import TouchDaemon
import TouchSystem

struct TouchtreeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchtree",
    abstract: "UIKit's touch model on bare Linux: from the touchscreen to views and handlers.",
    version: TouchtreeVersion.text,
    subcommands: [
      RunCommand.self, CheckCommand.self, TreeCommand.self, HitCommand.self, TraceCommand.self,
      RenderCommand.self, DevicesCommand.self, CalibrateCommand.self, MonitorCommand.self, RecordCommand.self,
      ReplayCommand.self, NewCommand.self, ControlCommand.self,
      ConsoleRestoreCommand.self,
    ])
}

extension TouchtreeCommand {
  /// Runs the program: parses its arguments, runs the command, and ends with its exit status.
  ///
  /// - Parameter line: the program's name, and its arguments.
  static func run(_ line: [String]) -> Never {
    do {
      try checkEncoding(of: line)
      let arguments = Array(line.dropFirst())
      if let problem = unknownCommand(in: arguments) { throw Failure(.usage, problem) }
      var command = try parseAsRoot(NegativePoints.shielded(arguments))
      try command.run()
      Glibc.exit(0)
    } catch let failure as Failure {
      failure.report()
      Glibc.exit(failure.status.rawValue)
    } catch {
      // Everything else has been reported, or is asked for, such as the help.
      guard exitCode(for: error).rawValue == ExitStatus.usage.rawValue else { exit(withError: error) }
      Failure(.usage, usageMessage(error)).report()
      Glibc.exit(ExitStatus.usage.rawValue)
    }
  }

  /// What the parser says, as one line of the program's own style, and how the command is used.
  private static func usageMessage(_ error: any Error) -> String {
    var lines = fullMessage(for: error, columns: .max).split(separator: "\n").map(String.init)
    guard !lines.isEmpty else { return "these arguments are not understood; see `touchtree --help`" }
    let problem = lines.removeFirst().trimmingPrefix("Error: ")
    // The help of one argument may be long; what is wrong with it has been written already.
    let usage = lines.filter { $0.hasPrefix("Usage: ") || $0.hasPrefix("  See ") }
    return ([problem.first.map { $0.lowercased() + problem.dropFirst() } ?? ""] + usage).joined(
      separator: "\n")
  }

  /// Why a command cannot be run that the program does not have; nil where it has it, or where none is named.
  private static func unknownCommand(in arguments: [String]) -> String? {
    var path = "touchtree"
    var commands = configuration.subcommands
    for argument in arguments {
      if commands.isEmpty || argument.hasPrefix("-") { return nil }
      if path == "touchtree" && argument == "help" { continue }
      if let command = commands.first(where: { $0.configuration.commandName == argument }) {
        path += " \(argument)"
        commands = command.configuration.subcommands
        continue
      }
      let names = commands.filter { $0.configuration.shouldDisplay }.compactMap {
        $0.configuration.commandName
      }
      let nearest = Suggestion.nearest(to: argument, among: names)
      let hint = nearest.map { "did you mean '\($0)'? " } ?? ""
      return "unknown command '\(argument)'; \(hint)`\(path) --help` lists the commands"
    }
    return nil
  }

  /// A file's name may be any bytes, but arguments are texts here: a name that is not UTF-8 would lead to another file, or
  /// to none.
  private static func checkEncoding(of line: [String]) throws {
    for (index, argument) in line.enumerated() where argument.unicodeScalars.contains("\u{FFFD}") {
      guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil else {
        continue
      }
      throw Failure(
        .usage, "\(argument): this argument is not UTF-8; give the file another name, or a link to it")
    }
  }
}
