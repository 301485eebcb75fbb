import CLinux.Plugins
import CTouchtree
import Glibc
import TouchCore
import TouchSystem
import TouchViews

/// A handler in a shared object, with the interface of `touchtree.h`.
package final class PluginHandler: ControlHandler {
  package let name: String
  package let captures: Bool

  /// The plugin's own table, which is passed to its functions.
  private let plugin: UnsafePointer<touchtree_plugin>
  /// The functions of that table that the plugin knew; the rest is NULL.
  private let functions: touchtree_plugin
  private let services: PluginServices
  private var batch = TouchBatch()
  private let describer = EventDescriber()
  private var touches: [BegunTouch] = []
  private var begunGestures: [GestureRecognizer] = []
  private var time = Timestamp.zero

  private struct BegunTouch {
    let touch: Touch
    let responder: Responder
  }

  /// The ids of the latest touches that waited. Each counts once.
  private var waited: [Int] = []

  /// Whether the plugin is off, and not called any more, after too many calls longer than the budget.
  package private(set) var isOff = false
  /// Whether it is half-way to being turned off.
  package var isSlow: Bool { services.strikes * 2 >= PluginServices.mostStrikes }
  /// The number of touches that waited for a call longer than the budget.
  package private(set) var touchesWaited = 0
  /// The number of calls longer than the budget.
  package var slowCalls: Int { services.slowCalls }

  /// Loads a plugin that `PluginLocator` has accepted, and calls its create function with a JSON object.
  /// Calls longer than the budget, in seconds, count against it. The host is held weakly.
  package init(
    name: String, file: consuming PathWalk, configJSON: String,
    budget: Double = HandlerSettings.defaultBudget, captures: Bool = false, host: any HandlerHost
  ) throws(Failure) {
    let path = file.path.string
    let create = try PluginLibrary.create(in: &file)
    let services = PluginServices(handler: name, path: path, budget: budget, host: host)
    var reason: UnsafePointer<CChar>?
    let made = services.call("touchtree_plugin_create", isQuick: false) {
      configJSON.withCString { create(TOUCHTREE_ABI, services.table, $0, &reason) }
    }
    guard let made else {
      throw .plugin(
        path, reason.map { "says: \(String(cString: $0))" } ?? "gave no reason and did not start; see the log"
      )
    }
    functions = try Self.read(made, path: path)
    plugin = made
    self.services = services
    (self.name, self.captures) = (name, captures)
    services.attach(plugin, functions)
    services.onExhausted = { [weak self] in self?.turnOff() }
  }

  deinit {
    // The plugin may close its descriptors in destroy.
    services.endWatches()
    guard let destroy = functions.destroy else { return }
    services.call("destroy", isQuick: false) { destroy(plugin) }
  }

  package func handle(
    _ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder
  ) -> Disposition {
    guard !isOff, let function = functions.touch, !touches.isEmpty else { return .forward }
    follow(touches, phase, responder)
    let batch = batch.describe(touches, phase: phase, at: event.timestamp, for: responder)
    time = event.timestamp
    return Disposition(
      answer: services.call(
        "touch", for: batch.pointee.responder, whenSlow: { touches.forEach(countWaiting) },
        { function(plugin, batch) }))
  }

  /// Records the touches whose end is due, before the call, because the plugin may be turned off in it.
  private func follow(_ touches: [Touch], _ phase: Touch.Phase, _ responder: Responder) {
    switch phase {
    case .began: for touch in touches { self.touches.append(BegunTouch(touch: touch, responder: responder)) }
    case .ended, .cancelled:
      self.touches.removeAll { begun in
        begun.responder === responder && touches.contains { $0 === begun.touch }
      }
    case .moved, .stationary, .entered, .left: break
    }
  }

  package func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
    guard !isOff, let function = functions.action else { return }
    let cause = batch.describe(CollectionOfOne(touch), phase: touch.phase, at: event.timestamp, for: control)
    services.call(
      "action", for: cause.pointee.responder, whenSlow: { countWaiting(touch) },
      { function(plugin, action.code, cause) })
  }

  package func handle(_ gesture: GestureRecognizer, event: Event) {
    guard !isOff, let function = functions.gesture, let state = gesture.state.code else { return }
    switch gesture.state {
    case .began: begunGestures.append(gesture)
    case .ended, .cancelled: begunGestures.removeAll { $0 === gesture }
    case .possible, .changed, .failed: break
    }
    var description = describer.describe(gesture, state: state, at: event.timestamp)
    time = event.timestamp
    services.call("gesture", for: description.view) { function(plugin, &description) }
  }

  package func handle(_ pointer: PointerEvent, for responder: Responder) -> Disposition {
    guard !isOff, let function = functions.pointer else { return .forward }
    var description = describer.describe(pointer, for: responder)
    return Disposition(
      answer: services.call("pointer", for: description.responder) { function(plugin, &description) })
  }

  package func handle(_ press: Press, event: PressesEvent, for responder: Responder) -> Disposition {
    guard !isOff, let function = functions.press else { return .forward }
    var description = describer.describe(press, for: responder)
    return Disposition(
      answer: services.call("press", for: description.responder) { function(plugin, &description) })
  }

  private func countWaiting(_ touch: Touch) {
    guard !waited.contains(touch.id) else { return }
    touchesWaited += 1
    if waited.count == Self.mostWaited { waited.removeFirst() }
    waited.append(touch.id)
  }

  /// The most touches to remember, more than there are fingers on a panel.
  private static let mostWaited = 32

  /// Cancels the plugin's touches and gestures, and calls it only once more, to destroy it.
  private func turnOff() {
    isOff = true
    if let function = functions.touch {
      for begun in touches {
        let batch = batch.describe(
          CollectionOfOne(begun.touch), phase: .cancelled, at: time, for: begun.responder)
        services.call("touch", for: batch.pointee.responder, isQuick: false) { _ = function(plugin, batch) }
      }
    }
    if let function = functions.gesture {
      for gesture in begunGestures {
        var description = describer.describe(gesture, state: TOUCHTREE_GESTURE_CANCELLED, at: time)
        services.call("gesture", for: description.view, isQuick: false) { function(plugin, &description) }
      }
    }
    touches = []
    begunGestures = []
    services.turnOff()
  }

  /// Copies the reported part of a plugin's table, which begins with size and ABI in every version.
  private static func read(
    _ plugin: UnsafePointer<touchtree_plugin>, path: String
  ) throws(Failure) -> touchtree_plugin {
    let bytes = UnsafeRawPointer(plugin)
    let size = bytes.load(as: UInt32.self)
    let abi = bytes.load(fromByteOffset: MemoryLayout<UInt32>.size, as: UInt32.self)
    guard abi == TOUCHTREE_ABI else { throw .plugin(path, PluginLibrary.otherABI(abi)) }
    guard size >= firstTableSize else {
      throw .plugin(
        path,
        "its table says that it has \(size) bytes, which must be at least \(firstTableSize);"
          + " set its field size to sizeof(touchtree_plugin)")
    }
    var table = touchtree_plugin()
    withUnsafeMutableBytes(of: &table) { copy in
      copy.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: min(Int(size), copy.count)))
    }
    return table
  }

  /// The size of the table in the first version of the ABI, up to and with `destroy`.
  private static let firstTableSize = 2 * MemoryLayout<UInt32>.size + 5 * MemoryLayout<UnsafeRawPointer>.size
}

extension Disposition {
  fileprivate init(answer: Int32) {
    switch answer {
    case TOUCHTREE_HANDLED: self = .handled
    case TOUCHTREE_CLAIM: self = .claim
    default: self = .forward
    }
  }
}

/// The only way in which shared objects are loaded.
enum PluginLibrary {
  typealias Create =
    @convention(c) (
      UInt32, UnsafePointer<touchtree_host>, UnsafePointer<CChar>, UnsafeMutablePointer<UnsafePointer<CChar>?>
    ) -> UnsafePointer<touchtree_plugin>?

  /// Loads a shared object, once, and never unloads it: its code may be on the stack or have threads. It
  /// throws if the object cannot be loaded, or is no plugin.
  static func create(in file: inout PathWalk) throws(Failure) -> Create {
    let path = file.path.string
    guard let (folder, name) = file.takeFile(), let library = touchtree_plugin_load(folder.rawValue, name)
    else { throw .plugin(path, unloadable(loaderError(for: path))) }
    guard let symbol = dlsym(library, "touchtree_plugin_create") else { throw .plugin(path, noEntryPoint) }
    return unsafeBitCast(symbol, to: Create.self)
  }

  // The errors of a file, whether it is only examined or loaded.

  static let noEntryPoint =
    "exports no touchtree_plugin_create; define that function as touchtree.h declares it"

  static func unloadable(_ reason: String) -> String {
    "cannot be loaded: \(reason); it must be a shared object for this machine"
      + " (cc -shared -fPIC), with every library that it needs"
  }

  static func otherABI(_ abi: UInt32) -> String {
    "made for plugin ABI \(abi), and this touchtree has ABI \(TOUCHTREE_ABI);"
      + " build it again with this touchtree's touchtree.h"
  }

  /// Returns the loader's reason without the leading path, which is not the one in the configuration.
  private static func loaderError(for path: String) -> String {
    guard let error = dlerror() else { return "no reason given" }
    let text = String(cString: error)
    let name = path.split(separator: "/").last ?? ""
    guard text.hasPrefix("/proc/self/fd/"), let end = text.firstIndex(of: ":"),
      text[..<end].hasSuffix("/\(name)")
    else { return text }
    return String(text[end...].dropFirst(2))
  }
}
