import CLinux.Plugins
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
