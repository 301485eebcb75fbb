import TouchCore
import TouchPixels
import TouchViews

extension TreePainter {
  /// The text of a field, what of it is selected, and the caret.
  func paint(_ field: TextField, _ matrix: AffineTransform, _ pass: Pass) {
    let room = field.textRect
    // A caret at the end of the text may stand a little outside.
    let seen = LocalRect(
      x: room.minX, y: field.bounds.minY, width: room.size.width + 2, height: field.bounds.size.height)
    if let shape = RoundedRect(seen, displayFromLocal: matrix),
      shape.pixels.intersection(pass.clip).isEmpty == false
    {
      var inside = pass
      inside.clip = pass.clip.intersection(shape.pixels)
      paintText(of: field, in: room, shape, matrix, inside)
    }
    if field.showsClearButton { paintClearButton(of: field, matrix, pass) }
    if field.isFirstResponder { field.resumeBlinking() }
  }

  private func paintText(
    of field: TextField, in room: LocalRect, _ shape: RoundedRect, _ matrix: AffineTransform, _ pass: Pass
  ) {
    var selected = field.tint
    selected.alpha = UInt8(Int(selected.alpha) * 0x60 / 255)
    for rect in field.selectionRects { fillRect(rect, selected, matrix, pass) }
    var style = field.textStyle
    (style.lines, style.padding) = (1, .zero)
    if field.hasText {
      // What is painted has no room for spaces at its end, which are on the left where it is read from the right.
      style.alignment = .left
      let text = field.seenText
      let place = LocalRect(
        x: field.textOrigin + field.leftSpaces + text.start, y: room.minY, width: text.width + style.size,
        height: room.size.height)
      paintText(
        text.letters, style, in: place, room: field.bounds, padding: .zero, of: field, shape, matrix,
        pass,
        isReported: field.privateView == nil)
    } else if !field.placeholder.isEmpty {
      style.color.alpha = UInt8(Int(style.color.alpha) * 0x66 / 255)
      // Where the caret stands beside it.
      let caret = field.caretRect.size.width
      let place = LocalRect(
        x: room.minX + caret, y: room.minY, width: max(0, room.size.width - caret), height: room.size.height)
      paintText(
        field.placeholder, style, in: place, room: field.bounds, padding: .zero, of: field, shape, matrix,
        pass)
    }
    if field.isCaretOn, field.selection.isEmpty { fillRect(field.caretRect, field.tint, matrix, pass) }
  }

  /// A disc with a cross.
  private func paintClearButton(of field: TextField, _ matrix: AffineTransform, _ pass: Pass) {
    let rect = field.clearRect
    let (x, y, radius) = (rect.midX.rounded(), rect.midY.rounded(), 9.0)
    let disc = LocalRect(x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius)
    let surface = field.surfaceColor
    let color = surface.mixed(with: surface.contrast, parts: 120)
    if let shape = RoundedRect(disc, radiusX: radius, radiusY: radius, displayFromLocal: matrix) {
      fill(shape, color, pass)
    }
    let bar = LocalRect(x: -4.5, y: -0.75, width: 9, height: 1.5)
    let half = 0.5.squareRoot()
    for sine in [half, -half] {
      let across = AffineTransform(a: half, b: sine, c: -sine, d: half, tx: x, ty: y)
      if let shape = RoundedRect(bar, displayFromLocal: across.then(matrix)) { fill(shape, surface, pass) }
    }
  }
}
