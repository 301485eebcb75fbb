import TouchKit

/// A shelter over a button: where the button lies under it, the button is pressed, and elsewhere the shelter
/// answers.
final class ShelterView: View {
  weak var sheltered: View?

  override func hitTest(_ point: LocalPoint, with event: Event?) -> View? {
    guard let hit = super.hitTest(point, with: event) else { return nil }
    guard let sheltered else { return hit }
    return sheltered.hitTest(sheltered.convert(point, from: self), with: event) ?? hit
  }

  override func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition {
    print("the shelter answered")
    return .handled
  }
}

// With the path of a picture as its argument it needs no display.
let display: Application.Display =
  CommandLine.arguments.count > 1 ? .headless(width: 375, height: 320) : .automatic
let app = try Application(display: display, canvas: Size(width: 375, height: 320))
app.window.background = Color(hex: "#101820")

let button = Button("OK", id: "button", frame: Rect(x: 120, y: 90, width: 150, height: 60))
button.background = Color(hex: "#c0392b")
button.addAction(for: .touchUpInside) { print("the button was pressed") }
app.window.addSubview(button)

let shelter = ShelterView(id: "shelter", frame: Rect(x: 60, y: 60, width: 140, height: 180))
shelter.background = Color(hex: "#2980b980")
shelter.sheltered = button
app.window.addSubview(shelter)

// With a path: the same touches, without a panel, and a picture of what they leave.
if let path = CommandLine.arguments.dropFirst().first {
  app.touch(.tap(at: Point(x: 150, y: 120)))
  app.touch(.tap(at: Point(x: 250, y: 120)))
  app.touch(.tap(at: Point(x: 90, y: 200)))
  try app.picture?.write(to: path)
} else {
  try app.run()
}
