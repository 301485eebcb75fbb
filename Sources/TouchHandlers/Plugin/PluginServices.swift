import CLinux.Plugins
import CTouchtree
import Glibc
import Logging
import Synchronization
import TouchSystem

/// The host's side of a plugin: the table that it calls, its implementation, and the way into the plugin.
final class PluginServices {
  /// The host's table, never freed: a thread that the plugin left behind may call it after `destroy`.
  let table: UnsafeMutablePointer<touchtree_host>

  let name: String
  private let path: String
  /// The beginning of the line that is written if the process ends in the plugin.
  private let label: UnsafeMutablePointer<CChar>?
  let logger: Logger
  private weak var host: (any HandlerHost)?
  private let loopThread = pthread_self()
  private var plugin: (table: UnsafePointer<touchtree_plugin>, functions: touchtree_plugin)?
  private var timers: [Int64: Int] = [:]
  private var lastTimer: Int64 = 0
  private var watches: [Int64: Int] = [:]
  private var lastWatch: Int64 = 0
  /// The descriptor that wakes the plugin when readable, read on any thread; −1 if there is none.
  private let wakeDescriptor: Atomic<Int32>
  private var wakeWatch: Int?
  private let budget: Int64
  private(set) var slowCalls = 0
  private var slowWarnings = RateLimit(interval: 60)
  private var depth = 0
  /// The slow calls that quick ones have not made up for, and the quick calls since.
  private(set) var strikes = 0
  private var quickCalls = 0
  /// The handler of too many slow calls, which turns the plugin off.
  var onExhausted: () -> Void = {}
  /// The functions that were called from another thread, as bits.
  private let misused = Atomic<UInt32>(0)
  private var nulls: Set<String> = []
  private let unloggedMisuses = Atomic<Int>(0)

  /// The functions of the host's table.
  enum Function: String, CaseIterable {
    case log, invalidate
    case setProperty = "set_property"
    case addTimer = "add_timer"
    case cancelTimer = "cancel_timer"
    case setNumber = "set_number"
    case setNumbers = "set_numbers"
    case setFlag = "set_flag"
    case getNumber = "get_number"
    case getText = "get_text"
    case watchDescriptor = "watch_descriptor"
    case unwatchDescriptor = "unwatch_descriptor"
    case setValue = "set_value"
    case getValue = "get_value"
  }

  init(handler name: String, path: String, budget: Double, host: any HandlerHost) {
    (self.name, self.path) = (name, path)
    self.budget = Int64(budget * 1e9)
    self.host = host
    label = strdup("handler \(name): plugin \(path)")
    logger = host.logger
    // This comes before the plugin is created, whose threads may then already wake it.
    wakeDescriptor = Atomic(touchtree_eventfd())
    table = .allocate(capacity: 1)
    table.initialize(
      to: touchtree_host(
        size: UInt32(MemoryLayout<touchtree_host>.size), abi: TOUCHTREE_ABI,
        context: Unmanaged.passUnretained(self).toOpaque(),
        log: { PluginServices.behind($0)?.log(level: $1, $2) },
        invalidate: { PluginServices.behind($0)?.invalidate($1) ?? TOUCHTREE_UNAVAILABLE },
        set_property: { PluginServices.behind($0)?.set($2, to: $3, on: $1) ?? TOUCHTREE_UNAVAILABLE },
        add_timer: {
          PluginServices.behind($0)?.addTimer(milliseconds: $1, repeats: $2 != 0)
            ?? Int64(TOUCHTREE_UNAVAILABLE)
        },
        cancel_timer: { PluginServices.behind($0)?.cancelTimer($1) },
        set_number: {
          PluginServices.behind($0)?.set($2, to: .number($3), on: $1, by: .setNumber) ?? TOUCHTREE_UNAVAILABLE
        },
        set_numbers: {
          let numbers = UnsafeBufferPointer(start: $3, count: $3 == nil ? 0 : Int($4))
          return PluginServices.behind($0)?
            .set($2, to: .list(numbers.map { .number($0) }), on: $1, by: .setNumbers)
            ?? TOUCHTREE_UNAVAILABLE
        },
        set_flag: {
          PluginServices.behind($0)?.set($2, to: .flag($3 != 0), on: $1, by: .setFlag)
            ?? TOUCHTREE_UNAVAILABLE
        },
        get_number: {
          PluginServices.behind($0)?.number($2, of: $1, into: $3) ?? TOUCHTREE_UNAVAILABLE
        },
        watch_descriptor: { PluginServices.behind($0)?.watch($1) ?? Int64(TOUCHTREE_UNAVAILABLE) },
        unwatch_descriptor: { PluginServices.behind($0)?.unwatch($1) },
        wake: { PluginServices.behind($0)?.wake() ?? TOUCHTREE_UNAVAILABLE },
        set_value: { PluginServices.behind($0)?.set($2, asValue: $1) ?? TOUCHTREE_UNAVAILABLE },
        get_value: { PluginServices.behind($0)?.value($1, into: $2) ?? TOUCHTREE_UNAVAILABLE },
        get_text: {
          PluginServices.behind($0)?.text($2, of: $1, into: $3, size: $4) ?? TOUCHTREE_UNAVAILABLE
        }))
  }

  deinit {
    table.pointee.context = nil
    turnOff()
    let count = unloggedMisuses.load(ordering: .relaxed)
    if count > 0 {
      logger.error(
        "handler \(name): plugin bug: called the host \(count) more times from a thread that is not the loop's"
      )
    }
    free(label)
  }

  /// Sets the functions for due timers, ready descriptors and wake-ups.
  func attach(_ plugin: UnsafePointer<touchtree_plugin>, _ functions: touchtree_plugin) {
    self.plugin = (plugin, functions)
    let descriptor = wakeDescriptor.load(ordering: .relaxed)
    guard functions.woken != nil, descriptor >= 0 else { return endWaking() }
    do {
      wakeWatch = try host?.watch(descriptor) { [weak self] in self?.woken() }
    } catch {
      logger.error("handler \(name): it cannot be woken: \(error)")
      endWaking()
    }
  }

  /// Ends all calls into the plugin that the host makes by itself.
  func turnOff() {
    plugin = nil
    for timer in timers.values { host?.cancelTimer(timer) }
    timers.removeAll()
    endWatches()
    endWaking()
  }

  private func endWaking() {
    if let wakeWatch { host?.unwatch(wakeWatch) }
    wakeWatch = nil
    let descriptor = wakeDescriptor.exchange(-1, ordering: .relaxed)
    if descriptor >= 0 { close(descriptor) }
  }

  func endWatches() {
    for watch in watches.values { host?.unwatch(watch) }
    watches.removeAll()
  }

  // MARK: Into the plugin

  /// Calls a function of the plugin, by its name in `touchtree.h`. Every call goes through here, so that the
  /// process knows the plugin to name if it ends there. Touches wait for a quick one; `whenSlow` is called
  /// for one over the budget.
  func call<Answer>(
    _ function: StaticString, for responder: UnsafePointer<CChar>? = nil, isQuick: Bool = true,
    whenSlow: () -> Void = {}, _ body: () -> Answer
  ) -> Answer {
    // Each call keeps its own start, because the process remembers only the latest call.
    var began: Int64 = 0
    let outer = touchtree_plugin_call_begin(label, function.utf8Start, responder, &began)
    depth += 1
    let answer = body()
    depth -= 1
    let duration = touchtree_plugin_call_end(outer, began)
    // The time of a call includes that of the calls within it.
    if isQuick, depth == 0 { judge(function, for: responder, nanoseconds: duration, whenSlow) }
    return answer
  }

  /// The number of slow calls that turns a plugin off.
  static let mostStrikes = 10
  /// The quick calls that make up for a slow one: a machine that is busy at times slows good plugins.
  private static let quickPerStrike = 100

  private func judge(
    _ function: StaticString, for responder: UnsafePointer<CChar>?, nanoseconds: Int64, _ whenSlow: () -> Void
  ) {
    guard nanoseconds > budget else {
      quickCalls += 1
      guard quickCalls >= Self.quickPerStrike else { return }
      quickCalls = 0
      strikes = max(0, strikes - 1)
      return
    }
    slowCalls += 1
    strikes += 1
    whenSlow()
    warn(about: function, for: responder.map { String(cString: $0) }, nanoseconds: nanoseconds)
    guard strikes == Self.mostStrikes else { return }
    logger.error(
      """
      handler \(name): plugin \(path) is turned off: \(strikes) of its calls took longer than \(budgetShown). \
      A reload turns it on again; for more time give it a budget:, in seconds
      """)
    onExhausted()
  }

  private var budgetShown: String { "\((Double(budget) / 1e6).plain) ms" }

  private func warn(about function: StaticString, for responder: String?, nanoseconds: Int64) {
    guard let unlogged = slowWarnings.admit(at: MonotonicClock.now()) else { return }
    let place = responder.map { " for \(host?.view(id: $0)?.disclosed.id ?? $0)" } ?? ""
    let others = unlogged > 0 ? ", and \(unlogged) calls before it were slow too" : ""
    logger.warning(
      """
      handler \(name): \(function) took \((nanoseconds + 999_999) / 1_000_000) ms\(place), and its budget is \
      \(budgetShown)\(others); every touch and the screen wait for plugin \(path): have it return sooner
      """)
  }

  private func due(_ timer: Int64, repeats: Bool) {
    guard timers[timer] != nil, let plugin else { return }
    if !repeats { timers[timer] = nil }
    guard let function = plugin.functions.timer else { return }
    call("timer") { function(plugin.table, timer) }
  }

  private func ready(_ watch: Int64) {
    guard watches[watch] != nil, let plugin, let function = plugin.functions.ready else { return }
    call("ready") { function(plugin.table, watch) }
  }

  private func woken() {
    var count: UInt64 = 0
    // The counter is emptied first, so that a call from now on wakes the plugin again.
    _ = read(wakeDescriptor.load(ordering: .relaxed), &count, MemoryLayout<UInt64>.size)
    guard let plugin, let function = plugin.functions.woken else { return }
    call("woken") { function(plugin.table) }
  }

  // MARK: Out of the plugin

  private static func behind(_ table: UnsafePointer<touchtree_host>?) -> PluginServices? {
    table?.pointee.context.map { Unmanaged<PluginServices>.fromOpaque($0).takeUnretainedValue() }
  }

  func reachableHost(for function: Function) -> (any HandlerHost)? { isOnLoopThread(function) ? host : nil }

  /// Logs the first misuse of each function, and counts the others.
  private func isOnLoopThread(_ function: Function) -> Bool {
    if pthread_equal(pthread_self(), loopThread) != 0 { return true }
    let bit = UInt32(1) << UInt32(Function.allCases.firstIndex(of: function) ?? 0)
    if misused.bitwiseOr(bit, ordering: .relaxed).oldValue & bit == 0 {
      logger.error(
        """
        handler \(name): plugin bug: called \(function.rawValue) from a thread that is not the loop's; \
        it does nothing there, and is not reported again
        """)
    } else {
      unloggedMisuses.add(1, ordering: .relaxed)
    }
    return false
  }

  /// - Returns: the text, or nil for NULL, which is logged once for each argument.
  func text(_ pointer: UnsafePointer<CChar>?, _ argument: String, of function: Function) -> String? {
    if let pointer { return String(cString: pointer) }
    if nulls.insert("\(function.rawValue) \(argument)").inserted {
      logger.error(
        """
        handler \(name): plugin bug: called \(function.rawValue) with NULL as the \(argument), \
        which is not reported again
        """)
    }
    return nil
  }

  private func log(level: Int32, _ message: UnsafePointer<CChar>?) {
    guard isOnLoopThread(.log), let message = text(message, "message", of: .log) else { return }
    let level: Logger.Level =
      switch level {
      case TOUCHTREE_LOG_ERROR: .error
      case TOUCHTREE_LOG_WARNING: .warning
      case TOUCHTREE_LOG_INFO: .info
      default: .debug
      }
    logger.log(level: level, "handler \(name): \(message)")
  }

  private func addTimer(milliseconds: UInt32, repeats: Bool) -> Int64 {
    guard let host = reachableHost(for: .addTimer) else { return Int64(TOUCHTREE_UNAVAILABLE) }
    lastTimer += 1
    let timer = lastTimer
    timers[timer] = host.addTimer(milliseconds: max(1, Int(milliseconds)), repeats: repeats) {
      [weak self] in self?.due(timer, repeats: repeats)
    }
    return timer
  }

  private func cancelTimer(_ timer: Int64) {
    guard let host = reachableHost(for: .cancelTimer), let hostTimer = timers.removeValue(forKey: timer)
    else { return }
    host.cancelTimer(hostTimer)
  }

  private func watch(_ descriptor: Int32) -> Int64 {
    guard let host = reachableHost(for: .watchDescriptor) else { return Int64(TOUCHTREE_UNAVAILABLE) }
    lastWatch += 1
    let watch = lastWatch
    do {
      watches[watch] = try host.watch(descriptor) { [weak self] in self?.ready(watch) }
      return watch
    } catch {
      logger.warning("handler \(name): the descriptor \(descriptor) cannot be watched: \(error)")
      return Int64(TOUCHTREE_BAD_VALUE)
    }
  }

  private func unwatch(_ watch: Int64) {
    guard let host = reachableHost(for: .unwatchDescriptor),
      let hostWatch = watches.removeValue(forKey: watch)
    else { return }
    host.unwatch(hostWatch)
  }

  private func wake() -> Int32 {
    let descriptor = wakeDescriptor.load(ordering: .relaxed)
    guard descriptor >= 0 else { return TOUCHTREE_UNAVAILABLE }
    var one: UInt64 = 1
    // A full counter also wakes.
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    return TOUCHTREE_OK
  }
}
