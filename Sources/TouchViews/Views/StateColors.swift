/// The colours of a control in a state, where they are not those that the painter makes of its own.
/// (`UIButton.Configuration`, by `configurationUpdateHandler`.)
public struct StateColors: Hashable, Sendable {
  /// The colour behind a pressed control; nil for a lighter or a darker one of its own.
  public var pressed: Color?
  /// The colour of the text and icon of a pressed control; nil for their own.
  public var pressedText: Color?
  /// The colour behind a selected control. With one there is no ring.
  public var selected: Color?
  /// The colour of the text and icon of a selected control; nil for their own.
  public var selectedText: Color?
  /// The colour behind a disabled control. With one the control does not fade.
  public var disabled: Color?
  /// The colour of the text and icon of a disabled control; nil for their own.
  public var disabledText: Color?
  /// The time between two states in pictures, in seconds; 0 for none. A press is always shown at once.
  public var fade = 0.0

  /// Makes state colours without any colour.
  public init() {}

  static let parts: [PropertyPart<StateColors>] = [
    PropertyPart(
      "pressed", \.pressed, PropertyType.color.orNone,
      "Behind it while a finger holds it. Default: its background, lighter or darker."),
    PropertyPart("pressed_text", \.pressedText, PropertyType.color.orNone, "Of its text and icon then."),
    PropertyPart(
      "selected", \.selected, PropertyType.color.orNone, "Behind it while it is selected, in place of a ring."
    ),
    PropertyPart("selected_text", \.selectedText, PropertyType.color.orNone, "Of its text and icon then."),
    PropertyPart(
      "disabled", \.disabled, PropertyType.color.orNone,
      "Behind it while it is disabled; it does not fade then."),
    PropertyPart("disabled_text", \.disabledText, PropertyType.color.orNone, "Of its text and icon then."),
    PropertyPart(
      "fade", \.fade, .number(.fade),
      "How many seconds the colours take to those of another state, up to 10. What a finger presses has them at once."
    ),
  ]
}

/// The share of each state of a control in its picture: 0 for none, 1 for all, and between them while it
/// fades.
package struct ControlStates: Hashable, Sendable {
  package var pressed, selected, disabled: Double

  init(isPressed: Bool, isSelected: Bool, isDisabled: Bool) {
    (pressed, selected, disabled) = (isPressed ? 1 : 0, isSelected ? 1 : 0, isDisabled ? 1 : 0)
  }

  /// Returns states between these and others.
  func mixed(with end: ControlStates, _ fraction: Double) -> ControlStates {
    var mixed = end
    mixed.pressed = pressed + (end.pressed - pressed) * fraction
    mixed.selected = selected + (end.selected - selected) * fraction
    mixed.disabled = disabled + (end.disabled - disabled) * fraction
    return mixed
  }
}

extension Control {
  /// The colours of the control's states. See `StateColors`.
  public final var stateColors: StateColors {
    get { knownLayer?.stateColors ?? StateColors() }
    set {
      guard newValue != stateColors else { return }
      ownLayer.stateColors = newValue
      setNeedsDisplay()
    }
  }

  /// The control's states, without regard to pictures.
  final var ownStates: ControlStates {
    ControlStates(isPressed: isHighlighted, isSelected: isSelected, isDisabled: !isEnabled)
  }

  /// The control's states in the picture being painted.
  package final var shownStates: ControlStates { knownLayer?.presentedStates ?? ownStates }

  /// A state has changed: pictures go from what they show to what it is now.
  /// - Parameter old: the states before.
  final func fadeStates(from old: ControlStates) {
    guard let seconds = knownLayer?.stateColors?.fade, seconds > 0, let animator = window?.runningAnimator
    else { return }
    var start = old
    if case .states(let seen) = animator.presented(.states, of: self) { start = seen }
    // A finger sees what it does without delay.
    if isHighlighted { start.pressed = 1 }
    guard start != ownStates else { return }
    animator.move(.states, of: self, from: .states(start), in: animator.group(Timing(seconds)))
  }
}

extension PropertyType where Value == PartValues {
  static var states: Self {
    let parts = StateColors.parts
    let shape = parts.map { $0.described(by: StateColors()) }
    return Self(.parts(of: "colours of states", shape)) {
      (reader) throws(PropertyError) in
      try reader.parts(parts)
    } write: { _ in
      .null
    }
  }
}
