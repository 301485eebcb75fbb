import Logging
import SystemPackage
import TouchConfig
import TouchCore
import TouchHandlers
import TouchInput
import TouchPixels
import TouchRender
import TouchSystem
import TouchViews

/// Answers what clients and process handlers ask for, one after the other. An answer is written when the display shows what
/// was changed.
package final class ControlRequests {
  private var tree: ViewTree
  private let pipeline: InputPipeline
  private let presentation: Presentation
  private let host: Host
  private let peers: Peers
  private let subscriptions: Subscriptions
  private let viewers: Viewers
  private var rules: DeviceRules
  /// The device that each peer's fingers belong to.
  private var remotes: [ObjectIdentifier: RemoteDevice] = [:]
  private var lastRemote = 0
  private let statistics: InputStatistics
  /// Paints what was changed; for a picture that is asked for before the turn ends.
  package var paint: () -> Void = {}
  /// Has the configuration read again, and calls back with warnings, or with why that failed.
  package var reload: (@escaping (Result<[String], ReloadError>) -> Void) -> Void = { $0(.success([])) }
  /// Nil where a recording is played.
  package var idle: IdleDisplay?
  /// Which configuration is shown.
  package var configuration: () -> ConfigurationStatus? = { nil }
  /// The plugins that are loaded.
  package var plugins: () -> [PluginHandler] = { [] }
  /// How many clients there are.
  package var clientCount: () -> Int = { 0 }

  package init(
    _ tree: ViewTree, _ pipeline: InputPipeline, _ presentation: Presentation, _ statistics: InputStatistics,
    for host: Host
  ) {
    self.host = host
    self.statistics = statistics
    peers = host.peers
    self.tree = tree
    self.pipeline = pipeline
    self.presentation = presentation
    rules = DeviceRules(tree.configuration.input.rules)
    subscriptions = Subscriptions(to: pipeline, peers)
    viewers = Viewers(of: presentation, among: peers)
    peers.onRequest = { [unowned self] request, peer in answer(request, to: peer) }
    peers.onGone = { [unowned self] peer in forget(peer) }
    peers.onBroadcast = { [unowned self] message, view in subscriptions.send(message, from: view) }
  }

  private func forget(_ peer: Peer) {
    subscriptions.remove(peer)
    viewers.remove(peer)
    guard let remote = remotes.removeValue(forKey: ObjectIdentifier(peer)) else { return }
    pipeline.lose(remote.source, at: MonotonicClock.now())
  }

  /// Answers for another tree from now on.
  package func follow(_ tree: ViewTree) {
    self.tree = tree
    rules = DeviceRules(tree.configuration.input.rules)
    subscriptions.sendReload()
  }

  private func reload(_ request: Request, for peer: Peer) {
    peer.owedAnswers += 1
    reload { result in
      peer.owedAnswers -= 1
      switch result {
      case .success(let warnings): peer.acknowledge(request.id, warnings: warnings)
      case .failure(let error):
        peer.refuse(
          RequestError(
            id: request.id, code: .configuration, message: error.description, diagnostics: error.lines))
      }
    }
  }

  /// Cancels the touches of all peers, whose devices are mapped to the display as it was.
  package func forgetRemotes() {
    for remote in remotes.values { pipeline.lose(remote.source, at: MonotonicClock.now()) }
    remotes.removeAll()
  }

  /// Sends viewers what the turn has changed. To be called when everything else of the turn has been done: this paints.
  package func updateViewers(at now: Timestamp) {
    viewers.update(at: now)
  }

  private func answer(_ request: Request, to peer: Peer) {
    // Answers come in the order of the requests.
    if peer.owedAnswers > 0, !request.isReload {
      return peer.postpone { [weak self] in self?.answer(request, to: peer) }
    }
    do {
      try perform(request, for: peer)
    } catch let error as RequestError {
      peer.refuse(error)
    } catch let error as UnknownView {
      peer.refuse(unknownView(error.id, request))
    } catch let error as PropertyError where error.cause == .noSuchView {
      let help = nearestID(to: error.view ?? "").map { "; did you mean \"\($0)\"?" } ?? ""
      peer.refuse(RequestError(id: request.id, message: "\(error)\(help)"))
    } catch {
      peer.refuse(RequestError(id: request.id, message: "\(error)"))
    }
  }

  private func perform(_ request: Request, for peer: Peer) throws {
    switch request.body {
    case .set(let view, let properties, let isText):
      try host.set(properties, on: view, isText: isText)
      peer.acknowledge(request.id)
    case .page(let pages, let page):
      try host.show(PagesView.Target(page), in: pages)
      peer.acknowledge(request.id)
    case .inject(let injection):
      try inject(injection, request, from: peer)
      peer.acknowledge(request.id)
    case .subscribe(let subscription):
      if let unknown = subscription.views?.sorted().first(where: { host.view(id: $0) == nil }) {
        throw unknownView(unknown, request)
      }
      subscriptions.add(subscription, of: peer)
      peer.acknowledge(request.id)
    case .reload: reload(request, for: peer)
    case .wake:
      idle?.wake(at: MonotonicClock.now())
      peer.acknowledge(request.id)
    case .tree(let isText): peer.send(tree(request.id, isText: isText), as: .answer)
    case .hit(let question): peer.send(try hit(question, request.id), as: .answer)
    case .stats(let isText): peer.send(stats(request.id, isText: isText), as: .answer)
    case .screenshot: try screenshot(request, to: peer)
    case .screen:
      try paintForPicture(request, of: peer)
      try viewers.add(peer, id: request.id)
    }
  }

  private func unknownView(_ id: String, _ request: Request) -> RequestError {
    let help = nearestID(to: id).map { "; did you mean '\($0)'?" } ?? ". `touchtree ctl tree` lists them."
    return RequestError(id: request.id, message: "there is no view '\(id.escaped)'\(help)")
  }

  /// The id that was probably meant, escaped.
  private func nearestID(to id: String) -> String? {
    guard tree.viewsByID.count <= Self.mostCompared else { return nil }
    return Suggestion.nearest(to: id, among: tree.viewsByID.keys.sorted())?.escaped
  }

  /// Comparing more ids takes longer than a finger should wait.
  private static let mostCompared = 2000

  // MARK: Changes

  private func inject(_ injection: Request.Injection, _ request: Request, from peer: Peer) throws {
    let key = ObjectIdentifier(peer)
    let remote = try remotes[key] ?? makeRemote(request)
    remotes[key] = remote
    do throws(RemoteDevice.Refusal) {
      for frame in try remote.frames(for: injection, at: MonotonicClock.now()) {
        pipeline.apply(frame, from: remote.source)
      }
    } catch {
      throw RequestError(id: request.id, message: "\(error)")
    }
  }

  private func makeRemote(_ request: Request) throws -> RemoteDevice {
    lastRemote -= 1
    guard
      let remote = RemoteDevice(
        id: lastRemote, rules: rules, canvasSize: pipeline.geometry.canvasSize)
    else {
      throw RequestError(
        id: request.id,
        message: "the configuration excludes the device \"\(RemoteDevice.name)\", so nothing can be injected")
    }
    return remote
  }

  // MARK: Questions

  private func tree(_ id: JSONValue?, isText: Bool) -> [UInt8] {
    pipeline.endTurn()
    return Message.line("tree", id: id) { json in
      if isText {
        json.key("lines")
        json.beginArray()
        for line in TreeDescription.lines(of: tree, isDisclosed: true) { json.value(line) }
        json.endArray()
      } else {
        json.key("views")
        TreeDescription.write(tree, to: &json)
      }
    }
  }

  private func hit(_ asked: Request.Question, _ id: JSONValue?) throws -> [UInt8] {
    pipeline.endTurn()
    var question = HitQuestion(x: asked.x, y: asked.y)
    question.start = asked.start
    question.isAll = asked.isAll
    question.isExplained = asked.isExplained
    question.isDisclosed = true
    let answer = try question.answer(in: tree)
    return Message.line("hit", id: id) { json in answer.write(to: &json) }
  }

  private func stats(_ id: JSONValue?, isText: Bool) -> [UInt8] {
    let now = MonotonicClock.now()
    return Message.line("stats", id: id) { json in
      if isText {
        json.key("lines")
        json.beginArray()
        let lines = statistics.lines + (configuration()?.lines ?? []) + (idle?.lines(at: now) ?? [])
        for line in lines + listeners { json.value(line) }
        json.endArray()
      } else {
        statistics.write(to: &json)
        configuration()?.write(to: &json)
        idle?.write(to: &json, at: now)
        write(to: &json)
      }
    }
  }

  /// For people: clients, and the processes of handlers.
  private var listeners: [String] {
    let processes = peers.processes.map {
      "handler \($0.name): \($0.state.rawValue), restarts: \($0.restarts)"
    }
    return [
      "",
      "clients: \(clientCount()), subscribers: \(subscriptions.count), viewers: \(viewers.count), "
        + "moves not sent: \(peers.dropped)",
    ]
      + processes
      + plugins().map {
        let state = $0.isOff ? "turned off" : "plugin"
        return "handler \($0.name): \(state), slow calls: \($0.slowCalls), "
          + "touches that waited: \($0.touchesWaited)"
      }
  }

  private func write(to json: inout JSONWriter) {
    json.key("clients")
    json.value(clientCount())
    json.key("subscribers")
    json.value(subscriptions.count)
    json.key("viewers")
    json.value(viewers.count)
    json.key("moves_not_sent")
    json.value(peers.dropped)
    json.key("processes")
    json.beginArray()
    for process in peers.processes {
      json.beginObject()
      json.key("handler")
      json.value(process.name)
      json.key("state")
      json.value(process.state.rawValue)
      json.key("restarts")
      json.value(process.restarts)
      json.endObject()
    }
    json.endArray()
    json.key("plugins")
    json.beginArray()
    for plugin in plugins() {
      json.beginObject()
      json.key("handler")
      json.value(plugin.name)
      json.key("off")
      json.value(plugin.isOff)
      json.key("slow_calls")
      json.value(plugin.slowCalls)
      json.key("touches_waited")
      json.value(plugin.touchesWaited)
      json.endObject()
    }
    json.endArray()
  }

  // MARK: For programs that watch the machine

  /// Another number whenever a figure in `metrics` has changed.
  package var revision: Int {
    var hasher = Hasher()
    hasher.combine(statistics.revision)
    hasher.combine(configuration()?.reloads)
    hasher.combine(configuration()?.problems.count)
    for figure in listening { hasher.combine(figure.number) }
    hasher.combine(peers.dropped)
    hasher.combine(idle?.isDark)
    hasher.combine(idle?.isDimmed)
    for plugin in plugins() {
      hasher.combine(plugin.slowCalls)
      hasher.combine(plugin.isOff)
    }
    for process in peers.processes {
      hasher.combine(process.state)
      hasher.combine(process.restarts)
    }
    return hasher.finalize()
  }

  private var listening: [(name: String, help: String, number: Int)] {
    [
      ("clients", "Clients of the control socket.", clientCount()),
      ("subscribers", "Clients that subscribed to events.", subscriptions.count),
      ("viewers", "Clients that show the screen.", viewers.count),
    ]
  }

  /// What `stats` answers, in the text format of Prometheus.
  package var metrics: String {
    var metrics = MetricsText()
    statistics.write(to: &metrics)
    if let configuration = configuration() {
      metrics.begin("reloads_total", .counter, "How often the configuration was reloaded.")
      metrics.add(configuration.reloads)
      metrics.begin("configuration_problems", .gauge, "Errors of a file that is not what is shown.")
      metrics.add(configuration.problems.count)
    }
    for figure in listening {
      metrics.begin(figure.name, .gauge, figure.help)
      metrics.add(figure.number)
    }
    idle?.write(to: &metrics)
    metrics.begin("moves_not_sent_total", .counter, "Moves that gave way to later ones of a slow reader.")
    metrics.add(peers.dropped)
    metrics.begin("process_running", .gauge, "Whether the process of a handler runs and is ready.")
    for process in peers.processes {
      metrics.add(process.state == .running ? 1 : 0, [.init("handler", process.name)])
    }
    metrics.begin(
      "process_restarts_total", .counter, "How often a handler's process had to be started again.")
    for process in peers.processes { metrics.add(process.restarts, [.init("handler", process.name)]) }
    let figures: [(name: String, kind: MetricsText.Kind, help: String, number: (PluginHandler) -> Int)] = [
      ("plugin_off", .gauge, "Whether a plugin was turned off, because it was slow.", { $0.isOff ? 1 : 0 }),
      ("plugin_slow_calls_total", .counter, "Calls that took longer than the budget.", \.slowCalls),
      ("plugin_touches_waited_total", .counter, "Touches that waited for such a call.", \.touchesWaited),
    ]
    for figure in figures {
      metrics.begin(figure.name, figure.kind, figure.help)
      for plugin in plugins() { metrics.add(figure.number(plugin), [.init("handler", plugin.name)]) }
    }
    return metrics.text
  }

  private func screenshot(_ request: Request, to peer: Peer) throws {
    try paintForPicture(request, of: peer)
    let size = presentation.renderer.geometry.displaySize
    guard peers.mayMakeFile(of: Int(size.width) * Int(size.height) * 4, for: peer) else {
      throw RequestError(
        id: request.id,
        message:
          "\(Peers.mostUnreadFiles >> 20) MiB of screenshots wait for clients that do not read them; ask again"
      )
    }
    let picture = try presentation.renderer.disclosedPicture(of: tree.window)
    let bytes = UnsafeRawBufferPointer(start: picture.pixels, count: picture.width * picture.height * 4)
    let file = try MemoryFile(bytes)
    let line = Message.line("screenshot", id: request.id) { Message.write(pictureOf: picture, to: &$0) }
    peer.send(line, as: .answer, with: file)
  }

  /// Paints what is not painted yet, for a picture of the display.
  private func paintForPicture(_ request: Request, of peer: Peer) throws {
    guard peer.takesFiles else {
      throw RequestError(
        id: request.id, message: "only the control socket can carry a picture")
    }
    pipeline.endTurn()
    paint()
    if let reason = presentation.output.hiddenBecause {
      throw RequestError(id: request.id, code: .notShown, message: reason)
    }
  }
}
