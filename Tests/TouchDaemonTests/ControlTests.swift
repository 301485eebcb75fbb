import Foundation
import SystemPackage
import Testing

@testable import TouchDaemon
@testable import TouchPixels
@testable import TouchSystem
@testable import TouchTools

@Suite("The control socket", .timeLimit(.minutes(5)))
struct ControlTests {
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

  /// Somebody who connects and says what `send` is.
  private func connect(_ send: [UInt8]? = nil) throws -> ControlSocket {
    let name = try #require(SocketName(path))
    let socket = try ControlSocket.make(for: name)
    #expect(socket.connect(to: name, patience: 5) == nil)
    if let send { try socket.send(send, with: nil) }
    return socket
  }

  /// Lets the loop turn until something is so.
  private func turn(_ loop: EventLoop, until isDone: @escaping () -> Bool) throws {
    let end = loop.onTurnEnd
    loop.onTurnEnd = {
      end()
      if isDone() { loop.stop() }
    }
    try loop.run()
    loop.onTurnEnd = end
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
      let dead = try ControlSocket.make(for: name)
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
      let dead = try ControlSocket.make(for: name)
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

  @Test(arguments: [
    ControlRequest.tree, .screenshot, .stats(isJSON: false), .stats(isJSON: true),
    .hit(HitQuestion(x: -1.5, y: 0.1)),
    .hit(
      {
        var question = HitQuestion(x: 1e300, y: -0.0)
        (question.start, question.isAll, question.isExplained, question.isJSON) = (
          "a b é", true, true, true
        )
        return question
      }()),
  ])
  func `a request is the same on the other side`(request: ControlRequest) {
    let bytes = ControlFields.encode(request.words)
    #expect(ControlRequest(words: ControlFields.decode(bytes)) == request)
  }

  @Test(arguments: [
    [], [""], ["statistics"], ["stats", "x"], ["tree", "x"], ["hit"], ["hit", "1"], ["hit", "1", "x", ""],
    ["hit", "1", "nan", ""],
    ["hit", "1", "2", "", "loud"], ["screenshot", ""],
  ])
  func `words that are not a request are rejected`(words: [String]) {
    #expect(ControlRequest(words: words) == nil)
  }

  @Test
  func `text of any length, pictures and rejections arrive complete at a slow reader`()
    throws
  {
    let loop = try EventLoop()
    let server = try ControlServer(path: path, in: loop)
    let text = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let picture = try Surface(width: 700, height: 501)
    for index in 0..<700 * 501 { picture.pixels[index] = UInt32(index) }
    var asked: [ControlRequest] = []
    loop.onTurnEnd = {
      server.answer { request in
        asked.append(request)
        switch request {
        case .tree: return .text(text)
        case .screenshot: return .picture(picture)
        case .hit, .stats: return .refused(.failed, "no such view")
        }
      }
    }
    let fourth = try connect(ControlFields.encode(["levitate", "now"]))
    let first = try connect(ControlFields.encode(["tree"]))
    let second = try connect(ControlFields.encode(["screenshot"]))
    let third = try connect(ControlFields.encode(ControlRequest.hit(HitQuestion(x: 0, y: 0)).words))
    try turn(loop) { asked.count == 3 }

    #expect(try answer(first) == "text \(text.hashValue)")
    #expect(try answer(second) == "picture 700 501 true")
    #expect(try answer(third) == "refused failed no such view")
    #expect(try answer(fourth) == "refused unknown this touchtree does not know the request 'levitate'")
  }

  /// Answers whatever is asked with nothing.
  ///
  /// - Returns: how often that was.
  private func answerEverybody(in loop: EventLoop) throws -> () -> Int {
    let server = try ControlServer(path: path, in: loop)
    var answers = 0
    loop.onTurnEnd = {
      server.answer { _ in
        answers += 1
        return .text([])
      }
    }
    return { answers }
  }

  private func answer(_ socket: borrowing ControlSocket) throws -> String? {
    var packet = try socket.receive()
    switch ControlResponse(head: ControlFields.decode(packet.bytes), file: packet.takeFile()) {
    case .text(let bytes): return "text \(bytes.hashValue)"
    case .picture(let picture):
      let isRight = (0..<picture.width * picture.height).allSatisfy { picture.pixels[$0] == UInt32($0) }
      return "picture \(picture.width) \(picture.height) \(isRight)"
    case .refused(let refusal, let sentence): return "refused \(refusal) \(sentence)"
    case nil: return nil
    }
  }

  @Test
  func `a request that is too long is rejected, and a client that leaves early does no harm`() throws {
    let loop = try EventLoop()
    let count = try answerEverybody(in: loop)
    let long = try connect([UInt8](repeating: 65, count: ControlFields.longest + 1))
    do { _ = try connect(ControlFields.encode(["tree"])) }
    do { _ = try connect() }
    let last = try connect(ControlFields.encode(["tree"]))
    try turn(loop) { count() == 2 }
    #expect(try answer(long)?.hasPrefix("refused unknown") == true)
    #expect(try answer(last) == "text \([UInt8]().hashValue)")
  }

  @Test
  func `silent clients do not keep others out`() throws {
    let loop = try EventLoop()
    let count = try answerEverybody(in: loop)
    final class Client {
      let socket: ControlSocket
      init(_ socket: consuming ControlSocket) { self.socket = socket }
    }
    var silent: [Client] = []
    // As many as wait in the kernel at once, and then the daemon takes them.
    for _ in 0..<5 {
      for _ in 0..<5 {
        silent.append(Client(try connect()))
      }
      let asking = try connect(ControlFields.encode(["tree"]))
      let before = count()
      try turn(loop) { count() > before }
      #expect(try answer(asking) == "text \([UInt8]().hashValue)")
    }
    // The first ones were shown out.
    var byte: UInt8 = 0
    #expect(recv(silent[0].socket.rawValue, &byte, 1, Int32(MSG_DONTWAIT)) == 0)
    #expect(recv(silent[24].socket.rawValue, &byte, 1, Int32(MSG_DONTWAIT)) == -1)
  }

  // MARK: Descriptors that nobody asked for

  /// A TCP socket whose other end reads nothing, so that closing it takes ten minutes, or until the other end is closed.
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
    while send(sending, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
    return (sending, other)
  }

  /// What a client does with a descriptor that takes long to close.
  enum Attack: CaseIterable {
    case request, emptyPacket, afterEmptyPacket, afterRequest, neverReadUntilTheEnd
  }

  @Test(arguments: Attack.allCases)
  func `a client's descriptor that takes long to close delays no other client`(attack: Attack) throws {
    let (lingering, other) = try lingering()
    let isServed = DispatchSemaphore(value: 0)
    let (wasInTime, wasTooLate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    // A daemon that waits is let go after a while, so that the test ends, and fails.
    let watch = Thread {
      let result = isServed.wait(timeout: .now() + 20)
      close(other)
      (result == .success ? wasInTime : wasTooLate).signal()
    }
    watch.start()
    do {
      let loop = try EventLoop()
      let count = try answerEverybody(in: loop)
      do {
        let attacker = try connect()
        switch attack {
        case .request, .emptyPacket, .neverReadUntilTheEnd: break
        case .afterEmptyPacket: try attacker.send([], with: nil)
        case .afterRequest: try attacker.send(ControlFields.encode(["tree"]), with: nil)
        }
        let bytes = attack == .request ? ControlFields.encode(["tree"]) : []
        try attacker.send(bytes, with: MemoryFile(receiving: lingering))
      }
      if attack != .neverReadUntilTheEnd {
        let last = try connect(ControlFields.encode(["tree"]))
        let expected = attack == .afterRequest ? 2 : 1
        try turn(loop) { count() == expected }
        #expect(try answer(last) == "text \([UInt8]().hashValue)")
      }
    }
    isServed.signal()
    #expect(wasInTime.wait(timeout: .now() + 5) == .success, "the daemon waited for the descriptor")
    #expect(wasTooLate.wait(timeout: .now()) == .timedOut)
  }

  @Test
  func `a request with a descriptor is refused`() throws {
    let loop = try EventLoop()
    let count = try answerEverybody(in: loop)
    let asking = try connect()
    try asking.send(ControlFields.encode(["tree"]), with: MemoryFile([1]))
    let last = try connect(ControlFields.encode(["tree"]))
    try turn(loop) { count() == 1 }
    // Closing a socket with an unread packet resets the connection, which may overtake the answer. (unix(7))
    let refusal = try? answer(asking)
    #expect(
      refusal == nil || refusal == "refused failed a request carries no file descriptors; send it without")
    #expect(try answer(last) == "text \([UInt8]().hashValue)")
  }

  @Test
  func `a query without a daemon, or without an answer, is reported`() throws {
    func reason() -> ControlError.Reason? {
      do throws(ControlError) {
        _ = try ControlClient.ask(.tree, at: path, patience: 1)
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
