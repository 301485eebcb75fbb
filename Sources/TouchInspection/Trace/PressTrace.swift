import TouchCore
import TouchJSON

struct PressTrace {
  let press: Press
  let responder: Responder
  let disposition: Disposition

  /// The text for people: `1 began enter ok handled`.
  var text: String {
    "\(press.id) \(press.phase.rawValue) \(press.command.name) \(responder.id) \(disposition.rawValue)"
  }

  func write(to json: inout JSONWriter) {
    json.field("press", press.id)
    json.field("phase", press.phase.rawValue)
    json.field("key", press.key.keyCode.name)
    if let type = press.type { json.field("type", type.rawValue) }
    if !press.key.modifierFlags.isEmpty { json.field("modifiers", press.key.modifierFlags.names) }
    if press.repeatCount > 0 { json.field("repeat", press.repeatCount) }
    json.field("responder", responder.id)
    json.field("disposition", disposition.rawValue)
  }
}

extension Press {
  fileprivate var command: KeyCommand {
    KeyCommand(key.keyCode, modifierFlags: key.modifierFlags.subtracting(.alphaShift))
  }
}

struct FocusTrace {
  let context: FocusUpdateContext

  /// The text for people: `ok → list row 2`.
  var text: String { "\(name(context.previous)) → \(name(context.next))" }

  private func name(_ item: FocusSystem.Item?) -> String {
    guard let item else { return "nothing" }
    return item.view.id + (item.part.map { " part \($0)" } ?? "")
  }

  func write(to json: inout JSONWriter) {
    json.field("view", context.next?.view.id)
    if let part = context.next?.part { json.field("part", part) }
    json.field("previous", context.previous?.view.id)
    json.field("heading", context.heading.rawValue)
  }
}
