import TouchCore

/// Colours that blend into each other by their places. (`CAGradientLayer`, SwiftUI's `Gradient`.)
public struct Gradient: Hashable, Sendable {
  /// A colour at a place of the gradient.
  public struct Stop: Hashable, Sendable {
    /// The colour. Between two stops, premultiplied colours are mixed, as in CSS.
    public var color: Color
    /// The place, from 0 at the beginning of the gradient to 1 at its end.
    public var place: Double

    /// Makes a stop of a colour at a place from 0 to 1.
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

  /// The stops; at least one. The first and the last one determine the colour before and after them.
  public var stops: [Stop]
  /// The kind of the gradient.
  public var kind: Kind
  /// The angle in degrees clockwise from twelve o'clock, as in CSS. A linear gradient runs there: up at 0,
  /// right at 90, down at 180, with the rectangle's length from corner to corner. A conic one begins there.
  public var angle: Double
  /// The centre of a radial or conic gradient, as a fraction of the rectangle.
  public var center: Point<NormalizedSpace>
  /// The end of a radial gradient: 1 at the farthest corner from the centre, as in CSS; less ends before.
  public var radius: Double

  /// Makes a gradient. The defaults are those of CSS.
  ///
  /// - Parameters:
  ///   - stops: the stops; at least one.
  ///   - kind: the kind: along lines, from a centre outwards, or around it.
  ///   - angle: the angle in degrees clockwise from twelve o'clock.
  ///   - center: the centre as a fraction of the rectangle.
  ///   - radius: the radius as a part of the distance to the farthest corner.
  public init(
    stops: [Stop], kind: Kind = .linear, angle: Double = 180,
    center: Point<NormalizedSpace> = Point(x: 0.5, y: 0.5), radius: Double = 1
  ) {
    (self.stops, self.kind, self.angle, self.center, self.radius) = (stops, kind, angle, center, radius)
  }

  /// Makes a gradient of colours at even distances.
  ///
  /// - Parameters:
  ///   - colors: the colours; at least one.
  ///   - kind: the kind: along lines, from a centre outwards, or around it.
  ///   - angle: the angle in degrees clockwise from twelve o'clock: 180 is from top to bottom.
  public init(_ colors: [Color], kind: Kind = .linear, angle: Double = 180) {
    self.init(
      stops: colors.enumerated().map { Stop($1, at: Self.even($0, of: colors.count)) }, kind: kind,
      angle: angle)
  }

  /// Returns the place of one of several stops at even distances.
  static func even(_ index: Int, of count: Int) -> Double {
    count > 1 ? Double(index) / Double(count - 1) : 0
  }

  /// The colour in the middle, from which contrasting colours are derived.
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
