import TouchCore
import TouchMeasure

/// One test as a drawing in SVG: the panel, the reports in it, and in colour the objects of its figures.
struct TestDrawing {
  private let judgement: PanelJudgement
  private let result: PanelResult
  /// The width of the drawing in its own units, which are pixels on a screen.
  private let width = 680.0
  private let scale: Double
  private var text = ""

  /// The factor by which arrows are longer than the errors that they show.
  static let magnification = 5.0
  /// The most reports that are drawn. A rub has tens of thousands, and more contacts cannot be told apart.
  private static let mostReports = 60_000

  /// Returns the drawing; nil for a test without a place on the panel.
  static func svg(_ result: PanelResult, of judgement: PanelJudgement) -> String? {
    let contacts = judgement.isPlain && result.test != .rate ? [] : judgement.contacts(result.test)
    let hasPlaces = result.figures.contains { $0.place != nil }
    guard result.test != .protocol, !contacts.isEmpty || hasPlaces else { return nil }
    var drawing = TestDrawing(result, of: judgement)
    drawing.draw(contacts)
    return drawing.text
  }

  private init(_ result: PanelResult, of judgement: PanelJudgement) {
    (self.judgement, self.result) = (judgement, result)
    scale = width / max(judgement.trace.geometry.size.width, 1e-6)
  }

  private mutating func draw(_ contacts: [PanelTrace.Contact]) {
    let size = judgement.trace.geometry.size
    // A device may declare any range, so the height is limited to keep the drawing visible.
    let height = min(max(size.height * scale, 40), 4 * width)
    text = "<svg viewBox=\"-8 -8 \(Self.number(width + 16)) \(Self.number(height + 16))\" role=\"img\""
    text += " aria-label=\"\(result.test.rawValue)\">"
    text += "<rect class=\"panel\" width=\"\(Self.number(width))\" height=\"\(Self.number(height))\"/>"
    drawRuler(height)
    if result.test == .grid { drawAccuracy() }
    if result.test == .deadzone { drawDeadZones() }
    draw(reports: contacts)
    if result.test == .line || result.test == .border {
      for line in judgement.lines { stroke(line.ends.0, line.ends.1, "fit") }
    }
    for figure in result.figures where figure.place != nil && figure.result == .conforms { draw(figure) }
    for figure in result.figures where figure.place != nil && figure.isAmiss { draw(figure) }
    text += "</svg>"
  }

  // MARK: The panel

  /// Draws a line every 10 mm, if millimetres are known.
  private mutating func drawRuler(_ height: Double) {
    let size = judgement.trace.geometry.size
    guard judgement.trace.geometry.isInMillimetres, max(size.width, size.height) <= 2000 else { return }
    var path = ""
    for x in stride(from: 10.0, to: size.width, by: 10) {
      path += "M\(Self.number(x * scale)) 0V\(Self.number(height))"
    }
    for y in stride(from: 10.0, to: size.height, by: 10) {
      path += "M0 \(Self.number(y * scale))H\(Self.number(width))"
    }
    text += "<path class=\"ruler\" d=\"\(path)\"/>"
  }

  private mutating func draw(reports contacts: [PanelTrace.Contact]) {
    var left = Self.mostReports
    var (ways, landings) = ("", "")
    for contact in contacts where left > 0 {
      let points = contact.points.prefix(left).filter(\.isFinite).map(coordinates)
      left -= points.count
      guard let first = points.first else { continue }
      landings += "M\(first)h0"
      if points.count > 1 { ways += "M" + points.joined(separator: "L") }
    }
    if !ways.isEmpty { text += "<path class=\"way\" d=\"\(ways)\"/>" }
    if !landings.isEmpty { text += "<path class=\"landing\" d=\"\(landings)\"/>" }
  }

  /// Draws the places beyond half of the largest dead spot from every report, neighbours as one bar.
  private mutating func drawDeadZones() {
    guard let zones = judgement.deadZones else { return }
    let limit = (judgement.profile.limit(of: .deadDiameter)?.value ?? 4) / 2
    var path = ""
    for row in 0..<zones.rows {
      var start: Int?
      for column in 0...zones.columns {
        let isDead = column < zones.columns && zones.distances[row * zones.columns + column] > limit
        if isDead {
          start = start ?? column
        } else if let from = start {
          let corner = PanelPoint(x: Double(from) * zones.cell, y: Double(row) * zones.cell)
          let length = Self.number(Double(column - from) * zones.cell * scale)
          path += "M\(coordinates(corner))h\(length)v\(Self.number(zones.cell * scale))h-\(length)z"
          start = nil
        }
      }
    }
    if !path.isEmpty { text += "<path class=\"dead\" d=\"\(path)\"/>" }
  }

  // MARK: Accuracy

  /// Draws the local rest as heat up to the limit, beyond a hand's uncertainty, and as arrows from the marks.
  private mutating func drawAccuracy() {
    let geometry = judgement.trace.geometry
    if let fit = judgement.accuracy {
      let limit = judgement.profile.limit(of: .gridLocal)?.value ?? geometry.length(1)
      let (columns, rows) = (28, max(1, Int((28 * geometry.size.height / geometry.size.width).rounded())))
      let cell = Size(
        width: geometry.size.width / Double(columns), height: geometry.size.height / Double(min(rows, 112)))
      for row in 0..<min(rows, 112) {
        for column in 0..<columns {
          let corner = PanelPoint(x: Double(column) * cell.width, y: Double(row) * cell.height)
          let middle = PanelPoint(x: corner.x + cell.width / 2, y: corner.y + cell.height / 2)
          guard let (rest, uncertainty) = fit.rest(at: middle, in: geometry) else { continue }
          let error = judgement.profile.touchedBy == .hand ? uncertainty * fit.rest.value : 0
          let evident = (rest.x * rest.x + rest.y * rest.y).squareRoot() - JudgedFigure.coverage * error
          let share = min(evident / limit, 1)
          guard share >= 0.02 else { continue }
          text +=
            "<rect class=\"heat\" x=\"\(Self.number(corner.x * scale))\" y=\"\(Self.number(corner.y * scale))\""
          text +=
            " width=\"\(Self.number(cell.width * scale))\" height=\"\(Self.number(cell.height * scale))\""
          text += " fill-opacity=\"\(Self.number(share * 0.8))\"/>"
        }
      }
    }
    for (mark, touch) in judgement.offsets where touch.isFinite {
      let tip = PanelPoint(
        x: mark.x + (touch.x - mark.x) * Self.magnification,
        y: mark.y + (touch.y - mark.y) * Self.magnification)
      text += "<path class=\"mark\" d=\"M\(coordinates(mark))h0\"/>"
      stroke(mark, tip, "arrow")
      drawHead(from: mark, to: tip)
    }
  }

  private mutating func drawHead(from mark: PanelPoint, to tip: PanelPoint) {
    let (x, y) = ((tip.x - mark.x) * scale, (tip.y - mark.y) * scale)
    let length = (x * x + y * y).squareRoot()
    guard length > 4 else { return }
    let (along, aside) = (5 / length, 2.5 / length)
    let sides = [1.0, -1].map { side in
      "l\(Self.number(-x * along + side * y * aside)) \(Self.number(-y * along - side * x * aside))"
    }
    text += "<path class=\"arrow\" d=\"M\(coordinates(tip))\(sides[0])M\(coordinates(tip))\(sides[1])\"/>"
  }

  // MARK: Figures

  private mutating func draw(_ figure: JudgedFigure) {
    let kind = figure.result == .conforms ? "good" : figure.result == .undecided ? "open" : "bad"
    var label: PanelPoint?
    switch figure.place {
    case .segment(let one, let other):
      stroke(one, other, kind)
      label = other
    case .circle(let center, let radius):
      text +=
        "<circle class=\"\(kind)\" cx=\"\(Self.number(center.x * scale))\" cy=\"\(Self.number(center.y * scale))\""
      text += " r=\"\(Self.number(radius * scale))\"/>"
      label = PanelPoint(x: center.x + radius, y: center.y)
    case .cross(let point):
      text += "<path class=\"\(kind)\" d=\"M\(coordinates(point))m-7 -7l14 14m0 -14l-14 14\"/>"
      label = PanelPoint(x: point.x + 9 / scale, y: point.y)
    case nil: break
    }
    guard figure.isAmiss, let label, label.isFinite, let value = figure.value else { return }
    let place = (min(max(label.x * scale + 4, 0), width - 60), max(label.y * scale - 4, 10))
    text += "<text x=\"\(Self.number(place.0))\" y=\"\(Self.number(place.1))\">\(figure.measure.key) "
    text += "\(value.short) \(figure.measure.unit.rawValue)</text>"
  }

  private mutating func stroke(_ one: PanelPoint, _ other: PanelPoint, _ kind: String) {
    guard one.isFinite, other.isFinite else { return }
    text += "<path class=\"\(kind)\" d=\"M\(coordinates(one))L\(coordinates(other))\"/>"
  }

  private func coordinates(_ point: PanelPoint) -> String {
    "\(Self.number(point.x * scale)) \(Self.number(point.y * scale))"
  }

  /// Returns a number with one decimal: a smaller part of a pixel is not visible.
  private static func number(_ value: Double) -> String {
    (min(max((value * 10).rounded() / 10, -1e6), 1e6)).plain
  }
}

extension JudgedFigure {
  var isAmiss: Bool { result == .doesNotConform || result == .undecided }
}
