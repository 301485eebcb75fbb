/// The order in which the characters of a line are seen, where some run to the right and some to the left.
///
/// Unicode's bidirectional algorithm (annex 9); its explicit embeddings, overrides and isolates are not followed.
struct BidiLine {
  enum Direction { case leftToRight, rightToLeft }

  /// Characters that run one way.
  struct Run: Equatable {
    /// As they are read.
    var range: Range<Int>
    var direction: Direction
  }

  /// From left to right.
  let runs: [Run]

  /// - Parameter base: the paragraph's direction.
  init(_ scalars: [UInt32], base: Direction, _ library: TextLibrary) {
    guard base == .rightToLeft || Self.mayRunLeft(scalars) else {
      runs = [Run(range: 0..<scalars.count, direction: .leftToRight)]
      return
    }
    let original = scalars.map { BidiClass($0, library) }
    var classes = original
    Self.resolveMarksAndNumbers(&classes, base)
    Self.resolveBrackets(&classes, scalars, base)
    Self.resolveNeutrals(&classes, base)
    runs = Self.order(Self.levels(classes, original, base))
  }

  /// The direction of a paragraph: that of its first letter. (P2, P3.)
  static func direction(of scalars: some Sequence<UInt32>, _ library: TextLibrary) -> Direction {
    for scalar in scalars where scalar > 0x40 {
      switch BidiClass(scalar, library) {
      case .left: return .leftToRight
      case .right, .arabicLetter: return .rightToLeft
      default: continue
      }
    }
    return .leftToRight
  }

  /// The first script that runs to the left is Hebrew.
  private static func mayRunLeft(_ scalars: [UInt32]) -> Bool { scalars.contains { $0 >= 0x590 } }

  // MARK: Weak characters

  /// W1 to W7.
  private static func resolveMarksAndNumbers(_ classes: inout [BidiClass], _ base: Direction) {
    let start: BidiClass = base == .leftToRight ? .left : .right
    var previous = start
    for index in classes.indices {
      if classes[index] == .mark { classes[index] = previous }
      previous = classes[index]
    }
    var letter = start
    for index in classes.indices {
      switch classes[index] {
      case .left, .right, .arabicLetter: letter = classes[index]
      case .europeanNumber where letter == .arabicLetter: classes[index] = .arabicNumber
      default: break
      }
    }
    resolveSeparators(&classes)
    letter = start
    for index in classes.indices {
      switch classes[index] {
      case .left: letter = .left
      case .right, .arabicLetter:
        classes[index] = .right
        letter = .right
      case .europeanNumber where letter == .left: classes[index] = .left
      case .numberSeparator, .numberTerminator, .commonSeparator: classes[index] = .neutral
      default: break
      }
    }
  }

  /// W4 and W5: "1,5", "1+2", "$5", "5 %".
  private static func resolveSeparators(_ classes: inout [BidiClass]) {
    for index in classes.indices.dropFirst().dropLast() where classes[index - 1] == classes[index + 1] {
      switch (classes[index], classes[index - 1]) {
      case (.numberSeparator, .europeanNumber), (.commonSeparator, .europeanNumber),
        (.commonSeparator, .arabicNumber):
        classes[index] = classes[index - 1]
      default: break
      }
    }
    for index in classes.indices.dropFirst() where classes[index] == .numberTerminator {
      if classes[index - 1] == .europeanNumber { classes[index] = .europeanNumber }
    }
    for index in classes.indices.dropLast().reversed() where classes[index] == .numberTerminator {
      if classes[index + 1] == .europeanNumber { classes[index] = .europeanNumber }
    }
  }

  // MARK: Neutral characters

  /// N0: both brackets go with the paragraph if something in them does, else with what stands before them.
  private static func resolveBrackets(_ classes: inout [BidiClass], _ scalars: [UInt32], _ base: Direction) {
    var open: [(closing: UInt32, index: Int)] = []
    var pairs: [(Int, Int)] = []
    for index in scalars.indices where classes[index] == .neutral {
      if let closing = Bracket.closing(scalars[index]) {
        open.append((closing, index))
      } else if let last = open.lastIndex(where: { $0.closing == scalars[index] }) {
        pairs.append((open[last].index, index))
        open.removeSubrange(last...)
      }
    }
    for (first, last) in pairs.sorted(by: { $0.0 < $1.0 }) {
      let inside = classes[first + 1..<last].compactMap(\.side)
      guard !inside.isEmpty else { continue }
      let before = classes[..<first].last { $0.side != nil }?.side ?? base
      let side = inside.contains(base) ? base : before != base ? before : base
      (classes[first], classes[last]) = (side.letter, side.letter)
    }
  }

  /// N1 and N2: with the letters on both sides if they agree, else with the paragraph.
  private static func resolveNeutrals(_ classes: inout [BidiClass], _ base: Direction) {
    var index = 0
    while index < classes.count {
      guard classes[index].isNeutral else {
        index += 1
        continue
      }
      let end = classes[index...].firstIndex { !$0.isNeutral } ?? classes.count
      let before = index > 0 ? classes[index - 1].side : base
      let after = end < classes.count ? classes[end].side : base
      let side = before == after ? before ?? base : base
      for neutral in index..<end { classes[neutral] = side.letter }
      index = end
    }
  }

  // MARK: Order

  /// I1, I2 and L1.
  private static func levels(_ classes: [BidiClass], _ original: [BidiClass], _ base: Direction) -> [Int] {
    var levels = classes.map { kind in
      switch (base, kind) {
      case (.leftToRight, .right), (.rightToLeft, .right): 1
      case (.leftToRight, .left): 0
      default: 2
      }
    }
    for index in levels.indices.reversed() {
      guard original[index] == .space else { break }
      levels[index] = base == .leftToRight ? 0 : 1
    }
    return levels
  }

  /// L2: what runs to the left is turned round, and what in it runs to the right turned back.
  private static func order(_ levels: [Int]) -> [Run] {
    var runs: [(run: Run, level: Int)] = []
    for (index, level) in levels.enumerated() {
      if let last = runs.indices.last, runs[last].level == level {
        runs[last].run.range = runs[last].run.range.lowerBound..<index + 1
      } else {
        let direction: Direction = level == 1 ? .rightToLeft : .leftToRight
        runs.append((Run(range: index..<index + 1, direction: direction), level))
      }
    }
    var index = 0
    while index < runs.count {
      let end = runs[index...].firstIndex { $0.level == 0 } ?? runs.count
      runs[index..<end].reverse()
      index = end + 1
    }
    return runs.map(\.run)
  }
}

extension BidiLine.Direction {
  fileprivate var letter: BidiClass { self == .leftToRight ? .left : .right }
}
