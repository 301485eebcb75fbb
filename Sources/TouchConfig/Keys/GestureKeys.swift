import TouchCore
import TouchViews

extension Configuration.Gesture {
  static let keys = Keys<Self>("a gesture", Self(id: "", kind: .tap, owner: nil, place: .start), words: words)
  {
    "A name that is unique in the file. Default: the view's id and the kind, such as `photo-tap`."
    KeyRow("id", .id)
    "`tap`, `long_press`, `pan`, `swipe`, `pinch`, `rotation` or `screen_edge_pan`."
    KeyRow(
      "kind", .words(Kind.self), required: "give " + Kind.allCases.map(\.rawValue).joined(lastWith: "or"))
    "Names of handlers that receive the gesture's states."
    KeyRow("handlers", .handlerNames)
    "Steps that run when the gesture is recognised, or a mapping from states to steps. See [actions](actions.md#actions)."
    KeyRow("actions", .nullable(.either([.definition("steps"), .definition("gestureStates")])))
    "The number of fingers."
    KeyRow(
      "touches", \.touches, KeyType.fingers.map { $0...$0 }, default: .number(1),
      of: ["tap", "long_press", "swipe"])
    "The minimum of fingers, or `[minimum, maximum]`."
    KeyRow("touches", \.touches, .fewestAndMost, default: .number(1), of: ["pan"])
    "How many, default 1."
    KeyRow("taps", \.taps, .integer(1...10), of: ["tap"])
    "How many before the press, default 0."
    KeyRow("taps", \.taps, .integer(0...10), of: ["long_press"])
    "The longest tap, default 0.75, or swipe, default 0.5; or the shortest press, default 0.5; in seconds."
    KeyRow("duration", \.duration, .duration, of: ["tap", "long_press", "swipe"])
    "The longest pause between two taps, in seconds."
    KeyRow("interval", \.interval, .duration, default: .number(0.35), of: ["tap"])
    "How far a finger may move (tap 45, long_press 10), or must move (pan and screen_edge_pan 10, swipe 50, pinch and rotation 8)."
    KeyRow("movement", \.movement, .length)
    "How far fingers may stray to the side."
    KeyRow("deviation", \.deviation, .length, default: .number(50), of: ["swipe"])
    "`right`, `left`, `up` or `down`, or a list."
    KeyRow(
      "direction", \.directions, .oneOrMore(.word, "give at least one, such as right"),
      default: .text("right"),
      of: ["swipe"])
    "The edges of the screen at which a finger may begin: `left`, `right`, `top` or `bottom`, or a list. The finger has to go inwards. While it may still do so, scroll views wait."
    KeyRow(
      "edges", \.edges, .oneOrMore(.word, "give at least one, such as left"), of: ["screen_edge_pan"],
      required: "give left, right, top or bottom, or a list of them")
    "How far from an edge of the window a finger may begin."
    KeyRow("edge_width", \.edgeWidth, .number(.extent), default: .number(20), of: ["screen_edge_pan"])
    "The id of the view that follows the fingers. A pan moves it, a pinch scales it, a rotation turns it."
    KeyRow("transforms", .nullable(.id), of: ["pan", "pinch", "rotation"])
    "The ids of gestures that must fail before this one is recognised. That of a scroll view `shelf`, and of pages that slide, is `shelf.pan`."
    KeyRow("require_to_fail", .gestureIDs)
    "The ids of gestures that may be recognised at the same time, `shelf.pan` among them."
    KeyRow("simultaneous_with", .gestureIDs)
    "Whether the hit view receives cancelled when the gesture is recognised."
    KeyRow("cancels_touches_in_view", \.cancelsTouchesInView, .flag)
    "Whether touches are withheld from the hit view until the gesture fails."
    KeyRow("delays_touches_began", \.delaysTouchesBegan, .flag)
    "Whether the end of a touch is withheld from the hit view until the gesture fails."
    KeyRow("delays_touches_ended", \.delaysTouchesEnded, .flag)
    "Whether the gesture is recognised at all."
    KeyRow("enabled", \.isEnabled, .flag)
  }

  private static func words(_ kinds: [String]) -> String { kinds.map { "a \($0)" }.joined(lastWith: "or") }
}

extension KeyType where Content == Int {
  /// The number of fingers, up to more than any panel follows.
  fileprivate static let fingers = integer(1...64)
}

extension KeyType where Content == ClosedRange<Int> {
  fileprivate static let fewestAndMost = KeyType(
    .either([KeyType<Int>.fingers.shape, .list(of: KeyType<Int>.fingers.shape, 2...2)])
  ) { value in
    guard let items = value.node.items else { return KeyType<Int>.fingers.read(value).map { $0...Int.max } }
    let numbers = items.compactMap {
      KeyType<Int>.fingers.read(Value(name: "a number of touches", node: $0, report: value.report))
    }
    guard numbers.count == items.count else { return nil }
    guard numbers.count == 2, numbers[0] <= numbers[1] else {
      value.complain("touches has to be the fewest and the most fingers: [1, 2]")
      return nil
    }
    return numbers[0]...numbers[1]
  }
}
