import TouchPixels

/// Shows a picture with a terminal's own graphics, in tiles of whole cells. Only changed tiles are sent.
struct TileEncoder {
  enum Graphics { case kitty, sixel }

  private let graphics: Graphics
  /// The width and the height of a cell, in pixels.
  private let cellWidth: Int
  private let cellHeight, tilesInRow: Int
  /// The picture on the terminal, valid for known tiles.
  private let shown: Surface
  private var isKnown: [Bool]
  private let tile: Surface

  /// The size of a tile, in cells. A button's label takes a few tiles, a picture a few hundred.
  private static let columns = 8
  private static let rows = 4

  /// Makes an encoder for a picture whose sides in pixels are multiples of the cell's.
  init(_ graphics: Graphics, width: Int, height: Int, cellWidth: Int, cellHeight: Int) throws(DisplayError) {
    (self.graphics, self.cellWidth, self.cellHeight) = (graphics, cellWidth, cellHeight)
    shown = try Surface(width: width, height: height)
    tile = try Surface(width: cellWidth * Self.columns, height: cellHeight * Self.rows)
    tilesInRow = (width + tile.width - 1) / tile.width
    isKnown = Array(repeating: false, count: tilesInRow * ((height + tile.height - 1) / tile.height))
  }

  mutating func encode(_ surface: Surface, _ part: PixelRect, into output: inout [UInt8]) {
    for tileY in part.minY / tile.height..<(part.maxY + tile.height - 1) / tile.height {
      for tileX in part.minX / tile.width..<(part.maxX + tile.width - 1) / tile.width {
        let area = PixelRect(
          x: tileX * tile.width, y: tileY * tile.height, width: tile.width, height: tile.height
        ).intersection(surface.bounds)
        let index = tileY * tilesInRow + tileX
        guard take(area, of: surface, index) else { continue }
        output.append(moveToColumn: area.minX / cellWidth, row: area.minY / cellHeight)
        switch graphics {
        case .kitty: KittyPicture.write(surface, area, id: index + 1, into: &output)
        case .sixel: SixelPicture.write(surface, area, into: &output)
        }
      }
    }
  }

  /// Records the new pixels of a tile. Returns false if they have not changed.
  private mutating func take(_ area: PixelRect, of surface: Surface, _ index: Int) -> Bool {
    var isChanged = !isKnown[index]
    isKnown[index] = true
    for y in area.minY..<area.maxY {
      let new = surface.pixels + (y * surface.width + area.minX)
      let old = shown.pixels + (y * shown.width + area.minX)
      for x in 0..<area.width where old[x] != new[x] {
        old[x] = new[x]
        isChanged = true
      }
    }
    return isChanged
  }
}

/// A part of a picture in the kitty graphics protocol: a PNG file in base64, shown at the cursor.
enum KittyPicture {
  private static let mostBytes = 4096

  static func write(_ surface: Surface, _ area: PixelRect, id: Int, into output: inout [UInt8]) {
    guard let part = try? Surface(width: area.width, height: area.height) else { return }
    for y in 0..<area.height {
      (part.pixels + y * area.width).update(
        from: surface.pixels + ((y + area.minY) * surface.width + area.minX), count: area.width)
    }
    guard let file = try? PNGWriter.encode(part) else { return }
    let text = Base64.encode(file)
    var sent = 0
    repeat {
      let end = min(text.count, sent + mostBytes)
      output.append("\u{1b}_G")
      if sent == 0 {
        // Transmit and show (a=T) a PNG (f=100) without moving the cursor (C=1), and do not answer (q=2).
        output.append("a=T,f=100,q=2,C=1,p=1,i=")
        output.append(decimal: id)
        output.append(UInt8(ascii: ","))
      }
      output.append(end < text.count ? "m=1;" : "m=0;")
      output.append(contentsOf: text[sent..<end])
      output.append("\u{1b}\\")
      sent = end
    } while sent < text.count
  }
}

/// Base64 encoding. (RFC 4648)
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for digit in 0..<4 {
        text.append(digit <= group.count ? alphabet[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
      }
    }
    return text
  }
}

/// A part of a picture as sixel graphics: bands of six rows, with one pass for each colour. (DEC STD 070.)
enum SixelPicture {
  /// The palette of the oldest terminals with colours.
  private static let mostColors = 256

  /// Shows the picture at the cursor. Colours are in hundredths, the unit of sixel, and fewer if need be.
  static func write(_ surface: Surface, _ area: PixelRect, into output: inout [UInt8]) {
    let (indices, colors) = palette(surface, area)
    // Without a background (P2 = 1) the last row may be shorter than six pixels.
    output.append("\u{1b}P0;1;0q\"1;1;")
    output.append(decimal: area.width)
    output.append(UInt8(ascii: ";"))
    output.append(decimal: area.height)
    for (index, color) in colors.enumerated() {
      output.append(UInt8(ascii: "#"))
      output.append(decimal: index)
      output.append(";2")
      for shift in [16, 8, 0] {
        output.append(UInt8(ascii: ";"))
        output.append(decimal: (Int(color >> UInt32(shift) & 255) * 100 + 127) / 255)
      }
    }
    for top in stride(from: 0, to: area.height, by: 6) {
      writeBand(indices, top: top, area.width, area.height, colors.count, into: &output)
    }
    output.append("\u{1b}\\")
  }

  private static func writeBand(
    _ indices: [UInt8], top: Int, _ width: Int, _ height: Int, _ colors: Int, into output: inout [UInt8]
  ) {
    let rows = min(6, height - top)
    var isUsed = [Bool](repeating: false, count: colors)
    for index in indices[top * width..<(top + rows) * width] { isUsed[Int(index)] = true }
    for color in 0..<colors where isUsed[color] {
      output.append(UInt8(ascii: "#"))
      output.append(decimal: color)
      var last = UInt8(0)
      var count = 0
      for x in 0..<width {
        var bits = UInt8(0)
        for row in 0..<rows where indices[(top + row) * width + x] == UInt8(color) { bits |= 1 << row }
        if bits != last {
          writeRun(last, count, into: &output)
          (last, count) = (bits, 0)
        }
        count += 1
      }
      // An empty end needs no output.
      if last != 0 { writeRun(last, count, into: &output) }
      output.append(UInt8(ascii: "$"))
    }
    output.append(UInt8(ascii: "-"))
  }

  private static func writeRun(_ bits: UInt8, _ count: Int, into output: inout [UInt8]) {
    guard count > 0 else { return }
    if count > 3 {
      output.append(UInt8(ascii: "!"))
      output.append(decimal: count)
      output.append(0x3f + bits)
    } else {
      for _ in 0..<count { output.append(0x3f + bits) }
    }
  }

  /// Returns the index of each pixel's colour in a table of at most 256.
  private static func palette(
    _ surface: Surface, _ area: PixelRect
  ) -> (indices: [UInt8], colors: [UInt32]) {
    var dropped: UInt32 = 0
    while true {
      let mask = (0xff << dropped & 0xff) * 0x1_0101 as UInt32
      var numbers: [UInt32: UInt8] = [:]
      var colors: [UInt32] = []
      var indices: [UInt8] = []
      indices.reserveCapacity(area.width * area.height)
      search: for y in area.minY..<area.maxY {
        for x in area.minX..<area.maxX {
          let color = surface.pixels[y * surface.width + x] & mask
          if numbers[color] == nil {
            guard colors.count < mostColors else { break search }
            numbers[color] = UInt8(colors.count)
            colors.append(color)
          }
          indices.append(numbers[color] ?? 0)
        }
      }
      if indices.count == area.width * area.height { return (indices, colors) }
      dropped += 1
    }
  }
}
