import Foundation
import SystemPackage
import Testing

@testable import TouchDaemon
@testable import TouchHandlers
@testable import TouchJSON
@testable import TouchSystem
@testable import TouchTools

@Suite("The control socket")
struct ControlTests {
  private let answers = Answers()
  private let path = "/tmp/touchtree-control-\(UUID().uuidString).sock"

  private func reason(_ path: String) -> ControlError.Reason? {
    do {
      _ = try ControlListener(path: path)
      return nil
    } catch {
      return error.reason
    }
  }

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// A client that sends this, and does not wait for answers.
  private func connect(_ send: String = "", timeout: Int32 = 5) throws -> UnixSocket {
    let name = try #require(SocketName(path))
    let socket = try UnixSocket()
    #expect(socket.connect(to: name, timeout: timeout) == nil)
    try socket.sendAll(Array(send.utf8))
    return socket
  }

  /// The next lines that a client is sent, as JSON; fewer if the connection ends.
  private func lines(_ count: Int, from socket: UnixSocket) throws -> [JSONValue] {
    try lines(from: socket) { $0.count < count }
  }

  private func lines(
    from socket: UnixSocket, while isWanted: ([JSONValue]) -> Bool
  ) throws -> [JSONValue] {
    var reader = LineReader(longest: 1 << 24)
    var lines: [JSONValue] = []
    while isWanted(lines) {
      var line: JSONValue?
      if reader.next({ line = try? JSONReader.read($0) }) == .line, let line {
        lines.append(line)
      } else if try reader.read({ try socket.awaitBytes(into: $0).count }) == 0 {
        break
      }
    }
    return lines
  }

  /// Lets the loop turn until something is so.
  private func turn(_ loop: EventLoop, until isDone: @escaping () -> Bool) throws {
    let limit = loop.addTimer(milliseconds: 900_000, repeats: false) { loop.stop() }
    defer { loop.cancelTimer(limit) }
    try loop.run(endingTurns: { if isDone() { loop.stop() } })
  }

  // MARK: The file

  @Test
  func `it comes and goes with the daemon, for its user and group alone, and so does its folder`() throws {
    let folder = "/tmp/touchtree-\(UUID().uuidString)"
    do {
      let listener = try ControlListener(path: "\(folder)/control.sock")
      var status = stat()
      #expect(lstat(listener.path, &status) == 0)
      #expect(status.st_mode & S_IFMT == S_IFSOCK)
      #expect(status.st_mode & 0o777 == 0o660)
    }
    #expect(!exists(folder))
  }

  @Test
  func `what a killed daemon left behind is replaced, and one that is there is not`() throws {
    let name = try #require(SocketName(path))
    do {
      let dead = try UnixSocket()
      #expect(name.withAddress { bind(dead.rawValue, $0, $1) } == 0)
    }
    #expect(exists(path))
    let listener = try ControlListener(path: path)
    #expect(reason(path) == .taken)
    #expect(exists(listener.path))
  }

  @Test
  func `what was left behind is replaced by the daemon that has the lock, and the lock goes with it`() throws
  {
    let name = try #require(SocketName(path))
    do {
      let dead = try UnixSocket()
      #expect(name.withAddress { bind(dead.rawValue, $0, $1) } == 0)
    }
    do {
      let other = try ControlListener.Lock(for: path)
      #expect(reason(path) == .taken)
      #expect(exists(path) && exists(other.path))
    }
    do {
      let listener = try ControlListener(path: path)
      #expect(exists(listener.path + ".lock"))
    }
    #expect(!exists(path) && !exists(path + ".lock"))
  }

  @Test
  func `the file of another daemon that took its place stays`() throws {
    do {
      let listener = try ControlListener(path: path)
      unlink(listener.path)
      try Data().write(to: URL(filePath: path))
    }
    #expect(exists(path))
    unlink(path)
  }

  @Test
  func `a name in use, too long, or in no folder is rejected`() throws {
    try Data("kept".utf8).write(to: URL(filePath: path))
    #expect(reason(path) == .occupied)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
    unlink(path)
    #expect(reason("/tmp/" + String(repeating: "x", count: 200)) == .tooLong(limit: 107))
    #expect(reason("/nowhere/at/all") == .system(call: "open", cause: .noSuchFileOrDirectory))
  }

  // MARK: Requests and answers

  /// A server whose answers are `tree` with a text of a length that the request names.
  private func server(in loop: EventLoop) throws -> (server: ControlServer, peers: Peers, answered: () -> Int)
  {
    let peers = Peers(loop: loop)
    let server = try ControlServer(path: path, peers: peers)
    var count = 0
    peers.delegate = answers
    answers.onRequest = { request, peer in
      count += 1
      guard case .hit(let question) = request.body else { return peer.acknowledge(request.id) }
      let text = String(repeating: "x", count: Int(question.x))
      peer.send(
        Message.line("hit", id: request.id) { json in
          json.key("view")
          json.value(text)
        }, as: .answer)
    }
    return (server, peers, { count })
  }

  @Test
  func `several requests of one connection are answered in order, each with its id`() throws {
    let loop = try EventLoop()
    let (_server, _, answered) = try server(in: loop)
    let client = try connect(
      #"""
      {"type":"set","id":1,"view":"lamp","properties":{},"unknown":[1]}
      {"type":"levitate","id":"a"}

      [}
      {"type":"hit","x":100000,"y":0,"id":2.5}
      {"type":"tree"}

      """#)
    try turn(loop) { answered() == 3 }
    let lines = try lines(6, from: client)
    withExtendedLifetime(_server) {}
    #expect(lines.map { $0["type"]?.text } == ["hello", "done", "error", "error", "hit", "done"])
    #expect(lines.map { $0["id"] } == [nil, .integer(1), .text("a"), nil, .real(2.5), nil])
    #expect(lines[0]["protocol"] == .integer(1))
    #expect(lines[2]["code"] == .text("unknown"))
    #expect(lines[4]["view"]?.text?.utf8.count == 100_000)
  }

  @Test
  func `a line of ten megabytes is answered with an error, and the connection goes on`() throws {
    let loop = try EventLoop()
    let (_server, _, answered) = try server(in: loop)
    let path = path
    let received = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var types: [String?] = []
    Thread {
      if let client = try? connect() {
        try? client.sendAll([UInt8](repeating: 0x20, count: 10 << 20))
        try? client.sendAll(Array("\n{\"type\":\"tree\"}\n".utf8))
        types = (try? lines(3, from: client).map { $0["type"]?.text }) ?? []
      }
      received.signal()
    }.start()
    try turn(loop) { answered() == 1 }
    #expect(received.wait(timeout: .now() + 900) == .success)
    withExtendedLifetime(_server) {}
    #expect(types == ["hello", "error", "done"], "\(path)")
  }

  @Test
  func `a line that does not end is answered with an error, and its client disconnected`() throws {
    let loop = try EventLoop()
    let (server, _, _) = try server(in: loop)
    let received = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var messages: [String?] = []
    Thread {
      if let client = try? connect() {
        let part = [UInt8](repeating: 0x20, count: 1 << 16)
        while (try? client.sendAll(part)) != nil {}
        messages = (try? lines(9, from: client).map { $0["message"]?.text }) ?? []
      }
      received.signal()
    }.start()
    try turn(loop) { server.count == 1 }
    try turn(loop) { server.count == 0 }
    #expect(received.wait(timeout: .now() + 900) == .success)
    #expect(messages.count == 3)
    #expect(messages.dropFirst().first??.contains("at most 65536 bytes") == true)
    #expect(messages.last??.contains("did not end within 16 MiB") == true)
  }

  @Test
  func `who closes its side gets its answers, and one who leaves before them is no trouble`() throws {
    let loop = try EventLoop()
    let (server, _, answered) = try server(in: loop)
    do { _ = try connect(#"{"type":"tree"}"# + "\n") }
    do { _ = try connect() }
    // The last line needs no line feed.
    let last = try connect(#"{"type":"tree","id":7}"#)
    shutdown(last.rawValue, Int32(SHUT_WR))
    try turn(loop) { answered() == 2 && server.count == 0 }
    let lines = try lines(9, from: last)
    #expect(lines.map { $0["id"] } == [nil, .integer(7)])
  }

  @Test
  func
    `a client that reads nothing loses moves and nothing else, and is disconnected when the rest does not fit`()
    throws
  {
    let loop = try EventLoop()
    let (server, peers, answered) = try server(in: loop)
    let client = try connect(#"{"type":"subscribe"}"# + "\n")
    var listener: Peer?
    let answer = answers.onRequest
    answers.onRequest = { request, peer in
      listener = peer
      answer(request, peer)
    }
    try turn(loop) { answered() == 1 }
    let peer = try #require(listener)
    let event = Message.line("touch") { json in
      json.key("filler")
      json.value(String(repeating: "x", count: 1000))
    }
    let subject = OutputQueue.Subject(touch: 1)
    // Moves of one touch never fill the queue, however many there are.
    for _ in 0..<5000 {
      peer.send(event, as: .move(of: subject))
      peers.flush()
    }
    #expect(peer.end == nil)
    for _ in 0..<3000 { peer.send(event, as: .event) }
    #expect(peer.end == .tooSlow)
    try turn(loop) { server.count == 0 }
    withExtendedLifetime(client) {}
  }

  @Test
  func `what was left out is counted for the one who reads again`() throws {
    let loop = try EventLoop()
    let (_server, peers, answered) = try server(in: loop)
    nonisolated(unsafe) let client = try connect(#"{"type":"subscribe"}"# + "\n")
    var listener: Peer?
    let answer = answers.onRequest
    answers.onRequest = { request, peer in
      listener = peer
      answer(request, peer)
    }
    try turn(loop) { answered() == 1 }
    let peer = try #require(listener)
    let subject = OutputQueue.Subject(touch: 1)
    for number in 0..<20_000 {
      let line = Message.line("touch") { json in
        json.key("seq")
        json.value(number)
      }
      peer.send(line, as: .move(of: subject))
      peers.flush()
    }
    peer.send(Message.line("end"), as: .change(of: subject))
    let received = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var all: [JSONValue] = []
    Thread {
      all = (try? lines(from: client) { $0.last?["type"] != .text("dropped") }) ?? []
      received.signal()
    }.start()
    try turn(loop) { peers.dropped > 0 }
    #expect(received.wait(timeout: .now() + 900) == .success)
    withExtendedLifetime(_server) {}
    let numbers = all.compactMap { $0["seq"]?.number }
    // In order, the last one among them, and none lost that is not counted.
    #expect(numbers == numbers.sorted())
    #expect(numbers.last == 19_999)
    #expect(all.last?["count"] == .integer(20_000 - numbers.count))
    #expect(all.dropLast().last?["type"] == .text("end"))
  }

  @Test
  func `a client that never reads its answers gets no more of its requests read, and takes no memory`() throws
  {
    let loop = try EventLoop()
    let (_server, _, answered) = try server(in: loop)
    let client = try connect()
    try client.sendAll(Array(String(repeating: #"{"type":"hit","x":50000,"y":0}"# + "\n", count: 500).utf8))
    let other = try connect(#"{"type":"tree","id":9}"# + "\n")
    var isAnswered = false
    let answer = answers.onRequest
    answers.onRequest = { request, peer in
      answer(request, peer)
      if request.id == .integer(9) { isAnswered = true }
    }
    try turn(loop) { isAnswered }
    #expect(answered() < 100)
    #expect(try lines(2, from: other).last?["id"] == .integer(9))
    withExtendedLifetime((_server, client)) {}
  }

  @Test
  func `two hundred clients that say nothing do not keep others out`() throws {
    let loop = try EventLoop()
    let (server, _, answered) = try server(in: loop)
    var silent: [UnixSocket] = []
    for _ in 0..<3 {
      for _ in 0..<100 { silent.append(try connect()) }
      let asking = try connect(#"{"type":"tree"}"# + "\n")
      let before = answered()
      try turn(loop) { answered() > before }
      #expect(try lines(2, from: asking).last?["type"] == .text("done"))
    }
    #expect(server.count <= 200)
    // The first ones were closed.
    #expect(try lines(9, from: silent[0]).count == 1)
  }

  @Test
  func `where two hundred clients have asked for something, the one that did so first goes, and says why`()
    throws
  {
    let loop = try EventLoop()
    let (server, _, answered) = try server(in: loop)
    var clients: [UnixSocket] = []
    for _ in 0..<2 {
      for _ in 0..<100 { clients.append(try connect(#"{"type":"tree"}"# + "\n")) }
      try turn(loop) { answered() == clients.count }
    }
    // The first one asks again, so the second has waited longest.
    try clients[0].sendAll(Array((#"{"type":"tree"}"# + "\n").utf8))
    try turn(loop) { answered() == 201 }
    let last = try connect(#"{"type":"tree","id":9}"# + "\n")
    try turn(loop) { answered() == 202 }
    #expect(try lines(2, from: last).last?["id"] == .integer(9))
    #expect(server.count == 200)
    let bye = try lines(9, from: clients[1])
    #expect(bye.count == 3)
    #expect(bye.last?["message"]?.text?.contains("asked for nothing for longest") == true)
    #expect(
      try lines(3, from: clients[0]).map { $0["type"] } == [.text("hello"), .text("done"), .text("done")])
  }

  @Test(arguments: [
    (#"{"type":"hello","protocol":2}"#, ControlError.Reason.otherVersion(2)),
    (#"{"type":"hello"}"#, .garbled), (#"{"type":"hello","protocol":1.5}"#, .garbled),
    (#"{"type":"error","message":"no room"}"#, .refused(because: "no room")),
  ])
  func `a client leaves a daemon that speaks otherwise, or that does not want it, and says why`(
    greeting: String, reason: ControlError.Reason
  ) throws {
    let listener = try ControlListener(path: path)
    let path = path
    let received = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var found: ControlError.Reason?
    Thread {
      do throws(ControlError) { _ = try ControlClient(path: path, timeout: 10) } catch {
        found = error.reason
      }
      received.signal()
    }.start()
    var number: Int32?
    while number == nil { number = try listener.accept() }
    let daemon = UnixSocket(owning: try #require(number))
    try daemon.sendAll(Array((greeting + "\n").utf8))
    #expect(received.wait(timeout: .now() + 900) == .success)
    withExtendedLifetime(daemon) {}
    #expect(found == reason)
  }

  @Test(arguments: [
    (1 << 62, 1, 0), (1, 1 << 62, 4), (-1, 1, -4), (0, 0, 0), (1, 1, 8), (20_000, 1, 80_000),
  ])
  func `a screenshot of an impossible size is not taken`(width: Int, height: Int, stride: Int) throws {
    let listener = try ControlListener(path: path)
    let path = path
    let received = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var found: ControlError.Reason?
    Thread {
      do { _ = try ControlClient(path: path, timeout: 10).screenshot() } catch {
        found = (error as? ControlError)?.reason
      }
      received.signal()
    }.start()
    var number: Int32?
    while number == nil { number = try listener.accept() }
    let daemon = UnixSocket(owning: try #require(number))
    try daemon.sendAll(Message.hello(windowSize: .zero))
    let line =
      Array(
        #"{"type":"screenshot","width":\#(width),"height":\#(height),"stride":\#(stride)}"#.utf8) + [0x0a]
    let bytes: [UInt8] = [1, 2, 3, 4]
    let file = try bytes.withUnsafeBytes { try MemoryFile($0) }
    #expect(try line.withUnsafeBytes { try daemon.send($0, with: file) } == line.count)
    #expect(received.wait(timeout: .now() + 900) == .success)
    withExtendedLifetime(daemon) {}
    #expect(found == .garbled)
  }

  // MARK: Descriptors in requests

  /// A TCP socket whose other end reads nothing, so that closing it takes ten minutes, or until the other end
  /// is closed.
  private func lingering() throws -> (socket: Int32, other: Int32) {
    let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listening) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let sending = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listening, address, length) == 0 && listen(listening, 1) == 0
          && getsockname(listening, address, &length) == 0 && Glibc.connect(sending, address, length) == 0
      }
    }
    try #require(isConnected)
    let other = accept(listening, nil, nil)
    var linger = linger(l_onoff: 1, l_linger: 600)
    let size = socklen_t(MemoryLayout.size(ofValue: linger))
    try #require(setsockopt(sending, SOL_SOCKET, SO_LINGER, &linger, size) == 0)
    let bytes = [UInt8](repeating: 0, count: 1 << 16)
    while Glibc.send(sending, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
    return (sending, other)
  }

  /// What a client does with a descriptor that takes long to close.
  enum Attack: CaseIterable {
    case withRequest, afterRequest, neverReadUntilTheEnd
  }

  @Test(arguments: Attack.allCases)
  func `a client's descriptor that takes long to close delays no other client`(attack: Attack) throws {
    let (lingering, other) = try lingering()
    let isServed = DispatchSemaphore(value: 0)
    let (wasInTime, wasTooLate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    // A daemon that waits is let go after a while, so that the test ends, and fails.
    let watch = Thread {
      let result = isServed.wait(timeout: .now() + 900)
      close(other)
      (result == .success ? wasInTime : wasTooLate).signal()
    }
    watch.start()
    do {
      let loop = try EventLoop()
      let (_server, _, answered) = try server(in: loop)
      do {
        let attacker = try connect(attack == .afterRequest ? #"{"type":"tree"}"# + "\n" : "")
        try send(MemoryFile(receiving: lingering), over: attacker)
      }
      if attack != .neverReadUntilTheEnd {
        let last = try connect(#"{"type":"tree","id":3}"# + "\n")
        var lastIsAnswered = false
        try turn(loop) {
          lastIsAnswered = lastIsAnswered || recv(last.rawValue, nil, 0, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
          return answered() > 0 && lastIsAnswered
        }
        #expect(try lines(2, from: last).last?["id"] == .integer(3))
      }
      withExtendedLifetime(_server) {}
    }
    isServed.signal()
    #expect(wasInTime.wait(timeout: .now() + 900) == .success, "the daemon waited for the descriptor")
    #expect(wasTooLate.wait(timeout: .now()) == .timedOut)
  }

  private func send(_ file: MemoryFile, over socket: UnixSocket) throws {
    let bytes = Array(#"{"type":"tree"}"#.utf8) + [0x0a]
    let count = try bytes.withUnsafeBytes { try socket.send($0, with: file) }
    #expect(count == bytes.count)
  }

  @Test
  func `a request with a descriptor is refused, and its client disconnected`() throws {
    let loop = try EventLoop()
    let (server, _, answered) = try server(in: loop)
    let asking = try connect()
    let byte: [UInt8] = [1]
    try send(byte.withUnsafeBytes { try MemoryFile($0) }, over: asking)
    let last = try connect(#"{"type":"tree","id":3}"# + "\n")
    try turn(loop) { answered() == 1 && server.count == 1 }
    // Closing a socket with unread bytes resets the connection, which may overtake the answer. (unix(7))
    let refusal = try? lines(2, from: asking).dropFirst().first
    #expect(refusal == nil || refusal?["message"]?.text?.contains("no file descriptors") == true)
    #expect(try lines(2, from: last).last?["id"] == .integer(3))
  }

  @Test
  func `a query without a daemon, or without an answer, is reported`() throws {
    func reason() -> ControlError.Reason? {
      do throws(ControlError) {
        _ = try ControlClient(path: path, timeout: 1)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(reason() == .noDaemon)
    let listener = try ControlListener(path: path)
    #expect(reason() == .silent)
    #expect(try listener.accept() != nil)
  }
}
