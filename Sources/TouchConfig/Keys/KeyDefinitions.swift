import TouchCore
import TouchExpressions
import TouchViews

extension KeyShape {
  /// The shapes that rows name, in the order of the schema, each with a sentence about it.
  package static let definitions: [(name: String, sentence: String?, shape: KeyShape)] = [
    (
      "mark", nil,
      .nullable(.either([.words(HighlightStyle.Shape.self), .mapping(HighlightStyle.Mark.keys.table)]))
    ),
    ("handlerNames", "Names of handlers, in the order in which they are called.", .list(of: .name)),
    ("device", "What to do with the devices that match.", .mapping(DeviceRule.keys.table)),
    (
      "filter",
      "debounce: a lift that is shorter is bridged; every lift comes that much later. median: the middle of the last positions, (samples - 1) / 2 frames late. one-euro: smooths what is slow, by up to 160 / min_cutoff ms, and follows what is fast. hysteresis: rests until moved by more than a margin, and trails by it.",
      .either([.words(ContactFilter.Kind.self), .mapping(ContactFilter.keys.table)])
    ),
    ("handler", "Code that is called with touches.", .mapping(HandlerDraft.keys.table)),
    ("trigger", nil, .words(HandlerTrigger.self)),
    (
      "keyboardLayout", "The keys of a keyboard. A row is its keys with spaces between them.",
      .mapping(.keyboardLayout)
    ),
    (
      "controlActions", "What a control sends, and the steps that are done then, after its handlers.",
      .mapping(.controlActions)
    ),
    ("gestureStates", "The states of a gesture, and the steps that are done then.", .mapping(.gestureStates)),
    ("steps", "Steps, in the order in which they are done.", .list(of: .definition("step"))),
    ("namedValue", "A named value.", .mapping(NamedValue.keys.table)),
    (
      "step",
      "One thing to do. Its texts, arguments, messages and values may be expressions, in which {value} and {text} stand for those of the control that sends the action.",
      .mapping(.step)
    ),
    ("idleStage", "One thing to do while nothing is touched.", .mapping(.idleStage)),
    ("gestureIDs", nil, .list(of: .name)),
    (
      "gestures", "Gestures that are looked for in the touches here and on everything in it.",
      .list(of: .definition("gesture"))
    ),
    ("gesture", "A gesture, found by UIKit's rules.", .mapping(Configuration.Gesture.keys.table)),
    ("window", "The root of the tree; it covers the canvas.", .mapping(Configuration.Window.keys.table)),
    (
      "views", "Views, back to front.",
      .list(of: .either([.definition("view"), .definition("instance"), .definition("repetition")]))
    ),
    (
      "instance",
      "A view that is made of a template: the template's parameters, and keys of a view that count in place of the template's.",
      .mapping(.instance)
    ),
    ("repetition", "A view for each row.", .mapping(.repetition)),
    ("view", "A rectangle that can be touched and hold other views.", .mapping(.view)),
  ]
}
