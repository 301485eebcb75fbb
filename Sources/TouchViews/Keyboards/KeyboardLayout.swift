/// The keys of a keyboard on the screen: rows of keys, on up to three pages.
///
/// A row is written as its keys with spaces between them: `shift y x c v b n m delete`. The
/// words in `words` are keys that do something. Any other word is a text that the key types.
public struct KeyboardLayout: Hashable, Sendable {
  /// The rows that are seen at a time.
  public enum Page: String, CaseIterable, Sendable {
    /// The first page.
    case letters
    /// Digits and signs.
    case symbols
    /// More signs.
    case more
  }

  /// The action of a key.
  public enum Role: Hashable, Sendable {
    /// Types a text.
    case text(String)
    /// Makes the next letter a capital. A second tap locks capitals.
    case shift
    /// Deletes, repeatedly while it is held.
    case delete
    /// Types a space. A finger that moves on it moves the caret.
    case space
    /// Ends editing or goes on, as the field determines.
    case enter
    /// Shows another page.
    case page(Page)
    /// Ends editing.
    case hide
    /// Changes between the layout's letters and Latin ones. Keyboards add it to
    /// layouts without Latin letters.
    case script
    /// A gap without a key.
    case gap
  }

  /// A key.
  public struct Key: Hashable, Sendable {
    /// The action of the key.
    public var role: Role
    /// The text that the key types as a capital.
    public var shifted: String
    /// The other texts that the key types for a finger that stays on it and slides.
    public var variants: [String] = []
    /// The width, as a multiple of an ordinary key's.
    public var width: Double
    /// Whether the key takes the remaining room of its row.
    public var isFlexible: Bool
  }

  /// A row that cannot be read.
  public struct Problem: Error, Hashable, Sendable {
    /// The page of the row.
    public let page: Page
    /// The number of the row, counted from 0.
    public let row: Int
    /// The beginning of the key in the row, in bytes.
    public let offset: Int
    /// The mistake, and the correct form.
    public let message: String
  }

  /// The pages with their rows from top to bottom, and each row from left to right.
  public var pages: [Page: [[Key]]] = [:]
  /// The language of the layout, such as `de`; empty for none.
  public var language: String

  /// The words for keys that do something, in the order of the documents.
  public static let words = [
    "shift", "delete", "space", "return", "letters", "symbols", "more", "hide", "gap",
  ]

  /// - Parameters:
  ///   - language: the language of the letters, named as in `strings`; empty for none.
  ///   - rows: the page of letters.
  ///   - symbols: the page that `symbols` shows.
  ///   - more: the page that `more` shows.
  ///   - shifted: the capitals that differ from a letter's own, by the letter.
  ///   - variants: the variants with spaces between them, by the letter.
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

  /// Every letter that the layout can type, each once, in the order of the keys.
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

  /// Whether an address or a password can be typed: with no letters at all, or with some of a to z.
  package var isLatin: Bool {
    let letters = (pages[.letters] ?? []).joined().compactMap { key -> Character? in
      if case .text(let text) = key.role { text.first { $0.isLetter } } else { nil }
    }
    return letters.isEmpty || letters.contains { $0.isASCII }
  }

  /// The text on the key that leads to these letters: the first ones of the middle row.
  package var sample: String {
    let rows = pages[.letters] ?? []
    let texts = rows.dropFirst().first?.compactMap { key -> String? in
      if case .text(let text) = key.role { text } else { nil }
    }
    return (texts ?? []).prefix(3).joined()
  }

  private struct WrongWord: Error { let message: String }

  /// Reads a key: `a`, `shift`, or with a width `shift*1.5`.
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

  /// Returns the letter's own capital if that is one letter; else the letter.
  static func capital(of text: String) -> String {
    let capital = text.uppercased()
    return capital.count == 1 && text.count == 1 ? capital : text
  }

  /// The digits and signs of a layout without its own.
  public static let standardSymbols = [
    "1 2 3 4 5 6 7 8 9 0", "@ # € _ & - + ( ) /", "more * \" ' : ; ! ? delete", "letters , space . return",
  ]
  /// The further signs of a layout without its own.
  public static let standardMore = [
    "~ ` | • √ π ÷ × § °", "£ $ ¥ ^ = { } \\ < >", "symbols % © ® « » [ ] delete", "letters , space . return",
  ]
}
