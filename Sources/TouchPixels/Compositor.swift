import CPixman
import TouchCore
import TouchViews

/// What shapes are filled with.
package enum PaintSource {
  /// A premultiplied pixel.
  case color(UInt32)
  /// A picture at its place on the display, with an opacity of 0 … 255. Outside the picture nothing is painted.
  case picture(Target, opacity: UInt32)
  /// A gradient, with an opacity of 0 … 255.
  case gradient(GradientFill, opacity: UInt32)

  /// The source with its opacity multiplied by `coverage` (0 … 255).
  package func covering(_ coverage: UInt32) -> PaintSource {
    guard coverage < 255 else { return self }
    return switch self {
    case .color(let pixel): .color(cover(pixel, coverage))
    case .picture(let picture, let opacity): .picture(picture, opacity: Color.multiply(coverage, opacity))
    case .gradient(let gradient, let opacity):
      .gradient(gradient, opacity: Color.multiply(coverage, opacity))
    }
  }
}

/// Fills shapes on surfaces, with pixman. Keeps the images and masks that it uses, so that painting does not allocate.
package final class Compositor {
  /// An image of one pixel that pixman repeats over any area, and its memory.
  private let color: OpaquePointer
  private let colorPixel: UnsafeMutablePointer<UInt32>
  /// The same for opacity alone.
  private let opacity: OpaquePointer
  private let opacityPixel: UnsafeMutablePointer<UInt32>
  private let masks: CoverageMaskCache

  /// - Parameter area: all pixels that will ever be painted.
  /// - Throws: `DisplayError` if there is no memory.
  package init(area: PixelRect) throws(DisplayError) {
    masks = CoverageMaskCache(area: area)
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

  /// Fills a shape, or the part of it outside `hole`.
  ///
  /// - Parameter clip: the display pixels that may change.
  package func fill(
    _ shape: RoundedRect, without hole: RoundedRect? = nil, with source: PaintSource, clip: PixelRect,
    on target: Target
  ) {
    let area = shape.pixels.intersection(clip).intersection(target.area)
    guard !area.isEmpty else { return }
    if shape.isExact && (hole?.isExact ?? true) {
      fillFrame(area, around: hole?.pixels ?? .empty, with: source, on: target)
      return
    }
    for patch in masks.mask(shape, without: hole).patches {
      let box = patch.box.intersection(area)
      guard !box.isEmpty else { continue }
      fill(box, with: source.covering(UInt32(patch.coverage)), on: target)
    }
  }

  /// Fills a shape moved by whole pixels. One mask serves every place, so that what moves does not allocate.
  ///
  /// - Parameter shape: at the display's origin.
  package func fill(
    _ shape: RoundedRect, without hole: RoundedRect? = nil, movedBy offset: (x: Int, y: Int),
    with source: PaintSource, clip: PixelRect, on target: Target
  ) {
    func moved(_ shape: RoundedRect) -> RoundedRect? { shape.moved(x: offset.x, y: offset.y) }
    guard !shape.isExact, masks.area.contains(shape.pixels) else {
      // Nothing is kept of a rectangle, and of a larger shape not all would be.
      if let shape = moved(shape) {
        fill(shape, without: hole.flatMap(moved), with: source, clip: clip, on: target)
      }
      return
    }
    let area = shape.pixels.offset(x: offset.x, y: offset.y).intersection(clip).intersection(target.area)
    guard !area.isEmpty else { return }
    for patch in masks.mask(shape, without: hole).patches {
      let box = patch.box.offset(x: offset.x, y: offset.y).intersection(area)
      if !box.isEmpty { fill(box, with: source.covering(UInt32(patch.coverage)), on: target) }
    }
  }

  /// The part of the plane between two rays, clockwise from the first to the second, in pixels of the display.
  package struct Sector {
    private let x: Double
    private let y: Double
    private let start: (x: Double, y: Double)
    private let end: (x: Double, y: Double)
    private let isWide: Bool

    /// - Parameters:
    ///   - center: where the rays begin.
    ///   - start: the direction of the first ray, of any length; the same for `end`.
    ///   - isWide: whether the angle from the first to the second is above 180°.
    package init(
      center: Point<DisplaySpace>, start: (x: Double, y: Double), end: (x: Double, y: Double), isWide: Bool
    ) {
      (x, y) = (center.x, center.y)
      func unit(_ ray: (x: Double, y: Double)) -> (x: Double, y: Double) {
        let length = (ray.x * ray.x + ray.y * ray.y).squareRoot()
        return (ray.x / length, ray.y / length)
      }
      (self.start, self.end, self.isWide) = (unit(start), unit(end), isWide)
    }

    /// How much of a pixel lies inside, 0 … 255: the edges are smoothed over one pixel.
    fileprivate func coverage(x: Int, y: Int) -> UInt32 {
      let (dx, dy) = (Double(x) + 0.5 - self.x, Double(y) + 0.5 - self.y)
      let afterStart = start.x * dy - start.y * dx
      let beforeEnd = dx * end.y - dy * end.x
      let isInside =
        isWide ? afterStart >= 0 || beforeEnd >= 0 : afterStart >= 0 && beforeEnd >= 0
      // A ray ends in the middle: what is behind it is not near it.
      var distance = 1.0
      if start.x * dx + start.y * dy > 0 { distance = min(distance, abs(afterStart)) }
      if end.x * dx + end.y * dy > 0 { distance = min(distance, abs(beforeEnd)) }
      return UInt32(255 * max(0, min(1, 0.5 + (isInside ? distance : -distance))) + 0.5)
    }
  }

  /// Fills the part of a shape that lies in a sector; the shape's mask serves every sector.
  ///
  /// - Parameter pixel: premultiplied.
  package func fill(
    _ shape: RoundedRect, without hole: RoundedRect?, in sector: Sector, with pixel: UInt32, clip: PixelRect,
    on target: Target
  ) {
    let area = shape.pixels.intersection(clip).intersection(target.area)
    guard !area.isEmpty else { return }
    for patch in masks.mask(shape, without: hole).patches {
      let box = patch.box.intersection(area)
      for y in box.minY..<max(box.minY, box.maxY) {
        let row = target.surface.pixels + ((y - target.originY) * target.surface.width - target.originX)
        for x in box.minX..<max(box.minX, box.maxX) {
          let coverage = Color.multiply(sector.coverage(x: x, y: y), UInt32(patch.coverage))
          if coverage > 0 { row[x] = over(cover(pixel, coverage), row[x]) }
        }
      }
    }
  }

  /// Fills small boxes pixel by pixel: pixman's setup would take longer.
  private func fill(_ box: PixelRect, with source: PaintSource, on target: Target) {
    guard box.width * box.height <= 16 else { return fillBox(box, with: source, on: target) }
    for y in box.minY..<box.maxY {
      let row = target.surface.pixels + ((y - target.originY) * target.surface.width - target.originX)
      switch source {
      case .color(let pixel):
        for x in box.minX..<box.maxX { row[x] = over(pixel, row[x]) }
      case .picture(let picture, let opacity):
        guard y >= picture.area.minY, y < picture.area.maxY else { continue }
        let source =
          picture.surface.pixels + ((y - picture.originY) * picture.surface.width - picture.originX)
        for x in max(
          box.minX, picture.area.minX)..<max(box.minX, picture.area.minX, min(box.maxX, picture.area.maxX))
        {
          row[x] = over(cover(source[x], opacity), row[x])
        }
      case .gradient: return fillBox(box, with: source, on: target)
      }
    }
  }

  /// Fills whole pixels.
  package func fillBox(_ box: PixelRect, with source: PaintSource, on target: Target) {
    let box = box.intersection(target.area)
    guard !box.isEmpty else { return }
    switch source {
    case .color(let pixel) where pixel >> 24 == 255:
      target.fill(box, with: pixel)
    case .color(let pixel):
      colorPixel.pointee = pixel
      pixman_image_composite32(
        PIXMAN_OP_OVER, color, nil, target.surface.image, 0, 0, 0, 0, Int32(box.minX - target.originX),
        Int32(box.minY - target.originY), Int32(box.width), Int32(box.height))
    case .picture(let picture, let level):
      let box = box.intersection(picture.area)
      guard !box.isEmpty else { return }
      setOpacity(level)
      pixman_image_composite32(
        PIXMAN_OP_OVER, picture.surface.image, level == 255 ? nil : opacity, target.surface.image,
        Int32(box.minX - picture.originX), Int32(box.minY - picture.originY), 0, 0,
        Int32(box.minX - target.originX), Int32(box.minY - target.originY), Int32(box.width),
        Int32(box.height))
    case .gradient(let gradient, let level):
      gradient.paint(box, opacity: level, on: target)
    }
  }

  /// Whether a pixman image has colours, such as the glyph of an emoji. If not, it is a mask.
  package static func hasColors(_ image: OpaquePointer) -> Bool {
    pixman_image_get_format(image) == PIXMAN_a8r8g8b8
  }

  /// Paints a colour through a mask, such as a glyph, whose top-left pixel is at (x, y) on the display.
  package func fill(
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

  /// Paints a pixman image, such as a glyph with colours, whose top-left pixel is at (x, y) on the display.
  package func fill(
    image: OpaquePointer, opacity level: UInt32, x: Int, y: Int, width: Int, height: Int,
    clip: PixelRect,
    on target: Target
  ) {
    let box = PixelRect(x: x, y: y, width: width, height: height).intersection(clip).intersection(target.area)
    guard !box.isEmpty else { return }
    setOpacity(level)
    pixman_image_composite32(
      PIXMAN_OP_OVER, image, level == 255 ? nil : opacity, target.surface.image,
      Int32(box.minX - x), Int32(box.minY - y), 0, 0,
      Int32(box.minX - target.originX), Int32(box.minY - target.originY), Int32(box.width), Int32(box.height))
  }

  private func setOpacity(_ value: UInt32) {
    // All four bytes, so that the machine's byte order does not matter.
    opacityPixel.pointee = value &* 0x0101_0101
  }

  /// Fills the part of `area` outside `hole`, as four boxes.
  private func fillFrame(
    _ area: PixelRect, around hole: PixelRect, with source: PaintSource, on target: Target
  ) {
    let cut = hole.intersection(area)
    guard !cut.isEmpty else { return fillBox(area, with: source, on: target) }
    var part = area
    part.maxY = cut.minY
    fillBox(part, with: source, on: target)
    part = PixelRect(minX: area.minX, minY: cut.minY, maxX: cut.minX, maxY: cut.maxY)
    fillBox(part, with: source, on: target)
    part = PixelRect(minX: cut.maxX, minY: cut.minY, maxX: area.maxX, maxY: cut.maxY)
    fillBox(part, with: source, on: target)
    part = area
    part.minY = cut.maxY
    fillBox(part, with: source, on: target)
  }
}
