import Glibc
import TouchPixels
import TouchSystem

/// The hold of a display on its connector: as the master of the card,
/// or by a lease of the touchtree that is master.
///
/// ```
/// find ─▶ take ─▶ lend      the card's other connectors, to other touchtrees (`KMSLender`)
///   ▲               │
///   └──── letGo ◀───┘
/// ```
///
/// A touchtree with a virtual terminal lets its card go when another terminal is shown. One without a
/// terminal never does, so it hands the card over to one that has a terminal, and borrows from it.
final class KMSClaim {
  /// The handler of changes, which calls `find()`: a connector is lent or taken back, or the card is free.
  var onChange: () -> Void = {}
  /// The handler of a request to hand the card over. Nothing may be shown from then on.
  var onHandOver: () -> Void = {}
  /// The handler of a console that was shown in the picture's place.
  var onCover: () -> Void = {}
  var report: (String) -> Void = { _ in }
  var loop: EventLoop? { didSet { followLease() } }

  let choice: KMSSearch.Choice
  /// The card and its connected connector; nil with none connected, and while another program is shown.
  private(set) var found: KMSSearch.Found?
  private let machine: KMSMachine
  private var last: (device: String, connector: String)?
  private var lock = DeviceLock.none
  /// The lease of the touchtree that has the card; nil while none is asked.
  private var lease: KMSLease?
  private var leaseWatch: EventLoop.Source?
  /// Whether the lender has ended, and nothing was taken since.
  private var hasLostLender = false
  private var lender: KMSLender?
  /// Whether the card is handed over, but has not yet been taken by the other touchtree.
  private var isHandedOver = false

  init(_ choice: KMSSearch.Choice, on machine: KMSMachine = .this) {
    (self.choice, self.machine) = (choice, machine)
  }

  /// The process that lends the connector; nil with a card of its own.
  var lendingProcess: Int32? { found?.card.isLease == true ? lease?.lender : nil }

  var leaseMayBeOver: Bool { lease?.mayBeOver == true }

  /// The reason why nothing is found although something may be connected; nil if nothing is waited for.
  var waiting: DisplayError? {
    if isHandedOver {
      return DisplayError(
        .missing, path: choice.text, detail: "the touchtree that has a virtual terminal takes the card")
    }
    guard let lease, case .waiting(let reason) = lease.state else { return nil }
    return DisplayError(
      .missing, path: choice.text, detail: "touchtree (pid \(lease.lender)) lends it later: \(reason)")
  }

  // MARK: Finding

  /// Chooses a connector, which may be disconnected. Its picture stays as it is.
  func find() throws(DisplayError) {
    found = nil
    guard !isHandedOver else { return }
    if lease == nil {
      found = try KMSSearch.find(choice, last: last, on: machine)
      // Possibly only the master knows whether something is connected to its card.
      for path in machine.paths where found == nil && lease == nil { _ = try? borrow(of: path) }
    }
    if let lease { found = lease.found }
    if let found { last = (found.card.device, found.connector.name) }
  }

  /// Asks for a lease early, since a lent connector may have another size. A lender that refuses is asked
  /// again before anything is shown.
  func borrowEarly() {
    guard let card = found?.card, !card.isLease, !card.isFree else { return }
    _ = try? borrow(of: card.path)
  }

  // MARK: Taking

  /// Keeps other instances of touchtree off the card, or borrows from the one that has it.
  /// - Parameter byTurns: whether others may use the card too,
  ///   because each has a virtual terminal of its own.
  /// - Throws: `DisplayError` of kind `inUse`.
  func share(byTurns: Bool) throws(DisplayError) {
    lock = byTurns ? .shared : .exclusive
    try have { () throws(DisplayError) in try holdLock() }
  }

  private func holdLock() throws(DisplayError) {
    guard let card = found?.card, !card.isLease, !lock.take(on: card.descriptor) else { return }
    throw KMSCardUsers.isInUse(card, by: "another touchtree")
  }

  /// Becomes the master of the card, or borrows the connector; throws `inUse` if neither is possible.
  func take() throws(DisplayError) {
    try have(becomeMaster)
    // The connection to the former lender is kept until this program is master and listens.
    let former = try takeOver()
    defer { withExtendedLifetime(former) {} }
    guard let card = found?.card, !card.isLease, let loop else {
      lender = nil
      return
    }
    // Listening begins before anything is shown: borrowers of a lender that has ended are on their way.
    let lender = lender ?? KMSLender(in: loop, on: machine)
    lender.onRequestForCard = { [weak self] in self?.handOver() ?? false }
    lender.onSuccession = { [weak self] in self?.succeed() }
    lender.onCover = onCover
    if let refusal = lender.listen(for: card) { report("\(refusal)") }
    self.lender = lender
  }

  private func becomeMaster() throws(DisplayError) {
    try holdLock()
    do throws(DisplayError) {
      try found?.card.takeMaster()
    } catch {
      // A program without rights becomes master only if it could have been when it opened the card.
      guard error.cause == .permissionDenied else { throw error }
      try find()
      try holdLock()
      try found?.card.takeMaster()
    }
  }

  /// Takes the card, or borrows a connector from the touchtree that has it.
  private func have(_ take: () throws(DisplayError) -> Void) throws(DisplayError) {
    // The kernel takes a moment to clean up after a lender that has ended.
    let tries = hasLostLender ? 20 : 5
    let end = MonotonicClock.nanoseconds() + Self.longestWait
    for left in stride(from: tries, through: 0, by: -1) {
      do throws(DisplayError) {
        try take()
        hasLostLender = false
        return
      } catch {
        guard error.kind == .inUse, let path = found?.card.path else { throw error }
        if try borrow(of: path) { return }
        // Of two touchtrees one has the lock. It will be master and lend in a moment.
        guard left > 0, hasLostLender || error.cause == nil, MonotonicClock.nanoseconds() < end else {
          throw error
        }
      }
      usleep(20_000)
    }
  }

  /// The longest time of repeated requests, in nanoseconds. Touches wait meanwhile.
  private static let longestWait: Int64 = 4_000_000_000

  // MARK: Borrowing

  /// Asks the touchtree that has a card for a connector; false if none lends any, an error if it refuses.
  private func borrow(of path: String) throws(DisplayError) -> Bool {
    guard let asked = KMSLease(choice, of: path, on: machine) else { return false }
    asked.awaitAnswer()
    switch asked.state {
    case .asked, .ended: return false
    case .refused(let reason):
      throw DisplayError(
        .inUse, path: path,
        detail: "touchtree (pid \(asked.lender)) has it, and does not lend what is asked for: \(reason). "
          + KMSLease.advice)
    case .lent, .waiting: break
    }
    (lease, hasLostLender) = (asked, false)
    try find()
    followLease()
    return true
  }

  private func followLease() {
    guard let loop, let lease, leaseWatch == nil else { return }
    do throws(SystemError) {
      leaseWatch = try loop.watch(lease.descriptor) { [weak self] in self?.followLender() }
    } catch {
      report(
        "touchtree (pid \(lease.lender)) lends the display, and what it says is not read: \(error); restart this "
          + "one when the display is lent no longer")
    }
  }

  /// Takes the lender's message: the connector is lent or taken back, or the card is free.
  private func followLender() {
    guard let lease else { return }
    guard lease.read() else { return onCover() }
    switch lease.state {
    case .asked, .lent: break
    // This program has a virtual terminal and is shown, so the lender has let the card go.
    case .waiting: if case .shared = lock { returnLease() }
    case .refused, .ended:
      returnLease()
      hasLostLender = true
    }
    onChange()
  }

  private func returnLease() {
    if let leaseWatch { loop?.unwatch(leaseWatch) }
    (leaseWatch, lease) = (nil, nil)
  }

  // MARK: Lending

  /// Lends the card's other connectors, beside the pipe of this program.
  func lend(beside pipe: KMSPipe) { lender?.lend(beside: pipe) }

  /// Takes back the lent connectors. With a reason, their borrowers wait.
  func takeBack(because reason: String?) { lender?.takeBack(because: reason) }

  /// Answers waiting borrowers again after a change of a connector.
  func lookAgain() { lender?.lookAgain() }

  /// Takes the card over from the lender, if the lender has no virtual terminal and this program has one.
  /// - Returns: the connection to the former lender, which waits for its end; nil if nothing was handed over.
  private func takeOver() throws(DisplayError) -> KMSLease? {
    guard let lease, found != nil, case .shared = lock, lease.isHandedOver() else { return nil }
    returnLease()
    try find()
    try have(becomeMaster)
    return lease
  }

  /// Hands the card over to a touchtree with a virtual terminal that asks for it, and returns whether it did.
  private func handOver() -> Bool {
    guard case .exclusive = lock else { return false }
    onHandOver()
    letGo()
    isHandedOver = true
    onChange()
    return true
  }

  /// Follows the end of a handover: the successor has the card, or has ended.
  private func succeed() {
    isHandedOver = false
    loop?.again { [weak self] in
      self?.lender = nil
      self?.onChange()
    }
  }

  // MARK: Ends

  /// Lets the card or the lease go. Connectors lent to others stay lent.
  func letGo() {
    found?.card.dropMaster()
    found = nil
  }

  /// Lets the card go after a failure, so that others may try.
  func giveUp() {
    found?.card.dropMaster()
    if !isHandedOver { lender = nil }
  }

  /// Gives everything back, because another program is shown or this one ends. Borrowers wait until this
  /// program is shown again or this object is destroyed, which restores the console.
  func suspend() {
    letGo()
    returnLease()
  }
}
