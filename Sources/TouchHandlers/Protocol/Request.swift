import TouchCore
import TouchJSON
import TouchSystem
import TouchViews

package struct Request {
  package enum Body {
    /// Changes properties of a view: all, or none. With `isText` the values are texts.
    case set(view: String, properties: [PropertyValue.Entry], isText: Bool)
    /// Sets named values: all of them, or none; at an earlier time, in seconds since 1970, for their
    /// histories.
    case setValues([PropertyValue.Entry], isText: Bool, at: Double?)
    case setWindow(PropertyValue.Entry)
    /// Explains the origin of a property's value, or a view or a named value if `property` is nil.
    case explain(name: String, property: String?)
    case page(pages: String, page: String)
    case scroll(view: String, to: ScrollView.Target)
    case hit(Question)
    /// Returns the present view tree, as lines for people or as data.
    case tree(isText: Bool)
    case stats(isText: Bool)
    /// Returns whether the daemon does its work, with a description of the display for `isOfGlass`.
    case health(isOfGlass: Bool)
    case reload
    /// Makes the display bright, as a touch outside all views does.
    case wake
    /// Types a text into a view, or into the first responder if `view` is nil.
    case text(String, view: String?)
    case screenshot
    /// Follows the picture of the display from now on.
    case screen
    case inject(Injection)
    case press(KeyPress)
    case subscribe(Subscription)

    /// The id of the view that the request concerns; nil for none, or several.
    package var view: String? {
      switch self {
      case .set(let view, _, _), .page(let view, _), .scroll(let view, _): view
      case .text(_, let view): view
      case .explain(let name, _): name
      case .setValues, .setWindow, .hit, .tree, .stats, .health, .reload, .wake, .screenshot, .screen,
        .inject, .press, .subscribe:
        nil
      }
    }

    var access: Access {
      switch self {
      case .tree, .stats, .health, .screenshot, .screen, .subscribe, .explain: .watching
      case .set, .setValues, .setWindow, .page, .scroll, .hit, .reload, .wake, .text, .inject, .press:
        .everything
      }
    }
  }

  package enum Access: Hashable, Sendable {
    /// Watching: `tree`, `explain`, `stats`, `health`, `screenshot`, `screen` and `subscribe`.
    case watching
    case everything
  }

  package struct Question: Hashable {
    /// The x coordinate in window units, or in the bounds space of `start`.
    package var x: Double
    package var y: Double
    /// The view at which the hit test begins; nil for the window.
    package var start: String?
    package var isAll = false
    package var isExplained = false
  }

  package struct Injection: Hashable {
    package enum Phase: String, CaseIterable {
      case began, moved, ended, cancelled
    }

    package var phase: Phase
    package var finger: Int
    /// The location in canvas coordinates; nil for the finger's present one.
    package var location: WindowPoint?
  }

  package struct KeyPress: Hashable {
    package enum Phase: String, CaseIterable {
      case began, ended, cancelled
    }

    package var command: KeyCommand
    /// The phase; nil for down and up at once.
    package var phase: Phase?
    /// The typed characters; nil for those of the key on a US keyboard.
    package var characters: String?

    package init(command: KeyCommand, phase: Phase?, characters: String? = nil) {
      (self.command, self.phase, self.characters) = (command, phase, characters)
    }
  }

  package struct Subscription: Hashable {
    package enum Event: String, CaseIterable, Sendable {
      case touch, action, value, gesture, page, message, reload, text, sheet, scroll
      case press, focus, scanned, display, configuration

      /// The events of a subscription that names none, without those that come every second or step.
      static let usual = Set(allCases).subtracting([
        .reload, .text, .sheet, .scroll, .press, .focus, .scanned, .display, .configuration,
      ])
    }

    package var events: Set<Event>
    /// The views whose events, and whose descendants' events, are reported; nil for all.
    package var views: Set<String>?
  }

  /// The id that the answer repeats; a number or a short text.
  package let id: JSONValue?
  package let body: Body
  /// The required key of the row that the view shows, or null for a view outside lists; nil for any.
  package let rowKey: PropertyValue?

  package var isReload: Bool {
    if case .reload = body { true } else { false }
  }

  private enum Name: String, CaseIterable {
    case set, page, scroll, tree, hit, explain, stats, health, reload, wake, backlight, blank, text
    case screenshot, screen, inject, press, subscribe
  }

  /// The longest id, in bytes.
  private static let longestID = 256

  /// Reads a request. Unknown fields are ignored.
  package init(_ message: JSONValue) throws(RequestError) {
    var fields = try Fields(message)
    id = fields.id
    let text = try fields.text("type", "the name of a request: " + Self.names)
    guard let name = Name(rawValue: text) else {
      throw RequestError(
        id: id, code: .unknown,
        message: "this touchtree does not know the request \"\(text.escaped)\"; it knows \(Self.names)")
    }
    fields.request = text
    rowKey = message["row_key"].map { PropertyValue($0) }
    switch name {
    case .set where message["values"] != nil && message["view"] == nil:
      guard let values = message["values"]?.members else {
        throw fields.error("values", "an object with the values to set, such as {\"temperature\": 21.5}")
      }
      body = .setValues(
        values.map { PropertyValue.Entry(key: $0.key, value: PropertyValue($0.value)) },
        isText: try fields.isText(), at: try fields.time())
    case .explain:
      body = .explain(
        name: try fields.text("name", "the id of a view, or the name of a value"),
        property: try fields.optionalText("property", "the name of a property"))
    case .set:
      let view = try fields.text("view", "the id of a view")
      guard let properties = message["properties"]?.members else {
        throw fields.error("properties", "an object with the properties to set, such as {\"hidden\": true}")
      }
      body = .set(
        view: view,
        properties: properties.map { PropertyValue.Entry(key: $0.key, value: PropertyValue($0.value)) },
        isText: try fields.isText())
    case .page:
      body = .page(
        pages: try fields.text("view", "the id of a view of the kind pages"),
        page: try fields.text("page", "the id of one of its subviews, or next, or previous"))
    case .scroll:
      body = .scroll(
        view: try fields.text("view", "the id of a view of the kind scroll"), to: try Self.place(fields))
    case .tree: body = .tree(isText: try fields.isText())
    case .hit: body = .hit(try Self.question(fields))
    case .stats: body = .stats(isText: try fields.isText())
    case .health: body = .health(isOfGlass: try fields.flag("glass"))
    case .reload: body = .reload
    case .wake: body = .wake
    case .backlight, .blank:
      guard let value = message["value"] else {
        throw fields.error("value", name == .blank ? "true or false" : "a number from 0 to 100")
      }
      body = .setWindow(PropertyValue.Entry(key: text, value: PropertyValue(value)))
    case .text:
      body = .text(
        try fields.text("text", "the text to type"), view: try fields.optionalText("view", "the id of a view")
      )
    case .screenshot: body = .screenshot
    case .screen: body = .screen
    case .inject: body = .inject(try Self.injection(fields))
    case .press: body = .press(try Self.press(fields))
    case .subscribe: body = .subscribe(try Self.subscription(fields))
    }
  }

  private static var names: String { Name.allCases.map(\.rawValue).joined(separator: ", ") }

  private static func place(_ fields: Fields) throws(RequestError) -> ScrollView.Target {
    if let text = fields.message["to"]?.text { return ScrollView.Target(text) }
    let numbers = fields.message["to"]?.elements?.compactMap(\.number).filter { abs($0) <= 1e9 } ?? []
    guard numbers.count == 2, fields.message["to"]?.elements?.count == 2 else {
      throw fields.error("to", "top, left, bottom, right, an offset [x, y], or the id of a view in it")
    }
    return .offset(LocalPoint(x: numbers[0], y: numbers[1]))
  }

  private static func question(_ fields: Fields) throws(RequestError) -> Question {
    var question = Question(x: try fields.number("x"), y: try fields.number("y"))
    question.start = try fields.optionalText("in", "the id of a view")
    question.isAll = try fields.flag("all")
    question.isExplained = try fields.flag("explain")
    return question
  }

  private static func injection(_ fields: Fields) throws(RequestError) -> Injection {
    let phase: Injection.Phase = try fields.phase()
    var finger = 1
    if let value = fields.message["finger"] {
      guard case .integer(let number) = value else { throw fields.error("finger", "a whole number") }
      finger = number
    }
    let isPlaced = fields.message["x"] != nil || fields.message["y"] != nil
    guard isPlaced || phase == .ended || phase == .cancelled else {
      throw fields.error("x", "a number, in canvas coordinates, and y")
    }
    let location = isPlaced ? WindowPoint(x: try fields.number("x"), y: try fields.number("y")) : nil
    return Injection(phase: phase, finger: finger, location: location)
  }

  private static func press(_ fields: Fields) throws(RequestError) -> KeyPress {
    let advice = "the name of a key, such as enter, F1 or ctrl+s"
    let name = try fields.text("key", advice)
    guard let command = KeyCommand(name: name) else {
      let nearest = Suggestion.nearest(to: name, among: KeyCode.allNames)
      throw RequestError(
        id: fields.id,
        message: "press: there is no key \"\(name.escaped)\""
          + (nearest.map { "; did you mean \"\($0)\"?" } ?? "; give \(advice)"))
    }
    var press = KeyPress(
      command: command, phase: nil,
      characters: try fields.optionalText("characters", "the text that it types"))
    guard fields.message["phase"] != nil else { return press }
    press.phase = try fields.phase()
    return press
  }

  private static func subscription(_ fields: Fields) throws(RequestError) -> Subscription {
    var subscription = Subscription(events: Subscription.Event.usual, views: nil)
    let names = Subscription.Event.allCases.map(\.rawValue).joined(separator: ", ")
    if let value = fields.message["events"] {
      guard let elements = value.elements else { throw fields.error("events", "a list of \(names)") }
      subscription.events = []
      for element in elements {
        guard let event = element.text.flatMap(Subscription.Event.init) else {
          throw fields.error("events", "a list of \(names)")
        }
        subscription.events.insert(event)
      }
    }
    if let value = fields.message["views"], value != .null {
      let ids = value.elements?.compactMap(\.text)
      guard let ids, ids.count == value.elements?.count else {
        throw fields.error("views", "a list of ids of views")
      }
      subscription.views = Set(ids)
    }
    return subscription
  }

  private struct Fields {
    let message: JSONValue
    let id: JSONValue?
    var request = "request"

    init(_ message: JSONValue) throws(RequestError) {
      guard message.members != nil else {
        throw RequestError(id: nil, message: "a request is a JSON object, such as {\"type\":\"tree\"}")
      }
      self.message = message
      switch message["id"] {
      case nil, .null: id = nil
      case .text(let text) where text.utf8.count > longestID:
        throw RequestError(id: nil, message: "an id has at most \(longestID) bytes")
      case .text, .integer, .real: id = message["id"]
      case .boolean, .array, .object: throw RequestError(id: nil, message: "an id is a number or a text")
      }
    }

    func text(_ name: String, _ expected: String) throws(RequestError) -> String {
      guard let text = message[name]?.text else { throw error(name, expected) }
      return text
    }

    func number(_ name: String) throws(RequestError) -> Double {
      guard let number = message[name]?.number, abs(number) <= 1e9 else { throw error(name, "a number") }
      return number
    }

    /// The time, in seconds since 1970; nil for now.
    func time() throws(RequestError) -> Double? {
      guard let time = message["time"], time != .null else { return nil }
      guard let seconds = time.number, seconds.isFinite else { throw error("time", "seconds since 1970") }
      return seconds
    }

    func phase<Phase: RawRepresentable<String> & CaseIterable>() throws(RequestError) -> Phase {
      let phases = "one of \(Phase.allCases.map(\.rawValue).joined(separator: ", "))"
      guard let phase = Phase(rawValue: try text("phase", phases)) else { throw error("phase", phases) }
      return phase
    }

    func optionalText(_ name: String, _ expected: String) throws(RequestError) -> String? {
      message[name] ?? .null == .null ? nil : try text(name, expected)
    }

    func flag(_ name: String) throws(RequestError) -> Bool {
      let value = message[name] ?? .null
      guard value == .null || value.boolean != nil else { throw error(name, "true or false") }
      return value.boolean ?? false
    }

    func isText() throws(RequestError) -> Bool {
      let format = try optionalText("format", "text or json") ?? "json"
      guard ["text", "json"].contains(format) else { throw error("format", "text or json") }
      return format == "text"
    }

    func error(_ name: String, _ expected: String) -> RequestError {
      let problem = message[name] == nil ? "is missing" : "is not right"
      return RequestError(id: id, message: "\(request): \"\(name)\" \(problem); give \(expected)")
    }
  }
}

package struct RequestError: FailureError {
  package enum Code: String, Sendable {
    /// This version does not know the request.
    case unknown
    /// The display shows nothing of touchtree.
    case notShown = "not_shown"
    /// The socket is for watching. Another one takes the request.
    case notPermitted = "not_permitted"
    /// The configuration cannot be used.
    case configuration
    /// The request was understood, and cannot be done.
    case failed
  }

  package var id: JSONValue?
  package var code = Code.failed
  package var message: String
  /// All errors of a configuration, as `file:line:column: error: message`.
  package var diagnostics: [String]
  /// The text for a log, if it is shorter than the message; nil for the message.
  package var logged: String?

  package init(id: JSONValue?, code: Code = .failed, message: String, diagnostics: [String] = []) {
    (self.id, self.code, self.message, self.diagnostics) = (id, code, message, diagnostics)
  }

  package var failure: Failure {
    switch code {
    case .notShown: Failure(.unavailable, message)
    case .notPermitted: Failure(.notPermitted, message)
    case .unknown, .failed: Failure(message)
    case .configuration: Failure(ofFile: diagnostics)
    }
  }
}
