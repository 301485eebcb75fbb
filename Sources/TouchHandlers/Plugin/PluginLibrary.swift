import CTouchtree
import Glibc

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
  /// - Throws: when the loader refuses it, or it is no plugin.
  static func create(in path: String) throws(PluginError) -> Create {
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw PluginError(path: path, cause: .cannotLoad(reason: loaderError(for: path)))
    }
    guard let symbol = dlsym(library, "touchtree_plugin_create") else {
      throw PluginError(path: path, cause: .noEntryPoint)
    }
    return unsafeBitCast(symbol, to: Create.self)
  }

  /// The loader's reason, without the path with which it usually begins.
  private static func loaderError(for path: String) -> String {
    guard let error = dlerror() else { return "no reason given" }
    let text = String(cString: error)
    return text.hasPrefix("\(path): ") ? String(text.dropFirst(path.count + 2)) : text
  }
}
