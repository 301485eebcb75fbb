import TouchHandlers
import TouchJSON
import TouchSystem

/// The report of `ctl stats` and the statistics file, with the figures of all parts.
package final class StatisticsReport: MetricsSource {
  private unowned let daemon: any RequestHost
  private let host: Host
  private let statistics: InputStatistics
  private let idle: IdleDisplay
  private let subscriptions: Subscriptions
  private let viewers: Viewers
  private let health: HealthReport
  private var peers: Peers { host.peers }

  init(
    of daemon: any RequestHost, _ host: Host, _ statistics: InputStatistics, _ idle: IdleDisplay,
    _ subscriptions: Subscriptions, _ viewers: Viewers, _ health: HealthReport
  ) {
    (self.daemon, self.host, self.statistics, self.idle) = (daemon, host, statistics, idle)
    (self.subscriptions, self.viewers, self.health) = (subscriptions, viewers, health)
  }

  package var lines: [String] {
    statistics.lines + daemon.status.lines + idle.lines(at: MonotonicClock.now()) + listeners
  }

  package func write(to json: inout JSONWriter) {
    statistics.write(to: &json)
    daemon.status.write(to: &json)
    idle.write(to: &json, at: MonotonicClock.now())
    writeListeners(to: &json)
  }

  private var figures: [(key: String, kind: MetricsText.Kind, help: String, number: Int)] {
    [
      ("clients", .gauge, "Clients of the control socket.", daemon.clientCount),
      ("subscribers", .gauge, "Clients that subscribed to events.", subscriptions.count),
      ("viewers", .gauge, "Clients that show the screen.", viewers.count),
      ("moves_not_sent", .counter, "Moves that gave way to later ones of a slow reader.", peers.dropped),
    ]
  }

  private var listeners: [String] {
    let processes = peers.processes.map {
      "handler \($0.name): \($0.state.rawValue), restarts: \($0.restarts)"
    }
    let clients = figures.map { "\($0.key.replacing("_", with: " ")): \($0.number)" }
    return ["", clients.joined(separator: ", ")] + processes
      + host.handlers.plugins.map {
        let state = $0.isOff ? "turned off" : "plugin"
        return "handler \($0.name): \(state), slow calls: \($0.slowCalls), "
          + "touches that waited: \($0.touchesWaited)"
      }
  }

  private func writeListeners(to json: inout JSONWriter) {
    for figure in figures { json.field(figure.key, figure.number) }
    json.objects("processes", of: peers.processes) { json, process in
      json.field("handler", process.name)
      json.field("state", process.state.rawValue)
      json.field("restarts", process.restarts)
    }
    json.objects("plugins", of: host.handlers.plugins) { json, plugin in
      json.field("handler", plugin.name)
      json.field("off", plugin.isOff)
      json.field("slow_calls", plugin.slowCalls)
      json.field("touches_waited", plugin.touchesWaited)
    }
  }

  // MARK: For programs that watch the machine

  /// A number that changes with every figure in `metrics`.
  package var revision: Int {
    var hasher = Hasher()
    hasher.combine(statistics.revision)
    hasher.combine(daemon.status.reloads)
    hasher.combine(daemon.status.problems.count)
    for figure in figures { hasher.combine(figure.number) }
    hasher.combine(idle.isSeen)
    hasher.combine(idle.isDark)
    hasher.combine(idle.isDimmed)
    for plugin in host.handlers.plugins {
      hasher.combine(plugin.slowCalls)
      hasher.combine(plugin.isOff)
    }
    for process in peers.processes {
      hasher.combine(process.state)
      hasher.combine(process.restarts)
    }
    return hasher.finalize()
  }

  /// The figures in the text format of Prometheus.
  package var metrics: String {
    var metrics = MetricsText()
    statistics.write(to: &metrics)
    metrics.begin("build_info", .gauge, "The version of touchtree.")
    metrics.add(1, [.init("version", TouchtreeVersion.text)])
    metrics.begin(
      "configuration_info", .gauge, "The file that is shown, and whether it is the last one that worked.")
    metrics.add(
      1,
      [.init("sha256", daemon.status.digest), .init("fallback", daemon.status.isFallback ? "true" : "false")])
    metrics.begin("health", .gauge, "Whether the daemon found no problem when this was written.")
    metrics.add(health.problems(at: MonotonicClock.now()).isEmpty ? 1 : 0)
    metrics.begin("reloads_total", .counter, "How often the configuration was reloaded.")
    metrics.add(daemon.status.reloads)
    metrics.begin("configuration_problems", .gauge, "Errors of a file that is not what is shown.")
    metrics.add(daemon.status.problems.count)
    for figure in figures {
      metrics.begin(figure.kind == .counter ? figure.key + "_total" : figure.key, figure.kind, figure.help)
      metrics.add(figure.number)
    }
    idle.write(to: &metrics)
    metrics.begin("process_running", .gauge, "Whether the process of a handler runs and is ready.")
    for process in peers.processes {
      metrics.add(process.state == .running ? 1 : 0, [.init("handler", process.name)])
    }
    metrics.begin(
      "process_restarts_total", .counter, "How often a handler's process had to be started again.")
    for process in peers.processes { metrics.add(process.restarts, [.init("handler", process.name)]) }
    let ofPlugins: [(name: String, kind: MetricsText.Kind, help: String, number: (PluginHandler) -> Int)] = [
      ("plugin_off", .gauge, "Whether a plugin was turned off, because it was slow.", { $0.isOff ? 1 : 0 }),
      ("plugin_slow_calls_total", .counter, "Calls that took longer than the budget.", \.slowCalls),
      ("plugin_touches_waited_total", .counter, "Touches that waited for such a call.", \.touchesWaited),
    ]
    for figure in ofPlugins {
      metrics.begin(figure.name, figure.kind, figure.help)
      for plugin in host.handlers.plugins {
        metrics.add(figure.number(plugin), [.init("handler", plugin.name)])
      }
    }
    return metrics.text
  }
}
