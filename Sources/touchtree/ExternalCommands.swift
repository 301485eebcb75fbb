import ArgumentParser
import Glibc
import SystemPackage
import TouchCommand
import TouchHandlers
import TouchSystem

/// A command that touchtree lists and another program has.
protocol ListedCommand: ParsableCommand {
  static var command: ExternalCommand { get }
}

extension ListedCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: command.rawValue, abstract: command.abstract)
  }
}

struct CalibrateCommand: ListedCommand { static let command = ExternalCommand.calibrate }
struct TestCommand: ListedCommand { static let command = ExternalCommand.test }
struct MonitorCommand: ListedCommand { static let command = ExternalCommand.monitor }
struct RecordCommand: ListedCommand { static let command = ExternalCommand.record }
struct BridgeCommand: ListedCommand { static let command = ExternalCommand.bridge }
struct RawCommand: ListedCommand { static let command = ExternalCommand.raw }
struct ReportCommand: ListedCommand { static let command = ExternalCommand.report }
struct PreviewCommand: ListedCommand { static let command = ExternalCommand.preview }
struct PushCommand: ListedCommand { static let command = ExternalCommand.push }
struct RehearseCommand: ListedCommand { static let command = ExternalCommand.rehearse }
struct LanguageServerCommand: ListedCommand { static let command = ExternalCommand.languageServer }

extension ExternalProgram {
  /// Becomes the program that has the command, for `touchtree test …`, for `touchtree help test`, and when a
  /// shell asks for completions of these.
  /// - Throws: `Failure` if it is not installed.
  static func startIfAsked(by arguments: [String]) throws(Failure) {
    guard let name = arguments.first(where: { $0 != "help" && $0 != "---completion" }),
      let command = ExternalCommand(rawValue: name)
    else { return }
    try command.program.start(for: name)
  }

  /// Becomes this program.
  /// - Parameter command: the command as it was typed, for the message.
  /// - Throws: `Failure` if the program is not installed.
  func start(for command: String) throws(Failure) -> Never {
    for folder in Self.folders { OwnProgram.become(folder.appending(rawValue)) }
    throw isMissing(for: command)
  }

  /// Runs a command of this program, which writes to the same output, and waits until it has ended.
  /// - Returns: its status; nil for success.
  /// - Throws: `Failure` if the program is not installed.
  func run(_ arguments: [String]) throws(Failure) -> ExitStatus? {
    for folder in Self.folders {
      let id = try? ProcessSpawn.start(
        folder.appending(rawValue).string, arguments: ["touchtree"] + arguments,
        environment: ChildProcesses.ownEnvironment, output: STDOUT_FILENO)
      guard let id else { continue }
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0 && errno == EINTR {}
      return status == 0 ? nil : ExitStatus(rawValue: status >> 8 & 0xff) ?? .unavailable
    }
    throw isMissing(for: arguments[0])
  }

  private func isMissing(for command: String) -> Failure {
    Failure(
      .unavailable,
      "`touchtree \(command)` is in the program \(rawValue), which is not installed; "
        + "type: apt install \(rawValue)")
  }

  /// The folders that are searched: that of touchtree, for a build that is not installed; that of packages
  /// and `make install`; and those of PATH.
  private static var folders: [FilePath] {
    let own = OwnProgram.folder.map { [$0, $0.removingLastComponent().appending("libexec/touchtree")] } ?? []
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return own + path.split(separator: ":").map { FilePath(String($0)) }
  }
}
