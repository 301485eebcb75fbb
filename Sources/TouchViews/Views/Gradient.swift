import TouchCore

/// Colours that blend into each other, in the order of their places. (`CAGradientLayer`, SwiftUI's `Gradient`.)
public struct Gradient: Hashable, Sendable {
  /// A colour, and where the gradient has it.
  public struct Stop: Hashable, Sendable {
    /// Colours between two stops are mixed of both, with their alphas multiplied in, as in CSS.
    public var color: Color
    /// From 0, where the gradient begins, to 1, where it ends.
    public var place: Double

    /// A colour at a place from 0 to 1.
    public init(_ color: Color, at place: Double) { (self.color, self.place) = (color, place) }
  }

  /// The lines along which the colour stays the same.
  public enum Kind: String, CaseIterable, Sendable {
    /// Straight lines, across the angle. (`CAGradientLayerType.axial`.)
    case linear
    /// Ellipses around the centre. (`CAGradientLayerType.radial`.)
    case radial
    /// Rays from the centre. (`CAGradientLayerType.conic`.)
    case conic
  }

  /// At least one. Before the first and after the last the colour is theirs.
  public var stops: [Stop]
  /// What the gradient looks like.
  public var kind: Kind
  /// In degrees clockwise from twelve o'clock, as in CSS. Linear: where to: 0 is up, 90 is to the right, 180 is down. At the angle
  /// the gradient is as long as the rectangle, from corner to corner. Conic: the ray at which it begins. Radial: nothing.
  public var angle: Double
  /// The centre of a radial or conic gradient, as a fraction of the rectangle.
  public var center: Point<NormalizedSpace>
  /// Where a radial gradient ends: 1 at the corner that is farthest from the centre, as in CSS; a smaller one ends before it.
  public var radius: Double

  /// All but the stops are CSS's own defaults.
  ///
  /// - Parameters:
  ///   - stops: at least one.
  ///   - kind: along lines, from a centre outwards, or around it.
  ///   - angle: in degrees clockwise from twelve o'clock.
  ///   - center: as a fraction of the rectangle.
  ///   - radius: as a part of the way to the farthest corner.
  public init(
    stops: [Stop], kind: Kind = .linear, angle: Double = 180,
    center: Point<NormalizedSpace> = Point(x: 0.5, y: 0.5), radius: Double = 1
  ) {
    (self.stops, self.kind, self.angle, self.center, self.radius) = (stops, kind, angle, center, radius)
  }

  /// Colours at even distances.
  ///
  /// - Parameters:
  ///   - colors: at least one.
  ///   - kind: along lines, from a centre outwards, or around it.
  ///   - angle: in degrees clockwise from twelve o'clock: 180 is from top to bottom.
  public init(_ colors: [Color], kind: Kind = .linear, angle: Double = 180) {
    self.init(
      stops: colors.enumerated().map { Stop($1, at: Self.even($0, of: colors.count)) }, kind: kind,
      angle: angle)
  }

  /// The place of a stop of several at even distances.
  static func even(_ index: Int, of count: Int) -> Double {
    count > 1 ? Double(index) / Double(count - 1) : 0
  }

  /// The colour in the middle, for what has to be seen on it.
  package var middle: Color {
    let after = stops.firstIndex { $0.place >= 0.5 } ?? stops.count - 1
    guard after > 0 else { return stops.first?.color ?? .clear }
    let (one, two) = (stops[after - 1], stops[after])
    let part = two.place > one.place ? max(0, min(1, (0.5 - one.place) / (two.place - one.place))) : 1
    func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
      UInt8((Double(one) + (Double(two) - Double(one)) * part).rounded())
    }
    return Color(
      red: mix(one.color.red, two.color.red), green: mix(one.color.green, two.color.green),
      blue: mix(one.color.blue, two.color.blue), alpha: mix(one.color.alpha, two.color.alpha))
  }
}

/// What an area is filled with.
package enum Fill: Hashable, Sendable {
  case color(Color)
  case gradient(Gradient)
}

extension View {
  /// The gradient of the background, or else its colour.
  final var fill: Fill? {
    get { gradient.map(Fill.gradient) ?? background.map(Fill.color) }
    set {
      switch newValue {
      case .color(let color)?: (background, gradient) = (color, nil)
      case .gradient(let gradient)?: (background, self.gradient) = (nil, gradient)
      case nil: (background, gradient) = (nil, nil)
      }
    }
  }
}
