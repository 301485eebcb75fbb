import TouchCore
import TouchInput
import TouchJSON
import TouchKit
import TouchSystem

/// The answer to `health`: each reason why the daemon does not do its work, by what is known when asked.
package final class HealthReport {
  private unowned let daemon: any RequestHost
  private let host: Host
  private let pipeline: InputPipeline
  private let presentation: Presentation
  private let statistics: InputStatistics
  private let idle: IdleDisplay

  /// The time after which a finger that does not move counts as stuck, in seconds.
  static let stuckTime = 60.0
  /// The time in which touches may be shown, in µs, and the age at which they do not count, in s.
  static let (longestDelay, memory): (Int64, Double) = (250_000, 600)
  /// The time after a touch in which its highlight may still be seen, in seconds.
  private static let highlightTime = 5.0

  init(
    of daemon: any RequestHost, _ host: Host, _ pipeline: InputPipeline, _ presentation: Presentation,
    _ statistics: InputStatistics, _ idle: IdleDisplay
  ) {
    (self.daemon, self.host, self.pipeline, self.presentation) = (daemon, host, pipeline, presentation)
    (self.statistics, self.idle) = (statistics, idle)
  }

  /// Returns the present problems, those that hide others first.
  package func problems(at now: Timestamp) -> [HealthProblem] {
    [daemon.status.healthProblem, hidden].compactMap(\.self) + daemon.ownProblems
      + [stuckFinger(at: now), slowTouches(at: now)].compactMap(\.self) + handlers
  }

  private var hidden: HealthProblem? {
    guard !presentation.output.isVisible else { return nil }
    return presentation.output.hiddenBecause.map { HealthProblem(.notShown, $0) }
  }

  private func stuckFinger(at now: Timestamp) -> HealthProblem? {
    func isStuck(_ time: Timestamp) -> Bool { now.seconds(since: time) > Self.stuckTime }
    let touch = pipeline.dispatcher.touches.first { $0.type == .direct && isStuck($0.timestamp) }
    // A withheld finger is no touch.
    let isWithheld = pipeline.dispatcher.touches.isEmpty && pipeline.isTouched && isStuck(pipeline.lastUse)
    guard touch != nil || isWithheld else { return nil }
    let device = touch.flatMap { host.peers.delegate?.name(of: $0.contact.device) } ?? "the touchscreen"
    let seconds = Int(now.seconds(since: touch?.timestamp ?? pipeline.lastUse))
    return HealthProblem(
      .stuckFinger,
      "\(device): a finger has been down for \(seconds) s without a report; clean and dry the panel, "
        + "or plug the device in again; `touchtree monitor` shows what it sends")
  }

  private func slowTouches(at now: Timestamp) -> HealthProblem? {
    let oldest = now.advanced(bySeconds: -Self.memory)
    guard let slow = statistics.slowest(since: oldest, longerThan: Self.longestDelay) else { return nil }
    return HealthProblem(
      .slowTouches,
      "\(slow.device): half of the last \(slow.count) reports took longer than "
        + "\(Self.longestDelay / 1000) ms to be shown, the longest \(slow.longest / 1000) ms; look for what "
        + "keeps the processor busy, and for slow plugins: touchtree ctl stats")
  }

  private var handlers: [HealthProblem] {
    host.peers.processes.compactMap { handler in handler.problem.map { HealthProblem(.processDown, $0) } }
      + host.handlers.plugins.compactMap { plugin in
        if plugin.isOff {
          return HealthProblem(
            .pluginOff,
            "handler \(plugin.name): the plugin is turned off, because its calls were slow; repair it, or give "
              + "it a budget, and type: touchtree ctl reload")
        }
        guard plugin.isSlow else { return nil }
        return HealthProblem(
          .pluginSlow,
          "handler \(plugin.name): \(plugin.slowCalls) calls of the plugin took longer than its budget, and a "
            + "few more turn it off; repair it, or give it a budget")
      }
  }

  // MARK: The answer

  /// - Parameter glass: whether what the display shows is described, for a program that looks at it.
  package func write(to json: inout JSONWriter, glass: Bool, at now: Timestamp) {
    let problems = problems(at: now)
    json.field("well", problems.isEmpty)
    json.objects("problems", of: problems) { json, problem in
      json.field("code", problem.code)
      json.field("message", problem.message)
    }
    daemon.status.write(to: &json)
    json.field("output", presentation.output.name)
    json.object("display") { idle.write(to: &$0) }
    if glass { json.object("glass") { writeGlass(to: &$0, at: now) } }
  }

  private func writeGlass(to json: inout JSONWriter, at now: Timestamp) {
    let output = presentation.output
    switch output.display.scanout {
    case .framebuffer(let path): json.field("framebuffer", path)
    case .connector(let part):
      json.field("card", part.card)
      json.field("connector", part.name)
      json.field("crtc", Int(part.crtc))
      json.field("buffers", part.buffers.map(Int.init))
      json.field("format", part.format)
    case nil: break
    }
    json.field("terminal", Int(output.consoleNumber))
    json.field("backlight", host.tree.configuration.display.backlight)
    // A screenshot has neither private views nor, beside them, what shows where a finger is.
    let covered = privateRects
    json.field("private", covered.map { [$0.minX, $0.minY, $0.width, $0.height] })
    let isInUse =
      pipeline.isTouched || presentation.isPointerShown
      || now.seconds(since: pipeline.lastUse) < Self.highlightTime
    json.field("complete", covered.isEmpty || !isInUse)
  }

  /// The place of each private view with what is in it, hidden or not, in the display's pixels.
  private var privateRects: [Rect<DisplaySpace>] {
    let displayFromWindow = presentation.output.geometry.displayFromWindow
    var rects: [String: Rect<DisplaySpace>] = [:]
    for view in host.tree.viewsByID.values {
      guard let id = view.privateView?.id else { continue }
      let rect: Rect<DisplaySpace> = view.windowFromLocal.then(displayFromWindow)
        .bounding(view.bounds.outset(by: view.paintOutset))
      rects[id] = rects[id]?.union(rect) ?? rect
    }
    return Array(rects.values)
  }
}

extension ConfigurationStatus {
  fileprivate var healthProblem: HealthProblem? {
    guard let first = problems.first else { return nil }
    let others = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
    return isFallback
      ? HealthProblem(
        .fallback,
        "\(file) cannot be used, so the last configuration that worked is shown: \(first)\(others); correct it, "
          + "and type: touchtree ctl reload")
      : HealthProblem(
        .notReloaded,
        "\(file) was not reloaded, so the previous configuration is shown: \(first)\(others); correct it, "
          + "and type: touchtree ctl reload")
  }
}
