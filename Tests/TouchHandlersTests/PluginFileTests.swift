import CTouchtree
import FolderSupport
import Foundation
import Testing

@testable import TouchHandlers
@testable import TouchSystem

/// Files that are no plugins, or not to be trusted.
@Suite struct PluginFileTests {
  private let folder: TemporaryFolder
  private let stage = Stage()

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The error of making a handler, with the folder's name taken out.
  private func failure(_ name: String, folders: [String] = [], owners: Set<UInt32> = [0, geteuid()]) -> String
  {
    let locator = PluginLocator(folders: folders, trustedOwners: owners)
    do throws(Failure) {
      _ = try PluginHandler(name: "bell", file: locator.locate(name), configJSON: "{}", host: stage)
      return "none"
    } catch {
      return "\(error)".replacingOccurrences(of: folder.path, with: "DIR")
    }
  }

  @Test(arguments: [
    (
      ["ABI=99u"],
      ["plugin DIR/p.so: ", "ABI 99", "ABI 1", "touchtree.h"]
    ),
    (
      ["ABI=0u"],
      ["ABI 0", "ABI 1"]
    ),
    (
      ["SIZE=8"],
      ["8 bytes", "\(8 + 5 * MemoryLayout<Int>.size)", "sizeof(touchtree_plugin)"]
    ),
    (
      ["ENTRY=plugin_create"],
      ["touchtree_plugin_create", "touchtree.h"]
    ),
    (["REFUSES", "REASON=\"no bell\""], ["no bell"]), (["REFUSES"], ["no reason", "log"]),
    (["SIZE=4096"], ["none"]),
  ])
  func `a plugin that is wrong in itself is rejected with the reason`(macros: [String], words: [String])
    throws
  {
    try Fixture.build("broken.c", defining: macros, as: folder.file("p.so"))
    let message = failure(folder.file("p.so"))
    #expect(words.allSatisfy(message.contains), "\(message)")
  }

  /// The same without loading anything.
  private func examination(_ name: String) -> String {
    do throws(Failure) {
      try PluginLocator(folders: []).examine(name)
      return "none"
    } catch {
      return "\(error)".replacingOccurrences(of: folder.path, with: "DIR")
    }
  }

  @Test(arguments: [["ABI=99u"], ["ABI=0u"], ["ENTRY=plugin_create"], ["SIZE=4096"]])
  func `what the file shows of a wrong plugin is found without running it, in the same words`(
    macros: [String]
  )
    throws
  {
    try Fixture.build("broken.c", defining: macros, as: folder.file("p.so"))
    #expect(examination(folder.file("p.so")) == failure(folder.file("p.so")))
  }

  @Test func `a file that is no library for this processor is found without loading it`() throws {
    try Fixture.build("broken.c", defining: [], as: folder.file("p.so"))
    let bytes = try Data(contentsOf: URL(filePath: folder.file("p.so")))
    func message(_ bytes: Data) throws -> String {
      try bytes.write(to: URL(filePath: folder.file("q.so")))
      return examination(folder.file("q.so"))
    }
    #expect(try message(bytes) == "none")
    #expect(try message(Data("not a library\n".utf8)).contains("cannot be loaded: file too short"))
    #expect(try message(Data(repeating: 0x20, count: 99)).contains("cannot be loaded: invalid ELF header"))
    var other = bytes
    other[4] = 1
    #expect(try message(other).contains("ELFCLASS32"))
    other = bytes
    other[0x12] ^= 0x7f
    #expect(try message(other).contains("another kind of processor"))
    // Whatever the rest says, it is only read.
    for cut in [64, 65, 200, bytes.count / 2, bytes.count - 1] { _ = try message(bytes.prefix(cut)) }
    for offset in stride(from: 0x20, to: bytes.count, by: max(1, bytes.count / 300)) {
      var damaged = bytes
      damaged[offset] = 0xff
      _ = try message(damaged)
    }
  }

  @Test func `the loader's words are passed on`() throws {
    try Fixture.build("broken.c", defining: ["MISSING"], as: folder.file("p.so"))
    let message = failure(folder.file("p.so"))
    #expect(
      message.hasPrefix("plugin DIR/p.so: cannot be loaded: undefined symbol: a_function_that_nobody_has"))
    try folder.write("not a library\n", to: "text.so")
    #expect(failure(folder.file("text.so")).hasPrefix("plugin DIR/text.so: cannot be loaded: "))
  }

  @Test func `a file that is not there is named with the places that were searched`() {
    #expect(
      failure("libbell.so", folders: ["/nowhere", folder.path])
        == "plugin libbell.so: not found in /nowhere and DIR; put libbell.so next to the configuration, or give its "
        + "path: ./libbell.so")
    #expect(
      failure("libbell.so", folders: [".", "/nowhere", folder.path]).contains(
        "not found in this folder, /nowhere and DIR; "))
    #expect(
      failure("libbell.so")
        == "plugin libbell.so: not found: no plugin folder is configured; give its full path"
    )
    #expect(
      failure(folder.file("gone.so"))
        == "plugin DIR/gone.so: cannot read DIR/gone.so: No such file or directory; correct the path, or its "
        + "permissions")
  }

  @Test(arguments: [".", "..", "folder.so", "pipe.so"])
  func `anything but a regular file is rejected`(name: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("sub/folder.so"), withIntermediateDirectories: true)
    mkfifo(folder.file("sub/pipe.so"), 0o600)
    let message = failure(name, folders: [folder.file("sub")])
    // ".." leaves the folder before anything else can be wrong with it.
    #expect(message.contains(name == ".." ? "a link to DIR, outside" : "not a regular file"))
  }

  @Test(arguments: [
    (
      file: 0o666, inner: 0o755, outer: 0o755,
      culprit: "every user may write to DIR/a/b/p.so (mode 0666), and so ",
      remedy: "chmod go-w DIR/a/b/p.so"
    ),
    (
      file: 0o664, inner: 0o755, outer: 0o755, culprit: "DIR/a/b/p.so has mode 0664, so other users could ",
      remedy: "chmod go-w DIR/a/b/p.so"
    ),
    (
      file: 0o644, inner: 0o777, outer: 0o755,
      culprit: "every user may write to DIR/a/b (mode 0777), and so ",
      remedy: "chmod go-w DIR/a/b"
    ),
    (
      file: 0o644, inner: 0o775, outer: 0o755, culprit: "DIR/a/b has mode 0775, so other users could ",
      remedy: "chmod go-w DIR/a/b"
    ),
    (
      file: 0o644, inner: 0o1777, outer: 0o755, culprit: "DIR/a/b has mode 01777, so other users could ",
      remedy: "a folder of its own"
    ),
    (
      file: 0o644, inner: 0o755, outer: 0o777, culprit: "every user may write to DIR/a (mode 0777), and so ",
      remedy: "chmod go-w DIR/a"
    ),
    (file: 0o644, inner: 0o755, outer: 0o1777, culprit: "", remedy: ""),
    (file: 0o755, inner: 0o700, outer: 0o711, culprit: "", remedy: ""),
  ])
  func `a file that others could change is refused, with the mode and what to do`(
    file: Int, inner: Int, outer: Int, culprit: String, remedy: String
  ) throws {
    try FileManager.default.createDirectory(atPath: folder.file("a/b"), withIntermediateDirectories: true)
    let path = folder.file("a/b/p.so")
    try Fixture.build("broken.c", as: path)
    for (path, mode) in [(path, file), (folder.file("a/b"), inner), (folder.file("a"), outer)] {
      #expect(chmod(path, mode_t(mode)) == 0)
    }
    let message = failure(path)
    if culprit.isEmpty {
      #expect(message == "none")
    } else {
      #expect(message.hasPrefix("plugin DIR/a/b/p.so: \(culprit)"))
      #expect(message.hasSuffix(remedy))
    }
  }

  @Test func `a file of a user who is not trusted is refused`() throws {
    try Fixture.build("broken.c", as: folder.file("p.so"))
    let message = failure(folder.file("p.so"), owners: [geteuid() + 1])
    #expect(message.hasPrefix("plugin DIR/p.so: DIR/p.so belongs to user \(geteuid()), "))
    #expect(message.hasSuffix("run: chown -h root DIR/p.so"))
  }

  /// Another user, as far as the trust goes: root gives a folder away, anyone else does not trust the root.
  private func giveAway(_ path: String) -> (owners: Set<UInt32>, culprit: String, owner: UInt32) {
    guard geteuid() == 0 else { return ([geteuid()], "/", 0) }
    #expect(chown(path, 65534, 65534) == 0)
    return ([0], path, 65534)
  }

  @Test func `a file below a folder of another user is refused, however far up that is`() throws {
    try FileManager.default.createDirectory(atPath: folder.file("a/b/c"), withIntermediateDirectories: true)
    try Fixture.build("broken.c", as: folder.file("a/b/c/p.so"))
    let (owners, culprit, owner) = giveAway(folder.file("a"))
    let place = culprit.replacingOccurrences(of: folder.path, with: "DIR")
    let message = failure(folder.file("a/b/c/p.so"), owners: owners)
    #expect(message.hasPrefix("plugin DIR/a/b/c/p.so: \(place) belongs to user \(owner), "))
    #expect(message.hasSuffix("run: chown -h root \(place)"))
  }

  @Test func `a link in a folder of another user is refused, wherever it leads`() throws {
    try FileManager.default.createDirectory(atPath: folder.file("a"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: folder.file("good"), withIntermediateDirectories: true)
    try Fixture.build("broken.c", as: folder.file("good/p.so"))
    symlink("../good", folder.file("a/link"))
    #expect(failure(folder.file("a/link/p.so")) == "none")
    let (owners, _, owner) = giveAway(folder.file("a"))
    #expect(failure(folder.file("a/link/p.so"), owners: owners).contains(" belongs to user \(owner), "))
  }

  @Test func `a folder that is exchanged after the check changes nothing`() throws {
    for (name, reason) in [("checked", "from the checked folder"), ("evil", "from the other folder")] {
      try FileManager.default.createDirectory(
        atPath: folder.file("a/\(name)"), withIntermediateDirectories: true)
      try Fixture.build(
        "broken.c", defining: ["REFUSES", "REASON=\"\(reason)\""], as: folder.file("a/\(name)/p.so"))
    }
    var file: PathWalk? = try PluginLocator(folders: []).locate(folder.file("a/checked/p.so"))
    #expect(rename(folder.file("a/checked"), folder.file("a/old")) == 0)
    #expect(rename(folder.file("a/evil"), folder.file("a/checked")) == 0)
    let error = #expect(throws: Failure.self) {
      _ = try PluginHandler(name: "bell", file: file.take()!, configJSON: "{}", host: stage)
    }
    #expect(error?.message.hasSuffix(": says: from the checked folder") == true)
  }

  @Test func `files of one name in several folders are several plugins, again and again`() throws {
    let names = ["one", "two", "three"]
    for name in names {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
      try Fixture.build(
        "broken.c", defining: ["REFUSES", "REASON=\"\(name)\""], as: folder.file("\(name)/p.so"))
    }
    for name in names + names.reversed() + names {
      #expect(failure(folder.file("\(name)/p.so")) == "plugin DIR/\(name)/p.so: says: \(name)")
    }
  }

  @Test func `a plugin that is loaded again and again takes one descriptor`() throws {
    try Fixture.build("broken.c", as: folder.file("p.so"))
    func open() throws -> Int {
      // Those of this folder alone: other tests run at the same time.
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == folder.path
      }.count
    }
    for _ in 0..<5 {
      #expect(failure(folder.file("p.so")) == "none")
      #expect(try open() == 1)
    }
  }

  @Test func `libraries in the plugin's folder are found through RPATH`() throws {
    try Fixture.build(
      "broken.c", defining: ["ENTRY=a_function_that_nobody_has"], as: folder.file("libdep.so"))
    try Fixture.build(
      "broken.c", defining: ["MISSING"],
      linking: ["-L\(folder.path)", "-ldep", "-Wl,-rpath,$ORIGIN"], as: folder.file("p.so"))
    #expect(failure(folder.file("p.so")) == "none")
  }

  @Test func `a plugin that is refused after it was made may still call the host`() throws {
    try Fixture.build("broken.c", defining: ["ABI=99u"], as: folder.file("p.so"))
    #expect(failure(folder.file("p.so")).contains("made for plugin ABI 99"))
    let library = try #require(dlopen(folder.file("p.so"), RTLD_NOW))
    let symbol = try #require(dlsym(library, "call_the_host"))
    let call = unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
    #expect(call() == TOUCHTREE_UNAVAILABLE)
  }

  @Test func `a bare name is found in the first folder that has it`() throws {
    for name in ["one", "two"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }
    try Fixture.build("broken.c", as: folder.file("two/p.so"))
    func locate(_ name: String) throws -> String {
      try PluginLocator(folders: [folder.file("one"), folder.file("two")]).locate(name).path.string
    }
    #expect(try locate("p.so") == folder.file("two/p.so"))
    try Fixture.build("broken.c", as: folder.file("one/p.so"))
    #expect(try locate("p.so") == folder.file("one/p.so"))
    // One that is no good does not give way to the next.
    chmod(folder.file("one/p.so"), 0o666)
    #expect(throws: Failure.self) { try locate("p.so") }
  }

  @Test func `a link inside its folder is followed, one to elsewhere only as a path`() throws {
    try FileManager.default.createDirectory(atPath: folder.file("in"), withIntermediateDirectories: true)
    try Fixture.build("broken.c", as: folder.file("in/p.so.1"))
    try Fixture.build("broken.c", as: folder.file("q.so.1"))
    symlink("p.so.1", folder.file("in/p.so"))
    symlink("../q.so.1", folder.file("in/q.so"))
    symlink("nowhere", folder.file("in/r.so"))
    let folders = [folder.file("in")]
    #expect(failure("p.so", folders: folders) == "none")
    #expect(
      failure("q.so", folders: folders).hasPrefix("plugin DIR/in/q.so: a link to DIR/q.so.1, outside DIR/in"))
    #expect(failure(folder.file("in/q.so")) == "none")
    #expect(failure("r.so", folders: folders).contains("cannot read DIR/in/r.so: No such file or directory"))
  }
}
