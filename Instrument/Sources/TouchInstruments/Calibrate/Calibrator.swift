import Glibc
import Logging
import TouchConfig
import TouchCore
import TouchInput
import TouchKit
import TouchMeasure
import TouchOutput
import TouchRender
import TouchSystem
import TouchTools

/// The program behind `touchtree calibrate`: crosses on the display, a finger on each, and a fit. Touches
/// take the daemon's path without calibration, rotation and output region.
package final class Calibrator {
  package struct Options {
    /// The display in place of the configuration's; nil for that one.
    package var display: DisplayName?
    package var terminal = Console.Choice.own
    /// The device nodes that may be calibrated; empty for every touchscreen.
    package var devices: [String] = []
    /// The longest wait for a valid touch, in seconds.
    package var timeout = 60
    /// Called with instructions, and with the errors of touches.
    package var report: (String) -> Void = { _ in }

    package init() {}
  }

  private let configuration: Configuration
  private let options: Options
  private let loop: EventLoop
  private let displayOutput: Output
  private var geometry: DisplayGeometry { displayOutput.geometry }
  private let log: Logger
  private let rules: DeviceRules
  private var outcome: Result<Calibration, Failure>?

  /// Opens the display of the configuration.
  package init(configuration: Configuration, options: Options, log: Logger) throws {
    (self.configuration, self.options, self.log) = (configuration, options, log)
    rules = DeviceRules(configuration.input.rules)
    loop = try EventLoop()
    displayOutput = try Output(options.display, for: configuration.presentation, log: log)
  }

  /// Runs until there is a calibration; the error may be that no device can be calibrated.
  package func run() throws -> Calibration {
    let output = meantOutput
    let targets = CalibrationTargets(output: output, geometry: geometry)
    let picture = try CalibrationScreen(display: configuration.display, geometry: geometry, targets: targets)
    let renderer = try Renderer(
      display: displayOutput.display, geometry: geometry, style: picture.tree.configuration.highlight,
      background: configuration.display.background)
    let devices = DeviceManager(
      loop: loop, pipeline: picture.pipeline, rules: rules.withoutMapping, chosen: options.devices, log: log)
    try devices.start()
    guard devices.devices.contains(where: { $0.kind != .relativePointer }) else {
      throw DeviceError.noDevices
    }
    let round = CalibrationRound(
      targets: targets, picture: picture, devices: devices, loop: loop, report: options.report
    ) { [rules] device, kind in
      // A mouse has nothing to calibrate, and another device may not reach the crosses.
      kind != .relativePointer && rules.rule(for: device)?.output == output
    }
    picture.tree.window.handlers = [round]
    let ends = EndSignals.numbers
    try loop.watchSignals(ends + Output.signals) { [unowned self] signal in
      if ends.contains(signal) {
        finish(.failure(.uncalibrated("cancelled by a signal")))
      } else {
        displayOutput.handle(signal: signal)
      }
    }
    displayOutput.onChange = { [unowned self] in follow($0, picture.pipeline, renderer) }
    let abortKeys = AbortKeys(loop: loop) { [unowned self] _ in
      finish(.failure(.uncalibrated("cancelled by a key")))
    }
    let timeout = IdleTimeout(loop: loop, seconds: options.timeout) { [unowned self] in
      let seconds = "\(options.timeout) second\(options.timeout == 1 ? "" : "s")"
      finish(.failure(.uncalibrated("no valid touch for \(seconds)")))
    }
    round.onProgress = { timeout.start() }
    round.onEnd = { [unowned self] samples, device in conclude(samples, device, targets) }
    try displayOutput.begin(in: loop, terminal: options.terminal, keyboard: .signals)
    let painting = Painting(
      dispatcher: picture.pipeline.dispatcher, renderer: renderer, output: displayOutput)
    loop.addHook(picture.pipeline, at: .deliver)
    loop.addHook(painting, at: .paint)
    round.begin()
    timeout.start()
    try loop.run()
    withExtendedLifetime((abortKeys, devices, round, painting)) {}
    displayOutput.end()
    return try (outcome ?? .failure(.uncalibrated("cancelled by a signal"))).get()
  }

  /// The part of the canvas that the device covers. With several devices, the first one counts.
  private var meantOutput: WindowRect? {
    let paths = options.devices.isEmpty ? (try? DeviceDirectory().nodes()) ?? [] : options.devices
    for path in paths {
      guard let device = try? EvdevDevice(path: path),
        let kind = rules.classification(of: device.description).kind, kind != .relativePointer
      else { continue }
      let rule = rules.rule(for: device.description)
      if rule?.isUsed ?? true || !options.devices.isEmpty { return rule?.output }
    }
    return nil
  }

  private func conclude(
    _ samples: [CalibrationFit.Sample], _ device: (description: DeviceDescription, kind: DeviceKind),
    _ targets: CalibrationTargets
  ) {
    guard let check = samples.last else { return }
    let points = Array(samples.dropLast())
    let result = CalibrationResult(points, check: check, size: targets.size)
    guard result.rejection == nil, let fit = result.fit else {
      return finish(.failure(.uncalibrated(result.rejection ?? .line)))
    }
    finish(
      .success(
        Calibration(
          result: result, matrix: fit.matrix, device: device.description, others: Self.descriptions(),
          kind: device.kind, rotation: geometry.rotation, displaySize: geometry.displaySize,
          rule: rules.rule(for: device.description),
          millimetres: millimetres(of: points, fit, device))))
  }

  private static func descriptions() -> [DeviceDescription] {
    let reports = (try? DeviceDirectory().reports()) ?? []
    return reports.compactMap { report in
      if case .device(let device, _) = report.finding { device } else { nil }
    }
  }

  /// Returns the root mean square of the distances between touches and targets, by the device's own measure.
  private func millimetres(
    of samples: [CalibrationFit.Sample], _ fit: CalibrationFit,
    _ device: (description: DeviceDescription, kind: DeviceKind)
  ) -> Double? {
    let (x, y) = device.description.capabilities.positionAxes(of: device.kind)
    guard let width = x.millimetres, let height = y.millimetres, let back = fit.matrix.inverse else {
      return nil
    }
    let squares = samples.enumerated().filter { $0.offset != fit.outlier }.map { _, sample in
      let meant: Point<NormalizedSpace> = back.map(sample.target)
      let across = (meant.x - sample.touched.x) * width
      let down = (meant.y - sample.touched.y) * height
      return across * across + down * down
    }
    return (squares.reduce(0, +) / Double(max(1, squares.count))).squareRoot()
  }

  private func finish(_ outcome: Result<Calibration, Failure>) {
    if self.outcome == nil { self.outcome = outcome }
    loop.stop()
  }

  private func follow(_ change: Output.Change, _ pipeline: InputPipeline, _ renderer: Renderer) {
    switch change {
    case .hidden: pipeline.suspend(at: MonotonicClock.now())
    case .shown:
      pipeline.resume()
      renderer.drawEverything()
    // The crosses would be in another place.
    case .replaced, .resized, .failed, .ended: finish(.failure(.uncalibrated("the display changed")))
    }
  }
}

private final class Painting: TurnHook {
  var turnPlace: TurnPlace?
  private let dispatcher: Dispatcher
  private let renderer: Renderer
  private let output: Output

  init(dispatcher: Dispatcher, renderer: Renderer, output: Output) {
    (self.dispatcher, self.renderer, self.output) = (dispatcher, renderer, output)
  }

  func turnEnds(at now: Timestamp) {
    guard output.isShown else { return }
    renderer.update(dispatcher, cursor: nil, at: now)
    if !renderer.isCurrent { output.look() }
  }
}

/// Calls back after a time without events.
private final class IdleTimeout {
  private let loop: EventLoop
  private let seconds: Int
  private let body: () -> Void
  private var timer: Int?

  init(loop: EventLoop, seconds: Int, _ body: @escaping () -> Void) {
    (self.loop, self.seconds, self.body) = (loop, seconds, body)
  }

  func start() {
    if let timer { loop.cancelTimer(timer) }
    timer = loop.addTimer(milliseconds: seconds * 1000, repeats: false, body)
  }
}
