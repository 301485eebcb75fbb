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
    /// The view is as large as its content, and stretches if all others hold their lengths as firmly: a
    /// switch beside a label. (`defaultHigh`.)
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
    if let viewController {
      viewController.viewWillLayoutSubviews()
      layoutSubviews()
      viewController.viewDidLayoutSubviews()
    } else {
      layoutSubviews()
    }
    for subview in storedSubviews where subview.needsLayout { subview.layoutIfNeeded() }
    needsLayout = false
  }

  /// Returns the size of the view's content, in the view's own units: what `contentSize(atWidth:)` has, and
  /// where that has no length, that of the bounds. Texts and pictures are measured in a window.
  /// (`UIView.sizeThatFits(_:)`.)
  ///
  /// - Parameter size: the room, in units. Its height does not matter, and a width of 0 is no limit.
  public final func sizeThatFits(_ size: Size) -> Size {
    let content = contentSize(atWidth: size.width > 0 ? size.width : .infinity)
    return Size(
      width: content.width.hugging == .none ? bounds.size.width : content.width.units,
      height: content.height.hugging == .none ? bounds.size.height : content.height.units)
  }

  /// Makes the view as large as its content, from its top-left corner. (`UIView.sizeToFit()`.)
  public final func sizeToFit() { bounds.size = sizeThatFits(bounds.size) }

  /// Requests a layout of the superview, after the view's own size may have changed, or the view was hidden
  /// or shown. (`UIView.invalidateIntrinsicContentSize()`.)
  public final func invalidateIntrinsicContentSize() {
    changes &+= 1
    if isArranged { superview?.setNeedsLayout() }
  }
}
