import TouchCore
import TouchDisplay

/// Draws a hit test: the tree, an outline around every view that was asked, and the point.
public enum HitPicture {
  /// Around the view that answered.
  static let answered = Color(red: 0x2e, green: 0xcc, blue: 0x71)
  /// Around a view that was asked, and in which the point is.
  static let inside = Color(red: 0x00, green: 0xd0, blue: 0xff)
  /// Around a view that was asked, and did not take part.
  static let outside = Color(red: 0xff, green: 0x5c, blue: 0x7a)

  /// Writes a PNG file as large as the session's display.
  ///
  /// - Parameter explanation: of a hit test in the session's tree.
  /// - Throws: `DisplayError`, or why the file cannot be written.
  public static func write(
    _ explanation: HitExplanation, session: Session, to path: String
  ) throws {
    let point = explanation.windowPoint
    let display = try TreeSize.display(of: session.geometry.displaySize, for: session.configuration)
    let painter = try Painter(
      geometry: session.geometry, background: session.configuration.display.background)
    var style = session.configuration.highlight
    style.view.width = 2
    style.touches = HighlightStyle.Touches()
    // What is further in is drawn later, and stays visible where outlines fall together.
    var outlines: [Overlay.Outline] = []
    for question in explanation.questions where question.view !== explanation.hit {
      outlines.append(
        Overlay.Outline(view: question.view, color: question.inside ?? false ? inside : outside))
    }
    if let hit = explanation.hit { outlines.append(Overlay.Outline(view: hit, color: answered)) }
    let overlay = Overlay(style: style, outlines: outlines, markers: point.isFinite ? [point] : [])
    painter.paintAll(session.scene.window, overlay: overlay, on: display)
    try PNGWriter.write(display.surface, to: path)
  }
}
