import ArgumentParser

struct TouchtreeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touchtree",
    abstract: "UIKit's touch model on bare Linux: from the touchscreen to views and handlers.",
    version: "0.1.0",
    subcommands: [
      RunCommand.self, CheckCommand.self, TreeCommand.self, HitCommand.self, TraceCommand.self,
      RenderCommand.self, DevicesCommand.self, CalibrateCommand.self, MonitorCommand.self, RecordCommand.self,
      ReplayCommand.self, ControlCommand.self,
      ConsoleRestoreCommand.self,
    ])
}
