import TouchKit

/// A pane over everything whose own area takes no touches: what is in it does. (`hitTest(_:with:)` that does
/// not answer itself.)
final class Pane: View {
  override func hitTest(_ point: LocalPoint, with event: Event?) -> View? {
    let hit = super.hitTest(point, with: event)
    return hit === self ? nil : hit
  }
}

// With the path of a picture as its argument it needs no display.
let display: Application.Display =
  CommandLine.arguments.count > 1 ? .headless(width: 375, height: 320) : .automatic
let app = try Application(display: display, canvas: Size(width: 375, height: 320))
app.window.background = Color(hex: "#101820")

let below = Button("Below", id: "below", frame: Rect(x: 60, y: 100, width: 255, height: 120))
below.background = Color(hex: "#c0392b")
below.addAction(for: .touchUpInside) { print("below was pressed, through the pane") }
app.window.addSubview(below)

let pane = Pane(id: "pane", frame: Rect(x: 20, y: 20, width: 335, height: 280))
pane.background = Color(hex: "#2980b960")
app.window.addSubview(pane)

let inPane = Button("In the pane", id: "in-pane", frame: Rect(x: 90, y: 10, width: 155, height: 50))
inPane.background = Color(hex: "#2980b9")
inPane.addAction(for: .touchUpInside) { print("in-pane was pressed") }
pane.addSubview(inPane)

// With a path: the same touches, without a panel, and a picture of what they leave.
if let path = CommandLine.arguments.dropFirst().first {
  app.touch(.tap(inPane))
  app.touch(.tap(below))
  app.touch(.tap(at: Point(x: 30, y: 290)))
  print("nothing answers beside them")
  try app.picture?.write(to: path)
} else {
  try app.run()
}
