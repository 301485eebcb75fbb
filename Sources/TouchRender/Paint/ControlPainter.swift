import TouchCore
import TouchPixels
import TouchViews

// The parts of controls that show a value. Where they are is the control's to say, so that they are where touches find them.
//
// A part that moves is painted at whole pixels, and what a value divides is cut at whole pixels: both are sharp, and no
// mask is made while a finger drags.

extension TreePainter {
  /// The indicators of a scroll view, over its content.
  func paintIndicators(of scrollView: ScrollView, _ matrix: AffineTransform, _ pass: Pass) {
    guard scrollView.indicatorOpacity > 0 else { return }
    var color = scrollView.surfaceColor.contrast
    color.alpha = UInt8(min(1, scrollView.indicatorOpacity) * 0x80)
    let rects = scrollView.indicatorRects
    for rect in [rects.horizontal, rects.vertical] {
      if let rect { fillMoving(rect, color, matrix, pass) }
    }
  }

}

// MARK: Parts of parts

extension TreePainter {
  /// A rectangle whose shorter sides are round.
  private func capsule(_ rect: LocalRect, _ matrix: AffineTransform) -> RoundedRect? {
    let radius = min(rect.size.width, rect.size.height) / 2
    return RoundedRect(rect, radiusX: radius, radiusY: radius, displayFromLocal: matrix)
  }

  /// What a part is filled with.
  private func source(_ color: Color, _ pass: Pass) -> PaintSource {
    .color(color.premultiplied(coverage: pass.opacity))
  }

  /// A colour, or in its place a gradient from the left end of a bar to the right one.
  private func source(
    _ color: Color, _ gradient: Gradient?, along bar: LocalRect, _ matrix: AffineTransform, _ pass: Pass
  ) -> PaintSource {
    guard var gradient else { return source(color, pass) }
    (gradient.kind, gradient.angle) = (.linear, 90)
    let fill = decorations.fill(gradient, over: bar, matrix)
    return fill.map { .gradient($0, opacity: pass.opacity) } ?? source(color, pass)
  }

  private func fill(_ shape: RoundedRect, _ source: PaintSource, _ pass: Pass) {
    work += 1
    compositor.fill(shape, with: source, clip: pass.clip, on: pass.target)
  }

  func fillRect(_ rect: LocalRect, _ color: Color, _ matrix: AffineTransform, _ pass: Pass) {
    if let shape = RoundedRect(rect, displayFromLocal: matrix) { fill(shape, color, pass) }
  }

  /// Fills the part of a capsule between two places along it.
  private func fillBar(
    _ bar: LocalRect, _ source: PaintSource, from left: Double, to right: Double, _ matrix: AffineTransform,
    _ pass: Pass
  ) {
    let part = LocalRect(x: left, y: bar.minY, width: max(0, right - left), height: bar.maxY - bar.minY)
    fillBar(bar, radius: min(bar.size.width, bar.size.height) / 2, source, part, matrix, pass)
  }

  /// Fills the part of a rounded bar that lies in a rectangle as high as the bar.
  private func fillBar(
    _ bar: LocalRect, radius: Double, _ source: PaintSource, _ part: LocalRect, _ matrix: AffineTransform,
    _ pass: Pass
  ) {
    guard !part.isEmpty else { return }
    guard matrix.isUpright else {
      if let shape = RoundedRect(part, radiusX: radius, radiusY: radius, displayFromLocal: matrix) {
        fill(shape, source, pass)
      }
      return
    }
    guard let shape = RoundedRect(bar, radiusX: radius, radiusY: radius, displayFromLocal: matrix) else {
      return
    }
    var clipped = pass
    // Both sides of a cut are rounded to the same pixel.
    var pixels = PixelRect(covering: matrix.bounding(part), sliver: 0.5)
    // Along the bar only: its edges may lie between pixels. What is left of a length after sums may miss its end.
    let isFirst = part.minX < bar.minX + 1e-6
    let isLast = part.maxX > bar.maxX - 1e-6
    if matrix.b == 0 {
      (pixels.minY, pixels.maxY) = (shape.pixels.minY, shape.pixels.maxY)
      if matrix.a > 0 ? isFirst : isLast { pixels.minX = shape.pixels.minX }
      if matrix.a > 0 ? isLast : isFirst { pixels.maxX = shape.pixels.maxX }
    } else {
      (pixels.minX, pixels.maxX) = (shape.pixels.minX, shape.pixels.maxX)
      if matrix.b > 0 ? isFirst : isLast { pixels.minY = shape.pixels.minY }
      if matrix.b > 0 ? isLast : isFirst { pixels.maxY = shape.pixels.maxY }
    }
    clipped.clip = pass.clip.intersection(pixels)
    fill(shape, source, clipped)
  }

  /// Fills a disc, or a capsule, at whole pixels.
  private func fillMoving(_ rect: LocalRect, _ color: Color, _ matrix: AffineTransform, _ pass: Pass) {
    fillMoving(rect, source(color, pass), matrix, pass)
  }

  private func fillMoving(_ rect: LocalRect, _ source: PaintSource, _ matrix: AffineTransform, _ pass: Pass) {
    guard !rect.isEmpty, pass.opacity > 0 else { return }
    work += 1
    let own = LocalRect(x: 0, y: 0, width: rect.size.width, height: rect.size.height)
    var template = matrix
    (template.tx, template.ty) = (0, 0)
    let extent: Rect<DisplaySpace> = template.bounding(own)
    (template.tx, template.ty) = (-extent.minX, -extent.minY)
    guard let shape = capsule(own, template) else { return }
    // Rounded down, so that it stays within the pixels that the rectangle touches, which are the damage.
    let place = PixelRect(covering: matrix.bounding(rect), sliver: RoundedRect.snap)
    compositor.fill(
      shape, movedBy: (place.minX - shape.pixels.minX, place.minY - shape.pixels.minY), with: source,
      clip: pass.clip.intersection(place), on: pass.target)
  }
}
