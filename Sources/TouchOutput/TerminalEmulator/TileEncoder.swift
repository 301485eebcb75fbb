import TouchPixels

/// Shows a picture with a terminal's own graphics, in tiles of whole cells: what changed is sent tile by tile.
struct TileEncoder {
  enum Graphics { case kitty, sixel }

  private let graphics: Graphics
  /// In pixels.
  private let cellWidth: Int
  private let cellHeight: Int
  private let tilesInRow: Int
  /// What the terminal shows; only those tiles count of which it is known.
  private let shown: Surface
  private var isKnown: [Bool]
  /// The tile that is being sent, as wide and high as most are.
  private let tile: Surface

  /// In cells. A button's label is a few tiles, a picture a few hundred.
  private static let columns = 8
  private static let rows = 4

  /// - Parameters:
  ///   - width: of the picture, in pixels, a multiple of the cell's.
  ///   - height: the same.
  /// - Throws: `DisplayError` when there is no memory.
  init(_ graphics: Graphics, width: Int, height: Int, cellWidth: Int, cellHeight: Int) throws(DisplayError) {
    self.graphics = graphics
    self.cellWidth = cellWidth
    self.cellHeight = cellHeight
    shown = try Surface(width: width, height: height)
    tile = try Surface(width: cellWidth * Self.columns, height: cellHeight * Self.rows)
    tilesInRow = (width + tile.width - 1) / tile.width
    isKnown = Array(repeating: false, count: tilesInRow * ((height + tile.height - 1) / tile.height))
  }

  /// Writes every tile of a part of the picture that the terminal does not show yet.
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

  /// Notes what a tile will show; false when it shows that already.
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
