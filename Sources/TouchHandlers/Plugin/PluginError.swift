/// Why a plugin cannot be used.
package struct PluginError: Error, CustomStringConvertible {
  package enum Cause: Hashable, Sendable {
    /// A bare name is in none of the folders.
    case notFound(folders: [String])
    /// A file or a folder above it cannot be looked at.
    case cannotRead(path: String, reason: String)
    /// It is a folder, a device or the like.
    case notAFile
    /// What was found in a plugin folder is a link to something elsewhere.
    case linksOutside(folder: String, target: String)
    /// Another user could change the file, a folder above it or a link on the way.
    case untrusted(FileTrustError)
    /// The loader's own words.
    case cannotLoad(reason: String)
    case noEntryPoint
    case wrongABI(plugin: UInt32, host: UInt32)
    /// The table's size field says that it has no room for the fields that every plugin has.
    case shortTable(size: UInt32, needed: Int)
    /// The plugin's own words, if it had any.
    case refused(reason: String?)
  }

  /// The shared object, as far as it was found.
  package let path: String
  package let cause: Cause

  package var description: String { "plugin \(path): \(explanation)" }

  private var explanation: String {
    switch cause {
    case .notFound(let folders):
      let places = folders.isEmpty ? "no plugin folder is configured" : folders.joined(separator: ", ")
      return "not found (\(places)); install it there, or give its full path"
    case .cannotRead(let path, let reason):
      return "cannot read \(path): \(reason); correct the path, or its permissions"
    case .notAFile:
      return "not a regular file; give the path of a shared object"
    case .linksOutside(let folder, let target):
      return "a link to \(target), outside \(folder); give that path, or put the file itself there"
    case .untrusted(let error):
      return error.description
    case .cannotLoad(let reason):
      return "cannot be loaded: \(reason); it must be a shared object for this machine"
        + " (cc -shared -fPIC), with every library that it needs"
    case .noEntryPoint:
      return "exports no touchtree_plugin_create; define that function as touchtree.h declares it"
    case .wrongABI(let plugin, let host):
      return "made for plugin ABI \(plugin), and this touchtree has ABI \(host);"
        + " build it again with this touchtree's touchtree.h"
    case .shortTable(let size, let needed):
      return "its table says that it has \(size) bytes, which must be at least \(needed);"
        + " set its field size to sizeof(touchtree_plugin)"
    case .refused(let reason):
      return reason.map { "says: \($0)" } ?? "gave no reason and did not start; see the log"
    }
  }
}
