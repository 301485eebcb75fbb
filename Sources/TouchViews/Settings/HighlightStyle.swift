import TouchCore

/// How touches are shown on top of the tree.
package struct HighlightStyle: Hashable, Sendable {
  /// What a mark looks like.
  @frozen package enum Shape: String, CaseIterable, Sendable {
    /// A line inside the view's bounds.
    case outline
    /// The whole view.
    case fill
    /// Light around the view, and a little of it inside.
    case glow
    case none
  }

  /// The mark on a view.
  package struct Mark: Hashable, Sendable {
    /// `none` draws no mark.
    package var shape: Shape
    /// At full strength; a mark that fades loses alpha.
    package var color: Color
    /// The outline's width in window units; it lies inside the view's bounds. A glow reaches outward
    /// `Mark.glowReach` times as far.
    package var width: Double
    /// How long the mark takes to go when the last finger has left the view, in seconds; nil is what suits the
    /// shape: `usualGlowFade` for a glow, nothing for the others.
    package var fade: Double?

    /// How many widths a glow reaches out of the view.
    package static let glowReach = 4.0
    /// In seconds.
    package static let usualGlowFade = 0.3

    /// The width is in window units, the fade in seconds.
    package init(shape: Shape, color: Color, width: Double, fade: Double? = nil) {
      self.shape = shape
      self.color = color
      self.width = width
      self.fade = fade
    }

    /// How far outside the view's bounds it paints, in window units.
    package var reach: Double { shape == .glow ? Self.glowReach * width : 0 }

    /// In seconds.
    package var fadeTime: Double { fade ?? (shape == .glow ? Self.usualGlowFade : 0) }
  }

  /// What shows where the fingers are.
  package struct Touches: Hashable, Sendable {
    /// Whether a disc is drawn under each finger.
    package var showsMarker = true
    /// Nil is the colour of the view's mark.
    package var color: Color?
    /// Whether the touch's number is drawn next to the finger.
    package var showsID = false
    /// Whether the finger's location, in whole window units, is drawn next to it.
    package var showsCoordinates = false
    /// How long the trail behind a finger is visible, in seconds; 0 for no trail.
    package var trail = 0.0

    package init() {}

    /// Whether a label is drawn next to the finger.
    package var showsLabel: Bool { showsID || showsCoordinates }
  }

  /// On the view that was hit.
  package var view = Mark(shape: .outline, color: Color(red: 0x00, green: 0xd0, blue: 0xff), width: 4)
  /// On the other views of the touch's chain.
  package var path = Mark(
    shape: .none, color: Color(red: 0x00, green: 0xd0, blue: 0xff, alpha: 0x80), width: 2)
  /// On the fingers themselves.
  package var touches = Touches()

  package init() {}

  /// Nothing is marked.
  package static let none: HighlightStyle = {
    var style = HighlightStyle()
    style.view.shape = .none
    style.touches.showsMarker = false
    return style
  }()

  /// What the fingers' markers and trails are drawn in.
  package var touchColor: Color { touches.color ?? view.color }
}
