import TouchCore

/// One thing that is to be done when a control sends an action, or a gesture is recognised: a step of `actions:`.
///
/// In texts, in the arguments of commands and in messages, `{value}` stands for the value of the control that sent the
/// action, and `{ID.value}` for the value of the control with that id, as it is when the step runs; see
/// `ControlValue.text`. `{text}` and `{ID.text}` stand for what the view shows; see `View.shownText`. `{{` is a brace.
package enum ActionStep: Hashable, Sendable {
  /// Sets properties of a view: all of them, or none.
  case set(view: String, [ViewSetting])
  /// Turns a property of a view over that is true or false.
  case toggle(view: String, ViewProperty)
  /// Adds to the value of a control. The nearest that its limits and step allow is taken.
  case change(view: String, by: Double)
  /// Shows another page of a view.
  case page(view: String, PagesView.Target)
  /// Scrolls a view to a place.
  case scroll(view: String, ScrollView.Target)
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
  /// What stands in braces in a text: a part of a view.
  package struct Placeholder: Hashable {
    package enum Part: String, CaseIterable { case value, text }

    /// Nil for the control that acts.
    package var view: String?
    package var part: Part

    /// - Parameter text: what is between the braces.
    package init?(_ text: Substring) {
      guard
        let part = Part.allCases.first(where: { text == $0.rawValue || text.hasSuffix(".\($0.rawValue)") })
      else {
        return nil
      }
      let view = text.dropLast(part.rawValue.count + 1)
      guard text == part.rawValue || !view.isEmpty else { return nil }
      (self.view, self.part) = (text == part.rawValue ? nil : String(view), part)
    }
  }

  /// The text with values in place of placeholders.
  ///
  /// - Parameters:
  ///   - isJSON: whether the text is JSON. A JSON text that is only a placeholder then becomes a number.
  ///   - value: answers what a placeholder stands for. One that it has nothing for stays as it is.
  package static func filled(
    _ text: String, isJSON: Bool = false, with value: (Placeholder) -> String?
  ) -> String {
    guard text.contains("{") else { return text }
    var (result, rest) = ("", text[...])
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      rest = rest[open...].dropFirst()
      if rest.first == "{" {
        rest = rest.dropFirst()
        result += "{"
        continue
      }
      guard let inside = inside(rest), let placeholder = Placeholder(inside), let value = value(placeholder)
      else {
        result += "{"
        continue
      }
      rest = rest[inside.endIndex...].dropFirst()
      // Neither a key, nor the end of a text that has an escaped quote.
      let isWhole =
        result.hasSuffix("\"") && !result.hasSuffix("\\\"") && rest.first == "\""
        && rest.dropFirst().first != ":"
      if isJSON && isWhole && placeholder.part == .value {
        result.removeLast()
        rest = rest.dropFirst()
      }
      result += isJSON && placeholder.part == .text ? escaped(value) : value
    }
    return result + rest
  }

  /// A text between the quotes of JSON. (RFC 8259, 7.)
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": escaped += "\\\(scalar)"
      case "\0"..<" ":
        escaped += (scalar.value < 16 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// What stands between a brace and the one that closes it; nil where none does. JSON has no placeholder with a quote in it.
  private static func inside(_ rest: Substring) -> Substring? {
    guard let close = rest.firstIndex(where: { "{}\"".contains($0) }), rest[close] == "}" else { return nil }
    return rest[..<close]
  }

  /// What stands in the braces of a text, whether or not it is a placeholder.
  ///
  /// - Parameter isCommand: whether the text is an argument of a program, which may have braces of its own, as `awk` has: then
  ///   only a name counts, and only one that no `$` precedes.
  package static func braces(in text: String, isCommand: Bool = false) -> [String] {
    var (found, rest): ([String], Substring) = ([], text[...])
    while let open = rest.firstIndex(of: "{") {
      let isVariable = rest[..<open].last == "$"
      rest = rest[open...].dropFirst()
      if rest.first == "{" {
        rest = rest.dropFirst()
      } else if let inside = inside(rest) {
        rest = rest[inside.endIndex...].dropFirst()
        if !isCommand || !isVariable && isName(inside) { found.append(String(inside)) }
      }
    }
    return found
  }

  private static func isName(_ text: Substring) -> Bool {
    (text.first?.isLetter ?? false) && text.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
  }

  /// A text that nothing is filled in, as it is shown: `{{` is a brace.
  package static func shown(_ text: String) -> String { filled(text) { _ in nil } }
}
