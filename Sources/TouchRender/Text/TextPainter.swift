import CFcft
import TouchCore
import TouchPixels
import TouchViews

/// Paints the text of a view, broken into lines, aligned, and cut. Upright text is painted by glyphs on whole
/// pixels; other text is drawn upright, and transformed.
final class TextPainter {
  private struct TurnedKey: Hashable {
    let text: String
    let style: TextStyle
    let bounds: LocalRect
    let padding: Insets
    let displayFromLocal: AffineTransform
  }

  private let compositor: Compositor
  private let display: PixelRect
  private let cache: TextCache
  private var turned: RecentlyUsed<TurnedKey, Target?>

  /// The cost of a text in addition to its picture, in pixels.
  private static let leastPixels = 256

  private let notices: PaintNoticeLog

  /// - Parameter display: the whole display, in pixels.
  init(compositor: Compositor, display: PixelRect, notices: PaintNoticeLog) {
    (self.compositor, self.notices) = (compositor, notices)
    cache = TextCache(notices: notices)
    self.display = display
    turned = RecentlyUsed(limit: 4 * display.width * display.height)
  }

  /// Paints a text in bounds with padding in units of the view, and an opacity of 0 … 255. Notices name the
  /// owner, unless nil; false if there is no font.
  func paint(
    _ text: String, style: TextStyle, bounds: LocalRect, padding: Insets, displayFromLocal: AffineTransform,
    clip: PixelRect, opacity: UInt32, on target: Target, owner: Owner? = nil
  ) -> Bool {
    let scale = abs(displayFromLocal.determinant).squareRoot()
    guard style.color.alpha > 0, !clip.isEmpty, scale.isFinite, style.size.isFinite, style.size * scale >= 1
    else { return true }
    let isUpright =
      displayFromLocal.b == 0 && displayFromLocal.c == 0 && displayFromLocal.a > 0
      && abs(displayFromLocal.a - displayFromLocal.d) <= 1e-9 * displayFromLocal.a
    let largestSize = TextStyle.largestSize(for: text)
    if isUpright && style.size * scale <= largestSize {
      let box = Box(bounds, padding: padding, style: style, scale: scale)
      guard let block = box.block(text, cache) else { return false }
      logNotices(of: block, in: box, owner)
      let corner: Point<DisplaySpace> = displayFromLocal.map(LocalPoint(x: bounds.minX, y: bounds.minY))
      paint(block, in: box, at: corner, style.color, clip, opacity, target)
      return true
    }
    let key = TurnedKey(
      text: text, style: style, bounds: bounds, padding: padding, displayFromLocal: displayFromLocal)
    let picture: Target?
    if let known = turned.value(for: key) {
      picture = known
    } else {
      guard let made = turn(key, scale: min(scale, largestSize / style.size), owner) else { return false }
      // An invisible picture takes memory too.
      let pixels = made.map { $0.surface.width * $0.surface.height } ?? 0
      turned.insert(made, for: key, cost: Self.leastPixels + text.utf8.count / 4 + pixels)
      picture = made
    }
    if let picture {
      compositor.fillBox(
        picture.area.intersection(clip), with: .picture(picture, opacity: opacity), on: target)
    }
    return true
  }

  /// Returns a line's size in pixels of a unit, cut with an ellipsis to a width; nil without a font.
  func extent(of text: String, style: TextStyle, atMost width: Int) -> (width: Int, height: Int)? {
    let font = TextCache.FontKey(style, pixelSize: style.size)
    guard let block = cache.block(text, font, in: TextCache.Room(width: width)), let line = block.lines.first
    else { return nil }
    return (line.width, Int(block.ascent + block.descent))
  }

  /// Returns the size of a text broken for a width, in units of its view; nil without a font.
  func size(of text: String, style: TextStyle, atWidth width: Double) -> Size? {
    guard !text.isEmpty, style.size >= 1, style.size.isFinite else { return .zero }
    let layoutSize = style.layoutSize(for: text)
    let scale = style.size / layoutSize
    let room = TextCache.Room(
      width: Int(saturating: max(0, min(PixelRect.farthest, width / scale + 0.01))), height: Int.max / 2,
      lines: style.lines)
    guard let block = cache.block(text, TextCache.FontKey(style, pixelSize: layoutSize), in: room) else {
      return nil
    }
    return Size(
      width: Double(block.lines.reduce(0) { max($0, $1.width) }) * scale,
      height: (block.ascent + block.descent + Double(block.lines.count - 1) * block.lineHeight) * scale)
  }

  struct Owner {
    let view: String
    /// The room that letters must not exceed above and below, in the bounds' space; nil for none.
    var room: LocalRect?
  }

  /// Reports text that is cut, and characters that no font has.
  private func logNotices(of block: TextBlock, in box: Box, _ owner: Owner?) {
    guard let owner else { return }
    if block.isCut {
      notices.log(.textCut(view: owner.view))
    } else if let room = owner.room, box.isCut(block, to: room) {
      notices.log(.textTooHigh(view: owner.view))
    }
    if !block.unknown.isEmpty { notices.log(.charactersUnknown(block.unknown, view: owner.view)) }
  }

  /// - Parameter corner: the corner of the box, on the target's display.
  private func paint(
    _ block: TextBlock, in box: Box, at corner: Point<DisplaySpace>, _ color: Color, _ clip: PixelRect,
    _ opacity: UInt32, _ target: Target
  ) {
    for index in block.lines.indices {
      let line = block.lines[index]
      paint(
        line, x: Self.pixel(corner.x + box.x(of: line)),
        y: Self.pixel(corner.y + box.baseline(of: index, in: block)), color, clip, opacity, target)
    }
  }

  private func paint(
    _ line: TextLine, x: Int, y: Int, _ color: Color, _ clip: PixelRect, _ opacity: UInt32, _ target: Target
  ) {
    let pixel = color.premultiplied(coverage: opacity)
    for ink in line.ink(TextTone(color)) {
      switch ink.picture {
      case .mask(let mask):
        compositor.fill(mask, x: x + ink.x, y: y + ink.y, with: pixel, clip: clip, on: target)
      case .colors(let image):
        let level = Color.multiply(UInt32(color.alpha), opacity)
        compositor.fill(
          image: image, opacity: level, x: x + ink.x, y: y + ink.y, width: ink.width, height: ink.height,
          clip: clip, on: target)
      }
    }
  }

  /// Draws the text upright and turns the picture; nil without a font, a nil target if out of sight.
  private func turn(_ key: TurnedKey, scale: Double, _ owner: Owner?) -> Target?? {
    let bounds = key.bounds
    let box = Box(bounds, padding: key.padding, style: key.style, scale: scale)
    guard let block = box.block(key.text, cache) else { return nil }
    logNotices(of: block, in: box, owner)
    // The area is a little larger than the lines, since glyphs may lean out; the view clips it.
    let lean = Int((block.ascent + block.descent).rounded(.up))
    var painted = PixelRect.empty
    for (index, line) in block.lines.enumerated() {
      let (x, y) = (Self.pixel(box.x(of: line)), Self.pixel(box.baseline(of: index, in: block)))
      painted = painted.union(
        PixelRect(minX: x - lean, minY: y - lean, maxX: x + line.width + lean, maxY: y + lean))
    }
    let displayFromBox = AffineTransform.scale(x: 1 / scale, y: 1 / scale)
      .then(.translation(x: bounds.minX, y: bounds.minY))
      .then(key.displayFromLocal)
    var area = painted.intersection(PixelRect(covering: box.extent, sliver: 0))
    // Nothing outside the display is drawn, except a margin for interpolation at the edge.
    if let boxFromDisplay = displayFromBox.inverse {
      let shown: Rect<DisplaySpace> = boxFromDisplay.bounding(
        LocalRect(
          x: Double(display.minX), y: Double(display.minY), width: Double(display.width),
          height: Double(display.height)))
      area = area.intersection(PixelRect(covering: shown.outset(by: 4), sliver: 0))
    }
    guard !area.isEmpty, let surface = try? Surface(width: area.width, height: area.height) else {
      return .some(nil)
    }
    let upright = Target(surface: surface, originX: area.minX, originY: area.minY)
    paint(block, in: box, at: .zero, key.style.color, area, 255, upright)

    let displayFromPicture = Self.snapped(
      AffineTransform.translation(x: Double(area.minX), y: Double(area.minY))
        .then(displayFromBox))
    let extent: Rect<DisplaySpace> = displayFromPicture.bounding(
      LocalRect(x: 0, y: 0, width: Double(area.width), height: Double(area.height)))
    let visible = PixelRect(covering: extent, sliver: 1.0 / 512).intersection(display)
    guard !visible.isEmpty else { return .some(nil) }
    return .some(surface.transformed(by: displayFromPicture, area: visible, beyond: .transparent))
  }

  /// Moves a matrix that only turns by quarters or mirrors to whole pixels, so that glyphs are not blurred.
  private static func snapped(_ matrix: AffineTransform) -> AffineTransform {
    let parts = [matrix.a, matrix.b, matrix.c, matrix.d]
    guard parts.allSatisfy({ abs($0 - $0.rounded()) < 1e-6 }) else { return matrix }
    return AffineTransform(
      a: parts[0].rounded(), b: parts[1].rounded(), c: parts[2].rounded(), d: parts[3].rounded(),
      tx: Double(pixel(matrix.tx)), ty: Double(pixel(matrix.ty)))
  }

  /// Returns the nearest pixel. Halves are rounded up on both sides of 0, so that moving text stays the same.
  private static func pixel(_ position: Double) -> Int {
    Int(max(-PixelRect.farthest, min(PixelRect.farthest, (position + 0.5).rounded(.down))))
  }
}

extension TextStyle {
  /// Returns the largest size of drawn glyphs, so that those of one text take some megabytes at most.
  fileprivate static func largestSize(for text: String) -> Double {
    min(512, (8_388_608 / Double(max(1, min(text.utf8.count, LineBreaker.longestText)))).squareRoot())
  }

  /// The least size of a layout. Hinting would move the letters of a smaller font too far.
  private static let leastLayoutSize = 8.0

  /// Rounds a size to quarters: fine enough for smooth growth, and coarse enough to share fonts.
  fileprivate static func quartered(_ size: Double) -> Double { max(0.25, (size * 4).rounded() / 4) }

  /// Returns the em size at which a text is broken into lines, in pixels, at any scale of its drawing.
  func layoutSize(for text: String) -> Double {
    var layoutSize = size
    while layoutSize < Self.leastLayoutSize { layoutSize *= 2 }
    while layoutSize > Self.largestSize(for: text) { layoutSize /= 2 }
    return Self.quartered(layoutSize)
  }
}

/// A view's bounds in pixels of its text, from the top-left corner of the bounds.
private struct Box {
  let extent: Rect<DisplaySpace>
  /// The room for text. Its size is negative if the padding takes more than there is.
  private let room: Rect<DisplaySpace>
  /// The top of the bounds, in units.
  private let top: Double
  private let style: TextStyle
  private let scale: Double

  init(_ bounds: LocalRect, padding: Insets, style: TextStyle, scale: Double) {
    extent = Rect(
      x: 0, y: 0, width: (bounds.maxX - bounds.minX) * scale, height: (bounds.maxY - bounds.minY) * scale)
    room = Rect(
      x: padding.left * scale, y: padding.top * scale,
      width: extent.size.width - (padding.left + padding.right) * scale,
      height: extent.size.height - (padding.top + padding.bottom) * scale)
    self.style = style
    self.scale = scale
    top = bounds.minY
  }

  /// Returns the text cut to the box, with lines that break as at the style's own size, at every scale.
  func block(_ text: String, _ cache: TextCache) -> TextBlock? {
    let layoutSize = style.layoutSize(for: text)
    let pixelSize = TextStyle.quartered(style.size * scale)
    let exact = style.size * scale / layoutSize
    // The room is in units of the layout, and slightly larger, because rounding must not cut.
    let room = TextCache.Room(
      width: Int(max(0, min(PixelRect.farthest, self.room.size.width / exact + 0.01))),
      height: style.lines == 1
        ? Int.max / 2 : Int(max(0, min(PixelRect.farthest, self.room.size.height / exact + 0.01))),
      lines: style.lines)
    return cache.block(
      text, TextCache.FontKey(style, pixelSize: layoutSize), in: room,
      drawnAt: pixelSize, scale: pixelSize == layoutSize ? 1 : exact)
  }

  func x(of line: TextLine) -> Double {
    let free = room.size.width - Double(line.width)
    return switch style.alignment {
    case .left: room.origin.x
    case .center: room.origin.x + free / 2
    case .right: room.origin.x + free
    }
  }

  func baseline(of index: Int, in block: TextBlock) -> Double {
    let height = block.ascent + block.descent + Double(block.lines.count - 1) * block.lineHeight
    let free = room.size.height - height
    let top =
      switch style.verticalAlignment {
      case .top: 0.0
      case .middle: free / 2
      case .bottom: free
      }
    return room.origin.y + top + block.ascent + Double(index) * block.lineHeight
  }
  /// The most of a letter that may be cut, in pixels, because an edge may lie between two faint rows.
  private static let leastCut = 1.0

  /// Returns whether letters, without the free space around them, exceed a room above or below.
  func isCut(_ block: TextBlock, to limits: LocalRect) -> Bool {
    let (lowest, highest) = ((limits.minY - top) * scale, (limits.maxY - top) * scale)
    let last = block.lines.count - 1
    guard
      baseline(of: 0, in: block) - block.ascent < lowest
        || baseline(of: last, in: block) + block.descent > highest
    else { return false }
    return block.lines.indices.contains { index in
      let (line, baseline) = (block.lines[index], baseline(of: index, in: block))
      guard !line.reach.isEmpty else { return false }
      return baseline + Double(line.reach.minY) < lowest - Self.leastCut
        || baseline + Double(line.reach.maxY) > highest + Self.leastCut
    }
  }
}
