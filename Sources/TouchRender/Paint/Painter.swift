import TouchCore
import TouchPixels

/// Paints a view tree and what lies over it, only where it is damaged.
///
/// Every pixel depends on the tree, the overlay and its own place alone: painting some damage gives exactly the
/// pixels that painting everything gives. After a first pass nothing is allocated by painting the same views again.
package final class Painter {
  /// How the canvas lies on the display.
  package let geometry: DisplayGeometry
  /// Shown where the tree paints nothing: beside the canvas, and behind the window.
  package let background: Color
  /// Told once of each thing that cannot be painted.
  package var report: (PaintNotice) -> Void {
    get { notices.report }
    set { notices.report = newValue }
  }

  private let notices = PaintNoticeLog()
  private let tree: TreePainter
  private let highlightPainter: HighlightPainter
  private let annotationPainter: AnnotationPainter
  private let compositor: Compositor

  /// - Throws: `DisplayError` when there is no memory.
  package init(
    geometry: DisplayGeometry, background: Color = Color(red: 0x10, green: 0x14, blue: 0x18)
  ) throws(DisplayError) {
    self.geometry = geometry
    self.background = background
    let display = PixelRect(
      x: 0, y: 0, width: Int(geometry.displaySize.width), height: Int(geometry.displaySize.height))
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

  /// Draws what explains a picture onto it.
  ///
  /// - Parameter picture: of the whole display.
  /// - Returns: the picture, or a higher one where there is a legend.
  /// - Throws: `DisplayError` when there is no memory.
  package func annotate(_ picture: Surface, with annotations: Annotations) throws(DisplayError) -> Surface {
    try annotationPainter.paint(annotations, on: picture)
  }

  /// Makes ready what the first touch would have to wait for otherwise.
  package func prepare(for style: HighlightStyle) {
    highlightPainter.prepare(for: style)
  }

  /// Paints what is damaged and shows it.
  ///
  /// - Parameters:
  ///   - overlay: what lies over the tree; nil for the tree alone.
  ///   - damage: window rectangles; each is widened to whole pixels. For a first picture give
  ///     `geometry.displayBoundsInWindow`.
  package func paint(_ window: Window, highlights: Highlights?, damage: Damage, on display: any Display) {
    for rect in damage.rects {
      let pixels = Self.pixels(touchedBy: rect, geometry.displayFromWindow).intersection(display.bounds)
      guard !pixels.isEmpty else { continue }
      display.compose(pixels) { target, part in paint(window, highlights: highlights, clip: part, on: target)
      }
    }
  }

  /// Paints the whole display and shows it.
  package func paintAll(_ window: Window, highlights: Highlights?, on display: any Display) {
    var everything = Damage()
    everything.add(geometry.displayBoundsInWindow.outset(by: 1))
    paint(window, highlights: highlights, damage: everything, on: display)
  }

  /// Forgets decoded pictures, so that files that changed are read again.
  package func forgetImages() {
    tree.images.removeAll()
    notices.forget()
  }

  /// What lies behind something that hides all of it is left out.
  private func paint(_ window: Window, highlights: Highlights?, clip: PixelRect, on target: Target) {
    guard let highlights else { return paintTree(window, clip, target) }
    if !highlightPainter.hidesTree(highlights, clip: clip) { paintTree(window, clip, target) }
    highlightPainter.paint(highlights, clip: clip, on: target)
  }

  private func paintTree(_ window: Window, _ clip: PixelRect, _ target: Target) {
    let canvas = Self.pixels(touchedBy: geometry.canvasBounds, geometry.displayFromWindow)
    let matrix = geometry.displayFromWindow
    if !(canvas.contains(clip) && tree.hidesWhatIsBehind(window, displayFromLocal: matrix, clip: clip)) {
      var opaque = background
      opaque.alpha = 255
      compositor.fillBox(clip, with: .color(opaque.premultiplied()), on: target)
    }
    tree.paint(window, displayFromLocal: matrix, clip: clip.intersection(canvas), on: target)
  }

  /// A rectangle's pixels, rounded outward. An edge within a thousandth of a pixel of a pixel's border lies on
  /// it; that is less than what a shape lets itself be moved, so damage always covers what was painted.
  private static func pixels(touchedBy rect: WindowRect, _ displayFromWindow: AffineTransform) -> PixelRect {
    PixelRect(covering: displayFromWindow.bounding(rect), sliver: 1.0 / 1024)
  }
}
