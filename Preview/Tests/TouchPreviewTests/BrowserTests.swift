import Foundation
import Testing

/// The page in Debian's Chromium, without a display; attacks on its server; and a board that is an sshd on
/// loopback. The tests are in Python, for which Debian has what drives a browser: the files in Browser say
/// what each does.
@Suite("Preview in a browser and on a board", .serialized) struct BrowserTests {
  /// Runs a test, and returns its errors; empty if all is well.
  private func errors(of test: String, in script: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Browser")
    let built = try #require(ProcessInfo.processInfo.arguments.first)
    let touchtree = URL(filePath: built).deletingLastPathComponent().appending(path: "touchtree").path
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-B", folder.appending(path: script).path, touchtree, test]
    let output = Pipe()
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? "" : "\(text)"
  }

  @Test(arguments: ["touches", "drags", "saves", "broken", "tabs", "beside"])
  func `the page does what browser.py says`(test: String) throws {
    let errors = try errors(of: test, in: "browser.py")
    #expect(errors.isEmpty, "\(errors)")
  }

  @Test(arguments: ["pushes", "saves", "screens", "silence"])
  func `a board shows what board.py says`(test: String) throws {
    let errors = try errors(of: test, in: "board.py")
    #expect(errors.isEmpty, "\(errors)")
  }

  @Test(arguments: ["strangers", "crowds", "idlers"])
  func `the server refuses what hostile.py tries`(test: String) throws {
    let errors = try errors(of: test, in: "hostile.py")
    #expect(errors.isEmpty, "\(errors)")
  }
}
