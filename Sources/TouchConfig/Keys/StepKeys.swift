import TouchExpressions
import TouchViews

struct StepKey: Sendable {
  let name: String
  let shape: KeyShape
  let read: @Sendable (inout ActionReader, Value) -> [ActionStep]

  init(
    _ name: String, _ shape: KeyShape, read: @escaping @Sendable (inout ActionReader, Value) -> [ActionStep]
  ) {
    (self.name, self.shape, self.read) = (name, shape, read)
  }

  static let rows = Self.all {
    "Sets properties of views, `{lamp: {hidden: false}}`, and named values, `{target: \"{target + 0.5}\"}`, also to a list of rows, `{rooms: [{name: Hall}]}`. All properties of a view, or none."
    StepKey("set", .names(of: .either([.definition("settable"), .definition("plainValue")]), atLeast: 1)) {
      $0.set($1)
    }
    "Inverts `hidden`, `user_interaction`, `enabled` or `selected` of views, `value` of a switch, `indicator` of pages, or `presented` of a sheet: `{panel: hidden}`."
    StepKey("toggle", .names(of: .value(.words(flags)), atLeast: 1)) {
      $0.perView($1, "{lamp: hidden}") { $0.toggle($1, of: $2) }
    }
    "Adds to the values of controls: `{setpoint: 0.5}` or `{setpoint: -0.5}`. The result is the nearest that `minimum`, `maximum` and `step` allow."
    StepKey("change", .names(of: .number(.coordinate), atLeast: 1)) {
      $0.perView($1, "{setpoint: 0.5}") { $0.change($1, of: $2) }
    }
    "Shows another page: `{screens: settings}`, or `next` or `previous`; with `transition`, [pictures show the way](scrolling.md#pages): `{screens: settings, transition: slide}`."
    StepKey("page", .mapping(.page)) { $0.pages($1) }
    "Shows a [sheet](scrolling.md#sheets): `present: sure`."
    StepKey("present", .name) { $0.sheet($1, isPresented: true).map { [$0] } ?? [] }
    "Closes a sheet: `dismiss: sure`."
    StepKey("dismiss", .name) { $0.sheet($1, isPresented: false).map { [$0] } ?? [] }
    "Scrolls: `{songs: bottom}`, to `top`, `left`, `bottom`, `right`, to an offset `[0, 120]`, or as far as the view of an id is seen."
    StepKey("scroll_to", .names(of: .either([.name, .point]), atLeast: 1)) {
      $0.perView($1, "{list: bottom}") { $0.scroll($1, of: $2) }
    }
    "Sets [the display's brightness](idle.md#the-displays-light), in per cent."
    StepKey(
      "backlight", .either([.number(.percent), .values([.null, .text("none")]), .definition("expression")])
    ) {
      $0.setWindow(.backlight, $1)
    }
    "Blanks the display until the next touch, or shows it."
    StepKey("blank", .either([.flag, .definition("expression")])) { $0.setWindow(.blank, $1) }
    "Runs a program, as an `exec` handler does: `[aplay, ding.wav]`, or a mapping."
    StepKey("run", .either([.definition("command"), .mapping(.run)])) { $0.run($1).map { [$0] } ?? [] }
    "Sends a message."
    StepKey("send", .mapping(.send)) { $0.send($1).map { [$0] } ?? [] }
    "Does some steps or others."
    StepKey("if", .mapping(.condition)) { $0.either($1).map { [$0] } ?? [] }
    "Does steps later."
    StepKey("after", .mapping(.after)) { $0.after($1).map { [$0] } ?? [] }
    "Sets properties of views and named values, and moves the pictures there."
    StepKey("animate", .mapping(Timing.keys.table)) { $0.animate($1).map { [$0] } ?? [] }
  }

  private static func all(
    @RowBuilder<StepKey> _ rows: () -> [(sentence: String, row: StepKey)]
  ) -> [(sentence: String, row: StepKey)] { rows() }

  /// The properties that are true or false for some kind of view, or for the window.
  private static let flags = ViewProperty.settable.filter { property in
    ViewKind.all.contains(where: property.isFlag)
  }.map(\.name)
}

extension KeyTable {
  package static let step = KeyTable(
    "a step", StepKey.rows.map { ConfigurationKey($0.row.name, $0.row.shape, $0.sentence) }
  ) { name in
    switch name.lowercased() {
    case "goto", "navigate", "go", "screen", "pages": "write page: {screens: home}"
    case "delay", "wait", "sleep": "write after: {seconds: 3, steps: [...]}"
    case "command", "exec", "shell", "call": "write run: [aplay, ding.wav]"
    case "mqtt", "publish": "write send: {to: subscribers, message: {...}}; touchtree-mqtt publishes it"
    default: nil
    }
  }

  /// The step `page`, which has ids of views, too.
  static let page = KeyTable("a page", others: .name) {
    "How [pictures go](scrolling.md#pages) from one page to the other: `slide`, `push`, `fade` or `none`. Default: as the pages slide."
    KeyRow("transition", .words(PagesView.Transition.self))
  }

  static let run = KeyTable("a run") {
    "The program and its arguments."
    KeyRow(
      "command", .definition("command"), required: "give the program and its arguments: [aplay, ding.wav]")
    "The id of a label or a button. The first line that the program writes becomes its text."
    KeyRow("show", .nullable(.name))
    "The number of seconds after which the program is ended, up to 86400, or `none`."
    KeyRow("timeout", KeyType.timeLimit.orNull.shape, default: .number(HandlerSettings.defaultTimeLimit))
  }

  static let send = KeyTable("a send") {
    "The name of a `process` handler, or `subscribers` for every client that subscribed."
    KeyRow("to", .name, required: "give the name of a process handler, or subscribers")
    "Any value. It is sent as JSON."
    KeyRow("message", .anything, required: "give anything that JSON can carry")
  }

  static let condition = KeyTable("an if") {
    "An expression that is true or false: `\"{pin.text == '1234'}\"`."
    KeyRow(
      "that", .definition("expression"),
      required: "give an expression that is true or false: \"{target > 30}\"")
    "The steps for true."
    KeyRow("then", .definition("steps"), required: "give the steps")
    "The steps for false and null."
    KeyRow("else", .steps)
  }

  static let after = KeyTable("an after") {
    "How much later, up to 86400."
    KeyRow("seconds", KeyType.wait.shape, required: "give how many: 3")
    "The steps."
    KeyRow("steps", .definition("steps"), required: "give what is to be done then: [page: {screens: home}]")
  }

  /// The actions of a control. A press has many names elsewhere.
  static let controlActions = KeyTable("the actions of a control", advice: adviceForActions) {
    "A touch came down on the control."
    KeyRow("touch_down", .steps)
    "Another one follows closely."
    KeyRow("touch_down_repeat", .steps)
    "It moved inside."
    KeyRow("touch_drag_inside", .steps)
    "It moved outside."
    KeyRow("touch_drag_outside", .steps)
    "It is back inside."
    KeyRow("touch_drag_enter", .steps)
    "It left the control."
    KeyRow("touch_drag_exit", .steps)
    "It lifted inside: the control was pressed."
    KeyRow("touch_up_inside", .steps)
    "It lifted outside."
    KeyRow("touch_up_outside", .steps)
    "It was cancelled."
    KeyRow("touch_cancel", .steps)
    "It changed the control's value; not when an action or a program sets it."
    KeyRow("value_changed", .steps)
    "list: an [action behind a row](lists.md#lists) was done."
    KeyRow("row_action", .steps)
    "text_field, text_view: it is [edited](text.md#text-fields) from now on."
    KeyRow("editing_began", .steps)
    "text_field, text_view: something was typed or deleted; not when an action or a program sets the text."
    KeyRow("editing_changed", .steps)
    "text_field, text_view: it is edited no more."
    KeyRow("editing_ended", .steps)
    "text_field: the return key was pressed."
    KeyRow("returned", .steps)
  }

  private static func adviceForActions(_ name: String) -> String? {
    if ForeignWords.isPress(name) { return "did you mean \"touch_up_inside\"?" }
    return ForeignWords.isChange(name) ? "did you mean \"value_changed\"?" : nil
  }

  static let gestureStates = KeyTable("the actions of a gesture") {
    "A gesture that continues is recognised."
    KeyRow("began", .steps)
    "It continues."
    KeyRow("changed", .steps)
    "It is complete; the only state of a tap and a swipe."
    KeyRow("ended", .steps)
    "It is cancelled."
    KeyRow("cancelled", .steps)
  }

  static let idleStage = KeyTable("a stage of idle") {
    "Seconds since the last touch."
    KeyRow("after", .number(.extent), required: "give the seconds without a touch: 600")
    "Makes the panel as bright as this, in per cent of its brightest, and never brighter than it was. `0` is dark."
    KeyRow("backlight", .number(.percent))
    "Shows pages, as the step `page` of an action does: `{screens: home}`, `{screens: next}`."
    KeyRow("page", .definition("step/properties/page"))
    "Does [steps](#a-step-step), as an action does: `[dismiss: sure, page: {screens: home}]`."
    KeyRow("steps", .definition("steps"))
    "`true`: shows black, and switches the display off if its driver can (FBIOBLANK). No permission is needed."
    KeyRow("blank", .values([.flag(true)]))
  }

  package static let settable = KeyTable(
    "what is set of a view", [], properties: ViewProperty.settable.map(\.name))
}

extension Timing {
  static let keys = Keys<Timing>("an animate", Timing(0.25)) {
    "How long it takes, up to 10; `0` is at once."
    KeyRow("seconds", \.duration, .animation)
    "How long it waits before, in seconds, up to 10."
    KeyRow("delay", \.delay, .animation)
    "`linear` is as fast all the time, `ease_in` begins slowly, `ease_out` ends slowly, `ease_in_out` does both, and `spring` swings about its end."
    KeyRow("curve", \.curve, .word)
    "Properties and values, as of the step `set`."
    KeyRow("set", .definition("step/properties/set"), required: "give what is set: {panel: {alpha: 0}}")
  }
}

extension KeyType where Content == Double {
  /// In seconds: what takes longer is no answer to a touch.
  fileprivate static let animation = number(NumberRange(lower: 0, upper: 10))
  /// In seconds: a day at most.
  static let wait = number(NumberRange(lower: 0, upper: 86_400, isAboveLower: true))
}
