import TouchCore
import TouchSystem
import TouchViews

struct HandlerDraft {
  enum Kind: String, CaseIterable { case plugin, process, exec }

  var path, config: Value?
  var budget = HandlerSettings.defaultBudget
  var command: Value?
  var timeLimit: Double? = HandlerSettings.defaultTimeLimit
  var wants = ProcessEvent.usual
  var forwards = true
  var captures = false

  static let keys = Keys<Self>("a handler", Self(), words: words) {
    "`exec` runs a program at each trigger, `process` runs one all the time, `plugin` loads a shared library."
    KeyRow("kind", .words(Kind.self), required: "give plugin, process or exec")
    "Its file. A name without a slash is searched for next to the configuration and in the plugin folders."
    KeyRow(
      "path", \.path, .value(.name), of: ["plugin"], required: "give the plugin's file, such as libbell.so")
    "Any value; the handler receives it as JSON."
    KeyRow("config", \.config, .value(.anything), of: ["plugin", "process"])
    "The number of seconds that a call may take, up to 60. A plugin that takes longer ten times is turned off; see [handlers](handlers.md#rules-for-plugins)."
    KeyRow(
      "budget", \.budget, KeyType.number(NumberRange(lower: 0, upper: 60, isAboveLower: true)).orNull,
      of: ["plugin"])
    "When the program runs, one trigger or a list. See [triggers](handlers.md#triggers)."
    KeyRow(
      "when", KeyType.triggers.shape, of: ["exec"],
      required: "give a trigger, such as pressed, or a list of them")
    "An older name of `when`, which YAML 1.1 reads as `true`."
    KeyRow(
      "on", KeyType.triggers.shape, of: ["exec"],
      required: "give a trigger, such as pressed, or a list of them")
    "The program and its arguments. No shell is involved."
    KeyRow(
      "command", \.command, .value(.definition("command")), of: ["process"],
      required: "give the program and its arguments: [climate.py]")
    "The program and its arguments. No shell is involved."
    KeyRow(
      "command", \.command, .value(.definition("command")), of: ["exec"],
      required: "give the program and its arguments: [aplay, ding.wav]")
    "The number of seconds after which a running program is ended, up to 86400, or `none`."
    KeyRow("timeout", \.timeLimit, KeyType.timeLimit.orNull, of: ["exec"])
    "The events that it receives: phases of touches (`began`, `moved`, `ended`, `cancelled`, `entered`, `left`), `action`, `value`, `gesture`, `press`, `scanned` and `text`."
    KeyRow("wants", \.wants, KeyType.events.orNull, default: usual, of: ["process"])
    "Whether the next responder receives the touches too."
    KeyRow("forwards", \.forwards, .flag, of: ["process"])
    "Whether the handler receives touches on the way down, before the hit view."
    KeyRow("capture", \.captures, .flag)
  }

  private static let usual = PropertyValue.list(
    ProcessEvent.allCases.filter(ProcessEvent.usual.contains).map { .text($0.rawValue) })

  private static func words(_ kinds: [String]) -> String {
    if kinds == [Kind.plugin.rawValue] { return "a plugin" }
    return (kinds.first == Kind.exec.rawValue ? "an " : "a ") + kinds.joined(lastWith: "or") + " handler"
  }
}

extension KeyType where Content == Value {
  /// The value itself, for its mapping's own reader.
  static func value(_ shape: KeyShape) -> Self { Self(shape) { $0 } }
}

extension KeyType where Content == Double? {
  private static let range = NumberRange(lower: 0, upper: 86_400, isAboveLower: true)

  /// In seconds, at most a day; `none` for no limit.
  static let timeLimit = KeyType(.either([.number(range), .value(.words(["none"]))])) { value in
    if value.node.text == "none" { return .some(nil) }
    if let number = value.finiteNumber, range.contains(number) { return number }
    value.refuseNumber("give \(range.shown), or none")
    return nil
  }
}

extension KeyType where Content == Set<ProcessEvent> {
  fileprivate static let events = KeyType(.list(of: .words(ProcessEvent.self))) { value in
    let advice = "give a list of events, such as [began, ended, cancelled]"
    return value.list(advice, of: "an event in wants").map { Set($0.compactMap { $0.choice() }) }
  }
}

extension KeyType where Content == Set<HandlerTrigger> {
  static let triggers = KeyType.oneOrMore(.trigger, "give at least one trigger, such as pressed")
}

extension KeyType where Content == HandlerTrigger {
  fileprivate static let trigger = KeyType(.definition("trigger")) { value in
    let names = Content.allCases.map(\.rawValue)
    guard let text = value.node.text, !names.contains(text),
      // What a control sends is called touchUpInside in the trace and by UIKit; pressed has many names
      // elsewhere.
      let meant = ForeignWords.isPress(text) ? "pressed" : Suggestion.nearestKey(to: text, among: names)
    else { return value.choice() }
    value.refuse("did you mean \"\(meant)\"?")
    return nil
  }
}
