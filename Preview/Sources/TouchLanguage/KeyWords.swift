import TouchConfig
import TouchCore
import TouchViews

extension KeyGuide.Key {
  /// The explanation of the key for an editor: its sentence, its type, and the default. In Markdown.
  var markdown: String {
    let type = shape.words
    let facts = [
      type.isEmpty ? nil : "Takes \(type).", standard.flatMap { $0.shown.map { "Default: `\($0)`." } },
    ].compactMap(\.self)
    return ([sentence.plainLinks] + (facts.isEmpty ? [] : [facts.joined(separator: " ")])).joined(
      separator: "\n\n")
  }
}

extension PropertyValue {
  /// The value as a file has it; nil for nothing, and for a mapping.
  fileprivate var shown: String? {
    switch self {
    case .null, .map: nil
    case .text(let text): text.isEmpty ? nil : text
    default: description
    }
  }
}

extension String {
  /// The same Markdown with the words of links alone: what they lead to is in the manual.
  var plainLinks: String {
    var (result, rest) = ("", self[...])
    while let open = rest.firstIndex(of: "["), let close = rest[open...].firstIndex(of: "]") {
      let behind = rest.index(after: close)
      guard behind < rest.endIndex, rest[behind] == "(", let end = rest[behind...].firstIndex(of: ")") else {
        result += rest[...open]
        rest = rest[rest.index(after: open)...]
        continue
      }
      result += rest[..<open] + rest[rest.index(after: open)..<close]
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}

extension KeyShape {
  /// The value that it takes, in words: "a number from 0 to 1".
  var words: String {
    switch self {
    case .value(let shape): shape.words
    case .nullable(let shape): shape.words
    case .string, .pattern: "a text"
    case .values(let values): values.map(\.description).joined(lastWith: "or")
    case .list: "a list"
    case .mapping(let table): table.owner
    case .names: "a mapping"
    case .either(let shapes): Self.words(shapes.map(\.words))
    case .definition("steps"): "steps"
    case .definition("id"): "a name"
    case .definition("expression"): "an expression"
    case .definition(let name):
      KeyShape.definitions.first { $0.name == name }?.shape.words ?? (name == "color" ? "a colour" : "")
    case .anything: ""
    }
  }

  fileprivate static func words(_ words: [String]) -> String {
    words.filter { !$0.isEmpty }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      .joined(lastWith: "or")
  }
}

extension PropertyShape {
  fileprivate var words: String {
    switch self {
    case .flag: "true or false"
    case .number(let range): range.shown
    case .integer(let range):
      range.upperBound == .max
        ? "a whole number" : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .text, .name: "a text"
    case .words(let words): words.joined(lastWith: "or")
    case .weight: TextStyle.Weight.allCases.map(\.rawValue).joined(lastWith: "or")
    case .color: "a colour"
    case .gradient: "a gradient"
    case .dayOrMinute: "a date or a time"
    case .list(let shapes): shapes.count == 1 ? "a list" : "a list of \(shapes.count) values"
    case .texts: "a list of texts"
    case .parts(of: let whole, _): whole
    case .either(let shapes): KeyShape.words(shapes.map(\.words))
    case .nothing: "none"
    }
  }
}
