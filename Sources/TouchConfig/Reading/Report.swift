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
    _ severity: Diagnostic.Severity = .error, at place: SourceLocation, _ message: String, ofLook: Bool? = nil
  ) {
    var diagnostic = Diagnostic(file: file, place: place, severity: severity, message: message)
    diagnostic.isOfLook = severity == .error && (ofLook ?? isOfLook)
    found.insert(diagnostic)
  }

  /// Reports a key that does not belong, with the list of those that do. Of one kind of mapping only the first report in
  /// the file has the list; the others say where that is.
  ///
  /// - Parameters:
  ///   - start: of the sentence.
  ///   - owner: the kind of mapping.
  ///   - list: the end of the sentence.
  func addUnknownKey(at place: SourceLocation, _ start: String, of owner: String, takes list: String) {
    unknownKeys[owner, default: []].append((place, start, list))
  }

  private var unknownKeys: [String: [(place: SourceLocation, start: String, list: String)]] = [:]

  /// - Parameter ofLook: whether what cannot be painted counts.
  func hasErrors(ofLook: Bool) -> Bool {
    !unknownKeys.isEmpty || found.contains { $0.severity == .error && (ofLook || !$0.isOfLook) }
  }

  /// In the file's order.
  var diagnostics: [Diagnostic] {
    found.union(unknownKeyDiagnostics).sorted { ($0.place, $0.message) < ($1.place, $1.message) }
  }

  private var unknownKeyDiagnostics: [Diagnostic] {
    unknownKeys.flatMap { owner, keys in
      let first = keys.map(\.place).min() ?? .start
      return keys.map { key in
        let end =
          key.place == first
          ? key.list : "the keys of \(owner) are listed in line \(first.line), column \(first.column)"
        return Diagnostic(file: file, place: key.place, severity: .error, message: key.start + end)
      }
    }
  }
}
