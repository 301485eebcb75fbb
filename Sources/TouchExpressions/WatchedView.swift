import TouchCore
import TouchViews

/// A view that may change without the bindings: expressions read its properties, or a finger moves one that
/// follows an expression.
struct WatchedView {
  let view: View
  private(set) var sources: [Int] = []
  /// The bindings of the page and the offset.
  var moved: [Int] = []
  /// The bindings of the control's value and its limits, in the order in which they are computed. A limit
  /// cuts the value off, and moves the other limit out of its way. When one changes, all bound ones are
  /// therefore set once more, which restores the part that was cut off.
  var range: [Int] = []
  /// The control's value after one of `range` was last set.
  var became: ControlValue?
  var isWhole = false
  /// Whether each change of what is watched grows `View.changes`.
  private var isCounted: Bool
  /// The view's `changes` when it was last compared; -1 for a view that has to be compared again. An integer
  /// without an optional's tag: each frame compares those of all views.
  private var compared: Int64 = -1

  init(_ view: View) {
    self.view = view
    // A program's class may have variables without observers, and override what it shows.
    isCounted = view.kind.base == nil
  }

  mutating func add(_ source: Int, _ property: ReadProperty) {
    sources.append(source)
    isCounted = isCounted && property.isCounted
  }

  /// Whether anything may have changed since it was last compared.
  var isChanged: Bool { compared != Int64(view.changes) }

  mutating func willCompare() {
    // A finger lets go of a value without changing it.
    compared = isCounted && view.controlTouch == nil ? Int64(view.changes) : -1
  }
}
