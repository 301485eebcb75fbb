import ArgumentParser
import TouchCommand
import TouchSystem

/// The root of the commands. Its name is the one with which they are typed: touchtree starts this program for
/// them.
struct InstrumentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchtree", abstract: "Measure, record and repair touchscreens.",
    version: TouchtreeVersion.text,
    subcommands: [
      CalibrateCommand.self, TestCommand.self, MonitorCommand.self, RecordCommand.self, ReplayCommand.self,
      BridgeCommand.self, RawCommand.self, ReportCommand.self,
    ])
}

extension InstrumentCommand: RootCommand {
  static func prepared(_ arguments: [String]) throws -> [String] {
    if let problem = unknownCommand(in: arguments) { throw Failure(.usage, problem) }
    return arguments
  }
}
