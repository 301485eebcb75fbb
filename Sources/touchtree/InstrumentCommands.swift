import ArgumentParser
import Glibc
import SystemPackage
import TouchCommand
import TouchSystem

/// A command that is in `touchtree-instrument`: here it is listed.
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

/// The program `touchtree-instrument`, which `touchtree` becomes for a command that it lists and does not have, as git does for
/// its commands.
enum InstrumentProgram {
  private static let name = "touchtree-instrument"

  /// Becomes it for `touchtree test …`, for `touchtree help test`, and for what a shell asks to complete these.
  ///
  /// - Throws: `Failure` where it is not installed.
  static func startIfAsked(by arguments: [String]) throws(Failure) {
    guard let command = arguments.first(where: { $0 != "help" && $0 != "---completion" }),
      Instrument(rawValue: command) != nil
    else { return }
    try start(command)
  }

  /// Becomes it.
  ///
  /// - Parameter command: what has been typed, for the message.
  /// - Throws: `Failure` where it is not installed.
  static func start(_ command: String) throws(Failure) -> Never {
    for folder in folders { OwnProgram.become(folder.appending(name)) }
    throw Failure(
      .unavailable,
      "`touchtree \(command)` is in the program \(name), which is not installed; type: apt install \(name)")
  }

  /// Beside this program, for a build that is not installed; where packages and `make install` put it; and wherever it is
  /// looked for by a shell.
  private static var folders: [FilePath] {
    let own = OwnProgram.folder.map { [$0, $0.removingLastComponent().appending("libexec/touchtree")] } ?? []
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return own + path.split(separator: ":").map { FilePath(String($0)) }
  }
}
