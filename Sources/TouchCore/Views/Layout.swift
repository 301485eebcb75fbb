// How views are laid out: how large a view is by itself, what has changed, and the pass from the window down.

/// A length along one axis, and what keeps a view at it.
public struct ContentLength: Hashable, Sendable {
  /// What happens to the length while a stack has room left. (Content hugging: the order is that of `UILayoutPriority`.)
  public enum Hugging: Int, Comparable, Sendable {
    /// The view has no size of its own and takes the room. (`UIView.noIntrinsicMetric`.)
    case none
    /// The view is as large as its content, and stretches where no other view takes the room. (`defaultLow`.)
    case content
    /// The view never changes. (`required`.)
    case required

    /// Whether the first one gives way to the second.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// In units of the view; 0 or more.
  public var units: Double
  /// How firmly the view keeps it.
  public var hugging: Hugging

  /// The length is in units of the view, 0 or more.
  public init(_ units: Double, _ hugging: Hugging) {
    self.units = units
    self.hugging = hugging
  }

  /// Of a view that has no size of its own.
  public static let none = ContentLength(0, .none)
}

/// How large a view is by itself. (`UIView.intrinsicContentSize`.)
public struct ContentSize: Hashable, Sendable {
  /// From left to right.
  public var width: ContentLength
  /// From top to bottom.
  public var height: ContentLength

  /// By its two lengths.
  public init(width: ContentLength, height: ContentLength) {
    self.width = width
    self.height = height
  }

  /// Of a view that has no size of its own.
  public static let none = ContentSize(width: .none, height: .none)
}

extension View {
  /// Has the view and its superviews laid out before the next hit test, and before the next picture.
  /// (`UIView.setNeedsLayout()`.)
  ///
  /// The superviews count because the size of a stack in a stack depends on what is in it.
  public final func setNeedsLayout() {
    var view: View? = self
    while let current = view {
      current.needsLayout = true
      current.isMeasureStale = true
      view = current.superview
    }
  }

  /// Lays out now what has changed in the view, from the top down; without a change it tests one flag.
  /// (`UIView.layoutIfNeeded()`.)
  public final func layoutIfNeeded() {
    guard needsLayout else { return }
    layoutSubviews()
    for subview in storedSubviews where subview.needsLayout { subview.layoutIfNeeded() }
    needsLayout = false
  }

  /// Has the superview laid out, since the view's own size may be another one, or the view was hidden or shown.
  /// (`UIView.invalidateIntrinsicContentSize()`.)
  public final func invalidateIntrinsicContentSize() {
    if isArranged { superview?.setNeedsLayout() }
  }
}
