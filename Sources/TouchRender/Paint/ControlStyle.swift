import TouchCore
import TouchViews

/// How a control's state (pressed, selected, disabled) changes its appearance.
enum ControlStyle {
  /// Around a button's title, in units of the button: 8 left and right, and less in a narrow one.
  static func buttonPadding(in bounds: LocalRect) -> Insets {
    let side = min(8, bounds.size.width / 10)
    return Insets(top: 0, left: side, bottom: 0, right: side)
  }
  /// The padding of a button that has the size of its title.
  static let buttonPadding = Insets(top: 0, left: 8, bottom: 0, right: 8)
  /// The least width and height that a button has by itself, in units. (Apple's Human Interface Guidelines: a target for a
  /// finger is at least 44 × 44 points.)
  static let leastButtonSide = 44.0
  /// A private view in a picture that others get.
  static let privateFill = Color(red: 0x2c, green: 0x2c, blue: 0x2e)
  /// The placeholder for a picture that cannot be read.
  static let placeholderFill = Color(red: 0xff, green: 0x5c, blue: 0x7a, alpha: 0x30)
  static let placeholderLine = Color(red: 0xff, green: 0x5c, blue: 0x7a, alpha: 0xd0)

  /// The colour of a control's text in its state.
  static func textColor(of control: Control, _ own: Color) -> Color {
    let states = control.stateColors
    let color = control.shownStates.color { isPressed, isSelected, isDisabled in
      if isDisabled { return states.disabledText ?? own }
      if isSelected { return states.selectedText ?? own }
      return isPressed ? states.pressedText ?? own : own
    }
    return color ?? own
  }
}
