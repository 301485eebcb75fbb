/// What a view draws itself with, in `View.draw(in:)`. (`CGContext`.)
///
/// Coordinates are those of the view's own bounds space. `TouchViews` has what can be drawn; the core only hands the context on
/// from whoever paints the views.
public final class GraphicsContext {
  /// Of the canvas, for the module that knows it.
  package let holder: AnyObject

  /// - Parameter holder: of the canvas, of the class that the module above expects.
  package init(holder: AnyObject) {
    self.holder = holder
  }
}
