import Foundation
import Testing

@testable import TouchSystem

@Suite("A file that is replaced") struct FileContentsTests {
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "replace-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func `what a process left that was killed is removed, and nothing else`() throws {
    try inFolder { folder in
      // The largest number of a process that Linux gives, and one more.
      let kept = [
        "saved", "saved.\(getpid()).tmp", "saved.x.tmp", "saved.4194305.tmp.old", "other.4194305.tmp",
      ]
      for name in kept + ["saved.4194305.tmp"] { try Data().write(to: URL(filePath: "\(folder)/\(name)")) }
      FileContents.removeRemainders(of: "\(folder)/saved")
      #expect(try names(folder) == kept.sorted())
    }
  }

  /// What stands where the new file is written before it takes the old one's place.
  @Test(arguments: ["nothing", "a pipe", "a link", "a file that all may read"], [true, false])
  func `what stands in its way is neither waited for nor written to`(obstacle: String, isNew: Bool) throws {
    try inFolder { folder in
      let path = "\(folder)/saved"
      let new = "\(path).\(getpid()).tmp"
      if !isNew { try Data("old".utf8).write(to: URL(filePath: path)) }
      try Data("other".utf8).write(to: URL(filePath: "\(folder)/other"))
      switch obstacle {
      case "a pipe": #expect(mkfifo(new, 0o666) == 0)
      case "a link": #expect(symlink("other", new) == 0)
      case "a file that all may read":
        try Data("theirs".utf8).write(to: URL(filePath: new))
        chmod(new, 0o666)
      default: break
      }
      try FileContents.replace(path, with: Array("saved".utf8))
      #expect(try FileContents.read(path, upTo: 99) == Array("saved".utf8))
      #expect(try FileContents.read("\(folder)/other", upTo: 99) == Array("other".utf8))
      #expect(try names(folder) == ["other", "saved"])
      #expect(mode(path) == 0o600)
      var status = stat()
      #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
    }
  }

  @Test func `who may read it depends on what it is for`() throws {
    try inFolder { folder in
      let before = umask(0o027)
      defer { umask(before) }
      for (purpose, expected) in [
        (FileContents.Purpose.keeping, 0o600), (.sharing, 0o644), (.output, 0o640),
      ] as [(FileContents.Purpose, mode_t)] {
        let path = "\(folder)/\(purpose)"
        try FileContents.replace(path, with: [1], for: purpose)
        #expect(mode(path) == expected, "\(purpose)")
      }
    }
  }

  @Test func `a pipe without a reader in the file's own place is an error, and stays`() throws {
    try inFolder { folder throws in
      let path = "\(folder)/pipe"
      #expect(mkfifo(path, 0o600) == 0)
      #expect(throws: SystemError.self) { try FileContents.replace(path, with: [1]) }
      #expect(throws: SystemError.self) { try FileContents.replace(path, with: [1], for: .sharing) }
      #expect(try names(folder) == ["pipe"])
    }
  }

  @Test func `a folder in its place is an error, and nothing is left`() throws {
    try inFolder { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/taken", withIntermediateDirectories: false)
      #expect(throws: SystemError.self) { try FileContents.replace("\(folder)/taken", with: [1]) }
      #expect(throws: SystemError.self) { try FileContents.replace("\(folder)/none/file", with: [1]) }
      #expect(try names(folder) == ["taken"])
    }
  }
}
