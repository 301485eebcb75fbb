import TouchViews

// The pieces of which messages are made.

extension String {
  /// Whether a C program would read only a part of it.
  var hasNUL: Bool { unicodeScalars.contains("\0") }

  var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// The first space in it that looks like an ordinary one, or like none, and is another character to YAML;
  /// nil for none.
  var oddSpace: String? {
    guard
      let scalar = unicodeScalars.first(where: {
        $0 != " " && $0.properties.generalCategory == .spaceSeparator || $0 == "\u{200b}" || $0 == "\u{feff}"
      })
    else { return nil }
    let code = String(scalar.value, radix: 16, uppercase: true)
    let name =
      scalar == "\u{a0}" ? "a no-break space" : scalar == "\u{3000}" ? "an ideographic space" : "an odd space"
    return "\(name) (U+\(String(repeating: "0", count: max(0, 4 - code.count)) + code))"
  }
}

extension YAMLNode {
  var shown: String {
    switch scalar {
    case nil: items == nil ? "a mapping" : "a list"
    case .null: "null"
    case .text(let text): "the text \"\(text.escaped)\""
    case .bool, .integer, .number: (text ?? "").escaped
    }
  }
}

extension YAMLNode {
  /// The text that was meant where braces stand without quotes, which YAML reads as a mapping:
  /// `{temp.value}`. Nil for anything else.
  var unquotedBraces: String? {
    guard let entries, entries.count == 1, let key = entries[0].key.text, entries[0].value.isEmpty,
      entries[0].value.place.line == entries[0].key.place.line
    else { return nil }
    return "{\(key.escaped)}"
  }

  /// Returns the text to write instead of a number with another toolkit's unit; nil for anything else.
  func unitAdvice(in range: NumberRange?) -> String? {
    guard case .text(let text) = scalar else { return nil }
    if text.hasSuffix("%"), let percent = Double(text.dropLast()), percent.isFinite {
      guard let range, range.upper > 1 else { return "write \((percent / 100).numeral)" }
      return "nothing is in per cent; a stack shares its room among its views: kind: stack, "
        + "distribution: fill_equally"
    }
    let units = ["px", "pt", "dp", "rem", "em", "ms", "s", "deg", "°", "min", "h"]
    guard let unit = units.first(where: text.hasSuffix) else { return nil }
    let digits = text.dropLast(unit.count)
    guard let number = Double(digits.hasSuffix(" ") ? digits.dropLast() : digits), number.isFinite else {
      return nil
    }
    let seconds: Double
    switch unit {
    case "ms": seconds = number / 1000
    case "min": seconds = number * 60
    case "h": seconds = number * 3600
    default: return "leave out the unit: \(number.numeral)"
    }
    return "write \(seconds.numeral), in seconds"
  }
}
