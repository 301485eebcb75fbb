import FolderSupport
import Foundation
import Testing

@testable import TouchHandlers
@testable import TouchSystem

/// Who could change what root runs.
@Suite struct FileTrustTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func judgement(of name: String, owners: Set<UInt32> = [0, geteuid()]) -> String {
    do throws(Failure) {
      try FileTrust(owners: owners).check(name.hasPrefix("/") ? name : folder.file(name))
      return "good"
    } catch {
      return "\(error)".replacingOccurrences(of: folder.path, with: "DIR")
    }
  }

  private func makeFolder(_ name: String, mode: mode_t) throws {
    try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    chmod(folder.file(name), mode)
  }

  @Test(arguments: [
    (0o755, "good"), (0o600, "good"), (0o775, "a.yaml has mode 0775"), (0o757, "(mode 0757)"),
    (0o666, "(mode 0666)"),
  ])
  func `a file that group or others may write is not trusted, with what to type`(
    mode: mode_t, expected: String
  )
    throws
  {
    try folder.write("version: 1\n", to: "a.yaml", mode: mode)
    let judgement = judgement(of: "a.yaml")
    #expect(judgement.contains(expected))
    #expect(expected == "good" || judgement.hasSuffix("run: chmod go-w DIR/a.yaml"))
  }

  @Test func `what every user may write, or put in its place, is refused, and anything else is a warning`()
    throws
  {
    for (name, mode) in [("open", 0o777), ("sticky", 0o1777), ("group", 0o775)] as [(String, mode_t)] {
      try makeFolder("\(name)/inner", mode: 0o755)
      for inner in ["", "inner/"] {
        try folder.write("", to: "\(name)/\(inner)a.yaml")
        try folder.write("", to: "\(name)/\(inner)group.yaml", mode: 0o664)
      }
      chmod(folder.file(name), mode)
    }
    try folder.write("", to: "all.yaml", mode: 0o666)
    try folder.write("", to: "group.yaml", mode: 0o664)
    let trust = FileTrust(owners: [0, geteuid()])
    for (name, isRefused) in [
      ("group.yaml", false), ("all.yaml", true), ("open/a.yaml", true), ("open/inner/a.yaml", true),
      // The nearest would be a warning.
      ("open/group.yaml", true), ("open/inner/group.yaml", true), ("sticky/group.yaml", false),
      ("sticky/inner/group.yaml", false), ("group/a.yaml", false), ("group/inner/a.yaml", false),
    ] {
      var warnings = 0
      do throws(Failure) {
        try trust.check(folder.file(name)) { _ in warnings += 1 }
        #expect(!isRefused && warnings == 1, "\(name)")
      } catch {
        #expect(isRefused && warnings == 0, "\(name)")
      }
    }
  }

  @Test func `every folder on the way counts, and a sticky one lets others only add files`() throws {
    try makeFolder("open/inner", mode: 0o755)
    try folder.write("", to: "open/inner/a.yaml")
    chmod(folder.file("open"), 0o777)
    #expect(judgement(of: "open/inner/a.yaml").hasPrefix("every user may write to DIR/open (mode 0777)"))
    chmod(folder.file("open"), 0o1777)
    #expect(judgement(of: "open/inner/a.yaml") == "good")
  }

  @Test func `a link leads to what is judged, and lies itself in a folder that is`() throws {
    try makeFolder("open", mode: 0o777)
    try makeFolder("closed", mode: 0o755)
    try folder.write("", to: "closed/a.yaml")
    // Another user could turn this link to another file.
    symlink(folder.file("closed/a.yaml"), folder.file("open/a.yaml"))
    #expect(judgement(of: "open/a.yaml").hasPrefix("every user may write to DIR/open (mode 0777)"))
    symlink("../closed/./a.yaml", folder.file("closed/link.yaml"))
    #expect(judgement(of: "closed/link.yaml") == "good")
    try folder.write("", to: "open/b.yaml")
    symlink("../open/b.yaml", folder.file("closed/b.yaml"))
    #expect(judgement(of: "closed/b.yaml").hasPrefix("every user may write to DIR/open (mode 0777)"))
  }

  @Test func `what belongs to another user is not trusted`() throws {
    try folder.write("", to: "a.yaml")
    #expect(judgement(of: "/etc/hostname", owners: [0]) == "good")
    #expect(judgement(of: "/etc/hostname", owners: [54_321]).hasPrefix("/etc/hostname belongs to user 0"))
  }

  @Test func `pipes and missing files are not rejected`() throws {
    #expect(mkfifo(folder.file("pipe"), 0o666) == 0)
    chmod(folder.file("pipe"), 0o666)
    #expect(judgement(of: "pipe") == "good")
    #expect(judgement(of: "nothing") == "good")
  }

  @Test func `a command is judged where it was found`() throws {
    let bell = try folder.write("#!/bin/sh\n", to: "bell", mode: 0o777)
    let trust = FileTrust(owners: [0, geteuid()])
    for name in [bell, "bell"] {
      let error = #expect(throws: Failure.self) {
        try Command(words: [name], path: folder.path, trust: trust)
      }
      #expect(error?.description.hasSuffix("run: chmod go-w \(bell)") == true, "\(String(describing: error))")
    }
    #expect(throws: Never.self) { try Command(words: [bell], path: "") }
  }
}
