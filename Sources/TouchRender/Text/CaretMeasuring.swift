import CFcft
import TouchViews

extension ContentMeasurer {
  /// Returns the places of letters in a line at the style's size, in units; nil without a font.
  package func carets(of text: String, _ style: TextStyle) -> CaretPlaces? {
    guard style.size.isFinite, style.size > 0 else { return nil }
    let layoutSize = style.layoutSize(for: text)
    guard
      let font = cache.font(
        TextCache.FontKey(family: style.family, pixelSize: layoutSize, weight: style.weight))
    else { return nil }
    defer { font.forgetWords() }
    var line = MeasuredLine(
      text.prefix(LineBreaker.longestText).map { LineBreaker.scalars(of: $0, keepsBreaks: false) })
    line.measure(font)
    return line.places(scale: style.size / layoutSize)
  }
}

/// The letters of a line with their places, in pixels of the font.
private struct MeasuredLine {
  private let letters: [[UInt32]]
  private let owners: [Int]
  /// The span of each letter's glyphs; nil for a letter drawn together with the one before.
  private var spans: [(left: Int, right: Int)?]
  private var runsLeft: [Bool]
  private var width = 0

  init(_ letters: [[UInt32]]) {
    self.letters = letters
    owners = letters.indices.flatMap { index in letters[index].map { _ in index } }
    spans = Array(repeating: nil, count: letters.count)
    runsLeft = Array(repeating: false, count: letters.count)
  }

  mutating func measure(_ font: Font) {
    guard !owners.isEmpty else { return }
    // Without FriBidi, letters are painted from left to right.
    let order = try? BidiParagraph(letters[...])
    for run in order?.runs(of: letters[...], []) ?? [TextRun(scalars: Array(letters.joined()))] {
      let isTurned = run.direction == .rightToLeft
      var words: [(word: [UInt32], start: Int)] = []
      var start = run.start
      for word in run.words {
        words.append((word, start))
        start += word.count
      }
      for (word, start) in isTurned ? words.reversed() : words {
        for (place, advance) in font.advances(of: word, in: run.direction) {
          let owner = owners[min(start + place, owners.count - 1)]
          let span = spans[owner] ?? (width, width)
          width += advance
          spans[owner] = (min(span.left, width - advance), max(span.right, width))
          runsLeft[owner] = isTurned
        }
      }
    }
  }

  func places(scale: Double) -> CaretPlaces {
    var (carets, edges): ([Double], [ClosedRange<Double>]) = ([], [])
    var index = 0
    while index < letters.count {
      // A ligature is one glyph. Its letters share it evenly.
      var end = index + 1
      while end < letters.count, spans[end] == nil { end += 1 }
      let (span, isTurned) = (spans[index] ?? (width, width), runsLeft[index])
      let share = Double(span.right - span.left) / Double(end - index)
      for part in 0..<(end - index) {
        let from = Double(span.left) + Double(isTurned ? end - index - 1 - part : part) * share
        edges.append(from * scale...(from + share) * scale)
        carets.append((isTurned ? from + share : from) * scale)
      }
      index = end
    }
    if let last = edges.last {
      carets.append(runsLeft[letters.count - 1] ? last.lowerBound : last.upperBound)
    } else {
      carets.append(0)
    }
    return CaretPlaces(carets: carets, letters: edges, width: Double(width) * scale)
  }
}
