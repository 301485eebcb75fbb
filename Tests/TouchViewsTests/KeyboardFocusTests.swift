import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// The keyboard on the screen under keys without letters: a knob, a remote control, three buttons. (tvOS
/// types so.)
@Suite struct KeyboardFocusTests {
  private let stage = Stage()
  private let field = TextField(id: "f", frame: LocalRect(x: 0, y: 0, width: 300, height: 44))
  private let keyboard = KeyboardView(id: "k")

  init() {
    keyboard.placesItself = true
    field.autocapitalization = .none
    stage.add(field)
    stage.add(Button(id: "b", frame: LocalRect(x: 0, y: 60, width: 100, height: 40)))
    stage.add(keyboard)
  }

  private var system: FocusSystem { stage.window.focusSystem }

  /// What is called so where the focus is: a key of the keyboard, or a view.
  private var focused: String? {
    guard let item = system.focusedItem else { return nil }
    return item.view === keyboard ? item.part.flatMap { keyboard.focusText(of: $0) } : item.view.id
  }

  private func press(_ keys: String) {
    for key in keys.split(separator: " ") { stage.press(KeyCode(name: String(key))!) }
  }

  /// Presses a key until a key on the screen that is called so is focused.
  private func go(to name: String, by key: String) {
    for _ in 0..<60 where focused != name { press(key) }
    #expect(focused == name)
  }

  @Test(arguments: ["enter", "ok", "btn_a"])
  func `select leads from the field to the first key, steps go on, select types`(select: String) {
    press("tab \(select)")
    #expect(field.isFirstResponder && focused == "q")
    press("\(select) turn_right turn_right \(select) turn_left \(select)")
    #expect(field.text == "qew" && focused == "w")
    press("down \(select) up up \(select)")
    #expect(field.text.count == 5 && focused != "f", "arrows stay in the keyboard")
  }

  @Test func `back ends editing, and the focus is on the field`() {
    press("tab ok ok escape")
    #expect(field.text == "q" && !field.isFirstResponder && keyboard.isHidden)
    #expect(focused == "f")
    press("turn_right")
    #expect(focused == "b")
  }

  @Test func `a step past an end leads back to the field, which is still edited, and on from there`() {
    press("tab ok turn_left")
    #expect(field.isFirstResponder && focused == "f")
    press("ok ok")
    #expect(field.text == "q")
    press("turn_left turn_right turn_right")
    #expect(!field.isFirstResponder)
  }

  @Test func `the return key goes on to the next field with the keyboard, or ends editing`() {
    let next = stage.add(TextField(id: "n", frame: LocalRect(x: 0, y: 110, width: 300, height: 44)))
    field.returnKey = .next
    next.keyboard = .pin
    press("tab ok turn_left ok")
    go(to: "return", by: "turn_right")
    press("ok")
    #expect(next.isFirstResponder && system.keyboard === keyboard)
    #expect(focused == "return", "of the other keys, the one that is where it was")
    press("ok")
    #expect(!next.isFirstResponder && focused == "n" && system.keyboard == nil)
  }

  @Test func `pages, shift, and delete that is held`() {
    press("tab ok")
    go(to: "shift", by: "turn_right")
    press("ok")
    #expect(keyboard.shift == .once)
    go(to: "V", by: "turn_right")
    press("ok")
    #expect(field.text == "V")
    go(to: "symbols", by: "turn_right")
    press("ok")
    #expect(keyboard.page == .symbols && focused == "letters")
    field.text = "1234"
    go(to: "delete", by: "turn_left")
    stage.key(.began, .enter)
    stage.rest(seconds: 0.7)
    stage.key(.ended, .enter)
    #expect(field.text.count < 3)
  }

  @Test func `a keyboard with letters types by itself, and its enter is the return key`() {
    press("tab")
    stage.press(KeyCode(name: "a")!, typing: "a")
    press("enter")
    #expect(focused == "f" && field.isFirstResponder)
    for letter in ["a", "b"] { stage.press(KeyCode(name: letter)!, typing: letter) }
    stage.press(.space, typing: " ")
    #expect(field.text == "ab ")
    stage.press(.left)
    #expect(field.selection == 2..<2)
    press("enter")
    #expect(!field.isFirstResponder && focused == "f")
  }

  @Test func `a letter leads back from the keys on the screen`() {
    press("tab enter right")
    #expect(focused == "w")
    stage.press(KeyCode(name: "a")!, typing: "a")
    #expect(field.text == "a" && focused == "f" && field.isFirstResponder)
    stage.press(.left)
    #expect(field.selection == 0..<0)
  }

  @Test func `a field that is edited from the start is entered with the first press`() {
    field.becomeFirstResponder()
    press("enter")
    #expect(focused == "q")
  }

  @Test func `a list that has a field edited leads there`() {
    press("tab tab")
    field.becomeFirstResponder()
    press("enter enter")
    #expect(field.text == "q")
  }

  @Test func `where none is to be focused, enter is the return key`() {
    keyboard.isFocusable = false
    press("tab enter")
    #expect(field.isFirstResponder && focused == "f")
    press("enter")
    #expect(!field.isFirstResponder)
  }

  @Test func `one for other programs is focused key by key`() {
    keyboard.destination = .kernel
    press("tab tab tab tab")
    #expect(focused == "w")
  }

  @Test func `when what is edited goes, so does the focus`() {
    press("tab ok")
    field.isHidden = true
    system.updateIfNeeded()
    #expect(focused == "b" && system.keyboard == nil)
  }

  @Test func `a finger meanwhile hides the ring, and the next key shows where it is`() {
    press("tab ok")
    system.touchesAreUsed()
    press("ok")
    #expect(field.text == "" && keyboard.focusMark == .focused)
    press("ok")
    #expect(field.text == "q")
  }
}
