import ArgumentParser
import TouchCommand
import TouchSystem

/// The root of the commands. Its name is the one with which they are typed: touchtree starts this program for
/// them.
struct PreviewProgram: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchtree", abstract: "Write a panel here and touch it in a browser or on a board.",
    version: TouchtreeVersion.text,
    subcommands: [
      PreviewCommand.self, PushCommand.self, RehearseCommand.self, LanguageServerCommand.self,
    ])
}

extension PreviewProgram: RootCommand {
  static func prepared(_ arguments: [String]) throws -> [String] {
    if let problem = unknownCommand(in: arguments) { throw Failure(.usage, problem) }
    return arguments
  }
}
