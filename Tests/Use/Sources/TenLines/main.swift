// The first program of the documentation, line by line.
// swift-format-ignore-file
import TouchKit

final class Round: View {
  override func point(inside point: LocalPoint, with event: Event?) -> Bool { bounds.ellipse.contains(point) }
  override func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition { background = .red; return .handled }
}
let app = try Application()            // display, devices and console as `touchtree run` finds them
app.window.addSubview(Round(id: "dial", frame: Rect(x: 40, y: 40, width: 200, height: 200)))
try app.run()
