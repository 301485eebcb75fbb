import Foundation
import Testing

/// `touchtree check` of a rehearsal: the product hands it to touchtree-preview.
@Suite("Checks of rehearsals") struct RehearsalCheckTests {
  private func run(_ arguments: [String]) throws -> (status: Int32, text: String) {
    let built = try #require(ProcessInfo.processInfo.arguments.first)
    let process = Process()
    process.executableURL = URL(filePath: built).deletingLastPathComponent().appending(path: "touchtree")
    process.arguments = arguments
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test func `an unknown step is named with its place and the nearest, and a panel beside it is checked`()
    throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "check-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(try run(["new", folder]).status == 0)
    let (rehearsal, panel) = ("\(folder)/rehearsal.yaml", "\(folder)/touchtree.yaml")
    let good = try run(["check", rehearsal])
    #expect(good.status == 0 && good.text == "\(rehearsal): good, 2 cases\n", "\(good)")
    let text = try String(contentsOfFile: rehearsal, encoding: .utf8).replacing("wait:", with: "wiat:")
    try Data(text.utf8).write(to: URL(filePath: rehearsal))
    let bad = try run(["check", rehearsal, panel])
    #expect(bad.status == 78 && bad.text.contains("\(panel): good"), "\(bad)")
    let message = #/rehearsal\.yaml:[0-9]+:9: error: unknown key "wiat" .*did you mean "wait"\?/#
    #expect(bad.text.contains(message), "\(bad)")
    let shown = try run(["run", rehearsal, "--display", "headless"])
    #expect(shown.status == 78 && shown.text.contains("this is a rehearsal"), "\(shown)")
  }
}
