import DispatchFuzzing
import Foundation
import SystemPackage
import Testing

@testable import TouchCore
@testable import TouchDaemon
@testable import TouchHandlers
@testable import TouchJSON
@testable import TouchSystem

/// What one turn of the loop takes from those who ask for too much, by a clock that only work advances.
@Suite struct FloodTests {
  private let answers = Answers()

  /// Processor time, in nanoseconds, as the test spends it.
  private final class Work {
    var time: Int64 = 0
    func spend(milliseconds: Double) { time += Int64(milliseconds * 1e6) }
  }

  /// Descriptors that are always ready.
  private final class Flood: TestPipe {
    private(set) var descriptors: [Int32] = []

    init(count: Int) {
      super.init()
      fill()
      for _ in 0..<count { descriptors.append(dup(readEnd)) }
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
  }

  /// A device, which has something to read when the test says so.
  private final class Device: TestPipe {
    /// When it had something to read; nil while it has nothing.
    private var readySince: Int64?
    /// How long each touch waited, in nanoseconds.
    private(set) var waits: [Int64] = []

    func touch(at time: Int64) {
      guard readySince == nil else { return }
      readySince = time
      fill()
    }

    func read(at time: Int64) {
      drain()
      if let readySince { waits.append(time - readySince) }
      readySince = nil
    }
  }

  enum Source: CaseIterable {
    /// Of clients, of processes, and those that plugins watch.
    case descriptors
    /// Requests that were read and are not done.
    case remainingWork
    /// Of plugins.
    case timers, timerThatAddsItself
  }

  /// In nanoseconds.
  private static let longestWait: Int64 = 50_000_000

  /// Every source floods alone, and then all of them together. A piece of work takes up to 5 ms, and a
  /// picture 10.
  @Test(arguments: Source.allCases.map { [$0] } + [Source.allCases])
  func `a touch waits less than 50 ms of processor time, whoever floods`(sources: [Source]) throws {
    let work = Work()
    let loop = try EventLoop { work.time }
    var random = RandomSource(seed: 1)
    let (device, signals) = (Device(), Device())
    let flood = Flood(count: 20)
    var served: [Source: Int] = [:]
    // Each piece of work: now and then a finger comes down while it is done.
    func serve(_ source: Source) {
      served[source, default: 0] += 1
      if Int.random(in: 0..<4, using: &random) == 0 { device.touch(at: work.time) }
      if Int.random(in: 0..<9, using: &random) == 0 { signals.touch(at: work.time) }
      work.spend(milliseconds: .random(in: 0.01...5, using: &random))
    }
    for source in sources {
      switch source {
      case .descriptors:
        for descriptor in flood.descriptors {
          try loop.watch(descriptor, as: .later) { serve(source) }
        }
      case .remainingWork:
        func go() {
          serve(source)
          loop.again(go)
        }
        for _ in 0..<50 { loop.again(go) }
      case .timers:
        for _ in 0..<20 { _ = loop.addTimer(milliseconds: 1, repeats: true, as: .later) { serve(source) } }
      case .timerThatAddsItself:
        func go() {
          serve(source)
          _ = loop.addTimer(milliseconds: 0, repeats: false, as: .later, go)
        }
        go()
      }
    }
    try loop.watch(device.readEnd, for: .arrival) { device.read(at: work.time) }
    try loop.watch(signals.readEnd) { signals.read(at: work.time) }
    // The picture of the turn.
    var turns = 0
    try loop.run(endingTurns: {
      work.spend(milliseconds: 10)
      turns += 1
      let isFair = sources.allSatisfy { served[$0, default: 0] >= 3 }
      if device.waits.count >= 300 && isFair || turns == 20_000 { loop.stop() }
    })
    #expect(device.waits.allSatisfy { $0 < Self.longestWait }, "\(device.waits.max() ?? 0) ns")
    #expect(signals.waits.allSatisfy { $0 < Self.longestWait }, "\(signals.waits.max() ?? 0) ns")
    withExtendedLifetime(flood) {}
    // None of them waits for ever for the others.
    #expect(turns < 20_000, "\(served)")
  }

  @Test func `two hundred sources that are always ready are served in turn`() throws {
    let work = Work()
    let loop = try EventLoop { work.time }
    var counts = [Int](repeating: 0, count: 200)
    let flood = Flood(count: 200)
    for (index, descriptor) in flood.descriptors.enumerated() {
      try loop.watch(descriptor, as: .later) {
        counts[index] += 1
        work.spend(milliseconds: 3)
        if counts.reduce(0, +) == 2000 { loop.stop() }
      }
    }
    try loop.run()
    withExtendedLifetime(flood) {}
    #expect(counts.allSatisfy { $0 == 10 }, "\(counts)")
  }

  /// A server whose every request takes two milliseconds.
  private func server(_ loop: EventLoop, _ work: Work, _ path: String) throws -> (
    server: ControlServer, peers: Peers, answered: () -> Int
  ) {
    let peers = Peers(loop: loop)
    let server = try ControlServer(path: path, peers: peers)
    var count = 0
    peers.delegate = answers
    answers.onRequest = { request, peer in
      count += 1
      work.spend(milliseconds: 2)
      peer.acknowledge(request.id)
    }
    return (server, peers, { count })
  }

  private func connect(to path: String, sending text: String) throws -> UnixSocket {
    let name = try #require(SocketName(path))
    let socket = try UnixSocket()
    #expect(socket.connect(to: name, timeout: 5) == nil)
    try socket.sendAll(Array(text.utf8))
    return socket
  }

  @Test func `one packet of requests is done in slices, and each is answered in order`() throws {
    let (work, path) = (Work(), "/tmp/touchtree-flood-\(UUID().uuidString).sock")
    let loop = try EventLoop { work.time }
    let (_server, peers, answered) = try server(loop, work, path)
    let count = 1000
    let requests = (0..<count).map { #"{"type":"tree","id":\#($0)}"# + "\n" }.joined()
    nonisolated(unsafe) let client = try connect(to: path, sending: requests)
    // It reads all the time.
    let received = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var ids: [JSONValue?] = []
    Thread {
      var reader = LineReader()
      while ids.count <= count {
        var line: JSONValue?
        if reader.next({ line = try? JSONReader.read($0) }) == .line {
          ids.append(line?["id"])
        } else {
          guard (try? reader.read { try client.awaitBytes(into: $0).count }) ?? 0 > 0 else { break }
        }
      }
      received.signal()
    }.start()
    var (before, most) = (0, 0)
    try loop.run(endingTurns: {
      most = max(most, answered() - before)
      before = answered()
      if answered() == count { loop.stop() }
    })
    peers.flush()
    #expect(received.wait(timeout: .now() + 900) == .success)
    withExtendedLifetime(_server) {}
    #expect(most == 2)
    #expect(ids == [nil] + (0..<count).map { .integer($0) })
  }

  @Test func `a request that is postponed waits for the next turn, and what follows it waits too`() throws {
    let (work, path) = (Work(), "/tmp/touchtree-flood-\(UUID().uuidString).sock")
    let loop = try EventLoop { work.time }
    let (_server, _, _) = try server(loop, work, path)
    var diary: [String] = []
    answers.onRequest = { request, peer in
      let id = request.id?.json ?? ""
      guard id == "2" else { return diary.append(id) }
      peer.postpone { diary.append("postponed \(id)") }
    }
    // The other end sends no more, and still gets all of it done.
    let client = try connect(
      to: path, sending: (1...3).map { #"{"type":"tree","id":\#($0)}"# + "\n" }.joined())
    shutdown(client.rawValue, Int32(SHUT_WR))
    try loop.run(endingTurns: {
      diary.append("turn")
      if diary.contains("3") { loop.stop() }
    })
    withExtendedLifetime((_server, client)) {}
    #expect(diary.filter { $0 != "turn" } == ["1", "postponed 2", "3"])
    let first = try #require(diary.firstIndex(of: "1"))
    #expect(diary[first + 1] == "turn")
  }

  // MARK: Files

  private final class Client {
    let socket: UnixSocket
    let peer: Peer

    init(in peers: Peers) throws {
      var ends: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      socket = UnixSocket(owning: ends[1])
      peer = Peer(UnixSocket(owning: ends[0]), in: peers, answersAll: true)
    }

    /// Reads one message, and the file that comes with it.
    func readFile() throws -> Bool {
      var buffer = [UInt8](repeating: 0, count: 4096)
      return try buffer.withUnsafeMutableBytes { try socket.awaitBytes(into: $0).file } != nil
    }
  }

  private func file(megabytes: Int) throws -> MemoryFile {
    let bytes = [UInt8](repeating: 7, count: megabytes << 20)
    return try bytes.withUnsafeBytes { try MemoryFile($0) }
  }

  @Test func `files that are sent and not read count with their size, and are bounded for all clients`()
    throws
  {
    let peers = Peers(loop: try EventLoop())
    let clients = try (0..<9).map { _ in try Client(in: peers) }
    for client in clients.prefix(8) {
      #expect(peers.mayMakeFile(of: 8 << 20, for: client.peer))
      client.peer.send(Message.line("screenshot"), as: .answer, with: try file(megabytes: 8))
    }
    peers.flush()
    // All of it was taken by the kernel, and none of it read.
    #expect(clients.prefix(8).allSatisfy { !$0.peer.isBehind && $0.peer.heldFiles == 8 << 20 })
    #expect(!peers.mayMakeFile(of: 8 << 20, for: clients[8].peer))
    #expect(try clients[3].readFile())
    #expect(peers.mayMakeFile(of: 8 << 20, for: clients[8].peer))
    // A picture that is larger than the limit can be asked for all the same.
    let others = Peers(loop: try EventLoop())
    #expect(others.mayMakeFile(of: 80 << 20, for: try Client(in: others).peer))
  }

  @Test func `the next file waits until the other end has read the one before`() throws {
    let loop = try EventLoop()
    let peers = Peers(loop: loop)
    let client = try Client(in: peers)
    try client.peer.begin()
    for _ in 0..<3 {
      client.peer.send(Message.line("screenshot"), as: .answer, with: try file(megabytes: 1))
    }
    var turns = 0
    try loop.run(endingTurns: {
      turns += 1
      loop.stop()
    })
    for left in [2, 1, 0] {
      #expect(client.peer.heldFiles == (left + 1) << 20)
      #expect(try client.readFile())
      guard left > 0 else { break }
      // That it was read wakes the loop.
      let before = turns
      let limit = loop.addTimer(milliseconds: 900_000, repeats: false) { loop.stop() }
      try loop.run(endingTurns: {
        turns += 1
        if recv(client.socket.rawValue, nil, 0, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0 { loop.stop() }
      })
      loop.cancelTimer(limit)
      #expect(turns - before < 20, "it spins while it waits")
    }
    #expect(client.peer.heldFiles == 0)
  }
}
