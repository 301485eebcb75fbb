/// The drawing destination that a view gets in `View.draw(in:)`. (`CGContext`.)
///
/// Coordinates are those of the view's own bounds space. `TouchViews` has the drawing functions; the core
/// only passes the context on.
public final class GraphicsContext {
  /// The owner of the canvas, of a class of the module that draws.
  package let holder: AnyObject

  /// - Parameter holder: an object of the class that the drawing module expects.
  package init(holder: AnyObject) { self.holder = holder }
}
