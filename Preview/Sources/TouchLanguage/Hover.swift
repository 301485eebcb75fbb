import TouchConfig
import TouchJSON

/// Returns the explanation of the word under the pointer.
struct Hover {
  let markdown: String
  let span: Outline.Span

  init?(at place: Outline.Place, in file: SourceFile, _ workspace: Workspace) {
    if let found = Self.key(at: place, in: file.outline.root, KeyGuide(file.table)) {
      (markdown, span) = found
      return
    }
    guard let mention = file.mentions.first(where: { $0.span.touches(place) }) else { return nil }
    let names = NameList(workspace.project(of: file.path))
    guard let declared = names.declarations(of: mention).first else { return nil }
    let start = declared.mention.span.start
    markdown =
      "`\(mention.name)`: \(names.detail(of: declared.mention))\n\n\(declared.file.path):\(start.line + 1)"
    span = mention.span
  }

  private static func key(
    at place: Outline.Place, in node: Outline.Node, _ guide: KeyGuide
  ) -> (String, Outline.Span)? {
    switch node.content {
    case .nothing, .scalar: return nil
    case .list(let items):
      return items.lazy.compactMap { key(at: place, in: $0, guide.item) }.first
    case .mapping(let entries):
      for entry in entries {
        if entry.span.touches(place) {
          return guide.key(entry.key, of: entries).map { ("**\(entry.key)** – \($0.markdown)", entry.span) }
        }
        guard entry.value.span.touches(place) else { continue }
        if let found = key(at: place, in: entry.value, guide.value(of: entry.key, in: entries)) {
          return found
        }
      }
      return nil
    }
  }
}

extension NameList {
  /// Returns why something cannot get a name; nil if it can.
  func problem(renaming mention: Mention, to name: String) -> String? {
    let isPlain =
      name.unicodeScalars.allSatisfy(\.goesOnInName) && name.unicodeScalars.first?.beginsName ?? false
    if !isPlain { return "\"\(name)\" is no name: give letters, digits, - and _, with a letter first" }
    if ["none", "application"].contains(name) {
      return "\"\(name)\" is touchtree's own name; give another one"
    }
    let kinds: Set<Mention.Kind> =
      [.view, .controller, .gesture].contains(mention.kind) ? [.view, .controller, .gesture] : [mention.kind]
    let isTaken = name != mention.name && all(kinds).contains { $0.name == name }
    return isTaken ? "\"\(name)\" is there already; give another name" : nil
  }
}

/// The outline of a file: its keys, and the views in each other.
enum DocumentSymbol {
  /// The kinds of the Language Server Protocol.
  private enum Kind: Int {
    case view = 19
    case key = 20
  }

  static func write(of file: SourceFile, to json: inout JSONWriter) {
    for entry in file.outline.root.entries {
      write(
        entry.key, "", .key, Outline.Span(entry.span.start, max(entry.span.end, entry.value.span.end)), file,
        to: &json
      ) {
        views(in: entry.value, file, to: &$0)
      }
    }
  }

  private static func write(
    _ name: String, _ detail: String, _ kind: Kind, _ span: Outline.Span, _ file: SourceFile,
    to json: inout JSONWriter, children: (inout JSONWriter) -> Void
  ) {
    guard !name.isEmpty else { return }
    json.object {
      $0.field("name", name)
      $0.field("detail", detail)
      $0.field("kind", kind.rawValue)
      $0.range("range", span, in: file.outline)
      $0.range("selectionRange", Outline.Span(span.start, span.start), in: file.outline)
      $0.key("children")
      $0.beginArray()
      children(&$0)
      $0.endArray()
    }
  }

  private static func views(in node: Outline.Node, _ file: SourceFile, to json: inout JSONWriter) {
    for view in node["subviews"]?.items ?? [] {
      let kind = view["kind"]?.text ?? view["of"]?.text ?? view["style"]?.text ?? "view"
      write(view["id"]?.text ?? kind, kind, .view, view.span, file, to: &json) {
        views(in: view, file, to: &$0)
      }
    }
  }
}
