import TouchCore
import TouchPixels
import TouchViews

/// Explanations on a picture of a tree: outlines of views with their ids, a cross hair, a legend.
package struct Annotations {
  package struct Mark {
    package var view: View
    /// The colour of the outline and the label. It is light, since the letters are dark.
    package var color: Color
    /// Whether the label may lie in the view. It must not if the view's picture has to be seen.
    package var isNamedInside: Bool

    package init(view: View, color: Color, isNamedInside: Bool = true) {
      (self.view, self.color, self.isNamedInside) = (view, color, isNamedInside)
    }
  }

  package struct Entry: Hashable, Sendable {
    /// The colour of the square before the text; nil for no square.
    package var color: Color?
    package var text: String

    package init(color: Color? = nil, text: String) { (self.color, self.text) = (color, text) }
  }

  /// The outlined views. Later outlines are on top. The first `mostLabels` views are named.
  package var marks: [Mark] = []
  /// The point in the window under the cross hair; nil for no cross hair.
  package var crosshair: WindowPoint?
  /// The lines below the picture, which becomes higher.
  package var legend: [Entry] = []

  package static let mostLabels = 500

  package init() {}

  /// Marks every visible view, from back to front, in alternating colours.
  package init(naming window: Window) {
    var waiting: [View] = [window]
    while let view = waiting.popLast() {
      guard !view.isConcealed, Float(view.alpha) > 0.01 else { continue }
      marks.append(Mark(view: view, color: Self.palette[marks.count % Self.palette.count]))
      waiting += view.subviews.reversed()
    }
  }

  private static let palette = [
    Color(red: 0x35, green: 0xd6, blue: 0xff), Color(red: 0xff, green: 0xd1, blue: 0x66),
    Color(red: 0x7e, green: 0xe0, blue: 0x81), Color(red: 0xff, green: 0x8f, blue: 0xa3),
    Color(red: 0xcf, green: 0xa8, blue: 0xff), Color(red: 0xff, green: 0xa6, blue: 0x57),
  ]
}

/// Draws annotations on a finished picture, in its pixels, so that they are readable at any scale.
package struct AnnotationPainter {
  private let compositor: Compositor
  private let marks: MarkPainter
  private let texts: TextPainter
  private let notices: PaintNoticeLog
  private let displayFromWindow: AffineTransform
  private var style = TextStyle(alignment: .left)

  private static let dark = Color(red: 0x0a, green: 0x0f, blue: 0x14)
  private static let bright = Color(red: 0xff, green: 0xff, blue: 0xff)
  /// The width of outlines, in pixels.
  private static let outlineWidth = 2.0
  /// The distances of a text from the edges of its box, in pixels.
  private static let paddingX = 4
  private static let paddingY = 1
  private static let longestName = 20.0

  init(
    compositor: Compositor, texts: TextPainter, notices: PaintNoticeLog, displayFromWindow: AffineTransform,
    display: PixelRect
  ) {
    self.compositor = compositor
    self.texts = texts
    self.notices = notices
    self.displayFromWindow = displayFromWindow
    marks = MarkPainter(compositor: compositor, displayFromWindow: displayFromWindow)
    // The smallest text that is easy to read. It is larger in large pictures.
    style.size = Double(max(12, min(display.width, display.height) / 60))
  }

  /// Paints the annotations into the picture, or one higher by the legend; throws without memory.
  package func paint(_ annotations: Annotations, on picture: Surface) throws(DisplayError) -> Surface {
    let target = Target(surface: picture)
    let scale = abs(displayFromWindow.determinant).squareRoot()
    for mark in annotations.marks {
      marks.outline(mark.view, Self.outlineWidth / scale, mark.color, level: 255, picture.bounds, target)
    }
    let arms = annotations.crosshair.map(crosshair) ?? []
    paintNames(annotations.marks, around: arms, on: target)
    for (color, grown) in [(Self.dark, 1), (Self.bright, 0)] {
      for arm in arms { fill(arm.grown(by: grown), color, on: target) }
    }
    return try annotations.legend.isEmpty ? picture : paintLegend(annotations.legend, below: picture)
  }

  // MARK: Names

  private func paintNames(_ marks: [Annotations.Mark], around arms: [PixelRect], on target: Target) {
    var layout = LabelLayout(room: target.area)
    for arm in arms { layout.block(arm.grown(by: 1)) }
    for mark in marks where !mark.isNamedInside {
      if let extent = visibleExtent(of: mark.view, within: target.area) { layout.block(extent) }
    }
    let shown = marks.compactMap { mark in
      visibleExtent(of: mark.view, within: target.area).map { (mark: mark, extent: $0) }
    }
    if shown.count > Annotations.mostLabels {
      notices.log(.namesLeftOut(shown.count - Annotations.mostLabels, most: Annotations.mostLabels))
    }
    // Small views come first, because they have the fewest free places.
    let bySize = shown.prefix(Annotations.mostLabels).enumerated().sorted {
      ($0.element.extent.area, $0.offset) < ($1.element.extent.area, $1.offset)
    }
    for (_, (mark, extent)) in bySize {
      guard let size = size(of: mark.view.id) else { return }
      paint(mark.view.id, on: mark.color, in: layout.place(size, at: extent), target)
    }
  }

  /// Returns the size of a label in pixels; nil if there is no font.
  private func size(of text: String) -> (width: Int, height: Int)? {
    let longest = Int(style.size * Self.longestName)
    guard let extent = texts.extent(of: text, style: style, atMost: longest) else {
      notices.logNoText(family: style.family)
      return nil
    }
    return (extent.width + 2 * Self.paddingX, extent.height + 2 * Self.paddingY)
  }

  private func paint(_ text: String, on color: Color, in box: PixelRect, _ target: Target) {
    fill(box, color, on: target)
    write(text, Self.dark, at: box.minX + Self.paddingX, in: box, target)
  }

  private func write(_ text: String, _ color: Color, at x: Int, in box: PixelRect, _ target: Target) {
    var style = style
    style.color = color
    let bounds = LocalRect(
      x: Double(x), y: Double(box.minY), width: Double(box.maxX - x), height: Double(box.height))
    _ = texts.paint(
      text, style: style, bounds: bounds, padding: .zero, displayFromLocal: .identity, clip: box,
      opacity: 255,
      on: target)
  }

  /// Returns the pixels of a view that its clipping ancestors do not cut off; nil if there are none.
  private func visibleExtent(of view: View, within area: PixelRect) -> PixelRect? {
    func extent(_ view: View) -> PixelRect {
      let rect: Rect<DisplaySpace> = view.windowFromLocal.then(displayFromWindow).bounding(view.bounds)
      return PixelRect(covering: rect, sliver: RoundedRect.snap)
    }
    var visible = extent(view).intersection(area)
    var ancestor = view.superview
    while let current = ancestor {
      if current.clipsToBounds { visible = visible.intersection(extent(current)) }
      ancestor = current.superview
    }
    return visible.isEmpty ? nil : visible
  }

  // MARK: Cross hair

  /// Returns four thin arms with a gap in the middle, so that the pixel and its neighbours stay visible.
  private func crosshair(at point: WindowPoint) -> [PixelRect] {
    let place: Point<DisplaySpace> = displayFromWindow.map(point)
    guard place.isFinite, abs(place.x) < PixelRect.farthest, abs(place.y) < PixelRect.farthest else {
      return []
    }
    let (x, y) = (Int(place.x.rounded(.down)), Int(place.y.rounded(.down)))
    let (gap, length) = (4, 18)
    return [
      PixelRect(x: x - gap - length + 1, y: y, width: length, height: 1),
      PixelRect(x: x + gap, y: y, width: length, height: 1),
      PixelRect(x: x, y: y - gap - length + 1, width: 1, height: length),
      PixelRect(x: x, y: y + gap, width: 1, height: length),
    ]
  }

  // MARK: Legend

  private func paintLegend(_ entries: [Annotations.Entry], below picture: Surface) throws(DisplayError)
    -> Surface
  {
    let sizes = entries.compactMap { entry in
      texts.extent(of: entry.text, style: style, atMost: picture.width).map { (entry, $0) }
    }
    guard let lineHeight = sizes.first?.1.height, sizes.count == entries.count else {
      notices.logNoText(family: style.family)
      return picture
    }
    let square = lineHeight * 2 / 3
    let rowHeight = lineHeight + 6
    var places: [(entry: Annotations.Entry, x: Int, row: Int)] = []
    var (x, row) = (8, 0)
    for (entry, extent) in sizes {
      let width = extent.width + (entry.color == nil ? 0 : square + 5)
      if x > 8 && x + width > picture.width {
        x = 8
        row += 1
      }
      places.append((entry, x, row))
      x += width + 12
    }
    let whole = try Surface(width: picture.width, height: picture.height + (row + 1) * rowHeight)
    whole.pixels.update(from: picture.pixels, count: picture.width * picture.height)
    let target = Target(surface: whole)
    fill(
      PixelRect(minX: 0, minY: picture.height, maxX: whole.width, maxY: whole.height), Self.dark, on: target
    )
    for (entry, x, row) in places {
      let top = picture.height + row * rowHeight
      var box = PixelRect(minX: x, minY: top, maxX: whole.width, maxY: top + rowHeight)
      if let color = entry.color {
        fill(
          PixelRect(x: x, y: top + (rowHeight - square) / 2, width: square, height: square), color, on: target
        )
        box.minX += square + 5
      }
      write(entry.text, Self.bright, at: box.minX, in: box, target)
    }
    return whole
  }

  private func fill(_ box: PixelRect, _ color: Color, on target: Target) {
    compositor.fillBox(box, with: .color(color.premultiplied()), on: target)
  }
}

/// Finds places for labels. They do not overlap each other and, if possible, do not cover a smaller view.
package struct LabelLayout {
  private let room: PixelRect
  private var taken: [PixelRect] = []
  private var extents: [PixelRect] = []

  private static let mostLines = 24
  private static let mostPlaces = 16
  /// The greatest distance of a label from its view, in lines.
  private static let farthestLine = 4

  /// - Parameter room: the pixels of the picture.
  package init(room: PixelRect) { self.room = room }

  package mutating func block(_ rect: PixelRect) { taken.append(rect) }

  /// Returns a label's place: in its view, next to it, or over others. Smaller views have to come first.
  package mutating func place(_ size: (width: Int, height: Int), at extent: PixelRect) -> PixelRect {
    let found =
      free(size, in: extent, avoiding: taken + extents.filter { extent.contains($0) && $0 != extent })
      ?? free(size, in: extent, avoiding: taken) ?? nextTo(size, extent)
      ?? moved(PixelRect(x: extent.minX, y: extent.minY, width: size.width, height: size.height))
    taken.append(found)
    extents.append(extent)
    return found
  }

  /// Returns the first free place from the top left, line by line.
  private func free(
    _ size: (width: Int, height: Int), in extent: PixelRect, avoiding obstacles: [PixelRect]
  ) -> PixelRect? {
    var y = extent.minY
    for _ in 0..<Self.mostLines where y + size.height <= extent.maxY {
      var x = extent.minX
      for _ in 0..<Self.mostPlaces where x + size.width <= extent.maxX {
        let place = PixelRect(x: x, y: y, width: size.width, height: size.height)
        guard let obstacle = obstacles.first(where: { !$0.intersection(place).isEmpty }) else { return place }
        x = obstacle.maxX + 1
      }
      y += size.height + 1
    }
    return nil
  }

  /// Returns the nearest free place on the right, below, above or on the left, line by line farther away.
  private func nextTo(_ size: (width: Int, height: Int), _ extent: PixelRect) -> PixelRect? {
    for line in 0...Self.farthestLine {
      let away = line * (size.height + 1)
      let (above, below) = (extent.minY - size.height - 1 - away, extent.maxY + 1 + away)
      let (left, right) = (extent.minX - size.width - 1, extent.maxX + 1)
      let corners = [
        (right, extent.minY + away), (extent.minX, below), (extent.minX, above), (left, extent.minY + away),
        (right, above), (left, above), (right, below), (left, below),
      ]
      let places = corners.map { PixelRect(x: $0.0, y: $0.1, width: size.width, height: size.height) }
      if let place = places.first(where: { isFree($0) }) { return place }
    }
    return nil
  }

  private func isFree(_ place: PixelRect) -> Bool {
    room.contains(place) && !taken.contains { !$0.intersection(place).isEmpty }
  }

  private func moved(_ rect: PixelRect) -> PixelRect {
    let x = max(room.minX, min(rect.minX, room.maxX - rect.width))
    let y = max(room.minY, min(rect.minY, room.maxY - rect.height))
    return PixelRect(x: x, y: y, width: rect.width, height: rect.height)
  }
}

extension PixelRect {
  fileprivate func grown(by count: Int) -> PixelRect {
    PixelRect(minX: minX - count, minY: minY - count, maxX: maxX + count, maxY: maxY + count)
  }
}
