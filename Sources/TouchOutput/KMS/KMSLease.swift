import CLinux.Control
import Glibc
import SystemPackage
import TouchSystem

/// A connector of a card that the card's master, another touchtree, lends to this one. (`KMSLender`)
///
/// ```
/// asked ─┬─▶ lent ◀─▶ waiting      the lender lets another program show its picture, or nothing is connected
///        ├─▶ refused
///        ▼
///      ended                       the lender has ended, from every state
/// ```
///
/// The connection to the lender lasts as long as the lease. Its end wakes the borrower, which need not poll.
final class KMSLease {
  enum State {
    case asked
    /// The lent part of the card: one connector, with its CRTC and planes.
    case lent(KMSCard)
    /// The card is lent later. The text is the reason, for messages.
    case waiting(String)
    case refused(String)
    case ended
  }

  private(set) var state = State.asked
  let lender: Int32
  let socket: UnixSocket
  private let path: String
  private let machine: KMSMachine

  /// Asks the touchtree that has a card for a connector. It fails if none lends any, or if its user may not
  /// open the card.
  convenience init?(_ choice: KMSSearch.Choice, of path: String, on machine: KMSMachine = .this) {
    guard let socket = Self.connected(to: path, on: machine),
      Packet.send(Packet.lend + choice.text, to: socket)
    else { return nil }
    self.init(socket, of: path, on: machine)
  }

  private init(_ socket: UnixSocket, of path: String, on machine: KMSMachine) {
    (self.socket, self.path, self.machine) = (socket, path, machine)
    lender = touchtree_peer(socket.rawValue)
  }

  /// Returns the name of the socket of the touchtree that has a card, by the status of the card's node.
  static func name(of node: stat, on machine: KMSMachine) -> SocketName? {
    SocketName("\(machine.lenders)/\(KMSCard.number(node))")
  }

  static let advice =
    "Name another connector (touchtree displays lists them), end that touchtree, or give each a virtual terminal of its own "
    + "(--tty new)"

  /// The longest time in which a lender may answer, in seconds.
  private static let timeout: Int32 = 2

  private static func connected(to path: String, on machine: KMSMachine) -> UnixSocket? {
    guard var node = KMSCard.status(of: path), let name = name(of: node, on: machine),
      let socket = try? UnixSocket(.packets), socket.connect(to: name, timeout: timeout) == nil,
      // Any program may listen at an abstract name.
      touchtree_peer_may_open(socket.rawValue, &node) != 0
    else { return nil }
    return socket
  }

  /// The descriptor of the lease's connection, readable when the lender has sent something or has ended.
  var descriptor: Int32 { socket.rawValue }

  /// Whether `read()` has something to read.
  var hasNews: Bool {
    var news = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&news, 1, 0) > 0
  }

  /// Whether the lease may be over: a message is unread, or the kernel has taken the connector back.
  var mayBeOver: Bool {
    if case .lent(let card) = state, card.crtcs.isEmpty { return true }
    return hasNews
  }

  /// Waits for the answer. A lender that does not answer in time lends nothing.
  func awaitAnswer() {
    guard case .asked = state else { return }
    take(Packet.receive(from: socket))
  }

  /// Takes the lender's messages, without waiting.
  /// - Returns: whether the state has changed. If not, the console was shown on the
  ///   connector, and the picture has to be shown again.
  func read() -> Bool {
    var isChanged = false
    while !isOver, hasNews {
      let packet = Packet.receive(from: socket)
      guard packet?.text != Packet.show else { continue }
      take(packet)
      isChanged = true
    }
    return isChanged
  }

  private var isOver: Bool {
    switch state {
    case .asked, .lent, .waiting: false
    case .refused, .ended: true
    }
  }

  private func take(_ packet: Packet?) {
    guard let packet else {
      state = .ended
      return
    }
    if let file = packet.file, packet.text.hasPrefix(Packet.lent), isOfCard(file) {
      // The card's events are read without waiting, sometimes only to see whether there are any.
      _ = fcntl(file.rawValue, F_SETFL, fcntl(file.rawValue, F_GETFL) | O_NONBLOCK)
      state = (try? KMSCard(lease: file, of: path, on: machine)).map(State.lent) ?? .ended
      return
    }
    try? packet.file?.close()
    if let reason = packet.text.dropping(Packet.later) {
      state = .waiting(reason)
    } else if let reason = packet.text.dropping(Packet.no) {
      state = .refused(reason)
    } else {
      state = .ended
    }
  }

  private func isOfCard(_ file: FileDescriptor) -> Bool {
    var status = stat()
    guard fstat(file.rawValue, &status) == 0, let node = KMSCard.status(of: path) else { return false }
    return status.st_rdev == node.st_rdev
  }

  /// Asks the lender for the card itself, and waits until it has let the card go or has refused. The lender
  /// then waits for the end of this connection, which is closed once the card is taken.
  func isHandedOver() -> Bool { Packet.send(Packet.take, to: socket) && isAnsweredWithCard() }

  func isAnsweredWithCard() -> Bool {
    while let packet = Packet.receive(from: socket) {
      if packet.text == Packet.yours { return true }
      if packet.text == Packet.mine { return false }
      // The lender's first message withdraws the loan.
      take(packet)
    }
    state = .ended
    return false
  }

  var found: KMSSearch.Found? {
    guard case .lent(let card) = state,
      let connector = card.connectors(probing: true).first(where: \.isUsable)
    else { return nil }
    return KMSSearch.Found(card: card, connector: connector, others: [])
  }

  // MARK: Without a lease

  /// Makes all touchtrees with cards, and their borrowers, show their pictures again. A virtual terminal that
  /// returns to text brings the console onto all connectors. (`drm_fb_helper_set_par`, `FB_ACTIVATE_KD_TEXT`)
  static func showAgain(on machine: KMSMachine = .this) {
    for path in machine.paths {
      if let socket = connected(to: path, on: machine) { _ = Packet.send(Packet.show, to: socket) }
    }
  }

  struct Listing {
    enum Use: Equatable {
      /// The connector shows the lender's own picture.
      case own
      /// The connector is lent to this process.
      case lent(Int32)
      case free
    }

    let lender: Int32
    let uses: [String: Use]
  }

  /// Asks the touchtree that has a card which connectors it lends; nil if none does.
  static func listing(of path: String, on machine: KMSMachine) -> Listing? {
    guard let socket = connected(to: path, on: machine), Packet.send(Packet.list, to: socket),
      let text = Packet.receive(from: socket)?.text
    else { return nil }
    var uses: [String: Listing.Use] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 1 else { continue }
      uses[String(words[0])] =
        switch words[1] {
        case "own": .own
        case "free": .free
        default: .lent(Int32(words[1]) ?? 0)
        }
    }
    return Listing(lender: touchtree_peer(socket.rawValue), uses: uses)
  }

  /// A message between two touchtrees: a word and its argument. `lent` carries the lease as a descriptor.
  struct Packet {
    let text: String
    /// The descriptor, which the receiver closes.
    let file: FileDescriptor?

    /// A request for a connector, as written for `--display`: `lend kms:HDMI-A-1`, or `lend kms`.
    static let lend = "lend "
    static let list = "list"
    /// A request for the card itself by a touchtree with a virtual terminal. The answer is `yours` or `no`.
    static let take = "take"
    static let yours = "yours"
    static let mine = "mine"
    /// The message that the console was shown. A lender passes it on to its borrowers.
    static let show = "show"
    /// The answer with a connector: `lent HDMI-A-1`.
    static let lent = "lent "
    /// The prefix of a reason for waiting.
    static let later = "later "
    static let no = "no "

    /// The greatest length in bytes.
    static let longest = 4096

    /// Sends a packet without waiting, and returns whether the other end gets it.
    static func send(_ text: String, with file: Int32 = -1, to socket: UnixSocket) -> Bool {
      var text = text
      return text.withUTF8 { touchtree_send(socket.rawValue, $0.baseAddress, $0.count, file, 0) } > 0
    }

    /// Waits for a packet, for as long as the socket does; nil if none arrives.
    static func receive(from socket: UnixSocket) -> Packet? {
      withUnsafeTemporaryAllocation(byteCount: longest, alignment: 1) { buffer in
        var file: Int32 = -1
        let count = touchtree_receive(socket.rawValue, buffer.baseAddress, buffer.count, &file)
        guard count > 0 else { return nil }
        return Packet(
          text: String(decoding: buffer[..<count], as: UTF8.self),
          file: file < 0 ? nil : FileDescriptor(rawValue: file))
      }
    }
  }
}

extension String {
  func dropping(_ prefix: String) -> String? { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil }
}
