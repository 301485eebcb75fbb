import StageSupport
import Testing

@testable import TouchCore
@testable import TouchViews

/// What pictures show on the way, and what everything else finds meanwhile.
@Suite struct AnimatorTests {
  private let stage = Stage()
  private let box: View

  init() {
    box = stage.add(View(id: "box", frame: LocalRect(x: 0, y: 0, width: 100, height: 100)))
  }

  /// What a picture shows now.
  private func seen<Value>(_ read: (View) -> Value) -> Value {
    stage.window.animator?.step(to: stage.time)
    return stage.window.animator?.presenting { read(box) } ?? read(box)
  }

  private var seenX: Double { seen { $0.layoutRect.minX } }

  private func move(to x: Double, _ timing: Timing, _ completion: ((Bool) -> Void)? = nil) {
    stage.window.animate(timing, { box.layoutRect.origin.x = x }, completion: completion)
    stage.rest(seconds: 0.001)
  }

  private let second = Timing(1, curve: .linear)

  @Test func `pictures show the way, while touches find the view where it goes`() {
    move(to: 200, second)
    #expect(box.layoutRect.minX == 200 && seenX == 0)
    stage.rest(seconds: 0.5)
    #expect(seenX == 100)
    #expect(box.layoutRect.minX == 200 && box.frame.minX == 200)
    stage.tap(250, 50)
    #expect(stage.diary.hits == ["box"])
    stage.tap(50, 50)
    #expect(stage.diary.hits == ["box", "window"])
    stage.rest(seconds: 0.5)
    #expect(seenX == 200)
    #expect(stage.dispatcher.deadline == nil && stage.window.animator?.nextStep == nil)
  }

  @Test func `everything that moves has its way`() {
    let (bar, label) = (ProgressView(id: "bar"), Label(id: "label"))
    let control = Switch(id: "switch")
    for view in [bar, label, control] { stage.add(view) }
    box.background = Color(red: 0, green: 0, blue: 0)
    label.textStyle.color = Color(red: 0, green: 0, blue: 0)
    stage.window.animate(second) {
      box.frame = LocalRect(x: 10, y: 20, width: 200, height: 50)
      box.bounds.origin = LocalPoint(x: 0, y: 40)
      box.transform = .rotation(degrees: 90)
      box.alpha = 0.5
      box.background = Color(red: 200, green: 100, blue: 50)
      box.cornerRadius = 10
      bar.controlValue?.number = 0.5
      bar.colors.tint = Color(red: 0, green: 0, blue: 0)
      label.textStyle.color = Color(red: 100, green: 100, blue: 100)
      control.isOn = true
    }
    stage.rest(seconds: 0.001)
    stage.rest(seconds: 0.5)
    stage.window.animator?.step(to: stage.time)
    stage.window.animator?.presenting {
      #expect(box.layoutRect == LocalRect(x: 5, y: 10, width: 150, height: 75))
      #expect(box.bounds.origin == LocalPoint(x: 0, y: 20))
      #expect(
        abs(box.transform.a - 0.5.squareRoot()) < 1e-9 && abs(box.transform.b - 0.5.squareRoot()) < 1e-9)
      #expect(box.alpha == 0.75)
      #expect(box.background == Color(red: 100, green: 50, blue: 25) && box.cornerRadius == 5)
      #expect(bar.controlValue?.fraction == 0.25 && bar.colors.tint.red == 0x3a / 2)
      #expect(label.textStyle.color == Color(red: 50, green: 50, blue: 50))
      #expect(control.knobFraction == 0.5)
    }
    #expect(box.alpha == 0.5 && bar.controlValue?.number == 0.5 && control.knobFraction == 1)
  }

  @Test func `another animation goes on from where the view is seen`() {
    var ends: [String] = []
    move(to: 200, second) { ends.append("first \($0)") }
    stage.rest(seconds: 0.5)
    #expect(seenX == 100)
    move(to: 0, second) { ends.append("second \($0)") }
    #expect(seenX == 100 && ends == ["first false"])
    stage.rest(seconds: 0.5)
    #expect(seenX == 50)
    stage.rest(seconds: 0.5)
    #expect(seenX == 0 && ends == ["first false", "second true"])
  }

  @Test func `a change without an animation ends it`() {
    move(to: 200, second)
    stage.rest(seconds: 0.5)
    box.layoutRect.origin.x = 30
    #expect(seenX == 30)
    stage.rest(seconds: 0.1)
    #expect(seenX == 30)
  }

  @Test func `what one animation moves goes on while another moves something else`() {
    move(to: 200, second)
    stage.rest(seconds: 0.5)
    stage.window.animate(second) { box.alpha = 0 }
    stage.rest(seconds: 0.001)
    stage.rest(seconds: 0.249)
    #expect(seenX == 150)
    #expect(abs(seen(\.alpha) - 0.751) < 1e-9)
  }

  @Test func `without a duration, or with reduced motion, it is there at once and takes the same path`() {
    var ends: [Bool] = []
    move(to: 200, .off) { ends.append($0) }
    #expect(seenX == 200 && ends == [true])
    stage.window.reducesMotion = true
    move(to: 100, Timing(1, delay: 1)) { ends.append($0) }
    #expect(seenX == 100 && ends == [true, true])
  }

  @Test func `it waits before it begins`() {
    move(to: 200, Timing(1, delay: 0.5, curve: .linear))
    stage.rest(seconds: 0.4)
    #expect(seenX == 0)
    stage.rest(seconds: 0.6)
    #expect(seenX == 100)
  }

  @Test func `nothing to move is finished when time passes, also again and again`() {
    var count = 0
    func again(_ isFinished: Bool) {
      count += 1
      if isFinished { stage.window.animate(.off, {}, completion: again) }
    }
    again(true)
    #expect(count == 1)
    stage.rest(seconds: 0.1)
    #expect(count == 2)
    stage.rest(seconds: 0.1)
    #expect(count == 3)
  }

  @Test func `what a stack arranges moves with what makes room`() {
    let stack = stage.add(StackView(id: "stack", frame: LocalRect(x: 0, y: 200, width: 300, height: 100)))
    stack.axis = .horizontal
    stack.distribution = .fillEqually
    let parts = (0..<2).map { View(id: "\($0)") }
    for part in parts {
      part.isArranged = true
      stack.addSubview(part)
    }
    stage.window.layoutIfNeeded()
    #expect(parts[1].layoutRect.minX == 150)
    stage.window.animate(second) { stack.layoutRect.size.width = 100 }
    stage.rest(seconds: 0.001)
    stage.rest(seconds: 0.5)
    #expect(parts[1].layoutRect.minX == 50)
    stage.window.animator?.step(to: stage.time)
    stage.window.animator?.presenting { #expect(parts[1].layoutRect.minX == 100) }
  }

  @Test func `a view that leaves the window stops, and lets go of what waits`() {
    var ends: [Bool] = []
    move(to: 200, second) { ends.append($0) }
    box.removeFromSuperview()
    #expect(seenX == 200)
    stage.rest(seconds: 0.1)
    #expect(ends == [false])
  }

  @Test func `a view in no window changes at once`() {
    var isFinished = false
    let lonely = Window(size: Size(width: 10, height: 10))
    lonely.animate(second, { lonely.alpha = 0.5 }, completion: { isFinished = $0 })
    #expect(lonely.alpha == 0.5 && isFinished && lonely.animator == nil)
  }

  // MARK: Curves

  @Test(arguments: AnimationCurve.allCases)
  func `every curve begins at its beginning and ends at its end`(curve: AnimationCurve) {
    let timing = Timing(1, curve: curve)
    #expect(timing.fraction(after: 0) == 0 && timing.fraction(after: 1) == 1)
    for step in 1..<100 { #expect(timing.fraction(after: Double(step) / 100) > 0) }
    // A spring is within a thousandth of its end then, and nothing jumps.
    #expect(abs(timing.fraction(after: 0.999) - 1) < 0.004)
  }

  @Test func `the curves are those of Core Animation`() {
    // CSS Easing Functions Level 1 has the same control points; the values are those that browsers compute.
    for (curve, quarter, half) in [
      (AnimationCurve.easeIn, 0.0935, 0.3154), (.easeOut, 0.3780, 0.6846), (.easeInOut, 0.1292, 0.5),
    ] {
      #expect(abs(Timing(1, curve: curve).fraction(after: 0.25) - quarter) < 1e-3)
      #expect(abs(Timing(1, curve: curve).fraction(after: 0.5) - half) < 1e-3)
    }
  }

  @Test func `a spring swings beyond its end, unless it is damped`() {
    func highest(_ damping: Double) -> Double {
      let timing = Timing(1, curve: .spring, damping: damping)
      return (0...100).map { timing.fraction(after: Double($0) / 100) }.max() ?? 0
    }
    #expect(highest(0.4) > 1.2 && highest(0.7) > 1.02 && highest(1) <= 1)
  }

  // MARK: Kinds that move by themselves

  @Test func `the knob of a switch that is tapped slides`() {
    let control = stage.add(Switch(id: "switch", frame: LocalRect(x: 200, y: 200, width: 60, height: 30)))
    stage.tap(230, 215)
    #expect(control.isOn && control.knobFraction == 1)
    stage.rest(seconds: 0.1)
    stage.window.animator?.step(to: stage.time)
    let middle = stage.window.animator?.presenting { control.knobFraction } ?? 0
    #expect(middle > 0.4 && middle < 0.6)
    #expect(control.knobFraction == 1)
    stage.tap(230, 215)
    stage.window.animator?.step(to: stage.time)
    let back = stage.window.animator?.presenting { control.knobFraction } ?? 0
    #expect(back == middle && !control.isOn, "from where it was seen")
    stage.rest(seconds: 0.3)
    #expect(control.knobFraction == 0 && stage.window.animator?.nextStep == nil)
  }

  /// What a picture shows of a control's states now.
  private func states(of control: Control) -> ControlStates {
    stage.window.animator?.step(to: stage.time)
    return stage.window.animator?.presenting { control.shownStates } ?? control.shownStates
  }

  @Test func `a button is pressed at once, and fades when the finger has left, from where it is seen`() {
    let button = stage.add(Button(id: "button", frame: LocalRect(x: 200, y: 200, width: 60, height: 30)))
    button.stateColors.fade = 0.2
    stage.frame((1, .began, 230, 215))
    #expect(states(of: button).pressed == 1 && stage.window.animator?.nextStep == nil)
    stage.frame((1, .ended, 230, 215))
    #expect(!button.isHighlighted && states(of: button).pressed == 1)
    stage.rest(seconds: 0.1)
    #expect(abs(states(of: button).pressed - 0.5) < 0.01)
    // Another finger is seen without delay.
    stage.frame((2, .began, 230, 215))
    #expect(states(of: button).pressed == 1)
    stage.frame((2, .ended, 230, 215))
    button.isSelected = true
    stage.rest(seconds: 0.001)
    stage.rest(seconds: 0.1)
    let middle = states(of: button)
    #expect(middle.pressed > 0 && middle.pressed < 1 && middle.selected > 0 && middle.selected < 1)
    button.isEnabled = false
    #expect(states(of: button).pressed == middle.pressed && states(of: button).disabled == 0)
    stage.rest(seconds: 0.001)
    stage.rest(seconds: 0.3)
    #expect(states(of: button) == button.ownStates && button.ownStates.disabled == 1)
    #expect(stage.window.animator?.nextStep == nil && stage.dispatcher.deadline == nil)
  }

  @Test func `with reduced motion a state is there at once, and nothing is due afterwards`() {
    let button = stage.add(Button(id: "button", frame: LocalRect(x: 200, y: 200, width: 60, height: 30)))
    button.stateColors.fade = 0.2
    stage.window.reducesMotion = true
    stage.tap(230, 215)
    #expect(states(of: button).pressed == 0)
    stage.rest(seconds: 0.01)
    #expect(stage.window.animator?.nextStep == nil && stage.dispatcher.deadline == nil)
  }

  @Test func `a button of a stepper fades when the finger has left it, and the other one does not`() {
    let stepper = stage.add(Stepper(id: "stepper", frame: LocalRect(x: 200, y: 200, width: 100, height: 30)))
    stepper.stateColors.fade = 0.2
    func shares() -> [Double] {
      let read = { [Stepper.Part.minus, .plus].map { stepper.pressedShare(of: $0) } }
      stage.window.animator?.step(to: stage.time)
      return stage.window.animator?.presenting(read) ?? read()
    }
    stage.frame((1, .began, 280, 215))
    #expect(shares() == [0, 1])
    stage.frame((1, .ended, 280, 215))
    #expect(stepper.pressedPart == nil && shares() == [0, 1])
    stage.rest(seconds: 0.1)
    #expect(shares()[0] == 0 && abs(shares()[1] - 0.5) < 0.01)
    // Another finger is seen without delay.
    stage.frame((2, .began, 220, 215))
    #expect(shares() == [1, 0])
    stage.frame((2, .ended, 220, 215))
    stage.rest(seconds: 0.3)
    #expect(shares() == [0, 0] && stage.window.animator?.nextStep == nil)
  }

  @Test func `each key of a keyboard fades by itself when a finger has left it`() throws {
    let keyboard = stage.add(
      KeyboardView(id: "keys", frame: LocalRect(x: 0, y: 200, width: 400, height: 200)))
    keyboard.isAlways = true
    let places = [keyboard.keys[2].rect, keyboard.keys[7].rect]
    func tap(_ index: Int) {
      stage.tap(places[index].midX, 200 + places[index].midY)
    }
    func shares() -> [Double] {
      let read = { [2, 7].map { keyboard.pressedShare(of: $0) } }
      stage.window.animator?.step(to: stage.time)
      return stage.window.animator?.presenting(read) ?? read()
    }
    stage.frame((1, .began, places[0].midX, 200 + places[0].midY))
    #expect(shares() == [1, 0])
    stage.frame((1, .ended, places[0].midX, 200 + places[0].midY))
    #expect(shares() == [1, 0])
    stage.rest(seconds: 0.075)
    #expect(abs(shares()[0] - 0.5) < 0.01)
    tap(1)
    let both = shares()
    #expect(both[0] > 0.3 && both[0] <= 0.5 && both[1] == 1)
    // One that is pressed again is seen at once.
    stage.frame((2, .began, places[0].midX, 200 + places[0].midY))
    #expect(shares()[0] == 1 && shares()[1] > 0.8)
    stage.frame((2, .ended, places[0].midX, 200 + places[0].midY))
    stage.rest(seconds: 0.2)
    #expect(shares() == [0, 0] && stage.window.animator?.nextStep == nil)
    // Others stand in their places.
    tap(0)
    keyboard.page = .symbols
    #expect(shares() == [0, 0])
  }

  @Test func `the pill of segments slides to the one that is tapped, and is there for a program`() {
    let control = stage.add(
      SegmentedControl(id: "segments", frame: LocalRect(x: 100, y: 200, width: 300, height: 30)))
    (control.segments, control.selectedIndex) = (["a", "b", "c"], 0)
    func pill() -> Double? {
      stage.window.animator?.step(to: stage.time)
      return stage.window.animator?.presenting { control.pill } ?? control.pill
    }
    stage.tap(350, 215)
    #expect(control.selectedIndex == 2 && pill() == 0)
    stage.rest(seconds: 0.1)
    let middle = pill() ?? 0
    #expect(middle > 1 && middle < 2)
    #expect(
      control.rect(ofPill: 0.5) == LocalRect(x: 50, y: 0, width: 100, height: 30)
        && control.rect(ofPill: 2) == control.rect(of: 2))
    stage.rest(seconds: 0.3)
    #expect(pill() == 2 && stage.window.animator?.nextStep == nil)
    control.selectedIndex = 1
    #expect(pill() == 1 && stage.window.animator?.nextStep == nil)
  }

  @Test func `the colour of a chosen row goes to the row that is tapped`() {
    let list = stage.add(ListView(id: "list", frame: LocalRect(x: 100, y: 200, width: 200, height: 90)))
    (list.rows, list.rowHeight, list.stateColors.fade) = (["a", "b", "c"], 30, 0.2)
    list.selectedRow = 0
    stage.tap(150, 275)
    #expect(list.selectedRow == 2 && list.leftRow == 0)
    stage.rest(seconds: 0.1)
    stage.window.animator?.step(to: stage.time)
    let part = stage.window.animator?.presenting { list.presentedPart } ?? nil
    #expect(part.map { abs($0 - 0.5) < 0.01 } == true && list.presentedPart == nil)
    stage.rest(seconds: 0.2)
    #expect(stage.window.animator?.nextStep == nil)
  }

  @Test func `an alert becomes visible and vanishes in pictures, and is pressed from the start`() throws {
    let alert = SheetView(id: "alert")
    alert.isAlert = true
    alert.fixedHeight = 100
    func seenAlpha() throws -> Double? {
      stage.window.animator?.step(to: stage.time)
      let backdrop = try #require(stage.window.subviews.first { $0.id == "alert.backdrop" })
      return stage.window.animator?.presenting { backdrop.isConcealed ? nil : backdrop.alpha } ?? nil
    }
    stage.window.addSubview(SheetBackdrop(of: alert, over: box))
    stage.window.layoutIfNeeded()
    alert.present(over: box)
    #expect(try seenAlpha() == 0)
    stage.tap(200, 200)
    #expect(stage.diary.hits == ["alert"])
    stage.rest(seconds: 0.3)
    #expect(try seenAlpha() == 1)
    alert.dismiss()
    stage.tap(300, 300)
    #expect(stage.diary.hits.last == "window")
    #expect(try seenAlpha() ?? 0 > 0.5)
    stage.rest(seconds: 0.3)
    #expect(try seenAlpha() == nil)
  }

  @Test func `a finger can slide the pages on while a transition goes on`() throws {
    let pages = stage.add(PagesView(id: "pages", frame: LocalRect(x: 0, y: 100, width: 200, height: 100)))
    pages.slideAxis = .horizontal
    let views = (0..<3).map { View(id: "\($0)", frame: LocalRect(x: 0, y: 0, width: 200, height: 100)) }
    for view in views { pages.addSubview(view) }
    try pages.show(.id("1"), by: .slide)
    stage.rest(seconds: 0.05)
    stage.frame((1, .began, 150, 150))
    for x in [130.0, 110, 90] {
      stage.frame((1, .moved, x, 150))
      stage.dispatcher.flush()
    }
    #expect(pages.contentOffset.x > 0)
    stage.frame((1, .ended, 60, 150))
    stage.rest(seconds: 3)
    #expect(pages.page === views[2] && views.map(\.isConcealed) == [true, true, false])
  }

  @Test(arguments: PagesView.Transition.allCases)
  func `a page that is shown by a transition is touched at once, and the other one no more`(
    transition: PagesView.Transition
  ) throws {
    let pages = stage.add(PagesView(id: "pages", frame: LocalRect(x: 0, y: 100, width: 200, height: 100)))
    let views = ["one", "two"].map { View(id: $0, frame: LocalRect(x: 0, y: 0, width: 200, height: 100)) }
    for view in views { pages.addSubview(view) }
    try pages.show(.id("two"), by: transition)
    #expect(pages.page === views[1] && views[0].isConcealed)
    stage.tap(100, 150)
    #expect(stage.diary.hits == ["two"])
    stage.rest(seconds: 0.1)
    stage.window.animator?.step(to: stage.time)
    let places = stage.window.animator?.presenting {
      views.map { $0.isConcealed ? nil : ($0.layoutRect.minX, $0.alpha) }
    }
    switch transition {
    case .none: #expect(places == nil)
    case .slide:
      let (one, two) = (try #require(places?[0]), try #require(places?[1]))
      #expect(one.0 < 0 && two.0 == one.0 + 200)
    case .push:
      let (one, two) = (try #require(places?[0]), try #require(places?[1]))
      #expect(one.0 < 0 && one.0 > -67 && two.0 > 0 && two.0 < 200)
    case .fade:
      let (one, two) = (try #require(places?[0]), try #require(places?[1]))
      #expect(one.0 == 0 && two.0 == 0 && one.1 == 1 && two.1 > 0 && two.1 < 1)
    }
    #expect(views[1].layoutRect.minX == 0 && views[1].alpha == 1 && !pages.clipsToBounds)
    // Back again, from where it is seen.
    try pages.show(.previous, by: transition)
    stage.rest(seconds: 0.001)
    stage.rest(seconds: 0.5)
    #expect(pages.page === views[0] && stage.window.animator?.nextStep == nil)
    #expect(views.map(\.layoutRect.minX) == [0, 0] && views.map(\.isConcealed) == [false, true])
  }
}
