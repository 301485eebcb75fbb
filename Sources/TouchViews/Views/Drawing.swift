import TouchCore

/// What a graphics context draws on: what the module that paints can do. In closures and no protocol, since the core keeps it
/// without knowing its type.
package final class DrawingCanvas {
  /// A rectangle with round corners, of which an ellipse has the largest.
  package struct Shape {
    package var rect: LocalRect
    /// Along x and y, in units of the view; more than half of a side counts as half.
    package var radius: Size

    package init(_ rect: LocalRect, radius: Size = .zero) {
      self.rect = rect
      self.radius = radius
    }
  }

  /// What a path is painted with, and how it is drawn along; nil for filled.
  package struct Pen {
    package var fill: Fill
    package var style: StrokeStyle?
  }

  package let fill: (_ shape: Shape, _ hole: Shape?, _ fill: Fill) -> Void
  package let path: (_ path: Path, _ pen: Pen) -> Void
  package let text: (_ text: String, _ style: TextStyle, _ rect: LocalRect) -> Void
  package let image: (_ image: Image, _ mode: ImageView.Mode, _ rect: LocalRect) -> Void
  package let transformed: (_ transform: AffineTransform, _ body: () -> Void) -> Void
  package let clipped: (_ shape: Shape, _ body: () -> Void) -> Void
  package let faded: (_ alpha: Double, _ body: () -> Void) -> Void

  package init(
    fill: @escaping (Shape, Shape?, Fill) -> Void, path: @escaping (Path, Pen) -> Void,
    text: @escaping (String, TextStyle, LocalRect) -> Void,
    image: @escaping (Image, ImageView.Mode, LocalRect) -> Void,
    transformed: @escaping (AffineTransform, () -> Void) -> Void,
    clipped: @escaping (Shape, () -> Void) -> Void, faded: @escaping (Double, () -> Void) -> Void
  ) {
    self.fill = fill
    self.path = path
    self.text = text
    self.image = image
    self.transformed = transformed
    self.clipped = clipped
    self.faded = faded
  }
}

extension GraphicsContext {
  /// Nothing else is kept there, and a checked cast takes longer than what it is for.
  private var drawing: DrawingCanvas { unsafeDowncast(canvas, to: DrawingCanvas.self) }

  // MARK: Shapes

  /// Fills a rectangle. (`CGContext.fill(_:)`.)
  ///
  /// - Parameters:
  ///   - rect: in the view's bounds space.
  ///   - cornerRadius: in units of the view; more than half of the shorter side counts as half.
  public func fill(_ rect: LocalRect, cornerRadius: Double = 0, with color: Color) {
    drawing.fill(Self.shape(rect, cornerRadius), nil, .color(color))
  }

  /// Fills an ellipse. (`CGContext.fillEllipse(in:)`.)
  public func fill(_ ellipse: Ellipse<LocalSpace>, with color: Color) {
    drawing.fill(Self.shape(ellipse), nil, .color(color))
  }

  /// Fills a rectangle with a gradient, from one end of it to the other. (`CGContext.drawLinearGradient(_:start:end:options:)`.)
  ///
  /// - Parameters:
  ///   - rect: in the view's bounds space.
  ///   - cornerRadius: in units of the view; more than half of the shorter side counts as half.
  public func fill(_ rect: LocalRect, cornerRadius: Double = 0, with gradient: Gradient) {
    drawing.fill(Self.shape(rect, cornerRadius), nil, .gradient(gradient))
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
    let outer = Self.shape(rect, cornerRadius)
    drawing.fill(outer, Self.inner(outer, width), .color(color))
  }

  /// Draws the outline of an ellipse. The line lies inside of it. (`CGContext.strokeEllipse(in:)`.)
  ///
  /// - Parameter width: of the line, in units of the view.
  public func stroke(_ ellipse: Ellipse<LocalSpace>, width: Double = 1, with color: Color) {
    guard width > 0 else { return }
    let outer = Self.shape(ellipse)
    drawing.fill(outer, Self.inner(outer, width), .color(color))
  }

  // MARK: Paths

  /// Fills what is inside of a path; parts that are open count as closed. (`CGContext.fillPath(using:)`, by the winding rule.)
  public func fill(_ path: Path, with color: Color) {
    drawing.path(path, DrawingCanvas.Pen(fill: .color(color)))
  }

  /// Fills what is inside of a path with a gradient, from one end of the path's box to the other.
  public func fill(_ path: Path, with gradient: Gradient) {
    drawing.path(path, DrawingCanvas.Pen(fill: .gradient(gradient)))
  }

  /// Draws along a path. (`CGContext.strokePath()`.)
  public func stroke(_ path: Path, style: StrokeStyle = StrokeStyle(), with color: Color) {
    drawing.path(path, DrawingCanvas.Pen(fill: .color(color), style: style))
  }

  /// Draws along a path with a gradient, from one end of the path's box to the other.
  public func stroke(_ path: Path, style: StrokeStyle = StrokeStyle(), with gradient: Gradient) {
    drawing.path(path, DrawingCanvas.Pen(fill: .gradient(gradient), style: style))
  }

  private static func shape(_ rect: LocalRect, _ radius: Double) -> DrawingCanvas.Shape {
    let least = max(0, min(radius, min(abs(rect.size.width), abs(rect.size.height)) / 2))
    return DrawingCanvas.Shape(rect, radius: Size(width: least, height: least))
  }

  private static func shape(_ ellipse: Ellipse<LocalSpace>) -> DrawingCanvas.Shape {
    let rect = ellipse.rect
    return DrawingCanvas.Shape(
      rect, radius: Size(width: abs(rect.size.width) / 2, height: abs(rect.size.height) / 2))
  }

  /// Nil if nothing is left.
  private static func inner(_ outer: DrawingCanvas.Shape, _ width: Double) -> DrawingCanvas.Shape? {
    let rect = outer.rect.outset(by: -width)
    guard rect.size.width > 0, rect.size.height > 0 else { return nil }
    return DrawingCanvas.Shape(
      rect,
      radius: Size(width: max(0, outer.radius.width - width), height: max(0, outer.radius.height - width)))
  }

  // MARK: Text and pictures

  /// Draws a text, broken into lines and cut to a rectangle as the style says. (`NSString.draw(in:withAttributes:)`.)
  ///
  /// - Parameter rect: in the view's bounds space.
  public func draw(_ text: String, in rect: LocalRect, style: TextStyle = TextStyle()) {
    if !text.isEmpty { drawing.text(text, style, rect) }
  }

  /// Draws a picture. (`UIImage.draw(in:)`.)
  ///
  /// - Parameters:
  ///   - rect: in the view's bounds space.
  ///   - mode: how the picture is fitted in.
  public func draw(_ image: Image, in rect: LocalRect, mode: ImageView.Mode = .fit) {
    drawing.image(image, mode, rect)
  }

  // MARK: State

  // A closure in place of UIKit's saved and restored state: what it changes is undone when it returns.

  /// Draws in another space: what the closure draws at a point lies where the transform maps that point.
  /// (`CGContext.concatenate(_:)`.)
  public func transformed(by transform: AffineTransform, _ body: () -> Void) {
    drawing.transformed(transform, body)
  }

  /// Draws only what lies in a rectangle. (`CGContext.clip(to:)`.)
  ///
  /// - Parameters:
  ///   - rect: in the view's bounds space.
  ///   - cornerRadius: in units of the view.
  public func clipped(to rect: LocalRect, cornerRadius: Double = 0, _ body: () -> Void) {
    drawing.clipped(Self.shape(rect, cornerRadius), body)
  }

  /// Draws only what lies in an ellipse. (`CGContext.clip(using:)`.)
  public func clipped(to ellipse: Ellipse<LocalSpace>, _ body: () -> Void) {
    drawing.clipped(Self.shape(ellipse), body)
  }

  /// Draws everything in the closure as one picture that is less opaque. (`CGContext.setAlpha(_:)` with a transparency layer.)
  ///
  /// - Parameter alpha: from 0 to 1.
  public func faded(to alpha: Double, _ body: () -> Void) {
    drawing.faded(alpha, body)
  }
}
