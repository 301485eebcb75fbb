/// A text that is edited, of one line or several: its letters as people see them, with the selection.
///
/// A letter is a grapheme cluster, so that a caret stands neither in an emoji nor between a letter and its
/// accent.
struct TextBuffer {
  private(set) var letters: [Character] = []
  /// The selection, by the places between letters: 0 is before the first one. An empty one is the caret.
  var selection = 0..<0 { didSet { clampSelection() } }
  /// The most letters; nil for `standardLimit`.
  var limit: Int? { didSet { if letters.count > mostLetters { replace(with: String(letters)) } } }
  private var mostLetters: Int { limit ?? (hasLines ? Self.linesLimit : Self.standardLimit) }
  /// Whether it may have several lines.
  private let hasLines: Bool

  /// The most letters, as many as are laid out of any text.
  static let standardLimit = 4096
  /// The most letters of a text of several lines.
  static let linesLimit = 10_000

  init(hasLines: Bool = false) { self.hasLines = hasLines }

  var text: String { String(letters) }
  /// The place of the next letter, and the moving end of a growing selection.
  var caret: Int { selection.upperBound }

  /// Replaces the text. The caret is at its end.
  mutating func replace(with text: String) {
    letters = Array(allowed(text).prefix(mostLetters))
    selection = letters.count..<letters.count
  }

  /// Replaces the selection by a text, as much of it as the limit allows.
  ///
  /// - Returns: whether anything was typed.
  mutating func insert(_ text: String) -> Bool {
    var text = Array(allowed(text))
    guard !text.isEmpty else { return false }
    let (before, after) = (String(letters[..<selection.lowerBound]), String(letters[selection.upperBound...]))
    // What is far too long is cut once, and not letter by letter.
    let most = mostLetters - (letters.count - selection.count) + Self.mostJoined
    if text.count > most { text.removeLast(text.count - max(0, most)) }
    while true {
      let start = before + String(text)
      // An accent joins the letter before it, so letters are counted afterwards.
      let joined = Array(start + after)
      if joined.count > mostLetters, !text.isEmpty {
        text.removeLast()
        continue
      }
      // The same letter over a selected one is typed all the same: the caret goes behind it.
      guard joined != letters || !selection.isEmpty else { return false }
      letters = joined
      let caret = min(start.count, joined.count)
      selection = caret..<caret
      return true
    }
  }

  /// More letters than disappear when a text is put between two others, since its first and its last ones
  /// join what is beside them: two at each end, and one where flags pair up in another way. (Unicode Standard
  /// Annex 29, rules GB9c, GB11 and GB12.)
  private static let mostJoined = 8

  /// Deletes the selection, or the letter before the caret.
  ///
  /// - Returns: whether there was any.
  mutating func deleteBackward() -> Bool {
    var range = selection
    if range.isEmpty {
      guard range.lowerBound > 0 else { return false }
      range = range.lowerBound - 1..<range.lowerBound
    }
    return delete(range)
  }

  /// Deletes the selection, or the letter after the caret.
  ///
  /// - Returns: whether there was any.
  mutating func deleteForward() -> Bool {
    var range = selection
    if range.isEmpty {
      guard range.lowerBound < letters.count else { return false }
      range = range.lowerBound..<range.lowerBound + 1
    }
    return delete(range)
  }

  private mutating func delete(_ range: Range<Int>) -> Bool {
    // What is left may join: a mark that stood alone.
    let start = String(letters[..<range.lowerBound])
    letters = Array(start + String(letters[range.upperBound...]))
    let caret = min(start.count, letters.count)
    selection = caret..<caret
    return true
  }

  /// The word at a place, or the spaces between two words. (What a double tap selects: Apple's documents do
  /// not say how words are found; here letters and digits are a word, and so is each run of anything else.)
  func word(at place: Int) -> Range<Int> {
    guard !letters.isEmpty else { return 0..<0 }
    let index = min(place, letters.count - 1)
    let sort = Self.sort(of: letters[index])
    var (start, end) = (index, index + 1)
    while start > 0, Self.sort(of: letters[start - 1]) == sort { start -= 1 }
    while end < letters.count, Self.sort(of: letters[end]) == sort { end += 1 }
    return start..<end
  }

  private static func sort(of letter: Character) -> Int {
    letter.isLetter || letter.isNumber || letter == "_" ? 0 : letter.isWhitespace ? 1 : 2
  }

  /// Returns a text without controls: a line has no line feeds, and lines are parted by plain ones.
  private func allowed(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return text
    }
    var allowed = String.UnicodeScalarView()
    for letter in text {
      if hasLines, letter.isNewline {
        allowed.append("\n")
        continue
      }
      for scalar in letter.unicodeScalars where scalar.properties.generalCategory != .control {
        allowed.append(scalar)
      }
    }
    return String(allowed)
  }

  private mutating func clampSelection() {
    let range = selection.clamped(to: 0..<letters.count)
    let count = letters.count
    let kept = selection.isEmpty && selection.lowerBound >= count ? count..<count : range
    if kept != selection { selection = kept }
  }
}

/// The places of a line's letters, from the left end of the line.
public struct CaretPlaces: Hashable, Sendable {
  /// A place for the caret before each letter, and after the last one, in units. Where scripts of both
  /// directions meet, a caret stands at the edge of the letter that it is before.
  public var carets: [Double]
  /// The span of each letter, in units.
  public var letters: [ClosedRange<Double>]
  /// The width of the whole line, in units.
  public var width: Double

  /// There is one more caret than letters.
  public init(carets: [Double], letters: [ClosedRange<Double>], width: Double) {
    (self.carets, self.letters, self.width) = (carets, letters, width)
  }

  /// Makes places of equally wide letters, for a window that cannot measure.
  init(even count: Int, each width: Double) {
    carets = (0...count).map { Double($0) * width }
    letters = (0..<count).map { Double($0) * width...Double($0 + 1) * width }
    self.width = Double(count) * width
  }

  /// Whether the letters run from left to right in reading order.
  var runsRight: Bool {
    zip(letters, letters.dropFirst()).allSatisfy { $0.lowerBound <= $1.lowerBound }
  }

  /// Returns the place of the caret nearest to a point of the line.
  func caret(at x: Double) -> Int {
    var (best, distance) = (0, Double.infinity)
    for (place, caret) in carets.enumerated() where abs(caret - x) < distance {
      (best, distance) = (place, abs(caret - x))
    }
    return best
  }

  /// Returns the letter under a point of the line; nil beside all of them.
  func letter(at x: Double) -> Int? { letters.firstIndex { $0.contains(x) } }

  /// The place of the caret one step to the right of another one, or to the left; the same at the end. In a
  /// line that is read from right to left that is the letter before.
  func caret(beside place: Int, isRight: Bool) -> Int {
    let x = carets[place]
    let neighbors = [place + 1, place - 1].filter { carets.indices.contains($0) }
    return neighbors.first { isRight ? carets[$0] > x : carets[$0] < x } ?? place
  }
}
