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

  /// In the folder of the test bundle.
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
    let handles = try [output, errors].map { try FileHandle(forWritingTo: $0) }
    (process.standardOutput, process.standardError) = (handles[0], handles[1])
    try process.run()
    // A process that has ended keeps its handles for long, and Foundation crashes with thousands of them.
    for handle in handles { try handle.close() }
    return Outcome(
      status: process.awaitEnd(),
      output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }

  struct TimedOut: Error {
    let what: String
  }

  /// Waits until something is so, for a quarter of an hour at most: what hangs fails, on a busy host too.
  static func eventually(_ what: String, _ condition: () throws -> Bool) throws {
    let end = ContinuousClock.now + .seconds(900)
    while try !condition() {
      guard ContinuousClock.now < end else { throw TimedOut(what: what) }
      usleep(10_000)
    }
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
  /// `waitUntilExit()` hangs now and then when several processes are started at once: it waits for a socket
  /// that they inherit, not for the process. (swift-corelibs-foundation, issue 4795.)
  /// One that has not ended after a quarter of an hour is killed, and the test fails.
  func awaitEnd() -> Int32 {
    let limit = Date(timeIntervalSinceNow: 900)
    var isKilled = false
    while true {
      var end = siginfo_t()
      // The process stays to be waited for by its owner.
      let result = waitid(P_PID, id_t(processIdentifier), &end, WEXITED | WNOHANG | WNOWAIT)
      if result < 0, errno != EINTR {
        // The owner was faster, and has the status or is about to.
        while isRunning { usleep(1000) }
        return terminationReason == .exit ? terminationStatus : -terminationStatus
      }
      let status = end._sifields._sigchld.si_status
      if result == 0, end.si_signo != 0 { return end.si_code == Int32(CLD_EXITED) ? status : -status }
      if !isKilled, Date() > limit {
        isKilled = true
        Issue.record("\(executableURL?.path ?? "") \(arguments ?? []) did not end")
        kill(processIdentifier, SIGKILL)
      }
      usleep(2000)
    }
  }
}
