import Glibc
import Logging
import TouchCore
import TouchInput
import TouchOutput
import TouchRender
import TouchSystem
import TouchViews

/// What shows a window and lets it be touched: the loop, the display with its console, the devices, and the signals that end it.
///
/// `Application` is its front door for programs, and the daemon stands on it. It goes `init`, `takeSignals`, `startDevices`,
/// `begin`, `run`, `end`, and what a user does between those is the user's.
package final class Runtime {
  /// What is chosen when a program starts.
  package struct Options {
    /// Nil for that of the settings.
    package var display: DisplayName?
    /// The virtual terminal to use.
    package var terminal = Console.Choice.own
    /// Device nodes to read instead of those that the rules choose.
    package var devices: [String] = []
    /// How each device is used.
    package var rules = DeviceRules([])
    /// Which letters keyboards type.
    package var keyboard = KeyboardSettings()
    /// What time goes by; nil for the monotonic clock.
    package var clock: ManualClock?
    /// Whether gestures and filters see time pass; false where a recording has a time of its own.
    package var passesTime = true
    /// Whether SIGHUP ends the program, as SIGINT and SIGTERM do.
    package var hangupEnds = true
    /// Whether the signals that end the program are taken from the start, or only by `takeSignals`.
    package var takesSignalsEarly = true
    /// What a line on standard error begins with.
    package var errorHead = LogOutput.head(of: .error, forPeople: "touchtree: error: ")
    /// Where the log goes; it is kept back while the terminal shows the picture.
    package var deferredLog: DeferredLog?

    package init() {}
  }

  package let loop: EventLoop
  package let pipeline: InputPipeline
  package let presentation: Presentation
  package let devices: DeviceManager
  package let log: Logger
  private let options: Options
  private var endSignals: EndSignals?
  private let pipelineTimer: PipelineTimer?

  package var window: Window { pipeline.dispatcher.window }
  /// Whether devices are read that the program names.
  package var hasChosenDevices: Bool { !options.devices.isEmpty }
  package var output: Output { presentation.output }

  /// Opens the display. The console stays as it is until `begin`, so that a failure before leaves it alone.
  ///
  /// - Parameter windowID: of the window, which is empty.
  /// - Throws: `DisplayError`, `SystemError`.
  package init(
    _ settings: PresentationSettings, _ options: Options, windowID: String, log: Logger
  ) throws {
    self.options = options
    self.log = log
    loop = try EventLoop(manualClock: options.clock)
    if options.takesSignalsEarly { endSignals = try Self.endSignals(options) }
    options.deferredLog?.follow(in: loop)
    let output = try Output(options.display, for: settings, log: log)
    let window = Window(id: windowID, size: output.inputGeometry.canvasSize)
    window.measuresContent()
    pipeline = InputPipeline(window: window, geometry: output.inputGeometry)
    pipelineTimer = options.passesTime ? PipelineTimer(loop: loop, pipeline: pipeline) : nil
    presentation = try Presentation(settings, pipeline, on: output, in: loop, log: log)
    devices = DeviceManager(
      loop: loop, pipeline: pipeline, rules: options.rules, chosen: options.devices, log: log)
    devices.takesKeys = true
    devices.keyboard = options.keyboard
    devices.onTerminal = { [unowned output] in output.showTerminal($0) }
    presentation.addFollower(devices)
    loop.addHook(pipeline, at: .deliver)
  }

  private static func endSignals(_ options: Options) throws(SystemError) -> EndSignals {
    try EndSignals(logHead: options.errorHead, hangupEnds: options.hangupEnds)
  }

  /// Has the loop take signals: those that end the program stop it, and those of the console and the display go there.
  ///
  /// - Parameters:
  ///   - others: taken as well.
  ///   - take: called with one of those.
  /// - Throws: `SystemError`.
  package func takeSignals(
    and others: [Int32] = [], _ take: @escaping (Int32) -> Void = { _ in }
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    let ends = try endSignals ?? Self.endSignals(options)
    endSignals = ends
    // The loop may live a little longer than this, and they may not: the next runtime has its own.
    try loop.watch(ends.descriptor) { [unowned self] in
      endSignals?.take()
      loop.stop()
    }
    try loop.watchSignals([SIGWINCH] + Output.signals + others) { [unowned self] number in
      if others.contains(number) { take(number) } else { output.handle(signal: number) }
    }
  }

  /// Reads the devices, unless the display brings a pointer of its own and no device was asked for.
  ///
  /// - Throws: `DeviceError` when a device that was asked for cannot be used, or no device can.
  package func startDevices() throws {
    if !output.hasPointer || !options.devices.isEmpty { try devices.start() }
  }

  /// Takes the console, and draws the first picture.
  ///
  /// - Throws: `DisplayError` when another program is shown there.
  package func begin(keyboard: Console.Keyboard) throws {
    // Log lines would run into a picture on the same terminal.
    if output.usesTerminal { options.deferredLog?.hold() }
    try presentation.begin(terminal: options.terminal, keyboard: keyboard)
    loop.endTurn()
    log.info("ready: \(output.name)")
  }

  /// Runs until a signal or `loop.stop()` ends it.
  package func run() throws { try loop.run() }

  /// Restores the display and the console.
  package func end() {
    presentation.end()
    options.deferredLog?.release()
  }
}

extension Window {
  /// Has labels, buttons and pictures in it know how large they are, and text fields where their letters stand, by the fonts and files of this machine.
  package func measuresContent() {
    let measurer = ContentMeasurer()
    contentMeasurer = { view, width in measurer.size(of: view, atWidth: width) }
    caretMeasurer = { text, style in measurer.carets(of: text, style) }
  }
}
