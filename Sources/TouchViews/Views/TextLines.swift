import TouchCore

/// A text broken into lines of a width, with the places of its letters.
struct TextLines {
  /// A line as it is shown.
  struct Line {
    /// The letters of the line, with the space or the line feed at its end.
    var range: Range<Int>
    /// The places of the letters from the left end of the line.
    var places: CaretPlaces
    /// Whether a line feed ends the line, or a break at the width does.
    var endsParagraph: Bool

    var left: Double { places.letters.map(\.lowerBound).min() ?? 0 }
    /// The last place of a caret in the line. A place at a break is at the beginning of the next line.
    var lastCaret: Int { endsParagraph ? range.upperBound : max(range.lowerBound, range.upperBound - 1) }

    /// The place of the caret nearest to a point.
    func caret(at x: Double) -> Int { min(range.lowerBound + places.caret(at: x), lastCaret) }

    /// The span of a selection in the line.
    func places(of selection: Range<Int>) -> ClosedRange<Double> {
      let part = selection.clamped(to: range)
      let start = places.carets[min(part.lowerBound - range.lowerBound, places.carets.count - 1)]
      let end = places.carets[min(part.upperBound - range.lowerBound, places.carets.count - 1)]
      return min(start, end)...max(start, end)
    }
  }

  private(set) var lines: [Line] = []
  /// The width in which they were broken, in units; negative for lines that are out of date.
  private(set) var width: Double
  /// The measured paragraphs, by their letters.
  private var measured: [String: CaretPlaces] = [:]
  private let style: TextStyle

  /// Breaks the text of a view into lines.
  ///
  /// - Parameters:
  ///   - width: the width of the text, in units.
  ///   - old: lines whose measured paragraphs are used again.
  init(of view: TextView, atWidth width: Double, reusing old: TextLines? = nil) {
    (self.width, style) = (width, view.textStyle)
    let known = old?.style == style ? old?.measured ?? [:] : [:]
    let letters = view.buffer.letters
    var start = 0
    while true {
      let end = letters[start...].firstIndex(of: "\n") ?? letters.count
      add(letters[start..<end]) { [style] letters in
        let text = String(letters)
        let places = known[text] ?? view.window?.caretMeasurer?(text, style)
        if let places, places.carets.count == letters.count + 1 { return places }
        return CaretPlaces(even: letters.count, each: style.size / 2)
      }
      guard end < letters.count else { break }
      start = end + 1
    }
  }

  /// The same, out of date.
  func outOfDate() -> TextLines {
    var lines = self
    lines.width = -1
    return lines
  }

  private mutating func add(
    _ letters: ArraySlice<Character>, _ measure: (ArraySlice<Character>) -> CaretPlaces
  ) {
    let places = measure(letters)
    measured[String(letters)] = places
    let (start, end) = (letters.startIndex, letters.endIndex)
    var first = start
    repeat {
      var (last, room) = (first, width)
      while last < end {
        let letter = places.letters[last - start]
        room -= letter.upperBound - letter.lowerBound
        if room < 0, last > first { break }
        last += 1
      }
      if last < end {
        // What does not fit goes on after the last space, or where it is cut. A space may hang over the edge.
        let space = letters[first..<last].lastIndex(where: \.isWhitespace)
        last = letters[last].isWhitespace ? last + 1 : space.map { $0 + 1 } ?? last
      }
      // Letters that run from right to left stand elsewhere in a line of their own.
      var part = places.runsRight ? places.part(first - start..<last - start) : measure(letters[first..<last])
      let free = max(0, width - part.width)
      switch style.alignment {
      case .left: break
      case .center: part.shift(by: (free / 2).rounded())
      case .right: part.shift(by: free.rounded())
      }
      lines.append(Line(range: first..<last, places: part, endsParagraph: last >= end))
      first = last
    } while first < end
  }

  /// The line of a place between two letters.
  func line(of caret: Int) -> Int {
    max(0, lines.indices.dropFirst().partition { lines[$0].range.lowerBound <= caret } - 1)
  }

  /// The line of a caret, and its place from the left end.
  func place(of caret: Int) -> (line: Int, x: Double) {
    let index = line(of: caret)
    let line = lines[index]
    return (
      index, line.places.carets[min(max(0, caret - line.range.lowerBound), line.places.carets.count - 1)]
    )
  }
}

extension CaretPlaces {
  /// The places of some of the letters, from the left end of the first one.
  fileprivate func part(_ range: Range<Int>) -> CaretPlaces {
    var part = CaretPlaces(
      carets: Array(carets[range.lowerBound...range.upperBound]), letters: Array(letters[range]), width: 0)
    part.width = (part.letters.last?.upperBound ?? 0) - (part.letters.first?.lowerBound ?? 0)
    part.shift(by: -carets[range.lowerBound])
    return part
  }

  fileprivate mutating func shift(by way: Double) {
    guard way != 0 else { return }
    carets = carets.map { $0 + way }
    letters = letters.map { $0.lowerBound + way...$0.upperBound + way }
  }
}
