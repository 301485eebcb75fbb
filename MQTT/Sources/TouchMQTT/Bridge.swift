import Glibc
import Logging
import TouchCore
import TouchHandlers
import TouchJSON
import TouchSystem

/// The program behind `touchtree-mqtt`, a client of the daemon's socket and of a broker: it publishes a
/// panel's events and performs requests. If either is gone, it reconnects; events wait in the outbox.
package final class Bridge: TurnHook {
  package struct Settings {
    package var broker: BrokerSettings
    package var topics: Topics
    /// The daemon's socket; nil for the usual one.
    package var socket: String?
    /// The only views to publish, with the views in them; all if it is empty.
    package var views: [String] = []
    package var announcesToHomeAssistant = false
    /// The time between two looks at the panel's health, in seconds; nil for none.
    package var healthInterval: Int?

    package init(broker: BrokerSettings, topics: Topics) { (self.broker, self.topics) = (broker, topics) }
  }

  package var turnPlace: TurnPlace?
  private let settings: Settings
  private let log: Logger
  private let loop: EventLoop
  private let notifier: ServiceNotifier
  private let broker: BrokerConnection
  private let daemonWatch: ConnectionWatch
  private var client: ControlClient?
  private let publisher: Publisher
  private var homeAssistant: HomeAssistant?
  /// Whether all states are published after the daemon's answer, and not only changed ones.
  private var publishesAll = true
  /// Whether the daemon has reported its views and values, on which the meaning of a topic depends.
  private var isPanelKnown = false
  /// The commands received before that: the last one of each topic, in their order.
  private var waiting: [(topic: String, payload: [UInt8])] = []
  /// Whether commands were subscribed to since both connections exist.
  private var takesCommands = false
  /// The program that makes a picture, and the time in nanoseconds before which there is no other one.
  private var screenshot: ScreenshotRun?
  private var nextScreenshot: Int64 = 0
  private var ignored = 0
  /// The last logged trouble of each connection; empty while it is up.
  private var brokerTrouble = "connecting"
  private var daemonTrouble = "connecting"
  /// The number of the last message. The program ends once the broker has acknowledged everything.
  private var farewell: Int32?
  private var isEnding = false

  /// The longest time between attempts to reach the daemon of this machine, in milliseconds.
  private static let longestWait = 5_000
  /// The longest wait for the broker at the end, in milliseconds.
  private static let lastWait = 2_000
  /// The most memory for data, in bytes: the library takes a message of up to 256 MiB at once.
  static let mostMemory = 128 << 20
  /// The most bytes that may wait for the daemon while commands are read.
  private static let mostUnsent = 1 << 18
  /// The most bytes of commands that may wait for the daemon's views and values.
  private static let mostWaiting = 1 << 20

  /// - Throws: `SystemError`.
  package init(_ settings: Settings, log: Logger) throws {
    (self.settings, self.log) = (settings, log)
    loop = try EventLoop()
    notifier = try ServiceNotifier.fromEnvironment()
    broker = BrokerConnection(
      settings.broker, will: (settings.topics.availability, Availability.offline.rawValue), loop: loop)
    daemonWatch = ConnectionWatch(loop: loop, longest: Self.longestWait)
    publisher = Publisher(settings.topics, views: settings.views, hasTexts: settings.announcesToHomeAssistant)
    if settings.announcesToHomeAssistant { homeAssistant = HomeAssistant(settings.topics) }
  }

  private enum Availability: String { case online, offline }

  /// Runs until a signal ends it.
  package func run() throws {
    signal(SIGPIPE, SIG_IGN)
    DataLimit.lower(to: Self.mostMemory)
    try loop.watchSignals(EndSignals.numbers) { [unowned self] _ in end() }
    broker.onUp = { [unowned self] in brokerIsUp(after: $0) }
    broker.onDown = { [unowned self] in brokerIsDown($0, $1) }
    broker.onRival = { [unowned self] in
      log.error(
        """
        the broker \(settings.broker.name) closes the connection again and again, soon after it accepts it: another client \
        probably has the id \(settings.broker.clientID) too, such as a panel with a copy of this card. Give each panel a prefix \
        of its own with --prefix, or an id with --client-id. This is not logged again
        """)
    }
    broker.onAcknowledge = { [unowned self] id in
      publisher.outbox.acknowledge(id)
      if farewell == id { farewell = nil }
    }
    broker.onMessage = { [unowned self] in take($0, $1) }
    broker.onProgress = { [unowned self] in send() }
    loop.addHook(self, at: .send)
    connectToDaemon()
    if let seconds = settings.healthInterval {
      _ = loop.addTimer(milliseconds: seconds * 1000, repeats: true) { [unowned self] in
        post(Message.line("health"))
      }
    }
    broker.connect()
    try? notifier.send(.ready)
    notifyStatus()
    try loop.run()
    broker.end()
    if !publisher.outbox.isEmpty {
      log.warning("\(publisher.outbox.count) messages were not sent, or not acknowledged")
    }
  }

  /// Sends the remaining messages and disconnects.
  private func end() {
    guard !isEnding else { return loop.stop() }
    isEnding = true
    try? notifier.send(.stopping)
    closeDaemon()
    guard broker.isUp else { return loop.stop() }
    farewell = publishAvailability()
    _ = loop.addTimer(milliseconds: Self.lastWait, repeats: false) { [unowned self] in loop.stop() }
    send()
  }

  package func turnEnds(at now: Timestamp) { send() }

  private func send() {
    guard broker.isUp else { return }
    while publisher.outbox.sendNext({ broker.publish($0.topic, $0.payload, retained: $0.isRetained) }) {}
    if publisher.outbox.hasDropped, publisher.outbox.waitingCount == 0 {
      reportMissed(away: nil, seconds: nil)
    }
    if isEnding, publisher.outbox.isEmpty, farewell == nil { loop.stop() }
    broker.flush()
  }

  // MARK: The broker

  private func brokerIsUp(after seconds: Double?) {
    brokerTrouble = ""
    let waiting = publisher.outbox.waitingCount
    let after = seconds.map { " after \($0.plain) s; \(waiting) messages waited" } ?? ""
    log.notice("connected to the broker \(settings.broker.name)\(after)")
    if let seconds { reportMissed(away: "broker", seconds: seconds) }
    if let homeAssistant {
      broker.subscribe(HomeAssistant.status)
      broker.subscribe(homeAssistant.announcements)
    }
    takesCommands = false
    if client == nil { _ = publishAvailability() }
    publishAll()
    notifyStatus()
  }

  private func brokerIsDown(_ reason: String, _ wait: Int) {
    publisher.outbox.sendAgain()
    if isEnding { return loop.stop() }
    if brokerTrouble != reason {
      let lost = brokerTrouble.isEmpty ? "lost the broker" : "no connection to the broker"
      log.warning("\(lost) \(settings.broker.name): \(reason); trying again until it answers")
    }
    brokerTrouble = reason
    notifyStatus()
  }

  private func publishAvailability() -> Int32? {
    let availability = takesCommands && client != nil ? Availability.online : .offline
    return broker.publish(settings.topics.availability, Array(availability.rawValue.utf8), retained: true)
  }

  /// Publishes everything, since a restarted broker may know nothing.
  private func publishAll() {
    publishesAll = true
    post(Message.line("tree"))
  }

  /// - Parameter away: the end that was away; nil if messages were dropped for another reason.
  private func reportMissed(away: String?, seconds: Double?) {
    let dropped = publisher.outbox.takeDropped()
    let total = dropped.reduce(0) { $0 + $1.count }
    if total > 0 {
      let kinds = dropped.map { "\($0.count) of the kind \($0.kind.rawValue)" }.joined(separator: ", ")
      log.warning("\(total) messages were dropped, because too many waited for the broker: \(kinds)")
    }
    publisher.publish(.missed, to: settings.topics.missed) { json in
      json.field("away", away)
      if let seconds { json.field("seconds", seconds) }
      if away == "touchtree" { json.field("commands", ignored) }
      json.field("dropped", total)
      for (kind, count) in dropped { json.field("dropped_\(kind.rawValue)", count) }
    }
  }

  // MARK: The daemon

  private func connectToDaemon() {
    do throws(ControlError) {
      let client = try ControlClient.connect(to: settings.socket, timeout: 1)
      self.client = client
      (isPanelKnown, takesCommands) = (false, false)
      try client.post(publisher.subscription)
      try client.post(Message.line("tree"))
      daemonIsUp(client.path)
    } catch {
      daemonIsDown(error)
    }
  }

  private func daemonIsUp(_ path: String) {
    daemonTrouble = ""
    let seconds = daemonWatch.succeeded()
    let after = seconds.map { " after \($0.plain) s" } ?? ""
    log.notice("connected to touchtree at \(path)\(after)")
    if let seconds { reportMissed(away: "touchtree", seconds: seconds) }
    ignored = 0
    followDaemon()
    notifyStatus()
  }

  private func daemonIsDown(_ error: any Error) {
    let wasUp = client != nil && daemonTrouble.isEmpty
    closeDaemon()
    daemonWatch.retry { [unowned self] in connectToDaemon() }
    let reason = "\(error)".onOneLine
    if daemonTrouble != reason {
      let what = wasUp ? "lost touchtree" : "no connection to touchtree"
      log.warning("\(what): \(reason); trying again until it answers")
    }
    daemonTrouble = reason
    if wasUp { _ = publishAvailability() }
    notifyStatus()
  }

  private func closeDaemon() {
    daemonWatch.unwatch()
    daemonWatch.cancel()
    client = nil
    broker.mayRead = true
    for (topic, _) in waiting { ignore(topic) }
    waiting = []
  }

  /// Watches the daemon's socket for input, and for room while output waits.
  private func followDaemon() {
    guard let client else { return }
    broker.mayRead = client.unsentCount < Self.mostUnsent
    do throws(SystemError) {
      try daemonWatch.watch(client.descriptor, for: client.hasUnsent ? .inputAndOutput : .input) {
        [unowned self] in serveDaemon()
      }
    } catch {
      daemonIsDown(error)
    }
  }

  private func serveDaemon() {
    guard let client else { return }
    do {
      try client.sendUnsent()
      try client.receiveNow { take($0) }
      followDaemon()
    } catch {
      daemonIsDown(error)
    }
  }

  private func post(_ line: [UInt8]) {
    guard let client else { return }
    do throws(ControlError) {
      try client.post(line)
      followDaemon()
    } catch {
      daemonIsDown(error)
    }
  }

  private func notifyStatus() {
    let daemon = daemonTrouble.isEmpty ? "touchtree: connected" : daemonTrouble
    let broker = brokerTrouble.isEmpty ? "connected" : brokerTrouble
    try? notifier.send(.status("broker \(settings.broker.name): \(broker); \(daemon)"))
  }
}

// MARK: - From the panel

extension Bridge {
  private func take(_ message: JSONValue) {
    switch message["type"]?.text {
    case "reload": askForPanel()
    case "tree": follow(message)
    case "health": publisher.publish(health: message)
    case "error" where message["id"] == .text(Publisher.subscribing):
      log.error("touchtree does not report what happens: \(message["message"]?.text ?? "")")
    case "error":
      refuse(
        message["id"]?.text ?? "", message["message"]?.text ?? "", message["diagnostics"]?.elements ?? [])
    default: publisher.take(message)
    }
  }

  /// Requests the daemon's views and values. Commands wait for the answer.
  private func askForPanel() {
    isPanelKnown = false
    post(Message.line("tree"))
  }

  private func follow(_ tree: JSONValue) {
    publisher.follow(tree)
    isPanelKnown = true
    let commands = waiting
    waiting = []
    for (topic, payload) in commands { payload.withUnsafeBytes { take(topic, $0) } }
    // The broker gets all of it once it is there.
    guard broker.isUp, let client else { return }
    publisher.publishStates(all: publishesAll)
    publishesAll = false
    let host = client.greeting["host"]?.text ?? ""
    for message in homeAssistant?.announcements(of: publisher.panel, host: host) ?? [] {
      _ = broker.publish(message.topic, message.payload, retained: true)
    }
    guard !takesCommands else { return }
    takesCommands = true
    if settings.healthInterval != nil { post(Message.line("health")) }
    // The subscription comes last, because the broker answers with the commands that it keeps.
    for topic in settings.topics.commands { broker.subscribe(topic) }
    _ = publishAvailability()
  }
}

// MARK: - To the panel

extension Bridge {
  /// - Parameter payload: bytes that are valid during the call. There may be as many as MQTT allows, so they
  ///   are not copied before their length is known to be that of a request.
  private func take(_ topic: String, _ payload: UnsafeRawBufferPointer) {
    if homeAssistant != nil {
      if topic == HomeAssistant.status {
        if payload.elementsEqual("online".utf8) { publishAll() }
        return
      }
      if homeAssistant?.isAnnouncement(topic) == true {
        if !payload.isEmpty, homeAssistant?.find(topic) == true {
          _ = broker.publish(topic, [], retained: true)
        }
        return
      }
    }
    guard let command = settings.topics.command(topic) else { return }
    guard client != nil else { return ignore(topic) }
    guard payload.count <= LineReader.longestMessage else {
      return refuse(
        topic, "the payload has \(payload.count) bytes; a request may have \(LineReader.longestMessage)")
    }
    guard isPanelKnown else { return wait(topic, Array(payload)) }
    let panel = publisher.panel
    do throws(Failure) {
      let command = command.of(values: panel.hasValue, views: { panel[$0] != nil })
      if command == .screenshot { return try takeScreenshot(for: topic) }
      let request = try command.request(
        Array(payload), on: topic,
        choices: { id in
          panel[id].flatMap { view in view.kind.choiceName.map { (name: $0, texts: view.choices) } }
        }, meant: panel.nearest)
      post(request)
      // The answer follows the reload.
      if command == .reload { askForPanel() }
    } catch {
      refuse(topic, error.description)
    }
  }

  /// Publishes a picture of the panel, which is not kept.
  ///
  /// - Throws: the reason why there is none now.
  private func takeScreenshot(for topic: String) throws(Failure) {
    let now = MonotonicClock.nanoseconds()
    guard screenshot == nil, now >= nextScreenshot else {
      throw Failure("there is a picture every \(ScreenshotRun.pause / 1000) s at most; ask again")
    }
    nextScreenshot = now + Int64(ScreenshotRun.pause) * 1_000_000
    screenshot = try ScreenshotRun(socket: settings.socket, in: loop) { [unowned self] result in
      screenshot = nil
      switch result {
      case .success(let picture): _ = broker.publish(settings.topics.picture, picture, retained: false)
      case .failure(let failure): refuse(topic, failure.description)
      }
    }
  }

  /// Keeps a command until the daemon's views and values are known.
  private func wait(_ topic: String, _ payload: [UInt8]) {
    waiting.removeAll { $0.topic == topic }
    let bytes = waiting.reduce(topic.utf8.count + payload.count) {
      $0 + $1.topic.utf8.count + $1.payload.count
    }
    guard bytes <= Self.mostWaiting else {
      return refuse(topic, "too many commands wait for touchtree; this was not done")
    }
    waiting.append((topic, payload))
  }

  private func ignore(_ topic: String) {
    ignored += 1
    refuse(topic, "touchtree does not run; this was not done")
  }

  private func refuse(_ topic: String, _ message: String, _ diagnostics: [JSONValue] = []) {
    log.debug("\(topic): \(message)")
    publisher.publish(.error, to: settings.topics.error, replaces: "") { json in
      json.field("topic", topic)
      json.field("message", message)
      if !diagnostics.isEmpty { json.field("diagnostics", .array(diagnostics)) }
    }
  }
}
