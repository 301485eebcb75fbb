/// The drawing destination that a view gets in `View.draw(in:)`. (`CGContext`.)
///
/// Coordinates are those of the view's own bounds space. `TouchViews` has the drawing functions; the core
/// only passes the context on.
public final class GraphicsContext {
  /// The canvas, of a class of the module that draws.
  package let canvas: AnyObject

  /// - Parameter canvas: an object of the class that the drawing module expects.
  package init(canvas: AnyObject) {
    self.canvas = canvas
  }
}
