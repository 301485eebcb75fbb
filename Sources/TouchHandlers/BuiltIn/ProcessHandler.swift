import TouchCore
import TouchJSON
import TouchSystem
import TouchViews

/// A handler that is a program of its own. It speaks the protocol on its standard input
/// and output, and is started again when it ends.
///
/// ```
///   waiting ── start ──▶ starting ── ready ──▶ running
///      ▲                    │ not ready in 5 s,   │ does not read,
///      │                    │ or ends             │ or ends
///      └── 0.5 s, twice as long each time, at most 30 s
///
///   each of them ── the daemon ends, or another handler takes its place ──▶ ended
/// ```
package final class ProcessHandler: ControlHandler {
  package enum State: String, Sendable { case starting, running, waiting, ended }

  package let name: String
  package let captures: Bool
  package private(set) var state = State.waiting
  package private(set) var restarts = 0

  private let command: Command
  private let usualWants: Set<ProcessEvent>
  private let configJSON: String
  private let forwards: Bool
  private let children: ChildProcesses
  private unowned let host: any HandlerHost
  private var running: Running?
  /// The previous life, while its last messages are processed, at most until the next start.
  private var previous: Running?
  private var timer: Int?
  private var failures = 0
  private var lastFailure = ""
  private var hasGivenUp = false
  /// The action after a dismissed process has ended.
  private var whenGone: () -> Void = {}
  private var mistakes = MistakeLog(interval: 10)
  private let now: () -> Timestamp

  private final class Running {
    let peer: Peer
    let errors: OutputReader
    var pid: Int32 = 0
    var wants: Set<ProcessEvent>
    /// The time of ready; nil before it.
    var readySince: Timestamp?
    /// The touches whose beginning the program could see. It gets nothing of others.
    var touches: Set<OutputQueue.Subject> = []
    /// The number of lines that were not messages.
    var garbage = 0
    /// The reason why the handler ends the program; nil while it does not.
    var fault: String?

    init(_ peer: Peer, _ errors: OutputReader, wants: Set<ProcessEvent>) {
      (self.peer, self.errors, self.wants) = (peer, errors, wants)
    }
  }

  /// The time for ready in milliseconds. It suits a program that loads its libraries from a slow card.
  private static let readyTime = 5000
  /// The delays between an end and the next start, in milliseconds.
  private static let delays = 500...30_000
  /// The number of failures in a row at which an error ends their logging. `stats` still shows the state.
  private static let mostFailures = 5
  private static let closedInput = "closed its input"
  private static let mostGarbage = 100
  private static let steadyTime = 10.0

  init(
    name: String, command: Command, wants: Set<ProcessEvent>, configJSON: String, forwards: Bool,
    captures: Bool = false, children: ChildProcesses, host: any HandlerHost,
    now: @escaping () -> Timestamp = MonotonicClock.now
  ) {
    self.now = now
    (self.name, self.captures) = (name, captures)
    self.command = command
    usualWants = wants
    self.configJSON = configJSON
    self.forwards = forwards
    self.children = children
    self.host = host
  }

  /// The reason why the program does not serve; nil if it has run for a while, or starts for the first time.
  package var problem: String? {
    guard failures > 0, state != .ended, !(running.map(isSteady) ?? false) else { return nil }
    let times = failures == 1 ? "once" : "\(failures) times in a row"
    return "handler \(name): \(command) failed \(times); the last time, it \(lastFailure); "
      + "run it by hand to see what is wrong"
  }

  // MARK: Start

  func start() {
    guard state == .waiting, running == nil else { return }
    timer = nil
    forgetPrevious()
    do {
      try launch()
    } catch {
      return fail("cannot be started: \(command.problem(error.errno))")
    }
    state = .starting
    timer = host.addTimer(milliseconds: Self.readyTime, repeats: false) { [weak self] in
      guard let self else { return }
      timer = nil
      stop("sent no {\"type\":\"ready\"} within \(Self.readyTime / 1000) s")
    }
  }

  private func launch() throws(SystemError) {
    let (input, output, errors) = (try Pipe(), try Pipe(), try Pipe())
    let channel = PipeChannel(input: output.reading, output: input.writing)
    let peer = Peer(channel, in: host.peers, answersAll: false)
    peer.isListening = true
    let log = OutputReader(of: errors.reading, into: OutputLog(owner: "handler \(name)", logger: host.logger))
    let running = Running(peer, log, wants: usualWants)
    do {
      running.pid = try children.start(
        command, adding: [("TOUCHTREE_HANDLER", name)], timeLimit: nil,
        streams: (input.reading.rawValue, output.writing.rawValue, errors.writing.rawValue)
        // The program may end after this handler was replaced.
      ) { [self] exit in ended(exit, running) }
    } catch {
      throw SystemError("execve", error)
    }
    self.running = running
    peer.onMessage = { [weak self, weak running] in if let running { self?.take($0, of: running) } }
    peer.onGarbage = { [weak self, weak running] in
      guard let self, let running else { return }
      // The text at the place may belong to a private view.
      takeGarbage($0.prefix(upTo: " near '"), isTooLong: $1, of: running)
    }
    peer.onRefusal = { [weak self] in self?.report("a request is not done: \($0)") }
    peer.onDeafness = { [weak self, weak running] in
      if let running, running === self?.running { self?.stop(Self.closedInput) }
    }
    peer.onEnd = { [weak self, weak running] end in if let running { self?.peerEnded(end, of: running) } }
    peer.send(
      Message.hello(windowSize: host.peers.delegate?.windowSize ?? .zero, handler: (name, configJSON)),
      as: .answer)
    try peer.begin()
    try log.begin(in: host.peers.loop)
  }

  private func take(_ message: JSONValue, of running: Running) {
    guard message["type"] == .text("ready") else { return host.peers.take(message, from: running.peer) }
    guard running === self.running, running.readySince == nil else { return }
    if let version = message["protocol"], version != .integer(Message.version) {
      return stop("speaks protocol \(version.json), and this touchtree speaks \(Message.version)")
    }
    if let wants = message["wants"] {
      let known = ProcessEvent.allCases.map(\.rawValue)
      guard let elements = wants.elements else {
        return stop("wants \(wants.json.escaped), which is not a list of \(known.joined(separator: ", "))")
      }
      var events: Set<ProcessEvent> = []
      for element in elements {
        guard let event = element.text.flatMap(ProcessEvent.init) else {
          let nearest = element.text.flatMap { Suggestion.nearest(to: $0, among: known) }
          return stop(
            "wants \(element.json.escaped), which is no event; "
              + (nearest.map { "did you mean \"\($0)\"?" } ?? "give some of \(known.joined(separator: ", "))")
          )
        }
        events.insert(event)
      }
      running.wants = events
    }
    running.readySince = now()
    state = .running
    cancelTimer()
    if hasGivenUp { host.logger.notice("handler \(name): \(command) runs again") }
    hasGivenUp = false
  }

  private func takeGarbage(_ problem: String, isTooLong: Bool, of running: Running) {
    running.garbage += 1
    guard isTooLong || running.garbage == Self.mostGarbage else {
      return report("its output is not the protocol's: \(problem)")
    }
    stop(
      isTooLong
        ? "wrote a line that is longer than \(LineReader.longestMessage) bytes"
        : "wrote \(Self.mostGarbage) lines that are not the protocol's")
  }

  // MARK: End

  /// Ends the program in order to start it again.
  private func stop(_ fault: String) {
    guard let running, running.fault == nil else { return }
    running.fault = fault
    cancelTimer()
    children.end(running.pid)
  }

  private func peerEnded(_ end: Peer.End, of running: Running) {
    if running === previous { previous = nil }
    guard running === self.running else { return }
    switch end {
    case .tooSlow: stop("did not read, and \(Peer.mostBehind >> 20) MiB waited for it")
    case .failed(let cause): stop("cannot be reached (\(cause))")
    // In the first case the program is gone. The others concern clients.
    case .closed, .descriptors, .endlessLine: break
    }
  }

  /// Returns whether a life was no failure at the start.
  private func isSteady(_ running: Running) -> Bool {
    running.readySince.map { now().seconds(since: $0) >= Self.steadyTime } ?? false
  }

  private func forgetPrevious() {
    previous?.peer.close()
    previous = nil
  }

  private func ended(_ exit: ChildProcesses.Exit, _ running: Running) {
    running.errors.end()
    let unlogged = mistakes.takeUnlogged()
    if unlogged > 0 {
      host.logger.warning(
        "handler \(name): \(command): it made \(unlogged) more mistakes that it had made before")
    }
    guard self.running === running else { return whenGone() }
    self.running = nil
    previous = running
    running.peer.finishReading()
    cancelTimer()
    if isSteady(running) { failures = 0 }
    let reason =
      switch exit {
      case .status(let status): "exited with status \(status)"
      case .signal(let signal): "was ended by signal \(signal)"
      case .ended: "ended"
      }
    // A program that ends also closes its input.
    let hasEndedItself = exit != .ended && running.fault == Self.closedInput
    fail(hasEndedItself ? reason : running.fault ?? reason)
  }

  private func fail(_ reason: String) {
    guard state != .ended else { return }
    state = .waiting
    failures += 1
    restarts += 1
    lastFailure = reason
    let doubled = Self.delays.lowerBound << min(failures - 1, 10)
    let delay = failures < Self.mostFailures ? min(doubled, Self.delays.upperBound) : Self.delays.upperBound
    if failures < Self.mostFailures {
      host.logger.warning(
        "handler \(name): \(command) \(reason); it is started again in \((Double(delay) / 1000).plain) s")
    } else if !hasGivenUp {
      hasGivenUp = true
      host.logger.error(
        """
        handler \(name): \(command) failed \(failures) times in a row; the last time, it \(reason). It is tried every \
        \(delay / 1000) s from now on, which is not logged. Run it by hand to see what is wrong
        """)
    }
    timer = host.addTimer(milliseconds: delay, repeats: false) { [weak self] in self?.start() }
  }

  /// Ends the process while the daemon goes on, by bye with a one-word reason, SIGTERM and SIGKILL. `next` is
  /// called when it has ended.
  func leave(because reason: String, then next: @escaping () -> Void) {
    guard let running = sayGoodbye(because: reason) else { return next() }
    whenGone = next
    children.dismiss(running.pid)
  }

  /// Sends bye and prevents a restart. The process is ended with all children.
  func end(because reason: String) { sayGoodbye(because: reason)?.errors.end() }

  /// - Returns: the life that still runs; nil if there is none.
  private func sayGoodbye(because reason: String) -> Running? {
    state = .ended
    cancelTimer()
    forgetPrevious()
    guard let running else { return nil }
    self.running = nil
    running.peer.send(Message.bye(reason), as: .answer)
    running.peer.close()
    return running
  }

  private func cancelTimer() {
    if let timer { host.cancelTimer(timer) }
    timer = nil
  }

  private func report(_ mistake: String) {
    guard let count = mistakes.admit(mistake, at: now()) else { return }
    host.logger.warning("handler \(name): \(command): \(mistake)\(count)")
  }
}

// MARK: - What it gets

extension ProcessHandler {
  package func handle(
    _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
  ) -> Disposition {
    let disposition: Disposition = forwards ? .forward : .handled
    guard let running, running.readySince != nil, let kind = ProcessEvent(phase) else { return disposition }
    for touch in touches {
      let subject = OutputQueue.Subject(touch: touch.id, at: responder)
      if phase == .began { running.touches.insert(subject) }
      let isKnown = running.touches.contains(subject) || phase == .entered || phase == .left
      if phase == .ended || phase == .cancelled { running.touches.remove(subject) }
      guard isKnown, running.wants.contains(kind) else { continue }
      let line = Message.touch(
        touch, phase: phase, at: responder, sequence: host.peers.nextSequence(),
        device: host.peers.delegate?.name(of: touch.contact.device) ?? "")
      running.peer.send(line, as: phase == .moved ? .move(of: subject) : .change(of: subject))
    }
    return disposition
  }

  package func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
    if let running = self.running(wanting: .action) {
      running.peer.send(Message.action(action, of: control), as: .event)
    }
    if action == .valueChanged, let running = self.running(wanting: .value) {
      running.peer.send(Message.value(of: control), as: .event)
    }
    if action == .editingChanged, control.privateView == nil, let running = self.running(wanting: .text) {
      running.peer.send(Message.text(of: control), as: .event)
    }
  }

  package func handle(_ gesture: GestureRecognizer, event: Event) {
    guard let running = self.running(wanting: .gesture) else { return }
    let line = Message.gesture(gesture, sequence: host.peers.nextSequence(), time: event.timestamp)
    let subject = OutputQueue.Subject(of: gesture)
    running.peer.send(line, as: gesture.state == .changed ? .move(of: subject) : .change(of: subject))
  }

  /// Forwards a press, because a program answers too late to keep a key from others.
  package func handle(_ press: Press, event: PressesEvent, for responder: Responder) -> Disposition {
    guard let running = self.running(wanting: .press) else { return .forward }
    let line = Message.press(
      press, at: responder, sequence: host.peers.nextSequence(),
      device: host.peers.delegate?.name(of: press.device) ?? "")
    running.peer.send(line, as: .event)
    return .forward
  }

  /// Consumes a scan if the process waits for scans.
  package func handle(_ scan: Scan, for responder: Responder) -> Disposition {
    guard let running = self.running(wanting: .scanned) else { return .forward }
    let line = Message.scanned(scan, at: responder, device: host.peers.delegate?.name(of: scan.device) ?? "")
    running.peer.send(line, as: .event)
    return .handled
  }

  private func running(wanting event: ProcessEvent) -> Running? {
    guard let running, running.readySince != nil, running.wants.contains(event) else { return nil }
    return running
  }

  func send(_ message: String, from view: String) -> Bool {
    guard let running, running.readySince != nil else { return false }
    running.peer.send(Message.message(message, from: view), as: .event)
    return true
  }
}

extension String {
  /// Returns the text before the first occurrence of another one; all of it if there is none.
  fileprivate func prefix(upTo other: String) -> String {
    firstRange(of: other).map { String(self[..<$0.lowerBound]) } ?? self
  }
}
