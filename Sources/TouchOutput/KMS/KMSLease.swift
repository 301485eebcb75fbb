import CLinux.Control
import Glibc
import SystemPackage
import TouchPixels
import TouchSystem

/// A connector of a card that another touchtree, which is the card's master, lends to this one. (`KMSLender`)
///
/// ```
/// asked ─┬─▶ lent ◀─▶ waiting      the lender lets another program show its picture, or nothing is connected
///        ├─▶ refused
///        ▼
///      ended                       the lender has ended, from every state
/// ```
///
/// The connection to the lender lasts as long as the lease. Its end tells the borrower, which then need not poll.
final class KMSLease {
  enum State {
    case asked
    /// The card as far as it is lent: one connector, with its CRTC and planes.
    case lent(KMSCard)
    /// The card is lent later. Why, for messages.
    case waiting(String)
    case refused(String)
    case ended
  }

  private(set) var state = State.asked
  /// Of the process that lends it.
  let lender: Int32
  let socket: UnixSocket
  private let path: String
  private let machine: KMSMachine

  /// Asks the touchtree that has a card for a connector.
  ///
  /// Nil if none lends connectors of the card, or it is one of a user who may not open the card.
  ///
  /// - Parameter path: the card's.
  convenience init?(_ choice: KMSSearch.Choice, of path: String, on machine: KMSMachine = .this) {
    guard let socket = Self.connected(to: path, on: machine),
      Packet.send(Packet.lend + choice.text, to: socket)
    else { return nil }
    self.init(socket, of: path, on: machine)
  }

  private init(_ socket: UnixSocket, of path: String, on machine: KMSMachine) {
    self.socket = socket
    self.path = path
    self.machine = machine
    lender = touchtree_peer(socket.rawValue)
  }

  /// Where the touchtree that has a card listens.
  ///
  /// - Parameter node: the card's.
  static func name(of node: stat, on machine: KMSMachine) -> SocketName? {
    SocketName("\(machine.lenders)/\(KMSCard.number(node))")
  }

  /// What to do about a refusal.
  static let advice =
    "Name another connector (touchtree displays lists them), end that touchtree, or give each a virtual terminal of its own "
    + "(--tty new)"

  /// How long the lender may take to answer, in seconds.
  private static let patience: Int32 = 2

  private static func connected(to path: String, on machine: KMSMachine) -> UnixSocket? {
    guard var node = KMSCard.status(of: path), let name = name(of: node, on: machine),
      let socket = try? UnixSocket(.packets), socket.connect(to: name, timeout: patience) == nil,
      // Everyone may listen at an abstract name.
      touchtree_peer_may_open(socket.rawValue, &node) != 0
    else { return nil }
    return socket
  }

  /// Readable when the lender has said something, or has ended. It stays the lease's.
  var descriptor: Int32 { socket.rawValue }

  /// Whether there is something to `read()`.
  var hasNews: Bool {
    var news = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
    return poll(&news, 1, 0) > 0
  }

  /// Whether what is lent may be so no longer: the lender has said something that was not read yet, or the kernel has taken the connector
  /// back, which it does before the end of the lender is heard.
  var mayBeOver: Bool {
    if case .lent(let card) = state, card.crtcs.isEmpty { return true }
    return hasNews
  }

  /// Waits for the answer. A lender that does not answer in time lends nothing.
  func awaitAnswer() {
    guard case .asked = state else { return }
    take(Packet.receive(from: socket))
  }

  /// Takes what the lender has said, and does not wait.
  ///
  /// - Returns: whether the state is another one. If not, what is lent has to be shown again: the console was shown there.
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

  /// Whether nothing more comes.
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
      // What it reports is read when it is there, and sometimes to see whether it is.
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

  /// Asks the lender for the card itself, and waits until it has let the card go, or has refused. Then it waits for the end of this
  /// connection, which is closed when the card is taken.
  func isHandedOver() -> Bool {
    Packet.send(Packet.take, to: socket) && isAnsweredWithCard()
  }

  func isAnsweredWithCard() -> Bool {
    while let packet = Packet.receive(from: socket) {
      if packet.text == Packet.yours { return true }
      if packet.text == Packet.mine { return false }
      // It says first that nothing is lent any more.
      take(packet)
    }
    state = .ended
    return false
  }

  /// What is lent, as it is now; nil while nothing is, or nothing is connected.
  var found: KMSSearch.Found? {
    guard case .lent(let card) = state,
      let connector = card.connectors(probing: true).first(where: \.isUsable)
    else { return nil }
    return KMSSearch.Found(card: card, connector: connector, others: [])
  }

  // MARK: Without a lease

  /// Has all touchtrees that have cards show their pictures again, and those that have borrowed of them. When a virtual terminal returns to
  /// text, the kernel shows the console on all connectors of its card, even if another program is the card's master. (kernel
  /// `drm_fb_helper_set_par`, `FB_ACTIVATE_KD_TEXT`)
  static func showAgain(on machine: KMSMachine = .this) {
    for path in machine.paths {
      if let socket = connected(to: path, on: machine) { _ = Packet.send(Packet.show, to: socket) }
    }
  }

  /// What a lender says of the connectors of its card.
  struct Listing {
    enum Use: Equatable {
      /// The lender's own picture is there.
      case own
      /// It has lent it to this process.
      case lent(Int32)
      case free
    }

    let lender: Int32
    /// By the connectors' names.
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

  /// What two touchtrees say to each other: a word and what follows it, in one packet. A lease is a descriptor with `lent`.
  struct Packet {
    let text: String
    /// The receiver closes it.
    let file: FileDescriptor?

    /// `lend kms:HDMI-A-1`, `lend kms`: the choice as `--display` takes it.
    static let lend = "lend "
    static let list = "list"
    /// The card itself is asked for, by who has a virtual terminal. The answer is one of the next two.
    static let take = "take"
    static let yours = "yours"
    static let mine = "mine"
    /// The console was shown: to a lender, and on to those who have borrowed of it.
    static let show = "show"
    /// `lent HDMI-A-1`
    static let lent = "lent "
    /// A reason follows.
    static let later = "later "
    static let no = "no "

    /// In bytes.
    static let longest = 4096

    /// Sends one without waiting.
    ///
    /// - Returns: whether the other end gets it.
    static func send(_ text: String, with file: Int32 = -1, to socket: UnixSocket) -> Bool {
      var text = text
      return text.withUTF8 { touchtree_send(socket.rawValue, $0.baseAddress, $0.count, file, 0) } > 0
    }

    /// Waits for one, as long as the socket does; nil if there comes no other.
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
  /// What follows a prefix; nil without it.
  func dropping(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
