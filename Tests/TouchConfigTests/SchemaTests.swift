import Foundation
import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// The schema for editors says what the parser does.
@Suite struct SchemaTests {
  private typealias Object = [String: Any]

  /// Where the schema describes each table of keys.
  static let tables: [(pointer: String, keys: KeyTable)] = [
    ("", .init(RootKey.self)), ("properties/display", .init(DisplayKey.self)),
    ("properties/display/properties/canvas", .init(CanvasKey.self)),
    ("properties/input", .init(InputKey.self)), ("$defs/device", .init(DeviceRule.Key.self)),
    ("$defs/device/properties/calibrated_for", .init(CalibratedForKey.self)),
    ("$defs/device/properties/scanner/anyOf/1", .init(ScannerKey.self)),
    ("$defs/filter/anyOf/1", .init(FilterKey.self)),
    ("$defs/device/properties/match", .init(MatchKey.self)),
    ("properties/highlight", .init(HighlightKey.self)), ("$defs/mark/anyOf/1", .init(HighlightMarkKey.self)),
    ("properties/highlight/properties/touches/anyOf/1", .init(HighlightTouchesKey.self)),
    ("$defs/handler", .init(HandlerKey.self)), ("properties/application", .init(ApplicationKey.self)),
    ("$defs/window", .init(WindowKey.self)), ("$defs/view", .init(ViewKey.self)),
    ("$defs/gesture", .init(GestureKey.self)), ("properties/input/properties/taps", .init(TapsKey.self)),
    ("properties/input/properties/keyboard", .init(KeyboardKey.self)),
    ("$defs/view/properties/next_focus", .init(NextFocusKey.self)),
    ("$defs/view/properties/shape/anyOf/1", .init(ShapeKey.self)),
    ("$defs/view/properties/transform/anyOf/1", parts("transform")),
    ("$defs/view/properties/border/anyOf/0", parts("border")),
    ("$defs/view/properties/shadow/anyOf/0", parts("shadow")), ("$defs/gradient/anyOf/1", .gradient),
    ("$defs/view/properties/font/anyOf/0", parts("font")),
    ("$defs/view/properties/detail_font/anyOf/0", parts("detail_font")),
    ("$defs/view/properties/icon/anyOf/2", parts("icon")),
    ("$defs/view/properties/states/anyOf/0", parts("states")),
    ("$defs/view/properties/image/anyOf/2", parts("image")),
    ("$defs/view/properties/controller/anyOf/1", .init(ControllerKey.self)),
    ("$defs/controlActions", .init(ControlActionKey.self)),
    ("$defs/gestureStates", .init(GestureStateKey.self)), ("$defs/step", .init(StepKey.self)),
    ("$defs/step/properties/run/anyOf/1", .init(RunKey.self)),
    ("$defs/step/properties/send", .init(SendKey.self)), ("$defs/step/properties/if", .init(IfKey.self)),
    ("$defs/step/properties/after", .init(AfterKey.self)),
    ("$defs/step/properties/animate", .init(AnimateKey.self)),
    ("$defs/namedValue", .init(NamedValueKey.self)),
    ("$defs/idleStage", .init(IdleKey.self)),
    ("properties/keyboard", .init(ScreenKeyboardKey.self)),
    ("$defs/keyboardLayout", .init(KeyboardLayoutKey.self)),
    ("$defs/settable", .init(SettableKey.self)),
  ]

  static func parts(_ name: String) -> KeyTable {
    let parts = ViewProperty.named(name)?.shape.parts
    return KeyTable(owner: parts?.whole ?? "", names: parts?.parts.map(\.name) ?? [])
  }

  @Test func `it has the keys that the parser takes and no others`() throws {
    let schema = try schema()
    for (pointer, keys) in Self.tables {
      let object = try #require(value(at: pointer, in: schema) as? Object, "\(pointer)")
      let properties = try #require(object["properties"] as? Object, "\(pointer)")
      #expect(Set(properties.keys) == Set(keys.names), "\(pointer)")
      #expect(object["additionalProperties"] as? Bool == false, "\(pointer)")
      for (name, property) in properties {
        let described = (property as? Object).map { $0["description"] != nil || $0["$ref"] != nil }
        #expect(described == true, "\(pointer)/properties/\(name) has no description")
      }
    }
    #expect(closedObjects(in: schema) == Self.tables.count, "a mapping of the schema has no table")
    #expect(KeyTable.all.count + 1 == Self.tables.count, "a table is not in the schema")
  }

  @Test func `it has the words that the parser takes`() throws {
    let schema = try schema()
    let view = "$defs/view/properties/"
    let words: [(String, [String])] = [
      ("properties/display/properties/console", names(DisplaySettings.Console.self)),
      ("properties/display/properties/canvas/properties/scale", names(DisplayGeometry.Scale.self)),
      ("properties/input/properties/cursor", names(PointerVisibility.self)),
      ("$defs/mark/anyOf/0", names(HighlightStyle.Shape.self)),
      ("$defs/mark/anyOf/1/properties/style", names(HighlightStyle.Shape.self)),
      ("$defs/gesture/properties/kind", names(Configuration.Gesture.Kind.self)),
      ("$defs/gesture/properties/direction/anyOf/0", names(SwipeGestureRecognizer.Direction.self)),
      (view + "kind", ViewKind.declared.map(\.name)),
      (view + "shape/anyOf/1/properties/type", names(ShapeType.self)),
      ("$defs/filterKind", names(ContactFilter.Kind.self)),
      ("$defs/device/properties/scanner/anyOf/1/properties/end", names(ScannerSettings.End.self)),
      ("$defs/trigger", names(HandlerTrigger.self)),
    ]
    for (pointer, expected) in words {
      let object = try #require(value(at: pointer, in: schema) as? Object, "\(pointer)")
      #expect((object["enum"] as? [Any])?.compactMap { $0 as? String } == expected, "\(pointer)")
    }
    for pointer in ["properties/display/properties/rotation", "$defs/device/properties/rotation"] {
      let object = try #require(value(at: pointer, in: schema) as? Object)
      let numbers = (object["enum"] as? [Any])?.compactMap { $0 as? Int }
      #expect(numbers == DisplayGeometry.Rotation.allCases.map(\.rawValue))
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
