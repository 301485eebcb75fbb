import ArgumentParser
import Glibc
import SystemPackage
import TouchCommand
import TouchSystem

/// A command that touchtree lists and `touchtree-instrument` has.
protocol InstrumentCommand: ParsableCommand {
  static var instrument: Instrument { get }
}

extension InstrumentCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: instrument.rawValue, abstract: instrument.abstract)
  }
}

struct CalibrateCommand: InstrumentCommand { static let instrument = Instrument.calibrate }
struct TestCommand: InstrumentCommand { static let instrument = Instrument.test }
struct MonitorCommand: InstrumentCommand { static let instrument = Instrument.monitor }
struct RecordCommand: InstrumentCommand { static let instrument = Instrument.record }
struct BridgeCommand: InstrumentCommand { static let instrument = Instrument.bridge }
struct RawCommand: InstrumentCommand { static let instrument = Instrument.raw }
struct ReportCommand: InstrumentCommand { static let instrument = Instrument.report }

/// The program `touchtree-instrument`, which touchtree becomes for the commands that it only lists, as git becomes its commands.
enum InstrumentProgram {
  private static let name = "touchtree-instrument"

  /// Becomes that program for `touchtree test …`, for `touchtree help test`, and when a shell asks for completions of these.
  /// - Throws: `Failure` if it is not installed.
  static func startIfAsked(by arguments: [String]) throws(Failure) {
    guard let command = arguments.first(where: { $0 != "help" && $0 != "---completion" }),
      Instrument(rawValue: command) != nil
    else { return }
    try start(command)
  }

  /// Becomes that program.
  /// - Parameter command: the command as it was typed, for the message.
  /// - Throws: `Failure` if the program is not installed.
  static func start(_ command: String) throws(Failure) -> Never {
    for folder in folders { OwnProgram.become(folder.appending(name)) }
    throw Failure(
      .unavailable,
      "`touchtree \(command)` is in the program \(name), which is not installed; type: apt install \(name)")
  }

  /// The folders that are searched: that of touchtree, for a build that is not installed; that of packages and `make install`;
  /// and those of PATH.
  private static var folders: [FilePath] {
    let own = OwnProgram.folder.map { [$0, $0.removingLastComponent().appending("libexec/touchtree")] } ?? []
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return own + path.split(separator: ":").map { FilePath(String($0)) }
  }
}
