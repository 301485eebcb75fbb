import Foundation
import SystemPackage
import Testing

@testable import TouchJSON
@testable import TouchSystem

/// A command's answer may be larger than memory should be, and a daemon's reader slower than touches.
@Suite struct LineOutputTests {
  private let line = [UInt8](repeating: UInt8(ascii: "x"), count: 4095) + [0x0a]

  @Test func `a commands output is written before all of it is there`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "touchtree-\(UUID()).txt").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let output = try LineOutput(path: path, backpressure: .waits)
    for _ in 0..<300 { output.write(line) }
    let early = try #require(FileManager.default.contents(atPath: path)).count
    #expect(early > 1 << 20)
    try output.flush()
    #expect(FileManager.default.contents(atPath: path)?.count == 300 * 4096)
  }

  @Test func `a line is one line, and JSON is still JSON`() throws {
    let evil = "\u{1b}[31m\n<0>\u{7f}\u{9b}\u{202e}\u{2028}\u{e0041}\u{0} \"é\\"
    var json = JSONWriter()
    json.value(evil)
    #expect(json.string.unicodeScalars.allSatisfy { $0.isShown })
    #expect(try JSONDecoder().decode(String.self, from: Data(json.bytes)) == evil)
    let path = FileManager.default.temporaryDirectory.appending(path: "touchtree-\(UUID()).txt").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let output = try LineOutput(path: path, backpressure: .waits)
    output.write(line: "a\u{1b}]0;b\u{7}\n<0>c")
    output.write(line: json.string)
    try output.flush()
    let text = String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    #expect(text == #"a\u{1B}]0;b\u{07}\n<0>c"# + "\n" + json.string + "\n")
  }

  @Test func `the flush reports a failure before it`() throws {
    let output = try LineOutput(path: "/dev/full", backpressure: .waits)
    for _ in 0..<600 { output.write(line) }
    #expect(throws: Errno.noSpace) { try output.flush() }
  }

  /// The two ends of a pipe, or of a pair of sockets, and a reader that a test turns on.
  private final class Channel: @unchecked Sendable {
    let input: FileDescriptor
    let output: FileDescriptor
    private(set) var received = 0

    init(isSocket: Bool) throws {
      if isSocket {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        (input, output) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
      } else {
        (input, output) = try FileDescriptor.pipe()
      }
    }

    deinit {
      try? input.close()
      try? output.close()
    }

    func read(_ count: Int) throws {
      var bytes = [UInt8](repeating: 0, count: count)
      received += try bytes.withUnsafeMutableBytes { try input.read(into: $0) }
    }
  }

  @Test(arguments: [false, true])
  func `a daemon's long line waits in memory, and is written when there is room`(isSocket: Bool) throws {
    let channel = try Channel(isSocket: isSocket)
    let output = LineOutput(channel.output, backpressure: .drops)
    let loop = try EventLoop()
    output.follow(in: loop)
    // Longer than what any pipe or socket takes at once.
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20) + [0x0a]
    output.write(long)
    try output.flush()
    #expect(output.backlog > 0)
    let source = try loop.watch(channel.input.rawValue) {
      try? channel.read(1 << 16)
      if channel.received == long.count { loop.stop() }
    }
    try loop.run()
    loop.unwatch(source)
    #expect(output.backlog == 0)
    #expect(output.droppedLines == 0)
    // The process at the other end of this file finds it unchanged.
    #expect(fcntl(channel.output.rawValue, F_GETFL) & O_NONBLOCK == 0)
  }

  @Test
  func `beyond its bound it drops whole lines and counts them, and the end waits no longer than stated`()
    throws
  {
    let channel = try Channel(isSocket: false)
    let output = LineOutput(channel.output, backpressure: .drops)
    let lines = LineOutput.mostBehind / line.count + 100
    for _ in 0..<lines { output.write(line) }
    #expect(output.droppedLines == 100)
    output.finish()
    // What the pipe took is all that is not lost; of its last line there may be a part.
    let taken = 65_536 / line.count
    #expect((lines - taken...lines - taken + 1).contains(output.droppedLines), "\(output.droppedLines)")
  }

  @Test func `a reader that is only slow gets everything`() throws {
    let channel = try Channel(isSocket: false)
    let output = LineOutput(channel.output, backpressure: .drops)
    for _ in 0..<2000 { output.write(line) }
    let total = 2000 * line.count
    let reader = Thread { while channel.received < total, (try? channel.read(1 << 16)) != nil {} }
    reader.start()
    output.finish()
    while !reader.isFinished { usleep(1000) }
    #expect(output.droppedLines == 0)
    #expect(channel.received == total)
  }

  @Test func `a reader that goes away is an error, and no more is kept for it`() throws {
    let before = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, before) }
    let channel = try Channel(isSocket: true)
    let output = LineOutput(channel.output, backpressure: .drops)
    shutdown(channel.input.rawValue, Int32(SHUT_RD))
    output.write(line)
    #expect(throws: Errno.brokenPipe) { try output.flush() }
    #expect(output.backlog == 0)
  }
}
