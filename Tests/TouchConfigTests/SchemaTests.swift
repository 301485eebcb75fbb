import Foundation
import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// The schema for editors says what the parser does.
@Suite struct SchemaTests {
  private typealias Object = [String: Any]

  /// Where the schema describes each table of keys.
  private static let tables: [(pointer: String, keys: any ConfigurationKey.Type)] = [
    ("", RootKey.self), ("properties/display", DisplayKey.self),
    ("properties/display/properties/canvas", CanvasKey.self), ("properties/input", InputKey.self),
    ("$defs/device", DeviceKey.self),
    ("$defs/device/properties/calibrated_for", CalibratedForKey.self),
    ("$defs/filter/anyOf/1", FilterKey.self),
    ("$defs/device/properties/match", MatchKey.self),
    ("properties/highlight", HighlightKey.self),
    ("$defs/mark/anyOf/1", HighlightMarkKey.self),
    ("properties/highlight/properties/touches/anyOf/1", HighlightTouchesKey.self),
    ("$defs/handler", HandlerKey.self),
    ("properties/application", ApplicationKey.self), ("$defs/window", WindowKey.self),
    ("$defs/view", ViewKey.self), ("$defs/gesture", GestureKey.self),
    ("properties/input/properties/taps", TapsKey.self),
    ("$defs/view/properties/shape/anyOf/1", ShapeKey.self),
    ("$defs/view/properties/transform/anyOf/1", TransformKey.self),
    ("$defs/view/properties/border", BorderKey.self), ("$defs/view/properties/font", FontKey.self),
    ("$defs/view/properties/image/anyOf/1", ImageKey.self),
    ("$defs/view/properties/controller/anyOf/1", ControllerKey.self),
    ("$defs/controlActions", ControlActionKey.self), ("$defs/gestureStates", GestureStateKey.self),
    ("$defs/step", StepKey.self), ("$defs/step/properties/run/anyOf/1", RunKey.self),
    ("$defs/step/properties/send", SendKey.self), ("$defs/idleStage", IdleKey.self),
    ("$defs/settable", ViewProperty.self),
  ]

  @Test func `it has the keys that the parser takes and no others`() throws {
    let schema = try schema()
    for (pointer, keys) in Self.tables {
      let object = try #require(value(at: pointer, in: schema) as? Object, "\(pointer)")
      let properties = try #require(object["properties"] as? Object, "\(pointer)")
      #expect(Set(properties.keys) == Set(keys.allNames), "\(pointer)")
      #expect(object["additionalProperties"] as? Bool == false, "\(pointer)")
      for (name, property) in properties {
        let described = (property as? Object).map { $0["description"] != nil || $0["$ref"] != nil }
        #expect(described == true, "\(pointer)/properties/\(name) has no description")
      }
    }
    #expect(closedObjects(in: schema) == Self.tables.count, "a mapping of the schema has no table")
    #expect(ConfigurationKeys.tables.count == Self.tables.count, "a table is not in the schema")
  }

  @Test func `it has the words that the parser takes`() throws {
    let schema = try schema()
    let view = "$defs/view/properties/"
    let words: [(String, [String])] = [
      ("properties/display/properties/console", names(Configuration.Display.Console.self)),
      ("properties/display/properties/canvas/properties/scale", names(DisplayGeometry.Scale.self)),
      ("properties/input/properties/cursor", names(Configuration.Input.Cursor.self)),
      ("$defs/mark/anyOf/0", names(HighlightStyle.Shape.self)),
      ("$defs/mark/anyOf/1/properties/style", names(HighlightStyle.Shape.self)),
      ("$defs/gesture/properties/kind", names(Configuration.Gesture.Kind.self)),
      ("$defs/gesture/properties/direction/anyOf/0", names(SwipeGestureRecognizer.Direction.self)),
      (view + "kind", ViewKind.declared.map(\.rawValue)), (view + "image_mode", names(ImageView.Mode.self)),
      (view + "image/anyOf/1/properties/mode", names(ImageView.Mode.self)),
      (view + "font/properties/align", names(TextStyle.Alignment.self)),
      (view + "font/properties/valign", names(TextStyle.VerticalAlignment.self)),
      (view + "font/properties/weight", names(TextStyle.Weight.self)),
      (view + "shape/anyOf/1/properties/type", names(ShapeType.self)),
      (view + "axis", names(ScrollView.Axis.self)),
      (view + "cancels_touches", names(ScrollView.TouchCancelling.self)),
      (view + "deceleration", names(ScrollView.Deceleration.self)),
      (view + "distribution", names(StackView.Distribution.self)),
      (view + "alignment", names(StackView.Alignment.self)),
      ("$defs/filterKind", names(ContactFilter.Kind.self)),
      ("$defs/trigger", names(HandlerTrigger.self)),
    ]
    for (pointer, expected) in words {
      let object = try #require(value(at: pointer, in: schema) as? Object, "\(pointer)")
      #expect((object["enum"] as? [Any])?.compactMap { $0 as? String } == expected, "\(pointer)")
    }
    for pointer in ["properties/display/properties/rotation", "$defs/device/properties/rotation"] {
      let object = try #require(value(at: pointer, in: schema) as? Object)
      #expect(object["enum"] as? [Int] == DisplayGeometry.Rotation.allCases.map(\.rawValue))
    }
  }

  /// A mapping with the key of each table, and what else it needs.
  private static let places: [(keys: any ConfigurationKey.Type, before: String, after: String)] = [
    (RootKey.self, "{", "}"), (DisplayKey.self, "{window: {}, display: {", "}}"),
    (CanvasKey.self, "{window: {}, display: {canvas: {", "}}}"),
    (InputKey.self, "{window: {}, input: {", "}}"),
    (DeviceKey.self, "{window: {}, input: {devices: [{", "}]}}"),
    (CalibratedForKey.self, "{window: {}, input: {devices: [{calibrated_for: {", "}}]}}"),
    (FilterKey.self, "{window: {}, input: {devices: [{filter: {kind: median, ", "}}]}}"),
    (MatchKey.self, "{window: {}, input: {devices: [{match: {", "}}]}}"),
    (HighlightKey.self, "{window: {}, highlight: {", "}}"),
    (HighlightMarkKey.self, "{window: {}, highlight: {view: {", "}}}"),
    (HighlightTouchesKey.self, "{window: {}, highlight: {touches: {", "}}}"),
    (HandlerKey.self, "{window: {}, handlers: {a: {kind: exec, on: ended, command: [a], ", "}}}"),
    (ApplicationKey.self, "{window: {}, application: {", "}}"), (WindowKey.self, "{window: {", "}}"),
    (ViewKey.self, "{window: {subviews: [{frame: [0, 0, 1, 1], ", "}]}}"),
    (GestureKey.self, "{window: {gestures: [{kind: tap, ", "}]}}"),
    (TapsKey.self, "{window: {}, input: {taps: {", "}}}"),
    (ShapeKey.self, "{window: {subviews: [{frame: [0, 0, 1, 1], shape: {type: polygon, ", "}}]}}"),
    (TransformKey.self, "{window: {subviews: [{frame: [0, 0, 1, 1], transform: {", "}}]}}"),
    (BorderKey.self, "{window: {subviews: [{frame: [0, 0, 1, 1], border: {", "}}]}}"),
    (FontKey.self, "{window: {subviews: [{frame: [0, 0, 1, 1], kind: label, font: {", "}}]}}"),
    (ImageKey.self, "{window: {subviews: [{frame: [0, 0, 1, 1], kind: image, image: {", "}}]}}"),
    (ControllerKey.self, "{window: {subviews: [{frame: [0, 0, 1, 1], controller: {", "}}]}}"),
    (ControlActionKey.self, "{window: {subviews: [{frame: [0, 0, 1, 1], kind: button, actions: {", "}}]}}"),
    (GestureStateKey.self, "{window: {gestures: [{kind: pan, actions: {", "}}]}}"),
    (StepKey.self, "{window: {gestures: [{kind: tap, actions: [{", "}]}]}}"),
    (RunKey.self, "{window: {gestures: [{kind: tap, actions: [run: {", "}]}]}}"),
    (SendKey.self, "{window: {gestures: [{kind: tap, actions: [send: {", "}]}]}}"),
    (IdleKey.self, "{window: {}, idle: [{after: 1, ", "}]}"),
    (ViewProperty.self, "{window: {gestures: [{kind: tap, actions: [set: {window: {", "}}]}]}}"),
  ]

  @Test func `no key is read past in silence`() {
    #expect(Self.places.count == ConfigurationKeys.tables.count)
    for (keys, before, after) in Self.places {
      for name in keys.allNames {
        // No key takes a list of a list of a list.
        let found = findings(in: before + "\(name): [[[3]]]" + after)
        #expect(!found.isEmpty, "\(keys) \(name)")
        #expect(!found.contains { $0.contains("unknown key \"\(name)\"") }, "\(keys) \(name)")
      }
    }
  }

  private func schema() throws -> Any {
    try JSONSerialization.jsonObject(
      with: Data(contentsOf: configFolder.appending(path: "touchtree.schema.json")))
  }

  private func value(at pointer: String, in schema: Any) -> Any? {
    pointer.split(separator: "/").reduce(schema as Any?) { value, step in
      if let list = value as? [Any], let index = Int(step), list.indices.contains(index) {
        return list[index]
      }
      return (value as? Object)?[String(step)]
    }
  }

  /// How many mappings the schema describes that take no other keys than the ones it lists.
  private func closedObjects(in value: Any) -> Int {
    if let list = value as? [Any] { return list.reduce(0) { $0 + closedObjects(in: $1) } }
    guard let object = value as? Object else { return 0 }
    let own = object["additionalProperties"] as? Bool == false ? 1 : 0
    return object.values.reduce(own) { $0 + closedObjects(in: $1) }
  }

  private func names<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> [String] {
    type.allCases.map(\.rawValue)
  }
}
