import SystemPackage

/// Why a file gives no configuration.
package enum ConfigurationError: Error, CustomStringConvertible {
  /// The file is not there, or cannot be read.
  case unreadable(path: String, cause: Errno)
  /// What is wrong with it, in the file's order; warnings are among them.
  case invalid([Diagnostic])

  package var description: String {
    switch self {
    case .unreadable("", _): "the configuration file has no name; give its path"
    case .unreadable(let path, .noSuchFileOrDirectory):
      "\(path): no such file; check the path"
    case .unreadable(let path, .permissionDenied):
      "\(path): not permitted to read it; change its mode, or run as a user that may"
    case .unreadable(let path, .isDirectory):
      "\(path): this is a folder; give the path of a configuration file"
    case .unreadable(let path, let cause):
      "\(path): cannot be read: \(cause); check the file"
    case .invalid(let diagnostics):
      diagnostics.map(\.description).joined(separator: "\n")
    }
  }
}
