import Foundation
import SystemPackage
import Testing

@testable import TouchDaemon

/// A command's answer may be larger than memory should be.
@Suite struct LineOutputTests {
  private let line = [UInt8](repeating: UInt8(ascii: "x"), count: 4095) + [0x0a]

  @Test func aCommandsOutputIsWrittenBeforeAllOfItIsThere() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "touchtree-\(UUID()).txt").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let output = try LineOutput(path: path, patience: .waits)
    for _ in 0..<300 { output.write(line) }
    let early = try #require(FileManager.default.contents(atPath: path)).count
    #expect(early > 1 << 20)
    try output.flush()
    #expect(FileManager.default.contents(atPath: path)?.count == 300 * 4096)
  }

  @Test func `a line is one line, and JSON is still JSON`() throws {
    let evil = "\u{1b}[31m\n<0>\u{7f}\u{9b}\u{202e}\u{2028}\u{e0041}\u{0} \"é\\"
    var json = JSONText()
    json.value(evil)
    #expect(json.string.unicodeScalars.allSatisfy { $0.isShown })
    #expect(try JSONDecoder().decode(String.self, from: Data(json.bytes)) == evil)
    let path = FileManager.default.temporaryDirectory.appending(path: "touchtree-\(UUID()).txt").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let output = try LineOutput(path: path, patience: .waits)
    output.write(line: "a\u{1b}]0;b\u{7}\n<0>c")
    output.write(line: json.string)
    try output.flush()
    let text = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    #expect(text == #"a\u{1B}]0;b\u{07}\n<0>c"# + "\n" + json.string + "\n")
  }

  @Test func aFailureBeforeTheFlushIsToldByIt() throws {
    let output = try LineOutput(path: "/dev/full", patience: .waits)
    for _ in 0..<600 { output.write(line) }
    #expect(throws: Errno.noSpace) { try output.flush() }
  }
}
