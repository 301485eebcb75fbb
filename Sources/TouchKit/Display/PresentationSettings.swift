import TouchCore
import TouchOutput
import TouchViews

/// The settings for showing a window, from a configuration or a program.
package struct PresentationSettings: Hashable, Sendable {
  /// The target of pixels, and the position of the canvas there.
  package var display: DisplaySettings
  /// The canvas's size in window units if neither the settings nor the display determine it.
  package var naturalSize: Size
  /// The marks of touches, and of the views that have them.
  package var highlight: HighlightStyle
  /// The condition for drawing the pointer of a mouse.
  package var pointer: PointerVisibility
  /// The origin of the settings, for messages.
  package var source: String

  package static let naturalSize = Size(width: 800, height: 480)

  package init(
    display: DisplaySettings = DisplaySettings(), naturalSize: Size = Self.naturalSize,
    highlight: HighlightStyle = .none, pointer: PointerVisibility = .auto, source: String
  ) {
    (self.display, self.naturalSize, self.highlight) = (display, naturalSize, highlight)
    (self.pointer, self.source) = (pointer, source)
  }

  package var canvasLayout: CanvasLayout {
    CanvasLayout(
      size: display.canvasSize, naturalSize: display.canvasSize ?? naturalSize, scale: display.scale,
      rotation: display.rotation, mode: display.mode, file: source)
  }
}
