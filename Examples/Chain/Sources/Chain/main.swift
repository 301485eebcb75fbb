import TouchKit

/// A view that says that it has seen a touch, and passes it on.
final class Area: View {
  override func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition {
    print("\(id) saw it")
    return .forward
  }
}

/// The one who decides: what its views pass on arrives here.
final class MainController: ViewController {
  private let light = View(id: "light", frame: Rect(x: 130, y: 180, width: 100, height: 60))

  override func viewDidLoad() {
    view.background = Color(hex: "#101820")
    let outer = Area(id: "outer", frame: Rect(x: 40, y: 30, width: 280, height: 120))
    outer.background = Color(hex: "#34495e")
    let inner = Area(id: "inner", frame: Rect(x: 30, y: 30, width: 120, height: 60))
    inner.background = Color(hex: "#16a085")
    outer.addSubview(inner)
    light.background = .darkGray
    light.cornerRadius = 12
    view.addSubview(outer)
    view.addSubview(light)
  }

  override func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition {
    light.background = light.background == .yellow ? .darkGray : .yellow
    print("the controller switched the light")
    return .handled
  }
}

// With the path of a picture as its argument it needs no display.
let display: Application.Display =
  CommandLine.arguments.count > 1 ? .headless(width: 375, height: 320) : .automatic
let app = try Application(display: display, canvas: Size(width: 375, height: 320))
app.window.rootViewController = MainController(id: "main")

// With a path: the same touches, without a panel, and a picture of what they leave.
if let path = CommandLine.arguments.dropFirst().first {
  // From the view that was hit outward, until somebody handles it: inner, outer, the root view, its
  // controller.
  app.touch(.tap(at: Point(x: 100, y: 90)))
  app.touch(.tap(at: Point(x: 300, y: 60)))
  app.touch(.tap(at: Point(x: 10, y: 300)))
  try app.picture?.write(to: path)
} else {
  try app.run()
}
