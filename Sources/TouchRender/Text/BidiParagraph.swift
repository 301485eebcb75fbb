import CFribidi
import TouchSystem

/// The visual order of a paragraph's characters if some of them run left to right and some right to left. It
/// follows Unicode's bidirectional algorithm (annex 9), by FriBidi. Directions follow from the whole
/// paragraph, and each line is reordered by itself.
struct BidiParagraph {
  /// Grapheme clusters, each with its code points.
  typealias Characters = ArraySlice<[UInt32]>

  private let functions: touchtree_fribidi
  private let scalars: [UInt32]
  /// The index in `scalars` at which each character begins, followed by the end of the last one.
  private let starts: [Int]
  private let first: Int
  private let types: [FriBidiCharType]
  private let levels: [FriBidiLevel]
  private let direction: FriBidiParType

  /// Orders a paragraph's characters, without line feeds; nil if all run left to right. It throws
  /// `MissingLibrary` without FriBidi.
  init?(_ characters: Characters) throws(MissingLibrary) {
    guard characters.contains(where: { $0.contains(where: Self.mayRunLeft) }) else { return nil }
    functions = try BidiLibrary.shared.get().functions
    scalars = Array(characters.joined())
    first = characters.startIndex
    starts = characters.reduce(into: [0]) { starts, character in
      starts.append(starts[starts.count - 1] + character.count)
    }
    let count = FriBidiStrIndex(scalars.count)
    var types = Array(repeating: FRIBIDI_TYPE_ON, count: scalars.count)
    functions.get_bidi_types(scalars, count, &types)
    Self.limitDepth(&types)
    var brackets = [FriBidiBracketType](repeating: 0, count: scalars.count)
    functions.get_bracket_types(scalars, count, types, &brackets)
    var levels = [FriBidiLevel](repeating: 0, count: scalars.count)
    var direction = FRIBIDI_PAR_ON
    // Zero levels mean that there is no memory.
    guard functions.get_par_embedding_levels(types, brackets, count, &direction, &levels) > 0 else {
      return nil
    }
    self.types = types
    self.levels = levels
    self.direction = direction
  }

  /// The deepest nesting. Annex 9 has 125 levels, and each nested embedding takes at most two.
  private static let deepest = 60

  /// Limits the nesting of embeddings and isolates: beyond it, FriBidi 1.0.8 writes outside its tables.
  private static func limitDepth(_ types: inout [FriBidiCharType]) {
    let marks = UInt32(FRIBIDI_MASK_EXPLICIT | FRIBIDI_MASK_ISOLATE)
    var areIsolates: [Bool] = []
    for index in types.indices where types[index].rawValue & marks != 0 {
      switch types[index] {
      case _ where areIsolates.count > deepest: break
      case FRIBIDI_TYPE_PDF: if areIsolates.last == false { areIsolates.removeLast() }
      case FRIBIDI_TYPE_PDI:
        if let last = areIsolates.lastIndex(of: true) { areIsolates.removeSubrange(last...) }
      case let type: areIsolates.append(type.rawValue & UInt32(FRIBIDI_MASK_ISOLATE) != 0)
      }
      if areIsolates.count > deepest { types[index] = FRIBIDI_TYPE_BN }
    }
  }

  /// Returns the runs of a line of the paragraph's characters, from left to right, with a text at its end.
  func runs(of line: Characters, _ end: [UInt32]) -> [TextRun] {
    let range = starts[line.startIndex - first]..<starts[line.endIndex - first]
    var scalars = Array(scalars[range]) + end
    let types = Array(types[range]) + Array(repeating: FRIBIDI_TYPE_ON, count: end.count)
    let endLevel: FriBidiLevel = direction == FRIBIDI_PAR_RTL ? 1 : 0
    var levels = Array(levels[range]) + Array(repeating: endLevel, count: end.count)
    let count = FriBidiStrIndex(scalars.count)
    var order = (0..<scalars.count).map(FriBidiStrIndex.init)
    guard functions.reorder_line(0, types, count, 0, direction, &levels, nil, &order) > 0 else {
      return [TextRun(scalars: scalars)]
    }
    functions.shape_mirroring(levels, count, &scalars)
    return Self.runs(scalars, levels, order.map(Int.init))
  }

  /// Splits a line, in the order from left to right, into runs of one direction, adjacent in both orders.
  private static func runs(_ scalars: [UInt32], _ levels: [FriBidiLevel], _ order: [Int]) -> [TextRun] {
    var runs: [TextRun] = []
    var start = 0
    while start < order.count {
      let isTurned = runsLeft(levels[order[start]])
      let step = isTurned ? -1 : 1
      var end = start + 1
      while end < order.count, order[end] == order[end - 1] + step, runsLeft(levels[order[end]]) == isTurned {
        end += 1
      }
      let (one, other) = (order[start], order[end - 1])
      runs.append(
        TextRun(
          scalars: Array(scalars[min(one, other)...max(one, other)]),
          direction: isTurned ? .rightToLeft : .leftToRight, start: min(one, other)))
      start = end
    }
    return runs
  }

  private static func runsLeft(_ level: FriBidiLevel) -> Bool { level % 2 == 1 }

  /// Returns whether a character may change the visual order. (Defaults of Unicode's `DerivedBidiClass.txt`)
  static func mayRunLeft(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfefe, 0x10800...0x10fff, 0x1e800...0x1efff: true
    // RLM, RLE, RLO, RLI.
    case 0x200f, 0x202b, 0x202e, 0x2067: true
    default: false
    }
  }
}

struct TextRun: Equatable {
  enum Direction { case leftToRight, rightToLeft }

  /// The code points in reading order. Brackets and other pairs are mirrored in right-to-left runs.
  var scalars: [UInt32]
  /// The direction; nil for the direction of each word's script.
  var direction: Direction? = nil
  /// The place of the first character in the line, in reading order.
  var start = 0
}
