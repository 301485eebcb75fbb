import FolderSupport
import Glibc
import Testing

@testable import TouchInput

@Suite struct DeviceDirectoryTests {
  @Test func `nodes come in the order of their numbers, and nothing else does`() throws {
    let folder = try TemporaryFolder()
    for name in ["event10", "event2", "event0", "mouse0", "js0", "event", "event1x", "eventé", "Event1"] {
      try folder.write("", to: name)
    }
    let nodes = try DeviceDirectory(path: folder.path).nodes()
    #expect(nodes == ["event0", "event2", "event10"].map { "\(folder.path)/\($0)" })
  }

  @Test func `a node that cannot be opened is reported with its error`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "event3")
    let reports = try DeviceDirectory(path: folder.path).reports()
    #expect(reports.map(\.path) == ["\(folder.path)/event3"])
    guard case .failure(let error)? = reports.first?.finding else {
      Issue.record("a regular file was taken for a device")
      return
    }
    #expect(error.reason == .notEvdev)
  }

  @Test func `a missing directory is an error that says what that means`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: DeviceError.self) {
      try DeviceDirectory(path: folder.path + "/input").reports()
    }
    #expect(error?.reason == .noSuchFile)
    #expect(error?.description.contains("no input device is connected") == true)
  }

  @Test func `an empty directory has no devices`() throws {
    let folder = try TemporaryFolder()
    #expect(try DeviceDirectory(path: folder.path).nodes().isEmpty)
  }
}

@Suite struct DeviceWatcherTests {
  typealias Change = DeviceWatcher.Change

  static func changes(_ watcher: DeviceWatcher) throws -> [Change] {
    var changes: [Change] = []
    try watcher.readChanges { changes.append($0) }
    return changes
  }

  @Test func `nodes are seen to come, change and go`() throws {
    let folder = try TemporaryFolder()
    let watcher = try DeviceWatcher(directory: DeviceDirectory(path: folder.path))
    #expect(try Self.changes(watcher).isEmpty)
    let path = folder.path + "/event7"
    try folder.write("", to: "mouse0")
    try folder.write("", to: "event7")
    #expect(chmod(path, 0o600) == 0)
    try folder.remove("event7")
    let seen = try Self.changes(watcher)
    #expect(seen.first == .appeared(path: path))
    #expect(seen.dropFirst().dropLast().contains(.changed(path: path)))
    #expect(seen.last == .removed(path: path))
    #expect(seen.allSatisfy { $0 != .appeared(path: folder.path + "/mouse0") })
    #expect(try Self.changes(watcher).isEmpty)
  }

  @Test func `a directory that comes later is watched from then on, with what is already in it`() throws {
    let folder = try TemporaryFolder()
    let watcher = try DeviceWatcher(directory: DeviceDirectory(path: folder.path + "/input"))
    try folder.makeFolder("other")
    try folder.makeFolder("input")
    try folder.write("", to: "input/event1")
    #expect(try Self.changes(watcher) == [.appeared(path: folder.path + "/input/event1")])
    try folder.write("", to: "input/event2")
    #expect(try Self.changes(watcher).contains(.appeared(path: folder.path + "/input/event2")))
  }

  @Test func `a directory that goes and comes back is watched again`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("input")
    try folder.write("", to: "input/event1")
    let watcher = try DeviceWatcher(directory: DeviceDirectory(path: folder.path + "/input"))
    for _ in 0..<3 {
      try folder.remove("input/event1")
      try folder.remove("input")
      #expect(try Self.changes(watcher).contains(.removed(path: folder.path + "/input/event1")))
      // The parent is watched only while there is no directory.
      try folder.makeFolder("input")
      try folder.write("", to: "input/event1")
      #expect(try Self.changes(watcher).contains(.appeared(path: folder.path + "/input/event1")))
      try folder.makeFolder("noise")
      try folder.remove("noise")
      #expect(try Self.changes(watcher).isEmpty)
    }
  }

  @Test func `a parent that does not exist is an error`() throws {
    let error = #expect(throws: DeviceError.self) {
      _ = try DeviceWatcher(directory: DeviceDirectory(path: "/no/such/input"))
    }
    #expect(error?.reason == .noSuchFile)
    #expect(error?.path == "/no/such")
  }
}
