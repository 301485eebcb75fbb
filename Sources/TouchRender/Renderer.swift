import TouchCore
import TouchPixels
import TouchViews

/// Keeps a display up to date with a view tree and its touches: paints what has changed since the last update.
package final class Renderer {
  private let display: any Screen
  private let painter: Painter
  private let highlights: Highlights
  private var damage = Damage()
  private let wholeDisplay: WindowRect
  /// What was painted since the copy of the picture was brought up to date; nil while there is no copy.
  private var copyDamage: Damage?
  /// When the display was last asked for its mode.
  private var askedAt: Timestamp?
  /// In microseconds.
  private static let askingInterval: Int64 = 1_000_000
  /// False once the display has changed its mode or is gone, which is found out after painting. Nothing more is painted then.
  package private(set) var isCurrent = true

  /// - Parameter background: shown where no view paints.
  /// - Throws: `DisplayError` if there is no memory.
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

  /// Makes the next update paint everything: another program may have drawn on the display.
  package func drawEverything() {
    damage.add(wholeDisplay)
  }

  /// Called once for each thing that cannot be painted.
  package var report: (PaintNotice) -> Void {
    get { painter.report }
    set { painter.report = newValue }
  }

  /// Called when a picture has to be decoded in pieces, by `decodePictures()`. Until this is set, each is decoded when it is painted.
  package var onPicturesWait: (() -> Void)? {
    get { painter.onPicturesWait }
    set { painter.onPicturesWait = newValue }
  }

  /// Decodes a piece of a picture that waits.
  ///
  /// - Returns: whether there is more to do.
  package func decodePictures() -> Bool { painter.decodePictures() }

  /// Called when the last pixel is painted, with whether it is shown already.
  package var onPainted: (_ isShown: Bool) -> Void = { _ in }

  /// Draws and loads now what the first touch needs, so that it is not delayed.
  package func prepare() {
    painter.prepare(for: highlights.style)
  }

  /// When `update` has to be called next if nothing else changes, since something moves or fades: a time that is past for as soon as the
  /// display can show it; nil while nothing does.
  package func nextStep(of window: Window) -> Timestamp? {
    highlights.isFading ? .zero : window.animator?.nextStep
  }

  /// Paints what has changed in this turn of the loop.
  ///
  /// - Parameters:
  ///   - cursor: the pointer's place in window space, or nil if it is hidden.
  ///   - time: of the turn.
  /// - Returns: whether anything was painted.
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

  /// Paints the tree with everything where it is, and without fading highlights, for a picture without a later update.
  package func settle(_ window: Window) {
    window.animator?.finish()
    window.takeDamage(into: &damage)
    highlights.settle(into: &damage)
    paint(window, at: nil)
  }

  /// Paints views that move on their way.
  private func presenting<Result, Failure: Error>(
    _ window: Window, _ paint: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let animator = window.animator else { return try paint() }
    return try animator.presenting(paint)
  }

  /// - Parameter time: of the turn; nil has the display asked for its mode in any case.
  @discardableResult
  private func paint(_ window: Window, at time: Timestamp?) -> Bool {
    guard !damage.isEmpty else { return false }
    if !isCurrent { isCurrent = display.isCurrent }
    guard isCurrent else { return false }
    show(window)
    // Who changes the mode closes the device, and that is noticed at once; a program that keeps it open is noticed here. Once
    // a second is enough, since asking the driver is a system call. The pixels are on their way first. If the mode has
    // changed, the display is opened again; if it changes back, what was painted is incomplete.
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

  /// Draws annotations onto a picture of the whole display; see `Painter.annotate`.
  package func annotate(_ picture: Surface, with annotations: Annotations) throws(DisplayError) -> Surface {
    try painter.annotate(picture, with: annotations)
  }

  /// The whole picture as it is shown, in the display's colours. It is painted again if the display does not keep it.
  ///
  /// - Throws: `DisplayError` if there is no memory.
  package func picture(of window: Window) throws(DisplayError) -> Surface {
    if let picture = display.picture { return picture }
    let copy = try Surface(width: display.width, height: display.height)
    presenting(window) { painter.paintAll(window, highlights: highlights, on: copy) }
    display.reduce(copy)
    return copy
  }

  // MARK: What others may see

  /// The picture for clients: as it is shown, but private views are blank. With such views in the tree there are no
  /// highlights and no pointer either, which would show what is pressed.
  ///
  /// - Throws: `DisplayError` if there is no memory.
  package func disclosedPicture(of window: Window) throws(DisplayError) -> Surface {
    guard window.containsPrivateViews else { return try picture(of: window) }
    let copy = try Surface(width: display.width, height: display.height)
    presenting(window) { painter.paintAll(window, highlights: nil, blanksPrivateViews: true, on: copy) }
    display.reduce(copy)
    return copy
  }

  // MARK: A copy that follows the display

  /// How the canvas lies on the display.
  package var geometry: DisplayGeometry { painter.geometry }

  /// Whether something was painted since `updateCopy`.
  package var isCopyOutdated: Bool { copyDamage.map { !$0.isEmpty } ?? false }

  /// Brings a copy of the display for clients up to date, in all colours: paints what was painted since the last time, and
  /// everything the first time; private views as in `disclosedPicture`. From then on the renderer collects what it paints, until `forgetCopy`.
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

  /// The copy is needed no more.
  package func forgetCopy() {
    copyDamage = nil
  }
}
