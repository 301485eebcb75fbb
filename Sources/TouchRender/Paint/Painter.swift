import TouchCore
import TouchPixels
import TouchViews

/// Paints the damaged parts of a view tree and its highlights.
///
/// A pixel depends only on the tree, the highlights and its place: painting some damage gives exactly the pixels that
/// painting everything gives. Painting the same views again does not allocate.
package final class Painter {
  /// How the canvas lies on the display.
  package let geometry: DisplayGeometry
  /// Shown around the canvas and behind the window.
  package let background: Color
  /// Called once for each thing that cannot be painted.
  package var report: (PaintNotice) -> Void {
    get { notices.report }
    set { notices.report = newValue }
  }

  /// Whether each of them is reported, however many they are. Else only how many more there are.
  package var reportsAll: Bool {
    get { !notices.isBounded }
    set { notices.isBounded = !newValue }
  }

  /// The colour of the ring around what is focused.
  package var focusColor: Color {
    get { tree.focusColor }
    set { tree.focusColor = newValue }
  }

  /// How many texts, parts of controls and columns of charts were painted: what a picture costs, without a clock.
  package var work: Int { tree.work }

  /// Called when a picture has to be decoded in pieces, by `decodePictures()`. Until this is set, each is decoded when it is painted.
  package var onPicturesWait: (() -> Void)? {
    get { tree.images.onWait }
    set { tree.images.onWait = newValue }
  }

  /// The whole display.
  private let display: PixelRect
  /// The canvas on the display.
  private let canvas: PixelRect
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
    self.geometry = geometry
    self.background = background
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

  /// Draws annotations onto a picture.
  ///
  /// - Parameter picture: of the whole display.
  /// - Returns: the picture, or a higher one with the legend.
  /// - Throws: `DisplayError` if there is no memory.
  package func annotate(_ picture: Surface, with annotations: Annotations) throws(DisplayError) -> Surface {
    try annotationPainter.paint(annotations, on: picture)
  }

  /// Draws and loads now what the first touch needs, so that it is not delayed.
  package func prepare(for style: HighlightStyle) {
    highlightPainter.prepare(for: style)
  }

  /// Decodes a piece of a picture that waits. Its views are painted again when it is whole.
  ///
  /// - Returns: whether there is more to do.
  package func decodePictures() -> Bool { tree.images.advance() }

  /// Paints the damage and shows it.
  ///
  /// - Parameters:
  ///   - highlights: drawn over the tree; nil for the tree alone.
  ///   - damage: window rectangles; each is widened to whole pixels. For the first picture pass
  ///     `geometry.displayBoundsInWindow`.
  ///   - blanksPrivateViews: whether private views are painted without anything in them.
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

  /// Paints the whole display and shows it.
  package func paintAll(
    _ window: Window, highlights: Highlights?, blanksPrivateViews: Bool = false, on display: any Screen
  ) {
    window.layoutIfNeeded()
    var everything = Damage()
    everything.add(geometry.displayBoundsInWindow.outset(by: 1))
    paint(
      window, highlights: highlights, damage: everything, blanksPrivateViews: blanksPrivateViews, on: display)
  }

  /// Reports what cannot be painted of a view's own text, wherever it lies: on another page, or outside what a scroll view
  /// shows. Nothing is shown.
  ///
  /// - Parameter view: laid out, in a window.
  package func reportText(of view: View) {
    let matrix = view.windowFromLocal.then(geometry.displayFromWindow)
    guard let pixels = RoundedRect(view.bounds, displayFromLocal: matrix)?.pixels, !pixels.isEmpty,
      let column = try? Surface(width: 1, height: min(pixels.height, display.height))
    else { return }
    // One column of the view: every line of a list is in it, and little is painted.
    let target = Target(surface: column, originX: pixels.minX, originY: pixels.minY)
    tree.reportText(of: view, displayFromLocal: matrix, on: target)
  }

  /// Leaves out everything that is completely hidden.
  ///
  /// - Returns: the one opaque pixel that fills the clip, if it does: then nothing was painted.
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

  /// A rectangle's pixels, rounded outward. An edge within 1/1024 pixel of a pixel's boundary counts as on it. This is
  /// less than `RoundedRect.snap`, so that damage always covers everything that was painted.
  private static func pixels(touchedBy rect: WindowRect, _ displayFromWindow: AffineTransform) -> PixelRect {
    PixelRect(covering: displayFromWindow.bounding(rect), sliver: 1.0 / 1024)
  }
}
