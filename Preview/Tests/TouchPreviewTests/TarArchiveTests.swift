import Foundation
import Testing

@testable import TouchPreview

@Suite("Archives of a panel's files") struct TarArchiveTests {
  @Test func `tar lists each file with its size, and which may be run`() throws {
    var archive = TarArchive()
    let long = String(repeating: "folder/", count: 20) + "page.yaml"
    let areAdded = [
      archive.add("panel.yaml", Array("version: 1\n".utf8), isProgram: false),
      archive.add("more/greet.sh", Array("#!/bin/sh\n".utf8), isProgram: true),
      archive.add(long, [UInt8](repeating: 65, count: 512), isProgram: false),
    ]
    #expect(areAdded == [true, true, true])
    archive.finish()
    let file = FileManager.default.temporaryDirectory.appending(path: "panel-\(UUID().uuidString).tar")
    try Data(archive.bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let tar = Process()
    tar.executableURL = URL(filePath: "/usr/bin/tar")
    tar.arguments = ["--numeric-owner", "--utc", "-tvf", file.path]
    let output = Pipe()
    tar.standardOutput = output
    try tar.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    tar.waitUntilExit()
    #expect(tar.terminationStatus == 0)
    let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(
      lines.map { [$0[0], $0[2], $0[5]] } == [
        ["-rw-r--r--", "11", "panel.yaml"], ["-rwxr-xr-x", "10", "more/greet.sh"],
        ["-rw-r--r--", "512", long],
      ])
  }

  @Test func `a name that the format has no room for is refused`() {
    var archive = TarArchive()
    for name in [String(repeating: "a", count: 101), String(repeating: "folder/", count: 40) + "page.yaml"] {
      let isAdded = archive.add(name, [], isProgram: false)
      #expect(!isAdded, "\(name)")
    }
    #expect(archive.bytes.isEmpty)
  }
}
