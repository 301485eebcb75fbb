import Glibc
import Logging
import TouchConfig
import TouchCore
import TouchInput
import TouchJSON
import TouchKit
import TouchOutput
import TouchPixels
import TouchSystem
import TouchViews

/// Lights the display: performs the stages of `idle:` while it is not touched, and the requests of its
/// window. A touch, a moving mouse and a client's request to wake undo the stages. One timer waits for the
/// next one. While another program is shown, none comes; then they begin again.
package final class IdleDisplay: TurnHook, DisplayFollower, WindowLight {
  package var turnPlace: TurnPlace?
  private let presentation: Presentation
  private let pipeline: InputPipeline
  private let host: Host
  private let loop: EventLoop
  private let log: Logger
  private var clock = IdleClock(from: .zero)
  private var light = DisplayLight()
  /// The name of the backlight, or nil for the only one, and the folder in which the kernel lists it.
  private var place: (name: String?, folder: String) = (nil, Backlight.folder)
  private var panel: Backlight?
  package var onChange: () -> Void = {}
  /// Whether a sensor reports that somebody is there. No stage comes meanwhile.
  package var isOccupied = false {
    didSet { if isOccupied != oldValue { wake(at: loop.now) } }
  }
  private(set) var armed: (deadline: Timestamp, timer: Int)?
  /// The timer's action, made once. The end of the turn does the work.
  private var expire: () -> Void = {}

  package init(
    _ presentation: Presentation, _ pipeline: InputPipeline, host: Host, in loop: EventLoop, log: Logger
  ) {
    (self.presentation, self.pipeline, self.host, self.loop) = (presentation, pipeline, host, loop)
    self.log = log
    expire = { [weak self] in self?.armed = nil }
    presentation.addFollower(self)
  }

  /// Begins with the stages of a configuration, and the kernel's folder of backlights.
  package func follow(
    _ configuration: Configuration, at now: Timestamp, backlights: String = Backlight.folder
  ) {
    if place.name != configuration.display.backlight || place.folder != backlights { panel = nil }
    place = (configuration.display.backlight, backlights)
    wake(at: now)
    clock = IdleClock(configuration.idle, from: now)
    presentation.window.light = self
    if let percent = presentation.window.initialBacklight.take() { set(percent) }
    guard !clock.stages.isEmpty else { return stopWaiting() }
    begin()
    guard configuration.idle.contains(where: \.effect.isBacklight), let problem = backlightProblem else {
      return
    }
    log.warning("\(problem)")
  }

  private func begin() { if turnPlace == nil { loop.addHook(self, at: .rest) } }

  package func turnEnds(at now: Timestamp) {
    if pipeline.isTouched || isOccupied {
      wake(at: now)
    } else if pipeline.lastUse > clock.lastUse {
      wake(at: pipeline.lastUse)
    }
    let output = presentation.output
    guard output.isShown || output.isBlank else { return wait(until: nil) }
    let stages = clock.advance(to: now)
    for stage in stages {
      light.reach(stage.effect)
      if case .steps(let number) = stage.effect { host.performIdle(number, at: now) }
    }
    if !stages.isEmpty { apply() }
    // A sensor reports the end of it.
    wait(until: isOccupied ? nil : clock.deadline)
  }

  /// Undoes the stages and what made the display dark, and begins with the first stage again.
  package func wake(at time: Timestamp) {
    clock.use(at: time)
    let before = light
    light.use()
    if light != before { apply() }
  }

  /// Lights the display when it is shown again, and before another one replaces it.
  package func displayChanged(_ change: Output.Change) {
    switch change {
    case .hidden, .shown, .replaced, .failed: wake(at: MonotonicClock.now())
    case .resized, .ended: break
    }
  }

  /// Restores the panel's own light for good.
  package func end(at now: Timestamp) {
    light = DisplayLight()
    apply()
    clock = IdleClock(from: now)
    panel = nil
    stopWaiting()
  }

  private func stopWaiting() {
    if light == DisplayLight() { turnPlace = nil }
    wait(until: nil)
  }

  private func apply() {
    do throws(DisplayError) {
      try panel?.show(light.level, atMost: light.limit)
    } catch {
      log.warning("\(error)")
      panel = nil
    }
    presentation.setBlank(light.isBlank)
    pipeline.isDark = isDark
    onChange()
  }

  /// Whether nothing is visible: the display is blank, or without light.
  package var isDark: Bool { presentation.output.isBlank || (panel != nil && light.isDark) }

  // MARK: Requests

  package var backlight: Double? {
    get { light.level == 0 ? 0 : light.inUse }
    set { request { $0.request(backlight: newValue) } }
  }

  package var isBlank: Bool {
    get { presentation.output.isBlank }
    set { request { $0.request(blank: newValue) } }
  }

  private func set(_ percent: Double) {
    if let backlightProblem { return log.warning("\(backlightProblem)") }
    backlight = percent
  }

  private func request(_ change: (inout DisplayLight) -> Void) {
    // A touch undoes it.
    begin()
    change(&light)
    apply()
  }

  /// The reason why the panel has no backlight, which it opens; nil if it has one.
  package var backlightProblem: String? {
    guard panel == nil else { return nil }
    do throws(DisplayError) {
      panel = try Backlight(named: place.name, in: place.folder)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func wait(until deadline: Timestamp?) {
    // A postponed deadline is checked again when the timer expires.
    if let deadline, let armed, armed.deadline <= deadline { return }
    if let armed { loop.cancelTimer(armed.timer) }
    armed = deadline.map { ($0, loop.addTimer(at: $0, expire)) }
  }

  // MARK: Statistics

  /// The lines for people; empty without stages.
  package func lines(at now: Timestamp) -> [String] {
    guard !clock.stages.isEmpty || light != DisplayLight() else { return [] }
    let seconds = Int(max(0, now.seconds(since: clock.lastUse)))
    let state = isDark ? ", dark" : isDimmed ? ", dimmed" : ""
    return ["", "idle for \(seconds) s, \(clock.reached) of \(clock.stages.count) stages reached\(state)"]
  }

  package var isDimmed: Bool { !isDark && panel != nil && light.isDimmed }

  package var isSeen: Bool { presentation.output.isVisible }

  package func write(to metrics: inout MetricsText) {
    metrics.begin("display_seen", .gauge, "Whether the display is there, and shows no other program.")
    metrics.add(isSeen ? 1 : 0)
    metrics.begin("last_touch_seconds", .gauge, "The time of the last touch, in seconds since 1970.")
    if pipeline.lastUse > .zero {
      let ago = MonotonicClock.now().seconds(since: pipeline.lastUse)
      metrics.add(seconds: (Double(time(nil)) - ago).rounded())
    }
    metrics.begin("display_dimmed", .gauge, "Whether an idle stage dims the panel.")
    metrics.add(isDimmed ? 1 : 0)
    metrics.begin(
      "display_dark", .gauge, "Whether nothing can be seen: the display is blank, or without light.")
    metrics.add(isDark ? 1 : 0)
  }

  package func write(to json: inout JSONWriter, at now: Timestamp) {
    json.object("display") { write(to: &$0) }
    guard !clock.stages.isEmpty else { return }
    json.object("idle") {
      $0.field("seconds", max(0, now.seconds(since: clock.lastUse)))
      $0.field("reached", clock.reached)
      $0.field("stages", clock.stages.count)
      $0.field("dark", isDark)
      $0.field("dimmed", isDimmed)
    }
  }

  package func write(to json: inout JSONWriter) {
    json.field("backlight", backlight.map { .real($0) } ?? JSONValue.null)
    json.field("seen", isSeen)
    json.field("blank", isBlank)
    json.field("dark", isDark)
    json.field("dimmed", isDimmed)
  }
}

extension IdleStage.Effect {
  fileprivate var isBacklight: Bool {
    if case .backlight = self { true } else { false }
  }
}
