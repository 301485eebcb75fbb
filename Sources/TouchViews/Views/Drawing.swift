import TouchCore

/// The canvas of a graphics context, for the core, which keeps an object without knowing its type.
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
  ///   - rect: in the view's bounds space.
  ///   - cornerRadius: in units of the view; more than half of the shorter side counts as half.
  public func fill(_ rect: LocalRect, cornerRadius: Double = 0, with color: Color) {
    canvas.fill(DrawnShape(rect, cornerRadius: cornerRadius), without: nil, with: .color(color))
  }

  /// Fills an ellipse. (`CGContext.fillEllipse(in:)`.)
  public func fill(_ ellipse: Ellipse<LocalSpace>, with color: Color) {
    canvas.fill(DrawnShape(ellipse), without: nil, with: .color(color))
  }

  /// Fills a rectangle with a gradient, from one end of it to the other. (`CGContext.drawLinearGradient(_:start:end:options:)`.)
  ///
  /// - Parameters:
  ///   - rect: in the view's bounds space.
  ///   - cornerRadius: in units of the view; more than half of the shorter side counts as half.
  public func fill(_ rect: LocalRect, cornerRadius: Double = 0, with gradient: Gradient) {
    let shape = DrawnShape(rect, cornerRadius: cornerRadius)
    canvas.fill(shape, without: nil, with: .gradient(gradient, over: rect))
  }

  /// Draws the outline of a rectangle. The line lies inside of it, unlike UIKit's, half of which is outside.
  /// (`CGContext.stroke(_:width:)`.)
  ///
  /// - Parameters:
  ///   - rect: in the view's bounds space.
  ///   - cornerRadius: of the outer edge, in units of the view.
  ///   - width: of the line, in units of the view.
  public func stroke(_ rect: LocalRect, cornerRadius: Double = 0, width: Double = 1, with color: Color) {
    guard width > 0 else { return }
    let outer = DrawnShape(rect, cornerRadius: cornerRadius)
    canvas.fill(outer, without: outer.inside(width), with: .color(color))
  }

  /// Draws the outline of an ellipse. The line lies inside of it. (`CGContext.strokeEllipse(in:)`.)
  ///
  /// - Parameter width: of the line, in units of the view.
  public func stroke(_ ellipse: Ellipse<LocalSpace>, width: Double = 1, with color: Color) {
    guard width > 0 else { return }
    let outer = DrawnShape(ellipse)
    canvas.fill(outer, without: outer.inside(width), with: .color(color))
  }

  // MARK: Paths

  /// Fills what is inside of a path; parts that are open count as closed. (`CGContext.fillPath(using:)`, by the winding rule.)
  public func fill(_ path: Path, with color: Color) { draw(path, nil, .color(color)) }

  /// Fills what is inside of a path with a gradient, from one end of the path's box to the other.
  public func fill(_ path: Path, with gradient: Gradient) {
    draw(path, nil, .gradient(gradient, over: path.bounds))
  }

  /// Draws along a path. (`CGContext.strokePath()`.)
  public func stroke(_ path: Path, style: StrokeStyle = StrokeStyle(), with color: Color) {
    draw(path, style, .color(color))
  }

  /// Draws along a path with a gradient, from one end of the path's box to the other.
  public func stroke(_ path: Path, style: StrokeStyle = StrokeStyle(), with gradient: Gradient) {
    draw(path, style, .gradient(gradient, over: path.bounds.outset(by: style.width / 2)))
  }

  private func draw(_ path: Path, _ style: StrokeStyle?, _ paint: Paint) {
    canvas.beginPath()
    canvas.addPath(path)
    canvas.drawPath(style, with: paint)
  }

  // MARK: Text and pictures

  /// Draws a text, broken into lines and cut to a rectangle as the style says. (`NSString.draw(in:withAttributes:)`.)
  ///
  /// - Parameter rect: in the view's bounds space.
  public func draw(_ text: String, in rect: LocalRect, style: TextStyle = TextStyle()) {
    guard !text.isEmpty else { return }
    var room = TextRoom()
    room.isCut = true
    canvas.draw(text, style, in: rect, room)
  }

  /// Draws a picture. (`UIImage.draw(in:)`.)
  ///
  /// - Parameters:
  ///   - rect: in the view's bounds space.
  ///   - mode: how the picture is fitted in.
  public func draw(_ image: Image, in rect: LocalRect, mode: ImageView.Mode = .fit) {
    canvas.draw(image, mode, in: rect)
  }

  // MARK: State

  /// Around what is drawn now, in the view's bounds space: nothing else has to be drawn. (`CGContext.boundingBoxOfClipPath`.)
  public var boundingBoxOfClipPath: LocalRect { canvas.clipBox }

  // A closure in place of UIKit's saved and restored state: what it changes is undone when it returns.

  /// Draws in another space: what the closure draws at a point lies where the transform maps that point.
  /// (`CGContext.concatenate(_:)`.)
  public func transformed(by transform: AffineTransform, _ body: () -> Void) {
    canvas.transform(by: transform, body)
  }

  /// Draws only what lies in a rectangle. (`CGContext.clip(to:)`.)
  ///
  /// - Parameters:
  ///   - rect: in the view's bounds space.
  ///   - cornerRadius: in units of the view.
  public func clipped(to rect: LocalRect, cornerRadius: Double = 0, _ body: () -> Void) {
    canvas.clip(to: DrawnShape(rect, cornerRadius: cornerRadius), body)
  }

  /// Draws only what lies in an ellipse. (`CGContext.clip(using:)`.)
  public func clipped(to ellipse: Ellipse<LocalSpace>, _ body: () -> Void) {
    canvas.clip(to: DrawnShape(ellipse), body)
  }

  /// Draws everything in the closure as one picture that is less opaque. (`CGContext.setAlpha(_:)` with a transparency layer.)
  ///
  /// - Parameter alpha: from 0 to 1.
  public func faded(to alpha: Double, _ body: () -> Void) {
    canvas.fade(to: alpha, body)
  }
}
