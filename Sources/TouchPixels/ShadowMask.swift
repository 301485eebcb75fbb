import TouchCore
import TouchViews

/// The coverage of each pixel by a shape's blurred shadow. The repeated part of its middle is kept once, so
/// that a large card costs as little as a small one.
package final class ShadowMask {
  /// The properties on which a mask depends. Cards of different sizes and places have the same if only their
  /// straight sides differ.
  package struct Key: Hashable {
    fileprivate var shape: RoundedRect
    fileprivate var hole: RoundedRect?
    fileprivate var blurX, blurY: Box
    /// The column and the row that are repeated for all that are left out beside them.
    fileprivate var column: Int
    fileprivate var row: Int
  }

  /// A Gaussian blur along one axis, as three box blurs. (P. Kovesi, Fast Almost-Gaussian Filtering, 2010.) A
  /// wide one is computed in cells of several pixels and interpolated between them, so that it costs no more
  /// than a narrow one.
  fileprivate struct Box: Hashable {
    /// The width of a cell, in pixels: a power of two.
    var cell: Int16 = 1
    var reaches: SIMD4<Int16>
    /// The reach in pixels. A pixel depends on two adjacent cells, and each of them on whole cells.
    var reach: Int {
      let cells = Int(reaches[0]) + Int(reaches[1]) + Int(reaches[2])
      return cell == 1 ? cells : (cells + 2) * Int(cell)
    }

    /// The least standard deviation in cells. Between two cells a line is off by less than a thirtieth of a
    /// step of 255.
    private static let leastDeviation = 16.0

    /// - Parameter deviation: the standard deviation, in pixels.
    init(deviation: Double) {
      while deviation / Double(cell) >= 2 * Self.leastDeviation { cell *= 2 }
      let inCells = deviation / Double(cell)
      // Cells are a box blur by themselves, and lines between them another two.
      let variance = 12 * (inCells * inCells - (cell == 1 ? 0 : 0.25))
      var narrow = Int((variance / 3 + 1).squareRoot())
      if narrow % 2 == 0 { narrow -= 1 }
      let width = Double(narrow)
      let count = ((variance - 3 * width * width - 12 * width - 9) / (-4 * width - 4)).rounded()
      reaches = .zero
      for pass in 0..<3 { reaches[pass] = Int16((narrow - 1) / 2 + (Double(pass) < count ? 0 : 1)) }
    }
  }

  /// The largest standard deviation in pixels; more would take long, and looks no softer.
  private static let mostDeviation = 400.0
  /// The fractions of a pixel at which a shadow is drawn: after the blur, finer ones are invisible.
  private static let fractions = 8.0

  private let area: PixelRect
  private let coverage: [UInt8]
  private let column, row: Int

  /// The number of kept pixels, the cost of keeping the mask.
  package var pixelCount: Int { coverage.count }

  /// A shadow on the display: its mask, and the place of that.
  package struct Placement {
    package let key: Key
    /// The offset that is added to the mask's coordinates.
    let offset: (x: Int, y: Int)
    let left: (columns: Int, rows: Int)
  }

  /// - Parameter rect: that of the shadow before the blur, in local units.
  /// - Parameter blur: twice the standard deviation, in local units.
  /// - Parameter cutOut: the view's own rectangle and corners, if they are to be left out.
  /// - Returns: nil for a shadow that covers nothing.
  package static func place(
    _ rect: LocalRect, _ corners: Corners, blur: Double, cutOut: (rect: LocalRect, corners: Corners)?,
    displayFromLocal matrix: AffineTransform
  ) -> Placement? {
    guard let shape = RoundedRect(rect, corners: corners, displayFromLocal: matrix) else { return nil }
    let hole = cutOut.flatMap { RoundedRect($0.rect, corners: $0.corners, displayFromLocal: matrix) }
    let isUpright = matrix.b == 0 && matrix.c == 0 || matrix.a == 0 && matrix.d == 0
    let scale = abs(matrix.determinant).squareRoot()
    let deviationX = blur / 2 * (isUpright ? abs(matrix.a) + abs(matrix.c) : scale)
    let deviationY = blur / 2 * (isUpright ? abs(matrix.b) + abs(matrix.d) : scale)
    let (blurX, blurY) = (
      Box(deviation: min(mostDeviation, deviationX)), Box(deviation: min(mostDeviation, deviationY))
    )
    // The top-left corner of the shape comes to the pixel 0, 0, and its place within the pixel is rounded.
    let box: Rect<DisplaySpace> = matrix.bounding(rect)
    guard abs(box.minX) < PixelRect.farthest, abs(box.minY) < PixelRect.farthest else { return nil }
    let (x, y) = (box.minX.rounded(.down), box.minY.rounded(.down))
    func fraction(_ rest: Double) -> Double { (rest * fractions).rounded() / fractions }
    let shift = (x: fraction(box.minX - x) - box.minX, y: fraction(box.minY - y) - box.minY)
    var left = (columns: 0, rows: 0)
    var (column, row) = (Int.max, Int.max)
    var template = matrix
    if isUpright {
      let holeBox: Rect<DisplaySpace> = cutOut.map { matrix.bounding($0.rect) } ?? box
      let round = max(corners.largest, cutOut?.corners.largest ?? 0)
      let roundX = min(round * (abs(matrix.a) + abs(matrix.c)), (box.maxX - box.minX) / 2) + 2
      let roundY = min(round * (abs(matrix.b) + abs(matrix.d)), (box.maxY - box.minY) / 2) + 2
      // The part between the corners that is so far from them that the blur does not reach it.
      let firstX = max(box.minX, holeBox.minX) + roundX + Double(blurX.reach)
      let lastX = min(box.maxX, holeBox.maxX) - roundX - Double(blurX.reach)
      let firstY = max(box.minY, holeBox.minY) + roundY + Double(blurY.reach)
      let lastY = min(box.maxY, holeBox.maxY) - roundY - Double(blurY.reach)
      if lastX - firstX > 3 {
        column = Int(saturating: (firstX - x).rounded(.up)) + 1
        left.columns = Int(saturating: lastX - firstX) - 2
      }
      if lastY - firstY > 3 {
        row = Int(saturating: (firstY - y).rounded(.up)) + 1
        left.rows = Int(saturating: lastY - firstY) - 2
      }
    }
    (template.tx, template.ty) = (matrix.tx + shift.x, matrix.ty + shift.y)
    func shortened(_ shape: RoundedRect, _ rect: LocalRect, _ corners: Corners) -> RoundedRect? {
      guard isUpright else { return RoundedRect(rect, corners: corners, displayFromLocal: template) }
      // In pixels from its own corner, so that a moving shadow has the same mask. The corners of an upright
      // rectangle keep their order unless it is turned or mirrored.
      let place: Rect<DisplaySpace> = template.bounding(rect)
      let pixels = LocalRect(
        x: quantized(place.minX), y: quantized(place.minY),
        width: quantized(place.maxX - place.minX) - Double(left.columns),
        height: quantized(place.maxY - place.minY) - Double(left.rows))
      let scaleX = abs(matrix.a) + abs(matrix.c)
      if corners.isUniform {
        return RoundedRect(
          pixels, radiusX: min(corners.largest * scaleX, (place.maxX - place.minX) / 2),
          radiusY: min(corners.largest * (abs(matrix.b) + abs(matrix.d)), (place.maxY - place.minY) / 2),
          displayFromLocal: .identity)
      }
      return RoundedRect(
        pixels, corners: corners.scaled(by: scale).turned(by: matrix), displayFromLocal: .identity)
    }
    func quantized(_ length: Double) -> Double { (length * fractions).rounded() / fractions }
    guard let outline = shortened(shape, rect, corners) else { return nil }
    let cut = hole.flatMap { hole in cutOut.flatMap { shortened(hole, $0.rect, $0.corners) } }
    return Placement(
      key: Key(shape: outline, hole: cut, blurX: blurX, blurY: blurY, column: column, row: row),
      offset: (Int(x), Int(y)), left: left)
  }

  /// Draws a mask.
  /// - Returns: nil for one that is too large: a turned shape is kept as a whole.
  package init?(_ key: Key) {
    guard let outline = Coverage(key.shape) else { return nil }
    let pixels = key.shape.pixels
    let area = PixelRect(
      minX: pixels.minX - key.blurX.reach, minY: pixels.minY - key.blurY.reach,
      maxX: pixels.maxX + key.blurX.reach, maxY: pixels.maxY + key.blurY.reach)
    let (width, height) = (area.width, area.height)
    guard width * height <= Self.mostPixels else { return nil }
    let across = Cells(width, Int(key.blurX.cell))
    let down = Cells(height, Int(key.blurY.cell))
    var values = [Float](repeating: 0, count: across.count * down.count)
    var line = [UInt8](repeating: 0, count: width)
    for y in pixels.minY..<pixels.maxY {
      outline.coverEdges(area.minX..<area.maxX, y: y, into: &line)
      let row = (y - area.minY) / down.size * across.count
      if across.size == 1 {
        for x in 0..<width { values[row + x] += Float(line[x]) }
        continue
      }
      for cell in 0..<across.count {
        var sum: Int32 = 0
        for x in cell * across.size..<min((cell + 1) * across.size, width) { sum += Int32(line[x]) }
        values[row + cell] += Float(sum)
      }
    }
    for pass in 0..<3 {
      Self.blurRows(of: &values, across.count, down.count, Int(key.blurX.reaches[pass]))
      Self.blurColumns(of: &values, across.count, down.count, Int(key.blurY.reaches[pass]))
    }
    let hole = key.hole.flatMap { Coverage($0) }
    let share = 1 / Float(across.size * down.size)
    var between = [Float](repeating: 0, count: across.count)
    var covered = [Float](repeating: 0, count: width)
    let coverage = [UInt8](unsafeUninitializedCapacity: width * height) { coverage, filled in
      for y in 0..<height {
        let (upper, part) = down.place(of: y)
        let (first, second) = (upper * across.count, min(upper + 1, down.count - 1) * across.count)
        for cell in 0..<across.count {
          let (above, below) = (values[first + cell], values[second + cell])
          between[cell] = (above + (below - above) * part) * share
        }
        across.spread(between, into: &covered)
        let row = y * width
        for x in 0..<width {
          coverage[row + x] = UInt8(truncatingIfNeeded: Int32(max(0, min(255, covered[x] + 0.5))))
        }
        guard let hole else { continue }
        hole.coverEdges(area.minX..<area.maxX, y: y + area.minY, into: &line)
        for x in 0..<width {
          coverage[row + x] = UInt8(
            truncatingIfNeeded: Color.multiply(UInt32(coverage[row + x]), 255 - UInt32(line[x])))
        }
      }
      filled = width * height
    }
    (self.area, self.coverage) = (area, coverage)
    column = key.column == .max ? width : key.column - area.minX
    row = key.row == .max ? height : key.row - area.minY
  }

  private struct Cells {
    /// The size of a cell, in pixels.
    let size: Int
    let count: Int

    init(_ pixels: Int, _ size: Int) { (self.size, count) = (size, (pixels + size - 1) / size) }

    /// Returns the last cell whose middle is not beyond that of a pixel, and the part of the way to the next
    /// one.
    func place(of pixel: Int) -> (cell: Int, part: Float) {
      // Before the middle of the first cell everything is as there.
      let halves = max(0, 2 * pixel + 1 - size)
      return (halves / (2 * size), Float(halves % (2 * size)) / Float(2 * size))
    }

    /// Interpolates the values of pixels between those of cells.
    func spread(_ cells: [Float], into pixels: inout [Float]) {
      guard size > 1 else {
        for pixel in pixels.indices { pixels[pixel] = cells[pixel] }
        return
      }
      for pixel in 0..<min(size / 2, pixels.count) { pixels[pixel] = cells[0] }
      for cell in 0..<count {
        let first = cell * size + size / 2
        let step = (cells[min(cell + 1, count - 1)] - cells[cell]) / Float(size)
        let start = cells[cell] + step / 2
        for place in 0..<max(0, min(size, pixels.count - first)) {
          pixels[first + place] = start + step * Float(place)
        }
      }
    }
  }

  private static let mostPixels = 1 << 22

  /// Blurs by a box along the rows. Whole sums of the eight bits that were drawn first stay exact; later ones
  /// are rounded in the same way in each row, and in each column.
  private static func blurRows(of values: inout [Float], _ width: Int, _ height: Int, _ reach: Int) {
    replace(&values, reach: reach) { values, blurred, share in
      // Four at once: each sum waits for the one before.
      for y in stride(from: 0, to: height, by: 4) {
        let rows = SIMD4(y, min(y + 1, height - 1), min(y + 2, height - 1), min(y + 3, height - 1)) &* width
        func at(_ x: Int) -> SIMD4<Float> {
          SIMD4(values[rows[0] + x], values[rows[1] + x], values[rows[2] + x], values[rows[3] + x])
        }
        var sum = SIMD4<Float>.zero
        for x in 0..<min(reach, width) { sum += at(x) }
        for x in 0..<width {
          if x + reach < width { sum += at(x + reach) }
          if x - reach - 1 >= 0 { sum -= at(x - reach - 1) }
          let result = sum * share
          for row in 0..<4 { blurred[rows[row] + x] = result[row] }
        }
      }
    }
  }

  /// Blurs along the columns: all of them at once, which takes a fraction of the instructions of one after
  /// the other.
  private static func blurColumns(of values: inout [Float], _ width: Int, _ height: Int, _ reach: Int) {
    replace(&values, reach: reach) { values, blurred, share in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { buffer in
        guard let sums = buffer.baseAddress else { return }
        sums.initialize(repeating: 0, count: width)
        for y in 0..<min(reach, height) {
          let row = values + y * width
          for x in 0..<width { sums[x] += row[x] }
        }
        for y in 0..<height {
          if y + reach < height {
            let row = values + (y + reach) * width
            for x in 0..<width { sums[x] += row[x] }
          }
          if y - reach - 1 >= 0 {
            let row = values + (y - reach - 1) * width
            for x in 0..<width { sums[x] -= row[x] }
          }
          let result = blurred + y * width
          for x in 0..<width { result[x] = sums[x] * share }
        }
      }
    }
  }

  /// Replaces values by their blur of a reach.
  private static func replace(
    _ values: inout [Float], reach: Int,
    by blur: (_ values: UnsafePointer<Float>, _ blurred: UnsafeMutablePointer<Float>, _ share: Float) -> Void
  ) {
    guard reach > 0 else { return }
    values = [Float](unsafeUninitializedCapacity: values.count) { buffer, filled in
      values.withUnsafeBufferPointer { values in
        if let base = values.baseAddress, let blurred = buffer.baseAddress {
          blur(base, blurred, 1 / Float(2 * reach + 1))
        }
        filled = values.count
      }
    }
  }

  /// Paints the shadow.
  /// - Parameter pixel: premultiplied.
  /// - Parameter hidden: pixels that are painted over in any case, and left out.
  package func paint(
    _ placement: Placement, with pixel: UInt32, hidden: PixelRect, clip: PixelRect, on target: Target
  ) {
    let (width, left) = (area.width, placement.left)
    let box = PixelRect(
      x: area.minX + placement.offset.x, y: area.minY + placement.offset.y, width: width + left.columns,
      height: area.height + left.rows)
    let part = box.intersection(clip).intersection(target.area)
    guard !part.isEmpty else { return }
    target.settle(part)
    coverage.withUnsafeBufferPointer { coverage in
      guard let base = coverage.baseAddress else { return }
      for y in part.minY..<part.maxY {
        let line = y - box.minY
        let mask = base + (line <= row ? line : max(row, line - left.rows)) * width
        let pixels = target.surface.pixels + ((y - target.originY) * target.surface.width - target.originX)
        if y >= hidden.minY, y < hidden.maxY, hidden.minX < hidden.maxX {
          paint(
            part.minX..<min(part.maxX, max(part.minX, hidden.minX)), box.minX, mask, left.columns, pixel,
            pixels)
          paint(
            max(part.minX, min(part.maxX, hidden.maxX))..<part.maxX, box.minX, mask, left.columns, pixel,
            pixels)
        } else {
          paint(part.minX..<part.maxX, box.minX, mask, left.columns, pixel, pixels)
        }
      }
    }
  }

  private func paint(
    _ columns: Range<Int>, _ minX: Int, _ mask: UnsafePointer<UInt8>, _ left: Int, _ pixel: UInt32,
    _ pixels: UnsafeMutablePointer<UInt32>
  ) {
    guard !columns.isEmpty else { return }
    // Before the repeated part, in it, and after it.
    let repeated = (minX + column..<minX + column + left + 1).clamped(to: columns)
    func paintEach(_ columns: Range<Int>, _ mask: UnsafePointer<UInt8>) {
      for x in columns {
        let value = UInt32(mask[x])
        if value > 0 { pixels[x] = over(cover(pixel, value), pixels[x]) }
      }
    }
    guard left > 0, !repeated.isEmpty else {
      return paintEach(columns, columns.lowerBound > minX + column ? mask - minX - left : mask - minX)
    }
    paintEach(columns.lowerBound..<repeated.lowerBound, mask - minX)
    let value = cover(pixel, UInt32(mask[column]))
    if value > 0 { for x in repeated { pixels[x] = over(value, pixels[x]) } }
    paintEach(repeated.upperBound..<columns.upperBound, mask - minX - left)
  }
}

extension Corners {
  fileprivate func scaled(by factor: Double) -> Corners {
    Corners(
      topLeft: topLeft * factor, topRight: topRight * factor, bottomRight: bottomRight * factor,
      bottomLeft: bottomLeft * factor)
  }

  fileprivate func turned(by matrix: AffineTransform) -> Corners {
    var turned = Corners()
    for (x, y, radius) in [
      (-1.0, -1.0, topLeft), (1, -1, topRight), (1, 1, bottomRight), (-1, 1, bottomLeft),
    ] {
      let isRight = matrix.a * x + matrix.c * y > 0
      let isLow = matrix.b * x + matrix.d * y > 0
      switch (isRight, isLow) {
      case (false, false): turned.topLeft = radius
      case (true, false): turned.topRight = radius
      case (true, true): turned.bottomRight = radius
      case (false, true): turned.bottomLeft = radius
      }
    }
    return turned
  }
}
