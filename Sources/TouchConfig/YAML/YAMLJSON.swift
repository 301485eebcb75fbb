extension YAMLNode {
  /// The node as compact JSON, keys in the file's order.
  ///
  /// - Parameter refuse: told of numbers that JSON has no form for; they are written as null.
  func json(refuse: (YAMLNode) -> Void) -> String {
    var json = ""
    // A stack of what is still to be written, so that depth costs no recursion.
    var rest: [Step] = [.node(self)]
    while let step = rest.popLast() {
      switch step {
      case .text(let text): json += text
      case .key(let key):
        json.append(jsonString: key)
        json += ":"
      case .node(let node):
        if let items = node.items {
          json += "["
          rest.append(.text("]"))
          for (index, item) in items.enumerated().reversed() {
            rest.append(.node(item))
            if index > 0 { rest.append(.text(",")) }
          }
        } else if let entries = node.entries {
          json += "{"
          rest.append(.text("}"))
          for (index, entry) in entries.enumerated().reversed() {
            rest += [.node(entry.value), .key(entry.key.text ?? "")]
            if index > 0 { rest.append(.text(",")) }
          }
        } else {
          json.append(jsonScalar: node, refuse: refuse)
        }
      }
    }
    return json
  }

  private enum Step {
    case text(String)
    case key(String)
    case node(YAMLNode)
  }
}

extension String {
  fileprivate mutating func append(jsonScalar node: YAMLNode, refuse: (YAMLNode) -> Void) {
    switch node.scalar {
    case .null, nil: self += "null"
    case .bool(let bool): self += bool ? "true" : "false"
    case .integer(let integer): self += String(integer)
    case .number(let number) where number.isFinite: self += String(number)
    case .number:
      refuse(node)
      self += "null"
    case .text(let text): append(jsonString: text)
    }
  }

  /// (RFC 8259, 7.)
  fileprivate mutating func append(jsonString text: String) {
    self += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": self += "\\\""
      case "\\": self += "\\\\"
      case "\n": self += "\\n"
      case "\r": self += "\\r"
      case "\t": self += "\\t"
      case "\u{0}"..<"\u{20}":
        self += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: unicodeScalars.append(scalar)
      }
    }
    self += "\""
  }
}
