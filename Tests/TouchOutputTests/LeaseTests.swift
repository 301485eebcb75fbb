import CDrm
import CLinux.Control
import Glibc
import Synchronization
import Testing
import TouchPixels

@testable import TouchOutput
@testable import TouchSystem

/// What a touchtree that has a card lends to others: on cards that are not there, by sockets that are.
@Suite struct LeaseTests {
  private static let panel = FakeConnector(kind: DRM_MODE_CONNECTOR_DSI)
  private static let monitor = FakeConnector(kind: DRM_MODE_CONNECTOR_HDMIA, crtc: 0)
  private static let second = FakeConnector(kind: DRM_MODE_CONNECTOR_HDMIA, number: 2, crtc: 0)

  /// A touchtree that shows its picture on the panel of a card.
  private final class Owner {
    let cards: FakeCards
    let loop: EventLoop
    let lender: KMSLender
    private var card: KMSCard?

    init(_ fake: FakeCard) throws {
      cards = try FakeCards([fake])
      loop = try EventLoop(manualClock: ManualClock())
      lender = KMSLender(in: loop, on: cards.machine)
      try show()
    }

    /// Shows its picture, on its own connector: the first one.
    func show() throws {
      let card = try KMSCard(path: cards.machine.paths[0], on: cards.machine)
      try card.takeMaster()
      #expect(lender.listen(for: card) == nil)
      let connector = try #require(card.connectors(probing: true).first)
      lender.lend(beside: try KMSPipe(to: connector, of: card, connector.mode(nil, on: card)))
      self.card = card
    }

    /// Lets another program show its picture.
    func hide(because reason: String?) {
      lender.takeBack(because: reason)
      card = nil
    }

    func serve() throws { try loop.advance(byNanoseconds: 1) }

    /// What is lent to somebody who asks for a display.
    func ask(_ display: String) throws -> KMSLease {
      let choice = try #require(KMSSearch.Choice(text: display))
      let lease = try #require(KMSLease(choice, of: cards.machine.paths[0], on: cards.machine))
      try serve()
      _ = lease.read()
      return lease
    }

    var lent: [[UInt32]] { cards[0].leases.sorted { $0.key < $1.key }.map(\.value) }
  }

  private func connector(_ lease: KMSLease) -> String? { lease.found?.connector.name }

  private func refusal(_ lease: KMSLease) -> String? {
    if case .refused(let reason) = lease.state { reason } else { nil }
  }

  private func isWaiting(_ lease: KMSLease, _ word: String) -> Bool {
    if case .waiting(let reason) = lease.state { reason.contains(word) } else { false }
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .acquiring) }
    func raise() { value.store(true, ordering: .releasing) }
  }

  @Test(arguments: ["kms:HDMI-A-1", "kms:vc4-HDMI-A-1", "kms:vc4", "kms"])
  func `a connector is lent with a CRTC and a plane that are not its lender's`(display: String) throws {
    let owner = try Owner(FakeCard(connectors: [Self.panel, Self.monitor], crtcs: 2))
    let lease = try owner.ask(display)
    #expect(connector(lease) == "HDMI-A-1" && lease.lender == getpid())
    #expect(owner.lent == [[2, 12, 32]])
    let card = try #require(lease.found).card
    #expect(card.isLease && card.isMaster)
  }

  @Test func `what is lent comes back dark when the connection ends, and goes to who waits for it`() throws {
    let owner = try Owner(FakeCard(connectors: [Self.panel, Self.monitor], crtcs: 2))
    var lease: KMSLease? = try owner.ask("kms:HDMI-A-1")
    let refused = try owner.ask("kms:HDMI-A-1")
    #expect(refusal(refused) == "it has lent HDMI-A-1 already")
    #expect(owner.lent.count == 1 && owner.cards[0].dark.isEmpty)
    withExtendedLifetime(lease) {}
    lease = nil
    try owner.serve()
    #expect(owner.lent.isEmpty && owner.cards[0].dark == [12])
    #expect(connector(try owner.ask("kms:HDMI-A-1")) == "HDMI-A-1")
  }

  @Test func `its own connector is not lent, nor one that there is not, nor one without a CRTC`() throws {
    let owner = try Owner(FakeCard(connectors: [Self.panel, Self.monitor, Self.second], crtcs: 2))
    #expect(refusal(try owner.ask("kms:DSI-1")) == "its own picture is on DSI-1")
    #expect(
      refusal(try owner.ask("kms:VGA-1"))
        == "there is no such connector; there are DSI-1, HDMI-A-1, HDMI-A-2")
    let lease = try owner.ask("kms:HDMI-A-1")
    #expect(refusal(try owner.ask("kms:HDMI-A-2"))?.contains("no CRTC that can drive it") == true)
    #expect(connector(lease) == "HDMI-A-1" && owner.lent.count == 1)
    let alone = try Owner(FakeCard(connectors: [Self.panel]))
    #expect(refusal(try alone.ask("kms")) == "there is no other connector with a monitor")
  }

  @Test func `a library without leases is named`() throws {
    let owner = try Owner(FakeCard(connectors: [Self.panel, Self.monitor], crtcs: 2, lends: false))
    #expect(refusal(try owner.ask("kms:HDMI-A-1"))?.contains("libdrm2 2.4.89") == true)
  }

  @Test func `a borrower waits for a cable, and while another program is shown, and hears of the end`() throws
  {
    var unplugged = Self.monitor
    unplugged.connection = DRM_MODE_DISCONNECTED
    var owner: Owner? = try Owner(FakeCard(connectors: [Self.panel, unplugged], crtcs: 2))
    let lease = try #require(try owner?.ask("kms:HDMI-A-1"))
    #expect(isWaiting(lease, "HDMI-A-1: nothing is connected"))
    owner?.lender.lookAgain()
    #expect(!lease.hasNews)
    owner?.cards[0].connectors[1].connection = DRM_MODE_CONNECTED
    owner?.lender.lookAgain()
    #expect(lease.read())
    #expect(connector(lease) == "HDMI-A-1")

    owner?.hide(because: "another program is shown")
    #expect(lease.hasNews)
    #expect(lease.read())
    #expect(isWaiting(lease, "another program is shown") && lease.found == nil)
    #expect(owner?.lent.isEmpty == true && owner?.cards[0].dark == [12])
    // Nothing is said twice, and nothing has to be asked again.
    owner?.hide(because: "another program is shown")
    #expect(!lease.hasNews)
    try owner?.show()
    #expect(lease.read())
    #expect(connector(lease) == "HDMI-A-1")

    // The kernel takes the connector back first. Until the end of the lender is heard, the borrower finds no
    // CRTC.
    #expect(!lease.mayBeOver)
    owner?.hide(because: nil)
    #expect(!lease.hasNews && lease.mayBeOver)
    owner = nil
    #expect(lease.read())
    guard case .ended = lease.state else {
      Issue.record("it has not heard of the end")
      return
    }
  }

  @Test func `the card is handed over to who has a virtual terminal, and the others wait for its end`() throws
  {
    let owner = try Owner(FakeCard(connectors: [Self.panel, Self.monitor, Self.second], crtcs: 3))
    let other = try owner.ask("kms:HDMI-A-2")
    var taking: KMSLease? = try owner.ask("kms:HDMI-A-1")
    var isYielding = false
    var hasSuccessor = false
    owner.lender.onRequestForCard = {
      if isYielding { owner.hide(because: "another touchtree takes the card") }
      return isYielding
    }
    owner.lender.onSuccession = { hasSuccessor = true }
    #expect(try !handsOver(owner, to: #require(taking)))
    #expect(connector(try #require(taking)) == "HDMI-A-1" && owner.lent.count == 2)
    isYielding = true
    #expect(try handsOver(owner, to: #require(taking)))
    #expect(owner.lent.isEmpty && other.read() && isWaiting(other, "another touchtree takes the card"))
    #expect(!hasSuccessor)
    // The end of its connection says that it has the card.
    taking = nil
    try owner.serve()
    #expect(hasSuccessor)
  }

  /// Asks for the card, as another process does.
  private func handsOver(_ owner: Owner, to lease: KMSLease) throws -> Bool {
    #expect(KMSLease.Packet.send(KMSLease.Packet.take, to: lease.socket))
    try owner.serve()
    return lease.isAnsweredWithCard()
  }

  @Test func `who is shown again after the console has its borrowers shown again`() throws {
    let owner = try Owner(FakeCard(connectors: [Self.panel, Self.monitor], crtcs: 2))
    let lease = try owner.ask("kms:HDMI-A-1")
    var count = 0
    owner.lender.onCover = { count += 1 }
    KMSLease.showAgain(on: owner.cards.machine)
    try owner.serve()
    #expect(count == 1 && lease.hasNews && !lease.read() && connector(lease) == "HDMI-A-1")
  }

  @Test func `nothing is asked of a card that no touchtree has`() throws {
    let cards = try FakeCards([FakeCard(connectors: [Self.panel, Self.monitor], crtcs: 2)])
    #expect(KMSLease(.any, of: cards.machine.paths[0], on: cards.machine) == nil)
  }

  @Test func `an end that speaks another language is dropped`() throws {
    let owner = try Owner(FakeCard(connectors: [Self.panel, Self.monitor], crtcs: 2))
    var node = try #require(KMSCard.status(of: owner.cards.machine.paths[0]))
    let socket = try UnixSocket(.packets)
    let name = try #require(KMSLease.name(of: node, on: owner.cards.machine))
    #expect(socket.connect(to: name, timeout: 1) == nil)
    #expect(touchtree_peer_may_open(socket.rawValue, &node) == 1)
    #expect(KMSLease.Packet.send("give me all", to: socket))
    try owner.serve()
    #expect(KMSLease.Packet.receive(from: socket) == nil)
    #expect(connector(try owner.ask("kms")) == "HDMI-A-1")
  }

  @Test func `a list says which connectors a touchtree shows, has lent, and lends`() async throws {
    let owner = try Owner(FakeCard(connectors: [Self.panel, Self.monitor, Self.second], crtcs: 3))
    owner.cards[0].busy = .max
    let lease = try owner.ask("kms:HDMI-A-1")
    let machine = owner.cards.machine
    // Another process asks as a rule.
    let isOver = Flag()
    let survey = Task.detached {
      defer { isOver.raise() }
      return try KMSSearch.survey(on: machine)
    }
    while !isOver.isRaised {
      try owner.serve()
      usleep(1000)
    }
    let reports = try await survey.value
    let pid = getpid()
    #expect(reports.map(\.name) == ["kms:DSI-1", "kms:HDMI-A-1", "kms:HDMI-A-2"])
    #expect(
      reports.map(\.refusal) == [
        "touchtree (pid \(pid)) has it", "touchtree (pid \(pid)) has it, lent by touchtree (pid \(pid))", nil,
      ])
    #expect(reports.map(\.lender) == [nil, Int(pid), Int(pid)])
    #expect(reports.map(\.isUsed) == [false, false, true])
    withExtendedLifetime(lease) {}
  }
}
