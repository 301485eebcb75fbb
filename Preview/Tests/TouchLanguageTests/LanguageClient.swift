import Foundation

/// An editor, as far as the protocol goes.
final class LanguageClient {
  struct Found {
    let message: String
    let severity: Int
    /// The lines and the characters of its start and its end.
    let range: [Int]
  }

  private let process = Process()
  private let (input, output, errors) = (Pipe(), Pipe(), Pipe())
  private let folder: URL
  private var bytes = Data()
  private var lastID = 100
  private var reported: [String: (version: Int?, found: [Found])] = [:]
  private var versions: [String: Int] = [:]

  private static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "touchtree-preview")

  init(_ folder: URL = URL(filePath: "/nowhere"), initializes: Bool = true) throws {
    self.folder = folder
    signal(SIGPIPE, SIG_IGN)
    process.executableURL = Self.program
    process.arguments = ["language-server", "--stdio"]
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
    try process.run()
    guard initializes else { return }
    _ = request("initialize", ["processId": NSNull(), "rootUri": NSNull(), "capabilities": [:]])
    send(["method": "initialized", "params": [:]])
  }

  /// Returns the exit status and what was written to standard error.
  @discardableResult
  func end() -> (status: Int32, errors: String) {
    if process.isRunning {
      send(["id": 1, "method": "shutdown"])
      send(["method": "exit"])
    }
    try? input.fileHandleForWriting.close()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  // MARK: Messages

  func send(raw text: String) { try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  func send(_ message: [String: Any]) {
    guard let data = try? JSONSerialization.data(withJSONObject: message.merging(["jsonrpc": "2.0"]) { $1 })
    else { return }
    send(raw: "Content-Length: \(data.count)\r\n\r\n" + String(decoding: data, as: UTF8.self))
  }

  /// Waits for a message. Diagnostics that come before are kept.
  func next(where isWanted: ([String: Any]) -> Bool) -> [String: Any]? {
    while let message = read() {
      if message["method"] as? String == "textDocument/publishDiagnostics" { keep(message) }
      if isWanted(message) { return message }
    }
    return nil
  }

  private func read() -> [String: Any]? {
    while true {
      if let end = bytes.range(of: Data("\r\n\r\n".utf8)) {
        let head = String(decoding: bytes[bytes.startIndex..<end.lowerBound], as: UTF8.self)
        let length = Int(head.drop { !$0.isNumber }) ?? 0
        if bytes.endIndex - end.upperBound >= length {
          let body = bytes[end.upperBound..<end.upperBound + length]
          bytes = Data(bytes[(end.upperBound + length)...])
          return (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
        }
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      bytes += more
    }
  }

  private func keep(_ message: [String: Any]) {
    guard let parameters = message["params"] as? [String: Any], let uri = parameters["uri"] as? String else {
      return
    }
    let found = parameters["diagnostics"] as? [[String: Any]] ?? []
    reported[name(of: uri)] = (
      parameters["version"] as? Int,
      found.map { item in
        let range = item["range"] as? [String: [String: Int]] ?? [:]
        let places = ["start", "end"].flatMap { [range[$0]?["line"] ?? -1, range[$0]?["character"] ?? -1] }
        return Found(
          message: item["message"] as? String ?? "", severity: item["severity"] as? Int ?? 0, range: places)
      }
    )
  }

  private func uri(of name: String) -> String { folder.appending(path: name).absoluteString }
  private func name(of uri: String) -> String { uri.split(separator: "/").last.map(String.init) ?? "" }

  private func request(_ method: String, _ parameters: [String: Any]) -> Any? {
    lastID += 1
    let id = lastID
    send(["id": id, "method": method, "params": parameters])
    return next { $0["id"] as? Int == id }?["result"]
  }

  func nextError() -> Int? { (next { $0["error"] != nil }?["error"] as? [String: Any])?["code"] as? Int }

  private func place(_ name: String, _ place: (line: Int, character: Int)) -> [String: Any] {
    [
      "textDocument": ["uri": uri(of: name)],
      "position": ["line": place.line, "character": place.character],
    ]
  }

  // MARK: What an editor does

  private func nextVersion(_ name: String) -> Int {
    versions[name, default: 0] += 1
    return versions[name] ?? 0
  }

  func open(_ name: String, _ text: String) {
    let version = nextVersion(name)
    send([
      "method": "textDocument/didOpen",
      "params": [
        "textDocument": ["uri": uri(of: name), "languageId": "yaml", "version": version, "text": text]
      ],
    ])
  }

  func change(
    _ name: String, from start: (line: Int, character: Int), to end: (line: Int, character: Int),
    _ text: String
  ) {
    let range = [
      "start": ["line": start.line, "character": start.character],
      "end": ["line": end.line, "character": end.character],
    ]
    send([
      "method": "textDocument/didChange",
      "params": [
        "textDocument": ["uri": uri(of: name), "version": nextVersion(name)],
        "contentChanges": [["range": range, "text": text]],
      ],
    ])
  }

  func items(_ name: String, _ place: (line: Int, character: Int)) -> [[String: Any]] {
    let result = request("textDocument/completion", self.place(name, place)) as? [String: Any]
    return result?["items"] as? [[String: Any]] ?? []
  }

  func completions(_ name: String, _ place: (line: Int, character: Int)) -> [String] {
    items(name, place).compactMap { $0["label"] as? String }
  }

  func hover(_ name: String, _ place: (line: Int, character: Int)) -> String {
    let result = request("textDocument/hover", self.place(name, place)) as? [String: Any]
    return (result?["contents"] as? [String: Any])?["value"] as? String ?? ""
  }

  func locations(_ what: String, _ name: String, _ place: (line: Int, character: Int)) -> [(
    file: String, line: Int
  )] {
    let result = request("textDocument/\(what)", self.place(name, place)) as? [[String: Any]] ?? []
    return result.map { item in
      let range = item["range"] as? [String: [String: Int]]
      return (self.name(of: item["uri"] as? String ?? ""), range?["start"]?["line"] ?? -1)
    }
  }

  /// Returns the start of each edit, by the names of the files; nil for a refusal.
  func rename(_ name: String, _ place: (line: Int, character: Int), to new: String) -> [String: [[Int]]]? {
    let parameters = self.place(name, place).merging(["newName": new]) { $1 }
    let result = request("textDocument/rename", parameters) as? [String: Any]
    guard let changes = result?["changes"] as? [String: [[String: Any]]] else { return nil }
    return Dictionary(
      uniqueKeysWithValues: changes.map { uri, edits in
        let starts = edits.map { edit in
          let start = (edit["range"] as? [String: [String: Int]])?["start"]
          return [start?["line"] ?? -1, start?["character"] ?? -1]
        }
        return (self.name(of: uri), starts)
      })
  }

  /// Returns the names of symbols, with those around them.
  func symbols(_ name: String) -> [String] {
    func names(_ symbols: [[String: Any]], _ before: String) -> [String] {
      symbols.flatMap { symbol in
        let name = before + (symbol["name"] as? String ?? "")
        return [name] + names(symbol["children"] as? [[String: Any]] ?? [], name + "/")
      }
    }
    let parameters = ["textDocument": ["uri": uri(of: name)]]
    return names(request("textDocument/documentSymbol", parameters) as? [[String: Any]] ?? [], "")
  }

  /// Waits until the last text of a file was looked at. Returns what was found.
  func diagnostics(_ name: String) -> [Found] {
    while reported[name]?.version != versions[name] {
      guard next(where: { $0["method"] as? String == "textDocument/publishDiagnostics" }) != nil else {
        return []
      }
    }
    return reported[name]?.found ?? []
  }
}
