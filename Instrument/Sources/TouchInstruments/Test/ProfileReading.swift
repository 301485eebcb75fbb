import TouchConfig
import TouchCore
import TouchMeasure
import TouchSystem
import TouchViews
import TouchYAML

extension PanelProfile {
  package static let names = ["chromeos", "hlk", "iec62908"]

  /// The largest file in bytes.
  private static let largestFile = 1 << 16

  /// Reads a shipped profile, or a file, and throws every fault.
  package static func load(_ name: String) throws(ConfigurationError) -> PanelProfile {
    switch name {
    case "chromeos": return try parse(PackageResources.chromeos_yaml, file: "chromeos")
    case "hlk": return try parse(PackageResources.hlk_yaml, file: "hlk")
    case "iec62908": return try parse(PackageResources.iec62908_yaml, file: "iec62908")
    default:
      let bytes: [UInt8]
      do {
        bytes = try FileContents.read(name, upTo: largestFile + 1)
      } catch {
        throw .unreadable(path: name, cause: error)
      }
      return try parse(bytes, file: name)
    }
  }

  /// - Parameter file: the file's name in messages, and the profile's name unless it has one.
  package static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> PanelProfile {
    var reader = ProfileReader(file: file)
    if bytes.count > largestFile {
      reader.report(.start, "the file is larger than \(largestFile >> 10) KiB; make it smaller")
    } else if let problem = Diagnostic(encodingOf: bytes) {
      reader.report(problem.place, problem.message)
    } else {
      do {
        let root = try bytes.withUnsafeBufferPointer { bytes throws(Diagnostic) in
          try ProfileNode(document: YAMLParser(bytes))
        }
        reader.read(root)
      } catch {
        reader.report(min(error.place, .end(of: bytes)), error.message)
      }
    }
    guard reader.diagnostics.isEmpty else {
      throw .invalid(reader.diagnostics.sorted { ($0.place, $0.message) < ($1.place, $1.message) })
    }
    var profile = reader.profile
    profile.digest = SHA256.hex(of: bytes)
    return profile
  }
}

private struct ProfileNode {
  enum Content {
    case scalar(String)
    case list([ProfileNode])
    case mapping([(key: String, place: SourceLocation, value: ProfileNode)])
  }

  var place: SourceLocation
  var content: Content

  /// The deepest nesting, more than any profile has.
  private static let deepest = 8

  init(document parser: consuming YAMLParser) throws(Diagnostic) {
    guard case .documentStart = try parser.next().kind else {
      throw Diagnostic(
        place: .start, message: "the file is empty; start it with \"version: 1\" and \"limits:\"")
    }
    self = try Self.read(parser.next(), &parser, depth: 0)
    let end = try parser.next()
    guard case .streamEnd = end.kind else {
      throw Diagnostic(place: end.place, message: "a second document begins here; a profile is one")
    }
  }

  private init(_ place: SourceLocation, _ content: Content) { (self.place, self.content) = (place, content) }

  private static func read(
    _ event: YAMLEvent, _ parser: inout YAMLParser, depth: Int
  ) throws(Diagnostic) -> ProfileNode {
    guard depth < deepest else {
      throw Diagnostic(place: event.place, message: "this is nested too deep for a profile")
    }
    switch event.kind {
    case .scalar(let text, isPlain: _): return ProfileNode(event.place, .scalar(text))
    case .listStart:
      var items: [ProfileNode] = []
      while true {
        let next = try parser.next()
        if case .collectionEnd = next.kind { return ProfileNode(event.place, .list(items)) }
        items.append(try read(next, &parser, depth: depth + 1))
      }
    case .mappingStart:
      var entries: [(key: String, place: SourceLocation, value: ProfileNode)] = []
      while true {
        let next = try parser.next()
        if case .collectionEnd = next.kind { return ProfileNode(event.place, .mapping(entries)) }
        guard case .scalar(let key, isPlain: _) = next.kind else {
          throw Diagnostic(place: next.place, message: "a key is a word")
        }
        entries.append((key, next.place, try read(parser.next(), &parser, depth: depth + 1)))
      }
    case .alias, .documentStart, .collectionEnd, .streamEnd:
      throw Diagnostic(place: event.place, message: "a profile has no aliases; write the value")
    }
  }

  var text: String? { if case .scalar(let text) = content { text } else { nil } }
  var number: Double? { text.flatMap { Double($0) }.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } }
  var isNull: Bool { text.map { ["", "~", "null"].contains($0) } ?? false }
  var shown: String { text.map { "\"\($0.escaped)\"" } ?? "a list or a mapping" }
}

private struct ProfileReader {
  private let file: String
  var profile: PanelProfile
  private(set) var diagnostics: [Diagnostic] = []

  init(file: String) {
    self.file = file
    profile = PanelProfile(name: file)
  }

  mutating func report(_ place: SourceLocation, _ message: String) {
    diagnostics.append(Diagnostic(file: file, place: place, message: message))
  }

  mutating func read(_ root: ProfileNode) {
    let known = ["version", "name", "operator", "panel", "tasks", "limits", "sources"]
    guard let entries = entries(of: root, "the profile", known) else { return }
    for (key, _, value) in entries {
      switch key {
      case "version":
        if value.number != 1 {
          report(value.place, "version is \(value.shown); this touchtree reads version 1")
        }
      case "name":
        if let text = value.text {
          profile.name = text
        } else {
          report(value.place, "name is not a text; give one")
        }
      case "operator":
        if let touchedBy = value.text.flatMap(PanelOperator.init) {
          profile.touchedBy = touchedBy
        } else {
          report(value.place, "operator is \(value.shown); give hand or robot")
        }
      case "panel": readPanel(value)
      case "tasks": readTasks(value)
      case "limits": readLimits(value)
      case "sources": readSources(value)
      default: break
      }
    }
    if !entries.contains(where: { $0.key == "limits" }) {
      report(root.place, "the profile has no limits; add \"limits:\"")
    }
  }

  /// Returns the entries of a mapping, and reports unknown and repeated keys, which are left out.
  private mutating func entries(
    of node: ProfileNode, _ what: String, _ known: [String]
  ) -> [(key: String, place: SourceLocation, value: ProfileNode)]? {
    guard case .mapping(let entries) = node.content else {
      if !node.isNull { report(node.place, "\(what) is \(node.shown); give a mapping") }
      return nil
    }
    var seen: Set<String> = []
    return entries.filter { entry in
      guard known.contains(entry.key) else {
        let near = Suggestion.nearest(to: entry.key, among: known)
        report(
          entry.place,
          "unknown key \"\(entry.key.escaped)\" in \(what); "
            + (near.map { "did you mean \"\($0)\"?" } ?? "it takes \(known.joined(separator: ", "))"))
        return false
      }
      if !seen.insert(entry.key).inserted {
        report(entry.place, "\"\(entry.key)\" is there twice; remove one")
      }
      return true
    }
  }

  /// Reads the panel's size as its user sees it, in millimetres.
  private mutating func readPanel(_ node: ProfileNode) {
    var sides: [String: Double] = [:]
    for (key, _, value) in entries(of: node, "panel", ["width_mm", "height_mm"]) ?? [] {
      if let side = value.number, (1...10_000).contains(side) {
        sides[key] = side
      } else {
        report(value.place, "\(key) in panel is \(value.shown); give 1 to 10000 millimetres")
      }
    }
    if let width = sides["width_mm"], let height = sides["height_mm"] {
      profile.size = Size(width: width, height: height)
    } else if case .mapping(let entries) = node.content, entries.count < 2 {
      report(node.place, "panel has one side; give width_mm and height_mm")
    }
  }

  private mutating func readTasks(_ node: ProfileNode) {
    for (key, _, value) in entries(of: node, "tasks", ["grid", "ghost", "taps", "noise"]) ?? [] {
      switch key {
      case "grid":
        guard case .list(let items) = value.content, items.count == 2, let columns = whole(items[0], 1...20),
          let rows = whole(items[1], 1...20)
        else {
          report(value.place, "grid is not two whole numbers from 1 to 20; give [columns, rows]")
          continue
        }
        (profile.columns, profile.rows) = (columns, rows)
      case "ghost": readGhost(value)
      case "noise":
        let names = PanelJudgement.conditions.map(\.name).filter { $0 != "quiet" }
        guard case .list(let items) = value.content, items.allSatisfy({ names.contains($0.text ?? "") })
        else {
          report(
            value.place, "noise is no list of disturbances; give some of [\(names.joined(separator: ", "))]")
          continue
        }
        profile.conditions = names.filter { name in items.contains { $0.text == name } }
      default:
        if let taps = whole(value, 3...1000) {
          profile.taps = taps
        } else {
          report(value.place, "taps is \(value.shown); give a whole number from 3 to 1000")
        }
      }
    }
  }

  /// Reads `60`, or `[60, mains, battery]`: the wait, and the conditions in which it is made.
  private mutating func readGhost(_ value: ProfileNode) {
    let names = PanelJudgement.ghostConditions
    var items = [value]
    if case .list(let list) = value.content { items = list }
    guard let seconds = items.first.flatMap({ whole($0, 1...86_400) }),
      items.dropFirst().allSatisfy({ names.contains($0.text ?? "") })
    else {
      return report(
        value.place,
        "ghost is \(value.shown); give seconds from 1 to 86400, or a list of them and some of \(names.joined(separator: ", "))"
      )
    }
    profile.ghostSeconds = seconds
    profile.ghostConditions = items.dropFirst().compactMap(\.text)
  }

  private func whole(_ node: ProfileNode, _ range: ClosedRange<Int>) -> Int? {
    node.number.flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
  }

  /// The word for the figures that every touch has, in place of a test.
  private static let touch = "touch"

  /// Returns the keys of a test's figures with their measures: those of every touch have one a test.
  private static func measures(of test: String) -> [(key: String, measures: [Measure])] {
    let isTouch = test == touch
    return isTouch
      ? Measure.touchKeys.map { key in (key, Measure.allCases.filter { $0.key == key }) }
      : Measure.allCases.filter { $0.test.rawValue == test && !$0.isOfTouch }.map { ($0.key, [$0]) }
  }

  private mutating func readLimits(_ node: ProfileNode) {
    for (test, _, figures) in entries(of: node, "limits", PanelTest.allCases.map(\.rawValue) + [Self.touch])
      ?? []
    {
      let known = Self.measures(of: test)
      for (key, _, value) in entries(of: figures, test, known.map(\.key)) ?? [] {
        guard let measures = known.first(where: { $0.key == key })?.measures, !value.isNull else { continue }
        guard case .mapping = value.content else {
          let limit = limit(of: measures[0], in: test, value)
          for measure in measures { profile.limits[measure] = limit }
          continue
        }
        let operators = PanelOperator.allCases.map(\.rawValue)
        for (name, _, value) in entries(of: value, "\(key) in \(test)", operators) ?? [] {
          guard let touchedBy = PanelOperator(rawValue: name), !value.isNull else { continue }
          let limit = limit(of: measures[0], in: test, value)
          for measure in measures { profile.ownLimits[touchedBy, default: [:]][measure] = limit }
        }
      }
    }
  }

  /// Returns the limit; nil for an invalid one, which is reported.
  private mutating func limit(of measure: Measure, in test: String, _ value: ProfileNode) -> Limit? {
    if measure == .mostContacts, value.text == "claimed" { return Limit(nil) }
    if let limit = value.number { return Limit(limit) }
    if measure.mayBeAtEdge, let limit = Self.limitAtEdge(value.text ?? "") { return limit }
    if case .list(let items) = value.content, items.count == 2, let limit = items[0].number,
      let tolerance = items[1].number
    {
      return Limit(limit, tolerance: tolerance)
    }
    let other =
      measure == .mostContacts ? ", or claimed" : measure.mayBeAtEdge ? ", or such as \"1.5 or 2 mm\"" : ""
    report(
      value.place,
      "\(measure.key) in \(test) is \(value.shown); give a number from 0 on, [limit, tolerance], or null\(other)"
    )
    return nil
  }

  /// Returns the limit of `1.5 or 2 mm`: a share, or the distance at the panel's edge if that is more.
  private static func limitAtEdge(_ text: String) -> Limit? {
    let words = text.split(separator: " ")
    guard words.count == 4, words[1] == "or", words[3] == "mm", let value = Double(words[0]),
      let edge = Double(words[2]), value.isFinite, edge.isFinite, value >= 0, edge >= 0
    else { return nil }
    return Limit(value, atEdge: edge)
  }

  /// Reads a text for all figures of a test, or one for each.
  private mutating func readSources(_ node: ProfileNode) {
    for (test, _, value) in entries(of: node, "sources", PanelTest.allCases.map(\.rawValue) + [Self.touch])
      ?? []
    {
      let known = Self.measures(of: test)
      if let text = value.text {
        for measure in known.flatMap(\.measures) where profile.sources[measure] == nil {
          profile.sources[measure] = text
        }
        continue
      }
      for (key, _, value) in entries(of: value, test, known.map(\.key)) ?? [] {
        guard let text = value.text else {
          report(value.place, "the source of \(key) in \(test) is \(value.shown); give a text")
          continue
        }
        for measure in known.first(where: { $0.key == key })?.measures ?? [] {
          profile.sources[measure] = text
        }
      }
    }
  }
}
