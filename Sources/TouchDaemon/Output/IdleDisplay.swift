import Logging
import TouchConfig
import TouchCore
import TouchHandlers
import TouchInput
import TouchJSON
import TouchKit
import TouchOutput
import TouchPixels
import TouchSystem
import TouchViews

/// Performs the stages of `idle:` while the display is not touched: it
/// dims and blanks the display, and performs steps.
///
/// A touch, a moving mouse, and a client's request undo them. One timer waits for the next
/// stage, and none after the last one. While another program is shown, no stage comes. When
/// the display is shown again, they begin again.
package final class IdleDisplay: TurnHook, DisplayFollower {
  package var turnPlace: TurnPlace?
  private let presentation: Presentation
  private let pipeline: InputPipeline
  private let host: Host
  private let loop: EventLoop
  private let log: Logger
  private var clock = IdleClock(from: .zero)
  /// The backlight; nil if no stage dims the panel, or it cannot be dimmed.
  private var backlight: Backlight?
  /// The timer with its time.
  private(set) var armed: (deadline: Timestamp, timer: Int)?
  /// The timer's action, made once. The end of the turn does the work.
  private var expire: () -> Void = {}

  package init(
    _ presentation: Presentation, _ pipeline: InputPipeline, host: Host, in loop: EventLoop,
    log: Logger
  ) {
    self.presentation = presentation
    self.pipeline = pipeline
    self.host = host
    self.loop = loop
    self.log = log
    expire = { [weak self] in self?.armed = nil }
    presentation.addFollower(self)
  }

  /// Begins with the stages of a configuration.
  ///
  /// - Parameter backlights: the folder in which the kernel lists backlights.
  package func follow(
    _ configuration: Configuration, at now: Timestamp, backlights: String = Backlight.folder
  ) {
    end(at: now)
    clock = IdleClock(configuration.idle, from: now)
    if !clock.stages.isEmpty { loop.addHook(self, at: .rest) }
    guard configuration.idle.contains(where: \.effect.isBacklight) else { return }
    do {
      backlight = try Backlight(named: configuration.display.backlight, in: backlights)
    } catch {
      log.warning("\(error)")
    }
  }

  /// Lets time pass.
  package func turnEnds(at now: Timestamp) {
    if pipeline.isTouched {
      wake(at: now)
    } else if pipeline.lastUse > clock.lastUse {
      wake(at: pipeline.lastUse)
    }
    let output = presentation.output
    guard output.isShown || output.isBlank else { return wait(until: nil) }
    let stages = clock.advance(to: now)
    for stage in stages {
      if case .steps(let number) = stage.effect { host.performIdle(number, at: now) }
    }
    if !stages.isEmpty { apply() }
    wait(until: clock.deadline)
  }

  /// Undoes the stages, and begins with the first one again.
  package func wake(at time: Timestamp) {
    let isIdle = clock.reached > 0
    clock.use(at: time)
    if isIdle { apply() }
  }

  /// Lights the display when it is shown again, and before another one replaces it.
  package func displayChanged(_ change: Output.Change) {
    switch change {
    case .hidden, .shown, .replaced, .failed: wake(at: MonotonicClock.now())
    case .resized, .ended: break
    }
  }

  /// Undoes the stages for good.
  package func end(at now: Timestamp) {
    wake(at: now)
    clock = IdleClock(from: now)
    turnPlace = nil
    backlight = nil
    wait(until: nil)
  }

  /// Applies the reached stages to the display.
  private func apply() {
    do throws(DisplayError) {
      if let brightness = clock.brightness {
        try backlight?.dim(to: brightness)
      } else {
        backlight?.restore()
      }
    } catch {
      log.warning("\(error)")
      backlight = nil
    }
    presentation.setBlank(clock.isBlank)
    pipeline.isDark = isDark
  }

  /// Whether nothing is visible: the display is blank, or without light.
  package var isDark: Bool { presentation.output.isBlank || (backlight != nil && clock.brightness == 0) }

  private func wait(until deadline: Timestamp?) {
    // A postponed deadline is checked again when the timer expires.
    if let deadline, let armed, armed.deadline <= deadline { return }
    if let armed { loop.cancelTimer(armed.timer) }
    armed = deadline.map { ($0, loop.addTimer(at: $0, expire)) }
  }

  // MARK: Statistics

  /// The lines for people; empty without stages.
  package func lines(at now: Timestamp) -> [String] {
    guard !clock.stages.isEmpty else { return [] }
    let seconds = Int(max(0, now.seconds(since: clock.lastUse)))
    let state = isDark ? ", dark" : isDimmed ? ", dimmed" : ""
    return [
      "", "idle for \(seconds) s, \(clock.reached) of \(clock.stages.count) stages reached\(state)",
    ]
  }

  package var isDimmed: Bool { !isDark && backlight != nil && clock.brightness != nil }

  package func write(to metrics: inout MetricsText) {
    guard !clock.stages.isEmpty else { return }
    metrics.begin("display_dimmed", .gauge, "Whether an idle stage dims the panel.")
    metrics.add(isDimmed ? 1 : 0)
    metrics.begin("display_dark", .gauge, "Whether nothing can be seen because of an idle stage.")
    metrics.add(isDark ? 1 : 0)
  }

  package func write(to json: inout JSONWriter, at now: Timestamp) {
    guard !clock.stages.isEmpty else { return }
    json.object("idle") {
      $0.field("seconds", max(0, now.seconds(since: clock.lastUse)))
      $0.field("reached", clock.reached)
      $0.field("stages", clock.stages.count)
      $0.field("dark", isDark)
      $0.field("dimmed", isDimmed)
    }
  }
}

extension IdleStage.Effect {
  fileprivate var isBacklight: Bool {
    if case .backlight = self { true } else { false }
  }
}
