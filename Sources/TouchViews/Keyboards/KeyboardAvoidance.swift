import TouchCore

/// What moves out of the way of a keyboard, so that the field is seen. (UIKit leaves it to each program; SwiftUI does so by itself.)
struct KeyboardAvoidance {
  /// What is moved up, and how it stood before.
  private var shifted: [(view: View, transform: AffineTransform)] = []

  /// In units: how much of what is above the keyboard is seen below the field.
  private static let margin = 8.0

  /// Moves everything back.
  mutating func end() {
    for (view, transform) in shifted { view.transform = transform }
    shifted = []
  }

  /// Scrolls what the field is in, and where that is not enough, shifts all of the window but its keyboards.
  mutating func reveal(_ field: View, above keyboard: KeyboardView, in window: Window) {
    let top = keyboard.layoutRect.minY - Self.margin
    var covered = field.windowFrame.maxY - top
    guard covered > 0 else { return }
    var next = field.enclosingScrollView
    while let scrollView = next, covered > 0 {
      if !(scrollView is SheetBackdrop) {
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
    // Not so far that the field leaves the window at the top.
    covered = min(covered, max(0, field.windowFrame.minY)).rounded(.up)
    for root in window.subviews where root.kind != .keyboard {
      shifted.append((root, root.transform))
      root.transform = root.transform.then(.translation(x: 0, y: -covered))
    }
  }
}
