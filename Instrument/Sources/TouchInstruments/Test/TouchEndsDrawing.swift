import TouchCore
import TouchMeasure

/// The ends of a test's touches around where they settled, in SVG: landings, lifts, and the limit.
struct TouchEndsDrawing {
  /// The radius of a target in units of the drawing.
  private static let radius = 90.0
  /// The largest part of a target that the limit takes.
  private static let inner = 0.5
  /// The most touches that are drawn. A rub has many, and more cannot be told apart.
  private static let most = 2000

  /// Returns the drawing; nil for a test without touches, and for a panel of unknown size.
  static func svg(_ result: PanelResult, of judgement: PanelJudgement) -> String? {
    let figures = result.figures.filter { $0.measure.isOfTouch && $0.value != nil }
    guard judgement.trace.geometry.isInMillimetres, !figures.isEmpty else { return nil }
    let targets = judgement.touchWays(of: result.test).prefix(2).map { key, ways in
      (key: key, ways: ways.prefix(most), limit: figures.first { $0.measure.key == key }?.limit)
    }
    let (width, height) = (4 * Self.radius + 40, 2 * Self.radius + 46)
    var text = "<svg class=\"ends\" viewBox=\"0 0 \(Int(width)) \(Int(height))\" role=\"img\""
    text += " aria-label=\"\(result.test.rawValue): landing and lift\">"
    for (index, target) in targets.enumerated() {
      let middle = Point<PanelSpace>(
        x: Self.radius + 10 + Double(index) * (2 * Self.radius + 20), y: Self.radius + 5)
      text += draw(target.key, target.ways, limit: target.limit, at: middle)
    }
    return text + "</svg>"
  }

  private static func draw(
    _ key: String, _ ways: ArraySlice<TouchEnds.Way>, limit: Double?, at middle: PanelPoint
  ) -> String {
    let limit = limit ?? 1
    let scale = inner * radius / max(limit, 0.1)
    var (dots, farthest) = ("", 0.0)
    for (distance, from, to) in ways where from.isFinite && to.isFinite {
      farthest = max(farthest, distance)
      // A moving contact has its distance beyond its pace, in the direction of its step.
      let step = from.distance(to: to)
      let share = step > 0 ? min(distance, radius / scale) / step : 0
      let (x, y) = (middle.x + (to.x - from.x) * share * scale, middle.y + (to.y - from.y) * share * scale)
      dots += "M\(x.short) \(y.short)h0"
    }
    var text =
      "<circle class=\"panel\" cx=\"\(middle.x.short)\" cy=\"\(middle.y.short)\" r=\"\(radius.short)\"/>"
    text +=
      "<circle class=\"ruler\" cx=\"\(middle.x.short)\" cy=\"\(middle.y.short)\" r=\"\((limit * scale).short)\"/>"
    if !dots.isEmpty { text += "<path class=\"\(key)\" d=\"\(dots)\"/>" }
    let lines = ["\(key) of \(ways.count) touches", "up to \(farthest.short) mm, circle \(limit.short) mm"]
    for (index, line) in lines.enumerated() {
      let y = middle.y + radius + 16 + 15 * Double(index)
      text += "<text x=\"\(middle.x.short)\" y=\"\(y.short)\">\(line)</text>"
    }
    return text
  }
}
