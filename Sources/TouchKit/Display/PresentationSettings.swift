import TouchCore
import TouchOutput
import TouchViews

/// How a window is shown: what a configuration says of it, or a program.
package struct PresentationSettings: Hashable, Sendable {
  /// Where pixels go, and how the canvas lies there.
  package var display: DisplaySettings
  /// In window units: how large the canvas is where neither the settings nor the display say it.
  package var naturalSize: Size
  /// What marks touches, and the views that have them.
  package var highlight: HighlightStyle
  /// When the pointer of a mouse is drawn.
  package var pointer: PointerVisibility
  /// Where the settings are from, for messages.
  package var source: String

  /// Where nothing says how large a canvas is.
  package static let naturalSize = Size(width: 800, height: 480)

  package init(
    display: DisplaySettings = DisplaySettings(), naturalSize: Size = Self.naturalSize,
    highlight: HighlightStyle = .none, pointer: PointerVisibility = .auto, source: String
  ) {
    self.display = display
    self.naturalSize = naturalSize
    self.highlight = highlight
    self.pointer = pointer
    self.source = source
  }

  /// What the display is told of the canvas.
  package var canvasLayout: CanvasLayout {
    CanvasLayout(
      size: display.canvasSize, naturalSize: display.canvasSize ?? naturalSize, scale: display.scale,
      rotation: display.rotation, mode: display.mode, file: source)
  }
}
