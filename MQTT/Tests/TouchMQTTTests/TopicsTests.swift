import Testing
import TouchSystem

@testable import TouchJSON
@testable import TouchMQTT

@Suite("Topics") struct TopicsTests {
  @Test(arguments: ["kitchen", "home/kitchen", "Küche", "a b"])
  func `a prefix is one or more levels`(prefix: String) {
    #expect(Topics(prefix: prefix) != nil)
  }

  @Test(arguments: [
    "", "/kitchen", "kitchen/", "a/#", "+", "$SYS", "a\nb", String(repeating: "x", count: 201),
  ])
  func `what is no topic is no prefix`(prefix: String) {
    #expect(Topics(prefix: prefix) == nil)
  }

  @Test(arguments: [
    ("h/k/lamp/set/value", Topics.Command.property(view: "lamp", key: "value")),
    ("h/k/lamp/set/font.size", .property(view: "lamp", key: "font.size")),
    ("h/k/lamp/set", .properties(view: "lamp")), ("h/k/screens/page/set", .page(pages: "screens")),
    ("h/k/page/page/set", .page(pages: "page")), ("h/k/set/set/set", .property(view: "set", key: "set")),
    ("h/k/reload", .reload), ("h/k/a%2fb%25/set", .properties(view: "a/b%")),
  ])
  func `a topic asks for something`(topic: String, command: Topics.Command) throws {
    let topics = try #require(Topics(prefix: "h/k"))
    #expect(topics.command(topic) == command)
  }

  /// The rows: the payload, and the request or the words of the error.
  @Test(arguments: [
    ("ON", #"{"type":"blank","id":"k/display/set","value":false}"#),
    ("OFF", #"{"type":"blank","id":"k/display/set","value":true}"#),
    ("40", #"{"type":"backlight","id":"k/display/set","value":40}"#),
    ("101", "give ON, OFF, or a number from 0 to 100"), ("on", "give ON, OFF, or a number"),
    ("nan", "give ON, OFF"),
  ])
  func `the display takes a switch and a brightness`(payload: String, expected: String) throws {
    let topics = try #require(Topics(prefix: "k"))
    let command = try #require(topics.command("k/display/set"))
    #expect(command.of(values: { _ in false }) == .properties(view: "display"), "a view has the name")
    #expect(command.of(values: { $0 == "display" }) == .value(name: "display"))
    let display = command.of(values: { _ in false }, views: { _ in false })
    do throws(Failure) {
      let request = try display.request(Array(payload.utf8), on: "k/display/set", choices: { _ in nil })
      #expect(String(decoding: request, as: UTF8.self).hasPrefix(expected))
    } catch {
      #expect(error.description.contains(expected))
    }
  }

  @Test(arguments: ["h/k", "h/kk/reload", "h/k/lamp", "h/k/lamp/value", "h/k/lamp/set/a/b", "x/k/reload"])
  func `any other topic asks for nothing`(topic: String) throws {
    let topics = try #require(Topics(prefix: "h/k"))
    #expect(topics.command(topic) == nil)
  }

  @Test(arguments: [
    ("lamp", "lamp"), ("a/b", "a%2fb"), ("+#%", "%2b%23%25"), ("\u{1}", "%01"), ("größe", "größe"),
    ("\u{85}\u{ffff}", "%c2%85%ef%bf%bf"), ("\u{301}a", "\u{301}a"), ("light_1-a", "light_1-a"),
  ])
  func `an id is one level, and is read back`(id: String, level: String) throws {
    let topics = try #require(Topics(prefix: "p"))
    #expect(topics.of(id, "value") == "p/\(level)/value")
    #expect(topics.command("p/\(level)/set") == .properties(view: id))
  }
}

/// Names as people and programs give them, and such as look like what others are written as.
@Suite("Names on a broker") struct BrokerNameTests {
  private static let pieces = [
    "_", "-", "_-", "-2f-", "/", "%", "%2f", "a", "f", "2", "Tür", "Tär", "温度", "Свет", " ", "é", "e\u{301}",
    "\u{85}", "👩‍🔧", "homeassistant",
  ]

  private static func names(_ random: inout SystemRandomNumberGenerator) -> Set<[Unicode.Scalar]> {
    var names: Set<[Unicode.Scalar]> = []
    while names.count < 3000 {
      let name = (0..<Int.random(in: 1...5, using: &random)).compactMap { _ in
        pieces.randomElement(using: &random)
      }
      names.insert(Array(name.joined().unicodeScalars))
    }
    return names
  }

  private static func text(_ scalars: [Unicode.Scalar]) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }

  @Test func `no two names have one topic, one entity or one panel`() throws {
    var random = SystemRandomNumberGenerator()
    let names = Self.names(&random)
    let bytes = { (text: String) in Array(text.utf8) }
    let levels = names.map { HomeAssistant.level(of: Self.text($0)) }
    #expect(Set(levels.map(bytes)).count == names.count)
    #expect(levels.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil })
    #expect(Set(names.map { bytes(Topics.level(of: Self.text($0))) }).count == names.count)
    let panels = names.prefix(80).map(Self.text)
    let ids = panels.flatMap { panel in panels.map { bytes(HomeAssistant.uniqueID(of: $0, on: panel)) } }
    #expect(Set(ids).count == panels.count * panels.count)
  }

  @Test(arguments: ["kitchen", "living_room", "Room-1", "_", "-", "a-_b", "__", "x2f"])
  func `letters, digits and the two dashes stay as they are`(name: String) {
    #expect(HomeAssistant.level(of: name) == name && Topics.level(of: name) == name)
    #expect(HomeAssistant.uniqueID(of: name, on: "kitchen-1") == "touchtree_kitchen-1_\(name)")
  }

  @Test(arguments: [
    ("Tür", "T_-fc-r"), ("a/b", "a_-2f-b"), ("温", "_-6e29-"), ("a_-b", "a_-5f--b"), ("a_/", "a__-2f-"),
  ])
  func `any other character is its number`(name: String, level: String) {
    #expect(HomeAssistant.level(of: name) == level)
  }

  @Test(arguments: [
    ("thme", #"is no named value"#, #"did you mean "theme"?"#),
    ("lihgt", "JSON object", #"did you mean "light"?"#),
    ("light", "JSON object", nil), ("quite-else", "is no named value", nil),
  ])
  func `a name with a slip in it is answered with the one that was meant`(
    name: String, words: String, meant: String?
  ) throws {
    let panel = Panel(
      try JSONReader.read(
        #"{"views":[{"id":"light","kind":"switch","value":true}],"values":[{"name":"theme","value":"dark"}]}"#
      ),
      only: [])
    let command = try #require(Topics(prefix: "p")?.command("p/\(name)/set"))
    do throws(Failure) {
      _ = try command.request(Array("dark".utf8), on: "", choices: { _ in nil }, meant: panel.nearest)
      Issue.record("it is no request")
    } catch {
      #expect(error.message.contains(words) && error.message.contains("did you mean") == (meant != nil))
      #expect(error.message.contains(meant ?? ""), "\(error.message)")
    }
  }
}

@Suite("Named values on a broker") struct ValueTopicTests {
  private func panel() throws -> Panel {
    let tree =
      #"{"views":[{"id":"lamp","kind":"view"}],"values":[{"name":"t","value":21.5,"unit":"°C","class":"temperature"},{"name":"on","value":true,"label":"Pump"}]}"#
    return Panel(try JSONReader.read(tree), only: [])
  }

  @Test func `a value shares the topics of the views, and its payload is what it becomes`() throws {
    let (topics, panel) = (try #require(Topics(prefix: "p")), try panel())
    for topic in ["p/t/set", "p/t/set/value"] {
      let command = try #require(topics.command(topic)?.of(values: panel.hasValue))
      #expect(command == .value(name: "t"))
      let line = try command.request(Array("22".utf8), on: topic) { _ in nil }
      #expect(
        String(decoding: line, as: UTF8.self)
          == #"{"type":"set","id":"\#(topic)","format":"text","values":{"t":"22"}}"# + "\n")
    }
    #expect(topics.command("p/lamp/set")?.of(values: panel.hasValue) == .properties(view: "lamp"))
    #expect(topics.command("p/t/set/font")?.of(values: panel.hasValue) == .property(view: "t", key: "font"))
    #expect(
      Panel(try JSONReader.read(#"{"values":[{"name":"t","value":1}]}"#), only: ["lamp"]).values.isEmpty)
  }

  @Test func `Home Assistant gets a sensor with its unit, or a switch`() throws {
    let topics = try #require(Topics(prefix: "p"))
    var assistant = HomeAssistant(topics)
    let messages = assistant.announcements(of: try panel(), host: "touchtree/1")
    #expect(messages.map(\.topic) == ["homeassistant/sensor/p/t/config", "homeassistant/switch/p/on/config"])
    let sensor = try JSONReader.read(String(decoding: messages[0].payload, as: UTF8.self))
    #expect(sensor["unit_of_measurement"]?.text == "°C" && sensor["device_class"]?.text == "temperature")
    #expect(sensor["state_topic"]?.text == "p/t/value")
    let toggle = try JSONReader.read(String(decoding: messages[1].payload, as: UTF8.self))
    #expect(toggle["command_topic"]?.text == "p/on/set" && toggle["payload_on"]?.text == "true")
    #expect(toggle["name"]?.text == "Pump" && toggle["unique_id"]?.text == "touchtree_p_on")
  }

  /// Home Assistant keeps statistics of what has a state class, and no other word as its state may have one.
  @Test(arguments: [
    (#""value":21.5"#, true), (#""value":null,"unit":"°C""#, true), (#""value":null"#, false),
    (#""value":"warm""#, false), (#""value":true"#, false),
  ])
  func `a value that is a number, or going to be one, has a state class`(value: String, hasClass: Bool) throws
  {
    var assistant = HomeAssistant(try #require(Topics(prefix: "p")))
    let panel = Panel(
      try JSONReader.read(#"{"views":[],"values":[{"name":"t","announce":true,\#(value)}]}"#), only: [])
    let message = try #require(assistant.announcements(of: panel, host: "touchtree/1").first)
    let entity = try JSONReader.read(String(decoding: message.payload, as: UTF8.self))
    #expect((entity["state_class"]?.text == "measurement") == hasClass)
  }

  @Test(arguments: [
    (
      #""value":21,"minimum":5,"maximum":30,"step":0.5,"unit":"°C""#, "number",
      #""min":5,"max":30,"step":0.5"#
    ),
    (#""value":null,"minimum":0,"maximum":1,"step":0"#, "number", #""min":0,"max":1,"step":0.01"#),
    (#""value":"warm""#, "text", #""command_topic":"p/t/set""#),
    // Home Assistant refuses limits between which there is nothing, and longer states.
    (#""value":9,"minimum":9,"maximum":9"#, "sensor", #""value_template":"{{ value_json.value }}""#),
    (#""value":"warm""#, "text", #""value_template":"{{ (value_json.value | string)[:255] }}""#),
    (#""value":null"#, "sensor", #""value_template":"{{ (value_json.value | string)[:255] }}""#),
    (#""value":21"#, "sensor", #""state_class":"measurement""#),
  ])
  func `Home Assistant sets a number that has limits, and a text`(
    value: String, component: String, part: String
  )
    throws
  {
    var assistant = HomeAssistant(try #require(Topics(prefix: "p")))
    let panel = Panel(
      try JSONReader.read(#"{"views":[],"values":[{"name":"t","announce":true,\#(value)}]}"#), only: [])
    let message = try #require(assistant.announcements(of: panel, host: "touchtree/1").first)
    #expect(message.topic == "homeassistant/\(component)/p/t/config")
    let payload = String(decoding: message.payload, as: UTF8.self)
    #expect(payload.contains(part), "\(payload)")
    #expect(payload.contains("command_topic") == (component != "sensor"))
  }

  /// A value that follows an expression is a sensor, whatever it holds, and one without a label or a class is
  /// not announced.
  @Test(arguments: [
    (#""value":3.5,"follows":"{a}","label":"Cost""#, ["sensor"]),
    (#""value":"far","follows":"{a}","label":"Way""#, ["sensor"]),
    (#""value":true,"follows":"{a}","label":"Late""#, ["binary_sensor"]), (#""value":3.5"#, []),
    (#""value":3.5,"class":"power","announce":false"#, []), (#""value":3.5,"class":"power""#, ["sensor"]),
  ])
  func `a value is announced by its label or its class, unless the file says it`(
    value: String, components: [String]
  ) throws {
    var assistant = HomeAssistant(try #require(Topics(prefix: "p")))
    let panel = Panel(try JSONReader.read(#"{"views":[],"values":[{"name":"t",\#(value)}]}"#), only: [])
    let messages = assistant.announcements(of: panel, host: "touchtree/1")
    #expect(messages.map(\.topic) == components.map { "homeassistant/\($0)/p/t/config" })
    #expect(!messages.contains { String(decoding: $0.payload, as: UTF8.self).contains("command_topic") })
  }

  @Test func `each value is published when it changes, and all of them at first`() throws {
    let publisher = Publisher(try #require(Topics(prefix: "p")), views: [], hasTexts: false)
    publisher.follow(
      try JSONReader.read(#"{"views":[],"values":[{"name":"t","value":21.5},{"name":"on","value":null}]}"#))
    publisher.publishStates(all: true)
    publisher.take(try JSONReader.read(#"{"type":"value","name":"t","value":22}"#))
    var sent: [String] = []
    while publisher.outbox.sendNext({ message in
      sent.append("\(message.topic) \(String(decoding: message.payload, as: UTF8.self).prefix(13))")
      return Int32(sent.count)
    }) {}
    #expect(
      sent.contains { $0.hasPrefix("p/on/value {\"value\":null") }
        && sent.contains { $0.hasPrefix("p/t/value {\"value\":22") })
  }
}

@Suite("Home Assistant's discovery") struct HomeAssistantTests {
  /// What is announced of one view, as JSON; nil for none.
  private func announcement(_ views: String...) throws -> (topic: String, json: JSONValue)? {
    let topics = try #require(Topics(prefix: "home/kitchen"))
    var assistant = HomeAssistant(topics)
    let tree = try JSONReader.read(#"{"views":[\#(views.joined(separator: ","))]}"#)
    let messages = assistant.announcements(of: Panel(tree, only: []), host: "touchtree/1")
    guard let first = messages.first else { return nil }
    return (first.topic, try JSONReader.read(String(decoding: first.payload, as: UTF8.self)))
  }

  @Test(arguments: [
    (
      #"{"id":"light","kind":"switch","value":true}"#, "switch/home_-2f-kitchen/light",
      [
        "state_topic": "home/kitchen/light/value", "command_topic": "home/kitchen/light/set/value",
        "payload_on": "true", "name": "light", "object_id": "home/kitchen_light",
        "default_entity_id": "switch.home/kitchen_light", "unique_id": "touchtree_home/kitchen_light",
        "availability_topic": "home/kitchen/availability",
      ]
    ),
    (
      #"{"id":"speed","kind":"slider","value":900,"minimum":0,"maximum":3000,"step":50}"#,
      "number/home_-2f-kitchen/speed",
      [
        "min": "0", "max": "3000", "step": "50", "mode": "slider",
        "command_topic": "home/kitchen/speed/set/value",
      ]
    ),
    (
      #"{"id":"level","kind":"slider","value":0.5,"minimum":0,"maximum":1,"step":0}"#,
      "number/home_-2f-kitchen/level", ["step": "0.01"]
    ),
    (
      #"{"id":"parts","kind":"stepper","value":1,"minimum":1,"maximum":99,"step":1}"#,
      "number/home_-2f-kitchen/parts", ["mode": "box", "step": "1"]
    ),
    (
      #"{"id":"mode","kind":"segmented","value":1,"segments":["Off","Auto"]}"#,
      "select/home_-2f-kitchen/mode",
      [
        "options": #"["Off","Auto"]"#, "command_topic": "home/kitchen/mode/set/segment",
        "value_template": "{{ value_json.segment }}",
      ]
    ),
    (
      #"{"id":"day","kind":"list","value":-1,"rows":["Monday","Tuesday"]}"#, "select/home_-2f-kitchen/day",
      [
        "options": #"["Monday","Tuesday"]"#, "state_topic": "home/kitchen/day/value",
        "command_topic": "home/kitchen/day/set/row", "value_template": "{{ value_json.row }}", "name": "day",
      ]
    ),
    (
      #"{"id":"warmer","kind":"button","text":"+","label":"Warmer"}"#, "event/home_-2f-kitchen/warmer",
      ["name": "Warmer"]
    ),
    (
      #"{"id":"t","kind":"label","text":"21°","label":"Outside"}"#, "sensor/home_-2f-kitchen/t",
      ["name": "Outside"]
    ),
    (
      #"{"id":"load","kind":"progress","value":0.5,"label":"Load"}"#, "sensor/home_-2f-kitchen/load",
      ["name": "Load", "value_template": "{{ value_json.value }}"]
    ),
    (
      #"{"id":"screens","kind":"pages","page":"home","announce":true},{"id":"home","kind":"view","parent":"screens"},{"id":"pin","kind":"view","parent":"screens","private":true}"#,
      "select/home_-2f-kitchen/screens",
      [
        "options": #"["home","pin"]"#, "state_topic": "home/kitchen/screens/page",
        "command_topic": "home/kitchen/screens/page/set",
      ]
    ),
    (
      #"{"id":"stop","kind":"button","text":"Stop","announce":true}"#, "event/home_-2f-kitchen/stop",
      ["name": "Stop", "state_topic": "home/kitchen/stop/action"]
    ),
    (
      #"{"id":"measured","kind":"label","text":"21°","announce":true}"#, "sensor/home_-2f-kitchen/measured",
      [
        "name": "measured", "state_topic": "home/kitchen/measured/text",
        "value_template": "{{ (value_json.text | string)[:255] }}",
      ]
    ),
    (
      #"{"id":"a/b","kind":"gauge","value":3,"announce":true}"#, "sensor/home_-2f-kitchen/a_-2f-b",
      ["state_topic": "home/kitchen/a%2fb/value", "state_class": "measurement"]
    ),
  ])
  func `a view is announced as what it is`(view: String, topic: String, fields: [String: String]) throws {
    let announced = try #require(try announcement(view))
    #expect(announced.topic == "homeassistant/\(topic)/config")
    for (key, text) in fields {
      let value = announced.json[key]
      #expect((value?.text ?? value?.json) == text, "\(key)")
    }
    #expect(announced.json["device"]?["identifiers"]?.json == #"["touchtree_home/kitchen"]"#)
  }

  @Test(arguments: [
    #"{"id":"label-1","kind":"label","text":"set to"}"#, #"{"id":"photo","kind":"image"}"#,
    #"{"id":"card","kind":"view"}"#, #"{"id":"s","kind":"stack"}"#, #"{"id":"s","kind":"scroll"}"#,
    #"{"id":"w","kind":"window"}"#, #"{"id":"new","kind":"dial","value":1}"#,
    #"{"id":"fixed","kind":"slider","value":5,"minimum":5,"maximum":5}"#,
    #"{"id":"bay-0-on","kind":"switch","value":true,"row_key":"b19"}"#,
    #"{"id":"bay-0","kind":"button","row_key":0}"#,
    #"{"id":"on","kind":"switch","private":true}"#, #"{"id":"keys","kind":"control","value":null}"#,
    #"{"id":"tab","kind":"button","text":"Home"}"#, #"{"id":"clock","kind":"label","text":"12:00"}"#,
    #"{"id":"light","kind":"switch","value":true,"announce":false}"#,
  ])
  func `other views are not announced`(view: String) throws {
    #expect(try announcement(view) == nil)
  }

  @Test func `what is longer than a state is no choice`() throws {
    let long = String(repeating: "é", count: 256)
    let announced = try #require(
      try announcement(
        #"{"id":"m","kind":"segmented","value":-1,"segments":["a","\#(long)","\#(long.dropLast())"]}"#))
    #expect(announced.json["options"]?.elements?.count == 2)
  }

  @Test func `what is gone is cleared, that of an earlier run too`() throws {
    let topics = try #require(Topics(prefix: "k"))
    var assistant = HomeAssistant(topics)
    func panel(_ ids: String...) throws -> Panel {
      let views = ids.map { #"{"id":"\#($0)","kind":"switch","value":true}"# }.joined(separator: ",")
      return Panel(try JSONReader.read(#"{"views":[\#(views)]}"#), only: [])
    }
    func topic(_ id: String) -> String { "homeassistant/switch/k/\(id)/config" }
    let isCleared = assistant.find(topic("old"))
    #expect(!isCleared)
    let first = assistant.announcements(of: try panel("a", "b"), host: "")
    #expect(first.map(\.topic) == [topic("a"), topic("b"), topic("old")])
    #expect(first.map(\.payload.isEmpty) == [false, false, true])
    let second = assistant.announcements(of: try panel("b"), host: "")
    #expect(second.map(\.topic) == [topic("b"), topic("a")] && second[1].payload.isEmpty)
    let found = ["b", "older"].map { assistant.find(topic($0)) }
    #expect(found == [false, true])
  }

  @Test func `a panel may be a part of the tree`() throws {
    let tree = try JSONReader.read(
      #"{"views":[{"id":"w","kind":"window"},{"id":"a","kind":"view","parent":"w"},{"id":"b","kind":"button","parent":"a"},{"id":"c","kind":"button","parent":"w"}]}"#
    )
    #expect(Panel(tree, only: ["a"]).views.map(\.id) == ["a", "b"])
    #expect(Panel(tree, only: []).views.count == 4)
  }
}
