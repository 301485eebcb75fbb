import TouchCore
import TouchJSON
import TouchSystem

/// Announces views to Home Assistant by retained messages at `homeassistant/COMPONENT/PREFIX/VIEW/config`.
struct HomeAssistant {
  /// The topic of Home Assistant's own state, after whose start everything is published again.
  static let status = "homeassistant/status"

  private let topics: Topics
  /// The panel's name in topics of announcements.
  private let node: String
  /// The topics of the announcements; nil before the first time.
  private var announced: Set<String>?
  /// The panel's announcements that the broker had before.
  private var found: Set<String> = []

  init(_ topics: Topics) {
    self.topics = topics
    node = Self.level(of: topics.prefix)
  }

  /// The topic filter of this panel's announcements, including those of an earlier run.
  var announcements: String { "homeassistant/+/\(node)/+/config" }

  func isAnnouncement(_ topic: String) -> Bool {
    topic.hasPrefix("homeassistant/") && topic.hasSuffix("/config")
  }

  /// Records an announcement at the broker, and returns whether it has to be cleared.
  mutating func find(_ topic: String) -> Bool {
    guard let announced else {
      found.insert(topic)
      return false
    }
    return !announced.contains(topic)
  }

  /// Returns the retained messages for exactly these views, with the daemon's name and version.
  mutating func announcements(of panel: Panel, host: String) -> [(topic: String, payload: [UInt8])] {
    let entities =
      panel.views.filter(\.isEntity).compactMap { Entity(of: $0, in: panel, topics) }
      + panel.values.filter(\.isAnnounced).map { Entity(of: $0, topics) }
      + (panel.light.map { [Entity(of: $0, topics), Entity(pictureIn: topics)] } ?? [])
    var messages = entities.map { entity in
      (topic: topic(of: entity), payload: payload(of: entity, host: host))
    }
    let current = Set(messages.map(\.topic))
    let gone = found.union(announced ?? []).subtracting(current)
    for topic in gone.sorted() { messages.append((topic, [])) }
    (announced, found) = (current, [])
    return messages
  }

  private func topic(of entity: Entity) -> String {
    "homeassistant/\(entity.component)/\(node)/\(Self.level(of: entity.view))/config"
  }

  private func payload(of entity: Entity, host: String) -> [UInt8] {
    // Home Assistant makes an entity's id of this. It transliterates letters, and numbers ids that exist.
    let (panel, view) = (topics.prefix, entity.view)
    var json = JSONWriter()
    json.object {
      $0.field("name", entity.name)
      $0.field("unique_id", Self.uniqueID(of: view, on: panel))
      $0.field("default_entity_id", "\(entity.component).\(panel)_\(view)")
      // This is for Home Assistant before 2025.10.
      $0.field("object_id", "\(panel)_\(view)")
      $0.field("availability_topic", topics.availability)
      for (key, text) in entity.texts { $0.field(key, text) }
      for (key, number) in entity.numbers { $0.field(key, number) }
      for (key, list) in entity.lists { $0.field(key, list) }
      $0.field("qos", 1)
      $0.object("device") {
        $0.field("identifiers", ["touchtree_\(panel)"])
        $0.field("name", panel)
        $0.field("manufacturer", "touchtree")
        $0.field("sw_version", host)
      }
      $0.object("origin") {
        $0.field("name", "touchtree-mqtt")
        $0.field("sw_version", TouchtreeVersion.text)
      }
    }
    return json.bytes
  }

  /// Returns the unique id of an entity. The panel's part ends at the first `_` after `touchtree_`.
  static func uniqueID(of view: String, on panel: String) -> String {
    "touchtree_\(Topics.escaped(panel) { $0 == "_" })_\(view)"
  }

  /// Returns a text as a level of a discovery topic, of ASCII letters, digits, `_` and `-`. Other characters,
  /// and `_` before `-`, become `_-`, their hexadecimal number, and `-`. No two texts have one level.
  static func level(of text: String) -> String {
    var level = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "_" where rest.first != "-", "a"..."z", "A"..."Z", "0"..."9", "-":
        level.unicodeScalars.append(scalar)
      default: level += "_-\(String(scalar.value, radix: 16))-"
      }
    }
    return level
  }
}

private struct Entity {
  let component, view: String
  private(set) var name: String
  private(set) var texts: [(String, String)] = []
  private(set) var numbers: [(String, Double)] = []
  private(set) var lists: [(String, [String])] = []

  /// Makes a named value's entity, with its settings and the shown state.
  init(of named: Panel.NamedValue, _ topics: Topics) {
    (view, name) = (named.name, named.label ?? named.name)
    let isFlag = named.value.boolean != nil
    texts = [
      ("state_topic", topics.of(named.name, "value")),
      (
        "value_template",
        isFlag
          ? "{{ 'true' if value_json.value else 'false' }}"
          : named.value.number == nil ? Self.template("value") : "{{ value_json.value }}"
      ),
    ]
    let setting = ("command_topic", topics.of(named.name, "set"))
    if named.isDerived {
      component = isFlag ? "binary_sensor" : "sensor"
      if isFlag { texts += [("payload_on", "true"), ("payload_off", "false")] }
      if named.value.number != nil { texts.append(("state_class", "measurement")) }
    } else if isFlag {
      component = "switch"
      texts += [setting, ("payload_on", "true"), ("payload_off", "false")]
    } else if named.value.text != nil {
      component = "text"
      texts.append(setting)
    } else if let limits = named.limits, limits.minimum < limits.maximum {
      component = "number"
      texts.append(setting)
      numbers = Self.numbers(minimum: limits.minimum, maximum: limits.maximum, step: limits.step)
    } else {
      component = "sensor"
      // A value that will be a number has a unit even before it is measured.
      if named.value.number != nil || named.unit != nil { texts.append(("state_class", "measurement")) }
    }
    if let unit = named.unit { texts.append(("unit_of_measurement", unit)) }
    if let deviceClass = named.deviceClass { texts.append(("device_class", deviceClass)) }
  }

  /// Makes the entity of the display's light. Home Assistant ignores an empty brightness.
  init(of light: Panel.Light, _ topics: Topics) {
    (component, view, name) = ("light", Topics.display, "Display")
    let (state, command) = (topics.of(view, "state"), topics.of(view, "set"))
    texts = [
      ("state_topic", state), ("state_value_template", "{{ value_json.state }}"), ("command_topic", command),
    ]
    guard light.hasBrightness else { return }
    texts += [
      ("brightness_state_topic", state), ("brightness_command_topic", command),
      ("brightness_value_template", "{{ value_json.brightness | default('') }}"),
    ]
    numbers = [("brightness_scale", 100)]
  }

  /// Makes the entity of the picture that was asked for last.
  init(pictureIn topics: Topics) {
    (component, view, name) = ("image", Topics.screenshot, "Screenshot")
    texts = [("image_topic", topics.picture), ("content_type", "image/png")]
  }

  /// Returns the template of a state. It is cut, because Home Assistant shows a longer state as unknown.
  private static func template(_ field: String) -> String {
    "{{ (value_json.\(field) | string)[:\(longestState)] }}"
  }

  /// The longest state, in characters.
  private static let longestState = 255

  /// Returns the limits of a number. Home Assistant requires steps, and none finer than this.
  private static func numbers(minimum: Double, maximum: Double, step: Double) -> [(String, Double)] {
    let step = step > 0 ? step : (maximum - minimum) / 100
    return [("min", minimum), ("max", maximum), ("step", max(0.001, step))]
  }

  /// Fails for a view without a counterpart in Home Assistant. docs/mqtt.md has a row for each role.
  init?(of view: Panel.View, in panel: Panel, _ topics: Topics) {
    self.view = view.id
    name = [view.label, view.text].compactMap(\.self).first { !$0.isEmpty } ?? view.id
    let value = topics.of(view.id, "value")
    func states(_ topic: String, _ template: String) -> [(String, String)] {
      [("state_topic", topic), ("value_template", template)]
    }
    func setting(_ key: String) -> (String, String) { ("command_topic", topics.of(view.id, "set/\(key)")) }
    switch view.kind.role {
    case .flag:
      component = "switch"
      texts =
        states(value, "{{ 'true' if value_json.value else 'false' }}") + [
          setting("value"), ("payload_on", "true"), ("payload_off", "false"),
        ]
    case .number(let isStepped):
      // Home Assistant refuses a number with only one value.
      guard view.value?.number != nil, view.minimum < view.maximum else { return nil }
      component = "number"
      texts =
        states(value, "{{ value_json.value }}") + [setting("value"), ("mode", isStepped ? "box" : "slider")]
      numbers = Self.numbers(minimum: view.minimum, maximum: view.maximum, step: view.step)
    case .choice(of: let choice):
      // Rows that are views have no texts to choose from.
      guard !view.choices.isEmpty else { return nil }
      component = "select"
      texts = states(value, "{{ value_json.\(choice) }}") + [setting(choice)]
      lists = [("options", view.choices.filter { $0.unicodeScalars.count <= Self.longestState })]
    case .pages:
      component = "select"
      texts =
        states(topics.of(view.id, "page"), "{{ value_json.page }}") + [
          ("command_topic", topics.of(view.id, "page/set"))
        ]
      lists = [("options", panel.pages(of: view))]
    case .press:
      // A button of Home Assistant is pressed there; a panel's is an event.
      component = "event"
      texts = states(topics.of(view.id, "action"), #"{"event_type":"{{ value_json.action }}"}"#)
      lists = [("event_types", Publisher.actions)]
    case .text:
      component = "sensor"
      // A label's text is its state, and no name.
      name = view.label ?? view.id
      texts = states(topics.of(view.id, "text"), Self.template("text"))
    case .entry:
      component = "text"
      name = view.label ?? view.id
      texts = states(topics.of(view.id, "text"), Self.template("text")) + [setting("text")]
    case .reading:
      component = "sensor"
      texts = states(value, "{{ value_json.value }}") + [("state_class", "measurement")]
    case .none: return nil
    }
  }
}
