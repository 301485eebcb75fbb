import TouchCore
import TouchMeasure
import TouchPixels
import TouchRender
import TouchViews

/// The panel as a picture: the touches, and in colour the faults.
struct TestPicture {
  private let judgement: PanelJudgement
  private let surface: Surface
  private let scale: Double

  private static let margin = 40
  /// The longest side of the panel in pixels.
  private static let longestSide = 1200.0

  private static let background = Color(red: 0x0b, green: 0x0f, blue: 0x14)
  private static let panel = Color(red: 0x18, green: 0x20, blue: 0x2a)
  private static let ruler = Color(red: 0x2a, green: 0x36, blue: 0x44)
  private static let path = Color(red: 0x4d, green: 0xa3, blue: 0xff)
  private static let landing = Color(red: 0xe6, green: 0xf0, blue: 0xff)
  private static let fit = Color(red: 0xff, green: 0xd1, blue: 0x66)
  private static let good = Color(red: 0x2e, green: 0xcc, blue: 0x71)
  private static let bad = Color(red: 0xff, green: 0x5c, blue: 0x5c)

  /// - Throws: `DisplayError`.
  static func write(_ judgement: PanelJudgement, headline: String, to path: String) throws {
    let picture = try TestPicture(judgement)
    picture.paint()
    try PNGWriter.write(try picture.annotated(headline), to: path)
  }

  private init(_ judgement: PanelJudgement) throws(DisplayError) {
    self.judgement = judgement
    let size = judgement.trace.geometry.size
    // A device may declare any range, so the sides are limited to keep the picture visible.
    let scale = Self.longestSide / max(size.width, size.height, 1e-6)
    self.scale = scale
    let sides = [size.width, size.height].map { max(Int(($0 * scale).rounded()), 160) + 2 * Self.margin }
    surface = try Surface(width: sides[0], height: sides[1])
  }

  private func pixel(_ point: PanelPoint) -> Point<DisplaySpace> {
    Point(x: point.x * scale + Double(Self.margin), y: point.y * scale + Double(Self.margin))
  }

  private func paint() {
    fill(surface.bounds, Self.background)
    let size = judgement.trace.geometry.size
    let corner = pixel(PanelPoint(x: size.width, y: size.height))
    fill(
      PixelRect(
        x: Self.margin, y: Self.margin, width: Int(corner.x) - Self.margin,
        height: Int(corner.y) - Self.margin),
      Self.panel)
    paintRuler(size)
    paintDeadZones()
    for contact in judgement.trace.contacts {
      for (one, next) in zip(contact.reports, contact.reports.dropFirst()) {
        stroke(one.point, next.point, width: 1.2, Self.path, opacity: 0.55)
      }
      for report in contact.reports { dot(report.point, radius: 1.6, Self.path) }
      dot(contact.reports[0].point, radius: 3, Self.landing)
    }
    for offset in judgement.offsets { stroke(offset.mark, offset.touch, width: 2, Self.fit) }
    for line in judgement.lines { stroke(line.ends.0, line.ends.1, width: 1.2, Self.fit) }
    for (figure, _) in places { paint(figure) }
  }

  /// Paints a line every 10 mm.
  private func paintRuler(_ size: Size) {
    guard judgement.trace.geometry.isInMillimetres, max(size.width, size.height) <= 2000 else { return }
    for x in stride(from: 10.0, to: size.width, by: 10) {
      stroke(PanelPoint(x: x, y: 0), PanelPoint(x: x, y: size.height), width: 1, Self.ruler)
    }
    for y in stride(from: 10.0, to: size.height, by: 10) {
      stroke(PanelPoint(x: 0, y: y), PanelPoint(x: size.width, y: y), width: 1, Self.ruler)
    }
  }

  /// Paints the places that are farther from every report than half of the largest spot that may be dead.
  private func paintDeadZones() {
    guard let zones = judgement.deadZones else { return }
    let limit = (judgement.profile.limit(of: .deadDiameter)?.value ?? 4) / 2
    for row in 0..<zones.rows {
      for column in 0..<zones.columns where zones.distances[row * zones.columns + column] > limit {
        let start = pixel(PanelPoint(x: Double(column) * zones.cell, y: Double(row) * zones.cell))
        let end = pixel(PanelPoint(x: Double(column + 1) * zones.cell, y: Double(row + 1) * zones.cell))
        let box = PixelRect(
          x: Int(start.x), y: Int(start.y), width: Int(end.x) - Int(start.x),
          height: Int(end.y) - Int(start.y))
        blend(box.intersection(surface.bounds)) { _, _ in
          0.35
        } with: {
          Self.bad
        }
      }
    }
  }

  // MARK: Figures

  private var places: [(figure: JudgedFigure, isGood: Bool)] {
    judgement.results.flatMap(\.figures).filter { $0.place != nil && ($0.result == .conforms || $0.isAmiss) }
      .map { ($0, $0.result == .conforms) }.sorted { $0.isGood && !$1.isGood }
  }

  private func color(of figure: JudgedFigure) -> Color {
    figure.result == .conforms ? Self.good : figure.result == .undecided ? Self.fit : Self.bad
  }

  private func paint(_ figure: JudgedFigure) {
    let color = color(of: figure)
    switch figure.place {
    case .segment(let one, let other):
      stroke(one, other, width: 3, color)
      dot(one, radius: 3.5, color)
      dot(other, radius: 3.5, color)
    case .circle(let center, let radius): ring(center, radius: radius * scale, color)
    case .cross(let point):
      let arm = 12 / scale
      stroke(
        PanelPoint(x: point.x - arm, y: point.y - arm), PanelPoint(x: point.x + arm, y: point.y + arm),
        width: 3, color)
      stroke(
        PanelPoint(x: point.x - arm, y: point.y + arm), PanelPoint(x: point.x + arm, y: point.y - arm),
        width: 3, color)
    case nil: break
    }
  }

  /// Names the failures in their places, and explains the colours below the panel.
  private func annotated(_ headline: String) throws -> Surface {
    let size = Size(width: Double(surface.width), height: Double(surface.height))
    let painter = try Painter(geometry: DisplayGeometry(displaySize: size), background: Self.background)
    var annotations = Annotations()
    let window = Window(size: size)
    for (figure, isGood) in places where !isGood {
      guard let box = extent(figure.place) else { continue }
      let value = figure.value.map { "\($0.short) \(figure.measure.unit.rawValue)" } ?? ""
      let view = View(id: "\(figure.measure.test.rawValue): \(figure.measure.key) \(value)", frame: box)
      window.addSubview(view)
      annotations.marks.append(Annotations.Mark(view: view, color: color(of: figure), isNamedInside: false))
    }
    var legend = [
      Annotations.Entry(
        color: judgement.conformity == .conforms ? Self.good : Self.bad, text: headline.onOneLine),
      Annotations.Entry(text: subject), Annotations.Entry(color: Self.path, text: "reports"),
      Annotations.Entry(color: Self.landing, text: "where a contact came down"),
    ]
    if !judgement.lines.isEmpty || !judgement.offsets.isEmpty {
      legend.append(
        Annotations.Entry(
          color: Self.fit, text: "fitted line, from a mark to its touch, or an undecided figure"))
    }
    legend += [
      Annotations.Entry(color: Self.good, text: "a figure that conforms"),
      Annotations.Entry(color: Self.bad, text: "beyond its limit, and where no report came from"),
    ]
    annotations.legend = legend
    return try painter.annotate(surface, with: annotations)
  }

  private var subject: String {
    let size = judgement.trace.geometry.size
    let device = judgement.measurement.device.name.escaped
    guard judgement.trace.geometry.isInMillimetres else {
      return "\(device), profile \(judgement.profile.name)"
    }
    return
      "\(device), \(size.width.short) × \(size.height.short) mm, a square is 10 mm, profile \(judgement.profile.name)"
  }

  private func extent(_ place: PanelPlace?) -> LocalRect? {
    let points: [Point<DisplaySpace>]
    var reach = 6.0
    switch place {
    case .segment(let one, let other): points = [pixel(one), pixel(other)]
    case .circle(let center, let radius):
      points = [pixel(center)]
      reach += radius * scale
    case .cross(let point):
      points = [pixel(point)]
      reach = 16
    case nil: return nil
    }
    guard points.allSatisfy(\.isFinite) else { return nil }
    let (x, y) = (points.map(\.x), points.map(\.y))
    let (left, top) = ((x.min() ?? 0) - reach, (y.min() ?? 0) - reach)
    return LocalRect(
      x: left, y: top, width: (x.max() ?? 0) + reach - left, height: (y.max() ?? 0) + reach - top)
  }

  // MARK: Drawing

  private func fill(_ box: PixelRect, _ color: Color) {
    blend(box.intersection(surface.bounds)) { _, _ in
      1
    } with: {
      color
    }
  }

  private func stroke(
    _ one: PanelPoint, _ other: PanelPoint, width: Double, _ color: Color, opacity: Double = 1
  ) {
    let (from, to) = (pixel(one), pixel(other))
    guard let box = box(around: [from, to], reach: width) else { return }
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    let length = dx * dx + dy * dy
    // Rows are limited to what the line crosses: there are many lines, some across the panel.
    let reach = dy == 0 ? .infinity : (width / 2 + 1.5) * (length / (dy * dy)).squareRoot()
    for row in box.minY..<max(box.minY, box.maxY) {
      var part = PixelRect(minX: box.minX, minY: row, maxX: box.maxX, maxY: row + 1)
      if reach < Double(box.width) {
        let x = from.x + (Double(row) + 0.5 - from.y) * dx / dy
        part.minX = max(part.minX, Int(min(max(x - reach, -1e6), 1e6)))
        part.maxX = min(part.maxX, Int(min(max(x + reach, -1e6), 1e6)) + 1)
      }
      blend(part) { x, y in
        let along = length > 0 ? min(max(((x - from.x) * dx + (y - from.y) * dy) / length, 0), 1) : 0
        let distance = Point<DisplaySpace>(x: from.x + along * dx, y: from.y + along * dy).distance(
          to: Point(x: x, y: y))
        return opacity * (width / 2 + 0.5 - distance)
      } with: {
        color
      }
    }
  }

  private func dot(_ center: PanelPoint, radius: Double, _ color: Color) {
    let center = pixel(center)
    guard let box = box(around: [center], reach: radius + 1) else { return }
    blend(box) { x, y in
      radius + 0.5 - center.distance(to: Point(x: x, y: y))
    } with: {
      color
    }
  }

  private func ring(_ center: PanelPoint, radius: Double, _ color: Color) {
    let center = pixel(center)
    guard let box = box(around: [center], reach: radius + 3) else { return }
    blend(box) { x, y in
      2 - abs(center.distance(to: Point(x: x, y: y)) - radius)
    } with: {
      color
    }
  }

  private func box(around points: [Point<DisplaySpace>], reach: Double) -> PixelRect? {
    guard points.allSatisfy({ $0.isFinite && abs($0.x) < 1e6 && abs($0.y) < 1e6 }) else { return nil }
    let (x, y) = (points.map(\.x), points.map(\.y))
    let (left, top) = (Int((x.min() ?? 0) - reach) - 1, Int((y.min() ?? 0) - reach) - 1)
    let box = PixelRect(
      x: left, y: top, width: Int((x.max() ?? 0) + reach) + 2 - left,
      height: Int((y.max() ?? 0) + reach) + 2 - top)
    return box.intersection(surface.bounds)
  }

  /// Mixes a colour into the pixels of a box.
  /// - Parameter coverage: returns the coverage of a pixel by its centre, from 0
  ///   (none) to 1 (full); values beyond are clamped.
  private func blend(_ box: PixelRect, _ coverage: (Double, Double) -> Double, with color: () -> Color) {
    let color = color()
    for y in box.minY..<max(box.minY, box.maxY) {
      for x in box.minX..<max(box.minX, box.maxX) {
        let share = min(coverage(Double(x) + 0.5, Double(y) + 0.5), 1)
        guard share > 0 else { continue }
        let index = y * surface.width + x
        let below = surface.pixels[index]
        func mixed(_ shift: UInt32, _ part: UInt8) -> UInt32 {
          let old = Double((below >> shift) & 0xff)
          return UInt32(old + (Double(part) - old) * share) << shift
        }
        surface.pixels[index] =
          0xff00_0000 | mixed(16, color.red) | mixed(8, color.green) | mixed(0, color.blue)
      }
    }
  }
}
