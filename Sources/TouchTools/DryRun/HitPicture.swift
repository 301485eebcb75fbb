import TouchConfig
import TouchCore
import TouchInspection
import TouchOutput
import TouchPixels
import TouchRender
import TouchViews

/// Draws a hit test: the tree, each asked view's outline and id, the point, and a legend.
package enum HitPicture {
  static let answered = Color(red: 0x2e, green: 0xcc, blue: 0x71)
  /// The colour of a view that was asked and that contains the point.
  static let inside = Color(red: 0x00, green: 0xd0, blue: 0xff)
  /// The colour of a view that was asked and took no part.
  static let outside = Color(red: 0xff, green: 0x5c, blue: 0x7a)

  /// Writes a hit test's explanation as PNG, as wide as the display and higher by the legend; `report` gets
  /// sentences about missing parts. It throws if the file cannot be written.
  package static func write(
    _ explanation: HitExplanation, in tree: ViewTree, geometry: DisplayGeometry, to path: String,
    report: @escaping (String) -> Void
  ) throws {
    let surface = try HeadlessDisplay.surface(of: geometry.displaySize, file: tree.configuration.file)
    let painter = try Painter(geometry: geometry, background: tree.configuration.display.background)
    painter.report = { report(tree.configuration.sentence(for: $0)) }
    painter.paintAll(tree.window, highlights: nil, on: surface)
    let picture = try painter.annotate(surface, with: annotations(explanation))
    try PNGWriter.write(picture, to: path)
  }

  private static func annotations(_ explanation: HitExplanation) -> Annotations {
    var annotations = Annotations()
    // Inner views are drawn later, so that their outlines stay visible where several fall together.
    for question in explanation.questions where question.view !== explanation.hit {
      let color = question.inside ?? false ? inside : outside
      annotations.marks.append(Annotations.Mark(view: question.view, color: color))
    }
    let point = explanation.windowPoint
    let answer: Annotations.Entry
    if let hit = explanation.hit {
      annotations.marks.append(Annotations.Mark(view: hit, color: answered))
      answer = Annotations.Entry(color: answered, text: "\(hit.id) answers")
    } else {
      answer = Annotations.Entry(text: "no view answers")
    }
    if point.isFinite { annotations.crosshair = point }
    let colors = Set(annotations.marks.map(\.color))
    annotations.legend =
      [Annotations.Entry(text: "(\(point.x.plain), \(point.y.plain))"), answer]
      + [(inside, "inside"), (outside, "outside or skipped")]
      .filter { colors.contains($0.0) }.map { Annotations.Entry(color: $0.0, text: $0.1) }
    return annotations
  }
}
