import Glibc
import Logging
import SystemPackage
import TouchConfig
import TouchCore
import TouchHandlers
import TouchInput
import TouchOutput
import TouchSystem
import TouchViews

/// What `touchtree run` runs: a view tree on a display, the devices or a recording that touch it, and the loop that
/// connects them.
package final class Daemon {
  let options: Options
  let log: Logger
  let loop: EventLoop
  private let endSignals: EndSignals
  private let controllingTerminal = ControllingTerminal()
  /// Reloading replaces it, with its handlers.
  var tree: ViewTree
  var handlers = DeclaredHandlers()
  var status: ConfigurationStatus
  /// Who waits for the next reload; one is done a turn.
  var waitingForReload: [(Result<[String], ReloadError>) -> Void] = []
  /// Nil where saves are not followed.
  private(set) var watch: ConfigurationWatch?
  /// Waits for files of the configuration whose file system does not answer; nil while all do.
  var silence: (probe: FileProbe, source: EventLoop.Source)?
  let factory: HandlerFactory
  let pipeline: InputPipeline
  private let pipelineTimer: PipelineTimer
  let presentation: Presentation
  let idle: IdleDisplay
  let devices: DeviceManager
  let host: Host
  private let children: ChildProcesses
  let notifier: ServiceNotifier
  private let statistics = InputStatistics()
  let requests: ControlRequests
  /// Nil where none is written.
  private var statisticsFile: StatisticsFile?
  /// Nil where no clients are taken.
  private var control: ControlServer?
  /// Nil where none are taken that only watch.
  private var watchers: ControlServer?
  /// Plays the recording, if there is one.
  private(set) var player: Player?
  private var playback: Playback?
  /// Why the trace or a picture could not be written.
  private var outputFailure: (any Error)?

  // MARK: Start

  /// Opens the display and builds everything that needs no device. The console is taken last, so that a failure
  /// before leaves it as it was.
  ///
  /// - Throws: `FileTrustError` as root when every user could change the configuration, `ConfigurationError` when a handler
  ///   cannot be made; `DisplayError`, `SystemError`, `ControlError`.
  package init(configuration: Configuration, options: Options, log: Logger) throws {
    self.options = options
    self.log = log
    let configuration = configuration.adding(options)
    status = ConfigurationStatus(configuration, insteadOf: options.brokenFile)
    let trust = FileTrust.ofRoot
    try trust?.check(configuration.file) { log.warning("\($0)") }
    loop = try EventLoop()
    let choice = options.display ?? DisplayChoice(configuration.display.device)
    endSignals = try EndSignals(
      logHead: LogOutput.head(of: .error, forPeople: "touchtree: error: "), hangupEnds: choice.isTerminal)
    options.deferredLog?.follow(in: loop)
    options.trace?.follow(in: loop)
    let output = try Output(choice, for: configuration, log: log)
    tree = ViewTree(configuration, geometry: output.inputGeometry)
    pipeline = InputPipeline(tree, geometry: output.inputGeometry)
    pipelineTimer = PipelineTimer(loop: loop, pipeline: pipeline)
    presentation = try Presentation(of: tree, pipeline, on: output, in: loop, log: log)
    devices = DeviceManager(
      loop: loop, pipeline: pipeline, rules: DeviceRules(configuration.input.rules), chosen: options.devices,
      log: log)
    host = Host(loop: loop, tree: tree, logger: log)
    idle = IdleDisplay(presentation, pipeline, host: host, in: loop, log: log)
    children = ChildProcesses(host: host)
    requests = ControlRequests(tree, pipeline, presentation, statistics, for: host)
    notifier = try ServiceNotifier.fromEnvironment()
    factory = HandlerFactory(
      plugins: PluginFolders.locator(for: configuration, options.pluginFolders), children: children,
      host: host,
      trust: trust)
    // Before there are plugins: the threads that they start must leave these signals to the loop.
    try watchSignals()
    pipeline.dispatcher.observer = options.trace?.writer
    options.pictures?.isLive = true
    let made = try tree.makeHandlers(from: factory)
    tree.attach(made)
    handlers = made.declared
    handlers.begin(in: host.peers)
    if isLive || options.control != .standard {
      control = try ControlServer.open(options.control, peers: host.peers, log: log)
    }
    host.peers.controlPath = control?.path
    if isLive || options.watchSocket != .standard {
      watchers = try ControlServer.openForWatching(
        options.watchSocket, beside: control, peers: host.peers, log: log)
    }
    followRequests()
  }

  private func followRequests() {
    requests.paint = { [unowned self] in paint(now: MonotonicClock.now()) }
    requests.reload = { [unowned self] answer in reload(then: answer) }
    requests.configuration = { [unowned self] in status }
    requests.plugins = { [unowned self] in handlers.plugins }
    requests.clientCount = { [unowned self] in (control?.count ?? 0) + (watchers?.count ?? 0) }
    host.peers.deviceName = { [unowned self] device in
      RemoteDevice.name(of: device) ?? player?.name(of: device) ?? devices.device(device)?.description.name
        ?? "terminal"
    }
  }

  private func watchSignals() throws {
    signal(SIGPIPE, SIG_IGN)
    try loop.watch(endSignals.descriptor) { [unowned self] in
      endSignals.take()
      loop.stop()
    }
    let hangup = presentation.terminalController == nil ? [SIGHUP] : []
    try loop.watchSignals([SIGCHLD, SIGWINCH] + hangup + Output.signals) { [unowned self] number in
      switch number {
      case SIGCHLD: children.reap()
      case SIGWINCH: presentation.terminalController?.followSize()
      case SIGHUP: hangUp()
      default: presentation.output.handle(signal: number)
      }
    }
  }

  /// Reloads, unless the signal means what it meant at first: the terminal is gone.
  private func hangUp() {
    if controllingTerminal.isGone { return loop.stop() }
    reload()
  }

  // MARK: Run

  /// Runs until a signal ends it, or the recording is over.
  ///
  /// - Throws: `DeviceError` when a device asked for cannot be used, or no device can; `DisplayError` when another program uses the display or it cannot be used any more, `SystemError`;
  ///   and, after everything else was done, why the trace or a picture could not be written.
  package func run() throws {
    // Handlers are detached also when the start fails. Commands end last, when the console has been restored.
    defer {
      endHandlers()
      children.end()
    }
    if let recording = options.recording {
      try replay(recording)
    } else {
      // The terminal's mouse is a device: others are read only if they are asked for.
      if presentation.terminalController == nil || !options.devices.isEmpty { try startDevices() }
      try begin()
      try loop.run()
      end()
    }
    if let failure = presentation.failure { throw failure }
    if let outputFailure { throw outputFailure }
  }

  private func endHandlers() {
    tree.detachHandlers()
    handlers = DeclaredHandlers()
    host.peers.endProcesses(because: "end")
  }

  /// Without a display that is seen, such as in a test of a user interface, touches may come from clients alone.
  private func startDevices() throws {
    let mayDoWithout = control != nil && options.devices.isEmpty && !presentation.output.hasFramebuffer
    do {
      try devices.start()
    } catch let error as DeviceError where mayDoWithout && error.meansNone {
      if error.reason != .noneUsable { log.warning("\(error)") }
      log.notice("no touchscreen, tablet or mouse is used: touches come from `touchtree ctl touch` alone")
    }
  }

  /// Plays a recording as if its devices were there.
  private func replay(_ recording: Recording) throws {
    let player = try Player(
      recording: recording, pipeline: pipeline, rules: DeviceRules(tree.configuration.input.rules))
    for notice in player.notices { log.warning("\(notice)") }
    self.player = player
    try begin()
    let playback = Playback(
      in: loop, isPaced: isLive, nextTime: { player.nextTime }, playNext: { player.playNext() },
      onEnd: { [unowned self] in
        // As in a run, a command has its time, and one that fails is reported.
        children.drain(limit: HandlerSettings.defaultTimeLimit, loop.stop)
      })
    self.playback = playback
    playback.start()
    try loop.run()
    player.end()
    end()
    for line in player.reportRates { log.notice("\(line)") }
  }

  /// Whether time passes as on a display that is watched, and not as fast as a recording can be played.
  private var isLive: Bool {
    options.recording == nil
      || options.isPaced
        ?? (presentation.output.hasFramebuffer || presentation.terminalController != nil)
  }

  /// Draws the first picture, and notifies the service manager that everything is up.
  private func begin() throws {
    pipeline.onNotice = { [unowned self] device, notice in
      log.warning("kernel bug: \(name(of: device)) \(notice.sentence)")
    }
    // Frames come while `run` runs, so both are there; checking that took 200 instructions of each frame.
    pipeline.onFrame = {
      [
        statistics, unowned(unsafe) self, unowned(unsafe) pipeline, dispatcher = pipeline.dispatcher,
        isReplayed = player != nil
      ] frame, source in
      statistics.count(
        frame, of: source.device, stamp: isReplayed ? nil : frame.time, changes: pipeline.changes,
        dispatcher: dispatcher, name: name(of: source.device))
    }
    presentation.onPainted = { [statistics] in statistics.painted(isShown: $0) }
    presentation.onEnd = { [unowned self] in loop.stop() }
    presentation.onChange = { [unowned self] in idle.wake(at: MonotonicClock.now()) }
    presentation.onReplaced = { [unowned self] in
      requests.forgetRemotes()
      devices.reopen()
    }
    if player == nil {
      idle.follow(tree.configuration, at: MonotonicClock.now())
      requests.idle = idle
    }
    if let path = options.statisticsFile {
      statisticsFile = StatisticsFile(path: path, log: log) { [loop] milliseconds, body in
        _ = loop.addTimer(milliseconds: milliseconds, repeats: false, body)
      }
    }
    // Log lines would run into a picture on the same terminal.
    if presentation.terminalController != nil { options.deferredLog?.hold() }
    try presentation.begin(
      terminal: options.terminal, keyboard: notifier.isListenedTo ? .mute : .signals)
    loop.onTurnEnd = { [unowned(unsafe) self] in finishTurn() }
    finishTurn()
    log.info("ready: \(presentation.output.name)")
    do {
      try notifier.send(.ready, .status(statusLine))
    } catch {
      log.warning("\(error)")
    }
    feedWatchdog()
    if options.brokenFile == nil { save(tree.configuration) }
    if options.isWatching { try watchConfiguration() }
    if let probe = options.probe { try reload(after: probe) }
  }

  private func watchConfiguration() throws(SystemError) {
    let watch = try ConfigurationWatch(in: loop)
    watch.onChange = { [unowned self] in reload() }
    self.watch = watch
    // The folder of one that does not answer is followed when it was read.
    guard options.probe == nil else { return }
    try watch.follow(status.file, pictures: tree.configuration.pictures)
  }

  /// Of a device, or of one of the recording, for people.
  private func name(of device: TouchCore.DeviceID) -> String {
    RemoteDevice.name(of: device) ?? player?.name(of: device) ?? devices.name(of: device)
  }

  /// Notifies the service manager's watchdog, if there is one, that the loop still turns. This is the only timer of an
  /// idle daemon.
  private func feedWatchdog() {
    guard let time = notifier.watchdogTime else { return }
    _ = loop.addTimer(milliseconds: time / 2, repeats: true) { [notifier] in
      // The next one may arrive.
      try? notifier.send(.alive)
    }
  }

  /// Ends a turn of the loop: delivers what waited for it, draws, answers requests, and writes trace and pictures.
  private func finishTurn() {
    pipeline.endTurn()
    // The clock is read once for all that comes before the pixels.
    let now = MonotonicClock.now()
    statistics.handlersReturned(at: now)
    // A recording has its own time, by which its player lets gestures go on.
    if player == nil {
      pipelineTimer.update()
      idle.update(at: now)
    }
    paint(now: now)
    statistics.turnEnded()
    host.peers.flush()
    requests.updateViewers(at: now)
    statisticsFile?.turnEnded(requests.revision) { requests.metrics }
    do {
      try options.pictures?.consider(pipeline.dispatcher, presentation.renderer)
      try options.trace?.flush()
      if !isLive { try options.trace?.awaitReader() }
    } catch {
      outputFailed(error)
    }
  }

  private func paint(now: Timestamp) {
    presentation.update(
      hasMouse: player?.hasRelativePointer ?? devices.hasRelativePointer, isLive: isLive, now: now)
  }

  /// Logs once that the trace or a picture cannot be written. Touches are delivered all the same.
  private func outputFailed(_ error: any Error) {
    if options.trace?.isAllThatIsWanted ?? false { loop.stop() }
    // The reader of the trace has seen enough.
    if (error as? SystemError)?.errno == .brokenPipe { return }
    guard outputFailure == nil else { return }
    outputFailure = error
    log.error("\(error)")
  }

  // MARK: Shut down

  /// Ends every touch, draws that they are gone, and restores everything in the reverse order.
  private func end() {
    // A service manager that does not get this only waits a little longer.
    try? notifier.send(.stopping)
    pipeline.end(at: MonotonicClock.now())
    idle.end(at: MonotonicClock.now())
    finishTurn()
    for server in [watchers, control] { server?.end(because: "end") }
    // The one that made the folder goes last.
    watchers = nil
    control = nil
    if presentation.output.isShown {
      presentation.renderer.settle(tree.window)
      do {
        try options.pictures?.finish(pipeline.dispatcher, presentation.renderer)
      } catch {
        outputFailed(error)
      }
    }
    statisticsFile?.turnEnded(requests.revision, isLast: true) { requests.metrics }
    endHandlers()
    presentation.end()
    options.deferredLog?.release()
    options.trace?.finish()
    if let dropped = options.trace?.droppedLines, dropped > 0 {
      log.warning("\(dropped) lines of the trace were dropped: its reader was too slow")
    }
    log.info("stopped")
  }
}

extension Daemon {
  /// What the command line adds to the configuration.
  package struct Options {
    /// Instead of the configuration's; nil leaves that.
    package var display: DisplayChoice?
    /// The virtual terminal to use.
    package var terminal = Console.Choice.own
    /// Device nodes to read instead of those that the rules choose.
    package var devices: [String] = []
    /// Played instead of reading devices; nil reads devices.
    package var recording: Recording?
    /// Whether the recording is played in real time; nil where the display is a framebuffer or a terminal.
    package var isPaced: Bool?
    /// Nil writes none.
    package var trace: TraceOutput?
    /// A folder for pictures of every change of phase.
    package var pictures: PictureSeries?
    /// Searched for plugins, first to last.
    package var pluginFolders: [String] = []
    /// 1 or 2, instead of the configuration's; nil leaves that.
    package var hitTestPasses: Int?
    /// Where requests are taken. A recording that is played as fast as possible takes none at the standard path.
    package var control = ControlChoice.none
    /// Where requests are taken of those who only look; the standard path is beside that of `control`.
    package var watchSocket = ControlChoice.none
    /// The path of a file for the statistics; nil writes none.
    package var statisticsFile: String?
    /// Whether the configuration is reloaded whenever it is saved.
    package var isWatching = false
    /// Where the configuration is saved once it works; nil saves none.
    package var saved: SavedConfiguration?
    /// The file that cannot be used, if the saved configuration is shown instead, and everything that is wrong with it.
    package var brokenFile: (path: String, problems: [String])?
    /// Waits for that file, if its file system does not answer.
    package var probe: FileProbe?
    /// Where the log goes; it is kept back while the terminal shows the picture.
    package var deferredLog: DeferredLog?

    package init() {}
  }
}
