import StageSupport
import Testing
import TouchCore

@testable import TouchViews

/// A line of text under fingers and keys. Apple's documents: `UITextField`, `UIKeyInput`, `UIControl.Event`.
///
/// The window measures nothing, so each letter is 9 units wide, and the text begins at 12.
@Suite struct TextFieldTests {
  private let stage = Stage()
  private let field = TextField(id: "f", frame: LocalRect(x: 0, y: 0, width: 200, height: 44))

  init() {
    stage.add(field)
    _ = stage.diary.take()
  }

  private func sent() -> [String] {
    stage.diary.take().filter { $0.hasPrefix("f.editing") || $0 == "f.returned" }
  }

  @Test func `a tap makes it the first responder and places the caret`() {
    field.text = "Kitchen"
    stage.tap(12 + 9 * 3 + 2, 20)
    #expect(field.isFirstResponder)
    #expect(field.selection == 3..<3)
    #expect(sent() == ["f.editingBegan"])
    stage.tap(150, 20)
    #expect(field.selection == 7..<7)
    #expect(sent().isEmpty)
  }

  @Test func `what is typed goes where the caret is, and is told of`() {
    field.becomeFirstResponder()
    for letter in "Kche" { field.insertText(String(letter)) }
    field.selection = 1..<1
    field.insertText("ü")
    #expect(field.text == "Küche")
    #expect(field.selection == 2..<2)
    field.deleteBackward()
    field.deleteBackward()
    field.deleteBackward()
    #expect(field.text == "che")
    field.deleteForward()
    #expect(field.text == "he")
    // The third deletion found nothing.
    #expect(sent() == ["f.editingBegan"] + Array(repeating: "f.editingChanged", count: 8))
    #expect(field.hasText)
    field.clear()
    #expect(!field.hasText)
  }

  @Test func `a letter typed over itself takes its place, and the next one follows it`() {
    field.text = "5"
    field.becomeFirstResponder()
    field.selectAll()
    for letter in ["5", "0"] { field.insertText(letter) }
    #expect(field.text == "50")
    field.resignFirstResponder()
    (field.isSecure, field.text) = (true, "4")
    field.becomeFirstResponder()
    for letter in ["4", "7", "1"] { field.insertText(letter) }
    #expect(field.text == "471")
  }

  @Test func `two taps on a secret select all of it, and show none of its words`() {
    field.text = "ab cd"
    field.isSecure = true
    stage.tap(20, 20)
    stage.tap(20, 20)
    #expect(field.selection == 0..<5)
  }

  @Test(
    arguments: [
      ([KeyCode.home], 0..<3), ([.up], 0..<3), ([.end], 3..<5), ([.down], 3..<5), ([.home, .end], 3..<5),
      ([.left, .home], 0..<3), ([.end, .left], 3..<4),
    ])
  func `shift with home, end, up and down selects`(_ keys: [KeyCode], _ selection: Range<Int>) {
    field.text = "abcde"
    field.becomeFirstResponder()
    field.selection = 3..<3
    for key in keys { stage.press(key, with: .shift) }
    #expect(field.selection == selection)
  }

  @Test(arguments: ["left", "home", "shift+left", "tap"])
  func
    `who moves the caret of a secret types there, and who does not types another one (UITextField.clearsOnInsertion)`(
      _ way: String
    )
  {
    (field.text, field.isSecure) = ("secret", true)
    // The tap that begins the editing places the caret, too.
    stage.tap(12 + 9 * 2, 20)
    #expect(field.isFirstResponder && field.clearsOnInsertion)
    field.insertText("new")
    #expect(field.text == "new")
    field.resignFirstResponder()
    stage.tap(150, 20)
    #expect(field.clearsOnInsertion)
    switch way {
    case "tap":
      stage.rest(seconds: 1)
      stage.tap(12, 20)
    case "shift+left": stage.press(.left, with: .shift)
    default: stage.press(KeyCode(name: way)!)
    }
    #expect(!field.clearsOnInsertion)
    field.insertText("x")
    #expect(field.text == ["left": "nexw", "shift+left": "nex"][way] ?? "xnew")
  }

  @Test func `a program that sets the text sends nothing`() {
    field.text = "one"
    #expect(field.selection == 3..<3)
    #expect(sent().isEmpty)
  }

  @Test(arguments: [
    ("👩‍👩‍👧‍👦", "", 1), ("e\u{301}", "", 1), ("a👍🏽", "a", 2), ("🇩🇪🇫🇷", "🇩🇪", 2), ("한", "", 1),
  ])
  func `letters are deleted as people see them`(text: String, left: String, count: Int) {
    field.insertText(text)
    #expect(field.selection == count..<count)
    field.deleteBackward()
    #expect(field.text == left)
  }

  @Test func `an accent that is typed after its letter joins it`() {
    field.insertText("e")
    field.insertText("\u{301}")
    #expect(field.selection == 1..<1)
    field.insertText("x")
    #expect(field.text == "e\u{301}x")
  }

  /// Letter by letter, of which each builds the line again, these would take minutes.
  @Test func `a text that is far longer than the limit is cut in no time`() {
    field.limit = 50
    field.text = "ab"
    field.becomeFirstResponder()
    field.selection = 1..<1
    let time = ContinuousClock().measure { field.insertText(String(repeating: "x", count: 20_000)) }
    #expect(field.text == "a" + String(repeating: "x", count: 48) + "b")
    #expect(time < .seconds(2))
    // Flags pair up with what is beside them, and an accent joins the letter before it: there is room for
    // more.
    field.limit = 4
    field.text = "e\u{1F1E9}"
    field.selection = 1..<1
    field.insertText("\u{301}fgh\u{1F1E9}" + String(repeating: "x", count: 100))
    #expect(field.text == "e\u{301}fg\u{1F1E9}")
  }

  @Test func `a field without a limit takes 4096 letters, however they come`() {
    let many = String(repeating: "ab ", count: 30_000)
    field.text = many
    #expect(field.text.count == 4096)
    field.text = String(repeating: "x", count: 4000)
    field.becomeFirstResponder()
    for _ in 0..<3 { field.insertText(many) }
    #expect(field.text.count == 4096 && field.text.hasSuffix("ab ab ab ab ab ab "))
    field.limit = 5000
    field.insertText(many)
    #expect(field.text.count == 5000)
    field.limit = nil
    #expect(field.text.count == 4096)
  }

  @Test func `no more letters than the limit`() {
    field.limit = 4
    field.insertText("12")
    field.insertText("345")
    #expect(field.text == "1234")
    field.selection = 0..<2
    field.insertText("👩‍👩‍👧‍👦ab")
    #expect(field.text == "👩‍👩‍👧‍👦a34")
    field.text = "abcdef"
    #expect(field.text == "abcd")
  }

  @Test func `a line has no control characters`() {
    field.text = "a\tb\nc"
    #expect(field.text == "abc")
  }

  @Test func `a drag moves the caret of a field that is edited, and no other`() {
    field.text = "0123456789"
    stage.drag([(100, 20), (60, 20), (30, 20)])
    #expect(!field.isFirstResponder)
    stage.tap(100, 20)
    stage.drag([(100, 20), (60, 20), (30, 20)])
    #expect(field.selection == 2..<2)
  }

  @Test func `a finger that shakes begins the editing, as any tap does`() {
    field.text = "0123456789"
    stage.drag([(60, 20), (80, 25), (100, 20)])
    #expect(field.isFirstResponder && field.selection == 10..<10)
    // Of a field that is edited it drags the caret.
    stage.drag([(60, 20), (68, 20), (68, 20)])
    #expect(field.selection == 6..<6)
  }

  @Test func `two quick taps select a word, three the whole text`() {
    field.text = "one two-three"
    field.becomeFirstResponder()
    stage.tap(12 + 9 * 5, 20)
    stage.tap(12 + 9 * 5, 20)
    #expect(field.selection == 4..<7)
    stage.tap(12 + 9 * 5, 20)
    #expect(field.selection == 0..<13)
    field.insertText("x")
    #expect(field.text == "x")
  }

  @Test func `the caret goes to an end of a selection and from letter to letter`() {
    field.text = "abc def"
    field.becomeFirstResponder()
    field.selection = 4..<7
    field.moveCaret(by: -1)
    #expect(field.selection == 4..<4)
    field.moveCaret(by: 2)
    #expect(field.selection == 6..<6)
    field.moveCaret(by: 9)
    #expect(field.selection == 7..<7)
  }

  @Test func `in a text that is read from right to left the caret goes the way of the arrow`() {
    stage.window.caretMeasurer = { text, _ in
      let count = text.count
      let letters = (0..<count).map { Double(count - 1 - $0)...Double(count - $0) }
      return CaretPlaces(
        carets: letters.map(\.upperBound) + [0], letters: letters, width: Double(count))
    }
    field.text = "שלום"
    field.becomeFirstResponder()
    #expect(field.selection == 4..<4)
    field.moveCaret(by: -1)
    #expect(field.selection == 4..<4)
    field.moveCaret(by: 1)
    #expect(field.selection == 3..<3)
  }

  @Test func `return ends editing or goes on to the next field`() {
    let next = stage.add(TextField(id: "n", frame: LocalRect(x: 0, y: 100, width: 200, height: 44)))
    field.becomeFirstResponder()
    field.returnKey = .next
    field.insertText("a\nb")
    #expect(next.isFirstResponder)
    #expect(field.text == "ab")
    #expect(
      stage.diary.take().filter { !$0.contains("touch") } == [
        "f.editingBegan", "f.editingChanged", "f.returned", "f.editingEnded", "n.editingBegan",
        "f.editingChanged",
      ])
    next.pressReturn()
    #expect(stage.window.firstResponder == nil)
  }

  @Test func `editing ends with what hides the field, exactly once`() {
    field.becomeFirstResponder()
    field.isHidden = true
    #expect(sent() == ["f.editingBegan", "f.editingEnded"])
    field.isHidden = false
    #expect(sent().isEmpty)
    field.becomeFirstResponder()
    field.removeFromSuperview()
    #expect(stage.window.firstResponder == nil)
  }

  @Test func `a field that is disabled takes nothing`() {
    field.isEnabled = false
    #expect(!field.becomeFirstResponder())
    field.insertText("a")
    #expect(field.text.isEmpty)
  }

  @Test func `one that is to be edited is as soon as it is in a window`() {
    let other = TextField(id: "o", frame: field.frame)
    other.isEditing = true
    #expect(other.isEditing)
    stage.add(other)
    #expect(other.isFirstResponder)
  }

  @Test func `the caret blinks while it is seen and only then`() {
    #expect(stage.dispatcher.deadline == nil)
    field.becomeFirstResponder()
    #expect(field.isCaretOn)
    stage.rest(seconds: 0.6)
    #expect(!field.isCaretOn)
    stage.rest(seconds: 0.5)
    #expect(field.isCaretOn)
    // What is typed shows it.
    stage.rest(seconds: 0.5)
    field.insertText("a")
    #expect(field.isCaretOn)
    stage.window.isOnDisplay = false
    stage.rest(seconds: 0.6)
    #expect(stage.dispatcher.deadline == nil)
    #expect(field.isCaretOn)
    stage.window.isOnDisplay = true
    field.resumeBlinking()
    #expect(stage.dispatcher.deadline != nil)
    field.layoutRect.origin.y = 500
    stage.rest(seconds: 0.6)
    #expect(stage.dispatcher.deadline == nil)
    field.layoutRect.origin.y = 0
    field.resumeBlinking()
    field.resignFirstResponder()
    #expect(stage.dispatcher.deadline == nil)
    #expect(!field.isCaretOn)
  }

  @Test func `a blink after a long rest is one blink`() {
    stage.rest(seconds: 1)
    stage.wait(seconds: 86_400)
    field.becomeFirstResponder()
    stage.rest(seconds: 0)
    #expect(stage.dispatcher.deadline.map { $0 > stage.time } ?? false)
  }

  @Test func `a secure field shows dots and is private`() {
    field.isSecure = true
    field.insertText("1234")
    #expect(field.shownLetters == "••••")
    #expect(field.privateView === field)
    #expect(field.text == "1234")
  }

  @Test func `the text moves so that the caret is seen`() {
    field.text = "0123456789012345678901234567890123456789"
    field.becomeFirstResponder()
    #expect(field.caretRect.maxX <= field.textRect.maxX)
    #expect(field.textOrigin == 12 - (40 * 9 + 2 - 176))
    field.selection = 0..<0
    #expect(field.textOrigin == 12)
    #expect(field.caretRect.minX == 12)
    field.selection = 10..<10
    #expect(field.textOrigin == 12)
    field.resignFirstResponder()
    #expect(field.textOrigin == 12)
  }

  @Test func `a button at the right end deletes all of it`() {
    field.hasClearButton = true
    field.text = "abc"
    #expect(!field.showsClearButton)
    stage.tap(20, 20)
    #expect(field.showsClearButton)
    stage.tap(190, 20)
    #expect(field.text.isEmpty)
    #expect(field.isFirstResponder)
    #expect(sent() == ["f.editingBegan", "f.editingChanged"])
  }

  @Test func `a drag along the text is not a scroll view's`() {
    let list = stage.add(ScrollView(id: "list", frame: LocalRect(x: 0, y: 0, width: 300, height: 200)))
    list.scrolling.contentSize = Size(width: 900, height: 200)
    list.scrolling.delaysTouches = false
    list.addSubview(field)
    field.text = "0123456789"
    field.becomeFirstResponder()
    stage.drag([(100, 20), (60, 20), (30, 20)])
    #expect(list.contentOffset.x == 0)
    #expect(field.selection == 2..<2)
  }
}
