import TouchOutput

/// Gives a virtual terminal back that somebody died on.
package enum ConsoleRestoration {
  /// - Parameter terminal: its path; nil for the one that the process runs on.
  /// - Throws: `ConsoleError` when it cannot be done.
  package static func restore(_ terminal: String?) throws {
    try Console.restore(terminal.map { .path($0) } ?? .own)
  }
}
