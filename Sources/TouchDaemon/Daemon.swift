import Glibc
import Logging
import SystemPackage
import TouchConfig
import TouchCore
import TouchDisplay
import TouchHandlers
import TouchInput

/// What `touchtree run` runs: a display, a session, the devices or a recording, and the loop that ties them.
public final class Daemon {
  /// What the command line says beyond the configuration.
  public struct Options {
    public var display: DisplayChoice?
    /// The virtual terminal to take over; nil for the one that the process runs on.
    public var terminal: String?
    /// Device nodes to use instead of what the rules choose.
    public var devices: [String] = []
    public var recording: Recording?
    /// Whether the recording is played in its own time; nil for wherever somebody can watch.
    public var isPaced: Bool?
    public var trace: TraceOutput?
    /// A folder for pictures of every change of phase.
    public var pictures: PictureBook?
    /// Searched for plugins, first to last.
    public var pluginFolders: [String] = []
    public var hitTestPasses: Int?

    public init() {}
  }

  private let options: Options
  private let log: Logger
  private let loop: EventLoop
  private let opened: OpenedDisplay
  private let session: Session
  private let screen: Screen
  private let children = ChildProcesses()
  private let devices: DeviceManager
  private let host: Host
  private let notifier: ServiceNotifier
  private let gestureTimer: GestureTimer
  /// Plays the recording, if there is one.
  private var player: Player?
  private var playback: Playback?
  /// Why the trace or a picture could not be written.
  private var outputFailure: (any Error)?
  /// Fires while a highlight fades; nil while none does.
  private var fadeTimer: Int?
  /// Keeps the console until the daemon goes.
  private var console: Console?

  /// Opens the display and builds everything that needs no device. The console is taken last, so that a failure
  /// before leaves it as it was.
  ///
  /// - Throws: `DisplayError`, `HandlerErrors`, `LoopError`, `ServiceNotifierError`.
  public init(configuration: Configuration, options: Options, log: Logger) throws {
    self.options = options
    self.log = log
    loop = try EventLoop()
    opened = try OpenedDisplay(
      options.display ?? DisplayChoice(configuration.display.device), for: configuration)
    let geometry = DisplayGeometry(configuration, display: opened.display.size)
    session = Session(configuration: configuration, geometry: geometry)
    screen = try Screen(
      display: opened.display, geometry: geometry, style: configuration.highlight,
      background: configuration.display.background)
    devices = DeviceManager(
      loop: loop, session: session, chosen: options.devices, log: log)
    host = Host(loop: loop, scene: session.scene, logger: log)
    notifier = try ServiceNotifier.fromEnvironment()
    gestureTimer = GestureTimer(loop: loop, dispatcher: session.dispatcher)
    if let passes = options.hitTestPasses { session.scene.window.hitTestPasses = passes }
    session.dispatcher.observer = options.trace?.writer
    let plugins = PluginLocator(
      folders: [configuration.folder] + options.pluginFolders, trustedOwners: PluginFolders.trustedOwners)
    let factory = HandlerFactory(plugins: plugins, children: children, host: host)
    try session.scene.attachHandlers(of: configuration, from: factory)
  }
}

extension Daemon {
  /// Runs until a signal ends it.
  ///
  /// - Throws: `DeviceError` or `DeviceRefusal` when a device asked for cannot be used, `NoDevices` when there is
  ///   none at all, `LoopError`; what kept the trace or a picture from being written, after everything else was done.
  public func run() throws {
    if let recording = options.recording {
      try replay(recording)
      if let outputFailure { throw outputFailure }
      return
    }
    try devices.start()
    try watchSignals()
    begin()
    try loop.run()
    end()
    if let outputFailure { throw outputFailure }
  }

  /// Plays a recording as if its device were there: in real time where somebody can watch, else as fast as it goes.
  private func replay(_ recording: Recording) throws {
    let player = try Player(recording: recording, session: session)
    for notice in player.notices { log.warning("\(notice)") }
    self.player = player
    try watchSignals()
    begin()
    let playback = Playback(
      in: loop, isPaced: isLive, nextTime: { player.nextTime }, playNext: { player.playNext() },
      onEnd: loop.stop)
    self.playback = playback
    playback.start()
    try loop.run()
    player.end()
    end()
    for line in player.reportRates { log.notice("\(line)") }
  }

  /// The first picture, and then the word that everything is up.
  private func begin() {
    session.onNotice = { [unowned self] device, notice in
      let name = player?.name(of: device) ?? devices.name(of: device)
      log.warning("kernel bug: \(name) \(notice.sentence)")
    }
    screen.report = { [unowned self] notice in log.warning("\(notice)") }
    screen.prepare()
    takeConsole()
    loop.onTurnEnd = { [unowned self] in finishTurn() }
    finishTurn()
    log.info("ready: \(opened.name)")
    do {
      try notifier.send(.ready, .status("Showing \(opened.name)"))
    } catch {
      log.warning("\(error)")
    }
  }

  /// Ends every touch, shows that they are gone, and gives everything back in the reverse order.
  private func end() {
    // A manager that does not hear of it only waits a little longer.
    try? notifier.send(.stopping)
    session.end(at: MonotonicClock.now())
    finishTurn()
    screen.settle(session)
    session.scene.detachHandlers()
    console = nil
    if let dropped = options.trace?.droppedLines, dropped > 0 {
      log.warning("\(dropped) lines of the trace were dropped: nobody read them in time")
    }
    log.info("stopped")
  }

  private func finishTurn() {
    session.endTurn()
    // A recording has its own time, by which its player lets gestures go on.
    if player == nil { gestureTimer.update() }
    screen.update(session, cursor: cursor, at: isLive ? MonotonicClock.now() : session.time)
    watchFading()
    do {
      try options.pictures?.consider(session, screen)
      try options.trace?.flush()
    } catch {
      outputFailed(error)
    }
  }

  /// Whether time passes as it does for whoever watches, and not as fast as a recording can be played.
  private var isLive: Bool { player == nil || options.isPaced ?? (opened.framebufferPath != nil) }

  /// Has the loop turn while something fades, and not once more.
  private func watchFading() {
    let isFading = isLive && screen.isFading
    guard isFading != (fadeTimer != nil) else { return }
    if let fadeTimer {
      loop.cancelTimer(fadeTimer)
      self.fadeTimer = nil
    } else {
      fadeTimer = loop.addTimer(milliseconds: Self.fadeStep, repeats: true) {}
    }
  }

  /// Thirty steps a second look smooth, and leave a slow board time for touches.
  private static let fadeStep = 33

  /// What is written about the touches must not keep them from being delivered. It is said once.
  private func outputFailed(_ error: any Error) {
    if options.trace?.isAllThatIsWanted ?? false { loop.stop() }
    // Whoever read the trace has seen enough.
    if (error as? TraceError)?.cause == .brokenPipe { return }
    guard outputFailure == nil else { return }
    outputFailure = error
    log.error("\(error)")
  }

  /// Where the pointer is to be drawn, or nil.
  private var cursor: WindowPoint? {
    switch session.configuration.input.cursor {
    case .always: session.pointer.location
    case .never: nil
    case .auto: player?.hasRelativePointer ?? devices.hasRelativePointer ? session.pointer.location : nil
    }
  }

  private func takeConsole() {
    guard opened.framebufferPath != nil, session.configuration.display.console == .hide else { return }
    do {
      console = try Console(tty: options.terminal, keyboard: notifier.isListenedTo ? .mute : .signals)
    } catch {
      log.warning("\(error)")
    }
  }

  private func watchSignals() throws {
    signal(SIGPIPE, SIG_IGN)
    try loop.watchSignals([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD]) { [unowned self] number in
      if number == SIGCHLD { children.reap() } else { loop.stop() }
    }
  }
}

/// No input device can be used.
public struct NoDevices: Error, CustomStringConvertible {
  public var description: String {
    "no touchscreen, tablet or mouse to read: none is plugged in, or the configuration leaves it out. "
      + "`touchtree devices` says for each device why it is not used; --replay plays a recording instead."
  }
}
