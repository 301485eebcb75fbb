import Glibc
import SystemPackage
import TouchPixels
import TouchSystem

/// How a display has its connector: as the master of its card, or by a lease of another touchtree that is.
///
/// ```
/// find ─▶ take ─▶ lend      the card's other connectors, to other touchtrees (`KMSLender`)
///   ▲               │
///   └──── letGo ◀───┘
/// ```
///
/// A touchtree with a virtual terminal lets its card go when another terminal is shown. One without never does, so it hands the card over to
/// one that has, and borrows of it.
final class KMSClaim {
  /// Called when something has changed, for `find()`: a connector is lent or not any more, or the card is free.
  var onChange: () -> Void = {}
  /// Called before the card is handed over: nothing may be shown from here on.
  var onHandOver: () -> Void = {}
  /// Called when the console was shown in the picture's place.
  var onCover: () -> Void = {}
  /// Called with a line for the log.
  var report: (String) -> Void = { _ in }
  /// What is lent is followed from here on, and lent to others.
  var loop: EventLoop? { didSet { followLease() } }

  let choice: KMSSearch.Choice
  /// The card and what is connected; nil while nothing is, and while another program is shown.
  private(set) var found: KMSSearch.Found?
  private let machine: KMSMachine
  /// The one that was used before.
  private var last: (device: String, connector: String)?
  private var lock = DeviceLock.none
  /// What the touchtree that has the card lends; nil while none is asked.
  private var lease: KMSLease?
  private var leaseWatch: EventLoop.Source?
  /// Whether the touchtree that has lent it has ended, and nothing was taken since.
  private var hasLostLender = false
  private var lender: KMSLender?
  /// Whether the card is handed over, and the other touchtree has not got it yet.
  private var isHandedOver = false

  init(_ choice: KMSSearch.Choice, on machine: KMSMachine = .this) {
    self.choice = choice
    self.machine = machine
  }

  /// The process that lends the connector; nil for one of a card of its own.
  var lendingProcess: Int32? { found?.card.isLease == true ? lease?.lender : nil }

  /// Whether what is lent may be so no longer.
  var leaseMayBeOver: Bool { lease?.mayBeOver == true }

  /// Why nothing is found although something may be connected; nil if nothing is waited for.
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

  /// Chooses a connector. What it shows stays as it is.
  ///
  /// - Throws: `DisplayError`; not if nothing is connected.
  func find() throws(DisplayError) {
    found = nil
    guard !isHandedOver else { return }
    if lease == nil {
      found = try KMSSearch.find(choice, last: last, on: machine)
      // What is connected to a card may be known to its master alone.
      for path in machine.paths where found == nil && lease == nil { _ = try? borrow(of: path) }
    }
    if let lease { found = lease.found }
    if let found { last = (found.card.device, found.connector.name) }
  }

  /// Asks already for what is lent, which may have another size. Who refuses is asked again before anything is shown: by then a
  /// virtual terminal may be taken, by which the two are seen by turns.
  func borrowEarly() {
    guard let card = found?.card, !card.isLease, !card.isFree else { return }
    _ = try? borrow(of: card.path)
  }

  // MARK: Taking

  /// Keeps other instances of touchtree off the card, or borrows of the one that has it.
  ///
  /// - Parameter byTurns: whether others may use it too, because each has a virtual terminal of its own.
  /// - Throws: `DisplayError` of kind `inUse`.
  func share(byTurns: Bool) throws(DisplayError) {
    lock = byTurns ? .shared : .exclusive
    try have { () throws(DisplayError) in try holdLock() }
  }

  /// As long as the card is open.
  private func holdLock() throws(DisplayError) {
    guard let card = found?.card, !card.isLease, !lock.take(on: card.descriptor) else { return }
    throw KMSCardUsers.isInUse(card, by: "another touchtree")
  }

  /// Makes this program the master of the card, or has the connector lent.
  ///
  /// - Throws: `DisplayError`; of kind `inUse` if another program has the card, and lends nothing.
  func take() throws(DisplayError) {
    try have(becomeMaster)
    // It goes when this program is master, and listens.
    let former = try takeOver()
    defer { withExtendedLifetime(former) {} }
    guard let card = found?.card, !card.isLease, let loop else {
      lender = nil
      return
    }
    // Before anything is shown: who has seen the one of before end is on the way.
    let lender = lender ?? KMSLender(in: loop, on: machine)
    lender.onRequestForCard = { [unowned self] in handOver() }
    lender.onSuccession = { [unowned self] in succeed() }
    lender.onCover = onCover
    if let refusal = lender.listen(for: card) { report("\(refusal)") }
    self.lender = lender
  }

  private func becomeMaster() throws(DisplayError) {
    try holdLock()
    do throws(DisplayError) {
      try found?.card.takeMaster()
    } catch {
      // A program without rights becomes master only if it could have been when it opened the card. Another one may have been
      // shown then.
      guard error.cause == .permissionDenied else { throw error }
      try find()
      try holdLock()
      try found?.card.takeMaster()
    }
  }

  /// Takes the card, or has the touchtree that has it lend a connector.
  private func have(_ take: () throws(DisplayError) -> Void) throws(DisplayError) {
    // The kernel needs a moment for the end of the touchtree that has lent it.
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
        // Of two touchtrees one has the lock, and will be master and lend in a moment.
        guard left > 0, hasLostLender || error.cause == nil, MonotonicClock.nanoseconds() < end else {
          throw error
        }
      }
      usleep(20_000)
    }
  }

  /// How long others are asked again and again, in nanoseconds: touches wait meanwhile.
  private static let longestWait: Int64 = 4_000_000_000

  // MARK: Borrowing

  /// Asks the touchtree that has a card for a connector.
  ///
  /// - Returns: false if none lends any.
  /// - Throws: `DisplayError` of kind `inUse` if it refuses.
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
      leaseWatch = try loop.watch(lease.descriptor) { [unowned self] in hear() }
    } catch {
      report(
        "touchtree (pid \(lease.lender)) lends the display, and what it says is not read: \(error); restart this "
          + "one when the display is lent no longer")
    }
  }

  /// The connector is lent, is not lent any more, or the lender has ended, and the card is free.
  private func hear() {
    guard let lease else { return }
    guard lease.read() else { return onCover() }
    switch lease.state {
    case .asked, .lent: break
    // With a virtual terminal of its own this program is the one that is shown: the lender has let the card go.
    case .waiting: if case .shared = lock { returnLease() }
    case .refused, .ended:
      returnLease()
      hasLostLender = true
    }
    onChange()
  }

  /// Gives back what is lent. Nothing of it is shown any more.
  private func returnLease() {
    if let leaseWatch { loop?.unwatch(leaseWatch) }
    (leaseWatch, lease) = (nil, nil)
  }

  // MARK: Lending

  /// Lends the card's other connectors.
  ///
  /// - Parameter pipe: what is shown on the card.
  func lend(beside pipe: KMSPipe) { lender?.lend(beside: pipe) }

  /// Takes back what is lent, while the card is this program's still.
  ///
  /// - Parameter reason: for those who wait; nil if they need not.
  func takeBack(because reason: String?) { lender?.takeBack(because: reason) }

  /// Something has happened to a connector of a card.
  func lookAgain() { lender?.lookAgain() }

  /// Has this program the card by a lease, and with a virtual terminal, the lender hands the card over, if it has no terminal.
  ///
  /// - Returns: the connection to the former lender, which waits for its end; nil if nothing was handed over.
  private func takeOver() throws(DisplayError) -> KMSLease? {
    guard let lease, found != nil, case .shared = lock, lease.isHandedOver() else { return nil }
    returnLease()
    try find()
    try have(becomeMaster)
    return lease
  }

  /// A touchtree with a virtual terminal asks for the card.
  ///
  /// - Returns: whether it may have it.
  private func handOver() -> Bool {
    guard case .exclusive = lock else { return false }
    onHandOver()
    letGo()
    isHandedOver = true
    onChange()
    return true
  }

  /// It has got the card, or has ended.
  private func succeed() {
    isHandedOver = false
    loop?.again { [weak self] in
      self?.lender = nil
      self?.onChange()
    }
  }

  // MARK: Ends

  /// Lets the card go, or what is shown of it; what is lent stays lent.
  func letGo() {
    found?.card.dropMaster()
    found = nil
  }

  /// Lets the card go after a failure: others may try.
  func giveUp() {
    found?.card.dropMaster()
    if !isHandedOver { lender = nil }
  }

  /// Another program is shown, or this one ends: what is lent goes back. Those who have borrowed wait until it is shown again, or
  /// until this object goes: then the card is free, and the console is restored.
  func suspend() {
    letGo()
    returnLease()
  }
}
