import TouchViews

/// A JSON value with expressions in its texts: the message of a `send`. A text that is exactly one expression
/// becomes its value: a number, true or false, null, a text, a list or a mapping. In any other text, and in a
/// key, the value is filled in as letters.
package struct MessageFormula: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case json(String)
    case formula(Formula, isWhole: Bool)
  }

  package let source: String
  private let parts: [Part]

  package var formulas: [Formula] {
    parts.compactMap { if case .formula(let formula, _) = $0 { formula } else { nil } }
  }

  /// - Parameter json: one JSON value, as `JSONWriter` writes it: without spaces.
  /// - Throws: the fault of an expression; its place is in the text that contains it.
  package init(_ json: String, scope: some ExpressionScope) throws(ExpressionError) {
    var parts: [Part] = []
    let bytes = Array(json.utf8)
    var (start, place) = (0, 0)
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "\"") else {
        place += 1
        continue
      }
      let open = place
      place += 1
      while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
        place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
      }
      let close = min(place, bytes.count)
      place += 1
      // Text with a backslash stays as it is: no expression has one.
      let inside = String(decoding: bytes[open + 1..<close], as: UTF8.self)
      guard inside.utf8.contains(UInt8(ascii: "{")) else { continue }
      let formula = try Formula(inside, scope: scope)
      let isKey = place < bytes.count && bytes[place] == UInt8(ascii: ":")
      let isWhole = !isKey && formula.whole != nil
      parts.append(.json(String(decoding: bytes[start..<(isWhole ? open : open + 1)], as: UTF8.self)))
      parts.append(.formula(formula, isWhole: isWhole))
      start = isWhole ? place : close
    }
    parts.append(.json(String(decoding: bytes[min(start, bytes.count)...], as: UTF8.self)))
    (source, self.parts) = (json, parts)
  }

  /// Returns the present message.
  /// - Parameter escaped: returns a text as it stands between the quotes of JSON.
  package func message(
    in computation: inout Computation, _ reading: some ReferenceReading, escaped: (String) -> String
  ) -> String {
    var message = ""
    for part in parts {
      switch part {
      case .json(let json): message += json
      case .formula(let formula, let isWhole):
        guard isWhole else {
          message += Self.filled(formula, in: &computation, reading, escaped)
          continue
        }
        // As a control shows it: 21.0.
        if let reference = formula.onlyReference(of: 0), let shown = reading.shown(reference, in: formula) {
          message += shown
          continue
        }
        Self.append(computation.value(of: formula, asText: false, reading), to: &message, escaped)
      }
    }
    return message
  }

  private static func append(
    _ value: PropertyValue, to message: inout String, _ escaped: (String) -> String
  ) {
    switch value {
    case .null, .flag: message += value.description
    case .number(let number): message += number.isFinite ? value.description : "null"
    case .text(let text): message += "\"\(escaped(text))\""
    case .list(let items):
      message += "["
      for (index, item) in items.enumerated() {
        if index > 0 { message += "," }
        append(item, to: &message, escaped)
      }
      message += "]"
    case .map(let entries):
      message += "{"
      for (index, entry) in entries.enumerated() {
        message += "\(index > 0 ? "," : "")\"\(escaped(entry.key))\":"
        append(entry.value, to: &message, escaped)
      }
      message += "}"
    }
  }

  /// Returns a formula's text, filled in. Its letters are JSON already; the values are not.
  private static func filled(
    _ formula: Formula, in computation: inout Computation, _ reading: some ReferenceReading,
    _ escaped: (String) -> String
  ) -> String {
    formula.split.map { part in
      if let letters = part.letters { return letters }
      guard case .text(let text) = computation.value(of: part, asText: true, reading) else { return "" }
      return escaped(text)
    }.joined()
  }
}

extension MessageFormula: ExpressibleByStringLiteral {
  package init(stringLiteral json: String) { (source, parts) = (json, [.json(json)]) }
}
