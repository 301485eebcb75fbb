import SystemPackage
import TouchCore
import TouchSystem
import TouchViews
import TouchYAML

/// A place in a configuration file.
package typealias SourceLocation = TouchCore.SourceLocation

/// One thing that is wrong with a file.
package typealias Diagnostic = TouchYAML.Diagnostic

/// Why a file gives no configuration.
package enum ConfigurationError: FailureError, CustomStringConvertible {
  /// The file is not there, or cannot be read.
  case unreadable(path: String, cause: Errno)
  /// The errors in the file's order; warnings are among them.
  case invalid([Diagnostic])

  package var description: String {
    switch self {
    case .unreadable("", _): "the configuration file has no name; give its path"
    case .unreadable(let path, .noSuchFileOrDirectory): "\(path): no such file; check the path"
    case .unreadable(let path, .permissionDenied):
      "\(path): not permitted to read it; change its mode, or run as a user that may"
    case .unreadable(let path, .isDirectory):
      "\(path): this is a folder; give the path of a configuration file"
    case .unreadable(let path, let cause): "\(path): cannot be read: \(cause); check the file"
    case .invalid(let diagnostics): diagnostics.map(\.description).joined(separator: "\n")
    }
  }

  /// The first thing that is wrong: the others often follow from it.
  package var first: String {
    guard case .invalid(let diagnostics) = self,
      let error = diagnostics.first(where: { $0.severity == .error })
    else { return description }
    return error.description
  }

  package var failure: Failure {
    switch self {
    case .invalid(let diagnostics): return Failure(ofFile: diagnostics.map(\.description))
    case .unreadable(let path, let cause):
      let status =
        cause == .permissionDenied || cause == .notPermitted ? ExitStatus.notPermitted : .noSuchFile
      let remedy = HiddenFolder.remedy(for: path)
      return Failure(status, remedy.map { "\(path): \(cause): \($0)" } ?? description)
    }
  }
}

final class Report {
  /// The files that are read: the one that was asked for, those that it includes, and those of its theme.
  private(set) var sources: [ConfigurationSource]
  /// The instances of templates, by their numbers from 1.
  private(set) var instances: [Origins.Instance] = []
  // A node that an alias repeats is wrong once, however often it is read.
  private var found: Set<Diagnostic> = []
  /// The errors of templates, without the instances.
  private var repeated: Set<Diagnostic> = []

  private func origins(of place: SourceLocation) -> (file: String, suffix: String) {
    let file = sources.indices.contains(Int(place.file)) ? sources[Int(place.file)].file : ""
    guard place.instance > 0, instances.indices.contains(Int(place.instance) - 1) else { return (file, "") }
    let instance = instances[Int(place.instance) - 1]
    return (file, instance.suffix(in: sources[Int(instance.place.file)].file, from: file))
  }

  /// A place in a sentence about another place: its file is named where that is another one.
  func words(for place: SourceLocation, from other: SourceLocation) -> String {
    place.words(in: origins(of: place).file, from: origins(of: other).file)
  }

  init(_ sources: [ConfigurationSource]) {
    self.sources = sources
    lineStarts = Array(repeating: nil, count: sources.count)
  }

  convenience init(file: String) { self.init([ConfigurationSource(file: file, text: [])]) }

  /// The colours of the theme by their names: `#rrggbb`.
  var palette: [String: String] = [:]

  /// The kinds of view of the program that reads the file, beside those of touchtree.
  var ownKinds: [ViewKind] = []

  func kind(named name: String) -> ViewKind? { ViewKind.named(name) ?? ownKinds.first { $0.name == name } }

  /// The number of bytes that the texts of templates may still have with their parameters in them: a
  /// parameter may be filled into another one, and that again.
  var roomForFills = 16 << 20

  /// Reports a text of a template for which there is no room.
  func addTooLong(at place: SourceLocation) {
    add(
      at: place,
      "with its parameters the text has more than 65536 bytes, or all such texts more than 16 MiB; "
        + "fill in less")
  }

  var aliasedValues = 0

  var allOrigins: Origins { Origins(files: sources.map(\.file), instances: instances) }

  func add(_ source: ConfigurationSource) {
    sources.append(source)
    lineStarts.append(nil)
  }

  /// Notes an instance of a template.
  /// - Returns: its number.
  func add(_ instance: Origins.Instance) -> Int32 {
    instances.append(instance)
    return Int32(clamping: instances.count)
  }

  private var lineStarts: [[Int]?]

  /// Returns the text of the line of a place; empty for a line that the file does not have.
  func line(of place: SourceLocation) -> String {
    let (file, number) = (Int(place.file), place.line)
    guard sources.indices.contains(file) else { return "" }
    let text = sources[file].text
    let starts = lineStarts[file] ?? [0] + text.indices.filter { text[$0] == 0x0A }.map { $0 + 1 }
    lineStarts[file] = starts
    guard starts.indices.contains(number - 1) else { return "" }
    let start = starts[number - 1]
    let end = number < starts.count ? starts[number] - 1 : text.count
    return String(decoding: text[start..<max(start, end)], as: UTF8.self)
  }

  /// Whether what is read only matters to painting.
  private var isCosmetic = false

  /// Reads values of which each can be left out, and the rest of the tree still be shown.
  func cosmetic<Result>(_ read: () -> Result) -> Result {
    let before = isCosmetic
    isCosmetic = true
    defer { isCosmetic = before }
    return read()
  }

  /// - Parameter cosmetic: nil for what is being read.
  func add(
    _ severity: Diagnostic.Severity = .error, at place: SourceLocation, _ message: String,
    cosmetic: Bool? = nil
  ) {
    let origins = origins(of: place)
    var diagnostic = Diagnostic(
      file: origins.file, place: place.withoutInstance, severity: severity, message: message)
    // What is wrong with a template is wrong once, however often it is used: the first instance stands for
    // all.
    if place.instance > 0 {
      guard repeated.insert(diagnostic).inserted else { return }
      diagnostic.message += origins.suffix
    }
    diagnostic.isCosmetic = severity == .error && (cosmetic ?? isCosmetic)
    found.insert(diagnostic)
  }

  /// Reports a key that does not belong, with the list of those that do. Of one kind of mapping only the
  /// first report in the file has the list; the others say where that is.
  /// - Parameter start: of the sentence.
  /// - Parameter owner: the kind of mapping.
  /// - Parameter list: the end of the sentence.
  func addUnknownKey(at place: SourceLocation, _ start: String, of owner: String, takes list: String) {
    let place = place.withoutInstance
    guard !(unknownKeys[owner] ?? []).contains(where: { $0.place == place && $0.start == start }) else {
      return
    }
    unknownKeys[owner, default: []].append((place, start, list))
  }

  private var unknownKeys: [String: [(place: SourceLocation, start: String, list: String)]] = [:]

  /// - Parameter cosmetic: whether what cannot be painted counts.
  func hasErrors(cosmetic: Bool) -> Bool {
    !unknownKeys.isEmpty || found.contains { $0.severity == .error && (cosmetic || !$0.isCosmetic) }
  }

  var diagnostics: [Diagnostic] {
    found.union(unknownKeyDiagnostics).sorted { ($0.place, $0.message) < ($1.place, $1.message) }
  }

  private var unknownKeyDiagnostics: [Diagnostic] {
    unknownKeys.flatMap { owner, keys in
      let first = keys.map(\.place).min() ?? .start
      return keys.map { key in
        let end =
          key.place == first
          ? key.list : "the keys of \(owner) are listed in \(words(for: first, from: key.place))"
        return Diagnostic(
          file: origins(of: key.place).file, place: key.place, severity: .error, message: key.start + end)
      }
    }
  }
}
