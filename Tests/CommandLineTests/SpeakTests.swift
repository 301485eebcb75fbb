import Foundation
import Testing

/// The example of a screen reader, at a daemon that runs.
@Suite("Speaking what is used")
struct SpeakTests {
  /// Starts a program in the background.
  private func start(_ executable: String, _ arguments: [String], path: String, output: String) throws
    -> Process
  {
    let process = Process()
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    process.currentDirectoryURL = Program.package
    let before = ProcessInfo.processInfo.environment
    process.environment = before.merging([
      "FONTCONFIG_FILE": Program.fonts, "PATH": "\(path):\(before["PATH"] ?? "")",
    ]) { $1 }
    try Data().write(to: URL(filePath: output))
    let handle = try FileHandle(forWritingTo: URL(filePath: output))
    (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, handle)
    process.standardError = handle
    try process.run()
    try handle.close()
    return process
  }

  @Test func `it says the label and the kind of what has the focus, and of a secure field no more`() throws {
    try Program.inFolder { folder in
      let socket = "\(folder)/socket"
      // The example calls the program by its name, and finds the daemon where one is installed.
      let named = "\(folder)/touchtree"
      let script = "#!/bin/sh\nexec '\(Program.executable.path)' \"$@\" --socket '\(socket)'\n"
      try Data(script.utf8).write(to: URL(filePath: named))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: named)
      let daemon = try start(
        Program.executable.path,
        ["run", "config/examples/wifi.yaml", "--display", "headless", "--control", socket], path: folder,
        output: "\(folder)/log")
      var speaker: Process?
      // The speaker ends with what it listens to.
      defer {
        daemon.terminate()
        _ = daemon.awaitEnd()
        _ = speaker?.awaitEnd()
      }
      try Program.eventually("the daemon") { FileManager.default.fileExists(atPath: socket) }
      let said = "\(folder)/said"
      speaker = try start(
        "/usr/bin/env", ["python3", "config/examples/speak.py", "--print"], path: folder, output: said)
      var lines: [Substring] = []
      try Program.eventually("what it says") {
        _ = try Program.run(["ctl", "press", "tab", "--socket", socket])
        lines = try String(contentsOfFile: said, encoding: .utf8).split(separator: "\n")
        return Set(lines).count >= 4 || speaker?.isRunning == false
      }
      #expect(
        Set(lines).isSuperset(of: ["Guests, Networks, list", "Workshop, Networks, list"]), "\(lines)")
      #expect(lines.contains("Password, secure text field"), "\(lines)")
      // A finger that explores finds texts, too, and presses nothing.
      _ = try Program.run(["ctl", "set", "window", "touch_exploration=true", "--socket", socket])
      // One tap: a second one would press it.
      _ = try Program.run(["ctl", "touch", "100,290", "--socket", socket])
      try Program.eventually("what a tap finds") {
        let lines = try String(contentsOfFile: said, encoding: .utf8).split(separator: "\n")
        return lines.contains("Choose a network") || speaker?.isRunning == false
      }
    }
  }
}
