import CDrm
import Glibc
import SystemPackage
import Testing
import TouchCore
import TouchPixels
import TouchViews

@testable import TouchOutput
@testable import TouchSystem

/// Which connector of which card is taken, and what is said of the others: on machines that QEMU has not.
@Suite struct CardTests {
  private static let monitor = FakeConnector(kind: DRM_MODE_CONNECTOR_HDMIA)
  private static let panel = FakeConnector(kind: DRM_MODE_CONNECTOR_DSI)
  private static let analogue = FakeConnector(
    kind: DRM_MODE_CONNECTOR_Composite, connection: DRM_MODE_UNKNOWNCONNECTION)
  private static let empty = FakeConnector(
    kind: DRM_MODE_CONNECTOR_HDMIA, number: 2, connection: DRM_MODE_DISCONNECTED)

  /// The driver and the connector that are taken.
  private func found(
    _ cards: FakeCards, _ choice: KMSSearch.Choice = .any, last: (device: String, connector: String)? = nil
  ) throws -> String? {
    try KMSSearch.find(choice, last: last, on: cards.machine).map { "\($0.card.driver) \($0.connector.name)" }
  }

  @Test(arguments: [false, true])
  func `a built-in panel is taken before a monitor, whatever the numbers of their cards`(isSwapped: Bool)
    throws
  {
    let cards = [
      FakeCard(driver: "vc4", device: "platform-a", connectors: [Self.monitor]),
      FakeCard(driver: "drm-rp1-dsi", device: "platform-b", connectors: [Self.panel]),
    ]
    let fake = try FakeCards(isSwapped ? cards.reversed() : cards)
    #expect(try found(fake) == "drm-rp1-dsi DSI-1")
    #expect(try KMSSearch.survey(on: fake.machine).map(\.name) == ["kms:DSI-1", "kms:HDMI-A-1"])
    #expect(try KMSSearch.survey(on: fake.machine).map(\.isUsed) == [true, false])
  }

  @Test(arguments: [false, true])
  func `of two monitors it is the same one after each start, and then the one of before`(isSwapped: Bool)
    throws
  {
    let cards = [
      FakeCard(driver: "one", device: "pci-a", connectors: [Self.monitor]),
      FakeCard(driver: "two", device: "pci-b", connectors: [Self.monitor]),
    ]
    let fake = try FakeCards(isSwapped ? cards.reversed() : cards)
    #expect(try found(fake) == "one HDMI-A-1")
    let last = try #require(try KMSSearch.find(.named("two"), last: nil, on: fake.machine)).card.device
    #expect(try found(fake, last: (last, "HDMI-A-1")) == "two HDMI-A-1")
  }

  @Test func `a plug that does not know what is connected is used if it is named, or nothing else is there`()
    throws
  {
    var fake = try FakeCards([FakeCard(driver: "vec", connectors: [Self.analogue, Self.empty, Self.monitor])])
    #expect(try found(fake) == "vec HDMI-A-1")
    #expect(try found(fake, .named("Composite-1")) == "vec Composite-1")
    let reports = try KMSSearch.survey(on: fake.machine)
    #expect(reports.map(\.name) == ["kms:HDMI-A-1", "kms:Composite-1", "kms:HDMI-A-2"])
    #expect(reports.map(\.isConnected) == [true, nil, false])
    #expect(reports[1].refusal == nil && reports[2].reason == "nothing is connected")

    fake = try FakeCards([FakeCard(driver: "vec", connectors: [Self.empty, Self.analogue])])
    #expect(try found(fake) == "vec Composite-1")
    #expect(!KMSSearch.isConnected(on: fake.machine))
    let reason = try KMSSearch.survey(on: fake.machine).first?.reason
    #expect(reason?.hasSuffix("it does not tell whether something is connected") == true)
    // A monitor that is plugged in is better than the one of before.
    let last = try #require(try KMSSearch.find(.any, last: nil, on: fake.machine)).card.device
    fake[0].connectors[0].connection = DRM_MODE_CONNECTED
    #expect(try found(fake, last: (last, "Composite-1")) == "vec HDMI-A-2")
    #expect(KMSSearch.isConnected(on: fake.machine))
  }

  @Test(arguments: [
    "HDMI-A-1", "card0-HDMI-A-1", "vc4-HDMI-A-1", "platform-gpu-HDMI-A-1", "vc4", "platform-gpu", "card0",
  ])
  func `a connector is named with its card's number, driver or place, or by the card alone`(name: String)
    throws
  {
    let fake = try FakeCards([
      FakeCard(place: "platform-gpu", connectors: [Self.empty, Self.monitor]),
      FakeCard(driver: "other", device: "platform-dsi", connectors: [Self.panel]),
    ])
    #expect(try found(fake, .named(name)) == "vc4 HDMI-A-1")
  }

  @Test func `connectors of one name are listed with what tells their cards apart`() throws {
    let fake = try FakeCards([
      FakeCard(driver: "udl", device: "usb-1", place: "usb-1", connectors: [Self.monitor]),
      FakeCard(driver: "udl", device: "usb-2", place: "usb-2", connectors: [Self.monitor]),
      FakeCard(driver: "vc4", connectors: [Self.monitor]),
    ])
    let names = try withExtendedLifetime(fake) { try KMSSearch.survey(on: fake.machine).map(\.name) }
    #expect(names == ["kms:vc4-HDMI-A-1", "kms:usb-1-HDMI-A-1", "kms:usb-2-HDMI-A-1"])
  }

  @Test func `what to do about another program is said once for each card`() throws {
    let fake = try FakeCards([FakeCard(connectors: [Self.panel, Self.monitor], busy: .max)])
    let refusals = try KMSSearch.survey(on: fake.machine).compactMap(\.refusal)
    try #require(refusals.count == 2)
    #expect(refusals[0].hasSuffix(". " + KMSCardUsers.advice))
    #expect(refusals[0].hasPrefix(refusals[1]) && !refusals[1].contains(KMSCardUsers.advice))
  }

  @Test func `a program that only lists displays is waited for, and one that stays is not`() throws {
    let fake = try FakeCards([FakeCard(connectors: [Self.monitor])])
    let card = try KMSCard(path: fake.machine.paths[0], on: fake.machine)
    fake[0].busy = 2
    try card.takeMaster()
    #expect(card.isMaster)
    card.dropMaster()
    fake[0].busy = .max
    let error = #expect(throws: DisplayError.self) { try card.takeMaster() }
    #expect(error?.kind == .inUse && error?.cause == .resourceBusy)
  }

  @Test func `a framebuffer is turned as the panel of its card is mounted`() throws {
    var turned = Self.panel
    turned.orientation = "Right Side Up"
    let fake = try FakeCards([
      FakeCard(driver: "vc4", device: "a", connectors: [Self.monitor], framebuffer: 0),
      FakeCard(driver: "dsi", device: "b", connectors: [Self.monitor, turned], framebuffer: 1),
    ])
    #expect(KMSSearch.mounting(ofFramebuffer: 1, on: fake.machine) == .quarter)
    #expect(KMSSearch.mounting(ofFramebuffer: 0, on: fake.machine) == nil)
    #expect(KMSSearch.mounting(ofFramebuffer: 2, on: fake.machine) == nil)
  }

  @Test func `a link that has failed is seen when the connector is looked at again`() throws {
    let fake = try FakeCards([FakeCard(connectors: [Self.monitor])])
    let card = try KMSCard(path: fake.machine.paths[0], on: fake.machine)
    #expect(card.connector(1, probing: true)?.isLinkBad == false)
    fake[0].connectors[0].isLinkBad = true
    #expect(card.connector(1, probing: true)?.isLinkBad == true)
    // It stays plugged in, with the same modes.
    #expect(card.connector(1, probing: true)?.isUsable == true)
  }

  @Test func `a card without displays is told from one that cannot be asked`() throws {
    let fake = try FakeCards([FakeCard(), FakeCard(fault: EIO)])
    let errors = fake.machine.paths.map { path in
      #expect(throws: DisplayError.self) { try KMSCard(path: path, on: fake.machine) }
    }
    #expect(errors.map(\.?.kind) == [.unsupported, .failed] && errors[1]?.cause == .ioError)
  }

  @Test func `whoever shows a picture on another card may have the terminal that is seen`() throws {
    let fake = try FakeCards([
      FakeCard(device: "a", connectors: [Self.monitor], busy: .max),
      FakeCard(device: "b", connectors: [Self.monitor]),
    ])
    let paths = fake.machine.paths
    #expect(KMSSearch.otherUser(besides: paths[1], on: fake.machine) != nil)
    #expect(KMSSearch.otherUser(besides: paths[0], on: fake.machine) == nil)
  }

  /// A node is root's until udev has set its permissions, and a unit's DeviceAllow= leaves out a driver that
  /// was loaded after it.
  @Test(arguments: [
    (Errno.permissionDenied, true, TouchSystem.ExitStatus.notPermitted),
    (.permissionDenied, false, .unavailable),
    (.notPermitted, true, .unavailable), (.notPermitted, false, .unavailable),
  ])
  func `permissions that are on their way are waited for`(
    cause: Errno, isSetUp: Bool, status: TouchSystem.ExitStatus
  ) {
    let error = DisplayError.closed("/dev/dri/card0", "Advice", cause, isSetUp: isSetUp)
    #expect(error.failure.status == status)
    #expect(error.description.contains("Advice") == (status == .notPermitted))
  }

  // MARK: Modes

  @Test func `a rate counts what is scanned twice`() {
    let mode = FakeMode(width: 320, height: 240, clock: 297_000)
    #expect(KMSMode(mode.info).text == "320x240@120")
    var doubled = mode
    doubled.isDoublescan = true
    #expect(KMSMode(doubled.info).text == "320x240@60")
    var tripled = mode
    tripled.vscan = 3
    #expect(KMSMode(tripled.info).text == "320x240@40")
  }

  @Test func `each mode that is listed is one that can be asked for`() throws {
    let modes = [
      FakeMode(clock: 148_352), FakeMode(isPreferred: true), FakeMode(clock: 74_250, isInterlaced: true),
      FakeMode(clock: 123_750), FakeMode(width: 1280, height: 720, clock: 148_352),
    ]
    let fake = try FakeCards([
      FakeCard(connectors: [FakeConnector(kind: DRM_MODE_CONNECTOR_HDMIA, modes: modes)])
    ])
    let report = try #require(try KMSSearch.survey(on: fake.machine).first)
    #expect(
      report.modes == ["1920x1080@59.94", "1920x1080@60", "1920x1080@60i", "1920x1080@50", "1280x720@60"])
    #expect(report.preferredMode == "1920x1080@60")
    let card = try KMSCard(path: fake.machine.paths[0], on: fake.machine)
    let connector = try #require(card.connectors(probing: true).first)
    for (text, mode) in zip(report.modes, connector.modes) {
      let wanted = try #require(DisplayMode(text), "\(text)")
      #expect(wanted.text == text)
      #expect(try connector.mode(wanted, on: card) == mode, "\(text)")
    }
  }

  @Test
  func
    `a monitor without the mode that is asked for gets the one that it prefers, if it was plugged in later`()
    throws
  {
    let fake = try FakeCards([FakeCard(connectors: [Self.monitor])])
    let card = try KMSCard(path: fake.machine.paths[0], on: fake.machine)
    let connector = try #require(card.connectors(probing: true).first)
    let choice = KMSModeChoice(DisplayMode("800x480"))
    let error = #expect(throws: DisplayError.self) {
      try choice.mode(of: connector, on: card, orPreferred: false)
    }
    #expect(error?.kind == .unsupported)
    let (mode, refusal) = try choice.mode(of: connector, on: card, orPreferred: true)
    #expect(mode.width == 1920 && refusal == error)
    let other = KMSModeChoice(DisplayMode("1920x1080"))
    #expect(try other.mode(of: connector, on: card, orPreferred: true).refusal == nil)
  }

  @Test func `a card that is unplugged after its connectors were found can be waited for`() throws {
    let fake = try FakeCards([FakeCard(connectors: [Self.monitor], crtcs: 0)])
    let card = try KMSCard(path: fake.machine.paths[0], on: fake.machine)
    let connector = try #require(card.connectors(probing: true).first)
    let error = #expect(throws: DisplayError.self) {
      try KMSPipe(to: connector, of: card, try connector.mode(nil, on: card))
    }
    #expect(error?.kind == .missing)
  }

  @Test func `a mode that the driver refuses is replaced by lesser ones, until the cable is pulled`() throws {
    var monitor = Self.monitor
    monitor.modes = [(3840, 2160), (1920, 1080), (1280, 720)].map { FakeMode(width: $0.0, height: $0.1) }
    let fake = try FakeCards([FakeCard(connectors: [monitor])])
    let card = try KMSCard(path: fake.machine.paths[0], on: fake.machine)
    let connector = try #require(card.connectors(probing: true).first)
    var choice = KMSModeChoice(nil)
    func chosen() throws -> KMSMode { try choice.mode(of: connector, on: card, orPreferred: true).mode }
    #expect(try chosen().width == 3840)
    for width in [1920, 1280] {
      #expect(choice.refuse(try chosen(), of: connector))
      #expect(try chosen().width == width)
    }
    choice.forgetRefusals()
    #expect(try chosen().width == 3840)
    for _ in 0..<2 { #expect(choice.refuse(try chosen(), of: connector)) }
    #expect(!choice.refuse(try chosen(), of: connector))
    #expect(try chosen().width == 3840)
  }

  // MARK: Who has it

  private typealias Program = KMSCardUsers.Program

  private static let session = """
    # This is private data. Do not parse.
    UID=1000
    USER=pi
    ACTIVE=1
    TYPE=wayland
    SEAT=seat0
    SERVICE=lightdm
    DESKTOP=labwc
    LEADER=812
    CONTROLLER=:1.23
    DEVICES=226:1 13:64 13:65

    """

  @Test func `a compositor is named where the seat's manager has opened the card for it`() {
    let labwc = Program(process: 900, parent: 812, name: "labwc")
    let manager = Program(process: 500, parent: 1, name: "systemd-logind")
    let child = Program(process: 950, parent: 900, name: "Xwayland")
    let sessions = LoginSession.holding(
      "226:1",
      among: [
        LoginSession("USER=old\nACTIVE=0\nDEVICES=226:1 \n"), LoginSession(Self.session),
        LoginSession("USER=other\nACTIVE=1\nDEVICES=226:0\n"),
      ])
    let rows: [(master: Program?, holders: [Program], names: [String])] = [
      (Program(process: 7, name: "Xorg"), [labwc], ["Xorg (pid 7)"]),
      (manager, [manager, labwc, child], ["labwc (pid 900)"]),
      (manager, [manager], ["labwc, a Wayland session of pi (lightdm, pid 812)"]),
      // A service may look at no process.
      (nil, [], ["labwc, a Wayland session of pi (lightdm, pid 812)"]),
      (nil, [labwc, child], ["labwc (pid 900)"]),
    ]
    for row in rows {
      #expect(
        KMSCardUsers.names(master: row.master, holders: row.holders, sessions: sessions) == row.names)
    }
    let seatd = Program(process: 400, name: "seatd")
    #expect(KMSCardUsers.names(master: seatd, holders: [seatd], sessions: []) == ["seatd (pid 400)"])
    #expect(KMSCardUsers.names(master: nil, holders: [], sessions: []).isEmpty)
  }

  @Test(arguments: [
    ("TYPE=x11\nUSER=ann\nLEADER=4\n", "an X session of ann (pid 4)"), ("TYPE=tty\n", "a session"),
    ("DESKTOP=\"sway\"\nTYPE=wayland\n", "sway, a Wayland session"),
  ])
  func `a session is told by what its file has`(file: String, text: String) {
    #expect(LoginSession(file).text == text)
  }

  @Test func `the master is the first flag of a line of the kernel's`() {
    let clients = """
                   command  tgid dev master a   uid      magic
                   vm guest   812   0   n    n     0          0
            systemd-logind   500   0   y    y     0          0  name  1

      """
    #expect(KMSCardUsers.master(in: clients, except: 1) == 500)
    #expect(KMSCardUsers.master(in: clients, except: 500) == nil)
  }

  // MARK: Buffers and planes

  @Test func `the plane of the CRTC is taken, else a free one`() {
    #expect(KMSPipe.best(of: [12, 11, 0], for: 11) == 1)
    #expect(KMSPipe.best(of: [12, 0], for: 11) == 1)
    #expect(KMSPipe.best(of: [12, 13], for: 11) == 0)
    #expect(KMSPipe.best(of: [], for: 11) == nil)
  }

  @Test func `what is switched off while buffers are on their way has nothing to show later`() {
    var turns = KMSTurns()
    turns.ready = turns.free(of: 3)
    turns.submit()
    turns.ready = turns.free(of: 3)
    #expect(turns.shown == 0 && turns.queued == 1 && turns.ready == 2 && turns.latest == 2)
    // A picture that the driver has not got is drawn over.
    #expect(turns.free(of: 3) == 2)
    turns.settle()
    #expect(turns.shown == 2 && turns.isAtRest)
    // The event of the first one.
    turns.arrive()
    #expect(turns.shown == 2 && turns.isAtRest)
  }

  @Test func `a driver that refuses one way is told in the older one`() {
    #expect(KMSAnnouncer.Way.clips.fallback == .dirty && KMSAnnouncer.Way.everything.fallback == .dirty)
    #expect(KMSAnnouncer.Way.dirty.fallback == nil && KMSAnnouncer.Way.none.fallback == nil)
  }
}
