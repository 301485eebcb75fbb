import CLinux.Control
import TouchCore
import TouchJSON
import TouchSystem

/// Answers peers' requests, and provides the contents of messages.
package protocol PeersDelegate: AnyObject {
  var windowSize: Size { get }

  func answer(_ request: Request, to peer: Peer)

  /// Called once for each peer that has ended, at the start of a turn.
  func forget(_ peer: Peer)

  /// Sends subscribers the JSON message of a view's `send` action.
  func broadcast(_ message: String, from view: String)

  func name(of device: DeviceID) -> String
}

/// The common part of all peers: the loop, the delegate that answers, and the list of peers with output.
package final class Peers: TurnHook {
  package let loop: EventLoop
  /// The delegate; nil if nothing answers requests.
  package weak var delegate: (any PeersDelegate)?
  /// The number of moves that were not sent, because a later one came before the peer read.
  package private(set) var dropped = 0
  package var turnPlace: TurnPlace?
  /// The number of the last touch or gesture event, by which readers see their order.
  private var sequence = 0
  private var toFlush: [Peer] = []
  /// The path of the socket that takes every request; nil if there is none.
  package var controlPath: String?
  /// The peers that may not have read all files sent to them.
  private var readers: [Peer] = []
  /// The memory that ended peers have left since the allocator last returned memory, in bytes.
  private var freed = 0
  /// The process handlers. They run whether or not a responder names them.
  package internal(set) var processes: [ProcessHandler] = []

  package init(loop: EventLoop) {
    self.loop = loop
    loop.addHook(self, at: .send)
  }

  /// The left memory at which the allocator returns it, in bytes.
  private static let mostFreed = 4 << 20
  /// The most bytes of sent files that all peers together may leave unread, but at least `fewestFiles` files.
  package static let mostUnreadFiles = 64 << 20
  private static let fewestFiles = 4

  func count(freed count: Int) { freed += count }

  func count(dropped count: Int) { dropped += count }

  func add(toFlush peer: Peer) {
    guard !peer.isWaitingToFlush else { return }
    peer.isWaitingToFlush = true
    toFlush.append(peer)
  }

  /// Writes what waits.
  package func turnEnds(at now: Timestamp) { flush() }

  package func flush() {
    // The allocator keeps memory that was freed in small parts until it is asked.
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

  /// Returns whether a file of so many bytes may be made for a peer. It takes memory until it is read.
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

  /// The answer to a watching peer that requests something else.
  private var refusal: String {
    let other =
      controlPath.map { "the control socket \($0) takes the others" } ?? "this touchtree takes no others"
    return
      "this socket is for watching: it takes tree, explain, stats, health, screenshot, screen and subscribe; \(other)"
  }

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
  /// Sends bye with a one-word reason to the process handlers, which end with all other children.
  package func endProcesses(because reason: String) {
    for handler in processes { handler.end(because: reason) }
    processes.removeAll()
  }

  /// Sends a process handler a JSON message of a view, and returns whether one of that name runs.
  package func send(to handler: String, from view: String, message: String) -> Bool {
    processes.first { $0.name == handler }?.send(message, from: view) ?? false
  }
}
