import TouchConfig
import TouchExpressions
import TouchViews

/// The names of a panel, from all its files.
struct NameList {
  /// The files, the root first.
  let files: [SourceFile]

  init(_ files: [SourceFile]) { self.files = files }

  /// Returns the names of some kinds, each once, in the order of the files.
  func all(_ kinds: Set<Mention.Kind>) -> [(name: String, detail: String)] {
    var (names, known): ([(name: String, detail: String)], Set<String>) = ([], [])
    for (_, mention) in mentions where mention.isDeclaration && kinds.contains(mention.kind) {
      if known.insert(mention.name).inserted { names.append((mention.name, detail(of: mention))) }
    }
    if kinds.contains(.style) { names += themeWords.styles.map { ($0, "a style of the theme") } }
    if kinds.contains(.handler) { names.append(("log", "is built in")) }
    return names
  }

  private var mentions: [(file: SourceFile, mention: Mention)] {
    files.flatMap { file in file.mentions.map { (file, $0) } }
  }

  /// Returns the mentions that mean the same as another one.
  func mentions(of other: Mention) -> [(file: SourceFile, mention: Mention)] {
    let same = mentions.filter { $0.mention.name == other.name && $0.mention.kind.means(other.kind) }
    // What a step sets is the one or the other.
    guard other.kind == .target, let kind = same.first(where: \.mention.isDeclaration)?.mention.kind else {
      return same
    }
    return same.filter { $0.mention.kind.means(kind) }
  }

  func declarations(of other: Mention) -> [(file: SourceFile, mention: Mention)] {
    mentions(of: other).filter(\.mention.isDeclaration)
  }

  /// Returns the kind of a view; nil for one that a style or a template gives, and for no view.
  func kind(ofView id: String) -> ViewKind? {
    let view = mentions.first {
      $0.mention.isDeclaration && $0.mention.kind == .view && $0.mention.name == id
    }
    guard let node = view?.mention.declared else { return nil }
    if let name = node["kind"]?.text { return ViewKind.named(name) }
    return node["style"] == nil && node["of"] == nil ? .view : nil
  }

  /// The styles and the colours of the theme.
  var themeWords: (styles: [String], colors: [String]) {
    guard let file = files.first(where: { $0.outline.root["theme"] != nil }),
      let node = file.outline.root["theme"], let name = node.text ?? node["value"]?.text
    else { return ([], []) }
    return Theme.vocabulary(of: Theme.names.contains(name) ? name : Configuration.path(name, from: file.path))
  }

  var colors: [String] { themeWords.colors }

  /// Returns what a template fills in: the names in its braces that are neither values nor texts.
  func parameters(ofTemplate name: String) -> [String] {
    let values = Set(all([.value]).map(\.name))
    for (file, mention) in mentions
    where mention.kind == .template && mention.isDeclaration && mention.name == name {
      guard let span = mention.declared?.span else { continue }
      var found: [String] = []
      for used in file.mentions
      where used.kind == .value && span.touches(used.span.start) && !values.contains(used.name) {
        if !found.contains(used.name), !["now", "index", "key", "value", "text"].contains(used.name) {
          found.append(used.name)
        }
      }
      return found
    }
    return []
  }

  /// Returns what is said of a name in a list: "a button", "21.5".
  func detail(of mention: Mention) -> String {
    guard let node = mention.declared else { return "" }
    switch mention.kind {
    case .view, .target: return kind(ofView: mention.name)?.one ?? "a view"
    case .value: return "a value" + ((node["value"] ?? node).text.map { ", at first \($0)" } ?? "")
    case .string: return node.text ?? ""
    case .style, .template, .controller: return "a \(mention.kind.rawValue)"
    case .handler, .gesture: return node["kind"]?.text ?? "a \(mention.kind.rawValue)"
    }
  }
}
