import TouchConfig
import TouchSystem

extension Configuration {
  /// The file that `make install` and packages put there.
  package static let installed = "/etc/touchtree/touchtree.yaml"

  /// Reads and checks a file, and writes its warnings to standard error.
  ///
  /// - Parameter showsRest: whether what cannot be painted is reported and left out.
  package static func loadReportingWarnings(_ file: String, showsRest: Bool = false) throws -> Configuration {
    let configuration = try Configuration.load(path: file, showsRest: showsRest)
    for warning in configuration.warnings { report(warning) }
    return configuration
  }

  /// Writes a warning, or an error that is cosmetic, to standard error.
  package static func report(_ diagnostic: Diagnostic) {
    let head = LogOutput.head(of: diagnostic.severity == .error ? .error : .warning, forPeople: "")
    StandardError.write(line: "\(head)\(diagnostic)")
  }
}
