import StageSupport
import Testing
import TouchCore

/// Apple's rules for presses, and what happens to a press when its device, its view or the display goes.
@Suite
struct PressTests {
  /// Takes presses of some keys, and notes what it gets.
  private final class Taker: View {
    var answer = Disposition.forward
    var phases: [String] = []
    var onBegan: () -> Void = {}

    override func pressesBegan(_ presses: [Press], with event: PressesEvent) -> Disposition {
      phases.append("began")
      onBegan()
      return answer
    }
    override func pressesChanged(_ presses: [Press], with event: PressesEvent) -> Disposition {
      phases.append("changed \(presses[0].repeatCount)")
      return answer
    }
    override func pressesEnded(_ presses: [Press], with event: PressesEvent) -> Disposition {
      phases.append("ended")
      return answer
    }
    override func pressesCancelled(_ presses: [Press], with event: PressesEvent) -> Disposition {
      phases.append("cancelled")
      return answer
    }
  }

  /// A text that grows.
  private final class Field: View, KeyInput {
    var text = ""
    var hasText: Bool { !text.isEmpty }
    override var canBecomeFirstResponder: Bool { true }
    func insertText(_ text: String) { self.text += text }
    func deleteBackward() { if hasText { text.removeLast() } }
  }

  private let stage = Stage()
  private let outer = Taker(id: "outer", frame: LocalRect(x: 0, y: 0, width: 200, height: 200))
  private let inner = Taker(id: "inner", frame: LocalRect(x: 0, y: 0, width: 100, height: 100))

  init() {
    stage.add(outer)
    stage.add(inner, to: outer)
    inner.isFocusable = true
  }

  private func focus() { #expect(stage.window.focusSystem.focus(.init(inner))) }

  @Test
  func
    `presses go up the chain of what is focused ("the system delivers presses to the focused view, and up": UIResponder)`()
  {
    focus()
    _ = stage.diary.take()
    stage.press(KeyCode(rawValue: 59))
    #expect(
      stage.diary.take() == [
        "inner.began f1", "outer.began f1", "window.began f1", "application.began f1",
        "inner.ended f1", "outer.ended f1", "window.ended f1", "application.ended f1",
      ])
  }

  @Test
  func `without focus and first responder a press begins at the window`() {
    stage.press(KeyCode(rawValue: 59))
    #expect(stage.diary.take().first == "window.began f1")
  }

  @Test
  func `who handles the beginning stops it, and alone gets the end`() {
    focus()
    outer.answer = .handled
    stage.press(KeyCode(rawValue: 59))
    #expect(inner.phases == ["began", "ended"])
    #expect(outer.phases == ["began", "ended"])
    #expect(!stage.diary.take().contains { $0.hasPrefix("window") })
  }

  @Test
  func `who claims a press has it alone`() {
    focus()
    outer.answer = .claim
    stage.press(KeyCode(rawValue: 59))
    #expect(inner.phases == ["began", "cancelled"])
    #expect(outer.phases == ["began", "ended"])
  }

  @Test
  func `a key that is held repeats, and ends once`() {
    focus()
    inner.answer = .handled
    stage.key(.began, .up)
    stage.key(.repeated, .up)
    stage.key(.repeated, .up)
    stage.key(.began, .up)
    stage.key(.ended, .up)
    stage.key(.ended, .up)
    stage.key(.repeated, .up)
    #expect(inner.phases == ["began", "changed 1", "changed 2", "ended"])
  }

  @Test(arguments: ["device", "all", "view", "window hides it"])
  func `whatever breaks a press off, it is cancelled once`(_ what: String) {
    focus()
    inner.answer = .handled
    stage.key(.began, .up)
    switch what {
    case "device": stage.presses.lose(DeviceID(rawValue: 9), at: stage.time)
    case "all": stage.presses.cancelAll(at: stage.time)
    case "view": inner.removeFromSuperview()
    default: outer.removeFromSuperview()
    }
    stage.key(.ended, .up)
    stage.presses.cancelAll(at: stage.time)
    #expect(inner.phases == ["began", "cancelled"])
    #expect(stage.presses.presses.isEmpty)
  }

  @Test
  func `a view that leaves while it is told of a press gets its end`() {
    focus()
    inner.onBegan = { [inner] in inner.removeFromSuperview() }
    stage.press(KeyCode(rawValue: 59))
    #expect(inner.phases == ["began", "cancelled"])
    #expect(outer.phases.isEmpty)
  }

  @Test
  func `the loss of one device leaves the keys of another`() {
    focus()
    inner.answer = .handled
    stage.key(.began, .up, device: 9)
    stage.key(.began, .up, device: 10)
    stage.presses.lose(DeviceID(rawValue: 9), at: stage.time)
    #expect(inner.phases == ["began", "began", "cancelled"])
    stage.key(.ended, .up, device: 10)
    #expect(inner.phases.last == "ended")
  }

  @Test
  func `what nobody handles is typed into the first responder (UIKeyInput)`() {
    let field = Field(id: "field", frame: LocalRect(x: 0, y: 200, width: 100, height: 30))
    stage.add(field)
    field.becomeFirstResponder()
    stage.press(KeyCode(rawValue: 30), typing: "a")
    stage.press(KeyCode(rawValue: 48), typing: "B", with: .shift)
    stage.press(.space, typing: " ")
    stage.press(KeyCode(rawValue: 30), typing: "\u{1}", with: .control)
    stage.press(KeyCode(rawValue: 46), typing: "c", with: .alternate)
    #expect(field.text == "aB ")
    stage.key(.began, .backspace, typing: "\u{8}")
    stage.key(.repeated, .backspace, typing: "\u{8}")
    stage.key(.ended, .backspace)
    #expect(field.text == "a")
    stage.press(.enter, typing: "\r")
    #expect(field.text == "a\n")
    // What is typed shows no ring, and reaches nothing around the field.
    #expect(!stage.window.focusSystem.isRingShown)
    #expect(
      !stage.diary.take().contains {
        $0.hasPrefix("window.began") && !$0.hasSuffix("a") && !$0.hasSuffix("c")
      })
  }

  @Test(arguments: [
    (KeyCode.enter, Press.PressType.select), (.space, .select), (.keypadEnter, .select), (.escape, .menu),
    (KeyCode(name: "ok")!, .select), (KeyCode(name: "back")!, .menu),
    (KeyCode(name: "btn_dpad_up")!, .upArrow),
    (.turnLeft, .turnLeft), (KeyCode(name: "playpause")!, .playPause),
    (KeyCode(name: "pagedown")!, .pageDown),
  ])
  func `keys mean what UIPress's types mean`(_ code: KeyCode, _ type: Press.PressType) {
    stage.key(.began, code)
    #expect(stage.presses.presses[0].type == type)
    stage.key(.ended, code)
    stage.key(.began, code, with: .control)
    #expect(stage.presses.presses[0].type == nil)
  }

  @Test
  func `every key has a name that leads back to it`() {
    for name in KeyCode.allNames {
      let code = KeyCode(name: name)
      #expect(code != nil && KeyCode(name: code!.name) == code, "\(name)")
    }
    #expect(KeyCode(name: "F1")?.rawValue == 59)
    #expect(KeyCode(name: "f99") == nil)
    #expect(KeyCode(rawValue: 0x2fe).name == "key 766")
    #expect(
      KeyCommand(name: "Ctrl+Shift+s")
        == KeyCommand(KeyCode(rawValue: 31), modifierFlags: [.control, .shift]))
    #expect(KeyCommand(name: "ctrl+shift+s")?.name == "ctrl+shift+s")
    #expect(KeyCommand(name: "hyper+s") == nil)
  }

  @Test
  func `every responder that got began gets one end, whatever happens`() {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0...UInt64.max, using: &random)
    var dice = seed
    func roll(_ count: UInt64) -> Int {
      dice = dice &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((dice >> 33) % count)
    }
    let codes = [KeyCode.up, .enter, .tab, KeyCode(rawValue: 59)]
    for _ in 0..<2_000 {
      let answers: [Disposition] = [.forward, .handled, .claim]
      (inner.answer, outer.answer) = (answers[roll(3)], answers[roll(3)])
      switch roll(8) {
      case 0: stage.presses.lose(DeviceID(rawValue: 9 + roll(2)), at: stage.time)
      case 1: stage.presses.cancelAll(at: stage.time)
      case 2:
        inner.removeFromSuperview()
        outer.addSubview(inner)
        stage.window.focusSystem.focus(.init(inner))
      default:
        let kinds: [PressChange.Kind] = [.began, .repeated, .ended, .cancelled]
        stage.key(kinds[roll(4)], codes[roll(4)], device: 9 + roll(2))
      }
    }
    stage.presses.cancelAll(at: stage.time)
    for view in [inner, outer] {
      let begun = view.phases.filter { $0 == "began" }.count
      let ended = view.phases.filter { $0 == "ended" || $0 == "cancelled" }.count
      #expect(begun == ended && begun > 0, "\(view.id), seed \(seed)")
    }
  }
}
