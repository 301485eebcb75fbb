import CLinux.Control
import TouchCore
import TouchJSON
import TouchSystem
import TouchViews

/// Answers what peers ask for, and says what they are told.
package protocol PeersDelegate: AnyObject {
  /// Of the window that touches are in, in window units.
  var windowSize: Size { get }

  func answer(_ request: Request, to peer: Peer)

  /// Called once for each peer that has ended, at the start of a turn.
  func forget(_ peer: Peer)

  /// Sends subscribers what a `send` action has for them.
  ///
  /// - Parameters:
  ///   - message: one JSON value.
  ///   - view: the view that sends it.
  func broadcast(_ message: String, from view: String)

  /// The name of a device, for messages about its touches.
  func name(of device: DeviceID) -> String
}

/// What all peers have in common: the loop, who answers them, and who of them has something to be written.
package final class Peers: TurnHook {
  package let loop: EventLoop
  /// Nil where nothing answers requests.
  package weak var delegate: (any PeersDelegate)?
  /// Moves that were not sent, because a later one came before the peer read.
  package private(set) var dropped = 0
  package var turnPlace: TurnPlace?
  /// Touches and gestures get a number each time, so that a reader sees an order.
  private var sequence = 0
  private var toFlush: [Peer] = []
  /// The path of the socket that takes every request; nil if there is none.
  package var controlPath: String?
  /// The peers that were sent files which they may not have read.
  private var readers: [Peer] = []
  /// What peers left behind since the allocator was last asked to return memory, in bytes.
  private var freed = 0
  /// They run whether or not a responder names them.
  package internal(set) var processes: [ProcessHandler] = []

  package init(loop: EventLoop) {
    self.loop = loop
    loop.addHook(self, at: .send)
  }

  /// In bytes.
  private static let mostFreed = 4 << 20
  /// What all peers together may leave unread of the files that they were sent, in bytes; at least `fewestFiles`.
  package static let mostUnreadFiles = 64 << 20
  private static let fewestFiles = 4

  func count(freed count: Int) {
    freed += count
  }

  func count(dropped count: Int) {
    dropped += count
  }

  func add(toFlush peer: Peer) {
    guard !peer.isWaitingToFlush else { return }
    peer.isWaitingToFlush = true
    toFlush.append(peer)
  }

  /// Writes what waits.
  package func turnEnds(at now: Timestamp) {
    flush()
  }

  package func flush() {
    // What was freed in small parts stays with the allocator until it is asked.
    if freed >= Self.mostFreed {
      freed = 0
      touchtree_return_memory()
    }
    guard !toFlush.isEmpty else { return }
    let waiting = toFlush
    toFlush.removeAll(keepingCapacity: true)
    for peer in waiting {
      peer.isWaitingToFlush = false
      peer.flush()
    }
  }

  /// Whether a file of a size may be made for a peer: what is sent and not read takes memory.
  ///
  /// - Parameter count: in bytes.
  package func mayMakeFile(of count: Int, for peer: Peer) -> Bool {
    readers.removeAll { $0.heldFiles == 0 }
    let held = readers.reduce(0) { $0 + $1.heldFiles }
    guard held + count <= max(Self.mostUnreadFiles, Self.fewestFiles * count) else { return false }
    if !readers.contains(where: { $0 === peer }) { readers.append(peer) }
    return true
  }

  package func nextSequence() -> Int {
    sequence += 1
    return sequence
  }

  /// What a peer gets that may look, and asks for something else.
  private var refusal: String {
    let other =
      controlPath.map { "the control socket \($0) takes the others" } ?? "this touchtree takes no others"
    return
      "this socket is for watching: it takes tree, explain, stats, screenshot, screen and subscribe; \(other)"
  }

  /// Reads a request and has it answered.
  package func take(_ message: JSONValue, from peer: Peer) {
    do throws(RequestError) {
      let request = try Request(message)
      guard peer.access == .everything || request.body.access == .watching else {
        throw RequestError(id: request.id, code: .notPermitted, message: refusal)
      }
      guard let delegate else { throw RequestError(id: request.id, message: "nothing answers requests here") }
      delegate.answer(request, to: peer)
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
