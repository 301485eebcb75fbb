import Foundation
import Glibc
import Testing
import TouchSystem

@testable import TouchInstruments

/// The line between a panel's test and the robot that touches it.
@Suite struct RobotLineTests {
  /// A line to a robot that is the other end of a pair of sockets.
  private struct Pair {
    let loop: EventLoop
    let line: RobotLine
    let robot: FileHandle

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      loop = try EventLoop()
      line = RobotLine(UnixSocket(owning: ends[0]), path: "robot.sock")
      robot = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    }

    func read() -> String { String(decoding: robot.availableData, as: UTF8.self) }

    /// Begins two steps, and returns the faults.
    func run(answering body: () throws -> Void) throws -> (done: Int, faults: [String]) {
      var (done, faults): (Int, [String]) = (0, [])
      try line.begin(in: loop) {
        done += 1
        if done == 2 { loop.stop() } else { line.start("line rising") }
      } onFault: {
        faults.append($0)
        loop.stop()
      }
      line.start("grid 0.1,0.1")
      try body()
      if faults.isEmpty { try loop.run() }
      return (done, faults)
    }
  }

  @Test func `a robot is told each step and the end, and answers by a line`() throws {
    let pair = try Pair()
    let result = try pair.run { try pair.robot.write(contentsOf: Data("done\r\ndone\n".utf8)) }
    #expect(result.done == 2 && result.faults.isEmpty && pair.line.step == nil)
    #expect(pair.read() == "start grid 0.1,0.1\nstart line rising\n")
    pair.line.end()
    #expect(pair.read() == "end\n")
  }

  @Test(arguments: [
    ("ok\n", "it answered \"ok\" in the step \"grid 0.1,0.1\""), ("done", nil), ("\n", "it answered \"\""),
    ("done\ndone\ndone\n", "it answered \"done\" twice"), ("DONE\n", "it answered \"DONE\""),
    (String(repeating: "x", count: 300), "its answer is longer than 256 bytes"),
    (String(repeating: "x", count: 300) + "\n", "its answer is longer than 256 bytes"),
    ("\u{1b}[2J\n", "it answered \"\\u{1B}[2J\""),
  ])
  func `what a robot answers besides done ends the line, and is named`(answer: String, fault: String?) throws
  {
    let pair = try Pair()
    let result = try pair.run {
      try pair.robot.write(contentsOf: Data(answer.utf8))
      // Half a line is no answer.
      if fault == nil { try pair.robot.close() }
    }
    #expect(
      result.faults.count == 1 && result.faults[0].contains(fault ?? "it has closed the line"), "\(result)")
    #expect(result.faults[0].hasPrefix("the robot's program at robot.sock: "))
  }

  @Test func `a robot that does not read ends the line`() throws {
    let pair = try Pair()
    let result = try pair.run {
      var step = 0
      while pair.line.isOpen && step < 1_000_000 {
        pair.line.start("grid \(step)")
        step += 1
      }
    }
    #expect(result.faults.count == 1 && result.faults[0].contains("it does not read"), "\(result)")
  }

  @Test(arguments: [
    ("none.sock", TouchSystem.ExitStatus.noSuchFile), (String(repeating: "n", count: 120), .usage),
  ])
  func `a socket that nothing listens on is an error with advice`(
    name: String, status: TouchSystem.ExitStatus
  ) throws {
    #expect {
      _ = try RobotLine(path: "/tmp/no-such-folder/\(name)")
    } throws: { error in
      (error as? Failure)?.status == status && "\(error)".contains("/tmp/no-such-folder/")
    }
  }
}
