import Foundation
import Testing

@testable import TouchCore
@testable import TouchExpressions
@testable import TouchHandlers
@testable import TouchSystem
@testable import TouchViews

/// What a file says under `actions:`, as it is done.
@Suite struct ActionHandlerTests {
  private let stage = Stage()
  private let children: ChildProcesses

  init() {
    children = ChildProcesses(environment: ["PATH=/usr/bin:/bin"], host: stage)
  }

  private func steps(_ steps: [ActionStep]) throws -> [ActionHandler.Step] {
    try steps.map { try ActionHandler.Step($0, path: children.path, trust: nil) }
  }

  /// Lets `ok` do the steps when it is pressed.
  private func whenPressed(_ steps: ActionStep...) throws {
    stage.ok.handlers.append(
      ActionHandler(
        of: "ok", control: [.touchUpInside: try self.steps(steps)], children: children, host: stage))
  }

  private func press() { stage.tap(x: 210, y: 105) }

  /// Reads what commands write until all have ended.
  private func finish() {
    for pid in children.processIDs {
      var info = siginfo_t()
      while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    }
    stage.pollDescriptors()
    children.reap()
  }

  @Test func `steps are done in order, after the control's handlers`() throws {
    let witness = Witness { [caption = stage.caption] in caption.text }
    stage.ok.handlers = [witness]
    try whenPressed(
      .set(view: "caption", [.init(.text, "pressed"), .init(.alpha, 0.5)]),
      .set(view: "caption", [.init(.text, "pressed twice")]),
      .toggle(view: "panel", .hidden), .toggle(view: "ok", .selected), .page(view: "pages", .next),
      .send(message: #"{"step":1}"#, to: .handler("climate")), .send(message: "null", to: .subscribers))
    press()
    #expect(witness.seen == "")
    #expect(stage.caption.text == "pressed twice" && stage.caption.alpha == 0.5)
    #expect(stage.panel.isHidden && stage.ok.isSelected && stage.pages.page?.id == "settings")
    #expect(stage.sent.map(\.message) == [#"{"step":1}"#, "null"])
    #expect(stage.sent.map(\.recipient) == [.handler("climate"), .subscribers])
    #expect(stage.sent.map(\.sender) == ["ok", "ok"])
    press()
    #expect(!stage.panel.isHidden && !stage.ok.isSelected && stage.pages.page?.id == "settings")
    #expect(stage.takeLog() == [])
  }

  @Test func `what is animated is set at once, and pictures show the way`() throws {
    try whenPressed(
      .animate(
        Timing(1, curve: .linear),
        [.set(view: "panel", [.init(.alpha, 0.5)]), .set(view: "caption", [.init(.alpha, 0.0)])]),
      .page(view: "pages", .id("settings"), by: .slide))
    press()
    #expect(stage.panel.alpha == 0.5 && stage.caption.alpha == 0 && stage.pages.page?.id == "settings")
    let animator = try #require(stage.window.animator)
    animator.presenting { #expect(stage.panel.alpha == 1 && stage.caption.alpha == 1) }
    #expect(animator.presented(.place, of: try #require(stage.pages.page)) != nil)
    stage.window.reducesMotion = true
    stage.panel.alpha = 1
    press()
    animator.step(to: .zero)
    animator.presenting { #expect(stage.panel.alpha == 0.5) }
  }

  @Test func `a slider's value turns a gauge, as exactly as it is`() throws {
    let slider = Slider(id: "slider", frame: LocalRect(x: 0, y: 200, width: 232, height: 32))
    let gauge = Gauge(id: "gauge", frame: LocalRect(x: 0, y: 300, width: 50, height: 50))
    stage.extra = gauge
    stage.root.addSubview(slider)
    stage.root.addSubview(gauge)
    slider.handlers = [
      ActionHandler(
        of: "slider",
        control: [
          .valueChanged: try steps([
            .set(view: "gauge", [], computed: [stage.computed(.value, "{value}")]),
            .set(view: "caption", [], computed: [stage.computed(.text, "{value}")]),
          ])
        ], children: children, host: stage)
    ]
    stage.frame(.began, [(1, 16, 216)])
    stage.frame(.moved, [(1, 91.7, 216)])
    stage.frame(.ended, [(1, 91.7, 216)])
    #expect(slider.controlValue?.number == 75.7 / 200)
    #expect(gauge.controlValue?.number == slider.controlValue?.number && stage.caption.text == "0.38")
  }

  @Test func `only the action that is named does something`() throws {
    stage.ok.handlers = [
      ActionHandler(
        of: "ok", control: [.touchDown: try steps([.set(view: "caption", [.init(.text, "down")])])],
        children: children, host: stage)
    ]
    stage.frame(.began, [(1, 210, 105)])
    #expect(stage.caption.text == "down")
    stage.caption.text = ""
    stage.frame(.ended, [(1, 210, 105)])
    #expect(stage.caption.text == "")
  }

  /// What happens between the step that waits and its end.
  enum Meanwhile: CaseIterable { case nothing, otherPage, thereAndBack, pageBefore }

  @Test(arguments: Meanwhile.allCases)
  func `what waits is gone when the page goes that its view is on`(meanwhile: Meanwhile) throws {
    let home = try #require(stage.pages.subviews.first)
    let tap = TapGestureRecognizer(id: "tap")
    tap.handlers = [
      ActionHandler(
        of: "tap",
        gesture: [
          .ended: try steps(
            (meanwhile == .pageBefore ? [.page(view: "pages", .id("settings"))] : [])
              + [.after(seconds: 2, [.set(view: "caption", [.init(.text, "late")])], timer: 1)])
        ], children: children, host: stage)
    ]
    home.addGestureRecognizer(tap)
    stage.tap(x: 610, y: 360)
    #expect(stage.timers.count == 1)
    switch meanwhile {
    // A page that was gone before the step cannot go: a page that says thanks turns back by itself.
    case .nothing, .pageBefore: break
    case .otherPage: try stage.pages.show(.id("settings"))
    case .thereAndBack:
      try stage.pages.show(.id("settings"))
      try stage.pages.show(.id("home"))
    }
    stage.fireTimers()
    let isDone = meanwhile == .nothing || meanwhile == .pageBefore
    #expect(stage.caption.text == (isDone ? "late" : ""))
  }

  @Test func `a gesture does its steps in the state that is named`() throws {
    let tap = TapGestureRecognizer(id: "tap")
    tap.handlers = [
      ActionHandler(
        of: "tap", gesture: [.ended: try steps([.page(view: "pages", .id("settings"))])], children: children,
        host: stage)
    ]
    stage.panel.addGestureRecognizer(tap)
    stage.frame(.began, [(1, 410, 110)])
    #expect(stage.pages.page?.id == "home")
    stage.frame(.ended, [(1, 410, 110)])
    #expect(stage.pages.page?.id == "settings")
  }

  @Test func `the control's value stands in texts, arguments and messages, with the decimals of its step`()
    throws
  {
    stage.ok.controlValue = ControlValue(21, minimum: 5, maximum: 30, step: 0.5)
    try whenPressed(
      .set(view: "caption", [], computed: [stage.computed(.text, "{value}° of {value}, {{other}")]),
      .run(command: ["echo", stage.formula("set {value}"), "{value"], show: "ok", timeLimit: 10),
      .send(
        message: stage.message(#"{"v":"{value}","t":"is {value}","{value}":["{value}"],"q":"\"{value}"}"#),
        to: .subscribers)
    )
    press()
    finish()
    #expect(stage.caption.text == "21.0° of 21.0, {other}")
    #expect(stage.ok.text == "set 21.0 {value")
    #expect(
      stage.sent.map(\.message) == [#"{"v":21.0,"t":"is 21.0","21.0":[21.0],"q":"\"21.0"}"#])
  }

  @Test func `the text of a control stands in texts, and in messages as JSON writes it`() throws {
    stage.ok.text = "a \"b\" \\ \n"
    try whenPressed(
      .send(
        message: stage.message(#"{"t":"{text}","c":"<{caption.text}>","v":"{ok.text}{no.text}"}"#),
        to: .subscribers),
      .set(view: "caption", [], computed: [stage.computed(.text, "{text}!")]))
    stage.caption.text = "old"
    press()
    #expect(stage.caption.text == "a \"b\" \\ \n!")
    #expect(
      stage.sent.map(\.message) == [
        #"{"t":"a \"b\" \\ \u000a","c":"<old>","v":"a \"b\" \\ \u000a–"}"#
      ])
  }

  @Test(arguments: [
    (20, 0.5, "20.5"), (20, -0.5, "19.5"), (29.8, 0.5, "30.0"), (30, 0.5, "30.0"), (5.2, -100, "5.0"),
    (20, 0.7, "20.5"), (20, 0.2, "20.0"), (20, 0, "20.0"),
  ])
  func `a change adds to a value, within its limits and to its step, and texts after it have the new one`(
    start: Double, amount: Double, result: String
  ) throws {
    let setpoint = Control(id: "setpoint")
    setpoint.controlValue = ControlValue(start, minimum: 5, maximum: 30, step: 0.5)
    let before = try #require(setpoint.controlValue?.text)
    stage.extra = setpoint
    try whenPressed(
      .set(view: "ok", [], computed: [stage.computed(.text, "was {setpoint.value}")]),
      .change(view: "setpoint", by: amount),
      .set(view: "caption", [], computed: [stage.computed(.text, "{setpoint.value}° {gone.value}")]),
      .run(command: ["echo", stage.formula("{setpoint.value}")], show: "ok", timeLimit: 10),
      .send(
        message: stage.message(#"{"v":"{setpoint.value}","{setpoint.value}":"{gone.value}"}"#),
        to: .subscribers))
    press()
    #expect(stage.ok.text == "was \(before)")
    finish()
    #expect(stage.caption.text == "\(result)° –")
    #expect(stage.ok.text == result)
    #expect(stage.sent.map(\.message) == [#"{"v":\#(result),"\#(result)":null}"#])
    #expect(stage.takeLog() == [])
  }

  @Test func `a control's own value in a text is the one that a step before changed`() throws {
    let dial = Control(id: "dial", frame: Rect(x: 700, y: 0, width: 100, height: 100))
    dial.controlValue = ControlValue(0, maximum: 3, step: 1)
    stage.root.addSubview(dial)
    stage.extra = dial
    dial.handlers = [
      ActionHandler(
        of: "dial",
        control: [
          .touchUpInside: try steps([
            .change(view: "dial", by: 1),
            .set(view: "caption", [], computed: [stage.computed(.text, "{value} {dial.value}")]),
          ])
        ], children: children, host: stage)
    ]
    for text in ["1 1", "2 2", "3 3", "3 3"] {
      stage.tap(x: 710, y: 10)
      #expect(stage.caption.text == text)
    }
  }

  @Test func `steps set values, decide by them, and wait`() throws {
    try whenPressed(
      .setValue("target", .formula(stage.formula("{min(target + 0.5, 21)}"))),
      .setValue("code", .formula(stage.formula("{code}1"))),
      .either(
        that: stage.formula("{target > 20.7 and length(code) == 2}"),
        then: [.set(view: "caption", [.init(.text, "warm")])],
        otherwise: [.set(view: "caption", [], computed: [stage.computed(.text, "{target:.1f} {now:%H:%M}")])]),
      .after(seconds: 3, [.set(view: "panel", [.init(.hidden, true)])], timer: 1))
    press()
    #expect(stage.caption.text == "20.5 09:07")
    #expect(stage.bindings.values.value("code") == .text("1"))
    #expect(stage.timers.values.map(\.milliseconds) == [3000] && !stage.panel.isHidden)
    // Started again, it begins to wait anew.
    press()
    #expect(stage.caption.text == "warm" && stage.bindings.values.value("target") == .number(21))
    #expect(stage.timers.count == 1 && stage.cancelled.count == 1)
    stage.fireTimers()
    #expect(stage.panel.isHidden && stage.takeLog() == [])
    press()
    stage.ok.handlers = []
    #expect(stage.timers.isEmpty, "what waits goes with the file")
  }

  @Test func `what follows an expression is set by nobody else, and a value only to what it holds`() throws {
    stage.bound = [Binding(view: "caption", stage.computed(.text, "{target}"), at: .start)]
    stage.bindings.settle()
    try whenPressed(
      .set(view: "caption", [.init(.text, "other")]), .setValue("target", .constant(.text("x"))))
    press()
    #expect(stage.caption.text == "20")
    #expect(
      stage.takeLog() == [
        "warning actions of ok: text: caption.text follows \"{target}\"; set target instead",
        "warning actions of ok: target: \"x\" is not what this value holds; give a number, or null",
      ])
    #expect(throws: PropertyError.self) {
      try stage.set([.init(key: "text", value: .text("a"))], on: "caption")
    }
    try stage.set([.init(key: "alpha", value: .number(0.5))], on: "caption")
    try stage.setValues([.init(key: "target", value: .number(5))])
    stage.bindings.settle()
    #expect(stage.caption.text == "5")
  }

  @Test func `setting a value from an action sends no action, so actions do not go in circles`() throws {
    stage.ok.controlValue = ControlValue(0, maximum: 10, step: 1)
    stage.ok.handlers = [
      ActionHandler(
        of: "ok",
        control: [
          .touchUpInside: try steps([.set(view: "caption", [], computed: [stage.computed(.text, "{value}")])]
          ),
          .valueChanged: try steps([.set(view: "caption", [.init(.text, "changed")])]),
        ], children: children, host: stage)
    ]
    stage.ok.controlValue?.number = 7
    #expect(stage.caption.text == "")
    press()
    #expect(stage.caption.text == "7")
  }

  @Test(
    arguments: [
      (#"printf 'first\r\nsecond\n'"#, "first"), ("printf 'no line feed'", "no line feed"),
      ("true", "before"), ("echo", ""), (#"printf 'a\0b\n'"#, "ab"), ("yes | head -c 1000000", "y"),
      ("head -c 9000 /dev/zero | tr '\\0' x", String(repeating: "x", count: 4096)),
      ("echo still shown; exit 3", "still shown"),
    ])
  func `the first line that a command writes becomes a text`(script: String, text: String) throws {
    stage.caption.text = "before"
    try whenPressed(.run(command: ["sh", "-c", Formula(letters: script)], show: "caption", timeLimit: 10))
    press()
    // More than a pipe holds is read while the command still runs.
    for _ in 0..<2000 where script.hasPrefix("yes") {
      stage.pollDescriptors()
      usleep(500)
      if children.processIDs.allSatisfy({ kill($0, 0) != 0 }) { break }
    }
    finish()
    #expect(stage.caption.text == text)
    #expect(stage.watches.isEmpty && children.count == 0)
    let failures = script.contains("exit") ? ["warning actions of ok: sh exited with status 3"] : []
    #expect(stage.takeLog() == failures)
  }

  @Test func `a command gets the action in its environment, and is limited in time`() throws {
    stage.ok.controlValue = ControlValue(3, maximum: 10, step: 1)
    try whenPressed(
      .run(
        command: ["sh", "-c", "echo $TOUCHTREE_VIEW $TOUCHTREE_ACTION $TOUCHTREE_VALUE"], show: "caption",
        timeLimit: 10))
    press()
    finish()
    #expect(stage.caption.text == "ok touchUpInside 3")
    try whenPressed(.run(command: ["sleep", "100"], show: nil, timeLimit: 0.001))
    press()
    stage.fireTimers()
    finish()
    #expect(stage.takeLog().contains { $0.contains("sleep still ran 0.001 s after touchUpInside on ok") })
  }

  @Test func `what cannot be done is logged, and the next step is done`() throws {
    try whenPressed(
      .set(view: "caption", [try ViewSetting(.init(key: "border.width", value: .number(2)), for: .label)]),
      .page(view: "pages", .id("gone")),
      .set(view: "caption", [.init(.text, "on")]))
    press()
    #expect(
      stage.takeLog() == [
        "warning actions of ok: view caption: border is not set; give it a color too: {color: \"#ffffff\", width: 2}",
        "warning actions of ok: view pages: page cannot be \"gone\"; give the id of one of its subviews: home, settings",
      ])
    #expect(stage.caption.text == "on")
  }

  @Test func `a program that is not there is found when the step is made`() {
    #expect(throws: Failure.self) {
      try steps([.run(command: ["there-is-no-such-program"], show: nil, timeLimit: nil)])
    }
  }
}

/// Notes what a text was when the control was pressed.
private final class Witness: ControlHandler {
  let name = "witness"
  private(set) var seen: String?
  private let look: () -> String

  init(_ look: @escaping () -> String) {
    self.look = look
  }

  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition {
    .forward
  }

  func handle(_ action: Control.Action, touch: Touch, event: Event, from control: Control) {
    if action == .touchUpInside, seen == nil { seen = look() }
  }
}

@Suite struct HostPropertyTests {
  private let stage = Stage()

  @Test func `properties are set by the id of a view, and pictures lie where the configuration is`() throws {
    let picture = ImageView(id: "picture", frame: Rect(x: 0, y: 0, width: 10, height: 10))
    stage.extra = picture
    stage.folder = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/docs/"
    try stage.set([.init(key: "image", value: .text("house.png"))], on: "picture")
    #expect(picture.path == stage.folder + "house.png")
    #expect(throws: PropertyError.self) {
      try stage.set([.init(key: "image", value: .text("gone.png"))], on: "picture")
    }
    // It exists, and is none that the configuration opens.
    #expect(throws: PropertyError.self) {
      try stage.set([.init(key: "image", value: .text(picture.path))], on: "picture")
    }
    #expect(picture.path == stage.folder + "house.png")
    try stage.show(.next, in: "pages")
    #expect(stage.pages.page?.id == "settings")
  }

  @Test func `an error names what is wrong`() {
    var messages: [String] = []
    func attempt(_ body: () throws(PropertyError) -> Void) {
      do throws(PropertyError) { try body() } catch { messages.append(error.description) }
    }
    attempt { () throws(PropertyError) in try stage.set([], on: "nothing") }
    attempt { () throws(PropertyError) in try stage.show(.next, in: "panel") }
    attempt { () throws(PropertyError) in try stage.toggle(.alpha, of: "panel") }
    attempt { () throws(PropertyError) in try stage.change("panel", by: 1) }
    attempt { () throws(PropertyError) in try stage.change("ok", by: 1) }
    #expect(
      messages == [
        "there is no view \"nothing\"", "view panel: has no property page; only pages have",
        "view panel: has no property alpha; only views have",
        "view panel: has no property value; only controls with a value have",
        "view ok: has no property value; only controls with a value have",
      ])
  }
}
