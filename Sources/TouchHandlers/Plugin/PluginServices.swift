import CTouchtree
import Glibc
import Logging

/// The host's side of one plugin: the table that the plugin calls, and what stands behind it.
final class PluginServices {
  /// Valid as long as this object.
  let table: UnsafeMutablePointer<touchtree_host>

  private let name: String
  private let logger: Logger
  private weak var host: (any HandlerHost)?
  private let loopThread = pthread_self()
  private var plugin: (table: UnsafePointer<touchtree_plugin>, timer: Timer?)?
  /// The host's timer for each of the plugin's. The plugin's own numbers keep it from ending another one's
  /// timer.
  private var timers: [Int64: Int] = [:]
  private var lastTimer: Int64 = 0

  typealias Timer = @convention(c) (UnsafePointer<touchtree_plugin>, Int64) -> Void

  init(handler name: String, host: any HandlerHost) {
    self.name = name
    self.host = host
    logger = host.logger
    table = .allocate(capacity: 1)
    table.initialize(
      to: touchtree_host(
        size: UInt32(MemoryLayout<touchtree_host>.size),
        abi: TOUCHTREE_ABI,
        context: Unmanaged.passUnretained(self).toOpaque(),
        log: { PluginServices.behind($0)?.log(level: $1, String(cString: $2)) },
        invalidate: { PluginServices.behind($0)?.invalidate(String(cString: $1)) ?? TOUCHTREE_UNAVAILABLE },
        set_property: {
          PluginServices.behind($0)?.set(
            String(cString: $2), to: String(cString: $3), on: String(cString: $1))
            ?? TOUCHTREE_UNAVAILABLE
        },
        add_timer: {
          PluginServices.behind($0)?.addTimer(milliseconds: $1, repeats: $2 != 0)
            ?? Int64(TOUCHTREE_UNAVAILABLE)
        },
        cancel_timer: { PluginServices.behind($0)?.cancelTimer($1) }))
  }

  deinit {
    for timer in timers.values { host?.cancelTimer(timer) }
    table.deallocate()
  }

  /// Tells whom to call when a timer is due.
  func attach(_ plugin: UnsafePointer<touchtree_plugin>, timer: Timer?) {
    self.plugin = (plugin, timer)
  }

  private static func behind(_ table: UnsafePointer<touchtree_host>) -> PluginServices? {
    table.pointee.context.map { Unmanaged<PluginServices>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The host, on its own thread and while it is there.
  private var reachableHost: (any HandlerHost)? {
    guard pthread_equal(pthread_self(), loopThread) != 0 else {
      logger.error("handler \(name): plugin bug: called the host from a thread that is not the loop's")
      return nil
    }
    return host
  }

  private func log(level: Int32, _ message: String) {
    let level: Logger.Level =
      switch level {
      case TOUCHTREE_LOG_ERROR: .error
      case TOUCHTREE_LOG_WARNING: .warning
      case TOUCHTREE_LOG_INFO: .info
      default: .debug
      }
    logger.log(level: level, "handler \(name): \(message)")
  }

  private func invalidate(_ id: String) -> Int32 {
    guard let host = reachableHost else { return TOUCHTREE_UNAVAILABLE }
    guard let view = host.view(id: id) else { return noSuchView(id) }
    view.setNeedsDisplay()
    return TOUCHTREE_OK
  }

  private func set(_ key: String, to value: String, on id: String) -> Int32 {
    guard let host = reachableHost else { return TOUCHTREE_UNAVAILABLE }
    guard let view = host.view(id: id) else { return noSuchView(id) }
    do {
      try ViewProperty.set(key, to: value, on: view)
      return TOUCHTREE_OK
    } catch {
      logger.warning("handler \(name): \(error)")
      switch error.cause {
      case .unknownKey, .notOfThisView: return TOUCHTREE_NO_SUCH_PROPERTY
      case .badValue: return TOUCHTREE_BAD_VALUE
      }
    }
  }

  private func noSuchView(_ id: String) -> Int32 {
    logger.warning("handler \(name): there is no view \"\(id)\"")
    return TOUCHTREE_NO_SUCH_VIEW
  }

  private func addTimer(milliseconds: UInt32, repeats: Bool) -> Int64 {
    guard let host = reachableHost else { return Int64(TOUCHTREE_UNAVAILABLE) }
    lastTimer += 1
    let timer = lastTimer
    timers[timer] = host.addTimer(milliseconds: max(1, Int(milliseconds)), repeats: repeats) {
      [weak self] in self?.due(timer, repeats: repeats)
    }
    return timer
  }

  private func cancelTimer(_ timer: Int64) {
    guard let host = reachableHost, let hostTimer = timers.removeValue(forKey: timer) else { return }
    host.cancelTimer(hostTimer)
  }

  private func due(_ timer: Int64, repeats: Bool) {
    guard timers[timer] != nil, let plugin else { return }
    if !repeats { timers[timer] = nil }
    plugin.timer?(plugin.table, timer)
  }
}
