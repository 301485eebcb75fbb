import TouchCore
import TouchYAML

/// Turns a stream of events into a document. Faults that do not hide the rest are noted, and reading goes on:
/// duplicate keys, aliases without an anchor, aliases inside their own anchors, keys that are not scalars,
/// unknown tags.
struct YAMLBuilder {
  /// The deepest nesting of lists and mappings; a view tree uses two for each generation of views.
  static let deepest = 8_192
  /// The most values of a document with its aliases written out; 32 bytes of text count as one.
  static let largest = 4_000_000
  /// The most values of these that may come from aliases. Otherwise a file of one kilobyte could ask for all
  /// of them.
  static let mostAliased = 100_000

  private(set) var problems: [Diagnostic] = []

  private var records: [YAMLDocument.Record] = []
  private var children: [Int32] = []
  private var open: [Collection] = []
  private var anchors: [String: Anchor] = [:]
  private var total = 0
  /// The number of values from aliases, those of the files that were read before included.
  private(set) var aliased: Int
  private var root: Int32?

  /// A list or mapping whose end has not been reached.
  private struct Collection {
    var index: Int32
    var isMapping: Bool
    var anchor: String?
    var children: [Int32] = []
    /// The number of values in it and itself, aliases written out.
    var weight = 1
    var height = 1
  }

  private enum Anchor {
    /// The end has not been reached: an alias here would never end.
    case open
    case complete(index: Int32, weight: Int, height: Int)
  }

  init(aliased: Int = 0) { self.aliased = aliased }

  /// Reads the only document of a stream; nil when there is none.
  mutating func build(_ parser: borrowing YAMLParser) throws(Diagnostic) -> YAMLDocument? {
    var documents = 0
    while true {
      let event = try parser.next()
      switch event.kind {
      case .documentStart:
        documents += 1
        guard documents == 1 else {
          throw Diagnostic(
            place: event.place,
            message: "a second document starts here; a configuration is one document, so remove the \"---\"")
        }
      case .scalar(let text, let isPlain): try add(scalar: text, isPlain: isPlain, event)
      case .listStart: try start(event, isMapping: false)
      case .mappingStart: try start(event, isMapping: true)
      case .collectionEnd: try finishCollection()
      case .alias(let name): try add(alias: name, event)
      case .streamEnd: return root.map { YAMLDocument(records: records, children: children, root: $0) }
      }
    }
  }

  private mutating func add(scalar text: String, isPlain: Bool, _ event: YAMLEvent) throws(Diagnostic) {
    let kind = tagKind(of: event)
    let index = append(
      .scalar(text: text, isPlain: kind == .plain || (kind == .none && isPlain)), event.place)
    let weight = 1 + text.utf8.count / 32
    if let anchor = event.anchor { anchors[anchor] = .complete(index: index, weight: weight, height: 0) }
    try attach(index, weight: weight, height: 0, at: event.place)
  }

  private mutating func start(_ event: YAMLEvent, isMapping: Bool) throws(Diagnostic) {
    _ = tagKind(of: event)
    guard open.count < Self.deepest else { throw tooDeep(at: event.place) }
    if let anchor = event.anchor { anchors[anchor] = .open }
    open.append(Collection(index: append(.broken, event.place), isMapping: isMapping, anchor: event.anchor))
  }

  private mutating func finishCollection() throws(Diagnostic) {
    guard var collection = open.popLast() else { return }
    if collection.isMapping { finishKeys(of: &collection) }
    let range = children.count..<children.count + collection.children.count
    children.append(contentsOf: collection.children)
    let index = Int(collection.index)
    records[index].content = collection.isMapping ? .mapping(range) : .list(range)
    if let anchor = collection.anchor {
      anchors[anchor] = .complete(
        index: collection.index, weight: collection.weight, height: collection.height)
    }
    try attach(
      collection.index, weight: collection.weight, height: collection.height,
      at: place(of: collection.index), countingOnly: 1)
  }

  private mutating func add(alias name: String, _ event: YAMLEvent) throws(Diagnostic) {
    switch anchors[name] {
    case .complete(let index, let weight, let height):
      guard open.count + height <= Self.deepest else { throw tooDeep(at: event.place) }
      aliased += weight
      guard aliased <= Self.mostAliased else {
        throw Diagnostic(
          place: event.place,
          message: "the aliases up to here stand for more than \(Self.mostAliased) values; use fewer of them")
      }
      try attach(index, weight: weight, height: height, at: event.place)
    case .open:
      note(event.place, "the alias \"*\(name)\" stands inside of what it stands for; remove it")
      try attach(append(.broken, event.place), weight: 1, height: 0, at: event.place)
    case nil:
      note(event.place, "no anchor is called \"&\(name)\" above this line; check the alias's name")
      try attach(append(.broken, event.place), weight: 1, height: 0, at: event.place)
    }
  }

  /// Makes a finished node a child of the innermost collection.
  /// - Parameter countingOnly: the part of the weight that the document did not have yet; nil for all of it.
  private mutating func attach(
    _ index: Int32, weight: Int, height: Int, at place: SourceLocation, countingOnly new: Int? = nil
  ) throws(Diagnostic) {
    total += new ?? weight
    guard total <= Self.largest else {
      throw Diagnostic(
        place: place,
        message: "the file has more than \(Self.largest) values; make it smaller")
    }
    guard !open.isEmpty else {
      root = index
      return
    }
    open[open.count - 1].children.append(index)
    open[open.count - 1].weight += weight
    open[open.count - 1].height = max(open[open.count - 1].height, height + 1)
  }

  private mutating func append(_ content: YAMLDocument.Content, _ place: SourceLocation) -> Int32 {
    records.append(
      YAMLDocument.Record(
        content: content, line: Int32(clamping: place.line), column: Int32(clamping: place.column)))
    return Int32(clamping: records.count - 1)
  }

  private mutating func note(_ place: SourceLocation, _ message: String) {
    problems.append(Diagnostic(place: place, message: message))
  }

  private func tooDeep(at place: SourceLocation) -> Diagnostic {
    Diagnostic(
      place: place,
      message: "lists and mappings are more than \(Self.deepest) deep here; make the tree flatter")
  }

  private enum TagKind { case none, plain, text }

  private mutating func tagKind(of event: YAMLEvent) -> TagKind {
    switch event.tag {
    case nil, "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map": return .none
    case "!", "tag:yaml.org,2002:str": return .text
    case "tag:yaml.org,2002:null", "tag:yaml.org,2002:bool", "tag:yaml.org,2002:int",
      "tag:yaml.org,2002:float":
      return .plain
    case let tag?:
      note(event.place, "the tag \"\(tag)\" means nothing here; remove it")
      return .none
    }
  }
}

// Mappings: duplicate keys, and merge keys.
extension YAMLBuilder {
  /// Checks the keys of a mapping whose end was reached, and writes out its merge keys.
  private mutating func finishKeys(of mapping: inout Collection) {
    var entries: [Int32] = []
    var merged: [Int32] = []
    var seen: [String: Int32] = [:]
    entries.reserveCapacity(mapping.children.count)
    for index in stride(from: 0, to: mapping.children.count - 1, by: 2) {
      let (key, value) = (mapping.children[index], mapping.children[index + 1])
      guard let name = keyName(key) else { continue }
      if isMergeKey(key) {
        merged.append(contentsOf: mergedEntries(from: value))
      } else if let first = seen.updateValue(key, forKey: name) {
        seen[name] = first
        let place = place(of: first)
        note(
          self.place(of: key),
          "the key \"\(name.escaped)\" is given twice, first in line \(place.line), column \(place.column); "
            + "remove one of them")
      } else {
        entries += [key, value]
      }
    }
    // The mapping's own keys win over merged ones, and earlier merged ones over later ones.
    for index in stride(from: 0, to: merged.count - 1, by: 2) {
      guard let name = keyName(merged[index]), seen[name] == nil else { continue }
      seen[name] = merged[index]
      entries += merged[index...index + 1]
    }
    mapping.children = entries
  }

  private mutating func keyName(_ key: Int32) -> String? {
    switch records[Int(key)].content {
    case .scalar(let text, let isPlain):
      if !text.isEmpty || !isPlain { return text }
      note(place(of: key), "a key is missing here; write one before the \":\"")
    case .list, .mapping: note(place(of: key), "a list or mapping cannot be a key; write a text")
    case .broken: break
    }
    return nil
  }

  private func isMergeKey(_ key: Int32) -> Bool {
    if case .scalar("<<", isPlain: true) = records[Int(key)].content { true } else { false }
  }

  /// Returns the entries that `<<` adds: those of a mapping, or of each mapping of a list.
  private mutating func mergedEntries(from value: Int32) -> [Int32] {
    switch records[Int(value)].content {
    case .mapping(let range): return Array(children[range])
    case .list(let range):
      return children[range].flatMap { item -> [Int32] in
        if case .mapping(let range) = records[Int(item)].content { return Array(children[range]) }
        note(place(of: item), "\"<<\" merges mappings only; give an alias of a mapping")
        return []
      }
    case .scalar: note(place(of: value), "\"<<\" merges mappings only; give an alias of a mapping")
    case .broken: break
    }
    return []
  }

  private func place(of index: Int32) -> SourceLocation {
    let record = records[Int(index)]
    return SourceLocation(line: Int(record.line), column: Int(record.column))
  }
}
