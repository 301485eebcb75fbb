import SystemPackage
import TouchConfig

extension Configuration {
  /// Returns the configuration of a command that needs none: a file, the installed one, or the defaults.
  static func installedOr(_ file: String?) throws -> Configuration {
    if let file { return try loadReportingWarnings(file) }
    guard let found = try? FileDescriptor.open(FilePath(installed), .readOnly, options: .closeOnExec) else {
      return Configuration(file: installed)
    }
    try found.close()
    return try loadReportingWarnings(installed)
  }
}
