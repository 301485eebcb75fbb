import TouchCore

/// A view whose parts that can be focused have texts.
protocol FocusTextHolding: View {
  /// The text of a part; nil for a part without text.
  func focusText(of part: Int) -> String?
}

extension FocusSystem.Item {
  /// The text that is read there: of a row, of a segment or of a wheel, or that of the view; nil for a view without text.
  package var shownText: String? {
    guard let part, let holder = view as? any FocusTextHolding else { return view.shownText }
    return holder.focusText(of: part)
  }
}
