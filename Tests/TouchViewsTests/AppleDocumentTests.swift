import StageSupport
import Testing
import TouchCore
import TouchViews

/// What Apple's documents say of text fields, first responders, presses and focus, each with its source.
@Suite struct AppleDocumentTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let rule: String
    /// Below https://developer.apple.com/documentation/uikit/
    let source: String
    let expected: [String]
    /// What happens, in words.
    let happens: @Sendable (Scene) -> Void

    init(
      _ rule: String, _ source: String, _ expected: [String], _ happens: @escaping @Sendable (Scene) -> Void
    ) {
      (self.rule, self.source, self.expected, self.happens) = (rule, source, expected, happens)
    }

    var testDescription: String { rule }
  }

  @Test(arguments: rows)
  func `it is as Apple's documents say`(_ row: Row) {
    let scene = Scene()
    row.happens(scene)
    #expect(scene.diary.lines == row.expected)
  }

  // MARK: - Who is asked, and what is written down

  /// What happened, in the order in which it did.
  final class Diary {
    var lines: [String] = []
    func note(_ line: String) { lines.append(line) }
  }

  /// A view that notes what it is told.
  final class Noter: View {
    let diary: Diary
    var allows = true
    var preferred: [View] = []
    init(_ id: String, _ diary: Diary, _ frame: LocalRect) {
      self.diary = diary
      super.init(id: id, frame: frame)
    }
    override var preferredFocusEnvironments: [View] { preferred }
    override func shouldUpdateFocus(in context: FocusUpdateContext) -> Bool {
      diary.note("\(id) should")
      return allows
    }
    override func didUpdateFocus(in context: FocusUpdateContext) {
      diary.note(
        "\(id) did \(context.previous?.view.id ?? "nil") → \(context.next?.view.id ?? "nil")")
    }
    override func pressesBegan(_ presses: [Press], with event: PressesEvent) -> Disposition {
      note("began", presses, event)
      return .forward
    }
    override func pressesChanged(_ presses: [Press], with event: PressesEvent) -> Disposition {
      note("changed", presses, event)
      return .forward
    }
    override func pressesEnded(_ presses: [Press], with event: PressesEvent) -> Disposition {
      note("ended", presses, event)
      return .forward
    }
    override func pressesCancelled(_ presses: [Press], with event: PressesEvent) -> Disposition {
      note("cancelled", presses, event)
      return .forward
    }
    private func note(_ phase: String, _ presses: [Press], _ event: PressesEvent) {
      let others = event.allPresses.filter { $0 !== presses[0] }.map { "\($0.key.keyCode.name) \($0.phase)" }
      diary.note(([id, phase, presses[0].key.keyCode.name] + others).joined(separator: " "))
    }
  }

  /// A responder that is asked whether it resigns.
  final class Paper: View {
    var stays = false
    override var canBecomeFirstResponder: Bool { true }
    override var canResignFirstResponder: Bool { !stays }
  }

  final class Delegate: TextFieldDelegate {
    let diary: Diary
    var refused: Set<String> = []
    init(_ diary: Diary) { self.diary = diary }
    private func ask(_ field: TextField, _ what: String, _ more: String = "") -> Bool {
      diary.note("\(field.id) \(what)\(more)")
      return !refused.contains(what)
    }
    func textFieldShouldBeginEditing(_ textField: TextField) -> Bool { ask(textField, "shouldBegin") }
    func textFieldDidBeginEditing(_ textField: TextField) { diary.note("\(textField.id) didBegin") }
    func textFieldShouldEndEditing(_ textField: TextField) -> Bool { ask(textField, "shouldEnd") }
    func textFieldDidEndEditing(_ textField: TextField) { diary.note("\(textField.id) didEnd") }
    func textField(
      _ textField: TextField, shouldChangeCharactersIn range: Range<Int>, replacementString string: String
    ) -> Bool {
      ask(textField, "shouldChange", " \(range.lowerBound)..<\(range.upperBound) \(string)")
    }
    var hearsSelection = false
    func textFieldDidChangeSelection(_ textField: TextField) {
      if hearsSelection { diary.note("\(textField.id) selection \(textField.selection)") }
    }
    func textFieldShouldClear(_ textField: TextField) -> Bool { ask(textField, "shouldClear") }
    func textFieldShouldReturn(_ textField: TextField) -> Bool { ask(textField, "shouldReturn") }
  }

  /// Two fields, a group with two views that can be focused, and a third one beside it.
  final class Scene {
    let diary = Diary()
    let stage = Stage()
    let delegate: Delegate
    let a, b: TextField
    let group, one, two, aside: Noter

    init() {
      delegate = Delegate(diary)
      a = TextField(id: "a", frame: LocalRect(x: 0, y: 200, width: 200, height: 44))
      b = TextField(id: "b", frame: LocalRect(x: 0, y: 250, width: 200, height: 44))
      group = Noter("group", diary, LocalRect(x: 0, y: 0, width: 200, height: 100))
      one = Noter("one", diary, LocalRect(x: 0, y: 0, width: 50, height: 50))
      two = Noter("two", diary, LocalRect(x: 100, y: 0, width: 50, height: 50))
      aside = Noter("aside", diary, LocalRect(x: 300, y: 0, width: 50, height: 50))
      for view in [group, a, b, aside] { stage.add(view) }
      for view in [one, two] { stage.add(view, to: group) }
      for view in [one, two, aside] { view.isFocusable = true }
      for field in [a, b] { field.delegate = delegate }
    }

    var system: FocusSystem { stage.window.focusSystem }

    func note(_ value: some Any) { diary.note("\(value)") }

    /// Without what was noted on the way.
    func focus(_ view: View) {
      system.focus(.init(view))
      diary.lines = []
    }

    /// The same for a field.
    func edit(_ field: TextField) {
      field.becomeFirstResponder()
      diary.lines = []
      _ = stage.diary.take()
    }

    func noteActions() { for line in stage.diary.take() where line.hasPrefix("a.editing") { note(line) } }
  }

  // MARK: - The rows

  static let rows = textFields + responders + presses + focus

  private static let textFields = [
    Row(
      "The next field is asked before the one that is edited, which ends before the next one begins.",
      "uitextfielddelegate", ["b shouldBegin", "a shouldEnd", "a didEnd", "b didBegin"]
    ) {
      $0.edit($0.a)
      $0.b.becomeFirstResponder()
    },
    Row(
      "A field that may not begin is no first responder, and the one before stays.",
      "uitextfielddelegate/textfieldshouldbeginediting(_:)", ["b shouldBegin", "false", "true"]
    ) {
      $0.edit($0.a)
      $0.delegate.refused = ["shouldBegin"]
      $0.note($0.b.becomeFirstResponder())
      $0.note($0.a.isFirstResponder)
    },
    Row(
      "A field that may not end stays the first responder.",
      "uitextfielddelegate/textfieldshouldendediting(_:)", ["b shouldBegin", "a shouldEnd", "false", "true"]
    ) {
      $0.edit($0.a)
      $0.delegate.refused = ["shouldEnd"]
      $0.note($0.b.becomeFirstResponder())
      $0.note($0.a.isFirstResponder)
    },
    Row(
      "Before a change the delegate has the range and what takes its place, and may refuse it.",
      "uitextfielddelegate/textfield(_:shouldchangecharactersin:replacementstring:)",
      ["a shouldChange 0..<0 hi", "a shouldChange 1..<2 ", "a shouldChange 0..<1 x", "h"]
    ) {
      $0.edit($0.a)
      $0.a.insertText("hi")
      $0.a.deleteBackward()
      $0.a.selectAll()
      $0.delegate.refused = ["shouldChange"]
      $0.a.insertText("x")
      $0.note($0.a.text)
    },
    Row(
      "The clear button asks first.", "uitextfielddelegate/textfieldshouldclear(_:)",
      ["a shouldClear", "hi", "a shouldClear", ""]
    ) {
      $0.a.text = "hi"
      $0.edit($0.a)
      $0.delegate.refused = ["shouldClear"]
      $0.a.clear()
      $0.note($0.a.text)
      $0.delegate.refused = []
      $0.a.clear()
      $0.note($0.a.text)
    },
    Row(
      "A field that clears when editing begins asks first.", "uitextfield/clearsonbeginediting",
      [
        "a shouldBegin", "a didBegin", "a shouldClear", "old", "a shouldBegin", "a didBegin", "a shouldClear",
        "",
      ]
    ) {
      $0.a.text = "old"
      $0.a.clearsOnBeginEditing = true
      for refused in [["shouldClear"], []] as [Set<String>] {
        $0.delegate.refused = refused
        $0.a.becomeFirstResponder()
        $0.note($0.a.text)
        $0.stage.window.endEditing(true)
        $0.diary.lines.removeAll { $0 == "a didEnd" }
      }
    },
    Row(
      "The delegate hears of each other selection, by typing, by keys and by a program.",
      "uitextfielddelegate/textfielddidchangeselection(_:)",
      ["a selection 2..<2", "a selection 1..<1", "a selection 0..<2", "a selection 1..<1"]
    ) {
      $0.edit($0.a)
      $0.delegate.hearsSelection = true
      $0.a.insertText("hi")
      $0.stage.press(.left)
      $0.a.selectAll()
      $0.a.selection = 0..<2
      $0.a.insertText("x")
      $0.diary.lines.removeAll { !$0.contains("selection") }
    },
    Row(
      "The return key asks first; false leaves the field as it is.",
      "uitextfielddelegate/textfieldshouldreturn(_:)",
      ["a shouldReturn", "true", "a shouldReturn", "a shouldEnd", "a didEnd"]
    ) {
      $0.edit($0.a)
      $0.delegate.refused = ["shouldReturn"]
      $0.a.insertText("\n")
      $0.note($0.a.isFirstResponder)
      $0.delegate.refused = []
      $0.a.insertText("\n")
    },
    Row(
      "A change that is typed sends editingChanged once; a program that sets the text sends nothing.",
      "uicontrol/event/editingchanged", ["a.editingChanged", "a.editingChanged"]
    ) {
      $0.a.delegate = nil
      $0.edit($0.a)
      $0.a.text = "set"
      $0.a.insertText("typed")
      $0.a.deleteBackward()
      $0.noteActions()
    },
    Row(
      "What is inserted clears the text where clearsOnInsertion is set, which is false then.",
      "uitextfield/clearsoninsertion", ["new", "false", "new!"]
    ) {
      $0.a.delegate = nil
      $0.a.text = "old"
      $0.edit($0.a)
      $0.a.clearsOnInsertion = true
      $0.a.insertText("new")
      $0.note($0.a.text)
      $0.note($0.a.clearsOnInsertion)
      $0.a.insertText("!")
      $0.note($0.a.text)
    },
    Row(
      "A secure text is cleared when it is typed or deleted in again.", "uitextfield/issecuretextentry",
      ["x", ""]
    ) {
      $0.a.delegate = nil
      $0.a.isSecure = true
      var texts: [String] = []
      for key in ["x", ""] {
        $0.a.text = "secret"
        $0.edit($0.a)
        if key.isEmpty { $0.a.deleteBackward() } else { $0.a.insertText(key) }
        texts.append($0.a.text)
        $0.a.resignFirstResponder()
      }
      $0.diary.lines = texts
    },
    Row(
      "A letter is deleted as people see it: an emoji with its parts, a letter with its accent.",
      "uikeyinput/deletebackward()", ["a👨‍👩‍👧", "a", ""]
    ) {
      $0.a.delegate = nil
      $0.a.text = "a👨‍👩‍👧e\u{301}"
      $0.edit($0.a)
      for _ in 0..<3 {
        $0.a.deleteBackward()
        $0.note($0.a.text)
      }
    },
  ]

  private static let responders = [
    Row(
      "A view is no first responder unless it says that it can be; one that is may resign.",
      "uiresponder/canbecomefirstresponder", ["false", "true"]
    ) {
      $0.note($0.group.becomeFirstResponder())
      $0.note($0.group.canResignFirstResponder)
    },
    Row(
      "A view outside of a window does not become it.", "uiresponder/becomefirstresponder()", ["false"]
    ) {
      $0.note(TextField(id: "loose").becomeFirstResponder())
    },
    Row(
      "One that does not resign keeps another from becoming it.", "uiresponder/resignfirstresponder()",
      ["false", "true"]
    ) {
      let paper = $0.stage.add(Paper(id: "paper", frame: LocalRect(x: 0, y: 300, width: 10, height: 10)))
      paper.becomeFirstResponder()
      paper.stays = true
      $0.a.delegate = nil
      $0.note($0.a.becomeFirstResponder())
      $0.note(paper.isFirstResponder)
    },
    Row(
      "endEditing(_:) finds the first responder in a view, asks it, and does not ask it with force.",
      "uiview/endediting(_:)", ["a shouldEnd", "false", "a didEnd", "true"]
    ) {
      $0.edit($0.a)
      $0.delegate.refused = ["shouldEnd"]
      $0.note($0.stage.window.endEditing(false))
      $0.note($0.stage.window.endEditing(true))
    },
  ]

  private static let presses = [
    Row(
      "A press goes to what is focused and up the chain; each that got began gets ended.",
      "uiresponder/pressesbegan(_:with:)",
      ["one began f1", "group began f1", "one ended f1", "group ended f1"]
    ) {
      $0.focus($0.one)
      $0.stage.press(KeyCode(rawValue: 59))
    },
    Row(
      "A key that is held is a press that changes.", "uiresponder/presseschanged(_:with:)",
      ["one began f1", "group began f1", "one changed f1", "group changed f1"]
    ) {
      $0.focus($0.one)
      $0.stage.key(.began, KeyCode(rawValue: 59))
      $0.stage.key(.repeated, KeyCode(rawValue: 59))
    },
    Row(
      "A press is cancelled where its view leaves, and has no other end.",
      "uiresponder/pressescancelled(_:with:)",
      ["one began f1", "group began f1", "one cancelled f1", "group cancelled f1"]
    ) {
      $0.focus($0.one)
      $0.stage.key(.began, KeyCode(rawValue: 59))
      $0.one.removeFromSuperview()
      $0.stage.key(.ended, KeyCode(rawValue: 59))
      $0.diary.lines.removeAll { !$0.hasSuffix("f1") }
    },
    Row(
      "A press ends where it began, though the focus has moved.", "uiresponder/pressesended(_:with:)",
      ["one began f1", "group began f1", "one ended f1", "group ended f1"]
    ) {
      $0.focus($0.one)
      $0.stage.key(.began, KeyCode(rawValue: 59))
      $0.system.focus(.init($0.aside))
      $0.stage.key(.ended, KeyCode(rawValue: 59))
      $0.diary.lines.removeAll { !$0.hasSuffix("f1") }
    },
    Row(
      "An event has all presses; those that did not change are stationary.", "uipress/phase/stationary",
      ["one began f1", "group began f1", "one began f2 f1 stationary", "group began f2 f1 stationary"]
    ) {
      $0.focus($0.one)
      $0.stage.key(.began, KeyCode(rawValue: 59))
      $0.stage.key(.began, KeyCode(rawValue: 60))
    },
    Row(
      "Arrows move the caret of a field that is edited, and the focus stays.", "uitextfield",
      ["2..<2", "1..<2", "0..<0", "3..<3", "a"]
    ) {
      $0.a.delegate = nil
      $0.a.text = "abc"
      $0.focus($0.a)
      $0.edit($0.a)
      $0.stage.press(.left)
      $0.note($0.a.selection)
      $0.stage.press(.left, with: .shift)
      $0.note($0.a.selection)
      $0.stage.press(.up)
      $0.note($0.a.selection)
      $0.stage.press(.down)
      $0.note($0.a.selection)
      $0.note($0.stage.focused ?? "nothing")
    },
  ]

  private static let focus = [
    Row(
      "Everything around what had the focus and what gets it is asked, from the inside out, and told afterwards, each once.",
      "uifocusenvironment/didupdatefocus(in:with:)",
      [
        "one should", "group should", "two should", "one did one → two", "group did one → two",
        "two did one → two",
      ]
    ) {
      $0.focus($0.one)
      $0.system.move(.right)
    },
    Row(
      "One that refuses keeps the focus where it is, and nobody is told.",
      "uifocusenvironment/shouldupdatefocus(in:)", ["one should", "group should", "one"]
    ) {
      $0.focus($0.one)
      $0.group.allows = false
      $0.system.move(.right)
      $0.note($0.stage.focused ?? "nothing")
    },
    Row(
      "What an environment prefers is focused first, in its order, as deep as they prefer something.",
      "uifocusenvironment/preferredfocusenvironments", ["two"]
    ) {
      $0.aside.isFocusable = false
      $0.group.preferred = [$0.aside, $0.two, $0.one]
      $0.system.requestUpdate(to: $0.group)
      $0.system.updateIfNeeded()
      $0.diary.lines = []
      $0.note($0.stage.focused ?? "nothing")
    },
    Row(
      "An environment that the focus is not in asks for no update.",
      "uifocusenvironment/setneedsfocusupdate()", ["aside", "two"]
    ) {
      $0.group.preferred = [$0.two]
      var focused: [String] = []
      for start in [$0.aside, $0.one] {
        $0.focus(start)
        $0.group.setNeedsFocusUpdate()
        $0.group.updateFocusIfNeeded()
        focused.append($0.stage.focused ?? "nothing")
      }
      $0.diary.lines = focused
    },
    Row(
      "What cannot become focused is passed over.", "uifocusitem/canbecomefocused", ["false", "one"]
    ) {
      $0.focus($0.one)
      $0.aside.isFocusable = false
      $0.note($0.system.focus(.init($0.aside)))
      $0.note($0.stage.focused ?? "nothing")
    },
    Row(
      "A view that is hidden, transparent or takes no touches cannot be focused, nor what is in it.",
      "uiview/canbecomefocused", ["false false", "false false", "false false", "true true"]
    ) { scene in
      let changes: [(View) -> Void] = [
        { $0.isHidden = true }, { ($0.isHidden, $0.alpha) = (false, 0) },
        { ($0.alpha, $0.isUserInteractionEnabled) = (1, false) }, { $0.isUserInteractionEnabled = true },
      ]
      var found: [String] = []
      for change in changes {
        scene.focus(scene.aside)
        change(scene.group)
        change(scene.b)
        found.append("\(scene.system.focus(.init(scene.one))) \(scene.system.focus(.init(scene.b)))")
      }
      scene.diary.lines = found
    },
    Row(
      "Where the last item goes, what was around it is told that nothing has the focus.",
      "uifocusupdatecontext/nextfocuseditem", ["one did one → nil", "group did one → nil", "nothing"]
    ) {
      for view in [$0.a, $0.b] { view.removeFromSuperview() }
      for view in [$0.two, $0.aside] { view.isFocusable = false }
      $0.focus($0.one)
      $0.one.removeFromSuperview()
      $0.system.updateIfNeeded()
      $0.note($0.stage.focused ?? "nothing")
    },
  ]
}
