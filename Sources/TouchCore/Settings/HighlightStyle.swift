/// How touches are shown on top of the tree.
public struct HighlightStyle: Hashable, Sendable {
  /// What a mark looks like.
  public enum Shape: String, CaseIterable, Sendable {
    /// A line inside the view's bounds.
    case outline
    /// The whole view.
    case fill
    /// Light around the view, and a little of it inside.
    case glow
    case none
  }

  /// The mark on a view.
  public struct Mark: Hashable, Sendable {
    /// `none` draws no mark.
    public var shape: Shape
    /// At full strength; a mark that fades loses alpha.
    public var color: Color
    /// The outline's width in window units; it lies inside the view's bounds. A glow reaches outward
    /// `Mark.glowReach` times as far.
    public var width: Double
    /// How long the mark takes to go when the last finger has left the view, in seconds; nil is what suits the
    /// shape: `usualGlowFade` for a glow, nothing for the others.
    public var fade: Double?

    /// How many widths a glow reaches out of the view.
    public static let glowReach = 4.0
    /// In seconds.
    public static let usualGlowFade = 0.3

    /// The width is in window units, the fade in seconds.
    public init(shape: Shape, color: Color, width: Double, fade: Double? = nil) {
      self.shape = shape
      self.color = color
      self.width = width
      self.fade = fade
    }

    /// How far outside the view's bounds it paints, in window units.
    public var reach: Double { shape == .glow ? Self.glowReach * width : 0 }

    /// In seconds.
    public var fadeTime: Double { fade ?? (shape == .glow ? Self.usualGlowFade : 0) }
  }

  /// What shows where the fingers are.
  public struct Touches: Hashable, Sendable {
    /// Whether a disc is drawn under each finger.
    public var showsMarker = true
    /// Nil is the colour of the view's mark.
    public var color: Color?
    /// Whether the touch's number is written beside the finger.
    public var showsID = false
    /// Whether the finger's place, in whole window units, is written beside it.
    public var showsCoordinates = false
    /// How long the line that a finger draws behind it can be seen, in seconds; 0 draws none.
    public var trail = 0.0

    public init() {}

    /// Whether anything is written beside the finger.
    public var showsLabel: Bool { showsID || showsCoordinates }
  }

  /// On the view that was hit.
  public var view = Mark(shape: .outline, color: Color(red: 0x00, green: 0xd0, blue: 0xff), width: 4)
  /// On the other views of the touch's chain.
  public var path = Mark(
    shape: .none, color: Color(red: 0x00, green: 0xd0, blue: 0xff, alpha: 0x80), width: 2)
  /// On the fingers themselves.
  public var touches = Touches()

  public init() {}

  /// What the fingers' markers and trails are drawn in.
  public var touchColor: Color { touches.color ?? view.color }
}
