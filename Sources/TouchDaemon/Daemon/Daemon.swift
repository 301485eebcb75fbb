import Glibc
import Logging
import SystemPackage
import TouchConfig
import TouchCore
import TouchHandlers
import TouchInput
import TouchInspection
import TouchKit
import TouchRecordings
import TouchRender
import TouchSystem
import TouchViews

/// The program behind `touchtree run`. It is `TouchKit`'s runtime with the view tree of a file, its handlers,
/// the control socket, and recordings in place of devices. The file is ordered from start to shut-down. The
/// work at the end of a turn is in `TurnStage`.
package final class Daemon {
  let options: Options
  let log: Logger
  private let runtime: Runtime
  let notifier: ServiceNotifier
  private let controllingTerminal = ControllingTerminal()
  let host: Host
  let idle: IdleDisplay
  private let following: Following
  private let typist: KernelTypist
  private let pictures: PictureFollower
  private var kept: KeptValues?
  private var histories: KeptHistories?
  private let factory: HandlerFactory
  private let children: ChildProcesses
  private let statistics = InputStatistics()
  private let records: RunRecords
  private(set) lazy var requests = ControlRequests(for: self, host, pipeline, presentation, idle, statistics)
  private lazy var sensors = Sensors(host: host, idle, in: loop, log: log) { [weak self] in
    self?.clientCount ?? 0 > 0
  }
  private(set) lazy var reloader = Reloader(of: self)
  private var statisticsFile: StatisticsFile?
  /// The server of the control socket; nil if no clients are accepted.
  private var control: ControlServer?
  /// The server of the socket for watching; nil if no clients are accepted there.
  private var watchers: ControlServer?
  private var player: Player?
  private var playback: Playback?

  var loop: EventLoop { runtime.loop }
  var pipeline: InputPipeline { runtime.pipeline }
  var presentation: Presentation { runtime.presentation }
  var devices: DeviceManager { runtime.devices }

  // MARK: Load

  /// Opens the display and builds everything that needs no device. The console is taken last, so that an
  /// earlier failure leaves it as it was.
  /// - Throws: `Failure` for root if every user could change the configuration; `ConfigurationError` if a
  ///   handler cannot be made; `DisplayError`, `SystemError`, `ControlError`.
  package init(configuration: Configuration, options: Options, log: Logger) throws {
    (self.options, self.log) = (options, log)
    let configuration = configuration.adding(options)
    let trust = FileTrust.ofRoot
    // The files that a saved copy includes were read from copies, too.
    for source in options.brokenFile == nil ? configuration.sources[...] : configuration.sources.prefix(1) {
      try trust?.check(source.file) { log.warning("\($0)") }
    }

    // The loop, the display, the tree and its input.
    runtime = try Runtime(
      configuration.presentation, options.runtime(for: configuration), windowID: configuration.window.id,
      log: log)
    let (loop, pipeline, presentation) = (runtime.loop, runtime.pipeline, runtime.presentation)
    let tree = ViewTree(configuration, in: runtime.window)
    runtime.window.layoutIfNeeded()
    pipeline.dispatcher.tapSettings = configuration.input.taps
    pipeline.fileWantsScans = configuration.wantsScans
    host = Host(loop: loop, tree: tree, logger: log)
    idle = IdleDisplay(presentation, pipeline, host: host, in: loop, log: log)
    following = try Following(host, presentation, in: loop)
    typist = KernelTypist(log: log)
    pictures = PictureFollower(host, in: loop, log: log)
    records = RunRecords(
      trace: options.trace, pictures: options.pictures, of: presentation, pipeline, in: loop, log: log)
    loop.addHook(statistics, at: .count)

    // The objects that act on touches, and those that watch them.
    children = ChildProcesses(host: host)
    notifier = try ServiceNotifier.fromEnvironment()
    factory = HandlerFactory(
      plugins: PluginFolders.locator(for: configuration, options.pluginFolders), children: children,
      host: host, trust: trust)
    presentation.isLive = isLive
    presentation.onPainted = { [statistics] in statistics.painted(isShown: $0) }
    presentation.output.onShown = { [statistics] in statistics.showed(at: $0) }
    presentation.onNotice = { [weak self] in self?.report($0) }
    following.repeatRows = { [weak self] in self?.repeatRows() }

    // Signals come before plugins, whose threads must leave these signals to the loop.
    try watchSignals()
    if options.recording == nil {
      kept = KeptValues(of: options.brokenFile?.path ?? configuration.file, host, in: loop, log: log)
      histories = kept.map { KeptHistories(besides: $0.path, host, in: loop, log: log) }
      // Before the present values, which are later.
      histories?.load()
      kept?.load()
      kept?.follow()
      histories?.follow()
    }
    try loadHandlers()
    try listen()
  }

  /// Whether time passes as on a watched display, and not as fast as a recording can be played.
  private var isLive: Bool {
    options.recording == nil || options.isPaced ?? presentation.output.display.isWatched
  }

  private func watchSignals() throws {
    let hangup = presentation.output.usesTerminal ? [] : [SIGHUP]
    try runtime.takeSignals(and: [SIGCHLD] + hangup) { [weak self] number in
      guard let self else { return }
      if number == SIGCHLD {
        children.reap()
      } else if controllingTerminal.isGone {
        // SIGHUP keeps its original meaning: the terminal is gone.
        loop.stop()
      } else {
        reloader.reload()
      }
    }
  }

  /// Logs a notice about something that cannot be painted, with its place in the file.
  private func report(_ notice: PaintNotice) {
    guard let view = host.tree.privateView(of: notice) else {
      return log.warning("\(host.tree.configuration.sentence(for: notice))")
    }
    // A notice about a text would disclose the text.
    guard !notice.isOfText else { return }
    log.warning(
      "\(view.id): a picture, an icon or a font cannot be shown; \(view.id) is private, so the log has no more"
    )
  }

  private func loadHandlers() throws {
    host.peers.delegate = requests
    let made = try host.makeHandlers(of: host.tree, from: factory)
    host.attach(made)
    host.begin(made)
  }

  private func listen() throws {
    let peers = host.peers
    if isLive || options.control != .standard {
      let path = ControlPath.ofThisDaemon
      if path == nil, options.control == .standard {
        log.info(
          "touchtree ctl cannot reach this daemon: $XDG_RUNTIME_DIR is not set; name a socket with --control")
      }
      control = try ControlServer.open(options.control, for: .control, at: path, peers: peers, log: log)
    }
    peers.controlPath = control?.path
    if isLive || options.watchSocket != .standard {
      let path = control.map { FilePath($0.path).removingLastComponent().appending("watch.sock").string }
      watchers = try ControlServer.open(options.watchSocket, for: .watch, at: path, peers: peers, log: log)
    }
  }

  // MARK: Run

  /// Runs until a signal ends it, or the recording is over.
  /// - Throws: `DeviceError` if a requested device cannot be used, or no device can; `DisplayError` if
  ///   another program uses the display or it cannot be used any more; `SystemError`. After everything else
  ///   was done, it throws the reason why the trace or a picture could not be written.
  package func run() throws {
    // Handlers are also detached when the start fails. Commands end last, after the console.
    defer {
      host.endHandlers()
      children.end()
    }
    try startInput()
    try start()
    playback?.start()
    try runtime.run()
    shutDown()
    if let failure = presentation.failure { throw failure }
    if let failure = records.failure { throw failure }
  }

  // MARK: Start

  private func startInput() throws {
    if let recording = options.recording { try load(recording) } else { try startDevices() }
    pipeline.observer = self
  }

  private func load(_ recording: Recording) throws {
    let input = host.tree.configuration.input
    let player = try Player(
      recording: recording, pipeline: pipeline, rules: DeviceRules(input.rules), keyboard: input.keyboard)
    for notice in player.notices { log.warning("\(notice)") }
    player.onProblem = { [log] in log.warning("\($0)") }
    self.player = player
    playback = Playback(
      in: loop, isPaced: isLive, nextTime: { player.nextTime }, playNext: { player.playNext() },
      onEnd: { [weak self] in
        guard let self else { return }
        // As in a run, a command has its time, and one that fails is reported.
        children.drain(limit: HandlerSettings.defaultTimeLimit, loop.stop)
      })
  }

  /// Starts the devices. On a display without viewers, clients alone may provide touches.
  private func startDevices() throws {
    let mayDoWithout = control != nil && options.devices.isEmpty && !presentation.output.display.isWatched
    do {
      try runtime.startDevices()
    } catch let error as DeviceError where mayDoWithout && error.meansNone {
      if error.reason != .noneUsable { log.warning("\(error)") }
      log.notice("no touchscreen, tablet or mouse is used: touches come from `touchtree ctl touch` alone")
    }
  }

  /// Draws the first picture, and notifies the service manager that everything is up.
  private func start() throws {
    if player == nil {
      idle.follow(host.tree.configuration, at: MonotonicClock.now())
      sensors.follow()
      devices.onChange = { [weak self] in self?.sensors.lookForDevices() }
    }
    if let path = options.statisticsFile {
      statisticsFile = StatisticsFile(path: path, of: requests.report, in: loop, log: log)
    }
    serveTyping()
    try runtime.begin(keyboard: notifier.isListenedTo ? .mute : .signals)
    do {
      try notifier.send(.ready, .status(status.line(on: presentation.output.name)))
    } catch {
      log.warning("\(error)")
    }
    notifier.feedWatchdog(in: loop)
    try reloader.begin()
  }

  // MARK: Reload

  /// Shows another configuration, and adapts everything made of the previous one.
  /// - Throws: `ConfigurationError` if a handler cannot be made, `DisplayError` if
  ///   there is no memory. Nothing has changed then.
  func replaceTree(with configuration: Configuration) throws {
    let replacement = try presentation.prepare(configuration.presentation)
    let next = ViewTree(configuration, inPlaceOf: host.tree)
    let made = try host.makeHandlers(of: next, from: factory)
    // Nothing fails from here on. What handlers of cancelled touches change in the old views is kept.
    pipeline.end(at: MonotonicClock.now())
    host.replaceTree(with: next, made)
    presentation.show(with: replacement)
    kept?.follow()
    histories?.follow()
    serveTyping()
    requests.treeWasReplaced()
    followInput(of: configuration)
    if player == nil {
      idle.follow(configuration, at: MonotonicClock.now())
      sensors.follow()
    }
    host.begin(made)
  }

  private func repeatRows() {
    guard host.repeatRows(factory) else { return }
    serveTyping()
    requests.rowsWereReplaced()
  }

  /// Serves the keyboards on the screen, except in a recording: its text was typed when it was made.
  private func serveTyping() { typist.follow(host.tree, isRunning: player == nil) }

  private func followInput(of configuration: Configuration) {
    pipeline.dispatcher.tapSettings = configuration.input.taps
    pipeline.fileWantsScans = configuration.wantsScans
    let isMoved = presentation.output.inputGeometry != pipeline.geometry
    if isMoved { pipeline.move(to: presentation.output.inputGeometry) }
    let isOtherKeyboard = devices.keyboard != configuration.input.keyboard
    devices.keyboard = configuration.input.keyboard
    guard devices.follow(configuration.input.rules) || isMoved || isOtherKeyboard else { return }
    requests.remotes.forgetAll()
    devices.reopen()
  }

  // MARK: Shut down

  /// Ends every touch, draws the result, and restores everything in the reverse order.
  private func shutDown() {
    player?.end()
    // A service manager that does not get this only waits a little longer.
    try? notifier.send(.stopping)
    pipeline.end(at: MonotonicClock.now())
    sensors.end()
    idle.end(at: MonotonicClock.now())
    loop.endTurn()
    for server in [watchers, control] { server?.end(because: "end") }
    // The server that made the folder ends last.
    watchers = nil
    control = nil
    presentation.settle()
    records.finishPictures()
    statisticsFile?.finish()
    kept?.finish()
    histories?.finish()
    host.endHandlers()
    runtime.end()
    records.finishTrace()
    log.info("stopped")
    for line in player?.reportRates ?? [] { log.notice("\(line)") }
  }
}

extension Daemon: InputPipelineObserver {
  package func pipelineApplied(_ frame: InputFrame, from source: TouchSource) {
    statistics.count(
      frame, of: source.device, stamp: player == nil ? frame.time : nil, changes: pipeline.changes,
      dispatcher: pipeline.dispatcher, name: name(of: source.device))
  }

  package func pipelineNoticed(_ notice: InputNotice, of device: TouchCore.DeviceID) {
    log.warning("kernel bug: \(name(of: device)) \(notice.sentence)")
  }

  package func pipelineNoticed(_ notice: ScanNotice, of device: TouchCore.DeviceID) {
    log.log(level: notice.isLoss ? .warning : .info, "\(name(of: device)): \(notice.sentence)")
  }

  private func name(of device: TouchCore.DeviceID) -> String {
    RemoteDevice.name(of: device) ?? player?.name(of: device) ?? devices.name(of: device)
  }
}

extension Daemon: RequestHost {
  package var status: ConfigurationStatus { reloader.status }
  package var clientCount: Int { (control?.count ?? 0) + (watchers?.count ?? 0) }

  package var ownProblems: [HealthProblem] {
    let files = [reloader.saveProblem, kept?.problem, statisticsFile?.problem].compactMap(\.self)
      .map { HealthProblem(.notWritten, $0) }
    guard player == nil else { return files }
    let display = presentation.output.display
    return devices.problems(needsOne: display.isWatched && !display.hasPointer, file: reloader.status.file)
      + files
  }

  package func ownName(of device: TouchCore.DeviceID) -> String {
    player?.name(of: device) ?? devices.description(of: device)?.name ?? "terminal"
  }

  package func reload(then answer: @escaping (Result<[String], ReloadError>) -> Void) {
    reloader.reload(then: answer)
  }
}
