import TouchKit

/// A bar whose button sticks out: UIKit's classic surprise is that only the part inside of the bar can be
/// pressed. This bar asks its subviews outside of its bounds, too.
final class TabBar: View {
  var asksOutside = false

  override func point(inside point: LocalPoint, with event: Event?) -> Bool {
    if super.point(inside: point, with: event) { return true }
    return asksOutside && subviews.contains { $0.frame.contains(point) }
  }
}

// With the path of a picture as its argument it needs no display.
let display: Application.Display =
  CommandLine.arguments.count > 1 ? .headless(width: 375, height: 320) : .automatic
let app = try Application(display: display, canvas: Size(width: 375, height: 320))
app.window.background = Color(hex: "#101820")

let bar = TabBar(id: "bar", frame: Rect(x: 0, y: 240, width: 375, height: 80))
bar.background = Color(hex: "#2c3e50")
app.window.addSubview(bar)

let plus = Button("+", id: "plus", frame: Rect(x: 147, y: -40, width: 80, height: 80))
plus.background = Color(hex: "#e67e22")
plus.cornerRadius = 40
plus.textStyle.size = 40
plus.addAction(for: .touchUpInside) { print("plus was pressed") }
bar.addSubview(plus)

let fix = Button("Fix it", id: "fix", frame: Rect(x: 20, y: 20, width: 120, height: 44))
fix.background = Color(hex: "#34495e")
fix.addAction(for: .touchUpInside) {
  bar.asksOutside.toggle()
  print(bar.asksOutside ? "fixed" : "broken again")
}
app.window.addSubview(fix)

// With a path: the same touches, without a panel, and a picture of what they leave.
if let path = CommandLine.arguments.dropFirst().first {
  // The lower half is in the bar; the upper one is not.
  app.touch(.tap(at: Point(x: 187, y: 260)))
  app.touch(.tap(at: Point(x: 187, y: 220)))
  print("nothing was pressed")
  app.touch(.tap(fix))
  app.touch(.tap(at: Point(x: 187, y: 220)))
  try app.picture?.write(to: path)
} else {
  try app.run()
}
