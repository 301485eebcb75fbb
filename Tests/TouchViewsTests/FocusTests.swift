import StageSupport
import Testing
import TouchCore
import TouchViews

/// How the focus moves, and what keys do to what is focused: UIKit's rules, with where they are from.
@Suite
struct FocusTests {
  private let stage = Stage()
  private var system: FocusSystem { stage.window.focusSystem }

  @discardableResult
  private func button(
    _ id: String, _ x: Double, _ y: Double, _ width: Double = 50, _ height: Double = 50,
    in parent: View? = nil
  ) -> Button {
    stage.add(Button(id: id, frame: LocalRect(x: x, y: y, width: width, height: height)), to: parent)
  }

  /// Presses keys by name, and says what is focused then.
  private func after(_ keys: String) -> String? {
    for key in keys.split(separator: " ") {
      if key == "shift+tab" {
        stage.press(.tab, with: .shift)
      } else if let code = KeyCode(name: String(key)) {
        stage.press(code)
      }
    }
    return stage.focused
  }

  // MARK: Which way

  @Test
  func `the first key shows the first view, and moves nothing`() {
    button("a", 0, 0)
    button("b", 100, 0)
    #expect(stage.focused == nil)
    #expect(after("right") == "a")
    #expect(after("right") == "b")
  }

  /// The nearest in the direction; what lies straight ahead before what lies aside ("The focus engine … looks
  /// in the direction of the movement": App Programming Guide for tvOS, Controlling the User Interface with
  /// the Apple TV Remote).
  @Test(arguments: [
    ("right", "e"), ("left", "w"), ("up", "n"), ("down", "s"),
  ])
  func `an arrow leads to the nearest view in its direction`(_ key: String, _ id: String) {
    // Nearer, but aside.
    button("ne", 230, 110)
    button("m", 175, 175)
    button("e", 330, 175)
    button("w", 10, 175)
    button("n", 175, 10)
    button("s", 175, 340)
    system.focus(.init(stage.window.view(id: "m")!))
    _ = after("tab shift+tab")
    #expect(after(key) == id)
  }

  @Test
  func `what lies aside is reached where nothing lies straight ahead, and nothing lies behind`() {
    button("m", 100, 100)
    button("aside", 200, 200)
    system.focus(.init(stage.window.view(id: "m")!))
    #expect(after("right") == "aside")
    #expect(after("right") == "aside")
    #expect(after("left") == "m")
  }

  @Test
  func `a view says itself where the focus goes`() {
    let a = button("a", 0, 0)
    button("b", 100, 0)
    button("c", 200, 0)
    a.nextFocus = [.right: "c", .next: "c"]
    #expect(after("tab right") == "c")
    #expect(after("left left") == "a")
    #expect(after("tab") == "c")
  }

  @Test
  func `tab and the steps of an encoder go round, in the order of the tree`() {
    button("a", 100, 100)
    button("b", 0, 0)
    button("c", 200, 0).isEnabled = false
    button("d", 0, 200)
    #expect(after("tab") == "b")
    #expect(after("tab") == "d")
    #expect(after("turn_right") == "a")
    #expect(after("turn_right") == "b")
    #expect(after("turn_left") == "a")
    #expect(after("shift+tab") == "d")
  }

  /// "By default, the focus engine picks the view nearest to the upper-left corner" (App Programming Guide
  /// for tvOS).
  @Test(arguments: [(UserInterfaceLayoutDirection.leftToRight, "left"), (.rightToLeft, "right")])
  func `the first view is the one where reading begins, whatever the order of the file`(
    _ direction: UserInterfaceLayoutDirection, _ id: String
  ) {
    stage.window.layoutDirection = direction
    button("below", 0, 90, 400)
    button("right", 350, 4)
    button("middle", 200, 0)
    button("left", 0, 6)
    #expect(after("tab") == id)
  }

  @Test
  func `what is at the end of the first row comes before what is below it`() {
    button("below", 0, 100)
    button("end", 340, 10)
    #expect(after("tab") == "end")
  }

  @Test
  func `a sheet that comes is focused where reading begins in it`() {
    button("a", 0, 0)
    _ = after("tab")
    let sheet = SheetView(id: "sheet", frame: LocalRect(x: 50, y: 200, width: 300, height: 150))
    button("last", 200, 90, in: sheet)
    button("first", 10, 10, in: sheet)
    sheet.present(over: stage.window)
    system.updateIfNeeded()
    #expect(stage.focused == "first")
  }

  @Test
  func `where the view that a view names cannot be focused, the focus goes where it would without the name`()
  {
    let a = button("a", 0, 0)
    button("b", 100, 0)
    let c = button("c", 200, 0)
    a.nextFocus = [.right: "c", .next: "gone", .down: "c"]
    system.focus(.init(a))
    #expect(after("right") == "c")
    c.isEnabled = false
    system.focus(.init(a))
    #expect(after("right") == "b")
    system.focus(.init(a))
    #expect(after("tab") == "b")
    system.focus(.init(a))
    #expect(after("down") == "a")
  }

  @Test
  func `a stack keeps an arrow as long as it can`() {
    let stack = stage.add(StackView(id: "stack", frame: LocalRect(x: 0, y: 0, width: 100, height: 300)))
    stack.arrangement.axis = .vertical
    let names = ["a", "b"]
    for (index, name) in names.enumerated() {
      button(name, 0, Double(index) * 200, 100, 50, in: stack).isArranged = false
    }
    // Between the two, beside the stack.
    button("beside", 40, 100, 60, 50)
    system.focus(.init(stage.window.view(id: "a")!))
    #expect(after("down") == "b")
  }

  // MARK: What can be focused

  @Test
  func `controls, and views that wait for a tap, are reached; labels, hidden and disabled views are not`() {
    let plain = stage.add(View(id: "plain", frame: LocalRect(x: 0, y: 0, width: 20, height: 20)))
    let tapped = stage.add(View(id: "tapped", frame: LocalRect(x: 30, y: 0, width: 20, height: 20)))
    tapped.addGestureRecognizer(TapGestureRecognizer(id: "tap"))
    let label = stage.add(Label(id: "label", frame: LocalRect(x: 60, y: 0, width: 20, height: 20)))
    button("hidden", 90, 0, 20, 20).isHidden = true
    button("told", 120, 0, 20, 20).isFocusable = false
    button("outside", 500, 0, 20, 20)
    button("last", 150, 0, 20, 20)
    #expect(after("tab") == "tapped")
    #expect(after("tab") == "last")
    plain.isFocusable = true
    #expect(after("tab") == "plain")
    #expect(!label.canBecomeFocused)
  }

  @Test
  func `the rows of a list, segments and the sides of a stepper are reached one by one`() {
    let list = stage.add(ListView(id: "list", frame: LocalRect(x: 0, y: 0, width: 100, height: 132)))
    list.rows = ["a", "b", "c"]
    let segments = stage.add(
      SegmentedControl(id: "segments", frame: LocalRect(x: 0, y: 150, width: 100, height: 32)))
    segments.segments = ["x", "y"]
    stage.add(Stepper(id: "stepper", frame: LocalRect(x: 0, y: 200, width: 94, height: 32)))
    #expect(after("tab") == "list.0")
    #expect(after("down down") == "list.2")
    #expect(after("enter") == "list.2")
    #expect(list.selectedRow == 2)
    #expect(after("down") == "segments.0")
    #expect(after("right enter") == "segments.1")
    #expect(segments.selectedIndex == 1)
    #expect(after("down enter") == "stepper.1")
    #expect(stage.window.view(id: "stepper").flatMap { $0 as? Control }?.controlValue?.number == 1)
  }

  // MARK: Acting

  @Test(arguments: ["enter", "space", "ok", "kpenter", "btn_a"])
  func `select presses what is focused, as a finger on its middle (UIPress.PressType.select)`(_ name: String)
  {
    button("a", 0, 0)
    button("b", 100, 0)
    _ = after("tab tab")
    _ = stage.diary.take()
    stage.key(.began, KeyCode(name: name)!)
    #expect(stage.diary.take().contains("b.touchDown"))
    stage.key(.ended, KeyCode(name: name)!)
    #expect(stage.diary.take().contains("b.touchUpInside"))
  }

  @Test
  func `a press that is broken off cancels what it presses`() {
    button("a", 0, 0)
    _ = after("tab")
    stage.key(.began, .enter)
    stage.presses.cancelAll(at: stage.time)
    let lines = stage.diary.take()
    #expect(lines.contains("a.touchCancel"))
    #expect(!lines.contains("a.touchUpInside"))
  }

  @Test
  func `a key presses what is focused, whatever lies over its middle`() {
    button("a", 0, 0)
    stage.add(View(id: "cover", frame: LocalRect(x: 10, y: 10, width: 400, height: 400)))
    _ = after("tab enter")
    #expect(stage.diary.take().contains("a.touchUpInside"))
  }

  @Test
  func `on a slider press edits, turning changes, and press ends it`() {
    let slider = stage.add(Slider(id: "slider", frame: LocalRect(x: 0, y: 0, width: 200, height: 40)))
    slider.controlValue = ControlValue(0.5, minimum: 0, maximum: 1, step: 0.1)
    button("b", 0, 100)
    #expect(after("turn_right enter turn_right turn_right") == "slider")
    #expect(slider.controlValue?.text == "0.7")
    #expect(stage.diary.take().filter { $0 == "slider.valueChanged" }.count == 2)
    #expect(after("turn_left") == "slider")
    #expect(slider.controlValue?.text == "0.6")
    #expect(after("enter turn_right") == "b")
    #expect(slider.controlValue?.text == "0.6")
  }

  @Test
  func `the key that leads back ends the editing first`() {
    let slider = stage.add(Slider(id: "slider", frame: LocalRect(x: 0, y: 0, width: 200, height: 40)))
    slider.controlValue = ControlValue(0.9, minimum: 0, maximum: 1, step: 0.1)
    _ = after("tab enter")
    #expect(system.isEditing)
    // With one key, the end leads to the beginning.
    _ = after("tab tab")
    #expect(slider.controlValue?.number == 0)
    _ = after("escape")
    #expect(!system.isEditing)
  }

  @Test
  func `the wheels of a picker are edited one by one`() {
    let picker = stage.add(PickerView(id: "picker", frame: LocalRect(x: 0, y: 0, width: 200, height: 200)))
    picker.mode = .time
    picker.controlValue?.number = 61
    #expect(after("tab right") == "picker.1")
    _ = after("enter turn_right turn_right enter left enter down")
    #expect(picker.shownValue == "00:03")
    #expect(stage.diary.take().contains("picker.valueChanged"))
  }

  @Test
  func `a switch is turned over`() {
    let control = stage.add(Switch(id: "switch", frame: LocalRect(x: 0, y: 0, width: 51, height: 31)))
    _ = after("tab enter")
    #expect(control.isOn)
  }

  // MARK: Fields

  private final class Field: Control, KeyInput {
    var text = ""
    var hasText: Bool { !text.isEmpty }
    override var canBecomeFirstResponder: Bool { true }
    func insertText(_ text: String) { self.text += text }
    func deleteBackward() {}
  }

  @Test
  func `tab goes on from the field that is typed into, and typing with it`() {
    button("a", 0, 0)
    let fields = (0..<2).map { index in
      stage.add(
        Field(
          id: "field\(index)", frame: LocalRect(x: 0, y: 100 + Double(index) * 50, width: 100, height: 30)))
    }
    // As a finger chooses it.
    fields[0].becomeFirstResponder()
    stage.press(KeyCode(name: "x")!, typing: "x")
    #expect(after("tab") == "field1")
    stage.press(KeyCode(name: "y")!, typing: "y")
    #expect(fields.map(\.text) == ["x", "y"])
    // The key that leads back leaves the field, and the focus stays.
    #expect(after("escape") == "field1")
    #expect(stage.window.firstResponder == nil)
  }

  // MARK: The ring

  @Test
  func `the ring shows while keys were used last`() {
    let a = button("a", 0, 0)
    button("b", 100, 0)
    #expect(a.focusMark == .none)
    _ = after("tab")
    #expect(a.focusMark == .focused)
    system.touchesAreUsed()
    #expect(a.focusMark == .none)
    // It shows where the focus is, and presses nothing that was not marked.
    _ = stage.diary.take()
    _ = after("enter")
    #expect(a.focusMark == .focused)
    #expect(!stage.diary.take().contains("a.touchUpInside"))
    _ = after("enter")
    #expect(stage.diary.take().contains("a.touchUpInside"))
  }

  // MARK: Where the focus stays, and where it goes

  @Test
  func `a sheet keeps the focus, and gives it back`() {
    button("a", 0, 0)
    button("b", 100, 0)
    let sheet = SheetView(id: "sheet", frame: LocalRect(x: 50, y: 200, width: 300, height: 150))
    button("ok", 10, 10, in: sheet)
    button("no", 100, 10, in: sheet)
    #expect(after("tab tab") == "b")
    sheet.present(over: stage.window)
    system.updateIfNeeded()
    #expect(stage.focused == "ok")
    #expect(after("up up left tab tab tab") == "no")
    #expect(after("escape") == "b")
    #expect(!sheet.isPresented)
  }

  @Test
  func `an alert is not closed by the key that leads back`() {
    let sheet = SheetView(id: "sheet", frame: LocalRect(x: 50, y: 200, width: 300, height: 150))
    sheet.isAlert = true
    button("ok", 10, 10, in: sheet)
    sheet.present(over: stage.window)
    #expect(after("tab escape") == "ok")
    #expect(sheet.isPresented)
  }

  @Test
  func `the focus moves on when its view goes, and stays beside it`() {
    button("a", 0, 0)
    let b = button("b", 100, 0)
    button("c", 160, 0)
    _ = after("tab tab")
    b.removeFromSuperview()
    system.updateIfNeeded()
    #expect(stage.focused == "c")
    (stage.window.view(id: "c") as? Control)?.isEnabled = false
    #expect(after("f1") == "a")
    (stage.window.view(id: "a") as? Control)?.isHidden = true
    #expect(after("f1") == nil)
  }

  @Test
  func `a page that is shown again has the focus where it was`() {
    let pages = stage.add(PagesView(id: "pages", frame: LocalRect(x: 0, y: 0, width: 400, height: 200)))
    for name in ["one", "two"] {
      let page = stage.add(View(id: name, frame: LocalRect(x: 0, y: 0, width: 400, height: 200)), to: pages)
      button(name + "-a", 0, 0, in: page)
      button(name + "-b", 100, 0, in: page)
    }
    #expect(after("tab tab") == "one-b")
    pages.page = stage.window.view(id: "two")
    system.updateIfNeeded()
    #expect(stage.focused == "two-a")
    pages.page = stage.window.view(id: "one")
    system.updateIfNeeded()
    #expect(stage.focused == "one-b")
  }

  @Test
  func `what is focused is scrolled into view, and arrows scroll where nothing is left`() {
    let scroll = stage.add(ScrollView(id: "scroll", frame: LocalRect(x: 0, y: 0, width: 100, height: 100)))
    scroll.contentSize = Size(width: 100, height: 600)
    button("a", 0, 0, in: scroll)
    button("b", 0, 200, in: scroll)
    #expect(after("down down") == "b")
    #expect(scroll.contentOffset.y == 158)
    #expect(after("down") == "b")
    #expect(scroll.contentOffset.y == 206)
    #expect(after("up") == "a")
    #expect(scroll.contentOffset.y == 0)
  }

  @Test
  func `a view may refuse to let the focus go (UIFocusEnvironment.shouldUpdateFocus(in:))`() {
    final class Keeper: View {
      override func shouldUpdateFocus(in context: FocusUpdateContext) -> Bool {
        context.previous == nil || context.next?.view.isDescendant(of: self) ?? false
      }
    }
    let keeper = stage.add(Keeper(id: "keeper", frame: LocalRect(x: 0, y: 0, width: 100, height: 100)))
    button("in", 0, 0, in: keeper)
    button("out", 200, 0)
    #expect(after("tab tab") == "in")
  }

  // MARK: What is not seen

  @Test
  func `what a view in front covers is not reached, nor pressed, where a finger would find that view`() {
    button("a", 10, 10)
    button("b", 10, 100)
    let shade = View(id: "shade", frame: LocalRect(x: 0, y: 0, width: 400, height: 400))
    button("ok", 150, 200, in: shade)
    #expect(after("tab") == "a")
    stage.add(shade)
    // Its ring is gone, so that the press only shows where the focus went.
    _ = stage.diary.take()
    #expect(after("enter") == "ok")
    #expect(!stage.diary.take().contains { $0.hasSuffix("touchUpInside") })
    #expect(after("tab tab shift+tab up left down right") == "ok")
    #expect(after("enter") == "ok" && stage.diary.take().contains("ok.touchUpInside"))
    system.focus(.init(stage.window.view(id: "b")!))
    #expect(stage.focused == "ok")
    // What no finger finds covers nothing.
    shade.isUserInteractionEnabled = false
    #expect(after("tab tab") == "b")
  }

  @Test
  func `a corner that is seen is enough, and what lies behind covers nothing`() {
    let panel = stage.add(View(id: "panel", frame: LocalRect(x: 0, y: 0, width: 100, height: 40)))
    stage.window.insertSubview(
      View(id: "picture", frame: LocalRect(x: 0, y: 0, width: 400, height: 400)), at: 0)
    // It sticks out of its superview, where fingers find the picture behind both.
    button("out", 10, 60, in: panel)
    button("corner", 200, 0)
    stage.add(View(id: "cover", frame: LocalRect(x: 150, y: 0, width: 90, height: 40)))
    #expect(after("tab") == "corner")
    #expect(after("tab") == "out")
    #expect(after("tab") == "corner")
    #expect(after("enter") == "corner" && stage.diary.take().contains("corner.touchUpInside"))
  }

  @Test
  func `what is clipped away is not reached, and what is left of it counts`() {
    button("a", 10, 10)
    let box = stage.add(View(id: "box", frame: LocalRect(x: 0, y: 60, width: 200, height: 50)))
    box.clipsToBounds = true
    button("gone", 10, 100, in: box)
    // What is left of it ends above d.
    button("half", 20, 25, 50, 200, in: box)
    button("c", 10, 250)
    button("d", 200, 120)
    button("e", 10, 130, 20, 20)
    #expect(after("tab down") == "half")
    #expect(after("tab tab tab tab") == "a")
    system.focus(.init(stage.window.view(id: "d")!))
    #expect(after("left") == "e")
    #expect(after("up") == "half")
  }

  @Test
  func `an arrow from outside leads to what is seen of a scroll view, and tab to all that it scrolls to`() {
    let scroll = stage.add(ScrollView(id: "scroll", frame: LocalRect(x: 0, y: 100, width: 200, height: 100)))
    let rows = (0..<8).map { button("r\($0)", 0, Double($0) * 50, 200, 50, in: scroll) }
    button("right", 300, 20)
    button("below", 300, 300)
    system.focus(.init(stage.window.view(id: "right")!))
    _ = after("f1")
    scroll.contentOffset = LocalPoint(x: 0, y: 150)
    stage.window.layoutIfNeeded()
    // The first row lies above, but has been scrolled away.
    #expect(after("f1 tab shift+tab") == "right")
    scroll.contentOffset = LocalPoint(x: 0, y: 150)
    stage.window.layoutIfNeeded()
    #expect(after("up") == "right" && scroll.contentOffset.y == 150)
    #expect(after("left") == "r3")
    // Inside, what can be scrolled to is reached.
    #expect(after("up up up") == "r0")
    #expect(scroll.contentOffset.y == 0)
    #expect(after("down down down down") == "r4")
    system.focus(.init(rows[7]))
    #expect(after("tab") == "right")
    #expect(after("tab tab") == "r0")
    #expect(scroll.contentOffset.y == 0)
  }

  @Test
  func
    `a bar over the end of a scroll view keeps nothing in it from being reached, and one over all of it does`()
  {
    let scroll = stage.add(ScrollView(id: "scroll", frame: LocalRect(x: 0, y: 0, width: 200, height: 100)))
    for row in 0..<4 { button("r\(row)", 0, Double(row) * 50, 200, 50, in: scroll) }
    let bar = stage.add(View(id: "bar", frame: LocalRect(x: 0, y: 50, width: 200, height: 50)))
    #expect(after("tab tab") == "r1")
    #expect(after("tab tab tab") == "r0")
    bar.layoutRect = LocalRect(x: 0, y: 0, width: 200, height: 100)
    button("b", 300, 0)
    #expect(after("tab") == "b")
    #expect(after("tab left") == "b")
  }
}
