import TouchKit

/// A view's own code is of no actor: a task cannot have the view, and a timer can.
final class Lamp: View {
  override func didMoveToWindow() {
    Task { @MainActor in isHidden = true }  // refused
    Task { background = .red }  // refused
    loop?.addTimer(after: .seconds(1)) { [unowned self] in background = .red }
  }
}

/// The main actor's code has tasks, and views.
@MainActor final class Lights {
  let lamp = Lamp()

  func begin() {
    Task {
      try await Task.sleep(for: .seconds(1))
      lamp.background = .red
    }
  }
}

let app = try Application(display: .headless(width: 100, height: 100))
let lights = Lights()
app.window.addSubview(lights.lamp)
lights.begin()
