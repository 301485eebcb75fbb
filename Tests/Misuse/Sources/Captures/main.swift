import TouchKit

/// As a thread takes its work.
func elsewhere(_ body: @escaping @Sendable () -> Void) {}

/// What belongs to the loop's thread cannot be taken away from it; it can be performed there.
@MainActor func send(_ view: View, _ controller: ViewController, _ loop: MainLoop, of app: Application) {
  app.perform { view.isHidden = true }
  app.perform { loop.quit() }
  elsewhere { view.isHidden = true }  // refused
  elsewhere { _ = controller.next }  // refused
  elsewhere { loop.quit() }  // refused
  elsewhere { app.perform { view.isHidden = true } }  // refused
  elsewhere { app.perform { (app.window.view(id: "label") as? Label)?.text = "fine" } }
}

let app = try Application(display: .headless(width: 100, height: 100))
send(View(), ViewController(), app.loop, of: app)
