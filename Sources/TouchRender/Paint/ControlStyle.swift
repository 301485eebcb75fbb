import TouchCore
import TouchViews

/// How a control's state (pressed, selected, disabled) changes its appearance.
enum ControlStyle {
  /// Of what a finger takes hold of.
  static let knobShadow = Shadow(
    color: Color(red: 0, green: 0, blue: 0, alpha: 0x60), blur: 4, offset: LocalPoint(x: 0, y: 1))
  /// How far beyond it the shadow goes, in units.
  static let knobShadowReach = 6.0
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
  /// The opacity of a disabled control.
  static let disabledAlpha = 0.38
  /// A private view in a picture that others get.
  static let privateFill = Color(red: 0x2c, green: 0x2c, blue: 0x2e)
  /// The placeholder for a picture that cannot be read.
  static let placeholderFill = Color(red: 0xff, green: 0x5c, blue: 0x7a, alpha: 0x30)
  static let placeholderLine = Color(red: 0xff, green: 0x5c, blue: 0x7a, alpha: 0xd0)

  /// The view's own opacity, 0 … 255, without its ancestors'. An alpha that is not a number counts as 0.
  static func opacity(of view: View) -> UInt32 {
    var alpha = view.alpha
    if let control = view as? Control, control.stateColors.disabled == nil {
      alpha *= 1 - (1 - disabledAlpha) * control.shownStates.disabled
    }
    return alpha > 0 ? UInt32(min(1, alpha) * 255 + 0.5) : 0
  }

  /// Whether the view paints at most one of background, content, border and ring, so that nothing overlaps. Of a class of a
  /// program's own, which may draw anything, that is not known.
  static func paintsAtMostOnce(_ view: View) -> Bool {
    if view is ValueControl || view is TextField || view is KeyboardView || !view.hasStandardHitTest
      || view.isDecorated || view.focusMark != .none
    {
      return false
    }
    let appearance = view.appearance
    let content = showsTitle(view)
    let ring = selectionRing(of: view) != nil
    return (background(of: view) != nil ? 1 : 0) + (content ? 1 : 0) + (appearance.border != nil ? 1 : 0)
      + (ring ? 1 : 0) <= 1
  }

  /// Whether a label, a button or a picture has a text, an icon or pixels to show.
  static func showsTitle(_ view: View) -> Bool {
    switch view {
    case let label as Label: !label.text.isEmpty || label.icon.isShown || !label.detail.isEmpty
    case let button as Button: !button.text.isEmpty || button.icon.isShown || !button.detail.isEmpty
    case let image as ImageView: !image.path.isEmpty || image.icon.isShown
    default: false
    }
  }

  /// The background's colour. While a control is pressed, a dark colour becomes lighter and a light one darker; a control
  /// without a background gets a faint one. Controls with parts show it on these.
  static func background(of view: View) -> Color? {
    let own = view.appearance.background
    guard let control = view as? Control, !(control is ValueControl), !(control is TextField)
    else { return own }
    let states = control.stateColors
    return control.shownStates.color { isPressed, isSelected, isDisabled in
      var background = own
      if isDisabled, let disabled = states.disabled { return disabled }
      if isSelected, let selected = states.selected { background = selected }
      guard isPressed else { return background }
      if !isSelected, let pressed = states.pressed { return pressed }
      guard let background, background.alpha > 0 else {
        return Color(red: 255, green: 255, blue: 255, alpha: 0x28)
      }
      return background.pressed
    }
  }

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

  /// What is over a control's gradient: the colour of its state; without one a pressed control has a faint white on a dark gradient,
  /// and a faint black on a light one.
  static func shade(of view: View, over gradient: Gradient) -> Color? {
    guard let control = view as? Control, !(control is ValueControl), !(control is TextField)
    else { return nil }
    let states = control.stateColors
    return control.shownStates.color { isPressed, isSelected, isDisabled in
      if isDisabled, let disabled = states.disabled { return disabled }
      if isSelected, let selected = states.selected { return isPressed ? selected.pressed : selected }
      guard isPressed else { return nil }
      if let pressed = states.pressed { return pressed }
      var shade = gradient.middle.contrast
      shade.alpha = 0x28
      return shade
    }
  }

  /// Whether what the view shows by itself may reach into its corners, and is cut off by them: rows do, and what a program draws in a
  /// view that clips.
  static func fillsCorners(_ view: View) -> Bool {
    view is ListView || view is PickerView || view.clipsToBounds && !view.hasStandardHitTest
  }

  /// The colour on which a view's content lies: its own background, or that of the
  /// nearest superview that has one, or black.
  static func surface(behind view: View) -> Color {
    var next: View? = view
    while let current = next {
      if let gradient = current.gradient, gradient.middle.alpha > 127 { return gradient.middle }
      if let background = current.appearance.background, background.alpha > 127 { return background }
      next = current.superview
    }
    return Color(red: 0, green: 0, blue: 0)
  }

  /// The view's border; nil for a view without a visible one. A text field that is edited has one of its tint.
  static func border(of view: View) -> Appearance.Border? {
    if let field = view as? TextField, field.isFirstResponder {
      return Appearance.Border(color: field.tint, width: max(2, field.border?.width ?? 0))
    }
    return view.appearance.border.flatMap { $0.width > 0 && $0.color.alpha > 0 ? $0 : nil }
  }

  /// The ring that marks a selected control, one ring width inside the edge.
  static func selectionRing(of view: View) -> Appearance.Border? {
    guard let control = view as? Control else { return nil }
    let (states, selected) = (control.stateColors, control.shownStates.selected)
    guard selected > 0, states.selected == nil, states.selectedText == nil else { return nil }
    var color = (control as? Button)?.textStyle.color ?? Color(red: 255, green: 255, blue: 255)
    color.alpha = UInt8(Double(color.alpha) * selected + 0.5)
    return Appearance.Border(color: color, width: 2)
  }
}

extension ControlStates {
  /// The colour for what is shown of the states: between those of two states while one fades to the other. Nothing is a colour that is
  /// transparent.
  func color(
    of state: (_ isPressed: Bool, _ isSelected: Bool, _ isDisabled: Bool) -> Color?
  ) -> Color? {
    func between(_ part: Double, _ color: (Bool) -> Color?) -> Color? {
      guard part > 0, part < 1 else { return color(part >= 1) }
      let (off, on) = (color(false), color(true))
      guard let any = off ?? on else { return nil }
      return (off ?? any.clear).mixed(with: on ?? any.clear, part)
    }
    return between(disabled) { isDisabled in
      between(selected) { isSelected in between(pressed) { state($0, isSelected, isDisabled) } }
    }
  }
}

extension Color {
  /// The colour while a finger holds what has it: a dark one becomes lighter, a light one darker.
  var pressed: Color { isLight ? mixed(with: 0, parts: 40) : mixed(with: 255, parts: 40) }
  /// The colour mixed with `parts` / 255 of a grey.
  private func mixed(with grey: UInt8, parts: Int) -> Color {
    mixed(with: Color(red: grey, green: grey, blue: grey), parts: parts)
  }

  /// The colour mixed with `parts` / 255 of another one; the alpha stays.
  func mixed(with other: Color, parts: Int) -> Color {
    func mix(_ channel: UInt8, _ other: UInt8) -> UInt8 {
      UInt8((Int(channel) * (255 - parts) + Int(other) * parts + 127) / 255)
    }
    return Color(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue), alpha: alpha)
  }
}
