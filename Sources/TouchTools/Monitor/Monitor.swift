import Glibc
import Logging
import SystemPackage
import TouchConfig
import TouchCore
import TouchDaemon
import TouchInput
import TouchMeasure
import TouchSystem

/// What `touchtree monitor` runs: shows what devices report, frame by frame, and the touches that it leads to.
package final class Monitor {
  /// What the command line says.
  package struct Options {
    /// Nodes, whatever they are; empty for the devices that touchtree uses.
    package var devices: [String] = []
    /// Whether to grab the devices exclusively.
    package var isGrabbing = false
    /// Whether lines are JSON objects.
    package var isJSON = false

    package init() {}
  }

  /// A device that is monitored. It has no source when touchtree would not use it.
  private final class MonitoredDevice {
    let open: OpenDevice
    var rate: ReportRate
    /// From the kernel's time stamp of a frame until it was read.
    var readDelay = LatencyHistogram()
    /// Where contacts rest; nil for what has no fingers.
    let trace: PanelTrace?
    var audit: ProtocolAudit
    /// How often each violation was when they were last shown.
    var shownViolations: [Int]

    var description: DeviceDescription { open.description }

    init(_ device: EvdevDevice, source: TouchSource?) {
      open = OpenDevice(device, source: source)
      let capabilities = device.description.capabilities
      let axes = capabilities.positionAxes(of: source?.kind ?? .multitouch)
      rate = ReportRate(axes)
      trace = source.flatMap { source in
        guard source.kind.hasFingers else { return nil }
        return PanelTrace(
          kind: source.kind, capabilities: capabilities, initial: device.initialState,
          geometry: PanelGeometry(x: axes.x, y: axes.y))
      }
      audit = ProtocolAudit(capabilities, device.initialState)
      shownViolations = audit.counts
    }
  }

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
  /// Devices that were requested and were unplugged: they are monitored again when they return.
  private var missing: [DeviceDescription] = []
  private var watcher: DeviceWatcher?
  private var watcherSource: EventLoop.Source?
  private var nextID = 1
  private var outputFailure: Errno?

  /// - Parameters:
  ///   - configuration: whose views are hit; an empty one shows places only.
  ///   - display: the size that the canvas lies on, in pixels.
  /// - Throws: `SystemError`.
  package init(configuration: Configuration, display: Size, options: Options, log: Logger) throws {
    self.options = options
    self.log = log
    loop = try EventLoop()
    let geometry = DisplayGeometry(configuration, display: display)
    self.configuration = configuration
    pipeline = InputPipeline(
      ViewTree(configuration, geometry: geometry), geometry: geometry)
    timer = PipelineTimer(loop: loop, pipeline: pipeline)
    rules = DeviceRules(configuration.input.rules)
    writer = options.isJSON ? MonitorJSON(output) : MonitorText(output)
    pipeline.dispatcher.observer = observer
    pipeline.onNotice = { [unowned self] device, notice in
      guard let entry = monitored.first(where: { $0.open.source?.device == device }) else { return }
      writer.notice(notice, of: entry.description)
    }
    pipeline.onDeadline = { [unowned self] in showDeadline(at: $0, of: $1) }
  }

  /// Runs until a signal comes or the reader of the output is gone.
  ///
  /// - Throws: `DeviceError` when there is nothing to look at; `SystemError`; `Errno` when the output
  ///   cannot be written.
  package func run() throws {
    signal(SIGPIPE, SIG_IGN)
    try loop.watchSignals(EndSignals.numbers) { [unowned self] _ in loop.stop() }
    let devices = try rules.open(options.devices, onlyTouchscreens: false, grab: options.isGrabbing)
    for device in devices { try add(device) }
    watchPlugging()
    watchReader()
    loop.onTurnEnd = { [unowned self] in
      timer.update()
      flush()
    }
    try loop.run()
    flush()
    if let outputFailure, outputFailure != .brokenPipe { throw outputFailure }
  }

  // MARK: Frames

  private func show(_ frame: InputFrame, of entry: MonitoredDevice) {
    entry.readDelay.add(MonotonicClock.now().microseconds(since: frame.time))
    var outcome = MonitoredOutcome()
    if let source = entry.open.source {
      pipeline.apply(frame, from: source)
      // Nothing is held back for the end of the turn: each frame shows what it caused.
      pipeline.endTurn()
      outcome = MonitoredOutcome(
        contacts: Array(zip(source.changes, pipeline.changes)), touches: observer.take())
    }
    entry.trace?.add(frame)
    entry.audit.add(frame)
    let fingers = entry.rate.fingers
    let interval = entry.rate.add(frame, changes: entry.open.source?.changes ?? [])
    writer.frame(
      MonitoredFrame(device: entry.description, frame: frame, interval: interval, outcome: outcome))
    tellRate(of: entry, after: fingers)
  }

  /// What a filter held back, or a gesture: each device's own.
  private func showDeadline(at time: Timestamp, of source: TouchSource?) {
    pipeline.endTurn()
    let news = observer.take()
    for entry in monitored {
      guard let own = entry.open.source else { continue }
      var outcome = MonitoredOutcome(touches: news.filter { $0.device == own.device })
      if own === source { outcome.contacts = Array(zip(own.changes, pipeline.changes)) }
      guard !outcome.isEmpty else { continue }
      let fingers = entry.rate.fingers
      entry.rate.note(outcome.contacts.map(\.device))
      writer.deadline(of: entry.description, at: time, outcome)
      tellRate(of: entry, after: fingers)
    }
  }

  private func tellRate(of entry: MonitoredDevice, after fingers: Int) {
    guard fingers > 0, entry.rate.fingers == 0, entry.open.source?.kind.hasFingers ?? false else { return }
    writer.rate(entry.rate, of: entry.description)
    writer.readDelay(entry.readDelay, of: entry.description)
    tellFigures(of: entry)
  }

  /// What `touchtree test` measures, as far as it needs no task.
  private func tellFigures(of entry: MonitoredDevice) {
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

  private func add(_ device: EvdevDevice) throws {
    let description = device.description
    let rule = rules.rule(for: description)
    var use = use(of: description, by: rule)
    let source = use.kind.map { kind in
      let setup = SourceSetup(
        description, id: nextID, as: kind, initial: device.initialState, rule: rule,
        geometry: pipeline.geometry)
      (use.filters, use.filterSentence, use.warnings) = (setup.filters, setup.filterSentence, setup.warnings)
      return setup.source
    }
    nextID += 1
    let entry = MonitoredDevice(device, source: source)
    try entry.open.watch(in: loop, fromFirstChange: true) { [unowned self, unowned entry] frame in
      show(frame, of: entry)
    } onLoss: { [unowned self, unowned entry] error in
      lose(entry, because: "\(error)")
    }
    monitored.append(entry)
    writer.came(description, use)
  }

  /// A rule keeps a device out unless it was asked for, as with `run`.
  private func use(of device: DeviceDescription, by rule: Configuration.DeviceRule?) -> MonitoredUse {
    let verdict = rules.verdict(on: device)
    if verdict.kind != nil, options.devices.isEmpty, let rule, rule.isUsed == false {
      return MonitoredUse(
        reason: "\(configuration.file):\(rule.place.line) says use: false. " + verdict.reason)
    }
    return MonitoredUse(kind: verdict.kind, reason: verdict.reason)
  }

  private func lose(_ entry: MonitoredDevice, because reason: String) {
    entry.open.stop()
    monitored.removeAll { $0 === entry }
    if let source = entry.open.source { pipeline.lose(source, at: MonotonicClock.now()) }
    writer.went(
      entry.description, because: reason + " It is monitored again when it returns.",
      MonitoredOutcome(touches: observer.take()))
    if !options.devices.isEmpty { missing.append(entry.description) }
  }

  private func watchPlugging() {
    do {
      let watcher = try DeviceWatcher()
      watcherSource = try loop.watch(watcher.descriptor.rawValue) { [unowned self] in readPlugging() }
      self.watcher = watcher
    } catch {
      log.warning("devices that are plugged in or unplugged are not noticed. \(error)")
    }
  }

  private func readPlugging() {
    do {
      try watcher?.readChanges { change in
        switch change {
        case .appeared(let path), .changed(let path): consider(path)
        case .removed(let path):
          if let entry = monitored.first(where: { $0.description.path == path }) {
            lose(entry, because: "\(path) was removed.")
          }
        case .overflowed: for path in (try? DeviceDirectory().nodes()) ?? [] { consider(path) }
        }
      }
    } catch {
      // Its descriptor stays readable, so it must not be watched any more.
      if let watch = watcherSource { loop.unwatch(watch) }
      watcher = nil
      log.warning("devices that are plugged in or unplugged from now on are not noticed. \(error)")
    }
  }

  /// A device was plugged in: it is monitored when all are, or when it was requested before it went.
  private func consider(_ path: String) {
    guard !monitored.contains(where: { $0.description.path == path }),
      let device = try? EvdevDevice(path: path)
    else { return }
    if options.devices.isEmpty {
      guard rules.verdict(on: device.description).kind != nil else { return }
    } else {
      guard let index = missing.firstIndex(where: { $0.isSameDevice(as: device.description) }) else { return }
      missing.remove(at: index)
    }
    do {
      if options.isGrabbing { try device.setGrabbed(true) }
      try add(device)
    } catch {
      log.warning("\(error)")
    }
  }

  // MARK: Output

  /// A reader that goes is noticed at once, not only with the next frame.
  private func watchReader() {
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return }
    _ = try? loop.watch(STDOUT_FILENO) { [unowned self] in loop.stop() }
  }

  private func flush() {
    do {
      try output.flush()
    } catch {
      outputFailure = outputFailure ?? error
      loop.stop()
    }
  }
}
