import TouchCore
import TouchSystem
import TouchViews

// Texts, icons, and both beside each other.

extension TreePainter {
  func paintText(
    _ text: String, _ style: TextStyle, in rect: LocalRect, _ room: TextRoom, of view: View,
    _ matrix: AffineTransform, _ pass: Pass
  ) {
    work += 1
    let found = texts.paint(
      text, style: style, bounds: rect, padding: style.padding ?? room.padding, displayFromLocal: matrix,
      clip: pass.clip, opacity: pass.opacity, on: pass.target,
      owner: room.isReported ? TextPainter.Owner(view: view.id, room: room.limits) : nil)
    if !found { notices.logNoText(family: style.family) }
  }

  func paint(
    _ title: Title, in bounds: LocalRect, of view: View, _ matrix: AffineTransform, _ pass: Pass
  ) {
    var room = TextRoom()
    room.limits = bounds
    if title.isPlain {
      guard !title.text.isEmpty else { return }
      room.padding = title.padding
      return paintText(title.text, title.style, in: bounds, room, of: view, matrix, pass)
    }
    let layout = title.layout(in: bounds) { [texts] text, style, width in
      texts.size(of: text, style: style, atWidth: width)
    }
    guard let layout else { return notices.logNoText(family: title.style.family) }
    if let rect = layout.icon {
      paint(title.icon, title.icon.color ?? title.style.color, in: rect, room: bounds, of: view, matrix, pass)
    }
    if let rect = layout.text {
      var style = title.style
      (style.padding, style.verticalAlignment) = (nil, .middle)
      if layout.detail != nil { style.lines = 1 }
      paintText(title.text, style, in: rect, room, of: view, matrix, pass)
    }
    if let rect = layout.detail {
      var style = title.detailStyle
      (style.padding, style.verticalAlignment, style.alignment) = (nil, .middle, title.style.alignment)
      style.lines = 1
      paintText(title.detail, style, in: rect, room, of: view, matrix, pass)
    }
  }

  private func drawing(of icon: Icon) -> (path: Path, line: Double?)? {
    if icon.isPath { return icon.drawing }
    if let known = ownIcons[icon.name] { return known }
    ownIcons[icon.name] = icon.drawing
    return ownIcons[icon.name]
  }

  /// Paints an icon's square within its visible part.
  func paint(
    _ icon: Icon, _ color: Color, in rect: LocalRect, room: LocalRect, of view: View,
    _ matrix: AffineTransform, _ pass: Pass
  ) {
    let character = icon.isPath ? nil : IconFont.installed?.character(icon.name)
    // A name of the font is that one's.
    if character == nil, let drawing = drawing(of: icon) {
      let scale = rect.size.width / Icon.drawingSide
      let place = AffineTransform(a: scale, b: 0, c: 0, d: scale, tx: rect.minX, ty: rect.minY).then(matrix)
      guard let source = source(.color(color), matrix, pass) else { return }
      work += 1
      compositor.paths.begin(place)
      compositor.paths.add(drawing.path)
      let mask =
        drawing.line.map { compositor.paths.stroke(StrokeStyle(width: $0)) } ?? compositor.paths.fill()
      return compositor.fill(mask, with: source, clip: pass.clip, on: pass.target)
    }
    guard IconFont.installed != nil else { return notices.log(.iconsUnavailable) }
    guard let character else {
      return notices.log(.iconUnknown(name: icon.name, view: view.id))
    }
    var style = TextStyle(family: IconFont.family, size: rect.size.width, color: color, alignment: .center)
    style.padding = .zero
    // Whole pixels may be a little wider than the square, and an icon is never cut.
    let found = texts.paint(
      String(character), style: style, bounds: rect.outset(by: 2), padding: .zero, displayFromLocal: matrix,
      clip: pass.clip, opacity: pass.opacity, on: pass.target,
      owner: TextPainter.Owner(view: view.id, room: room))
    if !found { notices.logNoText(family: IconFont.family) }
  }
}
