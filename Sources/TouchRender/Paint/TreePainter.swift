import TouchCore
import TouchPixels
import TouchViews

/// Paints views, back to front: background, content, subviews, border. (`CALayer` has this order.)
final class TreePainter {
  let images: ImageCache
  let texts: TextPainter
  let compositor: Compositor
  /// The whole display, in pixels.
  let display: PixelRect
  let notices: PaintNoticeLog
  private(set) var layers = LayerPool()
  let decorations = DecorationCache()
  /// The drawings of icons by touchtree's own names, as far as they were painted.
  var ownIcons: [String: (path: Path, line: Double?)] = [:]
  private lazy var context = GraphicsContext(holder: CanvasHolder(drawing))
  private lazy var drawing = ViewDrawing(on: self)
  /// The subviews that paint in the damage, for each view on the way down to the one being painted.
  private(set) var visible: ContiguousArray<View> = []
  private var loggedTooDeep = false
  /// The colour of the focus ring in a window without one.
  var focusColor = HighlightStyle().view.color
  /// The number of texts, parts of controls and columns painted so far, bounded in each picture.
  var work = 0
  /// Whether private views are blank, for a picture that is disclosed.
  var blanksPrivateViews = false

  private static let privateFill = Color(red: 0x2c, green: 0x2c, blue: 0x2e)
  /// The colours of the placeholder for a picture that cannot be read.
  private static let placeholderFill = Color(red: 0xff, green: 0x5c, blue: 0x7a, alpha: 0x30)
  private static let placeholderLine = Color(red: 0xff, green: 0x5c, blue: 0x7a, alpha: 0xd0)

  /// The target and the limits of painting, on the way down the tree.
  struct Pass {
    var target: Target
    var clip: PixelRect
    /// The opacity of the painted view without its subviews, from 0 to 255.
    var opacity: UInt32 = 255
  }

  struct VisibleSubviews {
    var places: Range<Int>
    /// The last one that hides the view and the subviews before it.
    var hiding: Int?
  }

  /// - Parameter display: the whole display, in pixels.
  init(compositor: Compositor, texts: TextPainter, display: PixelRect, notices: PaintNoticeLog) {
    (self.compositor, self.texts, self.display, self.notices) = (compositor, texts, display, notices)
    images = ImageCache(display: display)
  }

  /// Paints a view and everything in it.
  /// - Parameter background: an opaque pixel that is painted behind the view
  ///   unless the view hides it completely; nil to keep the present pixels.
  func paint(
    _ view: View, over background: UInt32?, displayFromLocal: AffineTransform, clip: PixelRect,
    on target: Target
  ) {
    let clip = clip.intersection(target.area)
    guard !clip.isEmpty else { return }
    withSubviews(of: view, displayFromLocal, clip) { subviews in
      if let background, !hides(clip, with: view, subviews, displayFromLocal) {
        if !view.isConcealed, view.shownOpacity == 255 {
          spareHidden(by: subviews, of: view, displayFromLocal, clip)
        }
        compositor.fillBox(clip, with: .color(background), on: target)
        compositor.spareNothing()
      }
      paint(view, displayFromLocal, Pass(target: target, clip: clip), subviews)
    }
  }

  /// - Parameter subviews: the visible subviews; nil if they have not been found yet.
  func paint(
    _ view: View, _ matrix: AffineTransform, _ pass: Pass, _ subviews: VisibleSubviews? = nil
  ) {
    guard !view.isConcealed, !pass.clip.isEmpty else { return }
    var shape = Self.outline(of: view, displayFromLocal: matrix)
    // Most views lie outside the damage. This check is cheaper than the following ones.
    if shape?.pixels.intersection(pass.clip).isEmpty ?? true {
      if (view.subviews.isEmpty || view.clipsToBounds) && view.paintOutset == .zero { return }
      shape = nil
    }
    let opacity = view.shownOpacity
    guard opacity > 0 else { return }
    if view.movesAsPicture, opacity == 255, let shape, paintMoved(view, shape, matrix, pass) { return }
    // `paintsAtMostOnce` is evaluated last, because it may take longer than painting.
    if opacity == 255 || (view.subviews.isEmpty && view.paintsAtMostOnce) || isTooDeep(view) {
      var pass = pass
      pass.opacity = opacity
      if let subviews { return paintOpaquely(view, shape, subviews, matrix, pass) }
      withSubviews(of: view, matrix, pass.clip) { paintOpaquely(view, shape, $0, matrix, pass) }
      return
    }
    // The view and its subviews fade as a group. (`CALayer.allowsGroupOpacity`)
    inLayer(over: pass.clip.intersection(extent(of: view, matrix))) { layerPass in
      withSubviews(of: view, matrix, layerPass.clip) { paintOpaquely(view, shape, $0, matrix, layerPass) }
    } then: { layer, area in
      compositor.fillBox(area, with: .picture(layer, opacity: opacity), on: pass.target)
    }
  }

  static func outline(of view: View, displayFromLocal matrix: AffineTransform) -> RoundedRect? {
    if view.isDecorated { return RoundedRect(view.bounds, corners: view.corners, displayFromLocal: matrix) }
    let radius = view.appearance.cornerRadius
    return RoundedRect(view.bounds, radiusX: radius, radiusY: radius, displayFromLocal: matrix)
  }

  /// - Parameter shape: the outline; nil for a view of which only subviews, or its shadow, are visible.
  private func paintOpaquely(
    _ view: View, _ shape: RoundedRect?, _ subviews: VisibleSubviews, _ matrix: AffineTransform, _ pass: Pass
  ) {
    if blanksPrivateViews, view.isPrivate {
      if let shape { fill(shape, Self.privateFill, pass) }
      return
    }
    let border = view.shownBorder
    if subviews.hiding == nil, view.isDecorated { paintShadow(of: view, matrix, pass) }
    let scrollView = view as? ScrollView
    var isPainted = false
    if let scrollView, let shape { isPainted = paintKept(scrollView, shape, matrix, pass) }
    if let shape, subviews.hiding == nil, !isPainted {
      if !subviews.places.isEmpty, view.shownBackground?.alpha == 255 {
        spareHidden(by: subviews, of: view, matrix, pass.clip)
      }
      paintBackground(of: view, shape, border, matrix, pass)
      compositor.spareNothing()
      paintOwnContent(of: view, shape, matrix, pass)
    }
    if !subviews.places.isEmpty, !isPainted {
      paintSubviews(subviews, of: view, scrollView, shape, matrix, pass)
    }
    if let scrollView, let shape, scrollView.indicatorOpacity > 0 {
      drawing.draw(view, shape, matrix, pass) { scrollView.drawIndicators(in: context) }
    }
    if let shape { paintEdges(of: view, shape, border, matrix, pass) }
  }

  func paintBackground(
    of view: View, _ shape: RoundedRect, _ border: Appearance.Border?, _ matrix: AffineTransform, _ pass: Pass
  ) {
    let gradient = view.isDecorated ? view.gradient : nil
    let color = gradient == nil ? view.shownBackground : view.background
    guard color != nil || gradient != nil else { return }
    // Under an opaque border the background ends halfway, to stay hidden at the border's smooth outer edge.
    var shape = shape
    if let border, border.color.alpha == 255 {
      guard let inner = border.inner(of: view, fraction: 0.5, matrix) else { return }
      shape = inner
    }
    if let color { fill(shape, color, pass) }
    guard let gradient else { return }
    let shade = view.shade(over: gradient)
    // What is hidden would show at the smooth edges.
    if shade?.alpha != 255 { fill(shape, .gradient(gradient, over: view.bounds), matrix, pass) }
    if let shade { fill(shape, shade, pass) }
  }

  private func paintOwnContent(
    of view: View, _ shape: RoundedRect, _ matrix: AffineTransform, _ pass: Pass
  ) {
    func paintAll(_ pass: Pass) { drawing.draw(view, shape, matrix, pass) { view.draw(in: context) } }
    let clip = pass.clip.intersection(shape.pixels)
    guard view.fillsCorners, !shape.isExact, !shape.inside.contains(clip), !isTooDeep(view)
    else { return paintAll(pass) }
    inLayer(over: clip, paint: paintAll) { layer, area in
      compositor.fill(shape, with: .picture(layer, opacity: pass.opacity), clip: area, on: pass.target)
    }
  }

  func reportText(of view: View, displayFromLocal matrix: AffineTransform, on target: Target) {
    guard !(view is ImageView), let shape = RoundedRect(view.bounds, displayFromLocal: matrix) else { return }
    drawing.draw(view, shape, matrix, Pass(target: target, clip: target.area)) { view.draw(in: context) }
  }

  func paint(
    _ picture: ImageCache.Placement, in bounds: LocalRect, _ shape: RoundedRect, _ matrix: AffineTransform,
    _ pass: Pass
  ) {
    switch picture {
    case .ready(let picture):
      fill(shape, with: .picture(picture, opacity: pass.opacity), clip: pass.clip, on: pass.target)
    case .empty: break
    case .unreadable(let error):
      notices.log(.imageUnreadable(error))
      paintPlaceholder(in: bounds, shape, matrix, pass)
    }
  }

  /// Paints a box with a cross in place of a picture that cannot be read.
  private func paintPlaceholder(
    in bounds: LocalRect, _ shape: RoundedRect, _ matrix: AffineTransform, _ pass: Pass
  ) {
    fill(shape, Self.placeholderFill, pass)
    let length = (bounds.size.width * bounds.size.width + bounds.size.height * bounds.size.height)
      .squareRoot()
    guard length > 0, length.isFinite else { return }
    // The bar is half as long as the diagonal, so that round corners do not cut it.
    let bar = LocalRect(x: -length / 4, y: -1, width: length / 2, height: 2)
    let (cosine, sine) = (bounds.size.width / length, bounds.size.height / length)
    var clipped = pass
    clipped.clip = pass.clip.intersection(shape.pixels)
    func paintBar(_ sine: Double) {
      let across = AffineTransform(a: cosine, b: sine, c: -sine, d: cosine, tx: bounds.midX, ty: bounds.midY)
      if let shape = RoundedRect(bar, displayFromLocal: across.then(matrix)) {
        fill(shape, Self.placeholderLine, clipped)
      }
    }
    paintBar(sine)
    paintBar(-sine)
  }

  private func paintSubviews(
    _ subviews: VisibleSubviews, of view: View, _ scrollView: ScrollView?, _ shape: RoundedRect?,
    _ matrix: AffineTransform, _ pass: Pass
  ) {
    guard view.clipsToBounds else { return paintEach(subviews, matrix, pass) }
    guard let shape else { return }
    var clipped = pass
    clipped.clip = pass.clip.intersection(shape.pixels)
    guard !clipped.clip.isEmpty else { return }
    let tiles = scrollView.flatMap { contentTiles(of: $0, shape, matrix) }
    func paintClipped(_ pass: Pass) {
      if let tiles { paint(tiles, of: view, pass) } else { paintEach(subviews, matrix, pass) }
    }
    if shape.isExact || isTooDeep(view) { return paintClipped(clipped) }
    inLayer(over: clipped.clip, paint: paintClipped) { layer, area in
      fill(shape, with: .picture(layer, opacity: 255), clip: area, on: pass.target)
    }
  }

  func paintEach(_ subviews: VisibleSubviews, _ matrix: AffineTransform, _ pass: Pass) {
    for place in (subviews.hiding ?? subviews.places.lowerBound)..<subviews.places.upperBound {
      let subview = visible[place]
      paint(subview, subview.parentFromLocal.then(matrix), pass)
    }
  }

  /// Finds the subviews that paint in a clip. Most lie outside and are not examined.
  func withSubviews(
    of view: View, _ matrix: AffineTransform, _ clip: PixelRect, _ body: (VisibleSubviews) -> Void
  ) {
    let first = visible.count
    let area = Rect<DisplaySpace>(
      x: Double(clip.minX), y: Double(clip.minY), width: Double(clip.width), height: Double(clip.height))
    view.appendSubviews(paintingIn: area, displayFromLocal: matrix, to: &visible)
    let places = first..<visible.count
    body(VisibleSubviews(places: places, hiding: placeThatHides(view, places, matrix, clip)))
    visible.removeLast(places.count)
  }

  func fill(
    _ shape: RoundedRect, without hole: RoundedRect? = nil, with source: PaintSource, _ pass: Pass
  ) {
    work += 1
    compositor.fill(shape, without: hole, with: source, clip: pass.clip, on: pass.target)
  }

  func fill(_ shape: RoundedRect, _ color: Color, without hole: RoundedRect? = nil, _ pass: Pass) {
    let pixel = color.premultiplied(coverage: pass.opacity)
    guard pixel >> 24 > 0 else { return }
    work += 1
    fill(shape, without: hole, with: .color(pixel), clip: pass.clip, on: pass.target)
  }

  /// Fills a shape by its mask at the display's origin, or at its place if that could round differently.
  private func fill(
    _ shape: RoundedRect, without hole: RoundedRect? = nil, with source: PaintSource, clip: PixelRect,
    on target: Target
  ) {
    let (x, y) = (shape.pixels.minX, shape.pixels.minY)
    guard !shape.isExact || hole?.isExact == false, shape.movesExactly, hole?.movesExactly ?? true,
      let template = shape.moved(x: -x, y: -y)
    else { return compositor.fill(shape, without: hole, with: source, clip: clip, on: target) }
    compositor.fill(
      template, without: hole.flatMap { $0.moved(x: -x, y: -y) }, movedBy: (x, y), with: source, clip: clip,
      on: target)
  }

  /// Returns whether no layer is left: the view fades without subviews, and clips to a rectangle.
  private func isTooDeep(_ view: View) -> Bool {
    guard layers.isExhausted else { return false }
    // One view is enough to find the place. Otherwise each of its subviews would be logged.
    if !loggedTooDeep { notices.log(.nestedTooDeep(view: view.id, most: LayerPool.most)) }
    loggedTooDeep = true
    return true
  }

  func inLayer(
    over area: PixelRect, paint: (Pass) -> Void, then compose: (Target, PixelRect) -> Void
  ) {
    guard !area.isEmpty, let layer = layers.take(area) else { return }
    defer { layers.release() }
    paint(Pass(target: layer, clip: area))
    compose(layer, area)
  }

  private func extent(of view: View, _ matrix: AffineTransform) -> PixelRect {
    guard !view.isConcealed else { return .empty }
    var extent =
      RoundedRect(view.bounds.outset(by: view.paintOutset), displayFromLocal: matrix)?.pixels ?? .empty
    guard !view.clipsToBounds else { return extent }
    for subview in view.subviews {
      extent = extent.union(self.extent(of: subview, subview.parentFromLocal.then(matrix)))
    }
    return extent
  }
}
