import ArgumentParser
import Glibc
import TouchSystem
import TouchViews

package protocol RootCommand: ParsableCommand {
  /// Examines and may rewrite the arguments; throws a `Failure` where the parser's message is poor.
  static func prepared(_ arguments: [String]) throws -> [String]

  /// Returns whether an argument of a line is a text, and cannot be the name of a file.
  static func isText(at index: Int, of line: [String]) -> Bool
}

extension RootCommand {
  package static func isText(at index: Int, of line: [String]) -> Bool { false }

  /// Runs the line with the program's name and arguments, and ends with its exit status.
  package static func run(_ line: [String]) -> Never {
    do {
      try checkEncoding(of: line)
      var command = try parseAsRoot(try prepared(Array(line.dropFirst())))
      try command.run()
      Glibc.exit(0)
    } catch let exit as ExitCode {
      // The command has reported its error.
      Glibc.exit(exit.rawValue)
    } catch {
      let code = exitCode(for: error)
      if code.isSuccess { printAndExit(fullMessage(for: error)) }
      let isUsage = code.rawValue == ExitStatus.usage.rawValue
      end(with: isUsage ? Failure(.usage, lines: usageMessage(error)) : Failure(error))
    }
  }

  private static func end(with failure: Failure) -> Never {
    failure.report(as: programName)
    Glibc.exit(failure.status.rawValue)
  }

  /// Prints a requested text, such as the help.
  private static func printAndExit(_ text: String) -> Never {
    let output = LineOutput(.standardOutput)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) where !text.isEmpty {
      output.write(line: String(line))
    }
    do {
      try output.flush()
    } catch {
      end(with: Failure(error))
    }
    Glibc.exit(0)
  }

  /// Returns the error for a command that the program does not have; nil if it has it, or if none is named.
  package static func unknownCommand(in arguments: [String]) -> String? {
    let root = programName
    var path = root
    var commands = configuration.subcommands
    for argument in arguments {
      if commands.isEmpty || argument.hasPrefix("-") { return nil }
      if path == root && argument == "help" { continue }
      if let command = commands.first(where: { $0.configuration.commandName == argument }) {
        path += " \(argument)"
        commands = command.configuration.subcommands
        continue
      }
      let names = commands.filter { $0.configuration.shouldDisplay }.compactMap {
        $0.configuration.commandName
      }
      // `settings` is far from `set` but means it.
      let nearest =
        Suggestion.nearest(to: argument, among: names)
        ?? names.first {
          $0.count > 2 && argument.hasPrefix($0) || argument.count > 2 && $0.hasPrefix(argument)
        }
      let hint = nearest.map { "did you mean '\($0)'? " } ?? ""
      return "unknown command '\(argument)'; \(hint)`\(path) --help` lists the commands"
    }
    return nil
  }

  private static var programName: String { configuration.commandName ?? "touchtree" }

  /// Returns the parser's message as one line in the program's own style, with the usage of the command.
  private static func usageMessage(_ error: any Error) -> [String] {
    var lines = fullMessage(for: error, columns: .max).split(separator: "\n").map(String.init)
    guard !lines.isEmpty else { return ["these arguments are not understood; see `\(programName) --help`"] }
    let problem = lines.removeFirst().trimmingPrefix("Error: ")
    // The help of one argument may be long, and the error has been written already.
    let usage = lines.filter { $0.hasPrefix("Usage: ") || $0.hasPrefix("  See ") }
    return [problem.first.map { $0.lowercased() + problem.dropFirst() } ?? ""] + usage
  }

  /// Rejects files' names that are not UTF-8, which as text would lead elsewhere.
  private static func checkEncoding(of line: [String]) throws {
    for (index, argument) in line.enumerated() where argument.unicodeScalars.contains("\u{FFFD}") {
      if ProgramArguments.isText(at: index) { continue }
      let help =
        isText(at: index, of: line)
        ? "this text is not UTF-8; give it in UTF-8"
        : "this argument is not UTF-8; give the file another name, or a link to it"
      throw Failure(.usage, "\(argument): \(help)")
    }
  }
}
