import TouchKit

/// A small button that a thumb can hit: 22 units wide to the eye, 66 to the finger.
final class CloseButton: Button {
  /// How far outside of its bounds it can be hit.
  let reach = 22.0

  override func point(inside point: LocalPoint, with event: Event?) -> Bool {
    bounds.insetBy(dx: -reach, dy: -reach).contains(point)
  }

  override func draw(in context: GraphicsContext) {
    context.stroke(bounds.ellipse, width: 2, with: .white)
    for degrees in [45.0, -45] {
      let about = AffineTransform.rotation(degrees: degrees).then(
        .translation(x: bounds.midX, y: bounds.midY))
      context.transformed(by: about) {
        context.fill(LocalRect(x: -7, y: -1, width: 14, height: 2), with: .white)
      }
    }
  }
}

// With the path of a picture as its argument it needs no display.
let display: Application.Display =
  CommandLine.arguments.count > 1 ? .headless(width: 375, height: 320) : .automatic
let app = try Application(display: display, canvas: Size(width: 375, height: 320))
app.window.background = Color(hex: "#101820")

let sheet = View(id: "sheet", frame: Rect(x: 40, y: 40, width: 295, height: 240))
sheet.background = Color(hex: "#2c3e50")
sheet.cornerRadius = 16
app.window.addSubview(sheet)

let close = CloseButton(id: "close", frame: Rect(x: 250, y: 22, width: 22, height: 22))
close.addAction(for: .touchUpInside) { print("close was pressed") }
sheet.addSubview(close)
sheet.addGestureRecognizer(TapGestureRecognizer()) { tap in
  let point = tap.location(in: sheet)
  print("the sheet was tapped at \(Int(point.x)), \(Int(point.y))")
}

// With a path: the same touches, without a panel, and a picture of what they leave.
if let path = CommandLine.arguments.dropFirst().first {
  app.touch(.tap(close))
  // Beside it, and still its own; and further away.
  app.touch(.tap(at: Point(x: 276, y: 90)))
  app.touch(.tap(at: Point(x: 200, y: 150)))
  try app.picture?.write(to: path)
} else {
  try app.run()
}
