import TouchKit

/// A card that comes to the front when it is touched, as cards on a table do.
final class Card: View {
  override func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition {
    print("\(id) was touched at \(touches[0].location(in: self).text)")
    superview?.bringSubviewToFront(self)
    return .handled
  }
}

extension Point {
  /// For people.
  var text: String { "\(Int(x)), \(Int(y))" }
}

// With the path of a picture as its argument it needs no display.
let display: Application.Display =
  CommandLine.arguments.count > 1 ? .headless(width: 375, height: 320) : .automatic
let app = try Application(display: display, canvas: Size(width: 375, height: 320))
app.window.background = Color(hex: "#101820")

// The last one is in front: it is asked first, and where it answers, no other is.
for (name, color, place) in [("red", Color.red, 40.0), ("green", .green, 100), ("blue", .blue, 160)] {
  let card = Card(id: name, frame: Rect(x: place, y: place - 10, width: 150, height: 120))
  card.background = color
  card.cornerRadius = 12
  app.window.addSubview(card)
}

// With a path: the same touches, without a panel, and a picture of what they leave.
if let path = CommandLine.arguments.dropFirst().first {
  app.touch(.tap(at: Point(x: 170, y: 140)))
  // Red, where nothing covers it; and the first place again.
  app.touch(.tap(at: Point(x: 60, y: 50)))
  app.touch(.tap(at: Point(x: 170, y: 140)))
  try app.picture?.write(to: path)
} else {
  try app.run()
}
