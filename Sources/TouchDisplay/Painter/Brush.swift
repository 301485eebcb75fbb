import CPixman
import TouchCore

/// What painting goes into: a surface, and the display pixel that its first pixel stands for.
struct Target {
  let surface: Surface
  let originX: Int
  let originY: Int

  /// The surface's place on the display.
  var area: PixelRect { PixelRect(x: originX, y: originY, width: surface.width, height: surface.height) }
}

/// What a shape is filled with.
enum Ink {
  /// A premultiplied pixel.
  case color(UInt32)
  /// Pixels that lie where they shall appear, seen through an opacity of 0 … 255. Where the picture has no
  /// pixels nothing is painted.
  case picture(Target, opacity: UInt32)
}

/// Puts ink on surfaces, shape by shape. Holds what pixman needs again and again, so that painting allocates
/// nothing.
final class Brush {
  /// One pixel that pixman repeats over any area, and the memory in which it lies.
  private let color: OpaquePointer
  private let colorPixel: UnsafeMutablePointer<UInt32>
  /// The same for opacity alone.
  private let opacity: OpaquePointer
  private let opacityPixel: UnsafeMutablePointer<UInt32>
  /// How much of each pixel of a row a shape covers, and its hole. As long as the longest row.
  private let coverage = UnsafeMutablePointer<UInt8>.allocate(capacity: Surface.largestSide)
  private let holeCoverage = UnsafeMutablePointer<UInt8>.allocate(capacity: Surface.largestSide)

  /// - Throws: `DisplayError` when there is no memory.
  init() throws(DisplayError) {
    colorPixel = .allocate(capacity: 1)
    opacityPixel = .allocate(capacity: 1)
    colorPixel.initialize(to: 0)
    opacityPixel.initialize(to: 0)
    guard
      let color = pixman_image_create_bits(PIXMAN_a8r8g8b8, 1, 1, colorPixel, 4),
      let opacity = pixman_image_create_bits(PIXMAN_a8, 1, 1, opacityPixel, 4)
    else {
      throw DisplayError(.failed, path: "display", detail: "no memory for painting")
    }
    pixman_image_set_repeat(color, PIXMAN_REPEAT_NORMAL)
    pixman_image_set_repeat(opacity, PIXMAN_REPEAT_NORMAL)
    self.color = color
    self.opacity = opacity
  }

  deinit {
    pixman_image_unref(color)
    pixman_image_unref(opacity)
    colorPixel.deallocate()
    opacityPixel.deallocate()
    coverage.deallocate()
    holeCoverage.deallocate()
  }

  /// Fills a shape, or what is left of it when another one is cut out of it.
  ///
  /// - Parameter clip: nothing outside these display pixels is touched.
  func fill(_ shape: Shape, without hole: Shape? = nil, with ink: Ink, clip: PixelRect, on target: Target) {
    let area = shape.pixels.intersection(clip).intersection(target.area)
    guard !area.isEmpty else { return }
    if shape.isExact && (hole?.isExact ?? true) {
      fillFrame(area, around: hole?.pixels ?? .empty, with: ink, on: target)
      return
    }
    // The straight parts of the sides are filled in blocks of many rows: one, or two beside a hole.
    var left = Block()
    var right = Block()
    for y in area.minY..<area.maxY {
      let outer = shape.spans(y: y)
      let touched = outer.touched.clamped(to: area.minX..<area.maxX)
      func soften(from start: Int, to end: Int) {
        let range =
          max(start, touched.lowerBound)..<max(start, touched.lowerBound, min(end, touched.upperBound))
        edge(range, y, shape, hole, ink, target)
      }
      let inner = hole?.spans(y: y) ?? (touched: 0..<0, full: 0..<0)
      // From left to right: the edge, the full part, and the other edge; around a hole that twice.
      let cut = inner.touched.isEmpty ? touched.upperBound..<touched.upperBound : inner.touched
      let empty = inner.full.isEmpty ? cut.upperBound..<cut.upperBound : inner.full
      let fullLeft = outer.full.clamped(to: Int.min..<cut.lowerBound).clamped(to: touched)
      if fullLeft.isEmpty {
        soften(from: touched.lowerBound, to: empty.lowerBound)
      } else {
        soften(from: touched.lowerBound, to: fullLeft.lowerBound)
        extend(&left, by: fullLeft, y, ink, target)
        soften(from: fullLeft.upperBound, to: empty.lowerBound)
      }
      guard empty.upperBound < touched.upperBound else { continue }
      let fullRight = outer.full.clamped(to: cut.upperBound..<Int.max).clamped(to: touched)
      if fullRight.isEmpty {
        soften(from: empty.upperBound, to: touched.upperBound)
      } else {
        soften(from: empty.upperBound, to: fullRight.lowerBound)
        extend(&right, by: fullRight, y, ink, target)
        soften(from: fullRight.upperBound, to: touched.upperBound)
      }
    }
    fillBox(left.box, with: ink, on: target)
    fillBox(right.box, with: ink, on: target)
  }

  /// Adds a row to a block, or fills the block and starts another one with the row.
  private func extend(_ block: inout Block, by row: Range<Int>, _ y: Int, _ ink: Ink, _ target: Target) {
    if block.extend(row, y) { return }
    fillBox(block.box, with: ink, on: target)
    block.start(row, y)
  }

  /// Fills whole pixels.
  func fillBox(_ box: PixelRect, with ink: Ink, on target: Target) {
    let box = box.intersection(target.area)
    guard !box.isEmpty else { return }
    let x = Int32(box.minX - target.originX)
    let y = Int32(box.minY - target.originY)
    switch ink {
    case .color(let pixel) where pixel >> 24 == 255:
      pixman_fill(
        target.surface.pixels, Int32(target.surface.width), 32, x, y, Int32(box.width), Int32(box.height),
        pixel)
    case .color(let pixel):
      colorPixel.pointee = pixel
      pixman_image_composite32(
        PIXMAN_OP_OVER, color, nil, target.surface.image, 0, 0, 0, 0, x, y, Int32(box.width),
        Int32(box.height))
    case .picture(let picture, let seenThrough):
      let box = box.intersection(picture.area)
      guard !box.isEmpty else { return }
      setOpacity(seenThrough)
      pixman_image_composite32(
        PIXMAN_OP_OVER, picture.surface.image, seenThrough == 255 ? nil : opacity, target.surface.image,
        Int32(box.minX - picture.originX), Int32(box.minY - picture.originY), 0, 0,
        Int32(box.minX - target.originX), Int32(box.minY - target.originY), Int32(box.width),
        Int32(box.height))
    }
  }

  /// Paints through a mask, such as a glyph, whose top-left pixel lies at (x, y) on the display.
  func fill(
    mask: OpaquePointer, x: Int, y: Int, width: Int, height: Int, with pixel: UInt32, clip: PixelRect,
    on target: Target
  ) {
    let box = PixelRect(x: x, y: y, width: width, height: height).intersection(clip).intersection(target.area)
    guard !box.isEmpty else { return }
    colorPixel.pointee = pixel
    pixman_image_composite32(
      PIXMAN_OP_OVER, color, mask, target.surface.image, 0, 0, Int32(box.minX - x), Int32(box.minY - y),
      Int32(box.minX - target.originX), Int32(box.minY - target.originY), Int32(box.width), Int32(box.height))
  }

  /// Paints a picture of pixman's, such as a glyph in colours, whose top-left pixel lies at (x, y).
  func fill(
    image: OpaquePointer, opacity seenThrough: UInt32, x: Int, y: Int, width: Int, height: Int,
    clip: PixelRect,
    on target: Target
  ) {
    let box = PixelRect(x: x, y: y, width: width, height: height).intersection(clip).intersection(target.area)
    guard !box.isEmpty else { return }
    setOpacity(seenThrough)
    pixman_image_composite32(
      PIXMAN_OP_OVER, image, seenThrough == 255 ? nil : opacity, target.surface.image,
      Int32(box.minX - x), Int32(box.minY - y), 0, 0,
      Int32(box.minX - target.originX), Int32(box.minY - target.originY), Int32(box.width), Int32(box.height))
  }

  private func setOpacity(_ value: UInt32) {
    // All four bytes, so that the machine's byte order does not matter.
    opacityPixel.pointee = value &* 0x0101_0101
  }

  /// Fills what of `area` lies outside `hole`, as four boxes.
  private func fillFrame(_ area: PixelRect, around hole: PixelRect, with ink: Ink, on target: Target) {
    let cut = hole.intersection(area)
    guard !cut.isEmpty else { return fillBox(area, with: ink, on: target) }
    var part = area
    part.maxY = cut.minY
    fillBox(part, with: ink, on: target)
    part = PixelRect(minX: area.minX, minY: cut.minY, maxX: cut.minX, maxY: cut.maxY)
    fillBox(part, with: ink, on: target)
    part = PixelRect(minX: cut.maxX, minY: cut.minY, maxX: area.maxX, maxY: cut.maxY)
    fillBox(part, with: ink, on: target)
    part = area
    part.minY = cut.maxY
    fillBox(part, with: ink, on: target)
  }

  /// Paints pixels of a row, each by as much as the shape covers it.
  private func edge(
    _ range: Range<Int>, _ y: Int, _ shape: Shape, _ hole: Shape?, _ ink: Ink, _ target: Target
  ) {
    guard !range.isEmpty else { return }
    shape.cover(range, y: y, into: coverage)
    if let hole {
      hole.cover(range, y: y, into: holeCoverage)
      for index in 0..<range.count {
        coverage[index] = coverage[index] > holeCoverage[index] ? coverage[index] - holeCoverage[index] : 0
      }
    }
    let row = target.surface.pixels + ((y - target.originY) * target.surface.width - target.originX)
    switch ink {
    case .color(let pixel):
      for x in range {
        row[x] = over(cover(pixel, UInt32(coverage[x - range.lowerBound])), row[x])
      }
    case .picture(let picture, let opacity):
      let seen = range.clamped(to: picture.originX..<picture.originX + picture.surface.width)
      guard y >= picture.area.minY, y < picture.area.maxY else { return }
      let source =
        picture.surface.pixels + ((y - picture.originY) * picture.surface.width - picture.originX)
      for x in seen {
        let part = Color.multiply(UInt32(coverage[x - range.lowerBound]), opacity)
        row[x] = over(cover(source[x], part), row[x])
      }
    }
  }
}

/// Rows of equal extent that are filled in one go.
private struct Block {
  private(set) var box = PixelRect.empty

  /// Takes one more row; false when it does not continue the block.
  mutating func extend(_ row: Range<Int>, _ y: Int) -> Bool {
    guard row.lowerBound == box.minX && row.upperBound == box.maxX && y == box.maxY else { return false }
    box.maxY = y + 1
    return true
  }

  mutating func start(_ row: Range<Int>, _ y: Int) {
    box = PixelRect(minX: row.lowerBound, minY: y, maxX: row.upperBound, maxY: y + 1)
  }
}
