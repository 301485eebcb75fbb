import Foundation
import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchExpressions
@testable import TouchViews

/// The schema accepts what the parser accepts, and nothing else: each key of each kind of mapping, with
/// values of every type.
@Suite struct SchemaDifferenceTests {
  /// A kind of mapping in a file.
  struct Place: CustomTestStringConvertible, Sendable {
    var keys: KeyTable
    /// What stands before its keys.
    var before: String
    /// The keys that make it a mapping of this kind, with their values.
    var needs: [(key: String, value: String)] = []
    /// What stands after them.
    var after: String
    var testDescription: String {
      ([keys.owner] + needs.map { "\($0.key): \($0.value)" }).joined(separator: ", ")
    }

    /// A file that has the mapping with a key, or without one that it needs.
    func file(_ key: String, _ value: String?) -> String {
      let entries =
        needs.filter { $0.key != key }.map { "\($0.key): \($0.value)" }
        + (value.map { ["\(key): \($0)"] } ?? [])
      return before + entries.joined(separator: ", ") + after
    }
  }

  static let places: [Place] = {
    var places = plain
    for kind in Configuration.Gesture.Kind.allCases {
      let edges = kind == .screenEdgePan ? [(key: "edges", value: "left")] : []
      places.append(
        Place(
          keys: Configuration.Gesture.keys.table, before: "{window: {gestures: [{",
          needs: [("kind", kind.rawValue)] + edges, after: "}]}}"))
    }
    for kind in ContactFilter.Kind.allCases {
      places.append(
        Place(
          keys: ContactFilter.keys.table, before: "{window: {}, input: {devices: [{filter: {",
          needs: [("kind", kind.rawValue)], after: "}}]}}"))
    }
    for type in ShapeType.allCases {
      let points = type == .polygon ? [(key: "points", value: "[[0, 0], [1, 0], [0, 1]]")] : []
      places.append(
        Place(
          keys: ShapeDraft.keys.table, before: view("shape: {"), needs: [("type", type.rawValue)] + points,
          after: "}}]}}"))
    }
    for property in ViewProperty.table where property.shape.parts != nil {
      let kind = ViewKind.declared.first { property.owners.contains($0) } ?? .view
      places.append(
        Place(
          keys: KeyTable.parts(of: property), before: view("kind: \(kind.name), \(property.name): {"),
          after: "}}]}}"))
    }
    for kind in ViewKind.declared {
      places.append(
        Place(
          keys: .view, before: "{window: {subviews: [{",
          needs: [("frame", "[0, 0, 9, 9]"), ("kind", kind.name)], after: "}]}}"))
    }
    return places
  }()

  private static let plain: [Place] = [
    Place(keys: .root, before: "{", needs: [("window", "{}")], after: "}"),
    Place(keys: DisplaySettings.keys.table, before: "{window: {}, display: {", after: "}}"),
    Place(
      keys: DisplaySettings.canvas.table, before: "{window: {}, display: {canvas: {",
      needs: [("size", "[9, 9]")],
      after: "}}}"),
    Place(keys: Configuration.Input.keys.table, before: "{window: {}, input: {", after: "}}"),
    Place(keys: DeviceRule.keys.table, before: "{window: {}, input: {devices: [{", after: "}]}}"),
    Place(
      keys: ScannerSettings.keys.table, before: "{window: {}, input: {devices: [{scanner: {", after: "}}]}}"),
    Place(
      keys: DeviceRule.CalibratedFor.keys.table, before: "{window: {}, input: {devices: [{calibrated_for: {",
      after: "}}]}}"),
    Place(keys: DeviceMatch.keys.table, before: "{window: {}, input: {devices: [{match: {", after: "}}]}}"),
    Place(keys: .highlight, before: "{window: {}, highlight: {", after: "}}"),
    Place(keys: HighlightStyle.Mark.keys.table, before: "{window: {}, highlight: {view: {", after: "}}}"),
    Place(
      keys: HighlightStyle.Touches.keys.table, before: "{window: {}, highlight: {touches: {", after: "}}}"),
    Place(keys: .application, before: "{window: {}, application: {", after: "}}"),
    Place(keys: Configuration.Window.keys.table, before: "{window: {", after: "}}"),
    Place(keys: Dispatcher.TapSettings.keys.table, before: "{window: {}, input: {taps: {", after: "}}}"),
    Place(keys: KeyboardSettings.keys.table, before: "{window: {}, input: {keyboard: {", after: "}}}"),
    Place(
      keys: .gradient, before: view("background: {"), needs: [("gradient", "[red, blue]")], after: "}}]}}"),
    Place(keys: .nextFocus, before: view("next_focus: {"), after: "}}]}}"),
    Place(
      keys: .controller, before: view("controller: {"), needs: [("id", "b")], after: "}}]}}"),
    Place(keys: .controlActions, before: view("kind: button, actions: {"), after: "}}]}}"),
    Place(
      keys: .gestureStates, before: "{window: {gestures: [{kind: pan, actions: {", after: "}}]}}"
    ),
    step(.step, "{", "}"), step(.run, "run: {", "}", [("command", "[a]")]),
    step(.send, "send: {", "}", [("to", "subscribers"), ("message", "1")]),
    step(.condition, "if: {", "}", [("that", "'{1 > 0}'"), ("then", "[]")]),
    step(.after, "after: {", "}", [("seconds", "1"), ("steps", "[]")]),
    step(Timing.keys.table, "animate: {", "}", [("seconds", "1"), ("set", "{a: {alpha: 0}}")]),
    Place(
      keys: NamedValue.keys.table, before: "{window: {}, values: {a: {", needs: [("value", "1")],
      after: "}}}"),
    Place(
      keys: ThemeDraft.keys.table, before: "{window: {}, theme: {", needs: [("name", "dark")], after: "}}"),
    Place(
      keys: SensorSource.keys.table, before: "{window: {}, values: {a: {value: 1, source: {",
      needs: [("device", "a"), ("event", "ABS_MISC")], after: "}}}}"),
    Place(keys: .idleStage, before: "{window: {}, idle: [{", needs: [("after", "1")], after: "}]}"),
    Place(keys: .screenKeyboard, before: "{window: {}, keyboard: {", after: "}}"),
    Place(
      keys: .keyboardLayout, before: "{window: {}, keyboards: {a: {",
      needs: [("rows", "[[a]]")], after: "}}}"),
    handler([("kind", "plugin"), ("path", "a.so")]), handler([("kind", "process"), ("command", "[a]")]),
    handler([("kind", "exec"), ("when", "ended"), ("command", "[a]")]),
  ]

  private static func handler(_ needs: [(String, String)]) -> Place {
    Place(keys: HandlerDraft.keys.table, before: "{window: {}, handlers: {a: {", needs: needs, after: "}}}")
  }

  private static func view(_ keys: String) -> String {
    "{window: {subviews: [{id: a, frame: [0, 0, 9, 9], " + keys
  }

  private static func step(
    _ keys: KeyTable, _ before: String, _ after: String, _ needs: [(String, String)] = []
  ) -> Place {
    Place(
      keys: keys, before: view("gestures: [{kind: tap, actions: [\(before)"), needs: needs,
      after: after + "]}]}]}}")
  }

  /// Values of every type, written as YAML.
  private static let values = [
    "null", "true", "0", "1", "2", "-1", "0.5", "100", "100000", "10000000000", "''", "' '", "a", "none",
    "'#ff0000'",
    "'1'", "/dev/a", "'{1 + 1}'", "[]", "[1]", "[a]", "['']", "[1, 2]", "[0, 0, 1, 1]", "[1, 0, 0, 0, 1, 0]",
    "[[1]]",
    "[null]", "[{}]", "{}", "{a: 1}", "{a: null}", "{a: []}",
  ]
  /// For the keys of kinds of views, which are many.
  private static let fewValues = ["null", "none", "true", "1", "a", "'{1 + 1}'", "[1, 2]", "[]", "{a: 1}"]

  /// What no schema knows: which names, files, colours and icons there are, what other keys say, and what an
  /// expression gives.
  private static let beyond = [
    #"\b(no|No) (view|style|template|handler|gesture|controller|value|font|page) "#, #"has no subview"#,
    #"is given twice|is not presented|is a view"#, #"; declare it under"#, #"give a colour"#, #"\{1 \+ 1\}"#,
    #"larger maximum|both limits|the fewest and the most|the limits do not allow"#,
    #"value is .*; give a (whole )?number from"#, #"; give an end_angle|step is 0;"#,
    #"name of an icon|give an SVG path"#,
    #"give one of|the theme |theme: dark|give dark, light"#, #"a view needs "frame""#,
    #"size is for a sheet|so is frame"#, #"files are only included|a file of quirks"#, #"follows nothing"#,
    #"give properties and their values"#, #"onto a line|a row has no keys"#,
  ]

  @Test(arguments: places) func `the schema accepts what the parser accepts`(place: Place) throws {
    let (schema, pointer) = (try Self.schema.get(), try #require(Self.pointers[place.keys.names]))
    for key in place.keys.names {
      let rule = schema.definition(pointer + "/properties/" + key)
      let examples = schema.examples(of: rule).compactMap(\.text).map { "'\($0)'" }
      for value in values(of: key, in: place, limits: schema.limits(of: rule)) + examples {
        try compare(place.file(key, value), schema, "\(key): \(value)")
      }
      if place.needs.contains(where: { $0.key == key }) {
        try compare(place.file(key, nil), schema, "without \(key)")
      }
    }
  }

  /// All for a key that is no property of views; of those, a few once, and fewer for every other kind of
  /// view.
  private func values(of key: String, in place: Place, limits: [String]) -> [String] {
    guard let property = ViewProperty.named(key), place.keys === KeyTable.view else {
      return Self.values + limits
    }
    let kind = ViewKind.declared.first { property.owners.contains($0) }
    return place.needs.last?.value == kind?.name ? Self.fewValues + limits : ["null", "1"]
  }

  private func compare(_ text: String, _ schema: JSONSchema, _ what: String) throws {
    let bytes = Array(text.utf8)
    let report = Report([ConfigurationSource(file: "f.yaml", text: bytes)])
    let document = try #require(YAMLDocument.read(bytes, file: 0, report: report), "\(text)")
    let value = try JSONDecoder().decode(JSON.self, from: Data(document.root.json { _ in }.utf8))
    let errors = findings(in: text).filter { $0.contains(": error: ") }
    if schema.accepts(value) {
      let known =
        errors.isEmpty
        || errors.contains { error in
          Self.beyond.contains { error.range(of: $0, options: .regularExpression) != nil }
        }
      #expect(known, "\(what): the schema accepts it, and the parser says \(errors)")
    } else {
      #expect(!errors.isEmpty, "\(what): the parser accepts it, and the schema does not")
    }
  }

  @Test func `no key is read past in silence`() {
    #expect(Set(Self.places.map(\.keys.names)).count == Set(KeyTable.all.map(\.names)).count)
    for place in Self.places {
      for name in place.keys.names {
        // No key takes a list of a list of a list, but what is handed on as it is.
        if ["config", "message"].contains(name) { continue }
        let found = findings(in: place.file(name, "[[[3]]]"))
        #expect(!found.isEmpty, "\(place) \(name)")
        #expect(!found.contains { $0.contains("unknown key \"\(name)\"") }, "\(place) \(name)")
      }
    }
  }

  private static let schema = Result {
    JSONSchema(
      root: try JSONDecoder().decode(
        JSON.self, from: Data(contentsOf: configFolder.appending(path: "touchtree.schema.json"))))
  }

  /// Where the schema describes mappings with these keys.
  private static let pointers: [[String]: String] = {
    guard let root = try? schema.get().root else { return [:] }
    let tables = Dictionary(
      places.map { (Set($0.keys.names), $0.keys.names) }, uniquingKeysWith: { first, _ in first })
    var pointers: [[String]: String] = [:]
    var waiting = [(pointer: "", value: root)]
    while let (pointer, value) = waiting.popLast() {
      if case .object(let object) = value {
        if case .object(let properties)? = object["properties"], let names = tables[Set(properties.keys)] {
          pointers[names] = pointer
        }
        waiting += object.map { ("\(pointer)/\($0)", $1) }
      }
      waiting += value.items.enumerated().map { ("\(pointer)/\($0)", $1) }
    }
    return pointers
  }()
}

extension KeyTable {
  fileprivate static func parts(of property: ViewProperty) -> KeyTable {
    let parts = property.shape.parts
    return KeyTable(parts?.whole ?? "", [], properties: parts?.parts.map(\.name) ?? [])
  }
}
