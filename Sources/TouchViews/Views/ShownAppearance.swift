import TouchCore

// How views look in a picture: their appearance, and what a control's state (pressed, selected, disabled)
// changes in it.

extension View {
  private static let disabledAlpha = 0.38

  /// The view's own opacity, from 0 to 255, without its ancestors'. An alpha that is not a number counts as
  /// 0.
  package final var shownOpacity: UInt32 {
    var alpha = alpha
    if let control, control.stateColors.disabled == nil {
      alpha *= 1 - (1 - Self.disabledAlpha) * control.shownStates.disabled
    }
    return alpha > 0 ? UInt32(min(1, alpha) * 255 + 0.5) : 0
  }

  /// The background's colour. While a control is pressed, a dark colour becomes lighter and a light one
  /// darker; a control without a background gets a faint one.
  package final var shownBackground: Color? {
    let own = background
    guard let control else { return own }
    // The groups of a list have its background.
    guard control.showsStatesBehind else { return control.paintsOwnBackground ? nil : own }
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

  /// The colour over a control's gradient, by its state. Without one a pressed control has a faint white on a
  /// dark gradient, and a faint black on a light one.
  package final func shade(over gradient: Gradient) -> Color? {
    guard let control, control.showsStatesBehind else { return nil }
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

  /// The colour on which the view's content lies: its own background, or that of the nearest superview that
  /// has one, or black.
  package final var surfaceColor: Color {
    var next: View? = self
    while let view = next {
      if let gradient = view.gradient, gradient.middle.alpha > 127 { return gradient.middle }
      if let background = view.background, background.alpha > 127 { return background }
      next = view.superview
    }
    return .black
  }

  /// The border; nil for a view without a visible one.
  package final var shownBorder: Appearance.Border? {
    let border = control?.stateBorder ?? border
    return border.flatMap { $0.width > 0 && $0.color.alpha > 0 ? $0 : nil }
  }

  /// The ring that marks a selected control, one ring width inside the edge.
  package final var selectionRing: Appearance.Border? {
    guard let control else { return nil }
    let (states, selected) = (control.stateColors, control.shownStates.selected)
    guard selected > 0, states.selected == nil, states.selectedText == nil else { return nil }
    var color = control.markColor
    color.alpha = UInt8(Double(color.alpha) * selected + 0.5)
    return Appearance.Border(color: color, width: 2)
  }

  /// Whether what the view draws may reach into its corners, and is cut off by them: rows do, and what a
  /// program draws in a view that clips.
  package final var fillsCorners: Bool {
    if clipsToBounds, !hasStandardHitTest { return true }
    return control?.drawsIntoCorners ?? false
  }

  /// Whether the view paints at most one of background, content, border and ring, so that nothing overlaps.
  package final var paintsAtMostOnce: Bool {
    guard !isDecorated, focusMark == .none else { return false }
    let content = drawnContent
    guard content != .overlapping else { return false }
    return (shownBackground != nil ? 1 : 0) + (content == .single ? 1 : 0) + (border != nil ? 1 : 0)
      + (selectionRing != nil ? 1 : 0) <= 1
  }

  /// The parts that the view's class draws now. Those of a class of a program's own, which may draw anything,
  /// are not known.
  package final var drawnContent: DrawnContent {
    // Most views have no class of their own, and the cast would take longer than all that is drawn of them.
    guard type(of: self) != View.self else { return .nothing }
    guard hasStandardHitTest else { return .overlapping }
    return (self as? any ContentDrawing)?.ownContent ?? .nothing
  }
}

/// The parts that a view draws between its background and its subviews.
package enum DrawnContent {
  /// None.
  case nothing
  /// One, or several that do not overlap.
  case single
  /// Several of which one may lie on another.
  case overlapping
}

/// A view that draws something by itself.
protocol ContentDrawing: View {
  /// Its parts, without those that a subclass draws.
  var ownContent: DrawnContent { get }
}

extension ContentDrawing {
  var ownContent: DrawnContent { .overlapping }
}

extension ControlStates {
  /// The colour for the states that are shown: between those of two states while one fades to the other.
  /// Nothing is a colour that is transparent.
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
