/// Collects what is wrong with one file.
final class Report {
  private let file: String
  // A node that an alias repeats is wrong once, however often it is read.
  private var found: Set<Diagnostic> = []

  init(file: String) {
    self.file = file
  }

  /// Whether what is read only matters to painting.
  private var isOfLook = false

  /// Reads values of which each can be left out, and the rest of the tree still be shown.
  func ofLook<Result>(_ read: () -> Result) -> Result {
    let before = isOfLook
    isOfLook = true
    defer { isOfLook = before }
    return read()
  }

  /// - Parameter ofLook: nil for what is being read.
  func add(
    _ severity: Diagnostic.Severity = .error, at place: Place, _ message: String, ofLook: Bool? = nil
  ) {
    var diagnostic = Diagnostic(file: file, place: place, severity: severity, message: message)
    diagnostic.isOfLook = severity == .error && (ofLook ?? isOfLook)
    found.insert(diagnostic)
  }

  /// - Parameter ofLook: whether what cannot be painted counts.
  func hasErrors(ofLook: Bool) -> Bool {
    found.contains { $0.severity == .error && (ofLook || !$0.isOfLook) }
  }

  /// In the file's order.
  var diagnostics: [Diagnostic] {
    found.sorted { ($0.place, $0.message) < ($1.place, $1.message) }
  }
}
