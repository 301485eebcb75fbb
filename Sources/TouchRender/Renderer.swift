import TouchCore
import TouchPixels
import TouchViews

/// Keeps a display up to date with a view tree and its touches. It paints only changes since the last update.
package final class Renderer {
  private let display: any Screen
  private let painter: Painter
  private let highlights: Highlights
  private var damage = Damage()
  private let wholeDisplay: WindowRect
  /// The damage since the last update of the copy; nil while there is no copy.
  private var copyDamage: Damage?
  /// The time when the display was last asked for its mode.
  private var askedAt: Timestamp?
  /// The time between two such questions, in microseconds.
  private static let askingInterval: Int64 = 1_000_000
  /// Whether the display still exists in its mode, as found after painting. Else nothing is painted.
  package private(set) var isCurrent = true

  /// Makes a renderer with a colour where no view paints, or throws without memory.
  package init(
    display: any Screen, geometry: DisplayGeometry, style: HighlightStyle, background: Color
  ) throws(DisplayError) {
    self.display = display
    painter = try Painter(geometry: geometry, background: background)
    painter.focusColor = style.view.color
    highlights = Highlights(style: style, canvas: geometry.canvasBounds)
    wholeDisplay = geometry.displayBoundsInWindow
    damage.add(wholeDisplay)
  }

  /// Makes the next update paint everything, because another program may have drawn on the display.
  package func drawEverything() { damage.add(wholeDisplay) }

  /// Called once for each thing that cannot be painted.
  package var report: (PaintNotice) -> Void {
    get { painter.report }
    set { painter.report = newValue }
  }

  /// Called when `decodePictures()` has something to decode. Without it, pictures are decoded when painted.
  package var onPicturesWait: (() -> Void)? {
    get { painter.onPicturesWait }
    set { painter.onPicturesWait = newValue }
  }

  /// Decodes one piece of a waiting picture, and returns whether more remain.
  package func decodePictures() -> Bool { painter.decodePictures() }

  /// Called when the last pixel is painted, with whether the pixels are shown already.
  package var onPainted: (_ isShown: Bool) -> Void = { _ in }

  /// Draws and loads everything that the first touch needs, so that it is not delayed.
  package func prepare() { painter.prepare(for: highlights.style) }

  /// Returns the time of the next update by itself: in the past for as soon as possible; nil for never.
  package func nextStep(of window: Window) -> Timestamp? {
    highlights.isFading ? .zero : window.animator?.nextStep
  }

  /// Paints the changes of this turn of the loop, with a pointer's place in window space, if shown. Returns
  /// whether anything was painted.
  @discardableResult
  package func update(_ dispatcher: Dispatcher, cursor: WindowPoint?, at time: Timestamp) -> Bool {
    let window = dispatcher.window
    window.animator?.step(to: time)
    window.takeDamage(into: &damage)
    return presenting(window) {
      highlights.update(touches: dispatcher.touches, cursor: cursor, at: time, into: &damage)
      return paint(window, at: time)
    }
  }

  /// Paints the tree after all motions and without fading highlights, for a picture without a later update.
  package func settle(_ window: Window) {
    window.animator?.finish()
    window.takeDamage(into: &damage)
    highlights.settle(into: &damage)
    paint(window, at: nil)
  }

  /// Runs a closure that paints moving views at their present places.
  private func presenting<Result, Failure: Error>(
    _ window: Window, _ paint: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let animator = window.animator else { return try paint() }
    return try animator.presenting(paint)
  }

  /// - Parameter time: the time of the turn; nil to ask the display for its mode in any case.
  @discardableResult
  private func paint(_ window: Window, at time: Timestamp?) -> Bool {
    guard !damage.isEmpty else { return false }
    if !isCurrent { isCurrent = display.isCurrent }
    guard isCurrent else { return false }
    show(window)
    // A program that changes the mode and keeps the device open is noticed here, by a system call: once a
    // second, after the pixels were sent. Then the display is opened again.
    if let time, let askedAt, (0..<Self.askingInterval).contains(time.microseconds(since: askedAt)) {
      return true
    }
    askedAt = time
    isCurrent = display.isCurrent
    if !isCurrent { drawEverything() }
    return true
  }

  private func show(_ window: Window) {
    copyDamage?.add(damage)
    display.begin(&damage)
    painter.paint(window, highlights: highlights, damage: damage, on: display)
    damage.removeAll()
    onPainted(display.showsAtOnce)
    guard !display.present() else { return }
    drawEverything()
    display.begin(&damage)
    painter.paint(window, highlights: highlights, damage: damage, on: display)
    damage.removeAll()
    _ = display.present()
  }

  /// Draws annotations onto a picture of the whole display. See `Painter.annotate`.
  package func annotate(_ picture: Surface, with annotations: Annotations) throws(DisplayError) -> Surface {
    try painter.annotate(picture, with: annotations)
  }

  /// Returns the whole picture as it is shown, painted again if need be, or throws without memory.
  package func picture(of window: Window) throws(DisplayError) -> Surface {
    if let picture = display.picture { return picture }
    let copy = try Surface(width: display.width, height: display.height)
    presenting(window) { painter.paintAll(window, highlights: highlights, on: copy) }
    display.reduce(copy)
    return copy
  }

  // MARK: Disclosed pictures

  /// Returns the picture for clients, with blank private views. With such views it has no highlights and no
  /// pointer, which would disclose what is pressed.
  package func disclosedPicture(of window: Window) throws(DisplayError) -> Surface {
    guard window.containsPrivateViews else { return try picture(of: window) }
    let copy = try Surface(width: display.width, height: display.height)
    presenting(window) { painter.paintAll(window, highlights: nil, blanksPrivateViews: true, on: copy) }
    display.reduce(copy)
    return copy
  }

  // MARK: A copy that follows the display

  package var geometry: DisplayGeometry { painter.geometry }

  /// Whether something was painted since `updateCopy`.
  package var isCopyOutdated: Bool { copyDamage.map { !$0.isEmpty } ?? false }

  /// Brings a clients' copy of the display up to date, in all colours, with blank private views: all at
  /// first, then the damage collected until `forgetCopy`.
  package func updateCopy(of window: Window, on copy: any Screen) {
    let blanks = window.containsPrivateViews
    let highlights = blanks ? nil : highlights
    presenting(window) {
      if let damage = copyDamage {
        painter.paint(window, highlights: highlights, damage: damage, blanksPrivateViews: blanks, on: copy)
        copyDamage?.removeAll()
      } else {
        painter.paintAll(window, highlights: highlights, blanksPrivateViews: blanks, on: copy)
        copyDamage = Damage()
      }
    }
  }

  package func forgetCopy() { copyDamage = nil }
}
