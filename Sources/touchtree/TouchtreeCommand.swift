import ArgumentParser
import Glibc

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

/// A file's name may be any bytes, but arguments are texts here: a name that is not UTF-8 would lead to another file, or to
/// none.
enum TextArguments {
  /// Ends the program where an argument is not UTF-8.
  static func check() {
    for (index, argument) in CommandLine.arguments.enumerated()
    where argument.unicodeScalars.contains("\u{FFFD}") {
      guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil else {
        continue
      }
      StandardError.write(
        line:
          "touchtree: error: \(argument): this argument is not UTF-8; give the file another name, or a link to it"
      )
      exit(ExitStatus.usage.rawValue)
    }
  }
}
