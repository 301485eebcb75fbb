package struct HighlightStyle: Hashable, Sendable {
  @frozen package enum Shape: String, CaseIterable, Sendable {
    /// A line inside the view's bounds.
    case outline
    case fill
    /// Light around the view, and a faint one inside.
    case glow
    case none
  }

  package struct Mark: Hashable, Sendable {
    /// The shape; `none` draws no mark.
    package var shape: Shape
    /// The colour at full strength. A fading mark loses alpha.
    package var color: Color
    /// The width of the outline in window units, inside the view's bounds. A
    /// glow reaches outward by `Mark.glowReach` widths.
    package var width: Double
    /// The time of the fading after the last finger has left the view, in seconds;
    /// nil for the shape's own: `usualGlowFade` for a glow, 0 for the others.
    package var fade: Double?

    /// The reach of a glow outside the view, in widths.
    package static let glowReach = 4.0
    /// The time in seconds.
    package static let usualGlowFade = 0.3

    /// Makes a mark. The width is in window units, the fade in seconds.
    package init(shape: Shape, color: Color, width: Double, fade: Double? = nil) {
      (self.shape, self.color, self.width, self.fade) = (shape, color, width, fade)
    }

    /// The reach of the mark outside the view's bounds, in window units.
    package var reach: Double { shape == .glow ? Self.glowReach * width : 0 }

    /// The time of the fading, in seconds.
    package var fadeTime: Double { fade ?? (shape == .glow ? Self.usualGlowFade : 0) }
  }

  package struct Touches: Hashable, Sendable {
    /// Whether a disc is drawn under each finger.
    package var showsMarker = true
    /// The colour; nil for that of the view's mark.
    package var color: Color?
    /// Whether the touch's number is drawn next to the finger.
    package var showsID = false
    /// Whether the finger's location, in whole window units, is drawn next to it.
    package var showsCoordinates = false
    /// The time for which the trail behind a finger is visible, in seconds; 0 for no trail.
    package var trail = 0.0

    package init() {}

    /// Whether a label is drawn next to the finger.
    package var showsLabel: Bool { showsID || showsCoordinates }
  }

  package var view = Mark(shape: .outline, color: Color(red: 0x00, green: 0xd0, blue: 0xff), width: 4)
  /// The mark on the other views of the touch's chain.
  package var path = Mark(
    shape: .none, color: Color(red: 0x00, green: 0xd0, blue: 0xff, alpha: 0x80), width: 2)
  package var touches = Touches()

  package init() {}

  package static let none: HighlightStyle = {
    var style = HighlightStyle()
    style.view.shape = .none
    style.touches.showsMarker = false
    return style
  }()

  /// The colour of the fingers' markers and trails.
  package var touchColor: Color { touches.color ?? view.color }
}
