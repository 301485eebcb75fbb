import TouchCore
import TouchPixels

/// Paints views, back to front: background, content, subviews, border. (As `CALayer` orders them.)
final class TreePainter {
  let images: ImageCache
  private let texts: TextPainter
  private let compositor: Compositor
  private let notices: PaintNoticeLog
  private var layers = LayerPool()
  private var saidTooDeep = false

  /// Where painting goes and where it stops, on the way down the tree.
  private struct Pass {
    var target: Target
    /// Display pixels that may be touched.
    var clip: PixelRect
    /// Of the one view that is painted with it: 0 … 255.
    var opacity: UInt32 = 255
  }

  /// - Parameter display: the whole display, in pixels.
  init(compositor: Compositor, texts: TextPainter, display: PixelRect, notices: PaintNoticeLog) {
    self.compositor = compositor
    self.texts = texts
    self.notices = notices
    images = ImageCache(display: display)
  }

  /// Paints a view and everything in it.
  func paint(_ view: View, displayFromLocal: AffineTransform, clip: PixelRect, on target: Target) {
    paint(view, displayFromLocal, Pass(target: target, clip: clip.intersection(target.area)))
  }

  private func paint(_ view: View, _ matrix: AffineTransform, _ pass: Pass) {
    guard !view.isHidden, !pass.clip.isEmpty else { return }
    let radius = view.appearance.cornerRadius
    var shape = Shape(view.bounds, radiusX: radius, radiusY: radius, displayFromLocal: matrix)
    // Most views lie outside of what is painted at a time, and to find out more about each takes longer than this.
    if shape?.pixels.intersection(pass.clip).isEmpty ?? true {
      if view.subviews.isEmpty || view.clipsToBounds { return }
      shape = nil
    }
    let opacity = ControlStyle.opacity(of: view)
    guard opacity > 0 else { return }
    // What a view paints is asked last: that takes longer than painting some.
    if opacity == 255 || (view.subviews.isEmpty && ControlStyle.paintsAtMostOnce(view)) || isTooDeep(view) {
      var pass = pass
      pass.opacity = opacity
      paintOpaquely(view, shape, matrix, pass)
      return
    }
    // The group fades as a whole: what lies behind another part of it must not show through that part.
    // (`CALayer.allowsGroupOpacity`.)
    inLayer(over: pass.clip.intersection(extent(of: view, matrix))) { layerScene in
      paintOpaquely(view, shape, matrix, layerScene)
    } then: { layer, area in
      compositor.fillBox(area, with: .picture(layer, opacity: opacity), on: pass.target)
    }
  }

  /// - Parameter shape: nil for a view of which nothing can be seen but its subviews.
  private func paintOpaquely(_ view: View, _ shape: Shape?, _ matrix: AffineTransform, _ pass: Pass) {
    let border = BorderShape(of: view)
    let hiding = subviewThatHides(view, matrix, pass.clip)
    if let shape, hiding == nil {
      paintBackground(of: view, shape, border, matrix, pass)
      paintContent(of: view, shape, matrix, pass)
    }
    if !view.subviews.isEmpty { paintSubviews(of: view, from: hiding ?? 0, shape, matrix, pass) }
    if let shape { paintEdges(of: view, shape, border, matrix, pass) }
  }

  private func paintBackground(
    of view: View, _ shape: Shape, _ border: BorderShape?, _ matrix: AffineTransform, _ pass: Pass
  ) {
    guard let color = ControlStyle.background(of: view) else { return }
    // Under an opaque border the background stops halfway, or it would shine through the border's outer edge.
    if let border, border.color.alpha == 255 {
      if let inner = border.inner(of: view, fraction: 0.5, matrix) { fill(inner, color, pass) }
    } else {
      fill(shape, color, pass)
    }
  }

  private func paintContent(of view: View, _ shape: Shape, _ matrix: AffineTransform, _ pass: Pass) {
    guard !shape.pixels.intersection(pass.clip).isEmpty else { return }
    switch view {
    case let image as ImageView:
      paintImage(image, shape, matrix, pass)
    case let label as Label where !label.text.isEmpty:
      paintText(label.text, label.textStyle, padding: 0, of: view, shape, matrix, pass)
    case let button as Button where !button.text.isEmpty:
      paintText(
        button.text, button.textStyle, padding: ControlStyle.buttonPadding, of: view, shape, matrix, pass)
    default:
      break
    }
  }

  private func paintImage(_ view: ImageView, _ shape: Shape, _ matrix: AffineTransform, _ pass: Pass) {
    guard !view.path.isEmpty else { return }
    switch images.picture(of: view, displayFromLocal: matrix) {
    case .ready(let picture):
      compositor.fill(shape, with: .picture(picture, opacity: pass.opacity), clip: pass.clip, on: pass.target)
    case .empty:
      break
    case .unreadable(let error):
      notices.say(.imageUnreadable(error))
      paintPlaceholder(of: view, shape, matrix, pass)
    }
  }

  /// A box with a cross: something belongs here.
  private func paintPlaceholder(of view: View, _ shape: Shape, _ matrix: AffineTransform, _ pass: Pass) {
    fill(shape, ControlStyle.placeholderFill, pass)
    let bounds = view.bounds
    let length = (bounds.size.width * bounds.size.width + bounds.size.height * bounds.size.height)
      .squareRoot()
    guard length > 0, length.isFinite else { return }
    // Half as long as the diagonal, so that round corners do not cut it.
    let bar = LocalRect(x: -length / 4, y: -1, width: length / 2, height: 2)
    let (cosine, sine) = (bounds.size.width / length, bounds.size.height / length)
    var clipped = pass
    clipped.clip = pass.clip.intersection(shape.pixels)
    func paintLine(_ sine: Double) {
      let across = AffineTransform(a: cosine, b: sine, c: -sine, d: cosine, tx: bounds.midX, ty: bounds.midY)
      if let line = Shape(bar, displayFromLocal: across.then(matrix)) {
        fill(line, ControlStyle.placeholderLine, clipped)
      }
    }
    paintLine(sine)
    paintLine(-sine)
  }

  private func paintText(
    _ text: String, _ style: TextStyle, padding: Double, of view: View, _ shape: Shape,
    _ matrix: AffineTransform, _ pass: Pass
  ) {
    let found = texts.paint(
      text, style: style, bounds: view.bounds, padding: padding, displayFromLocal: matrix,
      clip: pass.clip.intersection(shape.pixels), opacity: pass.opacity, on: pass.target, view: view.id)
    if !found { notices.sayNoText(family: style.family) }
  }

  private func paintSubviews(
    of view: View, from first: Int, _ shape: Shape?, _ matrix: AffineTransform, _ pass: Pass
  ) {
    guard view.clipsToBounds else { return paintEach(of: view, from: first, matrix, pass) }
    guard let shape else { return }
    var clipped = pass
    clipped.clip = pass.clip.intersection(shape.pixels)
    guard !clipped.clip.isEmpty else { return }
    if shape.isExact || isTooDeep(view) { return paintEach(of: view, matrix, clipped) }
    inLayer(over: clipped.clip) { layerScene in
      paintEach(of: view, matrix, layerScene)
    } then: { layer, area in
      compositor.fill(shape, with: .picture(layer, opacity: 255), clip: area, on: pass.target)
    }
  }

  private func paintEach(of view: View, from first: Int = 0, _ matrix: AffineTransform, _ pass: Pass) {
    for subview in view.layeredSubviews.dropFirst(first) {
      paint(subview, subview.parentFromLocal.then(matrix), pass)
    }
  }

  private func paintEdges(
    of view: View, _ shape: Shape, _ border: BorderShape?, _ matrix: AffineTransform, _ pass: Pass
  ) {
    if let border {
      fill(shape, border.color, without: border.inner(of: view, fraction: 1, matrix), pass)
    }
    if let ring = ControlStyle.selectionRing(of: view), let outer = ring.inner(of: view, fraction: 1, matrix)
    {
      // The ring stands one width inside the edge, so that it shows on a border of its own colour too.
      fill(outer, ring.color, without: ring.inner(of: view, fraction: 2, matrix), pass)
    }
  }

  private func fill(_ shape: Shape, _ color: Color, without hole: Shape? = nil, _ pass: Pass) {
    let pixel = color.premultiplied(coverage: pass.opacity)
    guard pixel >> 24 > 0 else { return }
    compositor.fill(shape, without: hole, with: .color(pixel), clip: pass.clip, on: pass.target)
  }

  /// Whether no layer is left for the view. It is painted without: the parts of a group fade one by one, and what is in
  /// it does not; what is clipped is clipped to a rectangle.
  private func isTooDeep(_ view: View) -> Bool {
    guard layers.isExhausted else { return false }
    // One view is enough to find the place; everything in it would be said otherwise.
    if !saidTooDeep { notices.say(.nestedTooDeep(view: view.id, most: LayerPool.most)) }
    saidTooDeep = true
    return true
  }

  /// Paints into a transparent layer, and then the layer into the scene.
  private func inLayer(
    over area: PixelRect, paint: (Pass) -> Void, then compose: (Target, PixelRect) -> Void
  ) {
    guard !area.isEmpty, let layer = layers.take(area) else { return }
    defer { layers.giveBack() }
    paint(Pass(target: layer, clip: area))
    compose(layer, area)
  }

  /// The display pixels that a view and everything in it can touch.
  private func extent(of view: View, _ matrix: AffineTransform) -> PixelRect {
    guard !view.isHidden else { return .empty }
    var extent = Shape(view.bounds, displayFromLocal: matrix)?.pixels ?? .empty
    guard !view.clipsToBounds else { return extent }
    for subview in view.subviews {
      extent = extent.union(self.extent(of: subview, subview.parentFromLocal.then(matrix)))
    }
    return extent
  }
}

// MARK: Hiding

extension TreePainter {
  /// Whether a view, or one of its subviews, leaves nothing of what lies behind it to be seen.
  func hidesWhatIsBehind(_ view: View, displayFromLocal matrix: AffineTransform, clip: PixelRect) -> Bool {
    guard !view.isHidden, ControlStyle.opacity(of: view) == 255 else { return false }
    return fills(clip, with: view, matrix) || subviewThatHides(view, matrix, clip) != nil
  }

  /// The place of the last subview that leaves nothing of the view or of its subviews before it to be seen. Only the
  /// subviews themselves are looked at, so that a picture costs no more for it than what it paints.
  private func subviewThatHides(_ view: View, _ matrix: AffineTransform, _ clip: PixelRect) -> Int? {
    // What a view clips may leave some of the view itself.
    guard !view.clipsToBounds else { return nil }
    return view.layeredSubviews.lastIndex { subview in
      ControlStyle.background(of: subview)?.alpha == 255 && !subview.isHidden
        && ControlStyle.opacity(of: subview) == 255
        && fills(clip, with: subview, subview.parentFromLocal.then(matrix))
    }
  }

  /// Whether a view's background covers all of these pixels, wholly. An opaque border stands in for the background's
  /// edge, and is not counted on.
  private func fills(_ clip: PixelRect, with view: View, _ matrix: AffineTransform) -> Bool {
    guard ControlStyle.background(of: view)?.alpha == 255, view.appearance.cornerRadius <= 0,
      BorderShape(of: view) == nil
    else { return false }
    return Shape(view.bounds, displayFromLocal: matrix)?.covers(clip) ?? false
  }
}

/// A view's border, or something drawn like one.
struct BorderShape {
  let color: Color
  /// In units of the view.
  let width: Double

  init(color: Color, width: Double) {
    self.color = color
    self.width = width
  }

  /// Nil for a view without one that can be seen.
  init?(of view: View) {
    guard let border = view.appearance.border, border.width > 0, border.color.alpha > 0 else { return nil }
    self.init(color: border.color, width: border.width)
  }

  /// What the border leaves of a view when it is so many widths wide; nil when it leaves nothing.
  func inner(of view: View, fraction: Double, _ matrix: AffineTransform) -> Shape? {
    let inset = width * fraction
    // A rectangle that is inset beyond its middle would come out on the other side.
    guard 2 * inset < min(view.bounds.size.width, view.bounds.size.height) else { return nil }
    let radius = max(0, view.appearance.cornerRadius - inset)
    return Shape(view.bounds.outset(by: -inset), radiusX: radius, radiusY: radius, displayFromLocal: matrix)
  }
}
