/// One thing that is to be done when a control sends an action, or a gesture is recognised: a step of `actions:`.
///
/// In texts, in the arguments of commands and in messages, `{value}` stands for the value of the control that sent the
/// action, and `{ID.value}` for the value of the control with that id, as it is when the step runs; see
/// `ControlValue.text`.
package enum ActionStep: Hashable, Sendable {
  /// Sets properties of a view: all of them, or none.
  case set(view: String, [ViewSetting])
  /// Turns a property of a view over that is true or false.
  case toggle(view: String, ViewProperty)
  /// Adds to the value of a control. The nearest that its limits and step allow is taken.
  case change(view: String, by: Double)
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
  /// The text with values in place of placeholders.
  ///
  /// - Parameters:
  ///   - isJSON: whether the text is JSON. A JSON text that is only a placeholder then becomes a number.
  ///   - value: answers the value of the view with an id, or of the control that acts for nil. A placeholder without a
  ///     value stays as it is.
  package static func filled(
    _ text: String, isJSON: Bool = false, with value: (_ view: String?) -> String?
  ) -> String {
    guard text.contains("{") else { return text }
    var (result, rest) = ("", text[...])
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      rest = rest[open...].dropFirst()
      guard let close = rest.firstIndex(where: { "{}\"".contains($0) }), rest[close] == "}",
        let value = Self.value(of: rest[..<close], value)
      else {
        result += "{"
        continue
      }
      rest = rest[close...].dropFirst()
      // Neither a key, nor the end of a text that has an escaped quote.
      let isWhole =
        result.hasSuffix("\"") && !result.hasSuffix("\\\"") && rest.first == "\""
        && rest.dropFirst().first != ":"
      if isJSON && isWhole {
        result.removeLast()
        rest = rest.dropFirst()
      }
      result += value
    }
    return result + rest
  }

  private static func value(of placeholder: Substring, _ value: (String?) -> String?) -> String? {
    if placeholder == "value" { return value(nil) }
    guard placeholder.hasSuffix(".value"), placeholder.count > ".value".count else { return nil }
    return value(String(placeholder.dropLast(".value".count)))
  }

  /// The ids of the views whose values a text has a place for; nil among them stands for the control that acts.
  package static func placeholders(in text: String) -> [String?] {
    var views: [String?] = []
    _ = filled(text) { view in
      views.append(view)
      return nil
    }
    return views
  }
}
