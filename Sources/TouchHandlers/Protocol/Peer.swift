import SystemPackage
import TouchCore
import TouchJSON
import TouchSystem

/// The other end of the protocol: a client of the control socket, or a process handler. Output waits until
/// the turn is painted, and then for the peer to read: moves are left out first, and then the peer is ended.
/// While its answers wait, none of its requests is read. They are performed one by one while the turn has
/// time.
package final class Peer {
  package enum End: Hashable, Sendable {
    case closed
    /// The other end did not read lines that cannot be left out.
    case tooSlow
    case descriptors
    /// The other end sent a line that does not end.
    case endlessLine
    case failed(Errno)
  }

  package var onMessage: (JSONValue) -> Void = { _ in }
  /// The handler of lines that are no messages, with the error, and whether the line is too long.
  package var onGarbage: (_ problem: String, _ isTooLong: Bool) -> Void = { _, _ in }
  /// The handler of the reasons why requests were refused.
  package var onRefusal: (String) -> Void = { _ in }
  /// The handler of the end. It is called once, at the start of a turn.
  package var onEnd: (End) -> Void = { _ in }
  /// The handler of an input closed by the other end of a pipe. It is called once, at the start of a turn.
  /// Requests that have arrived are still performed.
  package var onDeafness: () -> Void = {}
  /// Whether the peer is kept when it sends no more, because it still listens.
  package var isListening = false
  /// Whether a successful request without an id is answered.
  package let answersAll: Bool
  package let access: Request.Access
  package var takesFiles: Bool { channel?.takesFiles ?? false }
  /// Whether output waits for the peer.
  package var isBehind: Bool { !queue.isEmpty }
  /// The reason for the end; nil before it.
  package private(set) var end: End?

  private var channel: (any PeerChannel)?
  private unowned let peers: Peers
  /// The loop, held strongly because the peer may outlive all others.
  private let loop: EventLoop
  private var reader = LineReader()
  private var queue = OutputQueue()
  private var watches: (input: EventLoop.Source?, output: EventLoop.Source?) = (nil, nil)
  private var watched: Watched?
  private var isInputOver = false
  private var isBlocked = false
  private var isWaitingForTurn = false
  /// Whether arrived lines are not read, because answers wait or the turn has no more time.
  private var hasHeldLines = false
  /// A request that waits for the next turn, before the held lines.
  private var postponed: (() -> Void)?
  /// The number of requests whose answers come in a later turn.
  package var owedAnswers = 0
  /// The size of the sent files that the other end has not read yet, in bytes.
  private var unreadFiles = 0
  /// Whether the next file waits until the other end has read the previous one.
  private var isFull = false
  /// Whether the other end reads no more. Requests that have arrived are still performed.
  private var hasStoppedReading = false
  /// Whether the peer is in `Peers`' list of those with output.
  var isWaitingToFlush = false

  private struct Watched: Equatable {
    var input, output: Bool
    /// Whether the watch waits until the other end reads.
    var room: Bool
  }

  /// The most bytes of events that may wait.
  package static let mostBehind = 1 << 20
  /// The most bytes of output that may wait while requests are read.
  private static let mostUnread = 1 << 16

  /// The most discarded bytes of a line. A longer one is taken to have no end.
  package static let mostDiscarded = 16 << 20

  /// - Parameter answersAll: false for a peer that may never read, such as a script that only writes.
  package init(
    _ channel: any PeerChannel, in peers: Peers, answersAll: Bool, access: Request.Access = .everything
  ) {
    (self.channel, self.peers) = (channel, peers)
    loop = peers.loop
    self.answersAll = answersAll
    self.access = access
  }

  deinit { unwatch() }

  package func begin() throws(SystemError) { try watch() }

  /// Ends the exchange without a call of `onEnd`. Output is written as far as there is room.
  package func close() {
    guard end == nil else { return }
    flush()
    end = .closed
    stop()
  }

  // MARK: Sending

  /// Sends a line with its line feed, and a file that only a socket can carry.
  package func send(_ line: [UInt8], as kind: OutputQueue.Kind, with file: MemoryFile? = nil) {
    guard end == nil, !hasStoppedReading else { return }
    if kind != .answer, queue.eventCount + line.count > Self.mostBehind {
      if case .move = kind { return peers.count(dropped: 1) }
      return finish(.tooSlow)
    }
    queue.append(line, as: kind, with: file)
    peers.add(toFlush: self)
  }

  /// Answers a request that was performed, with the warnings of a reloaded configuration.
  package func acknowledge(_ id: JSONValue?, warnings: [String] = []) {
    guard answersAll || id != nil else { return }
    send(Message.done(id, warnings: warnings), as: .answer)
  }

  package func refuse(_ error: RequestError) {
    onRefusal(error.logged ?? error.message)
    guard answersAll || error.id != nil else { return }
    send(Message.error(error.id, error.message, error.code, diagnostics: error.diagnostics), as: .answer)
  }

  /// Writes output, as far as there is room.
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
      guard error == .brokenPipe || error == .connectionReset else { return finish(.failed(error)) }
      // The other end may have sent its requests and left.
      stopSending()
      if !takesFiles { peers.loop.again { [weak self] in self?.onDeafness() } }
    }
    endIfDone()
    resume()
    rewatch()
  }

  private func stopSending() {
    hasStoppedReading = true
    isBlocked = false
    isFull = false
    queue.removeAll()
  }

  /// Ends after the other end is gone, once the requests that have arrived are performed.
  package func finishReading() {
    guard end == nil else { return }
    stopSending()
    isListening = false
    endIfDone()
    resume()
    rewatch()
  }

  private func write() throws(Errno) {
    guard let channel else { return }
    isBlocked = false
    isFull = false
    do throws(Errno) {
      try queue.write { (bytes, file) throws(Errno) in
        guard let file, file.count > 0 else { return try channel.write(bytes, with: file) }
        // The kernel keeps a file until the other end reads it.
        forgetReadFiles()
        isFull = unreadFiles > 0
        if isFull { return 0 }
        let count = try channel.write(bytes, with: file)
        if count > 0 { unreadFiles = file.count }
        return count
      }
      isBlocked = !queue.isEmpty
    } catch {
      guard error == .resourceTemporarilyUnavailable || error == .interrupted else { throw error }
      isBlocked = true
    }
  }

  /// The size of the files that the other end has not read, in bytes: they take memory.
  var heldFiles: Int {
    forgetReadFiles()
    return queue.fileCount + unreadFiles
  }

  private func forgetReadFiles() { if unreadFiles > 0, channel?.isRead ?? true { unreadFiles = 0 } }

  // MARK: Receiving

  private var mayRead: Bool { end == nil && queue.count + queue.fileCount <= Self.mostUnread }

  private func read() {
    guard let channel, mayRead, !hasHeldLines, !isInputOver else { return }
    do throws(Errno) {
      let count = try reader.read { (room) throws(Errno) in try channel.read(into: room) }
      if count == 0 { return inputIsOver() }
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

  /// Takes at least one line, and others while the turn has time.
  private func takeLines() {
    hasHeldLines = false
    repeat {
      guard mayRead, postponed == nil else { break }
      var line: Result<JSONValue?, Failure>?
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
    } while loop.hasTime
    hasHeldLines = end == nil
    // Until the peer goes on, unread input would keep the turn busy.
    unwatch()
    resume()
  }

  /// Postpones a request to the next turn. Nothing that arrived after it is read earlier.
  package func postpone(_ request: @escaping () -> Void) { postponed = request }

  private func inputIsOver() {
    isInputOver = true
    var line: Result<JSONValue?, Failure>?
    reader.rest { line = Self.parse($0) }
    take(line)
    if postponed != nil {
      hasHeldLines = true
      unwatch()
      resume()
    }
    endIfDone()
    rewatch()
  }

  private func take(_ line: Result<JSONValue?, Failure>?) {
    switch line {
    case .success(let message?): onMessage(message)
    case .failure(let error): onGarbage("this line is not a JSON object: \(error)", false)
    case .success(nil), nil: break
    }
  }

  private static func parse(_ line: UnsafeRawBufferPointer) -> Result<JSONValue?, Failure> {
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { return .success(nil) }
    return Result { () throws(Failure) in try JSONReader.read(line) }
  }

  /// Goes on in the next turn with requests that waited, so that their changes are painted.
  private func resume() {
    guard !isWaitingForTurn, mayRead, hasHeldLines else { return }
    isWaitingForTurn = true
    peers.loop.again { [weak self] in
      guard let self else { return }
      isWaitingForTurn = false
      let request = postponed
      postponed = nil
      request?()
      takeLines()
      endIfDone()
      if !hasHeldLines { rewatch() }
    }
  }

  /// Ends the exchange with an error as the last line.
  private func sayGoodbye(_ message: String, as end: End) {
    queue.append(Message.error(nil, message), as: .answer)
    try? write()
    finish(end)
  }

  // MARK: The end

  private func endIfDone() {
    guard isInputOver, queue.isEmpty, !isListening, owedAnswers == 0, !hasHeldLines else { return }
    finish(.closed)
  }

  /// Ends the exchange. `onEnd` is called in the next turn, so that its changes are painted.
  package func finish(_ end: End) {
    guard self.end == nil else { return }
    self.end = end
    stop()
    peers.loop.again { [self] in onEnd(end) }
  }

  private func stop() {
    unwatch()
    peers.count(freed: queue.count)
    queue.removeAll()
    postponed = nil
    unreadFiles = 0
    channel = nil
    peers.loop.again { [peers, self] in peers.delegate?.forget(self) }
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
    guard let channel, !isWaitingForTurn else { return }
    let wanted = Watched(
      input: mayRead && !isInputOver && !hasHeldLines, output: isBlocked && !isFull, room: isFull)
    guard wanted != watched else { return }
    unwatch()
    watched = wanted
    if channel.input == channel.output {
      let readiness: EventLoop.Readiness =
        wanted.room
        ? .moreRoom
        : wanted.input ? (wanted.output ? .inputAndOutput : .input) : wanted.output ? .output : .hangUp
      watches.input = try peers.loop.watch(channel.input, for: readiness, as: .later) { [weak self] in
        self?.isReady(hasHungUp: readiness == .hangUp)
      }
    } else {
      if wanted.input {
        watches.input = try peers.loop.watch(channel.input, as: .later) { [weak self] in self?.read() }
      }
      if wanted.output {
        watches.output = try peers.loop.watch(channel.output, for: .output, as: .later) { [weak self] in
          self?.flush()
        }
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
