import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// Text views, and what is copied, cut and pasted in them and in fields. Without a window that measures, each
/// letter of 16 units is 8 wide, and a line is 20 high.
@Suite struct TextViewTests {
  final class Delegate: TextViewDelegate {
    var lines: [String] = []
    var allows = true
    func textViewDidBeginEditing(_ textView: TextView) { lines.append("began") }
    func textViewDidEndEditing(_ textView: TextView) { lines.append("ended") }
    func textViewDidChange(_ textView: TextView) { lines.append("changed") }
    func textView(
      _ textView: TextView, shouldChangeTextIn range: Range<Int>, replacementText text: String
    ) -> Bool {
      lines.append("\(range) \(text.replacing("\n", with: "|"))")
      return allows
    }
    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  let stage = Stage()
  /// Ten letters wide.
  let view = TextView(id: "notes", frame: LocalRect(x: 100, y: 100, width: 104, height: 104))

  init() {
    view.textStyle.size = 16
    stage.add(view)
    stage.window.layoutIfNeeded()
  }

  var shown: [String] { view.lines.lines.map { String(view.buffer.letters[$0.range]) } }

  func tap(_ x: Double, _ y: Double, count: Int = 1) {
    for _ in 0..<count {
      stage.frame((1, .began, x, y))
      stage.frame((1, .ended, x, y))
    }
    stage.rest(seconds: 1)
  }

  func press(_ code: KeyCode, _ characters: String = "", _ modifiers: KeyModifiers = []) {
    stage.press(code, typing: characters, with: modifiers)
  }

  static let broken: [(text: String, lines: [String])] = [
    ("", [""]), ("one", ["one"]), ("one\ntwo", ["one", "two"]), ("one\n", ["one", ""]),
    ("\n\n", ["", "", ""]),
    ("one two three", ["one two ", "three"]), ("0123456789abc", ["0123456789", "abc"]),
    ("0123456789 abc", ["0123456789 ", "abc"]), ("a 0123456789x", ["a ", "0123456789", "x"]),
    ("one\r\ntwo\u{7}", ["one", "two"]),
  ]

  @Test(arguments: broken) func `lines are broken at the width, after a space where there is one`(
    text: String, lines: [String]
  ) {
    view.text = text
    #expect(shown == lines)
    // Each place of the caret is in a line, at the letter that it is before.
    for caret in 0...view.buffer.letters.count {
      let (line, x) = view.lines.place(of: caret)
      #expect(view.lines.lines[line].caret(at: x) == min(caret, view.lines.lines[line].lastCaret))
    }
  }

  @Test func `a tap places the caret, and typing and the return key write lines`() {
    let delegate = Delegate()
    view.delegate = delegate
    view.text = "one\ntwo"
    tap(100 + 12 + 8, 100 + 12 + 25)
    #expect(view.isFirstResponder && view.selection == 5..<5)
    view.insertText("x")
    view.insertText("\n")
    #expect(view.text == "one\ntx\nwo" && view.selection == 7..<7)
    #expect(delegate.take() == ["began", "5..<5 x", "changed", "6..<6 |", "changed"])
    delegate.allows = false
    view.deleteBackward()
    #expect(view.text == "one\ntx\nwo" && delegate.take() == ["6..<7 "])
    view.resignFirstResponder()
    #expect(delegate.take() == ["ended"])
  }

  @Test func `arrows move between lines and keep their column`() {
    view.text = "0123456\nab\n0123456"
    view.becomeFirstResponder()
    view.selection = 5..<5
    press(.down)
    #expect(view.selection == 10..<10)
    press(.down)
    #expect(view.selection == 16..<16)
    press(.home)
    #expect(view.selection == 11..<11)
    press(.end)
    #expect(view.selection == 18..<18)
    press(.up)
    #expect(view.selection == 10..<10)
    press(.up)
    press(.up)
    #expect(view.selection == 0..<0)
    press(.right, "", .shift)
    press(.down, "", .shift)
    #expect(view.selection == 0..<9)
  }

  @Test func `a text that is longer than the view scrolls under a finger, and to the caret`() {
    view.text = (0..<20).map { "line \($0)" }.joined(separator: "\n")
    stage.window.layoutIfNeeded()
    #expect(view.scroller.contentSize.height == 20 * 20 + 24)
    ScrollTests.play([.down(150, 180), .move(150, 130), .rest(0.2), .up, .rest(1)], on: stage)
    #expect(view.scroller.contentOffset.y == 40 && !view.isFirstResponder)
    view.becomeFirstResponder()
    view.insertText("!")
    stage.window.layoutIfNeeded()
    let caret = view.caretFrame
    #expect(caret.maxY <= view.bounds.maxY && caret.minY > 0 && view.scroller.contentOffset.y > 300)
  }

  @Test func `a keyboard on the screen covers the lower part, and the caret stays above it`() {
    let keyboard = KeyboardView(id: "keys")
    keyboard.placesItself = true
    stage.add(keyboard)
    view.frame = LocalRect(x: 0, y: 40, width: 400, height: 360)
    view.text = (0..<12).map { "line \($0)" }.joined(separator: "\n")
    stage.window.layoutIfNeeded()
    view.becomeFirstResponder()
    stage.window.layoutIfNeeded()
    #expect(view.windowFrame.minY == 40, "the window is not moved")
    #expect(view.windowFrame.minY + view.caretFrame.maxY <= keyboard.layoutRect.minY)
    view.resignFirstResponder()
    #expect(view.scroller.contentInset.bottom == 0)
  }

  @Test func `two taps select a word and show a menu, with which it is cut, copied and pasted`() throws {
    view.text = "one two"
    tap(100 + 12 + 8 * 5, 120, count: 2)
    #expect(view.selection == 4..<7)
    func menu() -> [Button] {
      stage.window.subviews.compactMap { $0 as? EditMenu }.flatMap(\.arrangedSubviews).compactMap {
        $0 as? Button
      }
    }
    #expect(menu().map(\.text) == ["Cut", "Copy"])
    let bar = try #require(stage.window.subviews.last as? EditMenu)
    #expect(bar.frame.maxY <= 112 && bar.frame.minX >= 0, "above the selection")
    menu()[0].send(.touchUpInside)
    #expect(view.text == "one " && stage.window.pasteboard == "two" && menu().isEmpty)
    tap(100 + 12, 120)
    tap(100 + 12, 120)
    #expect(menu().map(\.text) == ["Paste"], "a tap on the caret")
    menu()[0].send(.touchUpInside)
    #expect(view.text == "twoone " && view.selection == 3..<3)
    view.resignFirstResponder()
    #expect(menu().isEmpty)
  }

  @Test func `keys copy, cut, paste and select all, in fields too, but nothing of a secret`() {
    let field = TextField(id: "field", frame: LocalRect(x: 0, y: 0, width: 100, height: 44))
    stage.add(field)
    field.text = "name"
    field.becomeFirstResponder()
    press(KeyCode(name: "a")!, "a", .control)
    press(KeyCode(name: "c")!, "c", .control)
    #expect(stage.window.pasteboard == "name" && field.selection == 0..<4)
    press(KeyCode(name: "v")!, "v", .control)
    press(KeyCode(name: "v")!, "м", .control)
    #expect(field.text == "namename", "the letter of a plain keyboard where the layout has no Latin ones")
    field.selectAll()
    press(KeyCode(name: "x")!, "x", .control)
    #expect(field.text.isEmpty && stage.window.pasteboard == "namename")
    field.text = "secret"
    field.isSecure = true
    field.selectAll()
    field.copy()
    field.cut()
    #expect(stage.window.pasteboard == "namename" && field.text == "secret")
    view.becomeFirstResponder()
    stage.window.pasteboard = "a\nb"
    press(KeyCode(name: "v")!, "v", .control)
    #expect(view.text == "a\nb")
    #expect(view.kind == .textView && field.kind == .textField)
  }

  @Test func `a limit cuts what is typed, and ten thousand letters are the most`() {
    view.limit = 5
    view.insertText("1234567")
    #expect(view.text == "12345")
    view.limit = nil
    view.text = String(repeating: "x", count: 20_000)
    #expect(view.buffer.letters.count == 10_000)
  }
}
