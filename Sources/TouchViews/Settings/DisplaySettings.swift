import TouchCore

/// Where pixels go, and how a canvas lies there.
package struct DisplaySettings: Hashable, Sendable {
  /// Whether the kernel's console is kept from drawing.
  package enum Console: String, CaseIterable, Sendable { case hide, keep }

  /// Its name, as for `--display`: `auto`, `headless`, `kms`, `kms:HDMI-A-1`, or a device's absolute path.
  package var device = "auto"
  /// How the picture is turned on the display, clockwise; nil for as the panel is mounted.
  package var rotation: DisplayGeometry.Rotation?
  /// Of a display by KMS; nil for its own.
  package var mode: DisplayMode?
  /// In window units, both positive; nil is the display's own pixels.
  package var canvasSize: Size?
  /// How the canvas is fitted into the display.
  package var scale = DisplayGeometry.Scale.fit
  /// What shows where no view paints.
  package var background = Color(red: 0x10, green: 0x14, blue: 0x18)
  /// What happens to the kernel's console while the daemon runs.
  package var console = Console.hide
  /// Whether everything that moves by itself is there at once.
  package var reducesMotion = false
  /// The backlight that `idle` dims, by the name of its folder in /sys/class/backlight; nil for the only one.
  package var backlight: String?

  package init() {}
}

/// When the pointer of a mouse is drawn.
package enum PointerVisibility: String, CaseIterable, Sendable {
  /// While a relative pointer is present, but not after a touch until it is used again.
  case auto
  case always, never
}
