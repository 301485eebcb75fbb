import TouchConfig
import TouchJSON
import TouchSystem

package struct ConfigurationStatus {
  package let file: String
  package private(set) var reloads = 0
  /// The errors of the file, which is then not the shown one; empty while it is.
  package var problems: [String] = []
  /// The digest of the shown file and of those that it includes, joined; without any, that of `sha256sum`.
  package private(set) var digest: String
  private var sources: [(file: String, digest: String)]
  /// Whether a saved copy is shown, because the file was broken at the start.
  package private(set) var isFallback: Bool

  /// Begins with the shown configuration, and the broken file with its errors that it replaces, if any.
  package init(_ configuration: Configuration, insteadOf broken: (path: String, problems: [String])?) {
    file = broken?.path ?? configuration.file
    problems = broken?.problems ?? []
    (digest, sources) = Self.digests(of: configuration)
    isFallback = broken != nil
  }

  mutating func reloaded(_ configuration: Configuration) {
    reloads += 1
    (digest, sources) = Self.digests(of: configuration)
    problems = []
    isFallback = false
  }

  private static func digests(of shown: Configuration) -> (String, [(file: String, digest: String)]) {
    (SHA256.hex(of: shown.sources.flatMap(\.text)), shown.sources.map { ($0.file, SHA256.hex(of: $0.text)) })
  }

  package var lines: [String] {
    let head = ["", "\(file), reloads: \(reloads)"]
    guard !problems.isEmpty else { return head }
    let shown = isFallback ? "the last configuration that worked" : "the previous one"
    return head + ["  it cannot be used, so \(shown) is shown:"] + problems.map { "  \($0)" }
  }

  package func write(to json: inout JSONWriter) {
    json.object("configuration") {
      $0.field("file", file)
      $0.field("sha256", digest)
      $0.objects("sources", of: sources) { json, source in
        json.field("file", source.file)
        json.field("sha256", source.digest)
      }
      $0.field("reloads", reloads)
      $0.field("fallback", isFallback)
      $0.field("problems", problems)
    }
  }

  func line(on display: String) -> String {
    guard let problem = problems.first else { return "Showing \(display)" }
    return isFallback
      ? "Showing the last configuration that worked on \(display): \(problem)"
      : "Showing \(display); not reloaded: \(problem)"
  }
}
