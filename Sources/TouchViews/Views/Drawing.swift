import TouchCore

/// The canvas of a graphics context. The core keeps it without knowing its type.
package final class CanvasHolder {
  fileprivate let canvas: any DrawingCanvas

  package init(_ canvas: any DrawingCanvas) { self.canvas = canvas }
}

extension GraphicsContext {
  /// Nothing else is kept there, and a checked cast takes longer than what it is for.
  var canvas: any DrawingCanvas { unsafeDowncast(holder, to: CanvasHolder.self).canvas }

  // MARK: Shapes

  /// Fills a rectangle. (`CGContext.fill(_:)`.)
  ///
  /// - Parameters:
  ///   - rect: the rectangle in the view's bounds space.
  ///   - cornerRadius: the radius in units of the view. More than half of the shorter side counts as half.
  public func fill(_ rect: LocalRect, cornerRadius: Double = 0, with color: Color) {
    canvas.fill(DrawnShape(rect, cornerRadius: cornerRadius), without: nil, with: .color(color))
  }

  /// Fills an ellipse. (`CGContext.fillEllipse(in:)`.)
  public func fill(_ ellipse: Ellipse<LocalSpace>, with color: Color) {
    canvas.fill(DrawnShape(ellipse), without: nil, with: .color(color))
  }

  /// Fills a rectangle with a gradient across it. (`CGContext.drawLinearGradient(_:start:end:options:)`.)
  ///
  /// - Parameters:
  ///   - rect: the rectangle in the view's bounds space.
  ///   - cornerRadius: the radius in units of the view. More than half of the shorter side counts as half.
  public func fill(_ rect: LocalRect, cornerRadius: Double = 0, with gradient: Gradient) {
    let shape = DrawnShape(rect, cornerRadius: cornerRadius)
    canvas.fill(shape, without: nil, with: .gradient(gradient, over: rect))
  }

  /// Draws the outline of a rectangle. The line is inside it, unlike UIKit's,
  /// half of which is outside. (`CGContext.stroke(_:width:)`.)
  ///
  /// - Parameters:
  ///   - rect: the rectangle in the view's bounds space.
  ///   - cornerRadius: the radius of the outer edge, in units of the view.
  ///   - width: the width of the line, in units of the view.
  public func stroke(_ rect: LocalRect, cornerRadius: Double = 0, width: Double = 1, with color: Color) {
    guard width > 0 else { return }
    let outer = DrawnShape(rect, cornerRadius: cornerRadius)
    canvas.fill(outer, without: outer.inside(width), with: .color(color))
  }

  /// Draws the outline of an ellipse. The line is inside it. (`CGContext.strokeEllipse(in:)`.)
  ///
  /// - Parameter width: the width of the line, in units of the view.
  public func stroke(_ ellipse: Ellipse<LocalSpace>, width: Double = 1, with color: Color) {
    guard width > 0 else { return }
    let outer = DrawnShape(ellipse)
    canvas.fill(outer, without: outer.inside(width), with: .color(color))
  }

  // MARK: Paths

  /// Fills a path by the winding rule. Open parts count as closed. (`CGContext.fillPath(using:)`.)
  public func fill(_ path: Path, with color: Color) { draw(path, nil, .color(color)) }

  /// Fills a path with a gradient across the path's box.
  public func fill(_ path: Path, with gradient: Gradient) {
    draw(path, nil, .gradient(gradient, over: path.bounds))
  }

  /// Draws a line along a path. (`CGContext.strokePath()`.)
  public func stroke(_ path: Path, style: StrokeStyle = StrokeStyle(), with color: Color) {
    draw(path, style, .color(color))
  }

  /// Draws a line along a path with a gradient across the path's box.
  public func stroke(_ path: Path, style: StrokeStyle = StrokeStyle(), with gradient: Gradient) {
    draw(path, style, .gradient(gradient, over: path.bounds.outset(by: style.width / 2)))
  }

  private func draw(_ path: Path, _ style: StrokeStyle?, _ paint: Paint) {
    canvas.beginPath()
    canvas.addPath(path)
    canvas.drawPath(style, with: paint)
  }

  // MARK: Text and pictures

  /// Draws a text, broken into lines and cut to a rectangle. (`NSString.draw(in:withAttributes:)`.)
  ///
  /// - Parameter rect: the rectangle in the view's bounds space.
  public func draw(_ text: String, in rect: LocalRect, style: TextStyle = TextStyle()) {
    guard !text.isEmpty else { return }
    var room = TextRoom()
    room.isCut = true
    canvas.draw(text, style, in: rect, room)
  }

  /// Draws a picture. (`UIImage.draw(in:)`.)
  ///
  /// - Parameters:
  ///   - rect: the rectangle in the view's bounds space.
  ///   - mode: the fitting of the picture into the rectangle.
  public func draw(_ image: Image, in rect: LocalRect, mode: ImageView.Mode = .fit) {
    canvas.draw(image, mode, in: rect)
  }

  // MARK: State

  /// Around what is drawn now, in the view's bounds space: nothing else has to be drawn.
  /// (`CGContext.boundingBoxOfClipPath`.)
  public var boundingBoxOfClipPath: LocalRect { canvas.clipBox }

  // UIKit saves and restores the state. Here a closure's changes are undone when it returns.

  /// Draws in another space. The transform maps the closure's points to those
  /// of the view. (`CGContext.concatenate(_:)`.)
  public func transformed(by transform: AffineTransform, _ body: () -> Void) {
    canvas.transform(by: transform, body)
  }

  /// Draws only inside a rectangle. (`CGContext.clip(to:)`.)
  ///
  /// - Parameters:
  ///   - rect: the rectangle in the view's bounds space.
  ///   - cornerRadius: the radius in units of the view.
  public func clipped(to rect: LocalRect, cornerRadius: Double = 0, _ body: () -> Void) {
    canvas.clip(to: DrawnShape(rect, cornerRadius: cornerRadius), body)
  }

  /// Draws only inside an ellipse. (`CGContext.clip(using:)`.)
  public func clipped(to ellipse: Ellipse<LocalSpace>, _ body: () -> Void) {
    canvas.clip(to: DrawnShape(ellipse), body)
  }

  /// Draws as one picture that is less opaque. (`CGContext.setAlpha(_:)` with a transparency layer.)
  ///
  /// - Parameter alpha: the opacity, from 0 to 1.
  public func faded(to alpha: Double, _ body: () -> Void) { canvas.fade(to: alpha, body) }
}
