import Glibc
import TouchCore
import TouchHandlers
import TouchJSON
import TouchSystem

/// Makes messages of a panel's events, and puts them into the outbox.
final class Publisher {
  var outbox = Outbox(session: UInt32.random(in: 0...UInt32.max).hex(digits: 8))
  private(set) var panel = Panel()
  private let topics: Topics
  /// The only views to publish, with the views in them; all if it is empty.
  private let views: [String]
  private let hasTexts: Bool
  /// The last state of each retained topic, without its time.
  private var states: [String: [UInt8]] = [:]

  /// The published actions of controls: all but the moves of a finger inside and outside of the control.
  static let actions = [
    "touchDown", "touchDownRepeat", "touchDragEnter", "touchDragExit", "touchUpInside", "touchUpOutside",
    "touchCancel", "valueChanged", "rowAction", "editingBegan", "editingChanged", "editingEnded", "returned",
  ]

  init(_ topics: Topics, views: [String], hasTexts: Bool) {
    (self.topics, self.views, self.hasTexts) = (topics, views, hasTexts)
  }

  var subscription: [UInt8] {
    let events =
      ["action", "value", "gesture", "page", "message", "reload", "display"] + (hasTexts ? ["text"] : [])
    return Message.line("subscribe", id: .text(Self.subscribing)) { json in
      json.field("events", events)
      if !views.isEmpty { json.field("views", views) }
    }
  }

  static let subscribing = "subscribe"

  // MARK: Events

  func take(_ message: JSONValue) {
    let view = (message["view"] ?? message["from"])?.text ?? ""
    switch message["type"]?.text {
    case "action":
      guard let action = message["action"]?.text, Self.actions.contains(action) else { return }
      publish(.action, to: topics.of(view, "action")) { json in
        json.field("action", action)
        write(labelOf: view, message["row_key"], to: &json)
      }
    case "value" where message["name"]?.text != nil:
      publish(.value, of: message["name"]?.text ?? "", "value", message["value"] ?? .null)
    case "value": if let value = message["value"] { publish(value: value, of: view, row: message["row_key"]) }
    case "text":
      guard panel[view]?.isNamedText == true else { return }
      publish(.text, of: view, "text", message["text"] ?? .null, row: message["row_key"])
    case "page": publish(.page, of: view, "page", message["page"] ?? .null, row: message["row_key"])
    case "gesture": publish(gesture: message, of: view)
    case "display" where panel.light != nil: publish(Panel.Light(message))
    case "message":
      publish(.message, to: topics.of(view, "message")) { json in
        json.field("message", message["message"] ?? .null)
        write(labelOf: view, message["row_key"], to: &json)
      }
    default: break
    }
  }

  private func publish(gesture message: JSONValue, of view: String) {
    let fields = (message.members ?? []).filter { !["type", "view", "seq", "time_us"].contains($0.key) }
    let isMove = message["state"] == .text("changed")
    publish(
      .gesture, to: topics.of(view, "gesture"), replaces: isMove ? message["gesture"]?.text : nil
    ) { json in
      for field in fields { json.field(field.key, field.value) }
    }
  }

  private func publish(_ light: Panel.Light?) {
    guard let light else { return }
    publish(.value, of: Topics.display, "state", .text(light.isOn ? "ON" : "OFF"), ifChanged: true) { json in
      if let brightness = light.brightness { json.field("brightness", brightness) }
    }
  }

  /// Publishes what the daemon says of its health, if that is another one.
  func publish(health: JSONValue) {
    guard panel.light != nil else { return }
    let state = health["well"] == .boolean(true) ? "well" : "unwell"
    publish(.value, of: Topics.display, "health", .text(state), ifChanged: true) { json in
      json.field("problems", health["problems"] ?? .array([]))
    }
  }

  private func publish(value: JSONValue, of view: String, row: JSONValue? = nil, ifChanged: Bool = false) {
    let panelView = panel[view]
    publish(.value, of: view, "value", value, row: row, ifChanged: ifChanged) { json in
      guard let panelView, let name = panelView.kind.choiceName else { return }
      json.field(name, panelView.choice(of: value))
    }
  }

  /// Publishes a state, retained unless of a list's row (by its key), since that view shows others. It is
  /// named by the topic's last level, which is the value's key, and may be left out unless changed.
  private func publish(
    _ kind: Outbox.Kind, of view: String, _ what: String, _ value: JSONValue, row: JSONValue? = nil,
    ifChanged: Bool = false, _ more: (inout JSONWriter) -> Void = { _ in }
  ) {
    let topic = topics.of(view, what)
    var json = JSONWriter()
    json.object {
      $0.field(what, value)
      more(&$0)
      write(labelOf: view, row, to: &$0)
    }
    let state = json.bytes
    if let row { return outbox.append(kind, to: topic, Self.stamped(state), replaces: row.json) }
    if ifChanged, states[topic] == state { return }
    states[topic] = state
    outbox.append(kind, to: topic, Self.stamped(state), retained: true, replaces: "")
  }

  private func write(labelOf view: String, _ row: JSONValue?, to json: inout JSONWriter) {
    if let label = panel[view]?.label { json.field("label", label) }
    if let row { json.field("row_key", row) }
  }

  /// Publishes an object by `Outbox.append(_:to:_:retained:replaces:)`.
  func publish(
    _ kind: Outbox.Kind, to topic: String, replaces name: String? = nil, _ body: (inout JSONWriter) -> Void
  ) {
    var json = JSONWriter()
    json.object(body)
    outbox.append(kind, to: topic, Self.stamped(json.bytes), replaces: name)
  }

  /// Adds the time of the event: seconds since 1970, to the millisecond.
  private static func stamped(_ object: [UInt8]) -> [UInt8] {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let milliseconds = Double(now.tv_sec * 1000 + now.tv_nsec / 1_000_000)
    return object.dropLast() + ",\"time\":\((milliseconds / 1000).plain)}".utf8
  }

  // MARK: The whole panel

  func follow(_ tree: JSONValue) { panel = Panel(tree, only: views) }

  /// Publishes the states of a new or changed panel: all, or the changed ones.
  func publishStates(all: Bool) {
    let before = Set(states.keys)
    if all { states.removeAll() }
    var current: Set<String> = []
    for view in panel.views where view.rowKey == nil {
      if let value = view.value {
        publish(value: value, of: view.id, ifChanged: true)
        current.insert(topics.of(view.id, "value"))
      }
      if view.kind.role == .pages {
        publish(.page, of: view.id, "page", view.page.map { .text($0) } ?? .null, ifChanged: true)
        current.insert(topics.of(view.id, "page"))
      }
      if hasTexts, view.isNamedText, let text = view.text {
        publish(.text, of: view.id, "text", .text(text), ifChanged: true)
        current.insert(topics.of(view.id, "text"))
      }
    }
    for named in panel.values {
      publish(.value, of: named.name, "value", named.value, ifChanged: true)
      current.insert(topics.of(named.name, "value"))
    }
    if let light = panel.light {
      publish(light)
      current.formUnion([topics.of(Topics.display, "state"), topics.of(Topics.display, "health")])
    }
    for topic in before.subtracting(current).sorted() {
      states[topic] = nil
      outbox.append(.value, to: topic, [], retained: true)
    }
  }
}
