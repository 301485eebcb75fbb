import Glibc
import Logging
import TouchConfig
import TouchCore
import TouchInput
import TouchKit
import TouchSystem

/// The program behind `touchtree bridge`. It takes touchscreens away from other programs, and returns each
/// with a complete protocol, and contacts that are filtered, calibrated and turned by device rules.
package final class DeviceBridge: InputPipelineObserver {
  private final class Bridged {
    let open: OpenDevice
    let source: TouchSource
    let panel: BridgedPanel
    let made: UinputDevice
    var writer: SlotWriter

    init(
      _ open: OpenDevice, _ source: TouchSource, _ panel: BridgedPanel, usesPalms: Bool
    ) throws(DeviceError) {
      (self.open, self.source, self.panel) = (open, source, panel)
      made = try UinputDevice(panel.description)
      writer = SlotWriter(slotCount: panel.slotCount, usesPalms: usesPalms)
    }

    var name: String { "\(open.description.title) (\(open.description.path))" }
  }

  private let configuration: Configuration
  private let chosen: [String]
  private let choice: PanelChoice
  private let usesPalms: Bool
  private let loop: EventLoop
  private let pipeline: InputPipeline
  private let timer: PipelineTimer
  private let rules: DeviceRules
  private let notifier: ServiceNotifier
  private let log: Logger
  private var bridged: [Bridged] = []
  /// The devices whose panel is gone. They stay while programs may read that every finger was lifted.
  private var leaving: [UinputDevice] = []
  private var changes: [SlotWriter.Change] = []
  private var failure: DeviceError?

  /// The time in milliseconds that a device outlives its panel: a removed one delivers no unread events.
  private static let farewell = 250

  /// - Parameter configuration: the configuration with the device rules.
  /// - Parameter panels: the panels; empty for every touchscreen that the rules allow.
  /// - Parameter usesPalms: whether a cancelled contact turns into a palm before it lifts.
  /// - Throws: `SystemError`, `DeviceError` for a panel with options that is not there, and a `Failure` for
  ///   two that cannot be told apart.
  package init(configuration: Configuration, panels: [PanelOptions], usesPalms: Bool, log: Logger) throws {
    self.configuration = configuration
    chosen = panels.map(\.path)
    var choice = PanelChoice(rules: configuration.input.rules)
    for panel in panels where !panel.isPlain {
      try choice.add(panel, of: EvdevDevice(path: panel.path).description)
    }
    self.choice = choice
    self.usesPalms = usesPalms
    self.log = log
    loop = try EventLoop()
    // Other programs turn the picture themselves, and the touches with it.
    var canvas = configuration.canvasLayout
    canvas.rotation = DisplayGeometry.Rotation.none
    let geometry = canvas.geometry(on: canvas.naturalDisplaySize)
    pipeline = InputPipeline(window: Window(size: geometry.canvasSize), geometry: geometry)
    timer = PipelineTimer(loop: loop, pipeline: pipeline)
    rules = DeviceRules(choice.rules)
    notifier = try ServiceNotifier.fromEnvironment()
    pipeline.observer = self
  }

  /// Runs until a signal arrives. Devices may be added and removed.
  /// - Throws: `DeviceError` if a requested device cannot be used, or the kernel makes none; `SystemError`.
  package func run() throws {
    signal(SIGPIPE, SIG_IGN)
    try loop.watchSignals(EndSignals.numbers) { [unowned self] _ in loop.stop() }
    let viewer = DeviceManager.Viewer(
      isGrabbing: true, refuses: { [unowned self] device, kind in refusal(of: device, kind) },
      added: { [unowned self] open, setup in add(open, setup) },
      frame: { [unowned self] open, _ in
        if let entry = bridged.first(where: { $0.open === open }) { handOn(to: entry) }
      },
      removed: { [unowned self] open, reason in remove(open, because: reason) })
    let devices = DeviceManager(
      loop: loop, pipeline: pipeline, rules: rules, chosen: chosen, viewer: viewer, log: log)
    do {
      try devices.start()
    } catch let error as DeviceError where chosen.isEmpty && error.meansNone && error.reason != .notPermitted
    {
      log.notice("no touchscreen yet: one that is plugged in is bridged")
    }
    if let failure { throw failure }
    notify(.ready)
    try loop.run()
    notify(.stopping)
    let areTouched = bridged.contains { !$0.writer.isEmpty }
    for entry in bridged { liftAll(of: entry) }
    if areTouched { usleep(UInt32(Self.farewell) * 1000) }
    if let failure { throw failure }
    withExtendedLifetime(devices) {}
  }

  private func notify(_ message: ServiceNotifier.Message) {
    do { try notifier.send(message) } catch { log.warning("\(error)") }
  }

  /// Returns the reason why a device is not bridged; nil if it is.
  private func refusal(of device: DeviceDescription, _ kind: DeviceKind?) -> String? {
    if device.phys.hasPrefix(BridgedPanel.port) { return "a touchtree bridge has made it" }
    switch kind {
    case .multitouch, .singleTouch: return nil
    case .absolutePointer:
      // A tablet counts as a touchscreen only on request.
      if !chosen.isEmpty || rules.rule(for: device)?.isUsed == true { return nil }
      return "it is a tablet; --device or \"use: true\" makes it a touchscreen"
    case .relativePointer: return "it is a mouse, which needs no bridge"
    case nil:
      return rules.exclusion(of: device, file: configuration.file) ?? rules.classification(of: device).reason
    }
  }

  private func add(_ open: OpenDevice, _ setup: SourceSetup?) {
    guard let setup else { return }
    let source = setup.source
    let options = choice.options(of: open.description)
    let panel = BridgedPanel(
      open.description, as: source.kind, mapping: source.mapping,
      window: pipeline.geometry.displayBoundsInWindow, name: options?.name, output: options?.output)
    do {
      let entry = try Bridged(open, source, panel, usesPalms: usesPalms)
      bridged.append(entry)
      let place = options?.output.map { ", for the output \($0)" } ?? ""
      log.notice(
        "\(entry.name): \(source.kind.rawValue)\(setup.filterSentence), bridged as \(entry.made.path)\(place)"
      )
    } catch {
      // A panel that is taken and not returned would be dead.
      failure = failure ?? error
      loop.stop()
    }
    for warning in setup.warnings { log.warning("configuration: \(open.description.title): \(warning)") }
  }

  private func remove(_ open: OpenDevice, because reason: String) {
    guard let index = bridged.firstIndex(where: { $0.open === open }) else { return }
    let entry = bridged.remove(at: index)
    if !entry.writer.isEmpty {
      liftAll(of: entry)
      let made = entry.made
      leaving.append(made)
      _ = loop.addTimer(milliseconds: Self.farewell, repeats: false) { [unowned self] in
        leaving.removeAll { $0 === made }
      }
    }
    log.notice(
      "\(entry.name): \(reason.hasSuffix(".") ? reason : reason + ".") It is bridged again when it returns.")
  }

  // MARK: Contacts

  /// Reports the changes of the pipeline's last frame.
  private func handOn(to entry: Bridged) {
    changes.removeAll(keepingCapacity: true)
    for change in pipeline.changes { changes.append(entry.panel.change(change)) }
    // Nothing waits for the end of the turn.
    pipeline.endTurn()
    emit(entry) { writer, made throws(DeviceError) in
      try writer.write(changes) { (frame) throws(DeviceError) in try made.emit(frame) }
    }
  }

  private func liftAll(of entry: Bridged) {
    emit(entry) { writer, made throws(DeviceError) in
      try writer.cancelAll { (frame) throws(DeviceError) in try made.emit(frame) }
    }
  }

  private func emit(
    _ entry: Bridged, _ body: (inout SlotWriter, UinputDevice) throws(DeviceError) -> Void
  ) {
    do {
      try body(&entry.writer, entry.made)
    } catch {
      failure = failure ?? error
      loop.stop()
    }
  }

  package func pipelineDelivered(at time: Timestamp, from source: TouchSource?) {
    guard let source, let entry = bridged.first(where: { $0.source === source }) else { return }
    handOn(to: entry)
  }

  package func pipelineNoticed(_ notice: InputNotice, of device: TouchCore.DeviceID) {
    guard let entry = bridged.first(where: { $0.source.device == device }) else { return }
    log.warning("kernel bug: \(entry.name) \(notice.sentence)")
  }
}
