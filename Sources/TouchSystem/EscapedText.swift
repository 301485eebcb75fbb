extension String {
  /// The text for one line of a message: shortened, control characters escaped.
  package var escaped: String { escaped(upTo: 40) }

  /// The whole text on one line, for the log and messages: names from devices, recordings and clients may
  /// contain escape sequences, or a line feed and a line of their own.
  package var onOneLine: String { escaped(upTo: .max) }

  /// The same as `escaped`, with another length in characters.
  package func escaped(upTo longest: Int) -> String {
    // Most texts are short and plain, and are returned as they are.
    if utf8.count <= longest && isVisibleASCII { return self }
    var shown = ""
    for (index, scalar) in unicodeScalars.enumerated() {
      if index == longest { return shown + "..." }
      if scalar.isShown {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += scalar.escaped(asASCII: true)
      }
    }
    return shown
  }

  /// Returns the text, without its middle if it is long: fault and advice are at the ends.
  package func shortened(toBytes longest: Int) -> String {
    guard utf8.count > longest else { return self }
    let kept = longest - Self.gap.utf8.count
    let (head, tail) = (kept * 3 / 4, kept / 4)
    // A character that is cut in two is removed.
    return String(decoding: utf8.prefix(head), as: UTF8.self).trimmingBroken + Self.gap
      + String(decoding: utf8.suffix(tail), as: UTF8.self).trimmingBroken
  }

  private static let gap = " [...] "

  /// The text without the replacement characters that a cut leaves at its ends.
  private var trimmingBroken: String {
    var text = unicodeScalars[...]
    while text.first == "\u{fffd}" { text.removeFirst() }
    while text.last == "\u{fffd}" { text.removeLast() }
    return String(text)
  }

  /// Reads contiguous memory, because iterating a string's own bytes takes longer.
  private var isVisibleASCII: Bool {
    utf8.withContiguousStorageIfAvailable { $0.allSatisfy { (0x20..<0x7f).contains($0) } } ?? false
  }

  /// The text as a YAML scalar in double quotes. (YAML 1.2.2, 5.7 and 7.3.1: escapes are whole characters)
  package var inYAMLQuotes: String {
    var quoted = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.isShown: quoted.unicodeScalars.append(scalar)
      case "\0"..."\u{ffff}": quoted += "\\u" + scalar.value.hex(digits: 4)
      default: quoted += "\\U" + scalar.value.hex(digits: 8)
      }
    }
    return quoted + "\""
  }
}

extension FixedWidthInteger {
  /// Returns the number in base 16, padded with zeros.
  package func hex(digits: Int) -> String {
    let text = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }
}

extension Unicode.Scalar {
  /// Whether it is a visible character: no control (C0, DEL, C1), no line end (U+2028, U+2029), no change of
  /// order (U+202A to U+202E, U+2066 to U+2069), unassigned or private.
  package var isShown: Bool {
    // Most of a line is ASCII, and Unicode's tables are slow.
    if (0x20..<0x7f).contains(value) { return true }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
    default: true
    }
  }
}
