/// A command line for a shell, split into the words of a configuration's list.
package struct ShellWords {
  private let line: String

  package init(_ line: String) { self.line = line }

  /// The list to write: `[aplay, ding.wav]`, or one that starts a shell if the line needs one.
  package var list: String {
    let words = needsShell ? ["sh", "-c", line] : words
    return "[" + words.map(Self.yaml).joined(separator: ", ") + "]"
  }

  /// Whether the line needs a shell: it has a pipe, a redirection, or a second command.
  package var needsShell: Bool { unquoted.contains { "|<>&;".contains($0) } }

  /// Whether a word of a list is a shell's operator, and no argument of a program.
  package static func isOperator(_ word: String) -> Bool {
    ["|", ">", ">>", "<", "&&", "||", "&", "2>&1", "&>", "2>/dev/null", ">/dev/null"].contains(word)
  }

  /// Whether a program reads its arguments as a shell does, or may well have such words in them.
  package static func isShell(_ program: String) -> Bool {
    let name = program.split(separator: "/").last ?? ""
    return ["sh", "bash", "dash", "zsh", "ash", "busybox", "ssh", "expr", "test", "[", "echo"].contains(name)
  }

  private var unquoted: [Character] {
    var quote: Character?
    return line.filter { character in
      guard character == "\"" || character == "'" else { return quote == nil }
      if quote == nil { quote = character } else if quote == character { quote = nil }
      return false
    }.map { $0 }
  }

  /// The words between blanks, without quotes.
  package var words: [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      switch character {
      case quote: quote = nil
      case "\"" where quote == nil, "'" where quote == nil:
        quote = character
        word = word ?? ""
      case let blank where blank.isWhitespace && quote == nil:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  /// Returns a word for a flow list of YAML: in quotes unless it is plain.
  private static func yaml(_ word: String) -> String {
    let isPlain =
      word.first.map { $0.isLetter || $0 == "/" || $0 == "." } ?? false
      && word.allSatisfy { $0.isLetter || $0.isNumber || "/._-+=@%".contains($0) }
      || word.first == "-" && word.dropFirst().first.map { $0.isLetter || $0 == "-" } ?? false
        && word.allSatisfy { $0.isLetter || $0.isNumber || "._-=/".contains($0) }
    return isPlain && !["true", "false", "null", "yes", "no", "on", "off"].contains(word.lowercased())
      ? word : word.inYAMLQuotes
  }
}
