import SystemPackage
import TouchConfig
import TouchJSON
import TouchSystem

/// The server that editors start: the Language Server Protocol on standard input and output.
///
/// It answers one message after the other. What is wrong with a file is looked for when no message waits, so
/// fast typing is never behind.
package struct LanguageServer {
  private var stream: MessageStream
  private var workspace = Workspace()
  /// The URIs of open files and the versions of their texts, by their paths.
  private var documents: [String: (uri: String, version: JSONValue)] = [:]
  /// The files whose text has changed since they were looked at.
  private var changed: Set<String> = []
  /// The files that were last found to be wrong with each root.
  private var reported: [String: Set<String>] = [:]
  private var isShutDown = false

  package init(input: FileDescriptor = .standardInput, output: FileDescriptor = .standardOutput) {
    stream = MessageStream(input: input, output: output)
  }

  /// Serves until the client ends it.
  ///
  /// - Returns: whether it was shut down before, as the protocol asks.
  /// - Throws: `Failure` for input that is not of the protocol.
  package mutating func run() throws -> Bool {
    while let bytes = try stream.next() {
      let message: JSONValue
      do throws(Failure) {
        message = try bytes.withUnsafeBytes { bytes in
          Result { () throws(Failure) in try JSONReader.read(bytes) }
        }.get()
      } catch {
        try answer(.null, failing: (-32700, error.message))
        continue
      }
      let method = message["method"]?.text
      if method == "exit" { return isShutDown }
      try serve(method, message)
      if !stream.hasMore { try reportChanged() }
    }
    return isShutDown
  }

  private mutating func serve(_ method: String?, _ message: JSONValue) throws {
    guard let method else { return }
    let parameters = message["params"] ?? .null
    guard let id = message["id"] else { return try notice(method, parameters) }
    if isShutDown { return try answer(id, failing: (-32600, "the server is shut down")) }
    switch method {
    case "initialize": try answer(id, Self.writeCapabilities)
    case "shutdown":
      isShutDown = true
      try answer(id) { $0.value(nil as String?) }
    case "textDocument/completion": try complete(id, parameters)
    case "textDocument/hover": try hover(id, parameters)
    case "textDocument/definition": try define(id, parameters)
    case "textDocument/references": try refer(id, parameters)
    case "textDocument/prepareRename": try prepareRename(id, parameters)
    case "textDocument/rename": try rename(id, parameters)
    case "textDocument/documentSymbol": try listSymbols(id, parameters)
    default: try answer(id, failing: (-32601, "this server has no \(method.escaped)"))
    }
  }

  // MARK: Answers

  private func answer(_ id: JSONValue, _ result: (inout JSONWriter) -> Void) throws {
    try stream.send {
      $0.field("id", id)
      $0.key("result")
      result(&$0)
    }
  }

  private func answer(_ id: JSONValue, failing error: (code: Int, message: String)) throws {
    try stream.send {
      $0.field("id", id)
      $0.object("error") {
        $0.field("code", error.code)
        $0.field("message", error.message)
      }
    }
  }

  private static func writeCapabilities(_ json: inout JSONWriter) {
    json.object {
      $0.object("capabilities") {
        $0.object("textDocumentSync") {
          $0.field("openClose", true)
          $0.field("change", 2)
        }
        $0.object("completionProvider") { $0.field("triggerCharacters", [" ", "{", ".", "\""]) }
        for name in ["hover", "definition", "references", "documentSymbol"] {
          $0.field("\(name)Provider", true)
        }
        $0.object("renameProvider") { $0.field("prepareProvider", true) }
      }
      $0.object("serverInfo") {
        $0.field("name", "touchtree")
        $0.field("version", TouchtreeVersion.text)
      }
    }
  }

  // MARK: Texts

  private mutating func notice(_ method: String, _ parameters: JSONValue) throws {
    guard let uri = parameters["textDocument"]?["uri"]?.text else { return }
    let path = DocumentURI.path(of: uri)
    let version = parameters["textDocument"]?["version"] ?? .null
    switch method {
    case "textDocument/didOpen":
      documents[path] = (uri, version)
      set(path, Outline.lines(of: parameters["textDocument"]?["text"]?.text ?? ""))
    case "textDocument/didChange":
      guard var lines = workspace.open[path]?.lines else { return }
      documents[path]?.version = version
      for change in parameters["contentChanges"]?.elements ?? [] { TextChange(change)?.apply(to: &lines) }
      set(path, lines)
    case "textDocument/didClose":
      workspace.close(path)
      changed.remove(path)
      try report([], of: path)
      documents[path] = nil
    // Files that are not open may have changed, too.
    case "textDocument/didSave": changed.formUnion(workspace.open.keys)
    default: break
    }
  }

  private mutating func set(_ path: String, _ lines: [[Unicode.Scalar]]) {
    workspace.set(SourceFile(path: path, lines: lines))
    changed.insert(path)
  }

  // MARK: Diagnostics

  /// The most diagnostics of a file. More are no help, and finding the end of each takes time.
  private static let mostReported = 200

  private mutating func reportChanged() throws {
    let roots = Set(changed.filter { workspace.open[$0] != nil }.map(workspace.root))
    changed = []
    for root in roots.sorted() { try report(workspace.diagnostics(of: root), of: root) }
  }

  private mutating func report(_ diagnostics: [Diagnostic], of root: String) throws {
    let byFile = Dictionary(grouping: diagnostics) { Workspace.plain($0.file.isEmpty ? root : $0.file) }
    let open = workspace.files(of: root).map(\.path).filter { workspace.open[$0] != nil }
    let files = Set(byFile.keys).union(open).union([root])
    for path in files.union(reported[root] ?? []).sorted() {
      let lines = workspace.file(path)?.outline
      try stream.send {
        $0.field("method", "textDocument/publishDiagnostics")
        $0.object("params") {
          $0.field("uri", uri(of: path))
          if let document = documents[path] { $0.field("version", document.version) }
          $0.objects("diagnostics", of: (byFile[path] ?? []).prefix(Self.mostReported)) { json, diagnostic in
            let span = lines?.span(at: diagnostic.place)
            json.range(
              "range", span ?? Outline.Span(.init(line: 0, column: 0), .init(line: 0, column: 0)), in: lines)
            json.field("severity", diagnostic.severity == .error ? 1 : 2)
            json.field("source", "touchtree")
            json.field("message", diagnostic.message)
          }
        }
      }
    }
    reported[root] = diagnostics.isEmpty ? nil : files
  }

  private func uri(of path: String) -> String { documents[path]?.uri ?? DocumentURI.uri(of: path) }

  // MARK: Places

  /// The file and the place that a request is about.
  private func place(_ parameters: JSONValue) -> (file: SourceFile, place: Outline.Place)? {
    guard let uri = parameters["textDocument"]?["uri"]?.text,
      let file = workspace.open[DocumentURI.path(of: uri)],
      let place = parameters["position"].flatMap({ Outline.Place($0, in: file.lines) })
    else { return nil }
    return (file, place)
  }

  /// The name at the place that a request is about.
  private func mention(_ parameters: JSONValue) -> (mention: Mention, names: NameList)? {
    guard let (file, place) = place(parameters),
      let mention = file.mentions.first(where: { $0.span.touches(place) })
    else { return nil }
    return (mention, NameList(workspace.project(of: file.path)))
  }

  private func complete(_ id: JSONValue, _ parameters: JSONValue) throws {
    guard let (file, place) = place(parameters), let cursor = Cursor(in: file.lines, at: place, file.table)
    else { return try answer(id) { $0.value(nil as String?) } }
    let found = Completer(cursor, NameList(workspace.project(of: file.path)))
    try answer(id) {
      $0.object {
        $0.field("isIncomplete", found.isIncomplete)
        $0.objects("items", of: found.completions.enumerated()) { json, item in
          let (index, completion) = item
          json.field("label", completion.label)
          json.field("kind", completion.kind.rawValue)
          if !completion.detail.isEmpty { json.field("detail", completion.detail) }
          if !completion.sentence.isEmpty { json.markdown("documentation", completion.sentence) }
          json.field("sortText", String(String(10_000 + index).dropFirst()))
          json.field("filterText", completion.label)
          json.object("textEdit") {
            $0.range("range", completion.span, in: file.outline)
            $0.field("newText", completion.text ?? completion.label)
          }
        }
      }
    }
  }

  private func hover(_ id: JSONValue, _ parameters: JSONValue) throws {
    guard let (file, place) = place(parameters), let hover = Hover(at: place, in: file, workspace) else {
      return try answer(id) { $0.value(nil as String?) }
    }
    try answer(id) {
      $0.object {
        $0.markdown("contents", hover.markdown)
        $0.range("range", hover.span, in: file.outline)
      }
    }
  }

  private func define(_ id: JSONValue, _ parameters: JSONValue) throws {
    var targets: [(SourceFile, Outline.Span)] = []
    if let (file, place) = place(parameters),
      let link = file.links.first(where: { $0.node.span.touches(place) }),
      let other = workspace.file(Workspace.plain(link.path))
    {
      let start = Outline.Place(line: 0, column: 0)
      targets = [(other, Outline.Span(start, start))]
    } else if let (mention, names) = mention(parameters) {
      targets = names.declarations(of: mention).map { ($0.file, $0.mention.span) }
    }
    try answer(id) { $0.locations(targets, uri) }
  }

  private func refer(_ id: JSONValue, _ parameters: JSONValue) throws {
    let isWhole = parameters["context"]?["includeDeclaration"]?.boolean ?? true
    var found: [(SourceFile, Outline.Span)] = []
    if let (mention, names) = mention(parameters) {
      found = names.mentions(of: mention).filter { isWhole || !$0.mention.isDeclaration }
        .map { ($0.file, $0.mention.span) }
    }
    try answer(id) { $0.locations(found, uri) }
  }

  // MARK: Renaming

  /// The name that can be renamed at a place: one that the file gives.
  private func renamed(_ parameters: JSONValue) -> (mention: Mention, names: NameList)? {
    mention(parameters).flatMap { $0.names.declarations(of: $0.mention).isEmpty ? nil : $0 }
  }

  private func prepareRename(_ id: JSONValue, _ parameters: JSONValue) throws {
    guard let (file, _) = place(parameters), let (mention, _) = renamed(parameters) else {
      return try answer(id) { $0.value(nil as String?) }
    }
    try answer(id) {
      $0.object {
        $0.range("range", mention.span, in: file.outline)
        $0.field("placeholder", mention.name)
      }
    }
  }

  private func rename(_ id: JSONValue, _ parameters: JSONValue) throws {
    guard let (mention, names) = renamed(parameters), let name = parameters["newName"]?.text else {
      return try answer(
        id, failing: (-32803, "there is no name of a view, a value, a style or a template here"))
    }
    if let problem = names.problem(renaming: mention, to: name) {
      return try answer(id, failing: (-32803, problem))
    }
    let edits = Dictionary(grouping: names.mentions(of: mention)) { $0.file.path }
    try answer(id) {
      $0.object {
        $0.object("changes") { json in
          for (path, mentions) in edits.sorted(by: { $0.key < $1.key }) {
            json.objects(uri(of: path), of: mentions) { json, found in
              json.range("range", found.mention.span, in: found.file.outline)
              json.field("newText", name)
            }
          }
        }
      }
    }
  }

  private func listSymbols(_ id: JSONValue, _ parameters: JSONValue) throws {
    let file = parameters["textDocument"]?["uri"]?.text.flatMap { workspace.open[DocumentURI.path(of: $0)] }
    try answer(id) { json in
      json.beginArray()
      if let file { DocumentSymbol.write(of: file, to: &json) }
      json.endArray()
    }
  }
}
