import TouchCore

/// The radii of a rectangle's corners, in units of the view's own space. More than half of the
/// shorter side counts as half. (CSS's `border-radius`; UIKit has `UIView.cornerConfiguration`.)
public struct Corners: Hashable, Sendable {
  /// The radius at the top left in the view's own space, before its transform.
  public var topLeft: Double
  /// The radius at the top right.
  public var topRight: Double
  /// The radius at the bottom right.
  public var bottomRight: Double
  /// The radius at the bottom left.
  public var bottomLeft: Double

  /// Makes corners, clockwise from the top left; square without a radius.
  public init(
    topLeft: Double = 0, topRight: Double = 0, bottomRight: Double = 0, bottomLeft: Double = 0
  ) {
    (self.topLeft, self.topRight) = (topLeft, topRight)
    (self.bottomRight, self.bottomLeft) = (bottomRight, bottomLeft)
  }

  /// Makes corners with one radius.
  public init(_ radius: Double) {
    self.init(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)
  }

  package var isUniform: Bool { topLeft == topRight && topLeft == bottomRight && topLeft == bottomLeft }
  package var largest: Double { max(topLeft, topRight, bottomRight, bottomLeft) }
  package var smallest: Double { min(topLeft, topRight, bottomRight, bottomLeft) }

  /// Returns the corners of a rectangle grown by a distance on every side;
  /// smaller for negative distances. A square corner stays square.
  package func grown(by distance: Double) -> Corners {
    func grow(_ radius: Double) -> Double { radius > 0 ? max(0, radius + distance) : 0 }
    return Corners(
      topLeft: grow(topLeft), topRight: grow(topRight), bottomRight: grow(bottomRight),
      bottomLeft: grow(bottomLeft))
  }
}

/// A blurred copy of a view's outline behind it. It is visible around the view, and
/// not through it. (`CALayer.shadowColor` and its siblings; CSS's `box-shadow`.)
public struct Shadow: Hashable, Sendable {
  /// The colour at full strength. Most shadows are a translucent black.
  public var color: Color
  /// The width of the fading edge in units of the view, half of it outside the outline and half inside,
  /// as in CSS. It is twice the standard deviation of a Gaussian blur, which UIKit calls `shadowRadius`.
  public var blur: Double
  /// The offset to the right and down, in units of the view.
  public var offset: LocalPoint
  /// The growth over the view on each side, in units of the view; negative to be smaller.
  public var spread: Double

  /// Makes a shadow, by default half black and 4 units below the view.
  public init(
    color: Color = Color(red: 0, green: 0, blue: 0, alpha: 0x80), blur: Double = 16,
    offset: LocalPoint = LocalPoint(x: 0, y: 4), spread: Double = 0
  ) {
    (self.color, self.blur, self.offset, self.spread) = (color, blur, offset, spread)
  }

  /// The reach outside the view: three standard deviations.
  package var outset: Insets {
    let reach = 1.5 * max(0, blur) + spread
    return Insets(
      top: max(0, reach - offset.y), left: max(0, reach - offset.x), bottom: max(0, reach + offset.y),
      right: max(0, reach + offset.x))
  }
}

/// Properties of the look that few views have.
struct Decoration: Hashable {
  var gradient, borderGradient: Gradient?
  var shadow: Shadow?
  /// The corners of a view if they differ. The appearance has the largest one.
  var corners: Corners?
}

extension View {
  /// The gradient over the background's colour; nil for none. (`CAGradientLayer`.)
  public final var gradient: Gradient? {
    get { knownLayer?.decoration?.gradient }
    set { decorate { $0.gradient = newValue } }
  }

  /// The gradient in place of the border's colour, with the border's width; nil for none.
  public final var borderGradient: Gradient? {
    get { knownLayer?.decoration?.borderGradient }
    set { decorate { $0.borderGradient = newValue } }
  }

  /// The shadow on the things behind the view; nil for none. It is also painted
  /// around a view that clips. (`CALayer.shadowColor` and its siblings.)
  public final var shadow: Shadow? {
    get { knownLayer?.decoration?.shadow }
    set { decorate { $0.shadow = newValue } }
  }

  /// The radii of the corners of background and border. (`CALayer.maskedCorners` with `cornerRadius`.)
  public final var corners: Corners {
    get {
      guard let layer = knownLayer else { return Corners(0) }
      // Setting the one radius of the appearance sets all corners.
      if let own = layer.decoration?.corners, own.largest == layer.appearance.cornerRadius { return own }
      return Corners(layer.appearance.cornerRadius)
    }
    set {
      decorate { $0.corners = newValue.isUniform ? nil : newValue }
      appearance.cornerRadius = newValue.largest
    }
  }

  /// Whether the view has a gradient, a shadow, or corners that differ.
  package final var isDecorated: Bool { knownLayer?.isDecorated ?? false }

  private func decorate(_ change: (inout Decoration) -> Void) {
    let old = knownLayer?.decoration ?? Decoration()
    var new = old
    change(&new)
    guard new != old else { return }
    ownLayer.decoration = new == Decoration() ? nil : new
    paintOutset = new.shadow?.outset ?? .zero
    setNeedsDisplay()
  }
}
