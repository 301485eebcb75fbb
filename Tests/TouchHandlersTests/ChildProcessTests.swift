import FolderSupport
import Foundation
import Testing

@testable import TouchCore
@testable import TouchHandlers

/// How long commands live, and what they have of the daemon's terminal.
@Suite struct ChildProcessTests {
  private let folder: TemporaryFolder
  private let stage = Stage()
  private let children: ChildProcesses

  init() throws {
    folder = try TemporaryFolder()
    children = ChildProcesses(host: stage)
  }

  private func attach(_ script: String, timeLimit: Double?) throws {
    stage.panel.handlers = [
      ExecHandler(
        name: "chime", triggers: [.ended],
        command: try Command(words: ["sh", "-c", script, folder.file("record")], path: children.path),
        timeLimit: timeLimit, children: children, logger: stage.logger)
    ]
  }

  /// Waits for what another process does; a test that hangs here has failed.
  private func eventually(_ isTrue: () throws -> Bool) throws {
    for _ in 0..<180_000 {
      if try isTrue() { return }
      usleep(5000)
    }
    Issue.record("it did not come")
  }

  private func awaitRecord() throws -> String {
    let path = folder.file("record")
    try eventually { try FileManager.default.fileExists(atPath: path) && !contents(of: path).isEmpty }
    return try contents(of: path).trimmingCharacters(in: .newlines)
  }

  /// The program that started the tests may ignore further signals.
  private func ignores(_ signal: Int32, _ pid: Int32) throws -> Bool {
    let line = try contents(of: "/proc/\(pid)/status").split(separator: "\n").first {
      $0.hasPrefix("SigIgn:")
    }
    let mask = line.flatMap { UInt64($0.split(whereSeparator: \.isWhitespace).last ?? "", radix: 16) } ?? 0
    return mask >> UInt64(signal - 1) & 1 == 1
  }

  private func reapAll() throws {
    try eventually {
      children.reap()
      return children.count == 0
    }
  }

  @Test func `a command has a session of its own and no terminal`() throws {
    try attach(
      "cat /proc/self/stat > \"$0.new\"; (: < /dev/tty) 2>/dev/null || mv \"$0.new\" \"$0\"", timeLimit: nil)
    stage.tap(x: 410, y: 110)
    let pid = try #require(children.processIDs.first)
    // pid (comm) state ppid pgrp session tty_nr: proc(5)
    let fields = try awaitRecord().split(separator: ")").last?.split(separator: " ") ?? []
    #expect(fields[2] == "\(pid)" && fields[3] == "\(pid)" && fields[4] == "0", "\(fields)")
    #expect(getsid(0) != pid)
    try reapAll()
  }

  @Test func `one that takes too long is ended with all that it started, and logged with the view`() throws {
    try attach("sleep 600 & echo $! > \"$0\"; wait", timeLimit: 2.5)
    stage.tap(x: 410, y: 110)
    let grandchild = try #require(Int32(try awaitRecord()))
    #expect(stage.timers.values.map(\.milliseconds) == [2500])
    #expect(stage.takeLog() == [])
    stage.fireTimers()
    #expect(
      stage.takeLog() == [
        "warning handler chime: sh still ran 2.5 s after ended of touch 1 on panel, so it is ended; "
          + "for more time give it a timeout:, in seconds or none"
      ])
    try reapAll()
    try eventually { !isAlive(grandchild) }
    // It was reported already.
    #expect(stage.takeLog() == [])
  }

  @Test func `what ignores SIGTERM gets SIGKILL, and so does what it leaves behind`() throws {
    // The command itself ends at SIGTERM, and the one that it started does not.
    try attach("(trap '' TERM; while :; do sleep 600; done) & echo $! > \"$0\"; wait", timeLimit: 10)
    stage.tap(x: 410, y: 110)
    let stubborn = try #require(Int32(try awaitRecord()))
    // The shell may say its number before it ignores the signal.
    try eventually { try ignores(SIGTERM, stubborn) }
    stage.fireTimers()
    try reapAll()
    #expect(isAlive(stubborn))
    #expect(stage.timers.values.map(\.milliseconds) == [1000])
    stage.fireTimers()
    try eventually { !isAlive(stubborn) }
    #expect(stage.timers.isEmpty)
  }

  @Test func `what a command leaves behind when it ends by itself goes on`() throws {
    try attach("(read line < \"$0.line\"; echo $line > \"$0\") &", timeLimit: nil)
    #expect(mkfifo(folder.file("record.line"), 0o600) == 0)
    stage.tap(x: 410, y: 110)
    try reapAll()
    children.end()
    let line = open(folder.file("record.line"), O_RDWR)
    defer { close(line) }
    #expect(write(line, "here\n", 5) == 5)
    #expect(try awaitRecord() == "here")
  }

  @Test func `one that ends in time needs its timer no more`() throws {
    try attach("exit 0", timeLimit: 10)
    stage.tap(x: 410, y: 110)
    #expect(stage.timers.count == 1)
    try reapAll()
    #expect(stage.timers.isEmpty)
  }

  @Test func `eight that hang give their handler back when their time is over`() throws {
    try attach("exec sleep 600", timeLimit: 10)
    for _ in 0..<9 { stage.tap(x: 410, y: 110) }
    #expect(children.count == CommandRunner.mostAtOnce)
    stage.fireTimers()
    try reapAll()
    _ = stage.takeLog()
    stage.tap(x: 410, y: 110)
    #expect(children.count == 1)
    #expect(stage.takeLog() == [])
    children.end()
  }

  @Test func `at the end all are ended, also those that ignore SIGTERM`() throws {
    try attach("trap '' TERM; echo $$ > \"$0\"; while :; do sleep 600; done", timeLimit: nil)
    stage.tap(x: 410, y: 110)
    let stubborn = try #require(Int32(try awaitRecord()))
    children.endAndReap()
    #expect(children.count == 0)
    #expect(!isAlive(stubborn))
    #expect(stage.takeLog() == [])
  }

  @Test func `at the end one that is nearly done may finish, and is reported`() throws {
    try attach("echo done > \"$0\"; exit 4", timeLimit: nil)
    stage.tap(x: 410, y: 110)
    stage.panel.handlers = []
    #expect(try awaitRecord() == "done")
    children.end()
    #expect(stage.takeLog() == ["warning handler chime: sh exited with status 4"])
  }

  @Test func `draining waits for the last one, and limits those without a limit`() throws {
    var drained = 0
    children.drain(limit: 3) { drained += 1 }
    #expect(drained == 1)
    try attach("read line < \"$0\"", timeLimit: nil)
    #expect(mkfifo(folder.file("record"), 0o600) == 0)
    stage.tap(x: 410, y: 110)
    children.drain(limit: 3) { drained += 1 }
    #expect(drained == 1)
    #expect(stage.timers.values.map(\.milliseconds) == [3000])
    try "go\n".write(toFile: folder.file("record"), atomically: false, encoding: .utf8)
    try reapAll()
    #expect(drained == 2)
  }

  @Test func `a command dies with the thread that started it, whatever ends that`() throws {
    final class Started: @unchecked Sendable { var pid: Int32 = 0 }
    let started = Started()
    let thread = Thread {
      started.pid =
        (try? ProcessSpawn.start("/bin/sleep", arguments: ["sleep", "600"], environment: [])) ?? 0
    }
    thread.start()
    try eventually { thread.isFinished && started.pid != 0 }
    var status: Int32 = 0
    #expect(waitpid(started.pid, &status, 0) == started.pid)
    #expect(status & 0x7f == SIGKILL)
  }
}
