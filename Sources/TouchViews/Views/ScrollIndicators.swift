import TouchCore

/// The bars that show which part of the content a scroll view shows. They are seen while it scrolls, stay for
/// a moment, and fade. Apple documents neither their sizes nor their times: see TouchViews.docc/Decisions.md.
struct ScrollIndicators {
  /// The opacity of the bars, from 0 to 1.
  var opacity = 0.0
  /// The time when they begin to fade; nil while the view scrolls.
  private var fadeStart: Timestamp?

  /// The time for which they stay after the content has come to rest, in seconds.
  private static let stay = 0.4
  private static let fade = 0.3
  /// The space between them and the edges of the view, in units.
  private static let margin = 3.0
  private static let width = 4.0

  mutating func stay() { fadeStart = nil }

  /// The content has come to rest.
  /// - Returns: the time when they begin to fade.
  mutating func fade(after time: Timestamp) -> Timestamp {
    let start = time.advanced(bySeconds: Self.stay)
    fadeStart = start
    return start
  }

  func opacityWhileFading(at time: Timestamp) -> Double {
    let elapsed = time.seconds(since: fadeStart ?? time)
    return min(1, max(0, 1 - elapsed / Self.fade))
  }

  /// Returns the rectangles of the bars, in the view's own space; nil along an axis that does not scroll.
  /// - Parameter range: the offsets along each axis.
  /// - Parameter bounds: the bounds of the view, whose origin is the offset.
  static func rects(
    for range: (x: ClosedRange<Double>, y: ClosedRange<Double>), of content: Size, in bounds: LocalRect
  ) -> (horizontal: LocalRect?, vertical: LocalRect?) {
    // In the corner they would meet.
    let corner = range.x.isOpen && range.y.isOpen ? margin + width : 0
    func span(_ range: ClosedRange<Double>, _ offset: Double, _ room: Double, _ content: Double) -> (
      Double, Double
    )? {
      let track = room - 2 * margin - corner
      guard range.isOpen, track > 0 else { return nil }
      // Beyond an edge it is as much shorter as the content is away from it.
      let beyond = abs(offset - range.nearest(to: offset))
      let length = min(track, max(2 * width, max(36, track * room / content) - beyond)).rounded()
      let part = (range.nearest(to: offset) - range.lowerBound) / (range.upperBound - range.lowerBound)
      return (margin + (track - length) * part, length)
    }
    let (left, top) = (bounds.minX, bounds.minY)
    let across = span(range.x, left, bounds.size.width, content.width).map {
      LocalRect(x: left + $0.0, y: bounds.maxY - margin - width, width: $0.1, height: width)
    }
    let down = span(range.y, top, bounds.size.height, content.height).map {
      LocalRect(x: bounds.maxX - margin - width, y: top + $0.0, width: width, height: $0.1)
    }
    return (across, down)
  }
}

extension ScrollView: ContentDrawing {
  var ownContent: DrawnContent { indicatorOpacity > 0 ? .overlapping : .nothing }

  /// Draws the indicators, over what is in the view.
  package final func drawIndicators(in context: GraphicsContext) {
    var color = surfaceColor.contrast
    color.alpha = UInt8(min(1, indicatorOpacity) * 0x80)
    let rects = indicatorRects
    if let rect = rects.horizontal { context.fillMoving(rect, with: color) }
    if let rect = rects.vertical { context.fillMoving(rect, with: color) }
  }
}
