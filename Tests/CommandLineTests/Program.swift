import Foundation
import Testing

/// The built program, run as a user runs it.
enum Program {
  struct Outcome {
    var status: Int32
    var output: String
    var errors: String
    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  /// The package's folder, which is the working directory of every run.
  static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Debian's fonts-dejavu-core and nothing else, so that pictures are the same on every machine.
  static let fonts = package.appending(path: "Tests/Fonts/fonts.conf").path

  /// The program is in the folder of the test bundle.
  static let executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "touchtree")

  /// Runs the built program, in the package's folder unless another is named.
  static func run(_ arguments: [String], in folder: String = package.path) throws -> Outcome {
    try run(executable.path, arguments, in: folder)
  }

  static func run(_ executable: String, _ arguments: [String], in folder: String) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = ProcessInfo.processInfo.environment.merging(["FONTCONFIG_FILE": fonts]) { $1 }
    // Files, not pipes: the program never waits for a reader.
    let files = FileManager.default.temporaryDirectory.appending(
      path: "touchtree-output-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: files) }
    let output = files.appending(path: "output")
    let errors = files.appending(path: "errors")
    for file in [output, errors] { try Data().write(to: file) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    return Outcome(
      status: process.awaitEnd(),
      output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }

  /// A folder for one test, removed with `body`'s end.
  static func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "touchtree-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }
}

extension Process {
  /// Waits for its end; returns its exit status, or minus the signal that ended it.
  ///
  /// `waitUntilExit()` hangs now and then when several processes are started at once: it waits for a socket that they
  /// inherit, not for the process. (swift-corelibs-foundation, issue 4795.)
  func awaitEnd() -> Int32 {
    var end = siginfo_t()
    // The process stays to be waited for by its owner.
    while waitid(P_PID, id_t(processIdentifier), &end, WEXITED | WNOWAIT) < 0 {
      // The owner was faster, and has the status or is about to.
      guard errno == EINTR else {
        while isRunning { usleep(1000) }
        return terminationReason == .exit ? terminationStatus : -terminationStatus
      }
    }
    let status = end._sifields._sigchld.si_status
    return end.si_code == Int32(CLD_EXITED) ? status : -status
  }
}
