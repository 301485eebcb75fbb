import CDrm
import CLinux.Control
import Glibc
import SystemPackage
import TouchPixels
import TouchSystem

/// Lends connectors of a card to other touchtrees: each borrower gets one that shows nothing of this program,
/// with a CRTC and its planes. (kernel `drm_lease.c`) It listens while this program is the card's master, and
/// answers programs that may open the card (`touchtree_peer_may_open`). A loan ends with the borrower's
/// connection, or when another program is shown; borrowers then stay connected and wait.
final class KMSLender {
  private final class Borrower {
    let socket: UnixSocket
    var watch: EventLoop.Source?
    var choice: KMSSearch.Choice?
    var loan: (pipe: KMSPipe, lessee: UInt32)?
    /// The last reason for waiting that was sent. The same reason is not sent again.
    private var reason: String?

    init(_ socket: UnixSocket) { self.socket = socket }

    var process: Int32 { touchtree_peer(socket.rawValue) }

    /// Asks the borrower to wait; false if it is gone.
    func wait(because reason: String) -> Bool {
      defer { self.reason = reason }
      return reason == self.reason || KMSLease.Packet.send(KMSLease.Packet.later + reason, to: socket)
    }

    /// Gives the borrower its connector; false if it is gone.
    func give(_ file: FileDescriptor, of connector: KMSConnector) -> Bool {
      reason = nil
      return KMSLease.Packet.send(KMSLease.Packet.lent + connector.name, with: file.rawValue, to: socket)
    }
  }

  /// The handler of a borrower's request for the card itself. It returns whether the card was let go.
  var onRequestForCard: () -> Bool = { false }
  /// The handler of the end of a handover: that borrower has the card, or has ended.
  var onSuccession: () -> Void = {}
  /// The handler of a console that was shown on the card.
  var onCover: () -> Void = {}

  private let loop: EventLoop
  private let machine: KMSMachine
  private var listener: (socket: UnixSocket, watch: EventLoop.Source)?
  /// The pipe of this program's own picture; nil while it shows nothing.
  private var own: KMSPipe?
  private var node = stat()
  private var borrowers: [Borrower] = []
  private weak var successor: Borrower?

  /// The limit that keeps borrowers from using up the descriptors.
  private static let mostBorrowers = 16

  init(in loop: EventLoop, on machine: KMSMachine = .this) { (self.loop, self.machine) = (loop, machine) }

  deinit {
    for borrower in borrowers { drop(borrower) }
    stopListening()
  }

  // MARK: As the card is this program's, or not

  /// Listens for borrowers, who are answered once this program shows its own picture. It returns the reason
  /// of a failure.
  func listen(for card: KMSCard) -> DisplayError? {
    guard listener == nil else { return nil }
    func refusal(_ cause: Errno) -> DisplayError {
      DisplayError(
        .failed, path: card.path, detail: "its other connectors are not lent to other touchtrees",
        cause: cause)
    }
    guard let node = KMSCard.status(of: card.path), let name = KMSLease.name(of: node, on: machine) else {
      return refusal(.noSuchFileOrDirectory)
    }
    self.node = node
    do throws(SystemError) {
      let socket = try UnixSocket(.packets)
      let isBound = name.withAddress { bind(socket.rawValue, $0, $1) } == 0
      guard isBound, Glibc.listen(socket.rawValue, Int32(Self.mostBorrowers)) == 0 else {
        return refusal(Errno(rawValue: errno))
      }
      _ = fcntl(socket.rawValue, F_SETFL, O_NONBLOCK)
      let watch = try loop.watch(socket.rawValue, as: .later) { [weak self] in self?.accept() }
      listener = (socket, watch)
    } catch {
      return refusal(error.errno)
    }
    return nil
  }

  private func stopListening() {
    if let listener { loop.unwatch(listener.watch) }
    listener = nil
  }

  func lend(beside pipe: KMSPipe) {
    own = pipe
    answerAll()
  }

  /// Takes all loans back and restores the previous pictures of their connectors, before the card is let go.
  /// - Parameter reason: the reason for borrowers that wait; nil if they need not wait.
  func takeBack(because reason: String?) {
    stopListening()
    guard own != nil else { return }
    own = nil
    for borrower in borrowers {
      takeBack(from: borrower)
      if let reason, !borrower.wait(because: reason) { drop(borrower) }
    }
  }

  func lookAgain() { answerAll() }

  // MARK: Borrowers

  private func accept() {
    guard let listener else { return }
    while case let number = touchtree_accept(listener.socket.rawValue), number >= 0 {
      let borrower = Borrower(UnixSocket(owning: number))
      func refuse(_ reason: String) {
        _ = KMSLease.Packet.send(KMSLease.Packet.no + reason, to: borrower.socket)
      }
      guard touchtree_peer_may_open(number, &node) != 0 else {
        refuse("this user may not open the card")
        continue
      }
      guard borrowers.count < Self.mostBorrowers else {
        refuse("the card is lent to \(Self.mostBorrowers) others")
        continue
      }
      do throws(SystemError) {
        borrower.watch = try loop.watch(number, as: .later) { [weak self, weak borrower] in
          if let borrower { self?.receive(from: borrower) }
        }
      } catch {
        refuse("its lender cannot read another connection: \(error)")
        continue
      }
      borrowers.append(borrower)
    }
  }

  private func receive(from borrower: Borrower) {
    let text = withUnsafeTemporaryAllocation(byteCount: KMSLease.Packet.longest, alignment: 1) { buffer in
      let count = (try? borrower.socket.receive(into: buffer)) ?? 0
      return String(decoding: buffer[..<count], as: UTF8.self)
    }
    if text == KMSLease.Packet.list {
      _ = KMSLease.Packet.send(listing, to: borrower.socket)
    } else if borrower.choice == nil, let name = text.dropping(KMSLease.Packet.lend),
      let choice = KMSSearch.Choice(text: name)
    {
      borrower.choice = choice
      answer(borrower)
    } else if text == KMSLease.Packet.show {
      onCover()
      for borrower in borrowers where borrower.loan != nil {
        _ = KMSLease.Packet.send(KMSLease.Packet.show, to: borrower.socket)
      }
    } else if text == KMSLease.Packet.take, borrower.loan != nil, successor == nil {
      let isLetGo = onRequestForCard()
      if isLetGo { successor = borrower }
      _ = KMSLease.Packet.send(isLetGo ? KMSLease.Packet.yours : KMSLease.Packet.mine, to: borrower.socket)
    } else {
      let isSuccessor = borrower === successor
      drop(borrower)
      if isSuccessor { onSuccession() } else { answerAll() }
    }
  }

  private func drop(_ borrower: Borrower) {
    if let watch = borrower.watch { loop.unwatch(watch) }
    takeBack(from: borrower)
    borrowers.removeAll { $0 === borrower }
  }

  private func takeBack(from borrower: Borrower) {
    guard let (pipe, lessee) = borrower.loan else { return }
    borrower.loan = nil
    _ = pipe.card.drm.revoke_lease(pipe.card.descriptor.rawValue, lessee)
    pipe.restore()
  }

  // MARK: Loans

  private func answerAll() { for borrower in borrowers { answer(borrower) } }

  private func answer(_ borrower: Borrower) {
    guard let own, let choice = borrower.choice, borrower.loan == nil else { return }
    switch offer(for: choice, beside: own) {
    case .connector(let connector):
      do throws(DisplayError) {
        let (pipe, lessee, file) = try lend(connector, beside: own)
        defer { try? file.close() }
        borrower.loan = (pipe, lessee)
        if !borrower.give(file, of: connector) { drop(borrower) }
      } catch {
        refuse(borrower, because: error.description)
      }
    case .later(let reason): if !borrower.wait(because: reason) { drop(borrower) }
    case .never(let reason): refuse(borrower, because: reason)
    }
  }

  private func refuse(_ borrower: Borrower, because reason: String) {
    _ = KMSLease.Packet.send(KMSLease.Packet.no + reason, to: borrower.socket)
    drop(borrower)
  }

  private enum Offer {
    case connector(KMSConnector)
    case later(String)
    case never(String)
  }

  private func offer(for choice: KMSSearch.Choice, beside own: KMSPipe) -> Offer {
    let all = own.card.connectors(probing: false)
    let allowed = all.filter { choice.allows($0, of: own.card) }
    guard !allowed.isEmpty else {
      return .never("there is no such connector; there are \(all.map(\.name).joined(separator: ", "))")
    }
    let left = allowed.filter { use(of: $0.id) == .free }
    if let best = Self.best(of: left) { return .connector(best) }
    // A newly plugged monitor is known only after it is probed.
    if let best = Self.best(of: left.compactMap { own.card.connector($0.id, probing: true) }) {
      return .connector(best)
    }
    guard case .named = choice else { return .never("there is no other connector with a monitor") }
    guard let first = left.first else {
      return .never(
        use(of: allowed[0].id) == .own
          ? "its own picture is on \(allowed[0].name)" : "it has lent \(allowed[0].name) already")
    }
    return .later("\(first.name): \(KMSSearch.reason(first))")
  }

  /// Returns the best connector, as `KMSSearch`: a built-in panel first, an unknown connection last.
  private static func best(of connectors: [KMSConnector]) -> KMSConnector? {
    let usable = connectors.filter(\.isUsable)
    return usable.first { $0.isBuiltIn && $0.connection == .connected }
      ?? usable.first { $0.connection == .connected } ?? usable.first
  }

  /// - Throws: `DisplayError` if the driver lends nothing, or has nothing left to drive the connector.
  private func lend(_ connector: KMSConnector, beside own: KMSPipe) throws(DisplayError) -> (
    pipe: KMSPipe, lessee: UInt32, file: FileDescriptor
  ) {
    let card = own.card
    func refusal(_ reason: String, _ cause: Errno? = nil) -> DisplayError {
      DisplayError(.unsupported, path: "\(card.path) \(connector.name)", detail: reason, cause: cause)
    }
    let lent = borrowers.compactMap { $0.loan?.pipe.objects }
    let avoided = Set(lent.joined()).union(own.objects ?? [own.crtc])
    let pipe = try KMSPipe(to: connector, of: card, connector.mode(nil, on: card), avoiding: avoided)
    guard var objects = pipe.objects else {
      throw refusal("the driver \(card.driver) has no plane left for it")
    }
    guard let create = card.drm.create_lease else {
      throw refusal("this libdrm does not lend connectors; install libdrm2 2.4.89 or newer")
    }
    pipe.hideCursor()
    var lessee: UInt32 = 0
    let number = create(card.descriptor.rawValue, &objects, Int32(objects.count), O_CLOEXEC, &lessee)
    guard number >= 0 else {
      throw refusal("the driver \(card.driver) does not lend it", Errno(rawValue: -number))
    }
    return (pipe, lessee, FileDescriptor(rawValue: number))
  }

  // MARK: Listing

  private func use(of connector: UInt32) -> KMSLease.Listing.Use {
    if own?.connector.id == connector { return .own }
    let borrower = borrowers.first { $0.loan?.pipe.connector.id == connector }
    return borrower.map { .lent($0.process) } ?? .free
  }

  /// The listing: a title, and for each connector a line with `own`, `free`, or the borrower's process.
  private var listing: String {
    let connectors = own?.card.connectors(probing: false) ?? []
    return connectors.map { connector in
      switch use(of: connector.id) {
      case .own: "\(connector.name) own\n"
      case .lent(let process): "\(connector.name) \(process)\n"
      case .free: "\(connector.name) free\n"
      }
    }.reduce("connectors\n", +)
  }
}
