import TouchConfig
import TouchCore
import TouchHandlers
import TouchInput
import TouchInspection
import TouchJSON
import TouchKit
import TouchPixels
import TouchSystem
import TouchViews

package protocol RequestHost: AnyObject {
  var status: ConfigurationStatus { get }

  var clientCount: Int { get }

  /// The problems of devices, and of files that cannot be written.
  var ownProblems: [HealthProblem] { get }

  /// Returns the name of a device that belongs to no peer, for messages about its touches.
  func ownName(of device: TouchCore.DeviceID) -> String

  /// Reads the configuration again; `answer` gets warnings, or the reason why it is not shown.
  func reload(then answer: @escaping (Result<[String], ReloadError>) -> Void)
}

/// Answers requests one after the other. An answer is written when the display shows the changes.
package final class ControlRequests: PeersDelegate {
  private unowned let daemon: any RequestHost
  private let host: Host
  private let peers: Peers
  private let pipeline: InputPipeline
  private let presentation: Presentation
  private let idle: IdleDisplay
  private let subscriptions: Subscriptions
  private let viewers: Viewers
  package let remotes: RemoteDevices
  package let report: StatisticsReport
  private let health: HealthReport
  private var tree: ViewTree { host.tree }

  package init(
    for daemon: any RequestHost, _ host: Host, _ pipeline: InputPipeline, _ presentation: Presentation,
    _ idle: IdleDisplay, _ statistics: InputStatistics
  ) {
    (self.daemon, self.host) = (daemon, host)
    peers = host.peers
    self.pipeline = pipeline
    self.presentation = presentation
    self.idle = idle
    subscriptions = Subscriptions(to: pipeline, peers)
    viewers = Viewers(of: presentation, among: peers)
    remotes = RemoteDevices(pipeline, host: host)
    health = HealthReport(of: daemon, host, pipeline, presentation, statistics, idle)
    report = StatisticsReport(of: daemon, host, statistics, idle, subscriptions, viewers, health)
    presentation.addFollower(remotes)
    subscriptions.follow(tree.bindings)
    idle.onChange = { [weak self] in self?.sendDisplay() }
  }

  private func sendDisplay() {
    subscriptions.send(.display) { Message.line("display") { idle.write(to: &$0) } }
  }

  // MARK: Peers

  package var windowSize: Size { tree.window.bounds.size }

  package func forget(_ peer: Peer) {
    subscriptions.remove(peer)
    viewers.remove(peer)
    remotes.forget(peer)
  }

  package func broadcast(_ message: String, from view: String) {
    subscriptions.send(message, from: view, row: host.view(id: view)?.rowKey)
  }

  package func name(of device: TouchCore.DeviceID) -> String {
    RemoteDevice.name(of: device) ?? daemon.ownName(of: device)
  }

  /// Reports to subscribers that another tree is shown.
  package func treeWasReplaced() {
    subscriptions.send(.reload) { Message.line("reload") }
    subscriptions.follow(tree.bindings)
  }

  /// Reports to subscribers that the configuration was read again, with its errors if it is not shown.
  package func configurationWasRead() {
    subscriptions.send(.configuration) { Message.line("configuration") { daemon.status.write(to: &$0) } }
  }

  /// Reports that there are other views, so that clients that show all of them ask again.
  package func rowsWereReplaced() { subscriptions.send(.reload) { Message.line("reload") } }

  private func reload(_ request: Request, for peer: Peer) {
    peer.owedAnswers += 1
    daemon.reload { result in
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

  package func answer(_ request: Request, to peer: Peer) {
    // Answers follow the order of the requests.
    if peer.owedAnswers > 0, !request.isReload {
      return peer.postpone { [weak self] in self?.answer(request, to: peer) }
    }
    do {
      try perform(request, for: peer)
    } catch let error as RequestError {
      refuse(error, request, of: peer)
    } catch let error as PropertyError where error.cause == .noSuchView {
      refuse(
        RequestError(id: request.id, message: "\(error)\(advice(insteadOf: error.view ?? ""))"), request,
        of: peer)
    } catch {
      refuse(RequestError(id: request.id, message: "\(error)"), request, of: peer)
    }
  }

  private func refuse(_ error: RequestError, _ request: Request, of peer: Peer) {
    var error = error
    if let around = request.body.view.flatMap({ tree.viewsByID[$0] })?.privateView {
      error.logged =
        "\(around.id) is private, so the log does not have what is wrong with a request for it; "
        + "give the request an id, and its answer has that"
    }
    peer.refuse(error)
  }

  /// Refuses a request for a row that the view does not show.
  private func requireRow(_ request: Request) throws(RequestError) {
    guard let wanted = request.rowKey, let id = request.body.view, let view = tree.viewsByID[id] else {
      return
    }
    let shown = view.rowKey
    guard shown ?? .null != wanted || shown == nil && tree.showsRows(id) else { return }
    let now = shown.map { "the row \($0)" } ?? "no row"
    let meant = wanted == .null ? "a view that is in no list" : "the row \(wanted)"
    throw RequestError(
      id: request.id,
      message: "\(id.escaped) shows \(now) at the moment, and the request is for \(meant); "
        + "set the value that the rows are made of")
  }

  private func perform(_ request: Request, for peer: Peer) throws {
    try requireRow(request)
    switch request.body {
    case .set(let view, let properties, let isText): try host.set(properties, on: view, isText: isText)
    case .setValues(let values, let isText, let time):
      try host.setValues(values, isText: isText, at: time)
    case .setWindow(let property): try host.set([property], on: tree.window.id)
    case .page(let pages, let page): try host.show(PagesView.Target(page), in: pages)
    case .scroll(let view, let target): try host.scroll(view, to: target)
    case .inject(let injection): try remotes.apply(injection, of: peer)
    case .press(let press): try remotes.apply(press, of: peer)
    case .subscribe(let subscription):
      if let unknown = subscription.views?.sorted().first(where: { host.view(id: $0) == nil }) {
        throw unknownView(unknown, request)
      }
      subscriptions.add(subscription, of: peer)
    case .wake: idle.wake(at: MonotonicClock.now())
    case .text(let text, let view): try type(text, into: view, request)
    // The rest has an answer of its own.
    case .explain(let name, let property):
      pipeline.endTurn()
      let lines = try Explanation.lines(of: property, of: name, in: tree)
      return peer.send(Message.line("explain", id: request.id) { $0.field("lines", lines) }, as: .answer)
    case .reload: return reload(request, for: peer)
    case .tree(let isText): return peer.send(tree(request.id, isText: isText), as: .answer)
    case .hit(let question): return peer.send(try hit(question, request), as: .answer)
    case .stats(let isText): return peer.send(stats(request.id, isText: isText), as: .answer)
    case .health(let isOfGlass):
      let line = Message.line("health", id: request.id) {
        health.write(to: &$0, glass: isOfGlass, at: MonotonicClock.now())
      }
      return peer.send(line, as: .answer)
    case .screenshot: return try screenshot(request, to: peer)
    case .screen:
      try paintForPicture(request, of: peer)
      return try viewers.add(peer, id: request.id)
    }
    peer.acknowledge(request.id)
  }

  /// Types as a keyboard does. A line break may end editing, or lead to another field.
  private func type(_ text: String, into id: String?, _ request: Request) throws(RequestError) {
    if let id {
      guard let view = tree.viewsByID[id] else { throw unknownView(id, request) }
      guard view.becomeFirstResponder() else {
        throw RequestError(
          id: request.id,
          message: "\(id.escaped) takes no text now; name a text field that is shown and enabled")
      }
    }
    var rest = text[...]
    repeat {
      guard let first = tree.window.firstResponder as? any KeyInput else {
        throw RequestError(id: request.id, message: untaken(rest, of: text))
      }
      let end = rest.firstIndex(where: \.isNewline).map(rest.index(after:)) ?? rest.endIndex
      first.insertText(String(rest[..<end]))
      rest = rest[end...]
    } while !rest.isEmpty
  }

  /// Returns the message about a text's rest that no field takes, by its length: it may be a secret.
  private func untaken(_ rest: Substring, of text: String) -> String {
    guard rest.startIndex > text.startIndex else {
      return "no text field is edited; name one, or set its property editing to true"
    }
    let count = rest.count
    return
      "a line break ended editing, so \(count) letter\(count == 1 ? " is" : "s are") left that no field takes; "
      + "name a field for \(count == 1 ? "it" : "them")"
  }

  private func unknownView(_ id: String, _ request: Request) -> RequestError {
    let help = nearestID(to: id).map { "; did you mean '\($0)'?" } ?? ". `touchtree ctl tree` lists them."
    return RequestError(id: request.id, message: "there is no view '\(id.escaped)'\(help)")
  }

  private func nearestID(to id: String, orAmong names: [String] = []) -> String? {
    guard tree.viewsByID.count <= Self.mostCompared else { return nil }
    return Suggestion.nearest(to: id, among: tree.viewsByID.keys.sorted() + names, leastSlips: 1)?.escaped
  }

  /// Returns the end of a message about a missing view. A named value may have been meant.
  private func advice(insteadOf id: String) -> String {
    let values = tree.bindings.values.declarations.map(\.name)
    if values.contains(id) { return "; a named value is called so, and is set without a view" }
    return nearestID(to: id, orAmong: values).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// The most ids to compare. More would take longer than a finger should wait.
  private static let mostCompared = 2000

  // MARK: Questions

  private func tree(_ id: JSONValue?, isText: Bool) -> [UInt8] {
    pipeline.endTurn()
    tree.bindings.settle()
    return Message.line("tree", id: id) { json in
      if isText {
        json.field("lines", TreeDescription.lines(of: tree, isDisclosed: true))
      } else {
        TreeDescription.writeFields(of: tree, to: &json)
      }
    }
  }

  private func hit(_ asked: Request.Question, _ request: Request) throws(RequestError) -> [UInt8] {
    pipeline.endTurn()
    var question = HitQuestion(x: asked.x, y: asked.y)
    question.start = asked.start
    question.isAll = asked.isAll
    question.isExplained = asked.isExplained
    question.isDisclosed = true
    do throws(Failure) {
      let answer = try question.answer(in: tree)
      return Message.line("hit", id: request.id) { json in answer.write(to: &json) }
    } catch {
      throw unknownView(asked.start ?? "", request)
    }
  }

  private func stats(_ id: JSONValue?, isText: Bool) -> [UInt8] {
    Message.line("stats", id: id) { json in
      if isText { json.field("lines", report.lines) } else { report.write(to: &json) }
    }
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

  /// Paints pending changes for a picture of the display.
  private func paintForPicture(_ request: Request, of peer: Peer) throws {
    guard peer.takesFiles else {
      throw RequestError(id: request.id, message: "only the control socket can carry a picture")
    }
    pipeline.endTurn()
    tree.bindings.settle()
    presentation.update(at: MonotonicClock.now())
    if let reason = presentation.output.hiddenBecause {
      throw RequestError(id: request.id, code: .notShown, message: reason)
    }
  }
}
