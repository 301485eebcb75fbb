import StageSupport
import Testing
import TouchCore
import TouchViews

/// Who gets what is typed. Apple's documents: `UIResponder.becomeFirstResponder()`, `resignFirstResponder()`,
/// `canBecomeFirstResponder`, `canResignFirstResponder`, `UIView.endEditing(_:)`.
@Suite struct FirstResponderTests {
  private let stage = Stage()

  private final class Paper: View, KeyInput {
    var text = ""
    var stays = false
    var log: [String] = []
    override var canBecomeFirstResponder: Bool { true }
    override var canResignFirstResponder: Bool { !stays }
    override func resignFirstResponder() -> Bool {
      let resigned = super.resignFirstResponder()
      log.append("resign \(resigned)")
      return resigned
    }
    var hasText: Bool { !text.isEmpty }
    func insertText(_ text: String) { self.text += text }
    func deleteBackward() { text.removeLast() }
  }

  private final class Watcher: View, FirstResponderWatcher {
    var isTypedWithByFocus: Bool { false }
    var seen: [String] = []
    override func didMoveToWindow() { window?.reportFirstResponder(self) }
    func firstResponderChanged(in window: Window) { seen.append(window.firstResponder?.id ?? "none") }
  }

  private func paper(_ id: String) -> Paper {
    Paper(id: id, frame: LocalRect(x: 0, y: 0, width: 100, height: 100))
  }

  @Test func `a view outside of a window cannot be the first responder`() {
    let view = paper("view")
    #expect(!view.becomeFirstResponder())
    stage.add(view)
    #expect(view.becomeFirstResponder())
    #expect(view.isFirstResponder)
    #expect(stage.window.firstResponder === view)
  }

  @Test func `a plain view cannot be it`() {
    #expect(!stage.add(View(id: "plain")).becomeFirstResponder())
    #expect(stage.window.firstResponder == nil)
  }

  @Test func `the one before resigns first and may refuse`() {
    let (one, other) = (stage.add(paper("one")), stage.add(paper("other")))
    let watcher = stage.add(Watcher(id: "watcher"))
    one.becomeFirstResponder()
    one.stays = true
    #expect(!other.becomeFirstResponder())
    #expect(one.isFirstResponder)
    one.stays = false
    #expect(other.becomeFirstResponder())
    #expect(!one.isFirstResponder)
    #expect(one.log == ["resign false", "resign true"])
    // Nobody hears of the moment between the two.
    #expect(watcher.seen == ["one", "other"])
  }

  @Test func `it goes with its view and with what hides or disables that`() {
    let outer = stage.add(View(id: "outer", frame: LocalRect(x: 0, y: 0, width: 100, height: 100)))
    let control = stage.add(Control(id: "control"), to: outer)
    let view = stage.add(paper("view"), to: control)
    // It is not asked.
    view.stays = true
    let ends: [(String, () -> Void, () -> Void)] = [
      ("hidden", { outer.isHidden = true }, { outer.isHidden = false }),
      ("untouchable", { outer.isUserInteractionEnabled = false }, { outer.isUserInteractionEnabled = true }),
      ("disabled", { control.isEnabled = false }, { control.isEnabled = true }),
      ("removed", { outer.removeFromSuperview() }, { stage.window.addSubview(outer) }),
    ]
    for (name, end, undo) in ends {
      #expect(view.becomeFirstResponder(), "\(name)")
      end()
      #expect(stage.window.firstResponder == nil, "\(name)")
      #expect(!view.becomeFirstResponder(), "\(name)")
      undo()
    }
    #expect(view.log == Array(repeating: "resign true", count: 4))
  }

  @Test func `it stays when its view moves in the window`() {
    let (outer, view) = (stage.add(View(id: "outer")), stage.add(paper("view")))
    view.becomeFirstResponder()
    outer.addSubview(view)
    #expect(view.isFirstResponder)
  }

  @Test func `editing ends in a view for what is in it alone`() {
    let (outer, other) = (stage.add(View(id: "outer")), stage.add(View(id: "other")))
    let view = stage.add(paper("view"), to: outer)
    view.becomeFirstResponder()
    #expect(!other.endEditing(true))
    view.stays = true
    #expect(!outer.endEditing(false))
    #expect(outer.endEditing(true))
    #expect(stage.window.firstResponder == nil)
  }

  @Test func `a controller can be it as long as its view is there`() {
    final class Typist: ViewController { override var canBecomeFirstResponder: Bool { true } }
    let controller = Typist(id: "controller")
    let view = stage.add(View(id: "view"))
    view.viewController = controller
    #expect(controller.becomeFirstResponder())
    view.removeFromSuperview()
    #expect(stage.window.firstResponder == nil)
  }
}
