import Foundation
import InMemoryLogging
import Logging
import TouchCore
import TouchExpressions
import TouchHandlers
import TouchSystem
import TouchViews

/// A daemon for tests: a window with some views, a dispatcher, timers that the test fires, a log that it
/// reads.
///
/// window (800 × 480) → root → panel (400, 100, 200 × 200, several touches), ok (a button at 200, 100, 100 ×
/// 50), caption (a label), pages
final class Stage: HandlerHost, PeersDelegate, ExpressionScope {
  func resolve(_ name: String) -> Resolution? {
    if let value = values.declarations.first(where: { $0.name == name }) {
      return .reads(.value(name), value.type)
    }
    return Reference.SentPart(rawValue: name).map { .reads(.sent($0), $0 == .value ? .number : .text) }
  }
  func resolve(_ owner: String, _ part: String) -> Resolution? {
    .reads(.property(view: owner, part), part == "value" ? .number : part == "text" ? .text : .any)
  }
  func advice(for name: String) -> String { "" }
  func requireShowable(_ entries: [PropertyValue.Entry], isText: Bool) {}

  /// A text with expressions, as the file's reader makes it.
  func formula(_ text: String) -> Formula {
    (try? Formula(text, scope: self)) ?? Formula(letters: "a wrong expression: \(text)")
  }
  func computed(_ property: ViewProperty, _ text: String) -> BoundSetting {
    BoundSetting(property, .formula(formula(text)))
  }
  func message(_ json: String) -> MessageFormula { (try? MessageFormula(json, scope: self)) ?? "null" }

  let application = ApplicationResponder()
  let window = Window(size: Size(width: 800, height: 480))
  let root = View(id: "root", frame: Rect(x: 0, y: 0, width: 800, height: 480))
  let panel = View(id: "panel", frame: Rect(x: 400, y: 100, width: 200, height: 200))
  let ok = Button(id: "ok", frame: Rect(x: 200, y: 100, width: 100, height: 50))
  let caption = Label(id: "caption", frame: Rect(x: 0, y: 0, width: 100, height: 20))
  /// Shows `home` or `settings`.
  let pages = PagesView(id: "pages", frame: Rect(x: 600, y: 350, width: 100, height: 100))
  let logger: Logger
  let peers: Peers
  let runningSteps = RunningSteps()
  private let log = InMemoryLogHandler()
  private(set) var timers: [Int: (milliseconds: Int, repeats: Bool, callback: () -> Void)] = [:]
  /// The timers that were ended from outside, whether they were still there or not.
  private(set) var cancelled: [Int] = []
  private var lastTimer = 100
  /// One more view, which need not be in the tree.
  var extra: View?
  private(set) var watches: [Int: (descriptor: Int32, callback: () -> Void)] = [:]
  private(set) var sent: [(message: String, recipient: ActionStep.Recipient, sender: String)] = []
  /// Answers requests of processes.
  var onRequest: (Request, Peer) -> Void = { request, peer in peer.acknowledge(request.id) }
  var deviceName = ""
  private lazy var dispatcher = Dispatcher(window: window)
  private lazy var pointers = PointerDispatcher(window: window)

  init() {
    let log = log
    var logger = Logger(label: "test") { _ in log }
    logger.logLevel = .debug
    self.logger = logger
    // Tests of what speaks the protocol run its loop.
    guard let loop = try? EventLoop() else { preconditionFailure("no epoll descriptor") }
    peers = Peers(loop: loop)
    peers.delegate = self
    window.application = application
    window.addSubview(root)
    for view in [panel, ok, caption, pages] { root.addSubview(view) }
    for id in ["home", "settings"] { pages.addSubview(View(id: id, frame: pages.bounds)) }
    panel.isMultipleTouchEnabled = true
    var damage = Damage()
    window.takeDamage(into: &damage)
  }

  /// A number that starts at 20, a text, and a flag.
  let values = NamedValues([
    NamedValue(name: "target", initial: .number(20)), NamedValue(name: "code", initial: .text("")),
    NamedValue(name: "on", initial: .flag(false)),
  ])
  private(set) lazy var bindings = Bindings(
    bound, values: values,
    view: { [unowned self] in view(id: $0) },
    clock: {
      LocalTime(
        year: 2024, month: 3, day: 5, hour: 9, minute: 7, second: 3, weekday: 2, dayOfYear: 65,
        seconds: 1_709_626_023, offset: 3600)
    })
  /// What follows an expression; to be set before anything is done.
  var bound: [Binding] = []

  var windowSize: Size { window.bounds.size }

  func answer(_ request: Request, to peer: Peer) { onRequest(request, peer) }
  func forget(_ peer: Peer) {}
  func broadcast(_ message: String, from view: String) {}
  func name(of device: DeviceID) -> String { deviceName }

  func view(id: String) -> View? {
    ([window, root, panel, ok, caption, pages] + pages.subviews + [extra].compactMap(\.self))
      .first { $0.id == id }
  }

  func addTimer(milliseconds: Int, repeats: Bool, callback: @escaping () -> Void) -> Int {
    lastTimer += 1
    timers[lastTimer] = (milliseconds, repeats, callback)
    return lastTimer
  }

  func cancelTimer(_ timer: Int) {
    cancelled.append(timer)
    timers[timer] = nil
  }

  func watch(_ descriptor: Int32, callback: @escaping () -> Void) throws(SystemError) -> Int {
    guard fcntl(descriptor, F_GETFD) >= 0 else { throw SystemError("epoll_ctl", .badFileDescriptor) }
    lastTimer += 1
    watches[lastTimer] = (descriptor, callback)
    return lastTimer
  }

  func unwatch(_ watch: Int) {
    watches[watch] = nil
  }

  /// Where the configuration is.
  var folder = "/etc/panel/"

  /// Nil for a path from the root on, as for a file that the configuration does not open.
  func opened(_ path: String) -> String? { path.hasPrefix("/") ? nil : folder + path }

  func send(_ message: String, to recipient: ActionStep.Recipient, from sender: String) {
    sent.append((message, recipient, sender))
  }

  /// Calls what watches a descriptor that has something to read.
  func pollDescriptors() {
    for (id, watch) in watches.sorted(by: { $0.key < $1.key }) {
      var state = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&state, 1, 0) > 0, watches[id] != nil { watch.callback() }
    }
  }

  /// Everything that is waiting becomes due once.
  func fireTimers() {
    for (id, timer) in timers.sorted(by: { $0.key < $1.key }) {
      if !timer.repeats { timers[id] = nil }
      timer.callback()
    }
  }

  /// What was logged, as `level message`, and forgets it.
  func takeLog() -> [String] {
    defer { log.clear() }
    return log.entries.map { "\($0.level) \($0.message)" }
  }

  /// One frame in which some fingers change.
  func frame(
    _ kind: ContactChange.Kind, _ fingers: [(serial: Int, x: Double, y: Double)],
    saying attributes: ContactAttributes = ContactAttributes(), at microseconds: Int64 = 1_000_000
  ) {
    let changes = fingers.map { finger in
      TouchChange(
        contact: ContactID(device: DeviceID(rawValue: 7), serial: finger.serial), kind: kind,
        location: Point(x: finger.x, y: finger.y), attributes: attributes)
    }
    dispatcher.dispatch(changes, at: Timestamp(microseconds: microseconds))
    dispatcher.flush()
  }

  /// A mouse does something at a place.
  func point(_ kinds: [PointerChange.Kind], x: Double, y: Double) {
    let changes = kinds.map {
      PointerChange(kind: $0, device: DeviceID(rawValue: 7), location: Point(x: x, y: y))
    }
    pointers.dispatch(changes, at: Timestamp(microseconds: 1_000_000))
    pointers.flush()
  }

  /// The mouse is unplugged.
  func losePointer() {
    pointers.lose(DeviceID(rawValue: 7), at: Timestamp(microseconds: 1_000_000))
  }

  /// A finger goes down and up again.
  func tap(x: Double, y: Double, serial: Int = 1, at microseconds: Int64 = 1_000_000) {
    frame(.began, [(serial, x, y)], at: microseconds)
    frame(.ended, [(serial, x, y)], at: microseconds)
  }
}

func contents(of path: String) throws -> String {
  try String(contentsOfFile: path, encoding: .utf8)
}

extension PluginHandler {
  /// One whose file lies where only this user and root can change it.
  convenience init(
    name: String, path: String, configJSON: String, budget: Double = 60, host: any HandlerHost
  ) throws(Failure) {
    try self.init(
      name: name, file: PluginLocator(folders: []).locate(path), configJSON: configJSON, budget: budget,
      host: host)
  }
}

/// A library that the package built, in the folder of the test program.
func builtLibrary(_ name: String) throws -> String {
  let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  return URL(fileURLWithPath: program).deletingLastPathComponent().appendingPathComponent(name).path
}

/// Shared objects made from the sources in Fixtures, by whichever C compiler there is.
enum Fixture {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let headers =
    folder.deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/CTouchtree/include").path

  struct CompilerError: Error {
    let output: String
  }

  static func build(
    _ source: String, defining macros: [String] = [], linking options: [String] = [], as product: String
  ) throws {
    let source = folder.appendingPathComponent("Fixtures/\(source)").path
    let arguments =
      ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-shared", "-fPIC", "-I", headers]
      + macros.map { "-D\($0)" } + ["-o", product, source] + options
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let compilers = ["cc", "clang", "gcc"].flatMap { name in folders.map { "\($0)/\(name)" } }
    guard let compiler = compilers.first(where: FileManager.default.isExecutableFile) else {
      throw CompilerError(output: "there is no C compiler in PATH")
    }
    let process = Process()
    // A file, not a pipe: a process that another test starts at this moment may keep a pipe open.
    let errors = product + ".errors"
    try Data().write(to: URL(fileURLWithPath: errors))
    process.executableURL = URL(fileURLWithPath: compiler)
    process.arguments = arguments
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
    try process.run()
    guard end(of: process) == 0 else {
      throw CompilerError(output: try String(contentsOfFile: errors, encoding: .utf8))
    }
  }

  /// Waits for the end of a process; returns its exit status, or nil where a signal ended it.
  ///
  /// `waitUntilExit()` hangs now and then when several processes are started at once: it waits for a socket
  /// that they inherit, not for the process. (swift-corelibs-foundation, issue 4795.)
  private static func end(of process: Process) -> Int32? {
    var end = siginfo_t()
    // The process stays to be waited for by its owner.
    while waitid(P_PID, id_t(process.processIdentifier), &end, WEXITED | WNOWAIT) < 0 {
      // The owner was faster, and has the status or is about to.
      guard errno == EINTR else {
        while process.isRunning { usleep(1000) }
        return process.terminationReason == .exit ? process.terminationStatus : nil
      }
    }
    return end.si_code == Int32(CLD_EXITED) ? end._sifields._sigchld.si_status : nil
  }
}

/// Whether a process runs; a zombie does not.
func isAlive(_ pid: Int32) -> Bool {
  guard let status = try? contents(of: "/proc/\(pid)/status") else { return false }
  return !status.contains("State:\tZ")
}

extension ChildProcesses {
  /// Ends them as the daemon does, and waits longer: on a busy host even SIGKILL takes its time.
  func endAndReap() {
    end()
    for _ in 0..<180_000 where count > 0 {
      usleep(5000)
      reap()
    }
  }
}
