import SystemPackage
import TouchCore
import TouchExpressions
import TouchSystem
import TouchYAML

extension Configuration {
  /// A longer file is rejected. In bytes.
  static let largestFile = 16 << 20

  /// Reads and checks a file, and looks at the pictures that it names; one that cannot be used is a warning.
  ///
  /// - Parameters:
  ///   - original: if this file is a copy, the path of the original; else nil.
  ///   - showsRest: whether to leave out what cannot be painted, such as an invalid colour, and report it among
  ///     the warnings. All other errors are thrown in any case.
  ///   - waits: false where a pipe that is not written to must not be waited for.
  ///   - takesQuirks: whether it may be a file of quirks.
  package static func load(
    path: String, of original: String? = nil, showsRest: Bool = false, waits: Bool = true,
    takesQuirks: Bool = false
  ) throws(ConfigurationError) -> Configuration {
    let bytes: [UInt8]
    do {
      bytes = try FileContents.read(path, upTo: largestFile + 1, waits: waits)
    } catch {
      throw .unreadable(path: path, cause: error)
    }
    return try parse(
      bytes: bytes, file: path, of: original, checksImages: true, showsRest: showsRest,
      takesQuirks: takesQuirks)
  }

  /// Checks a text. Nothing but the text is looked at.
  ///
  /// - Parameter file: the path that messages name, and that relative paths start from.
  package static func parse(text: String, file: String) throws(ConfigurationError) -> Configuration {
    try parse(bytes: Array(text.utf8), file: file, checksImages: false)
  }

  /// - Parameters:
  ///   - original: as in `load`; `showsRest` and `takesQuirks` too.
  ///   - checksImages: whether the pictures that it names are looked at.
  package static func parse(
    bytes: [UInt8], file: String, of original: String? = nil, checksImages: Bool = false,
    showsRest: Bool = false, takesQuirks: Bool = false
  ) throws(ConfigurationError) -> Configuration {
    let report = Report(file: file)
    report.text = bytes
    var reader = ConfigurationReader(file: file, copyOf: original, report: report)
    reader.takesQuirks = takesQuirks
    if let document = document(in: bytes, report: report) {
      reader.read(document.root)
      if checksImages { reader.checkImages() }
    }
    guard !report.hasErrors(cosmetic: !showsRest) else { throw .invalid(report.diagnostics) }
    reader.configuration.warnings = report.diagnostics
    reader.configuration.text = bytes
    return reader.configuration
  }

  /// The document, or nil and a report.
  private static func document(in bytes: [UInt8], report: Report) -> YAMLDocument? {
    guard bytes.count <= largestFile else {
      report.add(at: .start, "the file is larger than \(largestFile >> 20) MiB; make it smaller")
      return nil
    }
    if bytes.starts(with: PictureFile.signature) {
      report.add(
        at: .start, "the file is a picture (PNG), not a configuration; give the YAML file that shows it")
      return nil
    }
    if let problem = Diagnostic(encodingOf: bytes) {
      report.add(at: problem.place, problem.message)
      return nil
    }
    var builder = YAMLBuilder()
    defer {
      for problem in builder.problems { report.add(at: problem.place, problem.message) }
    }
    do {
      let document = try bytes.withUnsafeBufferPointer { bytes throws(Diagnostic) in
        try builder.build(YAMLParser(bytes))
      }
      if let document, !document.root.isEmpty { return document }
      report.add(at: .start, "the file is empty; start it with \"version: 1\" and a \"window:\"")
    } catch {
      report.add(at: min(error.place, .end(of: bytes)), error.message)
    }
    return nil
  }
}

extension ConfigurationReader {
  /// Warns of pictures that cannot be shown, now or when an action sets them; the rest of the tree can.
  fileprivate func checkImages() {
    let shown = configuration.views.compactMap(\.picture)
    for (path, place) in shown + configuration.actions.flatMap(\.steps).flatMap(\.pictures) {
      guard !path.isEmpty, let problem = PictureFile.problem(at: path) else { continue }
      report.add(.warning, at: place, "the image \"\(path.escaped(upTo: .max))\" \(problem)")
    }
  }
}

extension Configuration.Step {
  /// The pictures that the step sets, and where it stands.
  fileprivate var pictures: [(path: String, place: SourceLocation)] {
    step.all.flatMap { step -> [(path: String, place: SourceLocation)] in
      guard case .set(_, let settings, _) = step else { return [] }
      return settings.compactMap { $0.picturePath.map { ($0, place) } }
    }
  }
}
