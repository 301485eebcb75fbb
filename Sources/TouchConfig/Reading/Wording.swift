import TouchCore

// The pieces of which messages are made.

extension String {
  /// Whether a C program would read only a part of it.
  var hasNUL: Bool { unicodeScalars.contains("\0") }
}

extension Sequence<String> {
  /// "a", "a and b", "a, b and c".
  func joined(lastWith word: String) -> String {
    let all = Array(self)
    guard all.count > 1, let last = all.last else { return all.first ?? "" }
    return all.dropLast().joined(separator: ", ") + " \(word) " + last
  }
}

extension Double {
  /// The number as a person writes it: 10000000, 0.5.
  var shown: String {
    guard self == rounded(), abs(self) < 1e15 else { return String(self) }
    return String(Int(self))
  }
}

extension YAMLNode {
  /// What stands there, as the object of "is".
  var shown: String {
    switch scalar {
    case nil: items == nil ? "a mapping" : "a list"
    case .null: "null"
    case .text(let text): "the text \"\(text.escaped)\""
    case .bool, .integer, .number: (text ?? "").escaped
    }
  }
}
