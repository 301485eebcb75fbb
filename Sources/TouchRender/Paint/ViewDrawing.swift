import TouchCore
import TouchPixels
import TouchViews

/// The canvas of the views' graphics context. (`View.draw(in:)`) Outside of a pass it draws nothing.
final class ViewDrawing: DrawingCanvas {
  /// The painter, which is alive while there is a pass.
  private unowned(unsafe) let painter: TreePainter
  private let display: PixelRect
  private var matrix = AffineTransform.identity
  private var pass: TreePainter.Pass?
  private var view: View?

  /// - Parameter painter: the painter. It must be alive while the canvas has a pass.
  init(on painter: TreePainter) {
    self.painter = painter
    display = painter.display
  }

  /// Calls a closure with the canvas set to a view. The view's bounds cut off its drawing.
  func draw(
    _ view: View, _ shape: RoundedRect, _ matrix: AffineTransform, _ pass: TreePainter.Pass,
    by body: () -> Void
  ) {
    var pass = pass
    pass.clip = pass.clip.intersection(shape.pixels)
    guard !pass.clip.isEmpty else { return }
    let before = (self.matrix, self.pass, self.view)
    (self.matrix, self.pass, self.view) = (matrix, pass, view)
    body()
    (self.matrix, self.pass, self.view) = before
  }

  private func draw(in pass: TreePainter.Pass, _ body: () -> Void) {
    let before = self.pass
    self.pass = pass
    body()
    self.pass = before
  }

  private func outline(_ shape: DrawnShape) -> RoundedRect? {
    RoundedRect(
      shape.rect, radiusX: shape.radius.width, radiusY: shape.radius.height, displayFromLocal: matrix)
  }

  // MARK: Shapes

  func fill(_ shape: DrawnShape, without hole: DrawnShape?, with paint: Paint) {
    guard let pass, let outline = outline(shape) else { return }
    painter.fill(outline, without: hole.flatMap { self.outline($0) }, paint, matrix, pass)
  }

  func fillMoving(_ rect: LocalRect, with paint: Paint) {
    guard let pass, !rect.isEmpty, pass.opacity > 0, let source = painter.source(paint, matrix, pass) else {
      return
    }
    let own = LocalRect(x: 0, y: 0, width: rect.size.width, height: rect.size.height)
    var template = matrix
    (template.tx, template.ty) = (0, 0)
    let extent: Rect<DisplaySpace> = template.bounding(own)
    (template.tx, template.ty) = (-extent.minX, -extent.minY)
    let radius = min(own.size.width, own.size.height) / 2
    guard let shape = RoundedRect(own, radiusX: radius, radiusY: radius, displayFromLocal: template) else {
      return
    }
    painter.work += 1
    // The bar is rounded down to the pixels that the rectangle touches, which are the damage.
    let place = PixelRect(covering: matrix.bounding(rect), sliver: RoundedRect.snap)
    painter.compositor.fill(
      shape, movedBy: (place.minX - shape.pixels.minX, place.minY - shape.pixels.minY), with: source,
      clip: pass.clip.intersection(place), on: pass.target)
  }

  func fill(_ part: LocalRect, of bar: DrawnShape, with paint: Paint) {
    guard var pass, let source = painter.source(paint, matrix, pass) else { return }
    // A turned bar cannot be cut at whole pixels.
    guard matrix.isUpright else {
      if let shape = outline(DrawnShape(part, radius: bar.radius)) { painter.fill(shape, with: source, pass) }
      return
    }
    guard let shape = outline(bar) else { return }
    // Both sides of a cut are rounded to the same pixel.
    var pixels = PixelRect(covering: matrix.bounding(part), sliver: 0.5)
    // The cut is along the bar only. Sums of lengths may miss the bar's end.
    let isFirst = part.minX < bar.rect.minX + 1e-6
    let isLast = part.maxX > bar.rect.maxX - 1e-6
    if matrix.b == 0 {
      (pixels.minY, pixels.maxY) = (shape.pixels.minY, shape.pixels.maxY)
      if matrix.a > 0 ? isFirst : isLast { pixels.minX = shape.pixels.minX }
      if matrix.a > 0 ? isLast : isFirst { pixels.maxX = shape.pixels.maxX }
    } else {
      (pixels.minX, pixels.maxX) = (shape.pixels.minX, shape.pixels.maxX)
      if matrix.b > 0 ? isFirst : isLast { pixels.minY = shape.pixels.minY }
      if matrix.b > 0 ? isLast : isFirst { pixels.maxY = shape.pixels.maxY }
    }
    pass.clip = pass.clip.intersection(pixels)
    painter.fill(shape, with: source, pass)
  }

  func fillPixels(_ rect: LocalRect, isLine: Bool, with color: Color) {
    guard let pass, !rect.isEmpty else { return }
    guard matrix.isUpright else {
      if let shape = outline(DrawnShape(rect)) { painter.fill(shape, color, pass) }
      return
    }
    let place: Rect<DisplaySpace> = matrix.bounding(rect)
    var pixels = PixelRect(covering: place, sliver: 0.5)
    if isLine, matrix.b == 0 {
      pixels.maxY = pixels.minY + max(1, Int(place.size.height.rounded()))
    } else if isLine {
      pixels.maxX = pixels.minX + max(1, Int(place.size.width.rounded()))
    }
    pixels = pixels.intersection(pass.clip)
    let pixel = color.premultiplied(coverage: pass.opacity)
    guard pixel >> 24 > 0, !pixels.isEmpty else { return }
    painter.work += 1
    painter.compositor.fillBox(pixels, with: .color(pixel), on: pass.target)
  }

  func drawShadow(_ shadow: Shadow, ofMoving rect: LocalRect, in room: LocalRect) {
    guard var pass, pass.opacity == 255 else { return }
    pass.clip = pass.clip.intersection(PixelRect(covering: matrix.bounding(room), sliver: RoundedRect.snap))
    painter.paintShadow(shadow, ofKnob: rect, matrix, pass)
  }

  // MARK: Paths

  func beginPath() { if pass != nil { painter.compositor.paths.begin(matrix) } }

  func move(to point: LocalPoint) { if pass != nil { painter.compositor.paths.move(to: point) } }

  func addLine(to point: LocalPoint) {
    guard pass != nil else { return }
    painter.work += 1
    painter.compositor.paths.line(to: point)
  }

  func addArc(_ arc: Arc) { if pass != nil { painter.compositor.paths.add(arc) } }

  func addPath(_ path: Path) { if pass != nil { painter.compositor.paths.add(path) } }

  func closePath() { if pass != nil { painter.compositor.paths.close() } }

  func drawPath(_ style: StrokeStyle?, with paint: Paint) {
    guard let pass, let source = painter.source(paint, matrix, pass) else { return }
    let paths = painter.compositor.paths
    let mask = if let style { paths.stroke(style) } else { paths.fill() }
    painter.compositor.fill(mask, with: source, clip: pass.clip, on: pass.target)
  }

  // MARK: Texts and pictures

  func draw(_ text: String, _ style: TextStyle, in rect: LocalRect, _ room: TextRoom) {
    guard var pass, let view else { return }
    if room.isCut {
      guard let outline = outline(DrawnShape(rect)) else { return }
      pass.clip = pass.clip.intersection(outline.pixels)
    }
    painter.paintText(text, style, in: rect, room, of: view, matrix, pass)
  }

  func draw(_ title: Title, in rect: LocalRect) {
    if let pass, let view { painter.paint(title, in: rect, of: view, matrix, pass) }
  }

  func draw(_ icon: Icon, _ color: Color, in rect: LocalRect, room: LocalRect) {
    if let pass, let view { painter.paint(icon, color, in: rect, room: room, of: view, matrix, pass) }
  }

  func draw(_ image: Image, _ mode: ImageView.Mode, in rect: LocalRect) {
    guard let pass, let view, let shape = outline(DrawnShape(rect)) else { return }
    let picture = painter.images.picture(
      PictureKey(path: image.path, mode: mode, slice: nil, bounds: rect, displayFromLocal: matrix),
      shown: &image.version, in: view)
    painter.paint(picture, in: rect, shape, matrix, pass)
  }

  func drawPicture(of view: ImageView) {
    guard let pass, let shape = TreePainter.outline(of: view, displayFromLocal: matrix) else { return }
    painter.paint(
      painter.images.picture(of: view, displayFromLocal: matrix), in: view.bounds, shape, matrix, pass)
  }

  func code(of text: String) -> CodeModules? {
    guard let view else { return nil }
    switch CodeEncoder.shared {
    case .success(let encoder):
      let code = encoder.code(of: text)
      if code == nil { painter.notices.log(.codeTooLong(view: view.id)) }
      return code
    case .failure(let missing):
      painter.notices.log(.codesUnavailable(reason: missing.reason))
      return nil
    }
  }

  // MARK: State

  func transform(by transform: AffineTransform, _ body: () -> Void) {
    let before = matrix
    matrix = transform.then(matrix)
    body()
    matrix = before
  }

  func clip(to shape: DrawnShape, _ body: () -> Void) {
    guard var pass, let outline = outline(shape) else { return }
    let opacity = pass.opacity
    let clip = pass.clip.intersection(outline.pixels)
    guard !outline.isExact, !painter.layers.isExhausted else {
      pass.clip = clip
      return draw(in: pass, body)
    }
    painter.inLayer(over: clip) {
      draw(in: $0, body)
    } then: { layer, area in
      painter.compositor.fill(outline, with: .picture(layer, opacity: opacity), clip: area, on: pass.target)
    }
  }

  func clipToPixels(_ rect: LocalRect, isWide: Bool, _ body: () -> Void) {
    guard var pass else { return }
    pass.clip = pass.clip.intersection(
      PixelRect(covering: matrix.bounding(rect), sliver: isWide ? RoundedRect.snap : 0.5))
    if !pass.clip.isEmpty { draw(in: pass, body) }
  }

  func fade(to alpha: Double, _ body: () -> Void) {
    let opacity = alpha > 0 ? UInt32(min(1, alpha) * 255 + 0.5) : 0
    guard let pass, opacity > 0 else { return }
    guard opacity < 255, !painter.layers.isExhausted else { return body() }
    painter.inLayer(over: pass.clip) {
      draw(in: $0, body)
    } then: { layer, area in
      painter.compositor.fillBox(
        area, with: .picture(layer, opacity: Color.multiply(opacity, pass.opacity)), on: pass.target)
    }
  }

  // MARK: The display

  var clipBox: LocalRect { pass.map { localBox($0.clip) } ?? .zero }

  var displayBox: LocalRect { localBox(display) }

  private func localBox(_ pixels: PixelRect) -> LocalRect {
    let box = Rect<DisplaySpace>(
      x: Double(pixels.minX), y: Double(pixels.minY), width: Double(pixels.width),
      height: Double(pixels.height))
    return matrix.inverse?.bounding(box) ?? .zero
  }

  var pixelsPerUnit: Size {
    Size(
      width: (matrix.a * matrix.a + matrix.b * matrix.b).squareRoot(),
      height: (matrix.c * matrix.c + matrix.d * matrix.d).squareRoot())
  }

  var isUpright: Bool { matrix.isUpright }
}

extension AffineTransform {
  /// Whether the sides of a rectangle run along those of pixels.
  var isUpright: Bool { b == 0 && c == 0 || a == 0 && d == 0 }
}
