import TouchHandlers
import TouchJSON
import TouchSystem
import TouchViews

/// The names of the topics, which share one prefix. docs/mqtt.md lists them.
package struct Topics: Sendable {
  package let prefix: String

  /// Fails for a prefix that no published topic can have, or that could not be recognised. (MQTT 3.1.1, 4.7.)
  package init?(prefix: String) {
    guard !prefix.isEmpty, prefix.utf8.count <= 200, !prefix.hasPrefix("/"), !prefix.hasSuffix("/"),
      !prefix.hasPrefix("$"),
      !prefix.unicodeScalars.contains(where: { $0 == "+" || $0 == "#" || !$0.isShown })
    else { return nil }
    self.prefix = prefix
  }

  package var availability: String { "\(prefix)/availability" }
  static let display = "display"
  /// The name of pictures in topics, unless a view or a value has it.
  static let screenshot = "screenshot"

  package var picture: String { "\(prefix)/\(Self.screenshot)" }

  package var missed: String { "\(prefix)/missed" }
  package var error: String { "\(prefix)/error" }

  package func of(_ view: String, _ what: String) -> String { "\(prefix)/\(Self.level(of: view))/\(what)" }

  package var commands: [String] {
    ["\(prefix)/+/set", "\(prefix)/+/set/+", "\(prefix)/+/page/set", "\(prefix)/reload"]
  }

  package enum Command: Hashable {
    case property(view: String, key: String)
    /// The payload is a JSON object of properties.
    case properties(view: String)
    case page(pages: String)
    case value(name: String)
    /// The payload is `ON`, `OFF`, or a brightness in per cent.
    case display
    /// A PNG is wanted.
    case screenshot
    case reload
  }

  /// - Returns: nil for a topic without a command.
  package func command(_ topic: String) -> Command? {
    let start = "\(prefix)/".utf8
    guard topic.utf8.starts(with: start) else { return nil }
    // This compares bytes, because a slash and an accent after it are one letter.
    let levels = topic.utf8.dropFirst(start.count).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).map(Substring.init)
    switch levels.count {
    case 1 where levels[0] == "reload": return .reload
    case 2 where levels[1] == "set": return .properties(view: Self.view(of: levels[0]))
    case 3 where levels[1] == "set": return .property(view: Self.view(of: levels[0]), key: String(levels[2]))
    case 3 where levels[1] == "page" && levels[2] == "set": return .page(pages: Self.view(of: levels[0]))
    default: return nil
    }
  }

  /// Returns a view's id as one level of a topic, escaped as in a URL.
  static func level(of view: String) -> String { escaped(view, where: isSpecial) }

  /// Returns a text in which some characters, and each `%`, are escaped as `%2f`.
  static func escaped(_ text: String, where isSpecial: (Unicode.Scalar) -> Bool) -> String {
    guard text.unicodeScalars.contains(where: { $0 == "%" || isSpecial($0) }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "%" || isSpecial(scalar) {
        for byte in String(scalar).utf8 { result += "%\(byte.hex(digits: 2))" }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns whether MQTT interprets or refuses a character. (MQTT 3.1.1, 1.5.3 and 4.7.1.)
  private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "/", "+", "#": true
    default: scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint
    }
  }

  private static func view(of level: Substring) -> String {
    guard level.utf8.contains(UInt8(ascii: "%")) else { return String(level) }
    var bytes: [UInt8] = []
    var rest = level.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let code = UInt8(Substring(rest.prefix(2)), radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Topics.Command {
  /// Returns the command for a panel with these values and views, which share topics.
  package func of(values hasValue: (String) -> Bool, views hasView: (String) -> Bool = { _ in true }) -> Self
  {
    switch self {
    case .properties(let name) where hasValue(name), .property(let name, "value") where hasValue(name):
      .value(name: name)
    case .properties(Topics.display) where !hasView(Topics.display): .display
    case .properties(Topics.screenshot) where !hasView(Topics.screenshot): .screenshot
    default: self
    }
  }

  /// Returns the daemon's request for the command.
  /// - Parameter payload: the payload of the message.
  /// - Parameter topic: the topic of the message, which the daemon repeats in its answer.
  /// - Parameter choices: returns the texts to choose from in a view, and the name of one of them; nil for
  ///   a view without choices.
  /// - Parameter meant: returns the name that was probably meant by an unknown one.
  /// - Throws: the error of the payload.
  package func request(
    _ payload: [UInt8], on topic: String, choices: (String) -> (name: String, texts: [String])?,
    meant: (String) -> String? = { _ in nil }
  ) throws(Failure) -> [UInt8] {
    guard let text = String(validating: payload, as: UTF8.self) else {
      throw Failure("the payload is not UTF-8")
    }
    // JSON's library refuses a NUL, and with it the topic that has to be repeated.
    guard !payload.contains(0) else { throw Failure("the payload has a NUL, which no text has; remove it") }
    // The daemon cannot repeat a longer topic.
    let id = topic.utf8.count <= 256 ? JSONValue.text(topic) : nil
    switch self {
    case .property(let view, let name) where ViewKind.hasChoice(name):
      let choices = choices(view).flatMap { $0.name == name ? $0.texts : nil } ?? []
      guard let index = choices.firstIndex(of: text) else {
        let texts =
          choices.prefix(Self.mostShown).joined(separator: ", ")
          + (choices.count > Self.mostShown ? ", …" : "")
        throw Failure("\(view) has no \(name) \"\(text.escaped)\"; its \(name)s: \(texts)")
      }
      return try Self.line("set", id, view, [("properties", .object([.init("value", .integer(index))]))])
    case .property(let view, let key):
      return try Self.line(
        "set", id, view, [("format", .text("text")), ("properties", .object([.init(key, .text(text))]))])
    case .properties(let view):
      guard let properties = try? JSONReader.read(text), properties.members != nil else {
        let help = meant(view).map { "; did you mean \"\($0.escaped)\"?" } ?? ""
        throw Failure(
          "\"\(view.escaped)\" is no named value, and for properties of a view give a JSON object, such as "
            + "{\"hidden\": true}\(help)")
      }
      return try Self.line("set", id, view, [("properties", properties)])
    case .value(let name):
      let line = Message.line("set", id: id) { json in
        json.field("format", "text")
        json.object("values") { $0.field(name, text) }
      }
      guard line.count <= LineReader.longestMessage else {
        throw Failure("the payload is too long; a request may have 64 KiB")
      }
      return line
    case .display:
      switch text {
      case "ON", "OFF": return Message.line("blank", id: id) { $0.field("value", text == "OFF") }
      default:
        guard let percent = Double(text), (0...100).contains(percent) else {
          throw Failure("the light is \"\(text.escaped)\"; give ON, OFF, or a number from 0 to 100")
        }
        return Message.line("backlight", id: id) { $0.field("value", percent) }
      }
    case .page(let pages): return try Self.line("page", id, pages, [("page", .text(text))])
    case .screenshot: return Message.line("screenshot", id: id)
    case .reload: return Message.line("reload", id: id)
    }
  }

  private static let mostShown = 20

  private static func line(
    _ type: String, _ id: JSONValue?, _ view: String, _ fields: [(String, JSONValue)]
  ) throws(Failure) -> [UInt8] {
    let line = Message.line(type, id: id) { json in
      json.field("view", view)
      // A view in a list keeps its name while a scroll gives it another row, so it takes no command.
      json.field("row_key", JSONValue.null)
      for (key, value) in fields { json.field(key, value) }
    }
    guard line.count <= LineReader.longestMessage else {
      throw Failure("the payload is too long; a request may have 64 KiB")
    }
    return line
  }
}
