import Foundation
import Logging
import PictureSupport
import Testing
import TouchInspection

@testable import TouchConfig
@testable import TouchCore
@testable import TouchDaemon
@testable import TouchExpressions
@testable import TouchHandlers
@testable import TouchInput
@testable import TouchKit
@testable import TouchOutput
@testable import TouchPixels
@testable import TouchSystem
@testable import TouchViews

/// A picture is that of what is set, whatever was set before.
@Suite struct HistoryTests {
  private static let file = """
    version: 1
    display: {canvas: {size: [320, 240]}}
    theme: dark
    files: [plain.yaml]
    language: en
    strings:
      en: {title: Title, note: a longer note}
      de: {title: Überschrift, note: Notiz}
    values: {rooms: [{key: a, name: A}], bays: [{key: a, n: 1}], level: 1.5, alarm: false}
    window:
      subviews:
        - {id: head, style: headline, frame: [10, 0, 150, 30], text: "{t.title} {level:.1f}"}
        - {id: card, style: card, frame: [10, 32, 100, 40], background: "{alarm ? '#a00000' : null}"}
        - {id: go, kind: button, frame: [120, 32, 90, 40], text: "{t.note}", font: {size: "{level * 4 + 8}"}}
        - {id: bar, kind: slider, frame: [220, 32, 90, 40], minimum: 0, maximum: 9, value: "{level}"}
        - {id: field, kind: text_field, frame: [170, 2, 80, 28], placeholder: "{theme}"}
        - {id: lamp, kind: switch, frame: [260, 2, 51, 28]}
        - id: screens
          kind: pages
          frame: [10, 80, 300, 150]
          indicator: true
          subviews:
            - id: home
              subviews:
                - kind: stack
                  axis: vertical
                  spacing: 4
                  frame: [0, 0, 300, 140]
                  subviews:
                    - {kind: label, text: "{t.note}"}
                    - repeat:
                        for: rooms
                        id: "room-{key}"
                        view:
                          kind: stack
                          subviews:
                            - {kind: label, text: "{name}"}
                            - {kind: button, text: "{t.title}", background: "{alarm ? '#00a000' : null}"}
            - id: more
              subviews:
                - id: list
                  kind: list
                  frame: [0, 0, 300, 140]
                  subviews:
                    - repeat:
                        for: bays
                        view:
                          subviews:
                            - {kind: label, frame: [0, 0, 80, 30], text: "{n:.1f}"}
                            - {id: pill, kind: button, frame: [80, 0, 90, 30], text: "{key} {t.note}"}
                            - {id: on, kind: switch, frame: [200, 0, 51, 30], value: "{n > 2}"}
        - id: sure
          kind: sheet
          subviews: [{id: yes, kind: button, frame: [20, 10, 100, 40], style: primary, text: "{t.title}"}]
        - {id: note, kind: sheet, size: [200, 90], subviews: [{style: card, frame: [10, 10, 60, 40]}]}
        - {id: stop, kind: sheet, alert: true, subviews: [{kind: label, frame: [9, 9, 99, 30], text: "{level}"}]}
    """
  /// It leaves out what the others have, such as a background of the window, and has other rows.
  private static let plain = """
    version: 1
    colors: {accent: "#c05000", surface: "#d0d0d0"}
    kinds:
      list: {row_height: 31}
      button: {background: "#b0c0d0", font: {color: "#400000"}}
      switch: {tint: accent}
    styles: {headline: {kind: label}, card: {background: surface}, primary: {background: accent}}
    """

  /// What is set, in the order in which it was.
  private struct State {
    var values: [(name: String, value: PropertyValue)] = []
    var properties: [(view: String, entry: PropertyValue.Entry)] = []

    mutating func set(_ name: String, _ value: PropertyValue) {
      values.removeAll { $0.name == name }
      values.append((name, value))
    }

    mutating func set(_ view: String, _ key: String, _ value: PropertyValue) {
      let same = properties.firstIndex { $0.view == view && $0.entry.key == key }
      if let same, properties[same].entry.value == value { return }
      if let same { properties.remove(at: same) }
      properties.append((view, PropertyValue.Entry(key: key, value: value)))
    }
  }

  /// A daemon's tree on a display in memory, with a clock that the test turns.
  private final class Panel {
    private let host: TouchDaemon.Host
    private let children: ChildProcesses
    private let factory: HandlerFactory
    private let following: Following
    private let pipeline: InputPipeline
    private let presentation: Presentation
    private var now = Timestamp.zero

    init(_ configuration: Configuration) throws {
      let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let loop = try EventLoop()
      let output = try Output(.headless(), for: configuration.presentation, log: log)
      let tree = ViewTree(configuration, canvasSize: output.inputGeometry.canvasSize)
      pipeline = InputPipeline(tree, geometry: output.inputGeometry)
      presentation = try Presentation(configuration.presentation, pipeline, on: output, in: loop, log: log)
      presentation.isLive = false
      host = TouchDaemon.Host(loop: loop, tree: tree, logger: log)
      children = ChildProcesses(host: host)
      factory = HandlerFactory(plugins: PluginLocator(folders: []), children: children, host: host)
      host.attach(try tree.makeHandlers(from: factory))
      following = try Following(host, presentation, in: loop)
      following.repeatRows = { [host, factory] in _ = host.repeatRows(factory) }
      turn()
    }

    func set(_ state: State) throws {
      try host.setValues(state.values.map { PropertyValue.Entry(key: $0.name, value: $0.value) })
      for (view, entry) in state.properties { try host.set([entry], on: view) }
      turn()
    }

    /// Lets what moves come to rest.
    func wait() {
      for _ in 0..<10 {
        now.microseconds += 200_000
        pipeline.apply([], at: now)
        pipeline.advance(to: now)
        turn()
      }
    }

    func tap(_ x: Double, _ y: Double) {
      for kind in [TouchChange.Kind.began, .ended] {
        now.microseconds += 50_000
        let contact = ContactID(device: DeviceID(rawValue: 1), serial: 1)
        pipeline.apply(
          [TouchChange(contact: contact, kind: kind, location: WindowPoint(x: x, y: y))], at: now)
        turn()
      }
    }

    private func turn() {
      pipeline.endTurn()
      following.turnEnds(at: now)
      presentation.turnEnds(at: now)
    }

    var picture: Surface? { presentation.output.display.picture }
    var list: ScrollView? { host.view(id: "list") as? ScrollView }
  }

  private static let actions = """
    theme: dark
    files: [plain.yaml]
    display: {canvas: {size: [320, 240]}}
    window:
      subviews:
        - {id: mark, frame: [0, 0, 90, 90]}
        - {id: go, kind: button, frame: [100, 0, 90, 90], actions: {touch_up_inside: [set: {mark: {background: accent}}]}}
    """

  @Test(arguments: [["dark"], ["light"], ["plain.yaml", "light"], ["light", "dark"]])
  func `a step sets the colours of the theme that is shown`(themes: [String]) throws {
    try Self.withFolder { folder in
      let panel = try Panel(try Self.configuration(Self.actions, in: folder))
      for theme in themes {
        var state = State()
        state.set("theme", .text(theme))
        try panel.set(state)
      }
      panel.tap(145, 45)
      let accent = themes.last == "dark" ? "#2b6fe0" : "#1a6fe8"
      #expect(panel.picture?.color(x: 45, y: 45).hex == accent)
    }
  }

  private static func withFolder(_ body: (String) throws -> Void) throws {
    _ = Fixture.standardFonts
    let folder = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try plain.write(toFile: "\(folder)/plain.yaml", atomically: true, encoding: .utf8)
    try body(folder)
  }

  private static func configuration(_ text: String, in folder: String) throws -> Configuration {
    try text.write(toFile: "\(folder)/panel.yaml", atomically: true, encoding: .utf8)
    return try Configuration.load(path: "\(folder)/panel.yaml")
  }

  private static func rows(
    _ keys: String, _ name: String, _ value: (String, Int) -> PropertyValue
  ) -> PropertyValue {
    .list(
      keys.map(String.init).enumerated().map { index, key in
        .map([.init(key: "key", value: .text(key)), .init(key: name, value: value(key, index))])
      })
  }

  /// One to three things that are set in one turn.
  private static func change(_ state: inout State, _ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let choice = Int.random(in: 0..<12, using: &random)
      let isOn = PropertyValue.flag(Bool.random(using: &random))
      let keys = ["", "a", "ab", "ba", "bcd", "fedcba"].randomElement(using: &random) ?? ""
      let number = Double(Int.random(in: 0...6, using: &random)) / 2
      switch choice {
      case 0...2:
        let theme = ["dark", "light", "plain.yaml"].randomElement(using: &random) ?? "dark"
        state.set("theme", .text(theme))
      case 3:
        state.set("rooms", rows(keys, "name") { key, _ in .text("\(key)\(number)") })
      case 4: state.set("bays", rows(keys, "n") { _, index in .number(Double(index) + number) })
      case 5: state.set("language", .text(Bool.random(using: &random) ? "de" : "en"))
      case 6: state.set("level", .number(number))
      case 7: state.set("alarm", isOn)
      case 8: state.set("lamp", "value", isOn)
      case 9: state.set("screens", "page", .text(Bool.random(using: &random) ? "home" : "more"))
      default:
        state.set(["sure", "note", "stop"].randomElement(using: &random) ?? "", "presented", isOn)
      }
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `a picture is that of what is set, whatever was set before`(seed: UInt64) throws {
    try Self.withFolder { folder in
      let configuration = try Self.configuration(Self.file, in: folder)
      let used = try Panel(configuration)
      var (state, random) = (State(), SeededGenerator(seed: seed &* 7919))
      for step in 0..<20 {
        var next = State()
        Self.change(&next, &random)
        for (name, value) in next.values { state.set(name, value) }
        for (view, entry) in next.properties { state.set(view, entry.key, entry.value) }
        try used.set(next)
        used.wait()
        // Where a list is scrolled to depends on the rows of before.
        if step.isMultiple(of: 3) { used.list?.contentOffset.y = .random(in: 0...200, using: &random) }
        used.wait()
        let fresh = try Panel(configuration)
        try fresh.set(state)
        fresh.wait()
        if let offset = used.list?.contentOffset { fresh.list?.contentOffset = offset }
        fresh.wait()
        let (picture, expected) = (try #require(used.picture), try #require(fresh.picture))
        guard let difference = firstDifference(picture, expected) else { continue }
        Issue.record("seed \(seed), step \(step): \(difference), after \(next)")
        return
      }
    }
  }
}
