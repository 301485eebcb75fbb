import CPixman
import Glibc
import TouchCore

extension pixman_transform {
  /// Makes a matrix from destination to source pixels, in pixman's 16.16 numbers; nil beyond them.
  package init?(_ matrix: AffineTransform) {
    func fixed(_ value: Double) -> pixman_fixed_t? { Int32(exactly: (value * 65_536).rounded()) }
    guard let a = fixed(matrix.a), let b = fixed(matrix.b), let c = fixed(matrix.c), let d = fixed(matrix.d),
      let tx = fixed(matrix.tx), let ty = fixed(matrix.ty)
    else { return nil }
    self.init(matrix: ((a, c, tx), (b, d, ty), (0, 0, 65_536)))
  }
}

extension Surface {
  /// The pixels outside the surface when it is drawn under a transform.
  package enum Beyond { case transparent, edgePixels }

  /// Draws the surface under a transform into a new one of some display pixels; nil without an inverse, out
  /// of pixman's range, or without memory.
  package func transformed(by displayFromSelf: AffineTransform, area: PixelRect, beyond: Beyond) -> Target? {
    guard let result = try? Surface(width: area.width, height: area.height) else { return nil }
    let target = Target(surface: result, originX: area.minX, originY: area.minY)
    return draw(by: displayFromSelf, on: target, rows: 0..<area.height, beyond: beyond) ? target : nil
  }

  /// Draws the surface under a transform into rows of a picture, in one piece or several; false without an
  /// inverse, or out of pixman's range.
  package func draw(
    by displayFromSelf: AffineTransform, on target: Target, rows: Range<Int>, beyond: Beyond
  ) -> Bool {
    guard let selfFromDisplay = displayFromSelf.inverse else { return false }
    let shift = AffineTransform.translation(x: Double(target.originX), y: Double(target.originY))
    guard var transform = pixman_transform(shift.then(selfFromDisplay)) else { return false }
    pixman_image_set_transform(image, &transform)
    pixman_image_set_repeat(image, beyond == .transparent ? PIXMAN_REPEAT_NONE : PIXMAN_REPEAT_PAD)
    setFilter(for: selfFromDisplay)
    let first = Int32(rows.lowerBound)
    pixman_image_composite32(
      PIXMAN_OP_SRC, image, nil, target.surface.image, 0, first, 0, 0, 0, first,
      Int32(target.surface.width), Int32(rows.count))
    pixman_image_set_transform(image, nil)
    return true
  }

  /// Sets a filter that averages if the surface becomes smaller, and else interpolates.
  private func setFilter(for selfFromDisplay: AffineTransform) {
    let stepX = (selfFromDisplay.a * selfFromDisplay.a + selfFromDisplay.c * selfFromDisplay.c).squareRoot()
    let stepY = (selfFromDisplay.b * selfFromDisplay.b + selfFromDisplay.d * selfFromDisplay.d).squareRoot()
    // Averaging over more pixels makes no visible difference and needs much memory.
    let most = 64.0
    guard max(stepX, stepY) > 1.001 else {
      pixman_image_set_filter(image, PIXMAN_FILTER_BILINEAR, nil, 0)
      return
    }
    var count: Int32 = 0
    let parameters = pixman_filter_create_separable_convolution(
      &count, Int32(min(most, max(1, stepX)) * 65_536), Int32(min(most, max(1, stepY)) * 65_536),
      PIXMAN_KERNEL_LINEAR, PIXMAN_KERNEL_LINEAR, PIXMAN_KERNEL_BOX, PIXMAN_KERNEL_BOX, 4, 4)
    guard let parameters else { return }
    pixman_image_set_filter(image, PIXMAN_FILTER_SEPARABLE_CONVOLUTION, parameters, count)
    free(parameters)
  }
}
