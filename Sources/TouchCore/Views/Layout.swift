// The layout of views: their own size, the note of changes, and the pass from the window down.

/// A length along one axis, and the strength with which a view keeps it.
public struct ContentLength: Hashable, Sendable {
  /// The strength with which a view keeps its length while a stack has room left. (Content hugging: the order
  /// is that of `UILayoutPriority`.)
  public enum Hugging: Int, Comparable, Sendable {
    /// The view has no size of its own and takes the room. (`UIView.noIntrinsicMetric`.)
    case none
    /// The view is as large as its content, and stretches if no other view takes the room. (`defaultLow`.)
    case content
    /// The view is as large as its content, and stretches if all others hold their lengths as firmly: a switch
    /// beside a label. (`defaultHigh`.)
    case high
    /// The view never stretches. (`required`.)
    case required

    /// Whether the first one yields to the second.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// The length in units of the view, 0 or more.
  public var units: Double
  /// The strength with which the view keeps it.
  public var hugging: Hugging

  /// - Parameters:
  ///   - units: in units of the view, 0 or more.
  ///   - hugging: the strength with which the view keeps the length.
  public init(_ units: Double, _ hugging: Hugging) { (self.units, self.hugging) = (units, hugging) }

  /// The length of a view without a size of its own.
  public static let none = ContentLength(0, .none)
}

/// The size of a view by itself. (`UIView.intrinsicContentSize`.)
public struct ContentSize: Hashable, Sendable {
  /// The length from left to right.
  public var width: ContentLength
  /// The length from top to bottom.
  public var height: ContentLength

  /// Makes a size of its two lengths.
  public init(width: ContentLength, height: ContentLength) { (self.width, self.height) = (width, height) }

  /// The size of a view without one of its own.
  public static let none = ContentSize(width: .none, height: .none)
}

extension View {
  /// Requests a layout of the view and its superviews before the next hit test and the next picture.
  /// (`UIView.setNeedsLayout()`.)
  ///
  /// The superviews are included because the size of a nested stack depends on its content.
  public final func setNeedsLayout() {
    changes &+= 1
    var view: View? = self
    while let current = view {
      current.needsLayout = true
      current.isMeasureStale = true
      view = current.superview
    }
  }

  /// Lays out the parts of the view that changed, from the top down. Without a change it tests one flag.
  /// (`UIView.layoutIfNeeded()`.)
  public final func layoutIfNeeded() {
    guard needsLayout else { return }
    layoutSubviews()
    for subview in storedSubviews where subview.needsLayout { subview.layoutIfNeeded() }
    needsLayout = false
  }

  /// Requests a layout of the superview, after the view's own size may have changed, or the view was hidden
  /// or shown. (`UIView.invalidateIntrinsicContentSize()`.)
  public final func invalidateIntrinsicContentSize() {
    changes &+= 1
    if isArranged { superview?.setNeedsLayout() }
  }
}
