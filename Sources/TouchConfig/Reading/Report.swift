/// Collects what is wrong with one file.
final class Report {
  private let file: String
  // A node that an alias repeats is wrong once, however often it is read.
  private var found: Set<Diagnostic> = []

  init(file: String) {
    self.file = file
  }

  func add(_ severity: Diagnostic.Severity = .error, at place: Place, _ message: String) {
    found.insert(Diagnostic(file: file, place: place, severity: severity, message: message))
  }

  var hasErrors: Bool { found.contains { $0.severity == .error } }

  /// In the file's order.
  var diagnostics: [Diagnostic] {
    found.sorted { ($0.place, $0.message) < ($1.place, $1.message) }
  }
}
