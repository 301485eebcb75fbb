import SystemPackage
import TouchCore
import TouchSystem

/// Where a peer's bytes come from and go to. Neither waits.
package protocol PeerChannel: AnyObject {
  /// The descriptor to watch for input.
  var input: Int32 { get }
  /// The descriptor to watch for room; it may be the same.
  var output: Int32 { get }
  /// Whether a descriptor can go with what is written.
  var takesFiles: Bool { get }
  /// Answers how many bytes came; 0 when no more will.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int
  /// Answers how many bytes were taken. The file goes with the first of them.
  func write(_ bytes: UnsafeRawBufferPointer, with file: MemoryFile?) throws(Errno) -> Int
}

extension UnixSocket: PeerChannel {
  package var input: Int32 { rawValue }
  package var output: Int32 { rawValue }
  package var takesFiles: Bool { true }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
    try receive(into: buffer)
  }

  package func write(_ bytes: UnsafeRawBufferPointer, with file: MemoryFile?) throws(Errno) -> Int {
    try send(bytes, with: file)
  }
}

/// The other end of the protocol: a client of the control socket, or a process handler.
///
/// What is sent waits until the turn of the loop has been painted, and then for the peer to read: never the other way
/// round. If a peer does not read, moves are left out first, and it is ended when the rest does not fit. While its answers wait,
/// none of its requests is read.
package final class Peer {
  /// Why nothing more is exchanged.
  package enum End: Hashable, Sendable {
    /// The other end closed it.
    case closed
    /// It did not read what cannot be left out.
    case tooSlow
    /// It sent descriptors.
    case descriptors
    /// It sent a line that does not end.
    case endlessLine
    case failed(Errno)
  }

  /// Gets each message that arrives.
  package var onMessage: (JSONValue) -> Void = { _ in }
  /// Gets what is wrong with a line that is not a message, and whether it is longer than any message.
  package var onGarbage: (_ problem: String, _ isTooLong: Bool) -> Void = { _, _ in }
  /// Gets why a request was not done.
  package var onRefusal: (String) -> Void = { _ in }
  /// Called once, at the start of a turn.
  package var onEnd: (End) -> Void = { _ in }
  /// Whether it is kept when it sends no more, because it still listens.
  package var isListening = false
  /// Whether a request is answered that has no id and did not fail.
  package let answersAll: Bool
  /// What it may ask for.
  package let access: Request.Access
  /// Whether an answer can carry a file.
  package var takesFiles: Bool { channel?.takesFiles ?? false }
  /// Whether something waits to be written to it.
  package var isBehind: Bool { !queue.isEmpty }
  /// Nil while it goes on.
  package private(set) var end: End?

  /// Nil after the end.
  private var channel: (any PeerChannel)?
  private unowned let peers: Peers
  /// The peer may be the last that goes.
  private let loop: EventLoop
  private var reader = LineReader()
  private var queue = OutputQueue()
  private var watches: (input: EventLoop.Source?, output: EventLoop.Source?) = (nil, nil)
  private var watched: Watched?
  private var isInputOver = false
  private var isBlocked = false
  private var isWaitingForTurn = false
  /// Whether lines have arrived that are not read, because answers wait.
  private var hasHeldLines = false
  /// Whether the other end reads no more. What it has sent is still done.
  private var isDeaf = false
  /// Whether it is in `Peers`' list of those that have something to write.
  var isWaitingToFlush = false

  private struct Watched: Equatable {
    var input: Bool
    var output: Bool
  }

  /// Events that may wait, in bytes.
  package static let mostBehind = 1 << 20
  /// While more than this waits, in bytes, no further request is read.
  private static let mostUnread = 1 << 16

  /// A line of which so much was discarded, in bytes, is not going to end: reading on would keep the processor busy.
  package static let mostDiscarded = 16 << 20

  /// - Parameter answersAll: false for a peer that may never read: a script that only writes.
  package init(
    _ channel: any PeerChannel, in peers: Peers, answersAll: Bool, access: Request.Access = .everything
  ) {
    self.channel = channel
    self.peers = peers
    loop = peers.loop
    self.answersAll = answersAll
    self.access = access
  }

  deinit {
    unwatch()
  }

  /// Starts to read.
  package func begin() throws(SystemError) {
    try watch()
  }

  /// Ends it without a word to `onEnd`; what waits is written as far as there is room.
  package func close() {
    guard end == nil else { return }
    flush()
    end = .closed
    stop()
  }

  // MARK: Sending

  /// - Parameters:
  ///   - line: with its line feed.
  ///   - file: goes with the line; only a socket can carry it.
  package func send(_ line: [UInt8], as kind: OutputQueue.Kind, with file: MemoryFile? = nil) {
    guard end == nil, !isDeaf else { return }
    if kind != .answer, queue.eventCount + line.count > Self.mostBehind {
      if case .move = kind { return peers.count(dropped: 1) }
      return finish(.tooSlow)
    }
    queue.append(line, as: kind, with: file)
    peers.add(toFlush: self)
  }

  /// Answers a request that was done.
  ///
  /// - Parameter warnings: of a configuration that was reloaded.
  package func acknowledge(_ id: JSONValue?, warnings: [String] = []) {
    guard answersAll || id != nil else { return }
    send(Message.done(id, warnings: warnings), as: .answer)
  }

  /// Answers a request that is not done.
  package func refuse(_ error: RequestError) {
    onRefusal(error.message)
    guard answersAll || error.id != nil else { return }
    send(
      Message.error(error.id, error.message, error.code, diagnostics: error.diagnostics), as: .answer)
  }

  /// Writes what waits, as far as there is room.
  func flush() {
    guard end == nil else { return }
    do {
      try write()
      if queue.isEmpty, queue.dropped > 0 {
        let dropped = queue.takeDropped()
        peers.count(dropped: dropped)
        queue.append(Message.dropped(dropped), as: .answer)
        try write()
      }
    } catch {
      let isClosed = error == .brokenPipe || error == .connectionReset
      // A client may have sent its requests and left.
      guard isClosed, takesFiles else { return finish(isClosed ? .closed : .failed(error)) }
      isDeaf = true
      isBlocked = false
      queue.removeAll()
    }
    endIfDone()
    resume()
    rewatch()
  }

  private func write() throws(Errno) {
    guard let channel else { return }
    isBlocked = false
    do throws(Errno) {
      try queue.write { (bytes, file) throws(Errno) in try channel.write(bytes, with: file) }
      isBlocked = !queue.isEmpty
    } catch {
      guard error == .resourceTemporarilyUnavailable || error == .interrupted else { throw error }
      isBlocked = true
    }
  }

  // MARK: Receiving

  private var mayRead: Bool { end == nil && queue.count <= Self.mostUnread }

  private func read() {
    guard let channel, mayRead, !hasHeldLines, !isInputOver, peers.mayRead else { return }
    do throws(Errno) {
      let count = try reader.read { (room) throws(Errno) in try channel.read(into: room) }
      if count == 0 { return inputIsOver() }
      peers.count(read: count)
    } catch {
      switch error {
      case .resourceTemporarilyUnavailable, .interrupted: return
      case .badMessage:
        return sayGoodbye("a request carries no file descriptors; send it without", as: .descriptors)
      default: return finish(error == .connectionReset ? .closed : .failed(error))
      }
    }
    takeLines()
  }

  private func takeLines() {
    hasHeldLines = false
    while mayRead {
      var line: Result<JSONValue?, JSONError>?
      let step = reader.next { line = Self.parse($0) }
      switch step {
      case .line: take(line)
      case .tooLong:
        onGarbage(
          "a line has at most \(LineReader.longestMessage) bytes; this one is discarded up to its end", true)
      case .incomplete:
        if reader.discarded > Self.mostDiscarded {
          sayGoodbye("a line did not end within \(Self.mostDiscarded >> 20) MiB", as: .endlessLine)
        }
        return
      }
    }
    hasHeldLines = end == nil
  }

  private func inputIsOver() {
    isInputOver = true
    var line: Result<JSONValue?, JSONError>?
    reader.rest { line = Self.parse($0) }
    take(line)
    endIfDone()
    rewatch()
  }

  private func take(_ line: Result<JSONValue?, JSONError>?) {
    switch line {
    case .success(let message?): onMessage(message)
    case .failure(let error): onGarbage("this line is not a JSON object: \(error)", false)
    case .success(nil), nil: break
    }
  }

  /// Nil for a line that is empty or blank.
  private static func parse(_ line: UnsafeRawBufferPointer) -> Result<JSONValue?, JSONError> {
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { return .success(nil) }
    return Result { () throws(JSONError) in try JSONReader.read(line) }
  }

  /// Goes on with the requests that waited for room, in the next turn: what they change has to be painted.
  private func resume() {
    guard !isWaitingForTurn, mayRead, hasHeldLines else { return }
    isWaitingForTurn = true
    peers.loop.again { [weak self] in
      guard let self else { return }
      isWaitingForTurn = false
      takeLines()
      rewatch()
    }
  }

  /// Ends it, with an error as the last line.
  private func sayGoodbye(_ message: String, as end: End) {
    queue.append(Message.error(nil, message), as: .answer)
    try? write()
    finish(end)
  }

  // MARK: The end

  private func endIfDone() {
    if isInputOver, queue.isEmpty, !isListening { finish(.closed) }
  }

  /// Ends it; `onEnd` is called in the next turn, since what it changes has to be painted.
  package func finish(_ end: End) {
    guard self.end == nil else { return }
    self.end = end
    stop()
    peers.loop.again { [self] in onEnd(end) }
  }

  private func stop() {
    unwatch()
    queue.removeAll()
    channel = nil
    peers.loop.again { [peers, self] in peers.onGone(self) }
  }

  // MARK: Watching

  private func rewatch() {
    guard end == nil else { return }
    do {
      try watch()
    } catch {
      finish(.failed(error.errno))
    }
  }

  private func watch() throws(SystemError) {
    guard let channel else { return }
    let wanted = Watched(input: mayRead && !isInputOver, output: isBlocked)
    guard wanted != watched else { return }
    unwatch()
    watched = wanted
    if channel.input == channel.output {
      let readiness: EventLoop.Readiness =
        wanted.input ? (wanted.output ? .inputAndOutput : .input) : wanted.output ? .output : .hangUp
      watches.input = try peers.loop.watch(channel.input, for: readiness) { [unowned self] in
        isReady(hasHungUp: readiness == .hangUp)
      }
    } else {
      if wanted.input {
        watches.input = try peers.loop.watch(channel.input) { [unowned self] in read() }
      }
      if wanted.output {
        watches.output = try peers.loop.watch(channel.output, for: .output) { [unowned self] in flush() }
      }
    }
  }

  private func isReady(hasHungUp: Bool) {
    if hasHungUp { return finish(.closed) }
    if isBlocked { flush() }
    read()
  }

  private func unwatch() {
    if let source = watches.input { loop.unwatch(source) }
    if let source = watches.output { loop.unwatch(source) }
    watches = (nil, nil)
    watched = nil
  }
}
