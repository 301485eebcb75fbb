import Foundation
import Testing

/// What editors ask, by the protocol, of the program itself.
@Suite struct LanguageServerTests {
  /// A panel with something of everything. `|` in a line that replaces one is where the cursor is.
  static let panel = """
    version: 1
    theme: dark
    display: {canvas: {size: [400, 240]}}
    values:
      target: {value: 21.5}
      count: 0
    strings: {en: {hello: Hello}, de: {hello: Hallo}}
    styles:
      big: {font: {size: 40}}
    templates:
      key: {kind: button, text: "{title}"}
    handlers:
      chime: {kind: exec, when: pressed, command: [true]}
    window:
      subviews:
        - {id: title, kind: label, style: big, frame: [0, 0, 400, 60], text: "{target:.1f}"}
        - id: plus
          kind: button
          frame: [0, 60, 100, 60]
          text: More
          actions: {touch_up_inside: [set: {target: "{target + 0.5}"}, toggle: {title: hidden}]}
        - {of: key, id: ok, title: OK, frame: [100, 60, 100, 60]}
        - id: screens
          kind: pages
          frame: [0, 120, 400, 120]
          subviews:
            - {id: home, kind: view}
            - {id: settings, kind: view}

    """

  static let completions: [(line: String, has: [String], lacks: [String])] = [
    ("    - {id: x, ki|", ["kind"], ["id"]),
    ("    - {kind: sli|", ["slider", "label"], ["kind"]),
    ("    - {kind: slider, m|", ["minimum", "maximum"], ["placeholder", "kind"]),
    ("    - {kind: label, m|", ["hidden"], ["minimum", "maximum"]),
    ("    - {kind: label, hidden: |", ["true", "false"], ["left"]),
    ("    - {kind: label, style: b|", ["big", "headline"], ["key"]),
    ("    - {of: |", ["key"], ["big"]),
    ("    - {of: key, t|", ["title", "text"], []),
    ("    - {kind: label, background: |", ["accent", "orange"], []),
    ("    - {kind: label, font: {w|", ["weight", "size"], ["kind"]),
    ("    - {kind: label, font: {weight: |", ["bold"], []),
    ("    - {kind: label, text: \"{t|", ["target", "title", "now", "round"], ["big"]),
    ("    - {kind: label, text: \"{plus.|", ["text", "enabled"], ["target"]),
    ("    - {kind: label, text: \"{t.|", ["hello"], ["target"]),
    ("    - {kind: label, text: \"{title.font.|", ["size"], ["text"]),
    ("    - {kind: button, icon: arrow-l|", ["arrow-left"], ["arrow-right"]),
    ("    - {kind: button, actions: {|", ["touch_up_inside"], ["touches"]),
    ("    - {kind: button, actions: {touch_up_inside: [{|", ["set", "animate"], ["id"]),
    ("    - {kind: button, actions: {touch_up_inside: [set: {|", ["target", "title"], ["set"]),
    ("    - {kind: button, actions: {touch_up_inside: [set: {screens: {p|", ["page"], ["placeholder"]),
    ("    - {kind: button, actions: {touch_up_inside: [page: {|", ["screens", "transition"], ["target"]),
    ("    - {kind: button, actions: {touch_up_inside: [page: {screens: |", ["home", "settings"], ["target"]),
    ("    - {kind: button, handlers: [|", ["chime", "log"], ["target"]),
    ("    - {gestures: [{kind: |", ["tap", "pinch"], ["button"]),
    ("    - {gestures: [{kind: swipe, d|", ["direction"], ["edges"]),
    ("    - {gestures: [{kind: swipe, direction: |", ["left"], []),
    ("    - |", ["id", "kind", "of", "repeat"], ["version"]),
    ("      |", ["alpha", "hidden"], ["version", "frame"]),
    ("|", ["idle", "input"], ["version", "frame"]),
    ("theme: |", ["dark", "light"], []),
    ("display: {ro|", ["rotation"], ["frame"]),
    ("display: {rotation: |", ["auto", "90"], []),
  ]

  @Test(arguments: completions.indices)
  func `a line that is being written has its completions, though the file is broken there`(row: Int) throws {
    let (line, has, lacks) = Self.completions[row]
    let client = try LanguageClient()
    let (text, place) = Self.panel(with: line)
    client.open("panel.yaml", text)
    let labels = client.completions("panel.yaml", place)
    for word in has { #expect(labels.contains(word), "\(line): \(labels)") }
    for word in lacks { #expect(!labels.contains(word), "\(line): \(word)") }
    client.end()
  }

  /// The panel with one line more, and where `|` was.
  private static func panel(with line: String) -> (text: String, place: (line: Int, character: Int)) {
    let column = line.distance(from: line.startIndex, to: line.firstIndex(of: "|") ?? line.startIndex)
    let plain = line.replacing("|", with: "")
    var lines = panel.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let isOfView = line.hasPrefix("  ") && !line.hasPrefix("      ")
    let at =
      isOfView
      ? lines.firstIndex { $0.contains("id: plus") } ?? 0
      : line.hasPrefix(" ") ? lines.firstIndex { $0.contains("text: More") } ?? 0 : 1
    lines.insert(plain, at: at)
    return (lines.joined(separator: "\n"), (at, column))
  }

  @Test func `a completion replaces what is written, and no more`() throws {
    let client = try LanguageClient()
    client.open("a.yaml", "window:\n  subviews:\n    - {icon: arrow-lef, kind: button}\n")
    let item = client.items("a.yaml", (2, 22)).first { $0["label"] as? String == "arrow-left" }
    let range = (item?["textEdit"] as? [String: Any])?["range"] as? [String: [String: Int]]
    #expect(
      range?["start"] == ["line": 2, "character": 13] && range?["end"] == ["line": 2, "character": 22])
    client.end()
  }

  static let hovers: [(word: String, says: [String])] = [
    ("subviews", ["back to front"]), ("canvas", ["coordinate space"]), ("frame", ["x, y"]),
    ("touch_up_inside", ["lifted inside"]), ("when: pressed", ["program runs"]), ("target + 0.5", ["21.5"]),
  ]

  @Test(arguments: hovers.indices)
  func `the word under the pointer is explained by its row`(row: Int) throws {
    let client = try LanguageClient()
    client.open("panel.yaml", Self.panel)
    let text = client.hover("panel.yaml", Self.place(of: Self.hovers[row].word))
    for words in Self.hovers[row].says { #expect(text.contains(words), "\(Self.hovers[row].word): \(text)") }
    client.end()
  }

  static func place(of word: String, in text: String = panel) -> (line: Int, character: Int) {
    let before = text.range(of: word).map { text[..<$0.lowerBound] } ?? ""
    let line = before.count { $0 == "\n" }
    return (line, before.split(separator: "\n", omittingEmptySubsequences: false).last?.utf16.count ?? 0)
  }

  static let definitions: [(word: String, line: String)] = [
    ("big, frame", "big:"), ("key, id: ok", "key:"), ("target + 0.5", "target:"),
    ("title: hidden", "id: title"),
    ("target:.1f", "target:"),
  ]

  @Test(arguments: definitions.indices)
  func `a name leads to where it is given`(row: Int) throws {
    let client = try LanguageClient()
    client.open("panel.yaml", Self.panel)
    let places = client.locations("definition", "panel.yaml", Self.place(of: Self.definitions[row].word))
    #expect(places.map(\.line) == [Self.place(of: Self.definitions[row].line).line])
    client.end()
  }

  @Test func `an include leads to its file, and its names are those of the panel`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try "styles: {huge: {font: {size: 90}}}\n".write(
      to: folder.appending(path: "styles.yaml"), atomically: true, encoding: .utf8)
    let client = try LanguageClient(folder)
    let text =
      "include: styles.yaml\nwindow: {subviews: [{kind: label, style: huge, frame: [0, 0, 300, 200], text: A}]}\n"
    client.open("panel.yaml", text)
    #expect(
      client.locations("definition", "panel.yaml", Self.place(of: "styles.yaml", in: text)).first?.file
        == "styles.yaml")
    #expect(
      client.locations("definition", "panel.yaml", Self.place(of: "huge", in: text)).first?.file
        == "styles.yaml")
    #expect(
      client.rename("panel.yaml", Self.place(of: "huge", in: text), to: "vast")?.keys.sorted() == [
        "panel.yaml", "styles.yaml",
      ])
    #expect(client.diagnostics("panel.yaml").isEmpty)
    client.open("styles.yaml", "styles: {hug: {font: {size: 90}}}\n")
    _ = client.diagnostics("styles.yaml")
    #expect(client.diagnostics("panel.yaml").contains { $0.message.contains("huge") })
    client.end()
  }

  static let renames: [(word: String, name: String, places: [String])] = [
    ("id: title", "heading", ["id: title", "title: hidden"]),
    ("target: {value", "wanted", ["target: {value", "target:.1f", "target: \"{target", "target + 0.5"]),
    ("big: {font", "large", ["big: {font", "big, frame"]), ("key: {kind", "pad", ["key: {kind", "key, id"]),
  ]

  @Test(arguments: renames.indices)
  func `a name is renamed in all its places`(row: Int) throws {
    let (word, name, places) = Self.renames[row]
    let client = try LanguageClient()
    client.open("panel.yaml", Self.panel)
    var place = Self.place(of: word)
    if word.hasPrefix("id: ") { place.character += 4 }
    let edits = client.rename("panel.yaml", place, to: name)?["panel.yaml"] ?? []
    let expected = places.map { word in
      var place = Self.place(of: word)
      if word.hasPrefix("id: ") { place.character += 4 }
      return [place.line, place.character]
    }
    #expect(Set(edits) == Set(expected), "\(edits)")
    client.end()
  }

  @Test(arguments: ["none", "plus", "has space", ""])
  func `a name that cannot be given is refused`(name: String) throws {
    let client = try LanguageClient()
    client.open("panel.yaml", Self.panel)
    var place = Self.place(of: "id: title")
    place.character += 4
    #expect(client.rename("panel.yaml", place, to: name) == nil)
    client.end()
  }

  @Test func `diagnostics are those of check, at the place of the value, and go when it is right`() throws {
    let client = try LanguageClient()
    client.open(
      "a.yaml", "window:\n  subviews:\n    - {kind: labl, frame: [0, 0, 9, 9], text: \"ä\", alpha: 2}\n")
    let found = client.diagnostics("a.yaml")
    #expect(
      found.contains { $0.message.contains("did you mean \"label\"") && $0.range == [2, 13, 2, 17] },
      "\(found)")
    #expect(found.contains { $0.message.contains("alpha is 2") && $0.severity == 1 }, "\(found)")
    client.change("a.yaml", from: (2, 13), to: (2, 17), "label")
    client.change("a.yaml", from: (2, 59), to: (2, 60), "1")
    #expect(client.diagnostics("a.yaml").allSatisfy { $0.severity == 2 })
    client.change("a.yaml", from: (2, 0), to: (3, 0), "    - {kind: label, fra")
    #expect(!client.diagnostics("a.yaml").isEmpty)
    client.end()
  }

  @Test func `columns are counted in UTF-16, as the protocol says`() throws {
    let client = try LanguageClient()
    client.open("a.yaml", "window: {subviews: [{text: \"😀😀\", kind: labl, frame: [0, 0, 9, 9]}]}\n")
    #expect(client.diagnostics("a.yaml").contains { $0.range == [0, 41, 0, 45] })
    client.end()
  }

  @Test func `a file's views are listed in each other`() throws {
    let client = try LanguageClient()
    client.open("panel.yaml", Self.panel)
    let symbols = client.symbols("panel.yaml")
    #expect(
      symbols.contains("window/screens/settings") && symbols.contains("values")
        && symbols.contains("window/plus"))
    client.end()
  }

  @Test func `a rehearsal has its keys, its panel's names and its errors`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.panel.write(to: folder.appending(path: "panel.yaml"), atomically: true, encoding: .utf8)
    let client = try LanguageClient(folder)
    let text =
      "panel: panel.yaml\ncases:\n  - name: counts\n    steps:\n      - touch: plus\n      - tuch: plus\n      - "
    client.open("r.yaml", text)
    #expect(client.completions("r.yaml", (6, 8)).contains("expect"))
    #expect(client.completions("r.yaml", (4, 15)).contains("plus"))
    #expect(client.diagnostics("r.yaml").contains { $0.message.contains("did you mean \"touch\"") })
    client.end()
  }

  static let hostile: [String] = [
    "GET / HTTP/1.1\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: -1\r\n\r\n",
    "Content-Length: 70000000\r\n\r\n", "\r\n\r\n", String(repeating: "A", count: 100_000),
    "Content-Length: abc\r\n\r\n{}",
  ]

  @Test(arguments: hostile.indices)
  func `input that is not of the protocol ends the server with a message`(row: Int) throws {
    let client = try LanguageClient(initializes: false)
    client.send(raw: Self.hostile[row])
    let (status, errors) = client.end()
    #expect(status == 1 && errors.hasPrefix("touchtree: error: "), "\(errors)")
  }

  @Test func `wrong messages are answered, and the next one is served`() throws {
    let client = try LanguageClient()
    client.send(raw: "Content-Length: 2\r\n\r\n{,")
    #expect(client.nextError() == -32700)
    client.send(["id": 7, "method": "textDocument/nothing", "params": [:]])
    #expect(client.nextError() == -32601)
    for parameters in [
      [:], ["textDocument": ["uri": 3]], ["textDocument": ["uri": "file:///x"], "position": [:]],
    ] as [[String: Any]] {
      for method in ["completion", "hover", "definition", "references", "rename", "documentSymbol"] {
        client.send(["id": 8, "method": "textDocument/\(method)", "params": parameters])
        _ = client.next { $0["id"] as? Int == 8 }
      }
      client.send(["method": "textDocument/didChange", "params": parameters])
    }
    client.open("a.yaml", "window: {}\n")
    client.change("a.yaml", from: (900, 5), to: (2, 1), "x")
    client.change("a.yaml", from: (0, 900), to: (900, 900), "\n")
    #expect(client.completions("a.yaml", (0, 900)) == [])
    client.end()
  }

  @Test func `whatever the text is, each question is answered`() throws {
    let client = try LanguageClient()
    var random = Seeded(state: 46)
    let pieces = [
      "{", "}", "[", "]", "\"", "'", ":", "- ", "\n", "  ", "|", "#", "&a ", "*a", "\t", "😀", "{{", "%",
      "---",
    ]
    for round in 0..<60 {
      var text = Self.panel
      for _ in 0..<(1 + round % 8) {
        let index = text.index(text.startIndex, offsetBy: Int.random(in: 0..<text.count, using: &random))
        let end = text.index(
          index, offsetBy: Int.random(in: 0...40, using: &random), limitedBy: text.endIndex)
        text.replaceSubrange(index..<(end ?? index), with: pieces.randomElement(using: &random) ?? "")
      }
      client.open("a.yaml", text)
      for _ in 0..<3 {
        let place = (Int.random(in: 0..<24, using: &random), Int.random(in: 0..<60, using: &random))
        _ = client.completions("a.yaml", place)
        _ = client.hover("a.yaml", place)
        _ = client.rename("a.yaml", place, to: "other")
      }
    }
    _ = client.diagnostics("a.yaml")
    #expect(client.end().status == 0)
  }

  @Test(arguments: ["{", "[", "a: {", "- ", "a:\n  ", "\"{"])
  func `a text that is nested without end is answered`(piece: String) throws {
    let client = try LanguageClient()
    client.open("a.yaml", String(repeating: piece, count: 5000))
    #expect(client.symbols("a.yaml").count < 6000)
    #expect(client.end().status == 0)
  }
}

/// The same numbers each time. (SplitMix64)
private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
