import SystemPackage
import TouchCore
import TouchExpressions
import TouchSystem
import TouchViews
import TouchYAML

extension Configuration {
  /// The names of the icons of the installed font, and of touchtree's own.
  package static let iconNames = Set((IconFont.installed?.names ?? []) + IconNames.own).sorted()

  /// A longer file is rejected. In bytes.
  package static let largestFile = 16 << 20

  /// Reads and checks a file with those that it includes, and looks at the pictures that it names; one that
  /// cannot be used is a warning.
  /// - Parameter original: if this file is a copy, the path of the original; else nil.
  /// - Parameter showsRest: whether to leave out what cannot be painted, such as an invalid colour, and
  ///   report it among the warnings. All other errors are thrown in any case.
  /// - Parameter waits: false where a pipe that is not written to must not be waited for.
  /// - Parameter takesOthers: whether it may be a file that shows nothing: quirks, or a theme.
  /// - Parameter kinds: the kinds of view that the program adds to those of touchtree.
  /// - Parameter copy: the path that an included file is read from in place of its own.
  package static func load(
    path: String, of original: String? = nil, showsRest: Bool = false, waits: Bool = true,
    takesOthers: Bool = false, kinds: [ViewKind] = [], copy: (String) -> String = { $0 }
  ) throws(ConfigurationError) -> Configuration {
    func read(_ path: String) throws(Errno) -> [UInt8] {
      try FileContents.read(path, upTo: largestFile + 1, waits: waits)
    }
    let bytes: [UInt8]
    do {
      bytes = try read(path)
    } catch {
      throw .unreadable(path: path, cause: error)
    }
    return try withoutActuallyEscaping(copy) { copy throws(ConfigurationError) in
      try parse(
        bytes: bytes, file: path, of: original, checksImages: true, showsRest: showsRest,
        takesOthers: takesOthers, kinds: kinds
      ) { included throws(Errno) in try read(copy(included)) }
    }
  }

  /// Checks a text. Nothing but the text is looked at.
  /// - Parameter file: the path that messages name, and that relative paths start from.
  package static func parse(text: String, file: String) throws(ConfigurationError) -> Configuration {
    try parse(bytes: Array(text.utf8), file: file, checksImages: false)
  }

  /// - Parameter original: as in `load`; `showsRest`, `takesOthers` and `kinds` too.
  /// - Parameter checksImages: whether the pictures that it names are looked at.
  /// - Parameter include: reads a file that it includes; nil where nothing but the text is looked at.
  package static func parse(
    bytes: [UInt8], file: String, of original: String? = nil, checksImages: Bool = false,
    showsRest: Bool = false, takesOthers: Bool = false, kinds: [ViewKind] = [],
    include: ((String) throws(Errno) -> [UInt8])? = nil
  ) throws(ConfigurationError) -> Configuration {
    IconNames.all = { IconFont.installed == nil ? [] : iconNames }
    let report = Report([ConfigurationSource(file: file, text: bytes)])
    report.ownKinds = kinds
    var reader = ConfigurationReader(file: file, copyOf: original, report: report)
    reader.takesOthers = takesOthers
    let document = YAMLDocument.read(bytes, file: 0, report: report)
    var fileCount = 1
    if let document {
      var includes = IncludeReader(report: report, read: include)
      let whole = includes.joined(document, of: original ?? file)
      // Those of a theme come after these.
      fileCount = report.sources.count
      reader.configuration.origins = report.allOrigins
      reader.read(whole.root)
      reader.configuration.firstRows = reader.rowAmount
      reader.warnOfRowsToCome(in: whole.root, files: Array(report.sources.prefix(fileCount)))
      if checksImages { reader.checkImages() }
      if !reader.configuration.repeatedValues.isEmpty || reader.configuration.theme != nil
        || reader.configuration.hasRows
      {
        reader.configuration.repeatedDocument = whole
      }
    }
    guard !report.hasErrors(cosmetic: !showsRest) else { throw .invalid(report.diagnostics) }
    reader.configuration.warnings = report.diagnostics
    reader.configuration.sources = Array(report.sources.prefix(fileCount))
    reader.configuration.origins = report.allOrigins
    return reader.configuration
  }

  /// Reads what was read once more, with other rows or in another theme.
  /// - Parameter lists: what the values of `repeatedValues` hold now.
  /// - Parameter theme: in place of the one that was read; nil for that.
  /// - Returns: nil where no row is made of a value and there is no theme.
  /// - Throws: what is wrong with the views that such rows make, or with the theme.
  package func repeating(
    _ lists: [String: PropertyValue], theme: String? = nil
  ) throws(ConfigurationError) -> Configuration? {
    guard let repeatedDocument else { return nil }
    let report = Report(sources)
    var reader = ConfigurationReader(self, report: report)
    reader.lists = lists
    reader.configuration.roomForRows = roomForRows
    reader.wantedTheme = theme ?? self.theme
    reader.read(repeatedDocument.root)
    guard !report.hasErrors(cosmetic: false) else { throw .invalid(report.diagnostics) }
    var configuration = reader.configuration
    (configuration.repeatedDocument, configuration.lists) = (repeatedDocument, lists)
    configuration.sources = sources
    configuration.origins = report.allOrigins
    configuration.warnings = warnings
    // What the command line has changed stays.
    configuration.values = values
    configuration.clock = clock
    (configuration.display, configuration.input, configuration.highlight) = (display, input, highlight)
    return configuration
  }
}

extension Configuration {
  /// This configuration with other first values.
  /// - Parameter entries: the values, as texts on a command line or as lists.
  /// - Throws: `PropertyError` if the file has no value of a name, or the value cannot hold the text;
  ///   `ConfigurationError` if the theme cannot be shown.
  package func beginning(with entries: [PropertyValue.Entry]) throws -> Configuration {
    guard !entries.isEmpty else { return self }
    let known = NamedValues(values, translations: translations)
    var (configuration, theme, lists) = (self, String?.none, lists)
    for entry in entries {
      let (place, value) = try known.checked(entry, isText: true)
      if entry.key == Theme.valueName, self.theme != nil, case .text(let name) = value { theme = name }
      if repeatedValues.contains(entry.key) { lists[entry.key] = value }
      configuration.values[place].initial = value
    }
    // The command line opens what it names.
    if let theme { configuration.files.add(resolve(theme)) }
    guard theme != nil || lists != self.lists else { return configuration }
    return try configuration.repeating(lists, theme: theme) ?? configuration
  }

  /// The lists of which its rows are made, by the names of the values.
  package var shownLists: [String: PropertyValue] {
    let initial = values.lazy.filter { repeatedValues.contains($0.name) }.map { ($0.name, $0.initial) }
    return Dictionary(initial) { first, _ in first }.merging(lists) { $1 }
  }

  /// Whether views are made otherwise when a value changes: rows of it, or all in the theme that it names.
  package func makesViews(of value: String) -> Bool {
    repeatedValues.contains(value) || theme != nil && value == Theme.valueName
  }

  /// Whether it has lists whose rows are views.
  var hasRows: Bool { views.contains { $0.rows != nil } }

  /// The same for a window that is so high: with as many rows as it can show at the same time.
  func fitting(height: Double) -> Configuration {
    guard height > roomForRows, hasRows else { return self }
    var higher = self
    higher.roomForRows = height
    // What could be read can be read again.
    return (try? higher.repeating(lists)) ?? self
  }
}

extension YAMLDocument {
  /// The document of a file, or nil and a report.
  /// - Parameter file: its number among those that are read together.
  static func read(_ bytes: [UInt8], file: Int32, report: Report) -> YAMLDocument? {
    func add(_ place: SourceLocation, _ message: String) {
      report.add(at: SourceLocation(line: place.line, column: place.column, file: file), message)
    }
    guard bytes.count <= Configuration.largestFile else {
      add(.start, "the file is larger than \(Configuration.largestFile >> 20) MiB; make it smaller")
      return nil
    }
    if bytes.starts(with: PictureFile.signature) {
      add(.start, "the file is a picture (PNG), not a configuration; give the YAML file that shows it")
      return nil
    }
    if let problem = Diagnostic(encodingOf: bytes) {
      add(problem.place, problem.message)
      return nil
    }
    var builder = YAMLBuilder(aliased: report.aliasedValues)
    defer {
      report.aliasedValues = builder.aliased
      for problem in builder.problems { add(problem.place, problem.message) }
    }
    do {
      let document = try bytes.withUnsafeBufferPointer { bytes throws(Diagnostic) in
        try builder.build(YAMLParser(bytes))
      }
      if let document, !document.root.isEmpty { return document }
      add(.start, "the file is empty; start it with \"version: 1\" and a \"window:\"")
    } catch {
      // JSON writes a character beyond U+FFFF as two escapes, which YAML does not know.
      if let joined = YAMLParser.joiningSurrogates(in: bytes) {
        builder = YAMLBuilder()
        return read(joined, file: file, report: report)
      }
      let space = bytes.line(error.place.line).oddSpace
      add(
        min(error.place, .end(of: bytes)),
        error.message + (space.map { "; the line has \($0) in it, which is a letter to YAML" } ?? ""))
    }
    return nil
  }
}

extension [UInt8] {
  /// A line of a text, counted from 1; empty where there is none.
  fileprivate func line(_ number: Int) -> String {
    let lines = split(separator: UInt8(ascii: "\n"), maxSplits: number, omittingEmptySubsequences: false)
    return lines.indices.contains(number - 1) ? String(decoding: lines[number - 1], as: UTF8.self) : ""
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
  var pictures: [(path: String, place: SourceLocation)] {
    step.all.flatMap { step -> [(path: String, place: SourceLocation)] in
      guard case .set(_, let settings, _) = step else { return [] }
      return settings.compactMap { $0.picturePath.map { ($0, place) } }
    }
  }
}
