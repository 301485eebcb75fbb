import CFreeType
import TouchCore
import TouchViews

/// Turns paths into masks, with FreeType's rasteriser and stroker, in kept memory. A path is `begin`, its
/// steps, and then `fill` or `stroke`.
package final class PathRasterizer {
  private var library: FT_Library?
  private var stroker: FT_Stroker?
  /// The path, in 26.6 fixed-point pixels of the display.
  private var path = OutlineMemory()
  private var stroked = OutlineMemory()
  private var closed: [Bool] = []
  private var matrix = AffineTransform.identity
  private var isFinite = true
  private var spans: [CoverageMask.Patch] = []
  private let passing = CoverageMask()
  /// The last paths and their masks: most shapes are drawn again unchanged, or moved by whole pixels.
  private var kept: [KeptPath] = []
  private var uses = 0
  private let area: PixelRect

  private var arcs: [KnownArc] = []
  private var nextArc = 0

  private static let mostArcs = 8
  private static let mostKept = 32
  /// The most patches in kept masks: two thirds of a megabyte. A gauge of 800×480 has 3 000.
  private static let mostPatches = 64_000

  /// The largest coordinate in pixels. Beyond it FreeType's numbers overflow.
  private static let farthest = 30_000.0

  /// - Parameter area: pixels outside are left out.
  package init(area: PixelRect) { self.area = area }

  deinit {
    if let stroker { FT_Stroker_Done(stroker) }
    if let library { FT_Done_FreeType(library) }
  }

  // MARK: The path

  /// Begins a path whose steps are transformed to physical pixels.
  package func begin(_ displayFromLocal: AffineTransform) {
    matrix = displayFromLocal
    path.removeAll()
    closed.removeAll(keepingCapacity: true)
    isFinite = true
  }

  package func move(to point: LocalPoint) {
    path.contours.append(Int16(truncatingIfNeeded: path.points.count))
    closed.append(false)
    add(point, FT_CURVE_TAG_ON)
  }

  package func line(to point: LocalPoint) { add(point, FT_CURVE_TAG_ON) }

  package func curve(to point: LocalPoint, _ control1: LocalPoint, _ control2: LocalPoint) {
    add(control1, FT_CURVE_TAG_CUBIC)
    add(control2, FT_CURVE_TAG_CUBIC)
    add(point, FT_CURVE_TAG_ON)
  }

  package func close() { if !closed.isEmpty { closed[closed.count - 1] = true } }

  package func add(_ path: Path) {
    for element in path.elements {
      switch element {
      case .move(let point): move(to: point)
      case .line(let point): line(to: point)
      case .quadCurve(let point, let control):
        add(control, FT_CURVE_TAG_CONIC)
        add(point, FT_CURVE_TAG_ON)
      case .curve(let point, let control1, let control2): curve(to: point, control1, control2)
      case .close: close()
      }
    }
  }

  package func add(_ arc: Arc) {
    let place = placeOfArc(arc)
    move(to: arcs[place].first)
    for curve in arcs[place].curves { self.curve(to: curve.end, curve.control1, curve.control2) }
  }

  /// Returns the index of an arc's curves, which are most of the work of gauges.
  private func placeOfArc(_ arc: Arc) -> Int {
    if let known = arcs.firstIndex(where: { $0.arc == arc }) { return known }
    if arcs.count < Self.mostArcs {
      arcs.append(KnownArc(arc: arc))
      nextArc = arcs.count - 1
    } else {
      nextArc = (nextArc + 1) % Self.mostArcs
    }
    arcs[nextArc].become(arc)
    return nextArc
  }

  private func add(_ point: LocalPoint, _ tag: Int32) {
    let place: Point<DisplaySpace> = matrix.map(point)
    guard abs(place.x) < Self.farthest, abs(place.y) < Self.farthest, path.points.count < 32_000 else {
      isFinite = false
      return
    }
    path.points.append(FT_Vector(x: FT_Pos((place.x * 64).rounded()), y: FT_Pos((place.y * 64).rounded())))
    path.tags.append(tag)
  }

  // MARK: Masks

  /// Returns a mask of the inside, by the nonzero rule, with parts closed, until the next call.
  package func fill() -> CoverageMask { mask(of: nil) { render(&path, into: $0) } }

  /// Returns the path's mask: a kept one, or the result of `draw` in the least recently used one.
  private func mask(of style: StrokeStyle?, draw: (CoverageMask) -> Void) -> CoverageMask {
    // A corner of the pen's way reaches as far as its miter limit.
    let reach = style.map { $0.width * abs(matrix.determinant).squareRoot() * 2 + 2 } ?? 1
    guard isFinite, let box = path.box, reach < Self.farthest else {
      draw(passing)
      return passing
    }
    // At the display's origin, with room for the pen, the path is the same after whole pixels.
    let margin = Int(reach.rounded(.up))
    let (x, y) = (Int(box.minX >> 6) - margin, Int(box.minY >> 6) - margin)
    let size = (Int(box.maxX >> 6) + margin + 1 - x, Int(box.maxY >> 6) + margin + 1 - y)
    guard size.0 <= area.width, size.1 <= area.height, area.minX == 0, area.minY == 0 else {
      draw(passing)
      return passing
    }
    path.move(x: -x << 6, y: -y << 6)
    uses += 1
    if let index = kept.firstIndex(where: { $0.isOf(path, closed, style) }) {
      kept[index].use = uses
      kept[index].mask.place = (x, y)
      return kept[index].mask
    }
    let place = placeToKeep
    kept[place].keep(path, closed, style, use: uses)
    let mask = kept[place].mask
    draw(mask)
    mask.place = (x, y)
    while kept.count > 1, patchesKept > Self.mostPatches { kept.remove(at: oldest) }
    return mask
  }

  /// The index for the next path: a new one, or that of the least recently used path, whose memory it reuses.
  private var placeToKeep: Int {
    guard kept.count == Self.mostKept || patchesKept > Self.mostPatches / 2 else {
      kept.append(KeptPath())
      return kept.count - 1
    }
    return oldest
  }

  private var patchesKept: Int { kept.reduce(0) { $0 + $1.mask.patchCount } }

  private var oldest: Int { kept.indices.min { kept[$0].use < kept[$1].use } ?? 0 }

  /// Returns a mask of a pen along the path, in the units of the steps, until the next call.
  package func stroke(_ style: StrokeStyle) -> CoverageMask { mask(of: style) { stroke(style, into: $0) } }

  private func stroke(_ style: StrokeStyle, into mask: CoverageMask) {
    let width = style.width * abs(matrix.determinant).squareRoot()
    guard isFinite, let stroker = readyStroker(), width > 0, width < Self.farthest else {
      return mask.removeAll()
    }
    let cap =
      switch style.cap {
      case .butt: FT_STROKER_LINECAP_BUTT
      case .round: FT_STROKER_LINECAP_ROUND
      case .square: FT_STROKER_LINECAP_SQUARE
      }
    let join =
      switch style.join {
      case .miter: FT_STROKER_LINEJOIN_MITER_FIXED
      case .round: FT_STROKER_LINEJOIN_ROUND
      case .bevel: FT_STROKER_LINEJOIN_BEVEL
      }
    FT_Stroker_Set(stroker, FT_Fixed(max(1, (width * 32).rounded())), cap, join, 4 << 16)
    for part in path.contours.indices { follow(part, stroker) }
    var (points, contours): (FT_UInt, FT_UInt) = (0, 0)
    guard FT_Stroker_GetCounts(stroker, &points, &contours) == 0, points < 32_000 else {
      return mask.removeAll()
    }
    stroked.resize(points: Int(points), contours: Int(contours))
    stroked.withOutline(isEmpty: true) { FT_Stroker_Export(stroker, $0) }
    render(&stroked, isExported: true, into: mask)
  }

  /// Moves the pen along a part of the path.
  private func follow(_ part: Int, _ stroker: FT_Stroker) {
    let first = Int(path.contours[part])
    let end = part + 1 < path.contours.count ? Int(path.contours[part + 1]) : path.points.count
    guard first < end else { return }
    let (tags, isOpen) = (path.tags, closed[part] ? 0 : 1)
    path.points.withUnsafeMutableBufferPointer { buffer in
      guard let points = buffer.baseAddress else { return }
      FT_Stroker_BeginSubPath(stroker, points + first, FT_Bool(isOpen))
      // The stroker draws nothing for a part without length, and must not be asked to end it.
      guard Self.hasLength(points, first..<end) else {
        var end = points[first]
        end.x += Self.shortest
        FT_Stroker_LineTo(stroker, &end)
        FT_Stroker_EndSubPath(stroker)
        return
      }
      var index = first + 1
      while index < end {
        switch tags[index] {
        case FT_CURVE_TAG_CUBIC where index + 2 < end:
          FT_Stroker_CubicTo(stroker, points + index, points + index + 1, points + index + 2)
          index += 3
        case FT_CURVE_TAG_CONIC where index + 1 < end:
          FT_Stroker_ConicTo(stroker, points + index, points + index + 1)
          index += 2
        default:
          FT_Stroker_LineTo(stroker, points + index)
          index += 1
        }
      }
      FT_Stroker_EndSubPath(stroker)
    }
  }

  /// The shortest length for the stroker, in 64ths of a pixel.
  private static let shortest: FT_Pos = 2

  private static func hasLength(_ points: UnsafePointer<FT_Vector>, _ part: Range<Int>) -> Bool {
    part.dropFirst().contains { index in
      abs(points[index].x - points[index - 1].x) >= shortest
        || abs(points[index].y - points[index - 1].y) >= shortest
    }
  }

  private func readyLibrary() -> FT_Library? {
    if library == nil { FT_Init_FreeType(&library) }
    return library
  }

  private func readyStroker() -> FT_Stroker? {
    guard let library = readyLibrary() else { return nil }
    if stroker == nil { FT_Stroker_New(library, &stroker) }
    if let stroker { FT_Stroker_Rewind(stroker) }
    return stroker
  }

  private func render(_ outline: inout OutlineMemory, isExported: Bool = false, into mask: CoverageMask) {
    spans.removeAll(keepingCapacity: true)
    guard isFinite, !outline.points.isEmpty, !area.isEmpty, let library = readyLibrary() else {
      return mask.removeAll()
    }
    var parameters = FT_Raster_Params()
    parameters.flags = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT | FT_RASTER_FLAG_CLIP
    parameters.clip_box = FT_BBox(
      xMin: FT_Pos(area.minX), yMin: FT_Pos(area.minY), xMax: FT_Pos(area.maxX), yMax: FT_Pos(area.maxY))
    parameters.user = Unmanaged.passUnretained(self).toOpaque()
    parameters.gray_spans = { y, count, spans, user in
      guard let spans, let user else { return }
      let rasterizer = Unmanaged<PathRasterizer>.fromOpaque(user).takeUnretainedValue()
      for span in UnsafeBufferPointer(start: spans, count: Int(count)) where span.coverage > 0 {
        rasterizer.spans.append(
          CoverageMask.Patch(
            Int(span.x)..<Int(span.x) + Int(span.len), y: Int(y), coverage: span.coverage))
      }
    }
    outline.withOutline(isEmpty: false, isOwn: !isExported) {
      _ = FT_Outline_Render(library, $0, &parameters)
    }
    mask.replace(with: &spans)
    mask.place = (0, 0)
  }
}

private struct KnownArc {
  private(set) var arc: Arc
  private(set) var first = LocalPoint.zero
  private(set) var curves: [(control1: LocalPoint, control2: LocalPoint, end: LocalPoint)] = []

  init(arc: Arc) {
    self.arc = arc
    curves.reserveCapacity(Int(360 / Arc.stride) + 1)
  }

  mutating func become(_ arc: Arc) {
    (self.arc, first) = (arc, arc.first)
    curves.removeAll(keepingCapacity: true)
    arc.forEachCurve { curves.append((control1: $0, control2: $1, end: $2)) }
  }
}

private struct KeptPath {
  private var path = OutlineMemory()
  private var closed: [Bool] = []
  private var style: StrokeStyle?
  let mask = CoverageMask()
  var use = 0

  func isOf(_ path: OutlineMemory, _ closed: [Bool], _ style: StrokeStyle?) -> Bool {
    style == self.style && path.isSame(as: self.path) && closed == self.closed
  }

  mutating func keep(_ path: OutlineMemory, _ closed: [Bool], _ style: StrokeStyle?, use: Int) {
    self.path.copy(path)
    self.closed.removeAll(keepingCapacity: true)
    self.closed.append(contentsOf: closed)
    (self.style, self.use) = (style, use)
  }
}

/// An outline in FreeType's form.
private struct OutlineMemory {
  var points: [FT_Vector] = []
  var tags: [Int32] = []
  var contours: [Int16] = []
  private var tagBytes: [CChar] = []
  private var ends: [Int16] = []

  mutating func removeAll() {
    points.removeAll(keepingCapacity: true)
    tags.removeAll(keepingCapacity: true)
    contours.removeAll(keepingCapacity: true)
  }

  /// The box around all points, in 64ths of a pixel; nil without points.
  var box: (minX: FT_Pos, minY: FT_Pos, maxX: FT_Pos, maxY: FT_Pos)? {
    guard let first = points.first else { return nil }
    return points.reduce(into: (first.x, first.y, first.x, first.y)) { box, point in
      box = (min(box.0, point.x), min(box.1, point.y), max(box.2, point.x), max(box.3, point.y))
    }
  }

  mutating func move(x: Int, y: Int) {
    for index in points.indices {
      points[index].x += x
      points[index].y += y
    }
  }

  func isSame(as other: OutlineMemory) -> Bool {
    points.count == other.points.count && contours == other.contours && tags == other.tags
      && zip(points, other.points).allSatisfy { $0.x == $1.x && $0.y == $1.y }
  }

  mutating func copy(_ other: OutlineMemory) {
    removeAll()
    points.append(contentsOf: other.points)
    tags.append(contentsOf: other.tags)
    contours.append(contentsOf: other.contours)
  }

  mutating func resize(points count: Int, contours parts: Int) {
    points.removeAll(keepingCapacity: true)
    points.append(contentsOf: repeatElement(FT_Vector(x: 0, y: 0), count: count))
    tagBytes.removeAll(keepingCapacity: true)
    tagBytes.append(contentsOf: repeatElement(0, count: count))
    ends.removeAll(keepingCapacity: true)
    ends.append(contentsOf: repeatElement(0, count: parts))
  }

  /// Calls with an outline for the library to fill, or whose tags and parts are converted to its form first.
  mutating func withOutline(
    isEmpty: Bool, isOwn: Bool = false, _ body: (UnsafeMutablePointer<FT_Outline>) -> Void
  ) {
    if isOwn {
      tagBytes.removeAll(keepingCapacity: true)
      for tag in tags { tagBytes.append(CChar(truncatingIfNeeded: tag)) }
      ends.removeAll(keepingCapacity: true)
      for first in contours.dropFirst() { ends.append(first - 1) }
      ends.append(Int16(truncatingIfNeeded: points.count - 1))
    }
    points.withUnsafeMutableBufferPointer { points in
      tagBytes.withUnsafeMutableBufferPointer { tags in
        ends.withUnsafeMutableBufferPointer { ends in
          var outline = FT_Outline()
          outline.n_points = isEmpty ? 0 : Int16(truncatingIfNeeded: points.count)
          outline.n_contours = isEmpty ? 0 : Int16(truncatingIfNeeded: ends.count)
          (outline.points, outline.tags, outline.contours) = (
            points.baseAddress, tags.baseAddress, ends.baseAddress
          )
          body(&outline)
        }
      }
    }
  }
}
