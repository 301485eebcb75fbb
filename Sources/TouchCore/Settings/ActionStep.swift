/// One thing that is to be done when a control sends an action, or a gesture is recognised: a step of `actions:`.
///
/// In texts, in the arguments of commands and in messages, `{value}` stands for the value of the control that sent the
/// action; see `ControlValue.text`.
package enum ActionStep: Hashable, Sendable {
  /// Sets properties of a view: all of them, or none.
  case set(view: String, [ViewSetting])
  /// Turns a property of a view over that is true or false.
  case toggle(view: String, ViewProperty)
  /// Shows another page of a view.
  case page(view: String, PagesView.Target)
  /// Starts a program; never with a shell. The first word is a bare name, which is searched in PATH, or a path.
  /// - `show`: the view that gets the first line of output as its text; nil for none.
  /// - `timeLimit`: in seconds; a process that takes longer is ended. Nil for no limit.
  case run(command: [String], show: String?, timeLimit: Double?)
  /// - `message`: one JSON value.
  case send(message: String, to: Recipient)

  /// Who gets a message.
  package enum Recipient: Hashable, Sendable {
    /// The handler of that name, which is a process.
    case handler(String)
    /// Every client that subscribed.
    case subscribers
  }
}

extension ActionStep {
  /// What stands for the control's value.
  package static let placeholder = "{value}"

  /// The text with the value in place of every `{value}`.
  package static func filled(_ text: String, with value: String?) -> String {
    guard let value, text.contains("{") else { return text }
    var (result, rest) = ("", text[...])
    while let brace = rest.firstIndex(of: "{") {
      result += rest[..<brace]
      let isPlaceholder = rest[brace...].hasPrefix(placeholder)
      result += isPlaceholder ? value : "{"
      rest = rest[brace...].dropFirst(isPlaceholder ? placeholder.count : 1)
    }
    return result + rest
  }

  /// Whether a text has a place for the value.
  package static func hasPlaceholder(_ text: String) -> Bool { filled(text, with: "") != text }
}
