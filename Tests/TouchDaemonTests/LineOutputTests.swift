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

  @Test func aFailureBeforeTheFlushIsToldByIt() throws {
    let output = try LineOutput(path: "/dev/full", patience: .waits)
    for _ in 0..<600 { output.write(line) }
    #expect(throws: Errno.noSpace) { try output.flush() }
  }
}
