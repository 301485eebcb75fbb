import TouchConfig
import TouchCore
import TouchSystem
import TouchViews

/// A panel's own test: what is done with it, and what it has to show then.
package struct Rehearsal: Sendable {
  /// The path of the panel's file, relative to that of the rehearsal.
  package var panel = ""
  /// The size of the display in pixels; nil for the one that suits the panel.
  package var size: Size?
  /// The time on the wall clock at the start of each case, in seconds since 1970.
  package var start = ClockStart.standard
  /// The named values that are set before each case.
  package var values: [NamedSetting] = []
  package var cases: [Case] = []

  /// A part of the rehearsal that begins with a new panel.
  package struct Case: Sendable {
    package var name = ""
    package var steps: [Step] = []
    package var place = SourceLocation.start
  }

  /// One thing to do or to expect, and its place in the file.
  package struct Step: Sendable {
    package let place: SourceLocation
    package let kind: Kind
  }

  package enum Kind: Sendable {
    case touch(Touch)
    case drag(Drag)
    case type(Typing)
    case key(KeyCommand)
    case set([NamedSetting])
    case page([NamedSetting])
    /// In seconds.
    case wait(Double)
    case expect([NamedSetting])
    case picture(Picture)
  }

  /// The value that a name is set to, or expected to have.
  package struct NamedSetting: Hashable, Sendable {
    package let name: String
    package let place: SourceLocation
    package let value: PropertyValue
    /// The properties of a view; empty for a named value.
    package var properties: [Property] = []

    package struct Property: Hashable, Sendable {
      package let name: String
      package let place: SourceLocation
      package let value: PropertyValue
    }
  }

  /// The place of a finger: the middle of a view, or a point of the window.
  package enum Spot: Hashable, Sendable {
    case view(String)
    case point(WindowPoint)
  }

  package struct Touch: Sendable {
    package var spot: Spot?
    /// The time for which the finger stays, in seconds.
    package var hold = 0.06
    package var taps = 1
  }

  package struct Drag: Sendable {
    package var from: Spot?
    package var to: Spot?
    /// The time for which the finger moves, in seconds.
    package var seconds = 0.3
    /// The time before it lifts, in seconds.
    package var hold = 0.0
  }

  package struct Typing: Sendable {
    package var text = ""
    /// The id of the text field; nil for the one that is edited.
    package var field: String?
  }

  package struct Picture: Sendable {
    /// The path of the picture that is expected, relative to the rehearsal.
    package var file = ""
    /// The id of the view of which it is; nil for the window.
    package var view: String?
    /// The share of the pixels that may differ, in per cent.
    package var tolerance = 0.0
    /// The difference of red, green or blue that does not count, from 0 to 255.
    package var shades = 0
  }

  /// Reads a rehearsal.
  ///
  /// - Parameter file: the path that messages name.
  /// - Throws: `ConfigurationError.invalid`.
  package init(_ bytes: [UInt8], file: String) throws(ConfigurationError) {
    self.init()
    try Self.keys.read(bytes, file: file, into: &self)
  }

  private init() {}
}

extension Rehearsal {
  package static let keys = Keys<Self>("a rehearsal", Self()) {
    "The version of this format."
    KeyRow("version", .values([.number(1)]), default: .number(1))
    "The panel's file, relative to this one."
    KeyRow(
      "panel", \.panel, .name("give the path of the panel's file: touchtree.yaml"),
      required: "give the path of the panel's file: touchtree.yaml")
    "The size of the display, `[width, height]` in pixels. Default: the panel's canvas, or the smallest size that shows every view."
    KeyRow("size", \.size, .size)
    "The time on the clock at the start of each case: `2026-03-01 09:00`."
    KeyRow("now", \.start, .moment, default: .text("2026-01-01 12:00"))
    "Named values and what they are at the start of each case: `{target: 21.5}`."
    KeyRow("values", \.values, KeyType.settings("{target: 21.5}").orNull)
    "The cases. Each begins with a new panel."
    KeyRow("cases", \.cases, .cases, required: "give cases: [{name: …, steps: […]}]")
  }

  fileprivate static let `case` = Keys<Case>("a case", Case()) {
    "What it shows, in a few words. Each name is there once."
    KeyRow("name", \.name, .name("give a name: the greeting counts"), required: "give a name")
    "The steps, in their order."
    KeyRow("steps", \.steps, .steps, required: "give steps: [touch: ok, expect: {done: true}]")
  }

  fileprivate static let step = Keys<[Kind]>("a step of a rehearsal", [], advice: advice) {
    "Taps the middle of a view, or a point of the window: `greet`, `[320, 240]`, or a mapping."
    KeyRow("touch", touch.shape) { value, steps in touch.read(value).map { steps.append(.touch($0)) } }
    "Moves a finger: `{from: knob, to: [400, 120]}`."
    KeyRow("drag", .mapping(drag.table)) { value, steps in
      var whole = Drag()
      if value.read(drag, into: &whole, "give {from: knob, to: [400, 120]}") != nil {
        steps.append(.drag(whole))
      }
    }
    "Types as a keyboard does, into the text field that is edited, or into one by its id: `{text: Ada, into: name}`. A line break is the return key."
    KeyRow("type", typed.shape) { value, steps in typed.read(value).map { steps.append(.type($0)) } }
    "Presses a key: `enter`, `F1`, `ctrl+s`."
    KeyRow("key", .string) { value, steps in
      guard let name = value.nonEmptyText("give the name of a key, such as enter or F1") else { return }
      guard let command = KeyCommand(name: name) else {
        let nearest = Suggestion.nearest(to: name, among: KeyCode.allNames)
        return value.refuse(
          nearest.map { "did you mean \"\($0)\"?" } ?? "give the name of a key, such as enter or F1")
      }
      steps.append(.key(command))
    }
    "Sets named values, `{target: 21.5}`, and properties of views, `{lamp: {hidden: false}}`, as a program does."
    KeyRow("set", .names(of: .anything, atLeast: 1)) { value, steps in
      KeyType.settings("{target: 21.5}").read(value).map { steps.append(.set($0)) }
    }
    "Shows a page, and those around it: `{screens: settings}`, also `next` and `previous`."
    KeyRow("page", .names(of: .name, atLeast: 1)) { value, steps in
      KeyType.settings("{screens: settings}").read(value).map { steps.append(.page($0)) }
    }
    "Lets so many seconds pass, up to 86400. The clock stands otherwise."
    KeyRow("wait", .number(.wait)) { value, steps in value.number(in: .wait).map { steps.append(.wait($0)) } }
    "What is to be so now: named values, `{target: 21.5}`, and properties of views, `{title: {text: Hello}}`."
    KeyRow("expect", .names(of: .anything, atLeast: 1)) { value, steps in
      KeyType.settings("{title: {text: Hello}}").read(value).map { steps.append(.expect($0)) }
    }
    "Compares what is shown with a PNG file, `home.png`, or a mapping. `touchtree rehearse --record` writes it."
    KeyRow("picture", picture.shape) { value, steps in picture.read(value).map { steps.append(.picture($0)) }
    }
  }

  private static func advice(_ name: String) -> String? {
    switch name {
    case "tap", "click", "press": "did you mean \"touch\"?"
    case "swipe", "move": "did you mean \"drag\"?"
    case "sleep", "delay", "pause", "after": "did you mean \"wait\"?"
    case "assert", "check", "verify": "did you mean \"expect\"?"
    case "screenshot", "snapshot", "golden": "did you mean \"picture\"?"
    default: nil
    }
  }

  // MARK: Steps

  private static let spot = KeyType<Spot>(.either([.name, .point])) { value in
    if value.node.items != nil {
      return value.numbers([("x", .coordinate), ("y", .coordinate)]).map {
        .point(WindowPoint(x: $0[0], y: $0[1]))
      }
    }
    return value.nonEmptyText("give the id of a view, or a point: [320, 240]").map { .view($0) }
  }

  private static let touchKeys = Keys<Touch>("a touch", Touch()) {
    "The id of a view, or `[x, y]` in the window."
    KeyRow("at", \.spot, spot, required: "give the id of a view, or a point: [320, 240]")
    "How long the finger stays, in seconds."
    KeyRow("hold", \.hold, .number(.hold))
    "How many times it taps."
    KeyRow("taps", \.taps, .integer(1...10))
  }

  private static let touch = KeyType<Touch>(.either([.name, .point, .mapping(touchKeys.table)])) { value in
    var whole = Touch()
    if value.node.entries != nil { return value.read(touchKeys, into: &whole).map { _ in whole } }
    whole.spot = spot.read(value)
    return whole.spot.map { _ in whole }
  }

  private static let drag = Keys<Drag>("a drag", Drag()) {
    "Where the finger goes down: the id of a view, or `[x, y]` in the window."
    KeyRow("from", \.from, spot, required: "give the id of a view, or a point: [320, 240]")
    "Where it lifts, as `from`."
    KeyRow("to", \.to, spot, required: "give the id of a view, or a point: [320, 240]")
    "How long it takes, in seconds."
    KeyRow("seconds", \.seconds, .number(.hold))
    "How long the finger stays before it lifts, in seconds."
    KeyRow("hold", \.hold, .number(.hold))
  }

  private static let typingKeys = Keys<Typing>("a text", Typing()) {
    "The text."
    KeyRow("text", \.text, .freeText, required: "give the text")
    "The id of a text field, which is edited from now on."
    KeyRow("into", \.field, .name("give the id of a text field"))
  }

  private static let typed = KeyType<Typing>(.either([.text, .mapping(typingKeys.table)])) { value in
    var whole = Typing()
    if value.node.entries != nil { return value.read(typingKeys, into: &whole).map { _ in whole } }
    return value.freeText("give the text, or {text: Ada, into: name}").map { Typing(text: $0) }
  }

  private static let pictureKeys = Keys<Picture>("a picture", Picture()) {
    "The PNG file, relative to this one."
    KeyRow("file", \.file, .name("give the path of a PNG file"), required: "give the path of a PNG file")
    "The id of the view that it shows, with what is in front of it. Default: the whole display."
    KeyRow("view", \.view, .name("give the id of a view"))
    "How many pixels may differ, in per cent. Other versions of fonts need a few."
    KeyRow("tolerance", \.tolerance, .number(.percent))
    "How much the red, green or blue of a pixel may differ without being counted, from 0 to 255."
    KeyRow("shades", \.shades, .integer(0...255))
  }

  private static let picture = KeyType<Picture>(.either([.name, .mapping(pictureKeys.table)])) { value in
    var whole = Picture()
    if value.node.entries != nil { return value.read(pictureKeys, into: &whole).map { _ in whole } }
    return value.nonEmptyText("give the path of a PNG file").map { Picture(file: $0) }
  }
}

extension NumberRange {
  /// In seconds: a day at most.
  fileprivate static let wait = NumberRange(lower: 0, upper: 86_400)
  /// In seconds: as long as a finger stays.
  fileprivate static let hold = NumberRange(lower: 0, upper: 3600)
}

// MARK: Types

extension KeyType where Content == Size {
  fileprivate static let size = KeyType<[Double]>.numbers([("width", .pixels), ("height", .pixels)])
    .map { Size(width: $0[0].rounded(), height: $0[1].rounded()) }
}

extension NumberRange {
  fileprivate static let pixels = NumberRange(lower: 1, upper: 16_384)
}

extension KeyType where Content == Int {
  fileprivate static let moment = KeyType(.string) { value in
    guard let text = value.text("give a date and a time: 2026-03-01 09:00") else { return nil }
    let start = ClockStart.seconds(text)
    if start == nil { value.refuse("give a date and a time: 2026-03-01 09:00") }
    return start
  }
}

extension KeyType where Content == [Rehearsal.NamedSetting] {
  /// - Parameter example: for a value that is no mapping.
  fileprivate static func settings(_ example: String) -> Self {
    Self(.names(of: .anything)) { value in
      value.names("give names and values: \(example)")?.map { name, place, value in
        let properties = value.node.entries == nil ? [] : value.names(example) ?? []
        return Rehearsal.NamedSetting(
          name: name, place: place, value: value.node.propertyValue(isText: false),
          properties: properties.map { name, place, value in
            .init(name: name, place: place, value: value.node.propertyValue(isText: false))
          })
      }
    }
  }
}

extension KeyType where Content == [Rehearsal.Case] {
  fileprivate static let cases = KeyType(.list(of: .mapping(Rehearsal.case.table))) { value in
    var names: Set<String> = []
    return value.list("give a list: [{name: …, steps: […]}]", of: "a case")?.compactMap { item in
      var whole = Rehearsal.Case()
      whole.place = item.node.place
      guard item.read(Rehearsal.case, into: &whole) != nil else { return nil }
      if !names.insert(whole.name).inserted { item.complain("two cases have the name \"\(whole.name)\"") }
      return whole
    }
  }
}

extension KeyType where Content == [Rehearsal.Step] {
  fileprivate static let steps = KeyType(.list(of: .mapping(Rehearsal.step.table))) { value in
    value.list("give a list of steps: [touch: ok, expect: {done: true}]", of: "a step")?.flatMap { item in
      var kinds: [Rehearsal.Kind] = []
      if item.read(Rehearsal.step, into: &kinds)?.entries.count ?? 1 > 1 {
        item.complain("a step has several keys; write a step for each, with a dash in front")
      }
      return kinds.map { Rehearsal.Step(place: item.node.place, kind: $0) }
    }
  }
}
