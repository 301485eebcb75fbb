import TouchCore
import TouchPixels
import TouchViews

/// Has views draw themselves: what their graphics context does, is done here. (`View.draw(in:)`)
final class ViewDrawing {
  private unowned let painter: TreePainter
  private var matrix = AffineTransform.identity
  private var pass: TreePainter.Pass?
  private var view: View?
  /// Made when a view is first painted.
  private var context: GraphicsContext?

  init(on painter: TreePainter) {
    self.painter = painter
  }

  /// Calls the view's `draw(in:)`. What it draws outside of its bounds is cut off.
  func draw(_ view: View, _ shape: RoundedRect, _ matrix: AffineTransform, _ pass: TreePainter.Pass) {
    var pass = pass
    pass.clip = pass.clip.intersection(shape.pixels)
    guard !pass.clip.isEmpty else { return }
    let before = (self.matrix, self.pass, self.view)
    (self.matrix, self.pass, self.view) = (matrix, pass, view)
    view.draw(in: context ?? makeContext())
    (self.matrix, self.pass, self.view) = before
  }

  private func makeContext() -> GraphicsContext {
    let canvas = DrawingCanvas(
      fill: { [unowned self] in fill($0, without: $1, $2) }, path: { [unowned self] in draw($0, $1) },
      text: { [unowned self] in draw($0, $1, in: $2) },
      image: { [unowned self] in draw($0, $1, in: $2) },
      transformed: { [unowned self] in transform(by: $0, $1) },
      clipped: { [unowned self] in clip(to: $0, $1) }, faded: { [unowned self] in fade(to: $0, $1) })
    let made = GraphicsContext(canvas: canvas)
    context = made
    return made
  }

  // A context that a view has kept draws nothing.

  private func fill(_ shape: DrawingCanvas.Shape, without hole: DrawingCanvas.Shape?, _ fill: Fill) {
    guard let pass, let outline = outline(shape) else { return }
    let hole = hole.flatMap { self.outline($0) }
    switch fill {
    case .color(let color): painter.fill(outline, color, without: hole, pass)
    case .gradient(let gradient):
      painter.fill(outline, gradient, over: shape.rect, matrix, without: hole, pass)
    }
  }

  private func draw(_ path: Path, _ pen: DrawingCanvas.Pen) {
    guard let pass else { return }
    // The matrix is that of this moment: a gradient lies over the path as it is drawn.
    let source = painter.source(
      pen.fill, over: path.bounds.outset(by: (pen.style?.width ?? 0) / 2), matrix, pass)
    guard let source else { return }
    let paths = painter.compositor.paths
    paths.begin(matrix)
    paths.add(path)
    let mask = pen.style.map(paths.stroke) ?? paths.fill()
    painter.compositor.fill(mask, with: source, clip: pass.clip, on: pass.target)
  }

  private func draw(_ text: String, _ style: TextStyle, in rect: LocalRect) {
    guard let pass, let view, let shape = outline(DrawingCanvas.Shape(rect)) else { return }
    painter.paintText(text, style, in: rect, padding: .zero, of: view, shape, matrix, pass)
  }

  private func draw(_ image: Image, _ mode: ImageView.Mode, in rect: LocalRect) {
    guard let pass, let view, let shape = outline(DrawingCanvas.Shape(rect)) else { return }
    let picture = painter.images.picture(
      PictureKey(path: image.path, mode: mode, slice: nil, bounds: rect, displayFromLocal: matrix),
      shown: &image.version, in: view)
    painter.paint(picture, in: rect, shape, matrix, pass)
  }

  private func transform(by transform: AffineTransform, _ body: () -> Void) {
    let before = matrix
    matrix = transform.then(matrix)
    body()
    matrix = before
  }

  private func clip(to shape: DrawingCanvas.Shape, _ body: () -> Void) {
    guard let pass, let outline = outline(shape) else { return }
    let clip = pass.clip.intersection(outline.pixels)
    guard !outline.isExact, !painter.layers.isExhausted else {
      var clipped = pass
      clipped.clip = clip
      return draw(in: clipped, body)
    }
    painter.inLayer(over: clip) {
      draw(in: $0, body)
    } then: { layer, area in
      painter.compositor.fill(
        outline, with: .picture(layer, opacity: pass.opacity), clip: area, on: pass.target)
    }
  }

  private func fade(to alpha: Double, _ body: () -> Void) {
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

  private func draw(in pass: TreePainter.Pass, _ body: () -> Void) {
    let before = self.pass
    self.pass = pass
    body()
    self.pass = before
  }

  private func outline(_ shape: DrawingCanvas.Shape) -> RoundedRect? {
    RoundedRect(
      shape.rect, radiusX: shape.radius.width, radiusY: shape.radius.height, displayFromLocal: matrix)
  }
}
