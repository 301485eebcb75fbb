import Glibc
import Logging
import SystemPackage
import TouchConfig
import TouchCore
import TouchHandlers
import TouchInput
import TouchOutput
import TouchPixels
import TouchRender
import TouchSystem

/// What `touchtree run` runs: a display, a session, the devices or a recording, and the loop that ties them.
package final class Daemon {
  private let options: Options
  private let log: Logger
  private let loop: EventLoop
  private let endSignals: EndSignals
  private let output: Output
  private let tree: ViewTree
  private let pipeline: InputPipeline
  private var renderer: Renderer
  /// The person at the terminal, if that is the display.
  private let terminalController: TerminalController?
  private let children: ChildProcesses
  private let devices: DeviceManager
  private let host: Host
  private let notifier: ServiceNotifier
  private let pipelineTimer: PipelineTimer
  /// Takes requests, if anybody may send some.
  private var control: ControlServer?
  /// Plays the recording, if there is one.
  private var player: Player?
  private var playback: Playback?
  /// Why the trace or a picture could not be written.
  private var outputFailure: (any Error)?
  /// Fires while a highlight fades; nil while none does.
  private var fadeTimer: Int?
  /// Why nothing can be shown any more.
  private var displayFailure: DisplayError?

  /// Opens the display and builds everything that needs no device. The console is taken last, so that a failure
  /// before leaves it as it was.
  ///
  /// - Throws: `FileTrustError` as root when every user could change the configuration, `ConfigurationError` when a handler
  ///   cannot be made; `DisplayError`, `LoopError`, `ServiceNotifierError`, `ControlError`.
  package init(configuration: Configuration, options: Options, log: Logger) throws {
    self.options = options
    self.log = log
    let trust = FileTrust.ofRoot
    try trust?.check(configuration.file) { log.warning("\($0)") }
    loop = try EventLoop()
    endSignals = try EndSignals(
      [SIGINT, SIGTERM, SIGHUP, SIGQUIT], logHead: LogOutput.head(of: .error, forPeople: "touchtree: error: ")
    )
    options.deferredLog?.follow(in: loop)
    options.trace?.follow(in: loop)
    output = try Output(
      options.display ?? DisplayChoice(configuration.display.device), for: configuration, log: log)
    tree = ViewTree(configuration, canvasSize: output.inputGeometry.canvasSize)
    pipeline = InputPipeline(tree, geometry: output.inputGeometry)
    renderer = try Self.renderer(on: output.display, geometry: output.geometry, configuration)
    terminalController = output.terminal.map { [output, loop] in
      TerminalController(display: $0, geometry: output.geometry, loop: loop)
    }
    devices = DeviceManager(
      loop: loop, pipeline: pipeline, rules: configuration.input.rules, chosen: options.devices, log: log)
    host = Host(loop: loop, tree: tree, logger: log)
    children = ChildProcesses(host: host)
    notifier = try ServiceNotifier.fromEnvironment()
    pipelineTimer = PipelineTimer(loop: loop, pipeline: pipeline)
    // Before there are plugins: the threads that they start must leave these signals to the loop.
    try watchSignals()
    if let passes = options.hitTestPasses { tree.window.hitTestPasses = passes }
    pipeline.dispatcher.observer = options.trace?.writer
    let plugins = PluginFolders.locator(for: configuration, options.pluginFolders)
    let factory = HandlerFactory(plugins: plugins, children: children, host: host, trust: trust)
    try tree.attachHandlers(of: configuration, from: factory)
    if isLive || options.control != .standard {
      control = try ControlServer.open(options.control, in: loop, log: log)
    }
  }

  private static func renderer(
    on display: any Display, geometry: DisplayGeometry, _ configuration: Configuration
  ) throws(DisplayError) -> Renderer {
    try Renderer(
      display: display, geometry: geometry, style: configuration.highlight,
      background: configuration.display.background)
  }
}

extension Daemon {
  /// Runs until a signal ends it.
  ///
  /// - Throws: `DeviceError` or `DeviceRefusal` when a device asked for cannot be used, `NoDevices` when there is
  ///   none at all, `DisplayError` when the display is somebody else's or cannot be used any more, `LoopError`; what kept the trace or a picture from being written, after everything else was done.
  package func run() throws {
    // Handlers are told of the end, also of one that comes before the beginning. Then their commands end, when the console
    // was given back.
    defer {
      tree.detachHandlers()
      children.end()
    }
    if let recording = options.recording {
      try replay(recording)
      if let displayFailure { throw displayFailure }
      if let outputFailure { throw outputFailure }
      return
    }
    // Beside a terminal's mouse only what is asked for: it is one of the devices.
    if terminalController == nil || !options.devices.isEmpty { try devices.start() }
    try begin()
    try loop.run()
    end()
    if let displayFailure { throw displayFailure }
    if let outputFailure { throw outputFailure }
  }

  /// Plays a recording as if its device were there: in real time where somebody can watch, else as fast as it goes.
  private func replay(_ recording: Recording) throws {
    let player = try Player(
      recording: recording, pipeline: pipeline, rules: tree.configuration.input.rules)
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

  /// The first picture, and then the word that everything is up.
  private func begin() throws {
    pipeline.onNotice = { [unowned self] device, notice in
      let name = player?.name(of: device) ?? devices.name(of: device)
      log.warning("kernel bug: \(name) \(notice.sentence)")
    }
    prepareRenderer()
    output.onChange = { [unowned self] change in follow(change) }
    try output.begin(
      in: loop, terminal: options.terminal, keyboard: notifier.isListenedTo ? .mute : .signals)
    takeTerminal()
    loop.onTurnEnd = { [unowned self] in finishTurn() }
    finishTurn()
    log.info("ready: \(output.name)")
    do {
      try notifier.send(.ready, .status("Showing \(output.name)"))
    } catch {
      log.warning("\(error)")
    }
    feedWatchdog()
  }

  /// Lets the service manager's watchdog know that the loop still turns, if there is one. This is the only thing that
  /// wakes an idle daemon.
  private func feedWatchdog() {
    guard let time = notifier.watchdogTime else { return }
    _ = loop.addTimer(milliseconds: time / 2, repeats: true) { [notifier] in
      // The next one may arrive.
      try? notifier.send(.alive)
    }
  }

  /// Ends every touch, shows that they are gone, and gives everything back in the reverse order.
  private func end() {
    // A manager that does not hear of it only waits a little longer.
    try? notifier.send(.stopping)
    control = nil
    pipeline.end(at: MonotonicClock.now())
    finishTurn()
    if output.isShown {
      renderer.settle(tree.window)
      do {
        try options.pictures?.finish(pipeline.dispatcher, renderer)
      } catch {
        outputFailed(error)
      }
    }
    tree.detachHandlers()
    output.end()
    terminalController?.end()
    options.deferredLog?.release()
    options.trace?.finish()
    if let dropped = options.trace?.droppedLines, dropped > 0 {
      log.warning("\(dropped) lines of the trace were dropped: nobody read them in time")
    }
    log.info("stopped")
  }

  private func finishTurn() {
    pipeline.endTurn()
    // A recording has its own time, by which its player lets gestures go on.
    if player == nil { pipelineTimer.update() }
    if output.isShown {
      renderer.update(pipeline.dispatcher, cursor: cursor, at: isLive ? MonotonicClock.now() : pipeline.time)
      if !renderer.isCurrent { output.look() }
    }
    watchFading()
    terminalController?.present()
    control?.answer(answer(to:))
    do {
      try options.pictures?.consider(pipeline.dispatcher, renderer)
      try options.trace?.flush()
      if !isLive { try options.trace?.awaitReader() }
    } catch {
      outputFailed(error)
    }
  }

  private func answer(to request: ControlRequest) -> ControlResponse {
    request.answer(in: tree, renderer, hiddenBecause: output.hiddenBecause)
  }

  /// Whether time passes as it does for whoever watches, and not as fast as a recording can be played.
  private var isLive: Bool {
    options.recording == nil || options.isPaced ?? (output.hasFramebuffer || terminalController != nil)
  }

  /// Has the loop turn while something fades, and not once more.
  private func watchFading() {
    let isFading = isLive && output.isShown && renderer.isFading
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
    let location = terminalController.map(\.pointer) ?? pipeline.pointer.location
    switch tree.configuration.input.cursor {
    case .always: return location
    case .never: return nil
    case .auto:
      // A seat's mouse is all that touches it.
      return terminalController != nil || (hasMouse && pipeline.isPointerInUse) ? location : nil
    }
  }

  private var hasMouse: Bool { player?.hasRelativePointer ?? devices.hasRelativePointer }

  private func prepareRenderer() {
    renderer.report = { [unowned self] notice in
      log.warning("\(tree.configuration.sentence(for: notice))")
    }
    renderer.prepare()
  }

  /// Keeps session and screen in step with what they are shown on.
  private func follow(_ change: Output.Change) {
    switch change {
    case .hidden:
      pipeline.suspend(at: MonotonicClock.now())
      terminalController?.forgetFinger()
    case .shown:
      pipeline.resume()
      // Nobody tells a stopped process that its terminal has another size.
      terminalController?.followSize()
      renderer.drawEverything()
    case .replaced:
      pipeline.suspend(at: MonotonicClock.now())
      pipeline.move(to: output.geometry)
      devices.reopen()
      do {
        renderer = try Self.renderer(on: output.display, geometry: output.geometry, tree.configuration)
        prepareRenderer()
        pipeline.resume()
      } catch {
        fail(error)
      }
    case .failed(let error):
      fail(error)
    }
  }

  private func fail(_ error: DisplayError) {
    displayFailure = error
    loop.stop()
  }

  /// Shows the picture in the terminal, and has its mouse touch it.
  private func takeTerminal() {
    guard let terminalController, let terminal = output.terminal else { return }
    terminalController.onEnd = { [unowned self] in loop.stop() }
    terminalController.onTouch = { [unowned self] in pipeline.apply($0, at: MonotonicClock.now()) }
    terminalController.onResize = { [unowned self, unowned terminalController] in
      do {
        renderer = try Self.renderer(
          on: terminal, geometry: terminalController.geometry, tree.configuration)
        prepareRenderer()
      } catch {
        log.error("\(error)")
        loop.stop()
      }
    }
    options.deferredLog?.hold()
    do {
      try terminalController.begin()
    } catch {
      log.error("\(error)")
      loop.stop()
    }
  }

  private func watchSignals() throws {
    signal(SIGPIPE, SIG_IGN)
    try loop.watch(endSignals.descriptor) { [unowned self] in
      endSignals.take()
      loop.stop()
    }
    try loop.watchSignals([SIGCHLD, SIGWINCH] + Output.signals) { [unowned self] number in
      if number == SIGCHLD {
        children.reap()
      } else if number == SIGWINCH {
        terminalController?.followSize()
      } else {
        output.handle(signal: number)
      }
    }
  }
}

extension Daemon {
  /// What the command line says beyond the configuration.
  package struct Options {
    /// Instead of the configuration's; nil leaves that.
    package var display: DisplayChoice?
    /// The virtual terminal to take over.
    package var terminal = Console.Choice.own
    /// Device nodes to use instead of what the rules choose.
    package var devices: [String] = []
    /// Played instead of reading devices; nil reads devices.
    package var recording: Recording?
    /// Whether the recording is played in its own time; nil for wherever somebody can watch.
    package var isPaced: Bool?
    /// Nil writes none.
    package var trace: TraceOutput?
    /// A folder for pictures of every change of phase.
    package var pictures: PictureSeries?
    /// Searched for plugins, first to last.
    package var pluginFolders: [String] = []
    /// 1 or 2, instead of the configuration's; nil leaves that.
    package var hitTestPasses: Int?
    /// Whether and where requests are taken. A recording that is played as fast as it goes takes none where nobody asked
    /// for it.
    package var control = ControlChoice.none
    /// Where the log goes: written by the loop when its reader is behind, and kept back while the terminal shows the picture.
    package var deferredLog: DeferredLog?

    package init() {}
  }
}
