import ArgumentParser
import TouchCommand
import TouchSystem

struct TouchtreeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchtree",
    abstract: "UIKit's touch model on bare Linux: from the touchscreen to views and handlers.",
    version: TouchtreeVersion.text,
    subcommands: [
      RunCommand.self, CheckCommand.self, TreeCommand.self, HitCommand.self, TraceCommand.self,
      RenderCommand.self, DevicesCommand.self, DisplaysCommand.self, CalibrateCommand.self, TestCommand.self,
      MonitorCommand.self,
      RecordCommand.self, ReplayCommand.self, BridgeCommand.self, RawCommand.self, ReportCommand.self,
      NewCommand.self, PreviewCommand.self, PushCommand.self, RehearseCommand.self,
      LanguageServerCommand.self, IconsCommand.self,
      ControlCommand.self, HealthCommand.self,
      ConsoleRestoreCommand.self,
    ])
}

extension TouchtreeCommand: RootCommand {
  static func prepared(_ arguments: [String]) throws -> [String] {
    try ExternalProgram.startIfAsked(by: arguments)
    let arguments = withSocketAfterRequest(arguments)
    if let problem = unknownCommand(in: arguments) ?? HitCommand.problem(with: arguments) {
      throw Failure(.usage, problem)
    }
    return NegativePoints.shielded(arguments)
  }

  static func isText(at index: Int, of line: [String]) -> Bool {
    guard index > 2, line[1] == ControlCommand.configuration.commandName else { return false }
    let texts =
      [ControlCommand.SetRequest.self, ControlCommand.TypeRequest.self] as [any ParsableCommand.Type]
    return line[2..<index].contains { word in texts.contains { $0.configuration.commandName == word } }
      && line[index - 1] != "--socket" && !line[index].hasPrefix("--socket=")
  }

  /// Moves the option in `ctl --socket PATH tree` behind the request.
  private static func withSocketAfterRequest(_ arguments: [String]) -> [String] {
    guard arguments.count > 2, arguments[0] == ControlCommand.configuration.commandName else {
      return arguments
    }
    let length = arguments[1] == "--socket" ? 2 : arguments[1].hasPrefix("--socket=") ? 1 : 0
    let option = arguments[1..<(1 + length)]
    let rest = arguments[(1 + length)...]
    return Array(arguments.prefix(1) + rest.prefix(1) + option + rest.dropFirst())
  }
}
