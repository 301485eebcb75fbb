import TouchCore

extension FocusSystem.Item {
  /// What is read there: the text of a row, of a segment or of a wheel, or that of the view; nil for a view without text.
  package var shownText: String? {
    guard let part else { return view.shownText }
    switch view {
    case let list as ListView: return list.rows.indices.contains(part) ? list.rows[part] : nil
    case let control as SegmentedControl:
      return control.segments.indices.contains(part) ? control.segments[part] : nil
    case let picker as PickerView:
      guard picker.wheels.indices.contains(part) else { return nil }
      return picker.text(of: picker.wheels[part].row, in: part)
    case let keyboard as KeyboardView: return keyboard.name(of: part)
    case is Stepper: return part == 0 ? "−" : "+"
    default: return view.shownText
    }
  }
}
