import CPixman
import TouchViews

/// The fill of a shape.
package enum PaintSource {
  case color(UInt32)
  /// A picture at its place on the display, with an opacity of 0 … 255, and nothing outside.
  case picture(Target, opacity: UInt32)
  case gradient(GradientFill, opacity: UInt32)
}

/// Fills shapes with pixman, in images and masks that it keeps, so that painting does not allocate.
package final class Compositor {
  /// An image of one pixel that pixman repeats over any area.
  private let color: OpaquePointer
  private let colorPixel: UnsafeMutablePointer<UInt32>
  /// The same for opacity alone.
  private let opacity: OpaquePointer
  private let opacityPixel: UnsafeMutablePointer<UInt32>
  private let masks: CoverageMaskCache
  /// The boxes that `fillBox` leaves out, because something opaque is painted over them.
  private var spared: [PixelRect] = []
  package let paths: PathRasterizer

  /// Makes one for an area that contains all pixels, or throws without memory.
  package init(area: PixelRect) throws(DisplayError) {
    masks = CoverageMaskCache(area: area)
    paths = PathRasterizer(area: area)
    colorPixel = .allocate(capacity: 1)
    opacityPixel = .allocate(capacity: 1)
    colorPixel.initialize(to: 0)
    opacityPixel.initialize(to: 0)
    guard let color = pixman_image_create_bits(PIXMAN_a8r8g8b8, 1, 1, colorPixel, 4),
      let opacity = pixman_image_create_bits(PIXMAN_a8, 1, 1, opacityPixel, 4)
    else { throw DisplayError(.failed, path: "display", detail: "no memory for painting") }
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

  /// Fills a shape, or the part of it outside `hole`, within the clip.
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
    fill(masks.mask(shape, without: hole), with: source, area: area, on: target)
  }

  /// Fills a shape, given at the display's origin, moved by whole pixels: one mask serves every place.
  package func fill(
    _ shape: RoundedRect, without hole: RoundedRect? = nil, movedBy offset: (x: Int, y: Int),
    with source: PaintSource, clip: PixelRect, on target: Target
  ) {
    func moved(_ shape: RoundedRect) -> RoundedRect? { shape.moved(x: offset.x, y: offset.y) }
    guard !shape.isExact, masks.area.contains(shape.pixels) else {
      // No mask is kept of a rectangle, and that of a larger shape would not have all of it.
      if let shape = moved(shape) {
        fill(shape, without: hole.flatMap(moved), with: source, clip: clip, on: target)
      }
      return
    }
    let area = shape.pixels.offset(x: offset.x, y: offset.y).intersection(clip).intersection(target.area)
    guard !area.isEmpty else { return }
    fill(masks.mask(shape, without: hole), movedBy: offset, with: source, area: area, on: target)
  }

  private func fill(
    _ mask: CoverageMask, movedBy offset: (x: Int, y: Int) = (0, 0), with source: PaintSource,
    area: PixelRect, on target: Target
  ) {
    // Once for all parts of the mask, some of which are a few pixels.
    target.settle(area)
    let masked = area.offset(x: -offset.x, y: -offset.y)
    switch source {
    case .color(let pixel):
      mask.forEachPart(in: masked) { box, coverage in
        fill(box.offset(x: offset.x, y: offset.y), with: cover(pixel, coverage), on: target)
      } run: { box, coverages in
        target.blend(pixel, through: coverages, box.offset(x: offset.x, y: offset.y))
      }
    case .picture(let picture, let opacity):
      mask.forEachPatch(from: masked.minY, to: masked.maxY) { patch in
        let box = patch.box.intersection(masked).offset(x: offset.x, y: offset.y)
        if box.isEmpty { return }
        fill(box, from: picture, opacity: Color.multiply(UInt32(patch.coverage), opacity), on: target)
      }
    case .gradient(let gradient, let opacity):
      mask.forEachPatch(from: masked.minY, to: masked.maxY) { patch in
        let box = patch.box.intersection(masked).offset(x: offset.x, y: offset.y)
        let opacity = Color.multiply(UInt32(patch.coverage), opacity)
        fillBox(box, with: .gradient(gradient, opacity: opacity), on: target)
      }
    }
  }

  /// The largest box that is filled pixel by pixel, in pixels: pixman's setup would take longer.
  private static let fewPixels = 16

  private func fill(_ box: PixelRect, with pixel: UInt32, on target: Target) {
    guard box.width * box.height <= Self.fewPixels else {
      return fillBox(box, with: .color(pixel), on: target)
    }
    let width = target.surface.width
    var row = target.surface.pixels + ((box.minY - target.originY) * width + (box.minX - target.originX))
    let isOpaque = pixel >> 24 == 255
    for _ in 0..<box.height {
      for x in 0..<box.width { row[x] = isOpaque ? pixel : over(pixel, row[x]) }
      row += width
    }
  }

  private func fill(_ box: PixelRect, from picture: Target, opacity: UInt32, on target: Target) {
    guard box.width * box.height <= Self.fewPixels else {
      return fillBox(box, with: .picture(picture, opacity: opacity), on: target)
    }
    let box = box.intersection(picture.area)
    guard !box.isEmpty else { return }
    for y in box.minY..<box.maxY {
      let row = target.surface.pixels + ((y - target.originY) * target.surface.width - target.originX)
      let source = picture.surface.pixels + ((y - picture.originY) * picture.surface.width - picture.originX)
      for x in box.minX..<box.maxX { row[x] = over(cover(source[x], opacity), row[x]) }
    }
  }

  package func fill(_ mask: CoverageMask, with source: PaintSource, clip: PixelRect, on target: Target) {
    let area = clip.intersection(target.area)
    guard !area.isEmpty else { return }
    fill(mask, movedBy: mask.place, with: source, area: area, on: target)
  }

  // MARK: Hidden pixels

  /// The smallest box that is left out, in pixels: leaving out less takes longer than painting it.
  private static let leastSpared = 1024
  /// The most boxes that are left out: more would cut the rest into many small ones.
  private static let mostSpared = 16

  /// Leaves a box, unless small, out of opaque fills until `spareNothing`: something will hide it.
  package func spare(_ box: PixelRect) {
    if box.area >= Self.leastSpared, spared.count < Self.mostSpared { spared.append(box) }
  }

  package func spareNothing() { spared.removeAll(keepingCapacity: true) }

  private func fill(_ box: PixelRect, besideSpared place: Int, with pixel: UInt32, on target: Target) {
    for index in place..<spared.count {
      if spared[index].intersection(box).isEmpty { continue }
      return box.forEachPart(outside: spared[index]) {
        fill($0, besideSpared: index + 1, with: pixel, on: target)
      }
    }
    target.fill(box, with: pixel)
  }

  package func fillBox(_ box: PixelRect, with source: PaintSource, on target: Target) {
    let box = box.intersection(target.area)
    guard !box.isEmpty else { return }
    switch source {
    case .color(let pixel) where pixel >> 24 == 255: fill(box, besideSpared: 0, with: pixel, on: target)
    case .color(let pixel):
      target.settle(box)
      colorPixel.pointee = pixel
      pixman_image_composite32(
        PIXMAN_OP_OVER, color, nil, target.surface.image, 0, 0, 0, 0, Int32(box.minX - target.originX),
        Int32(box.minY - target.originY), Int32(box.width), Int32(box.height))
    case .picture(let picture, let level):
      let box = box.intersection(picture.area)
      guard !box.isEmpty else { return }
      target.settle(box)
      setOpacity(level)
      pixman_image_composite32(
        PIXMAN_OP_OVER, picture.surface.image, level == 255 ? nil : opacity, target.surface.image,
        Int32(box.minX - picture.originX), Int32(box.minY - picture.originY), 0, 0,
        Int32(box.minX - target.originX), Int32(box.minY - target.originY), Int32(box.width),
        Int32(box.height))
    case .gradient(let gradient, let level): gradient.paint(box, opacity: level, on: target)
    }
  }

  /// Whether a pixman image has colours, such as the glyph of an emoji. If not, it is a mask.
  package static func hasColors(_ image: OpaquePointer) -> Bool {
    pixman_image_get_format(image) == PIXMAN_a8r8g8b8
  }

  /// Paints a premultiplied pixel through a mask whose top-left pixel is at (x, y) on the display.
  package func fill(
    _ mask: AlphaMask, x: Int, y: Int, with pixel: UInt32, clip: PixelRect, on target: Target
  ) {
    let box = PixelRect(x: x, y: y, width: mask.width, height: mask.height).intersection(clip)
      .intersection(target.area)
    guard !box.isEmpty else { return }
    if pixel >> 24 == 255 {
      let first = UnsafeRawPointer(mask.bytes) + ((box.minY - y) * mask.stride + (box.minX - x))
      return target.blend(pixel, through: first, step: mask.stride, box)
    }
    target.settle(box)
    colorPixel.pointee = pixel
    pixman_image_composite32(
      PIXMAN_OP_OVER, color, mask.image, target.surface.image, 0, 0, Int32(box.minX - x),
      Int32(box.minY - y), Int32(box.minX - target.originX), Int32(box.minY - target.originY),
      Int32(box.width), Int32(box.height))
  }

  /// Paints a pixman image, such as a glyph with colours, whose top-left pixel is at (x, y) on the display.
  package func fill(
    image: OpaquePointer, opacity level: UInt32, x: Int, y: Int, width: Int, height: Int, clip: PixelRect,
    on target: Target
  ) {
    let box = PixelRect(x: x, y: y, width: width, height: height).intersection(clip).intersection(target.area)
    guard !box.isEmpty else { return }
    target.settle(box)
    setOpacity(level)
    pixman_image_composite32(
      PIXMAN_OP_OVER, image, level == 255 ? nil : opacity, target.surface.image,
      Int32(box.minX - x), Int32(box.minY - y), 0, 0,
      Int32(box.minX - target.originX), Int32(box.minY - target.originY), Int32(box.width), Int32(box.height))
  }

  private func setOpacity(_ value: UInt32) {
    // All four bytes are the same, so that the machine's byte order does not matter.
    opacityPixel.pointee = value &* 0x0101_0101
  }

  private func fillFrame(
    _ area: PixelRect, around hole: PixelRect, with source: PaintSource, on target: Target
  ) {
    area.forEachPart(outside: hole) { fillBox($0, with: source, on: target) }
  }
}
