import TouchCore
import TouchViews

/// How a control's state (pressed, selected, disabled) changes its appearance.
enum ControlStyle {
  /// A private view in a picture that others get.
  static let privateFill = Color(red: 0x2c, green: 0x2c, blue: 0x2e)
  /// The placeholder for a picture that cannot be read.
  static let placeholderFill = Color(red: 0xff, green: 0x5c, blue: 0x7a, alpha: 0x30)
  static let placeholderLine = Color(red: 0xff, green: 0x5c, blue: 0x7a, alpha: 0xd0)
}
