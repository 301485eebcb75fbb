import TouchConfig
import TouchSystem

extension Configuration {
  /// The path at which `make install` and packages put the configuration.
  package static let installed = "/etc/touchtree/touchtree.yaml"

  /// Reads and checks a file, warning on standard error; views that cannot be painted may be left out.
  package static func loadReportingWarnings(_ file: String, showsRest: Bool = false) throws -> Configuration {
    let configuration = try Configuration.load(path: file, showsRest: showsRest)
    for warning in configuration.warnings { report(warning) }
    return configuration
  }

  /// Writes a warning, or a cosmetic error, to standard error.
  package static func report(_ diagnostic: Diagnostic) {
    let head = LogOutput.head(of: diagnostic.severity == .error ? .error : .warning, forPeople: "")
    StandardError.write(line: "\(head)\(diagnostic)")
  }
}
