import Glibc
import Logging
import TouchCore
import TouchInput
import TouchOutput
import TouchRender
import TouchSystem
import TouchViews

/// The parts that show a window and let it be touched: the loop, the display with its console, the devices,
/// and the signals that end it. `Application` is its front door for programs, and the daemon stands on it.
/// The order of calls is `init`, `takeSignals`, `startDevices`, `begin`, `run`, `end`. The caller may act in
/// between.
package final class Runtime {
  /// The choices at a program's start.
  package struct Options {
    /// The display; nil for that of the settings.
    package var display: DisplayName?
    package var terminal = Console.Choice.own
    /// The device nodes to read instead of those that the rules choose.
    package var devices: [String] = []
    package var rules = DeviceRules([])
    package var keyboard = KeyboardSettings()
    /// The clock; nil for the monotonic one.
    package var clock: ManualClock?
    /// Whether time passes for gestures and filters. It does not for a recording with a time of its own.
    package var passesTime = true
    /// Whether SIGHUP ends the program, as SIGINT and SIGTERM do.
    package var hangupEnds = true
    /// Whether the signals that end the program are taken from the start rather than by `takeSignals`.
    package var takesSignalsEarly = true
    /// The beginning of lines on standard error.
    package var errorHead = LogOutput.head(of: .error, forPeople: "touchtree: error: ")
    /// The log, which is held back while the terminal shows the picture.
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
  package var hasChosenDevices: Bool { !options.devices.isEmpty }
  package var output: Output { presentation.output }

  /// Opens the display. The console stays as it is until `begin`, so that an earlier failure leaves it alone.
  /// - Parameter windowID: the id of the window, which is empty.
  /// - Throws: `DisplayError`, `SystemError`.
  package init(
    _ settings: PresentationSettings, _ options: Options, windowID: String, log: Logger
  ) throws {
    (self.options, self.log) = (options, log)
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
    devices.onTerminal = { [weak output] in output?.showTerminal($0) }
    presentation.addFollower(devices)
    loop.addHook(pipeline, at: .deliver)
  }

  private static func endSignals(_ options: Options) throws(SystemError) -> EndSignals {
    try EndSignals(logHead: options.errorHead, hangupEnds: options.hangupEnds)
  }

  /// Makes the loop take signals. Those that end the program stop it.
  /// Those of the console and the display go there.
  /// - Parameter others: further signals to take.
  /// - Parameter take: called with one of the further signals.
  /// - Throws: `SystemError`.
  package func takeSignals(
    and others: [Int32] = [], _ take: @escaping (Int32) -> Void = { _ in }
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    let ends = try endSignals ?? Self.endSignals(options)
    endSignals = ends
    // The loop may outlive this object, but the watch may not: the next runtime has its own.
    try loop.watch(ends.descriptor) { [weak self] in
      guard let self else { return }
      endSignals?.take()
      loop.stop()
    }
    try loop.watchSignals([SIGWINCH] + Output.signals + others) { [weak self] number in
      guard let self else { return }
      if others.contains(number) { take(number) } else { output.handle(signal: number) }
    }
  }

  /// Starts reading the devices, unless the display brings its own pointer and no device was requested.
  /// - Throws: `DeviceError` if a requested device cannot be used, or no device can.
  package func startDevices() throws {
    if !output.hasPointer || !options.devices.isEmpty { try devices.start() }
  }

  /// Takes the console, and draws the first picture.
  /// - Throws: `DisplayError` if another program is shown there.
  package func begin(keyboard: Console.Keyboard) throws {
    // Lines of the log would run into a picture on the same terminal.
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
  /// Makes the labels, buttons, pictures and text fields of the window measure
  /// their content by this machine's fonts and files.
  package func measuresContent() {
    let measurer = ContentMeasurer()
    contentMeasurer = { view, width in measurer.size(of: view, atWidth: width) }
    caretMeasurer = { text, style in measurer.carets(of: text, style) }
  }
}
