import CLinux.Plugins
import CTouchtree
import Glibc
import TouchCore

/// A handler in a shared object, by the interface of `touchtree.h`.
package final class PluginHandler: Handler {
  package let name: String

  /// The plugin's own table, which is handed to its functions.
  private let plugin: UnsafePointer<touchtree_plugin>
  /// What of that table the plugin knew; the rest is NULL.
  private let functions: touchtree_plugin
  private let services: PluginServices
  private var batch = TouchBatch()
  private let gestures = GestureDescriber()
  private let pointerCall = PointerCall()

  /// Loads a plugin and calls its create function.
  ///
  /// - Parameters:
  ///   - file: a shared object that `PluginLocator` found good.
  ///   - configJSON: one JSON object.
  ///   - host: held weakly.
  package init(
    name: String, file: consuming PathWalk, configJSON: String, host: any HandlerHost
  ) throws(PluginError) {
    let path = file.path.string
    let create = try PluginLibrary.create(in: &file)
    let services = PluginServices(handler: name, path: path, host: host)
    var reason: UnsafePointer<CChar>?
    let made = services.call("touchtree_plugin_create", isQuick: false) {
      configJSON.withCString { create(TOUCHTREE_ABI, services.table, $0, &reason) }
    }
    guard let made else {
      throw PluginError(path: path, cause: .refused(reason: reason.map { String(cString: $0) }))
    }
    functions = try Self.read(made, path: path)
    plugin = made
    self.services = services
    self.name = name
    services.attach(plugin, functions)
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
    guard let touch = functions.touch, !touches.isEmpty else { return .forward }
    let batch = batch.describe(touches, phase: phase, event: event, for: responder)
    return Disposition(
      verdict: services.call("touch", for: batch.pointee.responder) { touch(plugin, batch) })
  }

  package func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
    guard let function = functions.action else { return }
    let cause = batch.describe(CollectionOfOne(touch), phase: touch.phase, event: event, for: control)
    services.call("action", for: cause.pointee.responder) { function(plugin, action.code, cause) }
  }

  package func handle(_ gesture: GestureRecognizer, event: Event) {
    guard let function = functions.gesture, let state = gesture.state.code else { return }
    var description = gestures.describe(gesture, state: state, event: event)
    services.call("gesture", for: description.view) { function(plugin, &description) }
  }

  package func handle(_ pointer: PointerEvent, for responder: Responder) -> Disposition {
    guard let function = functions.pointer else { return .forward }
    let call = pointerCall.describe(pointer, for: responder)
    return Disposition(
      verdict: services.call("pointer", for: call.pointee.responder) { function(plugin, call) })
  }

  /// Copies as much of a plugin's table as the plugin says there is. Size and ABI come first in every
  /// version.
  private static func read(
    _ plugin: UnsafePointer<touchtree_plugin>, path: String
  ) throws(PluginError) -> touchtree_plugin {
    let bytes = UnsafeRawPointer(plugin)
    let size = bytes.load(as: UInt32.self)
    let abi = bytes.load(fromByteOffset: MemoryLayout<UInt32>.size, as: UInt32.self)
    guard abi == TOUCHTREE_ABI else {
      throw PluginError(path: path, cause: .wrongABI(plugin: abi, host: TOUCHTREE_ABI))
    }
    guard size >= firstTableSize else {
      throw PluginError(path: path, cause: .shortTable(size: size, needed: firstTableSize))
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
  /// What a plugin answered.
  fileprivate init(verdict: Int32) {
    switch verdict {
    case TOUCHTREE_HANDLED: self = .handled
    case TOUCHTREE_CLAIM: self = .claim
    default: self = .forward
    }
  }
}

/// The one place where shared objects are loaded.
enum PluginLibrary {
  /// `touchtree_plugin_create`.
  typealias Create =
    @convention(c) (
      UInt32, UnsafePointer<touchtree_host>, UnsafePointer<CChar>,
      UnsafeMutablePointer<UnsafePointer<CChar>?>
    ) -> UnsafePointer<touchtree_plugin>?

  /// Loads a shared object, for good: code of it may be on the stack, and its own threads would run into
  /// nothing. One that is loaded already is not loaded again.
  ///
  /// - Throws: when it cannot be loaded, or is not a plugin.
  static func create(in file: inout PathWalk) throws(PluginError) -> Create {
    let path = file.path.string
    guard let (folder, name) = file.takeFile(), let library = touchtree_plugin_load(folder.rawValue, name)
    else {
      throw PluginError(path: path, cause: .cannotLoad(reason: loaderError(for: path)))
    }
    guard let symbol = dlsym(library, "touchtree_plugin_create") else {
      throw PluginError(path: path, cause: .noEntryPoint)
    }
    return unsafeBitCast(symbol, to: Create.self)
  }

  /// The loader's reason, without the plugin's path with which it usually begins, and which is not the one in the
  /// configuration.
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
