/// The keys of a keyboard on the screen: rows of keys, on up to three pages.
///
/// A row is written as its keys with spaces between them: `shift y x c v b n m delete`. What is not the word for a key that does
/// something is a text that the key types.
public struct KeyboardLayout: Hashable, Sendable {
  /// The rows that are seen at a time.
  public enum Page: String, CaseIterable, Sendable {
    /// The one that comes up first.
    case letters
    /// Digits and signs.
    case symbols
    /// More signs.
    case more
  }

  /// What a key does.
  public enum Role: Hashable, Sendable {
    /// Types a text.
    case text(String)
    /// Makes the next letter a capital, and locks that with a second tap.
    case shift
    /// Deletes, again and again while it is held.
    case delete
    /// Types a space; a finger that moves on it moves the caret.
    case space
    /// What the field says: ends editing, or goes on.
    case enter
    /// Shows another page.
    case page(Page)
    /// Ends editing.
    case hide
    /// Changes between the letters of a layout and Latin ones. A keyboard adds it where the layout has no Latin letters.
    case script
    /// Nothing is there.
    case gap
  }

  /// A key.
  public struct Key: Hashable, Sendable {
    /// What it does.
    public var role: Role
    /// What it types as a capital.
    public var shifted: String
    /// What it types where a finger stays on it and slides, beside its own text.
    public var variants: [String] = []
    /// As a multiple of an ordinary key.
    public var width: Double
    /// Whether it takes the room that its row has left.
    public var isFlexible: Bool
  }

  /// A row that cannot be read.
  public struct Problem: Error, Hashable, Sendable {
    /// Of which page.
    public let page: Page
    /// Counted from 0.
    public let row: Int
    /// Where in the row the key begins, in bytes.
    public let offset: Int
    /// What is wrong, and what to write.
    public let message: String
  }

  /// From top to bottom, and each row from left to right.
  public var pages: [Page: [[Key]]] = [:]
  /// The language that it is for, such as `de`; empty for none.
  public var language: String

  /// The words for keys that do something, in the order of the documents.
  public static let words = [
    "shift", "delete", "space", "return", "letters", "symbols", "more", "hide", "gap",
  ]

  /// - Parameters:
  ///   - language: whose letters these are, as `strings` name languages; empty for none.
  ///   - rows: the page of letters.
  ///   - symbols: the page that `symbols` shows.
  ///   - more: the page that `more` shows.
  ///   - shifted: capitals that are not the letter's own, by the letter.
  ///   - variants: by the letter, with spaces between them.
  public init(
    language: String = "", rows: [String], symbols: [String] = standardSymbols, more: [String] = standardMore,
    shifted: [String: String] = [:], variants: [String: String] = [:]
  ) throws(Problem) {
    self.language = language
    for (page, rows) in [(Page.letters, rows), (.symbols, symbols), (.more, more)] {
      var keys: [[Key]] = []
      for (number, row) in rows.enumerated() {
        var read: [Key] = []
        for word in row.split(separator: " ") {
          switch Self.key(String(word), shifted, variants) {
          case .success(let key): read.append(key)
          case .failure(let problem):
            throw Problem(
              page: page, row: number, offset: row.utf8.distance(from: row.startIndex, to: word.startIndex),
              message: problem.message)
          }
        }
        if read.isEmpty {
          throw Problem(
            page: page, row: number, offset: 0, message: "a row has no keys; write some, or remove it")
        }
        keys.append(read)
      }
      pages[page] = keys
    }
  }

  /// Every letter that it can type, each once, in the order of its keys.
  package var letters: [Character] {
    var (letters, known): ([Character], Set<Character>) = ([], [])
    for key in Page.allCases.flatMap({ pages[$0] ?? [] }).joined() {
      guard case .text(let text) = key.role else { continue }
      for text in [text, key.shifted] + key.variants + key.variants.map(Self.capital) {
        for letter in text where known.insert(letter).inserted { letters.append(letter) }
      }
    }
    return letters
  }

  /// Whether an address or a password can be typed with its letters: none of them, or at least some of a to z.
  package var isLatin: Bool {
    let letters = (pages[.letters] ?? []).joined().compactMap { key -> Character? in
      if case .text(let text) = key.role { text.first { $0.isLetter } } else { nil }
    }
    return letters.isEmpty || letters.contains { $0.isASCII }
  }

  /// What stands on the key that leads to its letters: the first ones of the middle row.
  package var sample: String {
    let rows = pages[.letters] ?? []
    let texts = rows.dropFirst().first?.compactMap { key -> String? in
      if case .text(let text) = key.role { text } else { nil }
    }
    return (texts ?? []).prefix(3).joined()
  }

  private struct WrongWord: Error { let message: String }

  /// `a`, `shift`, or with a width `shift*1.5`.
  private static func key(
    _ word: String, _ shifted: [String: String], _ variants: [String: String]
  ) -> Result<Key, WrongWord> {
    var (name, width): (Substring, Double?) = (word[...], nil)
    if word.count > 2, let star = word.lastIndex(of: "*"), star > word.startIndex {
      guard let number = Double(word[word.index(after: star)...]), (0.25...20).contains(number) else {
        return .failure(
          WrongWord(message: "the width of the key \(word) is no number from 0.25 to 20; write shift*1.5"))
      }
      (name, width) = (word[..<star], number)
    }
    let role: Role
    var (standard, isFlexible) = (1.0, false)
    switch name {
    case "shift": (role, standard, isFlexible) = (.shift, 1.5, true)
    case "delete": (role, standard, isFlexible) = (.delete, 1.5, true)
    case "space": (role, standard, isFlexible) = (.space, 4, true)
    case "return": (role, standard) = (.enter, 2)
    case "letters": (role, standard) = (.page(.letters), 1.5)
    case "symbols": (role, standard) = (.page(.symbols), 1.5)
    case "more": (role, standard, isFlexible) = (.page(.more), 1.5, true)
    case "hide": role = .hide
    case "gap": role = .gap
    default:
      if name.count > 1, name.allSatisfy({ $0.isASCII && $0.isLowercase }) {
        let nearest = Suggestion.nearest(to: String(name), among: words)
        return .failure(
          WrongWord(
            message: "no key is called \(name); "
              + (nearest.map { "did you mean \($0)?" } ?? "write letters with spaces between them, or one of "
                + words.joined(separator: ", "))))
      }
      if name.count > 8 {
        return .failure(
          WrongWord(message: "the key \(name) types more than 8 letters; write spaces between keys"))
      }
      role = .text(String(name))
    }
    let text = String(name)
    return .success(
      Key(
        role: role, shifted: shifted[text] ?? capital(of: text),
        variants: (variants[text] ?? "").split(separator: " ").map(String.init), width: width ?? standard,
        isFlexible: isFlexible && width == nil))
  }

  /// The letter's own capital, if that is one letter; else the letter.
  static func capital(of text: String) -> String {
    let capital = text.uppercased()
    return capital.count == 1 && text.count == 1 ? capital : text
  }

  /// Digits and signs, where a layout has none of its own.
  public static let standardSymbols = [
    "1 2 3 4 5 6 7 8 9 0", "@ # € _ & - + ( ) /", "more * \" ' : ; ! ? delete", "letters , space . return",
  ]
  /// More signs.
  public static let standardMore = [
    "~ ` | • √ π ÷ × § °", "£ $ ¥ ^ = { } \\ < >", "symbols % © ® « » [ ] delete", "letters , space . return",
  ]
}
