import TouchPixels

/// Shows a picture in character cells of two pixels each.
///
/// The upper pixel has the colour of the letter ▀, the lower one that of its background, with 24 bits each.
struct HalfBlockEncoder {
  private let columns, rows: Int
  /// The cells on the terminal; nil if unknown.
  private var shown: [Cell?]

  private struct Cell: Equatable {
    var upper, lower: UInt32
  }

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    shown = Array(repeating: nil, count: columns * rows)
  }

  /// Writes the changed cells of a part, in pixels, of the picture.
  mutating func encode(_ surface: Surface, _ part: PixelRect, into output: inout [UInt8]) {
    // Unknown at first, because other programs may have set colours.
    var pen = Cell?.none
    for row in part.minY / 2..<min(rows, (part.maxY + 1) / 2) {
      var isHere = false
      for column in part.minX..<min(columns, part.maxX) {
        let pixel = surface.pixels + (row * 2 * surface.width + column)
        let cell = Cell(upper: pixel[0] & 0xff_ffff, lower: pixel[surface.width] & 0xff_ffff)
        guard shown[row * columns + column] != cell else {
          isHere = false
          continue
        }
        shown[row * columns + column] = cell
        if !isHere { output.append(moveToColumn: column, row: row) }
        isHere = true
        Self.write(cell, &pen, into: &output)
      }
    }
  }

  private static func write(_ cell: Cell, _ pen: inout Cell?, into output: inout [UInt8]) {
    let isPlain = cell.upper == cell.lower
    if pen?.lower != cell.lower { write("\u{1b}[48;2;", cell.lower, into: &output) }
    if !isPlain, pen?.upper != cell.upper || pen == nil { write("\u{1b}[38;2;", cell.upper, into: &output) }
    pen = Cell(upper: isPlain ? pen?.upper ?? Self.noColor : cell.upper, lower: cell.lower)
    if isPlain { output.append(UInt8(ascii: " ")) } else { output.append("▀") }
  }

  /// A value that no pixel has, because colours have 24 bits.
  private static let noColor = UInt32.max

  private static func write(_ start: StaticString, _ color: UInt32, into output: inout [UInt8]) {
    output.append(start)
    output.append(decimal: Int(color >> 16 & 255))
    output.append(UInt8(ascii: ";"))
    output.append(decimal: Int(color >> 8 & 255))
    output.append(UInt8(ascii: ";"))
    output.append(decimal: Int(color & 255))
    output.append(UInt8(ascii: "m"))
  }
}
