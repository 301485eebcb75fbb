import TouchCore
import TouchSystem

/// What all peers have in common: the loop, who answers them, and who of them has something to be written.
package final class Peers {
  package let loop: EventLoop
  /// The size of the window that touches are in, in window units.
  package var windowSize = Size.zero
  /// Answers a request.
  package var onRequest: (Request, Peer) -> Void = { request, peer in
    peer.refuse(RequestError(id: request.id, message: "nothing answers requests here"))
  }
  /// Called once for each peer that has ended, at the start of a turn.
  package var onGone: (Peer) -> Void = { _ in }
  /// The name of a device, for messages about its touches.
  package var deviceName: (TouchCore.DeviceID) -> String = { _ in "" }
  /// Gets what a `send` action has for subscribers: one JSON value, and the view that sends it.
  package var onBroadcast: (_ message: String, _ view: String) -> Void = { _, _ in }
  /// Moves that were not sent, because a later one came before the peer read.
  package private(set) var dropped = 0
  /// Touches and gestures get a number each time, so that a reader sees an order.
  private var sequence = 0
  private var toFlush: [Peer] = []
  /// What was read from all peers since the last turn ended, in bytes.
  private var readInTurn = 0
  /// The path of the socket that takes every request; nil if there is none.
  package var controlPath: String?
  /// They run whether or not a responder names them.
  package internal(set) var processes: [ProcessHandler] = []

  package init(loop: EventLoop) {
    self.loop = loop
  }

  /// In bytes: touches wait for no more than that.
  private static let mostInTurn = 1 << 16

  /// Whether more may be read before the turn ends. What is left makes the next turn begin at once.
  var mayRead: Bool { readInTurn < Self.mostInTurn }

  func count(read count: Int) {
    readInTurn += count
  }

  func count(dropped count: Int) {
    dropped += count
  }

  func add(toFlush peer: Peer) {
    guard !peer.isWaitingToFlush else { return }
    peer.isWaitingToFlush = true
    toFlush.append(peer)
  }

  /// Writes what waits. The daemon calls it when a turn has been painted.
  package func flush() {
    readInTurn = 0
    guard !toFlush.isEmpty else { return }
    let waiting = toFlush
    toFlush.removeAll(keepingCapacity: true)
    for peer in waiting {
      peer.isWaitingToFlush = false
      peer.flush()
    }
  }

  package func nextSequence() -> Int {
    sequence += 1
    return sequence
  }

  /// What a peer gets that may look, and asks for something else.
  private var refusal: String {
    let other =
      controlPath.map { "the control socket \($0) takes the others" } ?? "this touchtree takes no others"
    return "this socket is for watching: it takes tree, stats, screenshot, screen and subscribe; \(other)"
  }

  /// Reads a request and has it answered.
  package func take(_ message: JSONValue, from peer: Peer) {
    do throws(RequestError) {
      let request = try Request(message)
      guard peer.access == .everything || request.body.access == .watching else {
        throw RequestError(id: request.id, code: .notPermitted, message: refusal)
      }
      onRequest(request, peer)
    } catch {
      peer.refuse(error)
    }
  }
}

// MARK: - Process handlers

extension Peers {
  /// Says goodbye to the process handlers. They are ended with all other children.
  ///
  /// - Parameter reason: one word, for the message.
  package func endProcesses(because reason: String) {
    for handler in processes { handler.end(because: reason) }
    processes.removeAll()
  }

  /// Sends a message to a process handler.
  ///
  /// - Parameters:
  ///   - handler: its name.
  ///   - view: whose action sends it.
  ///   - message: one JSON value.
  /// - Returns: whether there is a process handler of that name, and it runs.
  package func send(to handler: String, from view: String, message: String) -> Bool {
    processes.first { $0.name == handler }?.send(message, from: view) ?? false
  }
}
