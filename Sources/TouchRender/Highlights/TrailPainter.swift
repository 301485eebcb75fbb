import TouchCore
import TouchPixels

/// Paints the lines behind fingers: round, thinner and fainter with age.
///
/// They are new in every picture, so they are computed pixel by pixel instead of being kept as stencils. Where a line
/// crosses itself the stronger part counts.
final class TrailPainter {
  private let displayFromWindow: AffineTransform
  private let windowFromDisplay: AffineTransform
  /// A pixel's width, in window units.
  private let pixelWidth: Double
  /// How strong the line is in the pixels of one row of the display.
  private let row: UnsafeMutableBufferPointer<UInt8>
  private var segments: [Segment] = []

  /// Of the colour's opacity, where the finger is.
  private static let strongest = 0.75
  /// Of the width, at the line's end.
  private static let thinnest = 0.3

  private struct Segment {
    var pixels: PixelRect
    var start: Trails.Point
    var end: Trails.Point
  }

  init(displayFromWindow: AffineTransform, display: PixelRect) {
    self.displayFromWindow = displayFromWindow
    windowFromDisplay = displayFromWindow.inverse ?? .identity
    pixelWidth = abs(windowFromDisplay.determinant).squareRoot()
    row = .allocate(capacity: max(1, display.width))
    row.initialize(repeating: 0)
  }

  deinit {
    row.deallocate()
  }

  func paint(_ points: [Trails.Point], _ color: Color, _ clip: PixelRect, _ target: Target) {
    let area = clip.intersection(target.area)
    segments.removeAll(keepingCapacity: true)
    var reach = PixelRect.empty
    for index in points.indices.dropFirst() {
      let (start, end) = (points[index - 1], points[index])
      let rect = Trails.rect(from: start.location, to: end.location)
      let pixels = PixelRect(covering: displayFromWindow.bounding(rect), sliver: Shape.snap)
        .intersection(area)
      guard !pixels.isEmpty else { continue }
      segments.append(Segment(pixels: pixels, start: start, end: end))
      reach = reach.union(pixels)
    }
    for y in reach.minY..<max(reach.minY, reach.maxY) { paintRow(y, reach.minX..<reach.maxX, color, target) }
  }

  private func paintRow(_ y: Int, _ columns: Range<Int>, _ color: Color, _ target: Target) {
    var touched = columns.upperBound..<columns.upperBound
    for segment in segments where y >= segment.pixels.minY && y < segment.pixels.maxY {
      let part = segment.pixels.minX..<segment.pixels.maxX
      for x in part {
        let level = level(of: segment, x: x, y: y)
        row[x - columns.lowerBound] = max(row[x - columns.lowerBound], level)
      }
      touched =
        min(
          touched.lowerBound, part.lowerBound)..<max(
          part.upperBound, touched.isEmpty ? 0 : touched.upperBound)
    }
    let pixels = target.surface.pixels + ((y - target.originY) * target.surface.width - target.originX)
    for x in touched {
      let level = row[x - columns.lowerBound]
      guard level > 0 else { continue }
      row[x - columns.lowerBound] = 0
      pixels[x] = over(color.premultiplied(coverage: UInt32(level)), pixels[x])
    }
  }

  private func level(of segment: Segment, x: Int, y: Int) -> UInt8 {
    let place: WindowPoint = windowFromDisplay.map(
      Point<DisplaySpace>(x: Double(x) + 0.5, y: Double(y) + 0.5))
    let (start, end) = (segment.start.location, segment.end.location)
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let length = dx * dx + dy * dy
    let along =
      length > 0 ? max(0, min(1, ((place.x - start.x) * dx + (place.y - start.y) * dy) / length)) : 0
    let nearest = WindowPoint(x: start.x + along * dx, y: start.y + along * dy)
    let strength = segment.start.strength + along * (segment.end.strength - segment.start.strength)
    let radius = Trails.width / 2 * (Self.thinnest + (1 - Self.thinnest) * strength)
    let covered = max(0, min(1, (radius - place.distance(to: nearest)) / pixelWidth + 0.5))
    return UInt8(255 * covered * strength * Self.strongest)
  }
}
