/// What a view draws itself with, in `View.draw(in:)`. (`CGContext`.)
///
/// Coordinates are those of the view's own bounds space. `TouchViews` has what can be drawn; the core only hands the context on
/// from whoever paints the views.
public final class GraphicsContext {
  /// Of the module that knows what can be drawn.
  package let canvas: AnyObject

  /// - Parameter canvas: what is drawn on, of the class that the module above expects.
  package init(canvas: AnyObject) {
    self.canvas = canvas
  }
}
