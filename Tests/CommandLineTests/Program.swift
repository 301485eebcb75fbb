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

  /// The program lies beside the test bundle.
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
    // Files, not pipes: whatever is printed, in whatever order, nobody waits for its reader.
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
    process.waitUntilExit()
    return Outcome(
      status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
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
