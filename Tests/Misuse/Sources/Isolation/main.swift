import TouchKit

let app = try Application(display: .headless(width: 100, height: 100))
let label = Label("nothing", id: "label")
app.window.addSubview(label)

/// On any thread.
@Sendable func elsewhere() {
  app.perform { label.text = "fine" }
  app.perform { app.quit() }
  app.quit()  // refused
  app.advance(by: .seconds(1))  // refused
  app.touch(.tap(at: .zero))  // refused
  app.addTimer(after: .seconds(1)) {}  // refused
  _ = app.picture  // refused
  _ = app.window  // refused
  _ = app.loop  // refused
  label.text = "no"  // refused
  app.window.addSubview(View())  // refused
}

/// `run()` keeps its thread, on which tasks of the main actor wait.
@MainActor func waits() async throws {
  try app.run()  // refused
  Application.main { _ in }  // refused
}

elsewhere()
