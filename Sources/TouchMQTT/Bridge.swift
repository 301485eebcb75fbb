import Glibc
import Logging
import SystemPackage
import TouchHandlers
import TouchSystem

/// `touchtree-mqtt`: publishes what happens on a panel, and does there what others on the broker ask for.
///
/// It is a client of the daemon's control socket and of a broker. Either of them may go away: it waits, comes back, and
/// reports what was missed. What happens on the panel while the broker is away waits in the outbox.
package final class Bridge {
  package struct Settings {
    package var broker: BrokerSettings
    package var topics: Topics
    /// Of the daemon; nil for the usual one.
    package var socket: String?
    /// Only these views and what is in them; all if it is empty.
    package var views: [String] = []
    package var announcesToHomeAssistant = false

    package init(broker: BrokerSettings, topics: Topics) {
      (self.broker, self.topics) = (broker, topics)
    }
  }

  let settings: Settings
  let log: Logger
  private let loop: EventLoop
  private let notifier: ServiceNotifier
  private let broker: BrokerConnection
  private let daemonWatch: ConnectionWatch
  private(set) var client: ControlClient?
  private var outbox = Outbox(session: UInt32.random(in: 0...UInt32.max).hex(digits: 8))
  private(set) var panel = Panel()
  private var homeAssistant: HomeAssistant?
  /// The last state of each retained topic, without its time.
  private var states: [String: [UInt8]] = [:]
  /// Whether all states are published when the daemon has answered, and not only those that changed.
  private var publishesAll = true
  /// Commands that came while there was no daemon.
  private var ignored = 0
  /// What was logged last about each connection, or empty while it is up.
  private var brokerTrouble = "connecting"
  private var daemonTrouble = "connecting"
  /// The program ends when the broker has acknowledged this and everything else.
  private var farewell: Int32?
  private var isEnding = false

  /// What of a control's actions is published: all but the moves of a finger inside and outside of it.
  static let publishedActions = [
    "touchDown", "touchDownRepeat", "touchDragEnter", "touchDragExit", "touchUpInside", "touchUpOutside",
    "touchCancel", "valueChanged",
  ]
  /// The id of a request that is none of others.
  private static let subscribing = "subscribe"
  /// Between two attempts to reach the daemon, in milliseconds: it is on this machine.
  private static let longestWait = 5_000
  /// How long the broker may take for the rest at the end, in milliseconds.
  private static let lastWait = 2_000
  /// While more bytes than this wait for the daemon, no commands are read.
  private static let mostUnsent = 1 << 18

  /// - Throws: `SystemError`.
  package init(_ settings: Settings, log: Logger) throws {
    self.settings = settings
    self.log = log
    loop = try EventLoop()
    notifier = try ServiceNotifier.fromEnvironment()
    broker = BrokerConnection(
      settings.broker, will: (settings.topics.availability, Availability.offline.rawValue), loop: loop)
    daemonWatch = ConnectionWatch(loop: loop, longest: Self.longestWait)
    if settings.announcesToHomeAssistant { homeAssistant = HomeAssistant(settings.topics) }
  }

  private enum Availability: String { case online, offline }

  /// Runs until a signal ends it.
  package func run() throws {
    signal(SIGPIPE, SIG_IGN)
    try loop.watchSignals(EndSignals.numbers) { [unowned self] _ in end() }
    broker.onUp = { [unowned self] in brokerIsUp(after: $0) }
    broker.onDown = { [unowned self] in brokerIsDown($0, $1) }
    broker.onAcknowledge = { [unowned self] id in
      outbox.acknowledge(id)
      if farewell == id { farewell = nil }
    }
    broker.onMessage = { [unowned self] in take($0, $1) }
    broker.onProgress = { [unowned self] in send() }
    loop.onTurnEnd = { [unowned self] in send() }
    connectToDaemon()
    broker.connect()
    try? notifier.send(.ready)
    notifyStatus()
    try loop.run()
    broker.end()
    if !outbox.isEmpty { log.warning("\(outbox.count) messages were not sent, or not acknowledged") }
  }

  /// Sends what waits, and takes leave.
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

  private func send() {
    guard broker.isUp else { return }
    while outbox.sendNext({ broker.publish($0.topic, $0.payload, retained: $0.isRetained) }) {}
    if outbox.hasDropped, outbox.waitingCount == 0 { reportMissed(away: nil, seconds: nil) }
    if isEnding, outbox.isEmpty, farewell == nil { loop.stop() }
    broker.flush()
  }

  // MARK: The broker

  private func brokerIsUp(after seconds: Double?) {
    brokerTrouble = ""
    let waiting = outbox.waitingCount
    let after = seconds.map { " after \($0.plain) s; \(waiting) messages waited" } ?? ""
    log.notice("connected to the broker \(settings.broker.name)\(after)")
    if let seconds { reportMissed(away: "broker", seconds: seconds) }
    for topic in settings.topics.commands { broker.subscribe(topic) }
    if let homeAssistant {
      broker.subscribe(HomeAssistant.status)
      broker.subscribe(homeAssistant.announcements)
    }
    _ = publishAvailability()
    publishAll()
    notifyStatus()
  }

  private func brokerIsDown(_ reason: String, _ wait: Int) {
    outbox.sendAgain()
    if isEnding { return loop.stop() }
    if brokerTrouble != reason {
      let lost = brokerTrouble.isEmpty ? "lost the broker" : "no connection to the broker"
      log.warning("\(lost) \(settings.broker.name): \(reason); trying again until it answers")
    }
    brokerTrouble = reason
    notifyStatus()
  }

  private func publishAvailability() -> Int32? {
    let availability = client == nil ? Availability.offline : .online
    return broker.publish(settings.topics.availability, Array(availability.rawValue.utf8), retained: true)
  }

  /// A broker that was started again may know nothing.
  private func publishAll() {
    publishesAll = true
    post(Message.line("tree"))
  }

  /// - Parameter away: who was away; nil when messages were dropped without that.
  private func reportMissed(away: String?, seconds: Double?) {
    let dropped = outbox.takeDropped()
    let total = dropped.reduce(0) { $0 + $1.count }
    if total > 0 {
      let kinds = dropped.map { "\($0.count) of the kind \($0.kind.rawValue)" }.joined(separator: ", ")
      log.warning("\(total) messages were dropped, because too many waited for the broker: \(kinds)")
    }
    publish(.missed, to: settings.topics.missed) { json in
      json.key("away")
      json.value(away)
      if let seconds {
        json.key("seconds")
        json.value(seconds)
      }
      if away == "touchtree" {
        json.key("commands")
        json.value(ignored)
      }
      json.key("dropped")
      json.value(total)
      for (kind, count) in dropped {
        json.key(named: "dropped_\(kind.rawValue)")
        json.value(count)
      }
    }
  }

  // MARK: The daemon

  private func connectToDaemon() {
    do throws(ControlError) {
      let client = try ControlClient.connect(to: settings.socket, patience: 1)
      self.client = client
      try client.post(subscription)
      try client.post(Message.line("tree"))
      daemonIsUp(client.path)
    } catch {
      daemonIsDown(error)
    }
  }

  private var subscription: [UInt8] {
    let events =
      ["action", "value", "gesture", "page", "message", "reload"] + (homeAssistant == nil ? [] : ["text"])
    return Message.line("subscribe", id: .text(Self.subscribing)) { json in
      for (key, names) in [("events", events), ("views", settings.views)] where !names.isEmpty {
        json.key(named: key)
        json.beginArray()
        for name in names { json.value(name) }
        json.endArray()
      }
    }
  }

  private func daemonIsUp(_ path: String) {
    daemonTrouble = ""
    let seconds = daemonWatch.succeeded()
    let after = seconds.map { " after \($0.plain) s" } ?? ""
    log.notice("connected to touchtree at \(path)\(after)")
    if let seconds { reportMissed(away: "touchtree", seconds: seconds) }
    ignored = 0
    _ = publishAvailability()
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
  }

  /// Watches the daemon's socket, for room only while something waits for it.
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

  /// Sends the daemon a line.
  private func post(_ line: [UInt8]) {
    guard let client else { return }
    do throws(ControlError) {
      try client.post(line)
      followDaemon()
    } catch {
      daemonIsDown(error)
    }
  }

  /// For `systemctl status`.
  private func notifyStatus() {
    let daemon = daemonTrouble.isEmpty ? "touchtree: connected" : daemonTrouble
    let broker = brokerTrouble.isEmpty ? "connected" : brokerTrouble
    try? notifier.send(.status("broker \(settings.broker.name): \(broker); \(daemon)"))
  }
}

// MARK: - From the panel

extension Bridge {
  private func take(_ message: JSONValue) {
    let view = (message["view"] ?? message["from"])?.text ?? ""
    switch message["type"]?.text {
    case "action":
      guard let action = message["action"]?.text, Self.publishedActions.contains(action) else { return }
      publish(.action, to: settings.topics.of(view, "action")) { json in
        json.key("action")
        json.value(action)
      }
    case "value":
      if let value = message["value"] { publish(value: value, of: view) }
    case "text":
      guard panel[view]?.isNamedLabel == true else { return }
      publish(.text, of: view, "text", message["text"] ?? .null)
    case "page": publish(.page, of: view, "page", message["page"] ?? .null)
    case "gesture": publish(gesture: message, of: view)
    case "message":
      publish(.message, to: settings.topics.of(view, "message")) { json in
        json.key("message")
        json.value(message["message"] ?? .null)
      }
    case "reload": post(Message.line("tree"))
    case "tree": follow(message)
    case "error" where message["id"] == .text(Self.subscribing):
      log.error("touchtree does not report what happens: \(message["message"]?.text ?? "")")
    case "error":
      refuse(
        message["id"]?.text ?? "", message["message"]?.text ?? "", message["diagnostics"]?.elements ?? [])
    default: break
    }
  }

  private func publish(gesture message: JSONValue, of view: String) {
    let fields = (message.members ?? []).filter { !["type", "view", "seq", "time_us"].contains($0.key) }
    let isMove = message["state"] == .text("changed")
    publish(
      .gesture, to: settings.topics.of(view, "gesture"), replaces: isMove ? message["gesture"]?.text : nil
    ) { json in
      for field in fields {
        json.key(named: field.key)
        json.value(field.value)
      }
    }
  }

  private func publish(value: JSONValue, of view: String, ifChanged: Bool = false) {
    let segment = panel[view]?.segment(of: value)
    publish(.value, of: view, "value", value, ifChanged: ifChanged) { json in
      guard let segment else { return }
      json.key("segment")
      json.value(segment)
    }
  }

  /// Publishes a state, which the broker keeps.
  ///
  /// - Parameters:
  ///   - what: the last level of the topic, and the key of the value.
  ///   - ifChanged: not if it was published before.
  private func publish(
    _ kind: Outbox.Kind, of view: String, _ what: String, _ value: JSONValue, ifChanged: Bool = false,
    _ more: (inout JSONWriter) -> Void = { _ in }
  ) {
    let topic = settings.topics.of(view, what)
    var json = JSONWriter()
    json.beginObject()
    json.key(named: what)
    json.value(value)
    more(&json)
    json.endObject()
    let state = json.bytes
    if ifChanged, states[topic] == state { return }
    states[topic] = state
    outbox.append(kind, to: topic, Self.stamped(state), retained: true, replaces: "")
  }

  private func publish(
    _ kind: Outbox.Kind, to topic: String, replaces name: String? = nil, _ body: (inout JSONWriter) -> Void
  ) {
    var json = JSONWriter()
    json.beginObject()
    body(&json)
    json.endObject()
    outbox.append(kind, to: topic, Self.stamped(json.bytes), replaces: name)
  }

  /// Adds when it happened: seconds since 1970, to the millisecond.
  private static func stamped(_ object: [UInt8]) -> [UInt8] {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let milliseconds = Double(now.tv_sec * 1000 + now.tv_nsec / 1_000_000)
    return object.dropLast() + ",\"time\":\((milliseconds / 1000).plain)}".utf8
  }

  /// Publishes the state of a panel that is new or has changed.
  private func follow(_ tree: JSONValue) {
    panel = Panel(tree, only: settings.views)
    // The broker gets all of it when it is there.
    guard broker.isUp else { return }
    let before = Set(states.keys)
    if publishesAll { states.removeAll() }
    var current: Set<String> = []
    for view in panel.views {
      if let value = view.value {
        publish(value: value, of: view.id, ifChanged: true)
        current.insert(settings.topics.of(view.id, "value"))
      }
      if view.kind == "pages" {
        publish(.page, of: view.id, "page", view.page.map { .text($0) } ?? .null, ifChanged: true)
        current.insert(settings.topics.of(view.id, "page"))
      }
      if homeAssistant != nil, view.isNamedLabel, let text = view.text {
        publish(.text, of: view.id, "text", .text(text), ifChanged: true)
        current.insert(settings.topics.of(view.id, "text"))
      }
    }
    publishesAll = false
    for topic in before.subtracting(current).sorted() {
      states[topic] = nil
      outbox.append(.value, to: topic, [], retained: true)
    }
    announce()
  }

  private func announce() {
    guard broker.isUp, let client else { return }
    let host = client.greeting["host"]?.text ?? ""
    for message in homeAssistant?.announcements(of: panel, host: host) ?? [] {
      _ = broker.publish(message.topic, message.payload, retained: true)
    }
  }
}

// MARK: - To the panel

extension Bridge {
  private func take(_ topic: String, _ payload: [UInt8]) {
    if homeAssistant != nil {
      if topic == HomeAssistant.status {
        if payload == Array("online".utf8) { publishAll() }
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
    guard client != nil else {
      ignored += 1
      return refuse(topic, "touchtree does not run; this was not done")
    }
    guard let text = String(validating: payload, as: UTF8.self) else {
      return refuse(topic, "the payload is not UTF-8")
    }
    perform(command, text, topic)
  }

  private func perform(_ command: Topics.Command, _ payload: String, _ topic: String) {
    // What is longer cannot be repeated by the daemon.
    let id = topic.utf8.count <= 256 ? JSONValue.text(topic) : nil
    switch command {
    case .property(let view, "segment"):
      guard let index = panel[view]?.segments.firstIndex(of: payload) else {
        let segments = (panel[view]?.segments ?? []).joined(separator: ", ")
        return refuse(topic, "\(view) has no segment \"\(payload.escaped)\"; its segments: \(segments)")
      }
      request("set", id, topic, view, [("properties", .object([.init("value", .integer(index))]))])
    case .property(let view, let key):
      request(
        "set", id, topic, view,
        [("format", .text("text")), ("properties", .object([.init(key, .text(payload))]))])
    case .properties(let view):
      guard let properties = try? JSONReader.read(payload), properties.members != nil else {
        return refuse(topic, "give a JSON object, such as {\"hidden\": true}")
      }
      request("set", id, topic, view, [("properties", properties)])
    case .page(let pages): request("page", id, topic, pages, [("page", .text(payload))])
    case .reload: post(Message.line("reload", id: id))
    }
  }

  private func request(
    _ type: String, _ id: JSONValue?, _ topic: String, _ view: String, _ fields: [(String, JSONValue)]
  ) {
    let line = Message.line(type, id: id) { json in
      json.key("view")
      json.value(view)
      for (key, value) in fields {
        json.key(named: key)
        json.value(value)
      }
    }
    guard line.count <= LineReader.longestMessage else {
      return refuse(topic, "the payload is too long; a request may have 64 KiB")
    }
    post(line)
  }

  /// Answers a command that cannot be done.
  private func refuse(_ topic: String, _ message: String, _ diagnostics: [JSONValue] = []) {
    log.debug("\(topic): \(message)")
    publish(.error, to: settings.topics.error, replaces: "") { json in
      json.key("topic")
      json.value(topic)
      json.key("message")
      json.value(message)
      guard !diagnostics.isEmpty else { return }
      json.key("diagnostics")
      json.value(.array(diagnostics))
    }
  }
}
