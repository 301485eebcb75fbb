import TouchCore
import TouchPixels
import TouchViews

/// The pixels of a scroll view's content at any offset, in tiles as large as the view. Each is painted at the
/// view's place, and shown moved by whole pixels. So a pixel is painted in one way only, and a kept one
/// equals one painted again.
struct ContentTiles {
  struct Part {
    var area: PixelRect
    var shift: (x: Int, y: Int)
    /// The matrix from the view's space to the place where the part is painted.
    var displayFromLocal: AffineTransform

    func shown(on target: Target) -> Target {
      if shift == (0, 0) { return target }
      target.settle(area.offset(x: -shift.x, y: -shift.y))
      return Target(
        surface: target.surface, originX: target.originX + shift.x, originY: target.originY + shift.y)
    }
  }

  let frame: PixelRect
  /// The matrix from the view's space to the display while nothing has scrolled.
  let displayFromLocal: AffineTransform
  /// The distance that the content has scrolled, in pixels.
  let scrolled: (x: Int, y: Int)

  /// The unit of translations, in pixels. Its multiples have exact sums with whole pixels.
  private static let step = 1.0 / 1024

  /// Makes tiles at the present offset; nil if the view is turned, beyond the display, or between pixels.
  init?(
    of scrollView: ScrollView, _ frame: PixelRect, displayFromLocal matrix: AffineTransform,
    display: PixelRect
  ) {
    guard scrollView.clipsToBounds, display.contains(frame),
      matrix.b == 0 && matrix.c == 0 || matrix.a == 0 && matrix.d == 0
    else { return nil }
    let origin = scrollView.bounds.origin
    func whole(_ place: Double, _ now: Double) -> (place: Double, pixels: Int)? {
      let place = (place / Self.step).rounded() * Self.step
      let pixels = (place - now).rounded()
      guard abs(pixels) < PixelRect.farthest, abs(place - now - pixels) < 0.75 * Self.step else { return nil }
      return (place, Int(pixels))
    }
    guard let x = whole(matrix.tx + matrix.a * origin.x + matrix.c * origin.y, matrix.tx),
      let y = whole(matrix.ty + matrix.b * origin.x + matrix.d * origin.y, matrix.ty)
    else { return nil }
    self.frame = frame
    scrolled = (x.pixels, y.pixels)
    displayFromLocal = AffineTransform(
      a: matrix.a, b: matrix.b, c: matrix.c, d: matrix.d, tx: x.place, ty: y.place)
  }

  /// Returns display pixels as content pixels, from the view's top-left corner while nothing has scrolled.
  func content(_ area: PixelRect) -> PixelRect {
    area.offset(x: scrolled.x - frame.minX, y: scrolled.y - frame.minY)
  }

  /// Calls `body` for the part in each tile of an area, in pixels of the content.
  func forEachPart(of area: PixelRect, _ body: (Part) -> Void) {
    guard !area.isEmpty else { return }
    for row in Self.tiles(area.minY, area.maxY, frame.height) {
      for column in Self.tiles(area.minX, area.maxX, frame.width) {
        let (x, y) = (column * frame.width, row * frame.height)
        let part = area.intersection(PixelRect(x: x, y: y, width: frame.width, height: frame.height))
        var matrix = displayFromLocal
        (matrix.tx, matrix.ty) = (matrix.tx - Double(x), matrix.ty - Double(y))
        body(
          Part(
            area: part.offset(x: frame.minX - x, y: frame.minY - y), shift: (scrolled.x - x, scrolled.y - y),
            displayFromLocal: matrix))
      }
    }
  }

  private static func tiles(_ low: Int, _ high: Int, _ length: Int) -> ClosedRange<Int> {
    func tile(_ pixel: Int) -> Int { pixel >= 0 ? pixel / length : -((length - 1 - pixel) / length) }
    return tile(low)...tile(high - 1)
  }
}

/// The visible pixels of a content that scrolls: those that scroll in replace the others.
final class KeptContent {
  let painter: ObjectIdentifier
  let surface: Surface
  /// Whether the view's background is among the pixels.
  let isOpaque: Bool
  /// The look of the content except its views: its position in the frame, and the colour behind it.
  let displayFromLocal: AffineTransform
  let colorBehind: Color
  /// The pixel under a content without a background of its own; nil for any other one.
  let behind: UInt32?
  /// The valid pixels, in pixels of the content.
  var valid = PixelRect.empty

  init?(
    of scrollView: ScrollView, _ tiles: ContentTiles, isOpaque: Bool, _ behind: UInt32?,
    for painter: TreePainter
  ) {
    guard let surface = try? Surface(width: tiles.frame.width, height: tiles.frame.height) else { return nil }
    self.surface = surface
    self.painter = ObjectIdentifier(painter)
    self.isOpaque = isOpaque
    self.behind = behind
    displayFromLocal = Self.place(tiles)
    colorBehind = scrollView.surfaceColor
  }

  func fits(_ scrollView: ScrollView, _ tiles: ContentTiles, isOpaque: Bool, _ behind: UInt32?) -> Bool {
    self.behind == behind && surface.width == tiles.frame.width && surface.height == tiles.frame.height
      && self.isOpaque == isOpaque
      && displayFromLocal == Self.place(tiles) && colorBehind == scrollView.surfaceColor
  }

  private static func place(_ tiles: ContentTiles) -> AffineTransform {
    var matrix = tiles.displayFromLocal
    (matrix.tx, matrix.ty) = (matrix.tx - Double(tiles.frame.minX), matrix.ty - Double(tiles.frame.minY))
    return matrix
  }
}

extension TreePainter {
  func contentTiles(of scrollView: ScrollView, _ shape: RoundedRect, _ matrix: AffineTransform)
    -> ContentTiles?
  {
    ContentTiles(of: scrollView, shape.pixels, displayFromLocal: matrix, display: display)
  }

  func paint(_ tiles: ContentTiles, of scrollView: View, _ pass: Pass) {
    tiles.forEachPart(of: tiles.content(pass.clip)) { part in
      paint(
        part, of: scrollView,
        Pass(target: part.shown(on: pass.target), clip: part.area, opacity: pass.opacity))
    }
  }

  private func paint(_ part: ContentTiles.Part, of scrollView: View, _ pass: Pass) {
    withSubviews(of: scrollView, part.displayFromLocal, part.area) {
      paintEach($0, part.displayFromLocal, pass)
    }
  }

  /// Paints a scroll view's background and content: only parts that scrolled in or changed; false, and
  /// nothing is painted, if nothing can be kept.
  func paintKept(
    _ scrollView: ScrollView, _ shape: RoundedRect, _ matrix: AffineTransform, _ pass: Pass
  ) -> Bool {
    // The kept pixels are for the display, where private views have their contents.
    guard scrollView.isScrolling, pass.opacity == 255, !layers.isExhausted, !blanksPrivateViews else {
      return false
    }
    let border = scrollView.shownBorder
    // Round corners make a layer. Else the content blends with the kept pixels behind, of one colour.
    let isOpaque = shape.isExact
    let isFilled = scrollView.shownBackground?.alpha == 255
    let isPlain = border == nil && scrollView.gradient == nil
    var behind: UInt32?
    if isOpaque, isPlain, scrollView.shownBackground == nil {
      behind = pass.target.fill(of: pass.clip.intersection(shape.pixels))
    }
    guard !isOpaque || isPlain && isFilled || behind != nil,
      let tiles = contentTiles(of: scrollView, shape, matrix),
      let kept = keptContent(of: scrollView, tiles, isOpaque: isOpaque, behind)
    else { return false }
    bringUpToDate(kept, tiles, scrollView)
    let source = Target(surface: kept.surface, originX: tiles.frame.minX, originY: tiles.frame.minY)
    let clip = pass.clip.intersection(shape.pixels)
    if !isOpaque { paintBackground(of: scrollView, shape, border, matrix, pass) }
    tiles.forEachPart(of: tiles.content(clip)) { part in
      let shown = part.area.offset(x: -part.shift.x, y: -part.shift.y)
      let picture = Target(
        surface: source.surface, originX: source.originX - part.shift.x,
        originY: source.originY - part.shift.y)
      if isOpaque {
        pass.target.copy(shown, from: picture)
      } else {
        compositor.fill(shape, with: .picture(picture, opacity: 255), clip: shown, on: pass.target)
      }
    }
    return true
  }

  /// Returns the kept content; nil if another painter keeps it, or there is no memory.
  private func keptContent(
    of scrollView: ScrollView, _ tiles: ContentTiles, isOpaque: Bool, _ behind: UInt32?
  ) -> KeptContent? {
    if let kept = scrollView.keptContent as? KeptContent {
      guard kept.painter == ObjectIdentifier(self) else { return nil }
      if kept.fits(scrollView, tiles, isOpaque: isOpaque, behind) { return kept }
    }
    let kept = KeptContent(of: scrollView, tiles, isOpaque: isOpaque, behind, for: self)
    scrollView.keptContent = kept
    return kept
  }

  private func bringUpToDate(_ kept: KeptContent, _ tiles: ContentTiles, _ scrollView: ScrollView) {
    let seen = tiles.content(tiles.frame)
    let valid = kept.valid.intersection(seen)
    kept.valid = seen
    guard !valid.isEmpty else {
      scrollView.changedContent = .zero
      return paint(seen, into: kept, tiles, scrollView)
    }
    if !scrollView.changedContent.isEmpty {
      let changed: Rect<DisplaySpace> = tiles.displayFromLocal.bounding(scrollView.changedContent)
      scrollView.changedContent = .zero
      let pixels = PixelRect(covering: changed, sliver: 1.0 / 1024)
        .offset(x: -tiles.frame.minX, y: -tiles.frame.minY)
      paint(pixels.intersection(valid), into: kept, tiles, scrollView)
    }
    seen.forEachPart(outside: valid) { paint($0, into: kept, tiles, scrollView) }
  }

  /// - Parameter area: the area in pixels of the content.
  private func paint(
    _ area: PixelRect, into kept: KeptContent, _ tiles: ContentTiles, _ scrollView: ScrollView
  ) {
    let target = Target(surface: kept.surface, originX: tiles.frame.minX, originY: tiles.frame.minY)
    let background = kept.isOpaque ? kept.behind ?? scrollView.shownBackground?.premultiplied() : nil
    tiles.forEachPart(of: area) { part in
      target.fill(part.area, with: background ?? 0)
      paint(part, of: scrollView, Pass(target: target, clip: part.area))
    }
  }
}
