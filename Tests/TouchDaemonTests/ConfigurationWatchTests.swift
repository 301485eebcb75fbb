import Foundation
import Testing

@testable import TouchInspection
@testable import TouchSystem

/// Saves of a configuration, in a folder of the test.
@Suite struct ConfigurationWatchTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID().uuidString)")
    .path
  private let loop: EventLoop

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // A busy host makes no pause between two saves.
    loop = try EventLoop(manualClock: ManualClock())
  }

  private func save(_ name: String) throws {
    try Data("version: 1\n".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
  }

  private func turn(milliseconds: Int64) throws { try loop.advance(byNanoseconds: milliseconds * 1_000_000) }

  /// How often some saves are reported that follow each other within the pause that a save has.
  private func reports(of saves: [String]) throws -> Int {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try save("touchtree.yaml")
    let watch = try ConfigurationWatch(in: loop)
    try watch.follow("\(folder)/touchtree.yaml", others: ["\(folder)/logo.png"])
    var reports = 0
    watch.onChange = { reports += 1 }
    // Each save is read by itself.
    for name in saves {
      try save(name)
      try turn(milliseconds: 1)
    }
    // Later than whatever they have made wait.
    try turn(milliseconds: 300)
    return reports
  }

  @Test func `several writes of one save are reported once`() throws {
    #expect(try reports(of: ["touchtree.yaml", "touchtree.yaml", "logo.png"]) == 1)
  }

  @Test func `a file that is not the configuration's is not reported`() throws {
    #expect(try reports(of: ["notes.txt"]) == 0)
  }
}
