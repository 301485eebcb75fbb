import TouchCore
import TouchPixels

/// Keeps a display true to a session: paints what changed since it last looked, and nothing else.
package final class Renderer {
  private let display: any Display
  private let painter: Painter
  private var highlights: Highlights
  private var damage = Damage()
  private let wholeDisplay: WindowRect
  /// False once the display is not any more what it was when it was opened, or is gone. Nothing is painted then.
  package private(set) var isCurrent = true

  /// - Parameter background: shown where no view paints.
  /// - Throws: `DisplayError` when there is no memory.
  package init(
    display: any Display, geometry: DisplayGeometry, style: HighlightStyle, background: Color
  ) throws(DisplayError) {
    self.display = display
    painter = try Painter(geometry: geometry, background: background)
    highlights = Highlights(style: style, canvas: geometry.canvasBounds)
    wholeDisplay = geometry.displayBoundsInWindow
    damage.add(wholeDisplay)
  }

  /// Has the next update paint everything: somebody else may have drawn on the display.
  package func drawEverything() {
    damage.add(wholeDisplay)
  }

  /// Told once of each thing that cannot be painted.
  package var report: (PaintNotice) -> Void {
    get { painter.report }
    set { painter.report = newValue }
  }

  /// Makes ready now what the first touch would have to wait for.
  package func prepare() {
    painter.prepare(for: highlights.style)
  }

  /// Whether a highlight fades, so that `update` has to be called again soon.
  package var isFading: Bool { highlights.isFading }

  /// Paints what the turn changed.
  ///
  /// - Parameters:
  ///   - cursor: the pointer's place in window space, or nil while it is not shown.
  ///   - time: of the turn.
  /// - Returns: whether anything was painted.
  @discardableResult
  package func update(_ dispatcher: Dispatcher, cursor: WindowPoint?, at time: Timestamp) -> Bool {
    dispatcher.window.takeDamage(into: &damage)
    highlights.update(touches: dispatcher.touches, cursor: cursor, at: time, into: &damage)
    return paint(dispatcher.window)
  }

  /// Paints the tree without what fades: there is no later update.
  package func settle(_ window: Window) {
    highlights.settle(into: &damage)
    paint(window)
  }

  @discardableResult
  private func paint(_ window: Window) -> Bool {
    guard !damage.isEmpty else { return false }
    isCurrent = display.isCurrent
    guard isCurrent else { return false }
    show(window)
    return true
  }

  private func show(_ window: Window) {
    display.begin(&damage)
    painter.paint(window, highlights: highlights, damage: damage, on: display)
    damage.removeAll()
    guard !display.present() else { return }
    // The driver promised more than it does, and is not asked again.
    drawEverything()
    display.begin(&damage)
    painter.paint(window, highlights: highlights, damage: damage, on: display)
    damage.removeAll()
    _ = display.present()
  }

  /// Draws what explains a picture of the whole display onto it; see `Painter.annotate`.
  package func annotate(_ picture: Surface, with annotations: Annotations) throws(DisplayError) -> Surface {
    try painter.annotate(picture, with: annotations)
  }

  /// The whole picture as it is shown, in the colours that the display has. One that does not keep it has it painted
  /// once more.
  ///
  /// - Throws: `DisplayError` when there is no memory.
  package func picture(of window: Window) throws(DisplayError) -> Surface {
    if let picture = display.picture { return picture }
    let copy = try HeadlessDisplay(width: display.width, height: display.height)
    painter.paintAll(window, highlights: highlights, on: copy)
    display.reduce(copy.surface)
    return copy.surface
  }
}
