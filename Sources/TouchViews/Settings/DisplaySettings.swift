import TouchCore

/// The destination of pixels, and the position of a canvas there.
package struct DisplaySettings: Hashable, Sendable {
  /// Whether the kernel's console is kept from drawing.
  package enum Console: String, CaseIterable, Sendable { case hide, keep }

  /// The name for `--display`: `auto`, `headless`, `kms`, `kms:HDMI-A-1`, or a device's absolute path.
  package var device = "auto"
  /// The clockwise rotation on the display; nil to follow the panel's mounting.
  package var rotation: DisplayGeometry.Rotation?
  /// The mode of a KMS display; nil for the display's own.
  package var mode: DisplayMode?
  /// The size in window units, both positive; nil for the display's own pixels.
  package var canvasSize: Size?
  package var scale = DisplayGeometry.Scale.fit
  /// The colour where no view paints.
  package var background = Color(red: 0x10, green: 0x14, blue: 0x18)
  /// The treatment of the kernel's console while the daemon runs.
  package var console = Console.hide
  /// Whether views do not move by themselves.
  package var reducesMotion = false
  /// The backlight that `idle` dims, as a name in /sys/class/backlight; nil for the only one.
  package var backlight: String?
  /// The brightness in per cent of the brightest; nil for the panel's own, or for an expression.
  package var light: Double?

  package init() {}
}

/// The times when the pointer of a mouse is drawn.
package enum PointerVisibility: String, CaseIterable, Sendable {
  /// While a relative pointer is present, but not after a touch until it is used again.
  case auto
  case always, never
}
