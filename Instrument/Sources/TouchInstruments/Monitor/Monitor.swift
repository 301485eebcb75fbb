import Glibc
import Logging
import SystemPackage
import TouchConfig
import TouchCore
import TouchInput
import TouchInspection
import TouchKit
import TouchMeasure
import TouchRecordings
import TouchSystem

/// The program behind `touchtree monitor`: reports of devices or a recording, by frames, with their touches.
package final class Monitor: TurnHook, InputPipelineObserver {
  package struct Options {
    package var recording: Recording?
    /// The device nodes, whatever they are; empty for the devices that touchtree uses.
    package var devices: [String] = []
    package var isGrabbing = false
    package var isJSON = false

    package init() {}
  }

  /// A monitored device. It has no source if touchtree does not use it.
  private final class MonitoredDevice {
    let description: DeviceDescription
    let source: TouchSource?
    /// The open device; nil for one of a recording.
    let open: OpenDevice?
    var rate: ReportRate
    /// The delays from the kernel's time stamp of a frame until it was read; nil for a recording.
    var readDelay: LatencyHistogram?
    /// The trace that shows where contacts rest; nil for a device without fingers.
    let trace: PanelTrace?
    var audit: ProtocolAudit
    var shownViolations: [Int]

    init(
      _ description: DeviceDescription, _ initial: InitialState, source: TouchSource?, open: OpenDevice? = nil
    ) {
      (self.description, self.source, self.open) = (description, source, open)
      let capabilities = description.capabilities
      let axes = capabilities.positionAxes(of: source?.kind ?? .multitouch)
      rate = ReportRate(axes)
      readDelay = open == nil ? nil : LatencyHistogram()
      trace = source.flatMap { source in
        guard source.kind.isTouchscreen else { return nil }
        return PanelTrace(
          kind: source.kind, capabilities: capabilities, initial: initial,
          geometry: PanelGeometry(x: axes.x, y: axes.y))
      }
      audit = ProtocolAudit(capabilities, initial)
      shownViolations = audit.counts
    }
  }

  package var turnPlace: TurnPlace?
  private let options: Options
  private let loop: EventLoop
  private let configuration: Configuration
  private let pipeline: InputPipeline
  private let rules: DeviceRules
  private let output = LineOutput(.standardOutput)
  private let log: Logger
  private let observer = TouchNewsObserver()
  private let timer: PipelineTimer
  private var writer: any MonitorWriter
  private var monitored: [MonitoredDevice] = []
  private var outputFailure: Errno?

  /// Begins with a configuration, whose views may be hit, and a display's size in pixels.
  package init(configuration: Configuration, display: Size, options: Options, log: Logger) throws {
    (self.options, self.log) = (options, log)
    loop = try EventLoop()
    let geometry = configuration.canvasLayout.geometry(on: display)
    self.configuration = configuration
    pipeline = InputPipeline(ViewTree(configuration, geometry: geometry), geometry: geometry)
    timer = PipelineTimer(loop: loop, pipeline: pipeline)
    rules = DeviceRules(configuration.input.rules)
    writer = options.isJSON ? MonitorJSON(output) : MonitorText(output)
    pipeline.dispatcher.observer = observer
    pipeline.observer = self
  }

  /// Runs until a signal arrives, the reader of the output is gone, or the recording is over.
  /// - Throws: `DeviceError` if there is no device to monitor;
  ///   `SystemError`; `Errno` if the output cannot be written.
  package func run() throws {
    signal(SIGPIPE, SIG_IGN)
    if let recording = options.recording { try play(recording) } else { try watch() }
    flush()
    if let outputFailure, outputFailure != .brokenPipe { throw outputFailure }
  }

  private func watch() throws {
    try loop.watchSignals(EndSignals.numbers) { [unowned self] _ in loop.stop() }
    let viewer = DeviceManager.Viewer(
      isGrabbing: options.isGrabbing,
      added: { [unowned self] open, setup in
        add(
          MonitoredDevice(open.description, open.device.initialState, source: open.source, open: open), setup)
      },
      frame: { [unowned self] open, frame in
        guard let entry = monitored.first(where: { $0.open === open }) else { return }
        entry.readDelay?.add(MonotonicClock.now().microseconds(since: frame.time))
        show(frame, of: entry)
      },
      removed: { [unowned self] open, reason in
        guard let entry = monitored.first(where: { $0.open === open }) else { return }
        remove(
          entry,
          because: (reason.hasSuffix(".") ? reason : reason + ".") + " It is monitored again when it returns."
        )
      })
    let devices = DeviceManager(
      loop: loop, pipeline: pipeline, rules: rules, chosen: options.devices, viewer: viewer, log: log)
    try devices.start()
    watchReader()
    loop.addHook(self, at: .record)
    try loop.run()
    withExtendedLifetime(devices) {}
  }

  /// Shows a recording as fast as its lines can be written.
  private func play(_ recording: Recording) throws {
    let player = try Player(recording: recording, pipeline: pipeline, rules: rules, showsAll: true)
    for notice in player.notices { log.warning("\(notice)") }
    for device in player.played {
      var description = device.recorded.description
      description.path = recording.file
      let entry = MonitoredDevice(description, device.recorded.initialState, source: device.setup?.source)
      entry.audit.addClockJumps(device.recorded.clockJumps)
      add(entry, device.setup)
    }
    let devices = monitored
    player.onFrame = { [unowned self] index, frame in show(frame, of: devices[index]) }
    while outputFailure == nil, player.playNext() { flush() }
    // Some fingers may still be down.
    for entry in devices where entry.rate.fingers > 0 { reportRate(of: entry) }
    player.end()
    pipeline.endTurn()
    let news = observer.take()
    for entry in devices {
      let own = news.filter { $0.device == entry.source?.device }
      writer.removed(entry.description, because: "The recording ends here.", MonitoredOutcome(touches: own))
    }
  }

  // MARK: Frames

  private func show(_ frame: InputFrame, of entry: MonitoredDevice) {
    var outcome = MonitoredOutcome()
    if let source = entry.source {
      // Nothing waits for the end of the turn: each frame shows its effects.
      pipeline.endTurn()
      outcome = MonitoredOutcome(
        contacts: Array(zip(source.changes, pipeline.changes)), touches: observer.take())
    }
    entry.trace?.add(frame)
    entry.audit.add(frame)
    let fingers = entry.rate.fingers
    let interval = entry.rate.add(frame, changes: entry.source?.changes ?? [])
    writer.frame(
      MonitoredFrame(device: entry.description, frame: frame, interval: interval, outcome: outcome))
    reportRate(of: entry, after: fingers)
  }

  /// Shows touches that a filter or a gesture has held back, for each device.
  package func pipelineDelivered(at time: Timestamp, from source: TouchSource?) {
    pipeline.endTurn()
    let news = observer.take()
    for entry in monitored {
      guard let own = entry.source else { continue }
      var outcome = MonitoredOutcome(touches: news.filter { $0.device == own.device })
      if own === source { outcome.contacts = Array(zip(own.changes, pipeline.changes)) }
      guard !outcome.isEmpty else { continue }
      let fingers = entry.rate.fingers
      entry.rate.note(outcome.contacts.map(\.device))
      writer.deadline(of: entry.description, at: time, outcome)
      reportRate(of: entry, after: fingers)
    }
  }

  package func pipelineNoticed(_ notice: InputNotice, of device: TouchCore.DeviceID) {
    guard let entry = monitored.first(where: { $0.source?.device == device }) else { return }
    writer.notice(notice, of: entry.description)
  }

  private func reportRate(of entry: MonitoredDevice, after fingers: Int) {
    if fingers > 0, entry.rate.fingers == 0 { reportRate(of: entry) }
  }

  private func reportRate(of entry: MonitoredDevice) {
    guard entry.source?.kind.isTouchscreen ?? false else { return }
    writer.rate(entry.rate, of: entry.description)
    if let delay = entry.readDelay { writer.readDelay(delay, of: entry.description) }
    reportFigures(of: entry)
  }

  /// Reports the figures of `touchtree test` that need no task.
  private func reportFigures(of entry: MonitoredDevice) {
    if let trace = entry.trace {
      for rest in trace.rests {
        writer.rest(
          Spread(value: rest.spread, isInMillimetres: trace.geometry.isInMillimetres), seconds: rest.seconds,
          of: entry.description)
      }
      trace.forgetLifted()
    }
    for violation in ProtocolAudit.Violation.allCases {
      let count = entry.audit.counts[violation.rawValue]
      guard count > entry.shownViolations[violation.rawValue] else { continue }
      writer.violation(
        violation, count: count, example: entry.audit.examples[violation.rawValue] ?? "",
        of: entry.description)
    }
    entry.shownViolations = entry.audit.counts
  }

  // MARK: Devices

  private func add(_ entry: MonitoredDevice, _ setup: SourceSetup?) {
    monitored.append(entry)
    let description = entry.description
    let classification = rules.classification(of: description)
    var use = MonitoredUse(kind: classification.kind, reason: classification.reason)
    if let setup {
      (use.filters, use.filterSentence, use.warnings) = (setup.filters, setup.filterSentence, setup.warnings)
    } else if let exclusion = rules.exclusion(of: description, file: configuration.file), use.kind != nil {
      use = MonitoredUse(reason: "\(exclusion). \(classification.reason)")
    }
    writer.added(description, use)
  }

  private func remove(_ entry: MonitoredDevice, because reason: String) {
    monitored.removeAll { $0 === entry }
    pipeline.endTurn()
    writer.removed(entry.description, because: reason, MonitoredOutcome(touches: observer.take()))
  }

  // MARK: Output

  /// Watches the reader of the output, so that its end is noticed at once and not only with the next frame.
  private func watchReader() {
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
    _ = try? loop.watch(STDOUT_FILENO) { [unowned self] in loop.stop() }
  }

  package func turnEnds(at now: Timestamp) { flush() }

  private func flush() {
    do {
      try output.flush()
    } catch {
      outputFailure = outputFailure ?? error
      loop.stop()
    }
  }
}
