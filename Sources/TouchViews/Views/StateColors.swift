import TouchCore

/// The colours of a control in a state, where they are not those that the painter makes of its own.
/// (`UIButton.Configuration`, by `configurationUpdateHandler`.)
public struct StateColors: Hashable, Sendable {
  /// Behind a control while a finger holds it; nil for a lighter or a darker one of its own.
  public var pressed: Color?
  /// Of its text and icon then; nil for their own.
  public var pressedText: Color?
  /// Behind a control that is selected. With one there is no ring.
  public var selected: Color?
  /// Of its text and icon then; nil for their own.
  public var selectedText: Color?
  /// Behind a control that is disabled. With one the control does not fade.
  public var disabled: Color?
  /// Of its text and icon then; nil for their own.
  public var disabledText: Color?

  /// None, until they are set.
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
  ]
}

extension Control {
  /// The colours of its states; see `StateColors`.
  public final var stateColors: StateColors {
    get { knownLayer?.stateColors ?? StateColors() }
    set {
      guard newValue != stateColors else { return }
      ownLayer.stateColors = newValue
      setNeedsDisplay()
    }
  }
}

extension PropertyType where Value == PartValues {
  static var states: Self {
    let parts = StateColors.parts
    let shape = parts.map { $0.described(by: StateColors()) }
    return Self(.either([.parts(of: "colours of states", shape), .nothing])) {
      (reader) throws(PropertyError) in
      try reader.parts(parts)
    } write: { _ in
      .null
    }
  }
}
