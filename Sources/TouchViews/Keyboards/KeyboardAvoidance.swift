import TouchCore

/// Moves views out of a keyboard's way, so that its field is seen. (As SwiftUI does, unlike UIKit.)
struct KeyboardAvoidance {
  /// The views that are moved up, with their former transforms.
  private var shifted: [(view: View, transform: AffineTransform)] = []
  /// The text view whose lower part it covers.
  private weak var text: TextView?

  /// The visible space between the field and the keyboard, in units.
  private static let margin = 8.0

  /// Moves everything back.
  mutating func end() {
    for (view, transform) in shifted { view.transform = transform }
    shifted = []
    text?.coveredHeight = 0
    text = nil
  }

  /// Scrolls the ancestors of the field. If that is not enough, shifts the whole window except its keyboards.
  mutating func reveal(_ field: View, above keyboard: KeyboardView, in window: Window) {
    let top = keyboard.layoutRect.minY - Self.margin
    var covered = field.windowFrame.maxY - top
    guard covered > 0 else { return }
    // A text view stays where it is, and scrolls to its caret.
    if let textView = field as? TextView {
      text = textView
      textView.coveredHeight = covered
      return
    }
    var next = field.enclosingScrollView
    while let scrollView = next, covered > 0 {
      if !scrollView.confinesFocus {
        let range = scrollView.range.y
        let place = range.nearest(to: scrollView.offset.y + covered)
        if place > scrollView.offset.y {
          scrollView.jump(to: LocalPoint(x: scrollView.offset.x, y: place))
          covered = field.windowFrame.maxY - top
        }
      }
      next = scrollView.enclosingScrollView
    }
    guard covered > 0 else { return }
    // The field stays inside the window at the top.
    covered = min(covered, max(0, field.windowFrame.minY)).rounded(.up)
    for root in window.subviews where root.kind != .keyboard {
      shifted.append((root, root.transform))
      root.transform = root.transform.then(.translation(x: 0, y: -covered))
    }
  }
}
