import TouchCore

protocol FocusTextHolding: View {
  /// Returns the text of a part; nil if it has none.
  func focusText(of part: Int) -> String?
}

extension FocusSystem.Item {
  /// The text read aloud for the item: that of a row, a segment, a wheel or the view; nil without text.
  package var shownText: String? {
    guard let part, let holder = view as? any FocusTextHolding else { return view.shownText }
    return holder.focusText(of: part)
  }
}
