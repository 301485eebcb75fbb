import TouchCore

// What people who do not see the screen hear of a view, as `UIAccessibility` has it.

extension View {
  /// The name of the view for people who do not see it: its label, or its title.
  /// (`UIView.accessibilityLabel`, whose default is a control's title.)
  package final var spokenLabel: String? {
    accessibilityLabel ?? spokenTitle.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The name of the view, or else the texts and the labels of what it contains, as a row of several texts is
  /// spoken; nil for none.
  package final var spokenName: String? {
    if let spokenLabel { return spokenLabel }
    let names = layeredSubviews.compactMap { $0.isHidden || $0.isPrivate ? nil : $0.spokenName }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// Whether touches that explore find the view: what can be used, and a text, a picture with a label, or a
  /// value without anything in it. (`UIView.isAccessibilityElement`.)
  package final var isSpoken: Bool {
    if canBecomeFocused || focusPartCount > 0 { return true }
    guard subviews.isEmpty else { return false }
    return spokenLabel != nil || !(shownText ?? "").isEmpty || control?.controlValue != nil
  }
}

extension FocusSystem.Item {
  /// The states of the item that are spoken with it. (`UIAccessibilityTraits`.)
  package var traits: [String] {
    let isAdjustable = view.canAdjustFocus(of: part)
    let isChosen = !isAdjustable && part.map { view.control?.controlValue?.number == Double($0) } ?? false
    let isSelected = view.control?.isSelected ?? false || view.kind.choiceName != nil && isChosen
    let isDisabled = sequence(first: view, next: \.superview).contains(where: \.isDisabled)
    return [("selected", isSelected), ("disabled", isDisabled), ("adjustable", isAdjustable)].filter(\.1).map(
      \.0)
  }
}

extension ControlValue {
  /// The part of the range, as sliders and progress bars are spoken.
  var spokenShare: String { "\(Int(saturating: (fraction * 100).rounded())) %" }
}

extension Window {
  /// Whether touches find views, whose names are spoken, and press them by two taps.
  /// (`UIAccessibility.isVoiceOverRunning`.)
  public final var isExplored: Bool {
    get { usedFocusSystem?.exploration != nil }
    set { if newValue != isExplored { focusSystem.explore(newValue) { $0.isSpoken } } }
  }
}
