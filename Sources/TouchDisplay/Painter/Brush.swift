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
    var block = Block()
    for y in area.minY..<area.maxY {
      let outer = shape.spans(y: y)
      let touched = outer.touched.clamped(to: area.minX..<area.maxX)
      let inner = hole?.spans(y: y) ?? (touched: 0..<0, full: 0..<0)
      if inner.touched.isEmpty {
        let full = outer.full.clamped(to: touched)
        edge(touched.lowerBound..<full.lowerBound, y, shape, hole, ink, target)
        if !block.extend(full, y) {
          fillBox(block.box, with: ink, on: target)
          block.start(full, y)
        }
        edge(full.upperBound..<touched.upperBound, y, shape, hole, ink, target)
      } else {
        let empty = inner.full.clamped(to: touched)
        edge(touched.lowerBound..<empty.lowerBound, y, shape, hole, ink, target)
        edge(empty.upperBound..<touched.upperBound, y, shape, hole, ink, target)
      }
    }
    fillBox(block.box, with: ink, on: target)
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

  /// Paints pixels of a row one by one, each by as much as the shape covers it.
  private func edge(
    _ range: Range<Int>, _ y: Int, _ shape: Shape, _ hole: Shape?, _ ink: Ink, _ target: Target
  ) {
    let row = target.surface.pixels + ((y - target.originY) * target.surface.width - target.originX)
    for x in range {
      let outer = shape.coverage(x: x, y: y)
      let inner = hole?.coverage(x: x, y: y) ?? 0
      guard outer > inner else { continue }
      switch ink {
      case .color(let pixel):
        row[x] = over(cover(pixel, outer - inner), row[x])
      case .picture(let picture, let opacity):
        guard picture.area.contains(x: x, y: y) else { continue }
        let index = (y - picture.originY) * picture.surface.width + x - picture.originX
        row[x] = over(cover(picture.surface.pixels[index], Color.multiply(outer - inner, opacity)), row[x])
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
