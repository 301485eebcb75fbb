import TouchCore
import TouchPixels
import TouchViews

// The parts of controls that show a value. Where they are is the control's to say, so that they are where touches find them.
//
// A part that moves is painted at whole pixels, and what a value divides is cut at whole pixels: both are sharp, and no
// mask is made while a finger drags.

extension TreePainter {
  /// Only the rows that lie in the clip.
  func paint(_ list: ListView, _ matrix: AffineTransform, _ pass: Pass) {
    guard let inverse = matrix.inverse, let shape = RoundedRect(list.bounds, displayFromLocal: matrix) else {
      return
    }
    let clip = pass.clip
    let seen: LocalRect = inverse.bounding(
      Rect<DisplaySpace>(
        x: Double(clip.minX), y: Double(clip.minY), width: Double(clip.width), height: Double(clip.height)))
    let colors = list.colors
    let padding = list.textStyle.padding ?? ListView.padding
    // What is lower than a pixel cannot be read, and there may be thousands.
    let isLow = list.rowHeight * (matrix.c * matrix.c + matrix.d * matrix.d).squareRoot() < 1
    for row in list.rows(from: seen.minY, to: seen.maxY) {
      var rect = list.rect(of: row)
      if row == list.swipedRow {
        paintActions(of: list, shape, matrix, pass)
        rect = rect.offsetBy(dx: list.swipeOffset, dy: 0)
      }
      let (chosen, isPressed) = (choice(of: row, in: list), list.pressedRow == row)
      if isLow, chosen == 0, !isPressed { continue }
      if isPressed, chosen < 1 { fillRow(rect, of: list, colors.track, matrix, pass) }
      if chosen > 0 {
        var color = isPressed ? colors.tint.pressed : colors.tint
        color.alpha = UInt8(Double(color.alpha) * chosen + 0.5)
        fillRow(rect, of: list, color, matrix, pass)
      } else if !isPressed, row + 1 < list.rows.count, choice(of: row + 1, in: list) == 0,
        list.pressedRow != row + 1
      {
        let line = LocalRect(
          x: rect.minX + padding.left, y: rect.maxY - 1, width: max(0, rect.size.width - padding.left),
          height: 1)
        fillRect(line, colors.track, matrix, pass)
      }
      var style = list.textStyle
      style.color = style.color.mixed(with: colors.tint.contrast, chosen)
      var title = Title(list.rows[row], style, padding: padding)
      if list.icons.indices.contains(row) { title.icon.name = list.icons[row] }
      self.paint(title, in: rect, of: list, matrix, pass)
    }
  }

  /// How much of the colour of a chosen row a row has.
  private func choice(of row: Int, in list: ListView) -> Double {
    let part = list.presentedChoice ?? 1
    if row == list.selectedRow { return part }
    return row == list.leftRow ? 1 - part : 0
  }

  /// Fills a row, inside of the round corners that a list may have.
  private func fillRow(
    _ rect: LocalRect, of list: ListView, _ color: Color, _ matrix: AffineTransform, _ pass: Pass
  ) {
    let radius = list.cornerRadius
    guard radius > 0, matrix.isUpright,
      let shape = RoundedRect(list.bounds, radiusX: radius, radiusY: radius, displayFromLocal: matrix)
    else { return fillRect(rect, color, matrix, pass) }
    var part = pass
    part.clip = pass.clip.intersection(PixelRect(covering: matrix.bounding(rect), sliver: 0.5))
    if !part.clip.isEmpty { fill(shape, color, part) }
  }

  /// What is seen behind the row that is aside.
  private func paintActions(
    of list: ListView, _ shape: RoundedRect, _ matrix: AffineTransform, _ pass: Pass
  ) {
    for (action, rect) in list.swipeActions {
      let isRed = list.destructiveActions.contains(action)
      let color = isRed ? list.destructiveColor : list.colors.track
      var part = pass
      part.clip = pass.clip.intersection(shape.pixels)
        .intersection(PixelRect(covering: matrix.bounding(rect), sliver: 0.5))
      guard !part.clip.isEmpty else { continue }
      fillRect(rect, list.pressedAction == action ? color.pressed : color, matrix, part)
      var style = list.textStyle
      (style.color, style.alignment, style.padding) = (color.contrast, .center, nil)
      let padding = Insets(top: 0, left: 6, bottom: 0, right: 6)
      paintText(action, style, in: rect, padding: padding, of: list, shape, matrix, part)
    }
  }

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
