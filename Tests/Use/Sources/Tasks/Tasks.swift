import Dispatch
import TouchKit

/// What waits for the main thread comes while the application runs, and touches go on.
@MainActor final class Steps {
  private let app: Application
  private let label = Label("", id: "steps", frame: Rect(x: 0, y: 0, width: 320, height: 240))

  init(_ app: Application) {
    self.app = app
    app.window.addSubview(label)
  }

  func note(_ step: String) {
    label.text = step
    print(step)
  }

  func begin() {
    Task {
      note("task")
      let figure = await measure()
      note("measured \(figure)")
      try await Task.sleep(for: .milliseconds(20))
      note("slept")
      DispatchQueue.main.async { [self] in
        MainActor.assumeIsolated { note("queue") }
        let app = app
        DispatchQueue.global().async { app.perform { [self] in finish() } }
      }
    }
  }

  private func finish() {
    note("performed")
    app.quit()
  }

  /// On no actor.
  private nonisolated func measure() async -> Int {
    await Task.detached { 6 * 7 }.value
  }
}

@main struct Tasks {
  static func main() {
    Application.main(display: .headless(width: 320, height: 240)) { app in
      let steps = Steps(app)
      steps.begin()
      // Nothing of it has come before it runs.
      steps.note("begins")
    }
  }
}
