import TouchCore
import TouchPixels
import TouchViews

/// Paints the damaged parts of a tree and its highlights. A pixel depends only on these and its place, so
/// some damage gives the pixels of everything. Views painted again do not allocate.
package final class Painter {
  package let geometry: DisplayGeometry
  /// The colour around the canvas and behind the window.
  package let background: Color
  /// Called once for each thing that cannot be painted.
  package var report: (PaintNotice) -> Void {
    get { notices.report }
    set { notices.report = newValue }
  }

  /// Whether every notice is reported. Otherwise, beyond a limit, only the number of further ones is.
  package var reportsAll: Bool {
    get { !notices.isBounded }
    set { notices.isBounded = !newValue }
  }

  /// The colour of the ring around the focused item.
  package var focusColor: Color {
    get { tree.focusColor }
    set { tree.focusColor = newValue }
  }

  /// The painted texts, parts of controls and columns of charts: the cost of pictures without a clock.
  package var work: Int { tree.work }

  /// Called when `decodePictures()` has something to decode. Without it, pictures are decoded when painted.
  package var onPicturesWait: (() -> Void)? {
    get { tree.images.onWait }
    set { tree.images.onWait = newValue }
  }

  private let display, canvas: PixelRect
  private let backgroundPixel: UInt32
  private let notices = PaintNoticeLog()
  private let tree: TreePainter
  private let highlightPainter: HighlightPainter
  private let annotationPainter: AnnotationPainter
  private let compositor: Compositor

  /// - Throws: `DisplayError` if there is no memory.
  package init(
    geometry: DisplayGeometry, background: Color = Color(red: 0x10, green: 0x14, blue: 0x18)
  ) throws(DisplayError) {
    (self.geometry, self.background) = (geometry, background)
    var opaque = background
    opaque.alpha = 255
    backgroundPixel = opaque.premultiplied()
    canvas = Self.pixels(touchedBy: geometry.canvasBounds, geometry.displayFromWindow)
    let display = PixelRect(
      x: 0, y: 0, width: Int(geometry.displaySize.width), height: Int(geometry.displaySize.height))
    self.display = display
    let compositor = try Compositor(area: display)
    self.compositor = compositor
    let texts = TextPainter(compositor: compositor, display: display, notices: notices)
    tree = TreePainter(compositor: compositor, texts: texts, display: display, notices: notices)
    highlightPainter = HighlightPainter(
      compositor: compositor, texts: texts, notices: notices, displayFromWindow: geometry.displayFromWindow,
      display: display)
    annotationPainter = AnnotationPainter(
      compositor: compositor, texts: texts, notices: notices, displayFromWindow: geometry.displayFromWindow,
      display: display)
  }

  /// Draws annotations onto a picture of the whole display, or one higher by the legend; throws without
  /// memory.
  package func annotate(_ picture: Surface, with annotations: Annotations) throws(DisplayError) -> Surface {
    try annotationPainter.paint(annotations, on: picture)
  }

  /// Draws and loads everything that the first touch needs, so that it is not delayed.
  package func prepare(for style: HighlightStyle) { highlightPainter.prepare(for: style) }

  /// Decodes one piece and returns whether more remain. Views of a whole picture are painted again.
  package func decodePictures() -> Bool { tree.images.advance() }

  /// Paints the damage and shows it.
  /// - Parameter highlights: the highlights over the tree; nil for the tree alone.
  /// - Parameter damage: rectangles in window space, which are widened to whole pixels. The first picture
  ///   needs `geometry.displayBoundsInWindow`.
  /// - Parameter blanksPrivateViews: whether private views are painted without their contents.
  package func paint(
    _ window: Window, highlights: Highlights?, damage: Damage, blanksPrivateViews: Bool = false,
    on display: any Screen
  ) {
    tree.blanksPrivateViews = blanksPrivateViews
    defer { tree.blanksPrivateViews = false }
    for rect in damage.rects {
      let pixels = Self.pixels(touchedBy: rect, geometry.displayFromWindow).intersection(self.display)
      guard !pixels.isEmpty else { continue }
      display.compose(pixels) { target, part in paint(window, highlights: highlights, clip: part, on: target)
      }
    }
    notices.finish()
  }

  package func paintAll(
    _ window: Window, highlights: Highlights?, blanksPrivateViews: Bool = false, on display: any Screen
  ) {
    window.layoutIfNeeded()
    var everything = Damage()
    everything.add(geometry.displayBoundsInWindow.outset(by: 1))
    paint(
      window, highlights: highlights, damage: everything, blanksPrivateViews: blanksPrivateViews, on: display)
  }

  /// Reports the parts of a laid-out view's text that cannot be painted, even out of sight. Nothing is shown.
  package func reportText(of view: View) {
    let matrix = view.windowFromLocal.then(geometry.displayFromWindow)
    guard let pixels = RoundedRect(view.bounds, displayFromLocal: matrix)?.pixels, !pixels.isEmpty,
      let column = try? Surface(width: 1, height: min(pixels.height, display.height))
    else { return }
    // One column of the view crosses every line of a list, and little is painted.
    let target = Target(surface: column, originX: pixels.minX, originY: pixels.minY)
    tree.reportText(of: view, displayFromLocal: matrix, on: target)
  }

  /// Paints a clip without what is hidden; returns the opaque pixel that fills it instead, if one does.
  private func paint(
    _ window: Window, highlights: Highlights?, clip: PixelRect, on target: Target
  ) -> UInt32? {
    if highlights?.areNone ?? true, canvas.contains(clip),
      let pixel = tree.pixelThatFills(clip, with: window, geometry.displayFromWindow)
    {
      return pixel
    }
    guard let highlights else {
      paintTree(window, clip, target)
      return nil
    }
    let hiding = highlightPainter.fillThatHides(clip, highlights)
    if let hiding, highlights.isOneMark { return highlights.color(ofMark: hiding).premultiplied() }
    if hiding == nil { paintTree(window, clip, target) }
    highlightPainter.paint(highlights, hiding: hiding, clip: clip, on: target)
    return nil
  }

  private func paintTree(_ window: Window, _ clip: PixelRect, _ target: Target) {
    if canvas.contains(clip) {
      tree.paint(
        window, over: backgroundPixel, displayFromLocal: geometry.displayFromWindow, clip: clip,
        on: target)
    } else {
      compositor.fillBox(clip, with: .color(backgroundPixel), on: target)
      tree.paint(
        window, over: nil, displayFromLocal: geometry.displayFromWindow, clip: clip.intersection(canvas),
        on: target)
    }
  }

  /// Returns a rectangle's pixels, rounded outward but for 1/1024 of one, less than `RoundedRect.snap`.
  private static func pixels(touchedBy rect: WindowRect, _ displayFromWindow: AffineTransform) -> PixelRect {
    PixelRect(covering: displayFromWindow.bounding(rect), sliver: 1.0 / 1024)
  }
}
