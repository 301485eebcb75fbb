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
  /// What `fillBox` leaves out, because something opaque is painted over it.
  private var spared: [PixelRect] = []

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
    fill(masks.mask(shape, without: hole), with: source, area: area, on: target)
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
    fill(masks.mask(shape, without: hole), movedBy: offset, with: source, area: area, on: target)
  }

  /// Fills what a mask covers of an area.
  private func fill(
    _ mask: CoverageMask, movedBy offset: (x: Int, y: Int) = (0, 0), with source: PaintSource,
    area: PixelRect,
    on target: Target
  ) {
    let masked = area.offset(x: -offset.x, y: -offset.y)
    mask.forEachPatch(from: masked.minY, to: masked.maxY) { patch in
      let box = patch.box.intersection(masked).offset(x: offset.x, y: offset.y)
      if box.isEmpty { return }
      switch source {
      case .color(let pixel): fill(box, with: cover(pixel, UInt32(patch.coverage)), on: target)
      case .picture(let picture, let opacity):
        fill(box, from: picture, opacity: Color.multiply(UInt32(patch.coverage), opacity), on: target)
      case .gradient(let gradient, let opacity):
        let opacity = Color.multiply(UInt32(patch.coverage), opacity)
        fillBox(box, with: .gradient(gradient, opacity: opacity), on: target)
      }
    }
  }

  /// The largest box that is filled pixel by pixel, in pixels: pixman's setup would take longer. Most are one pixel of a smooth corner.
  private static let fewPixels = 16

  /// Fills a box of the target with a premultiplied pixel.
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

  /// Fills a box of the target from a picture.
  private func fill(_ box: PixelRect, from picture: Target, opacity: UInt32, on target: Target) {
    guard box.width * box.height <= Self.fewPixels else {
      return fillBox(box, with: .picture(picture, opacity: opacity), on: target)
    }
    let box = box.intersection(picture.area)
    guard !box.isEmpty else { return }
    for y in box.minY..<box.maxY {
      let row = target.surface.pixels + ((y - target.originY) * target.surface.width - target.originX)
      let source =
        picture.surface.pixels + ((y - picture.originY) * picture.surface.width - picture.originX)
      for x in box.minX..<box.maxX { row[x] = over(cover(source[x], opacity), row[x]) }
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

    /// A row of pixels: where it is near the two rays, and which side of them is inside.
    fileprivate struct Row {
      let y: Int
      /// The distances from the rays, at the display's column 0, and how they change from one column to the next.
      private let afterStart: Double
      private let beforeEnd: Double
      private let startChange: Double
      private let endChange: Double
      private let isWide: Bool

      init(_ sector: Sector, y: Int) {
        self.y = y
        let (dx, dy) = (0.5 - sector.x, Double(y) + 0.5 - sector.y)
        afterStart = sector.start.x * dy - sector.start.y * dx
        beforeEnd = dx * sector.end.y - dy * sector.end.x
        (startChange, endChange) = (-sector.start.y, sector.end.y)
        isWide = sector.isWide
      }

      /// The coverage of all pixels of a row between two columns: 0 or 255. Nil if one of them is near a ray.
      @inline(__always)
      func coverage(from minX: Int, to maxX: Int) -> UInt32? {
        let (first, last) = (Double(minX), Double(maxX - 1))
        let (start, startLast) = (afterStart + startChange * first, afterStart + startChange * last)
        let (end, endLast) = (beforeEnd + endChange * first, beforeEnd + endChange * last)
        // The distances are linear: in between they are between those at the ends.
        guard start >= 0.5 && startLast >= 0.5 || start <= -0.5 && startLast <= -0.5,
          end >= 0.5 && endLast >= 0.5 || end <= -0.5 && endLast <= -0.5
        else { return nil }
        return (isWide ? start > 0 || end > 0 : start > 0 && end > 0) ? 255 : 0
      }
    }

    /// How much of a pixel lies inside, 0 … 255: the edges are smoothed over one pixel.
    @inline(__always)
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
    var row = Sector.Row(sector, y: area.minY)
    masks.mask(shape, without: hole).forEachPatch(from: area.minY, to: area.maxY) { patch in
      let box = patch.box.intersection(area)
      if box.isEmpty { return }
      for y in box.minY..<box.maxY {
        if y != row.y { row = Sector.Row(sector, y: y) }
        fill(
          from: box.minX, to: box.maxX, row, of: sector, with: pixel, coverage: UInt32(patch.coverage),
          on: target)
      }
    }
  }

  /// The widest part of a row near a sector's edge that is filled pixel by pixel.
  private static let narrowPart = 4

  /// - Parameter coverage: of each pixel by the shape, 1 … 255.
  private func fill(
    from minX: Int, to maxX: Int, _ row: Sector.Row, of sector: Sector, with pixel: UInt32, coverage: UInt32,
    on target: Target
  ) {
    if let inside = row.coverage(from: minX, to: maxX) {
      if inside > 0 {
        fill(
          PixelRect(minX: minX, minY: row.y, maxX: maxX, maxY: row.y + 1), with: cover(pixel, coverage),
          on: target)
      }
      return
    }
    guard maxX - minX <= Self.narrowPart else {
      let middle = (minX + maxX) / 2
      fill(from: minX, to: middle, row, of: sector, with: pixel, coverage: coverage, on: target)
      return fill(from: middle, to: maxX, row, of: sector, with: pixel, coverage: coverage, on: target)
    }
    let pixels = target.surface.pixels + ((row.y - target.originY) * target.surface.width - target.originX)
    for x in minX..<maxX {
      pixels[x] = over(cover(pixel, Color.multiply(sector.coverage(x: x, y: row.y), coverage)), pixels[x])
    }
  }

  // MARK: What is hidden

  /// The largest box that a shape covers completely. Empty where that is not worth looking at.
  package func core(of shape: RoundedRect) -> PixelRect {
    let box = shape.isExact ? shape.pixels : masks.mask(shape, without: nil).core
    return box.area >= Self.leastSpared ? box : .empty
  }

  /// In pixels: leaving out less takes longer than painting it.
  private static let leastSpared = 1024
  /// More boxes would cut what is left into many small ones.
  private static let mostSpared = 16

  /// Leaves a box out of opaque fills until `spareNothing`: something opaque will be painted over it.
  package func spare(_ box: PixelRect) {
    if !box.isEmpty, spared.count < Self.mostSpared { spared.append(box) }
  }

  package func spareNothing() {
    spared.removeAll(keepingCapacity: true)
  }

  /// Fills what lies outside of the spared boxes from the one at this place on.
  private func fill(_ box: PixelRect, besideSpared place: Int, with pixel: UInt32, on target: Target) {
    for index in place..<spared.count {
      let cut = spared[index].intersection(box)
      if cut.isEmpty { continue }
      func part(_ minX: Int, _ minY: Int, _ maxX: Int, _ maxY: Int) {
        let part = PixelRect(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
        if !part.isEmpty { fill(part, besideSpared: index + 1, with: pixel, on: target) }
      }
      part(box.minX, box.minY, box.maxX, cut.minY)
      part(box.minX, cut.minY, cut.minX, cut.maxY)
      part(cut.maxX, cut.minY, box.maxX, cut.maxY)
      part(box.minX, cut.maxY, box.maxX, box.maxY)
      return
    }
    target.fill(box, with: pixel)
  }

  /// Fills whole pixels.
  package func fillBox(_ box: PixelRect, with source: PaintSource, on target: Target) {
    let box = box.intersection(target.area)
    guard !box.isEmpty else { return }
    switch source {
    case .color(let pixel) where pixel >> 24 == 255:
      fill(box, besideSpared: 0, with: pixel, on: target)
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
    if pixel >> 24 == 255, pixman_image_get_format(mask) == PIXMAN_a8,
      let memory = pixman_image_get_data(mask)
    {
      let step = Int(pixman_image_get_stride(mask))
      let first = UnsafeRawPointer(memory) + ((box.minY - y) * step + (box.minX - x))
      return target.blend(pixel, through: first, step: step, box)
    }
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
