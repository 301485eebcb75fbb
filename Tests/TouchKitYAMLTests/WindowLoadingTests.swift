import Foundation
import Testing
import TouchKit
import TouchKitYAML

/// Views from a file in a program of one's own.
@Suite @MainActor struct WindowLoadingTests {
  private func load(_ text: String, kinds: [ViewKind] = [], into app: Application) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "panel-\(UUID()).yaml").path
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try app.window.load(path, kinds: kinds)
  }

  private static let panel = """
    window:
      subviews:
        - id: panel
          kind: stack
          axis: vertical
          controller: main
          subviews:
            - {id: title, kind: label, text: Hello}
            - {id: horn, kind: button, text: Horn, background: "#ff0000"}
    """

  @Test func `a program finds the views of a file, shows them, and hears of them`() throws {
    let app = try Application(display: .headless(width: 200, height: 100))
    app.window.addSubview(View(id: "old"))
    try load(Self.panel, into: app)
    #expect(app.window.view(id: "old") == nil)
    let horn = try #require(app.window.view(id: "horn") as? Button)
    var calls = 0
    horn.addAction(for: .touchUpInside) { calls += 1 }
    let picture = try #require(app.picture)
    #expect(horn.frame.size.width == 200 && picture[2, 98] == .red)
    app.touch(.tap(horn))
    #expect(calls == 1)
    #expect(horn.owningViewController?.id == "main")
    #expect(horn.loop === app.loop)
    try load(Self.panel.replacing("Horn", with: "Bell"), into: app)
    #expect((app.window.view(id: "horn") as? Button)?.text == "Bell")
  }

  @Test func `what is wrong with a file is in the error, with its place, and the window is as before`() throws
  {
    let app = try Application(display: .headless(width: 200, height: 100))
    try load(Self.panel, into: app)
    let bad = "window: {subviews: [{frame: [0, 0, 9], bakground: red}]}"
    let error = #expect(throws: ApplicationError.self) { try load(bad, into: app) }
    let lines = error?.description.split(separator: "\n") ?? []
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains(".yaml:1:") } && error?.reason == .file)
    #expect(app.window.view(id: "horn") != nil)
    #expect(throws: ApplicationError.self) { try app.window.load("/nowhere.yaml") }
  }

  @Test(arguments: [
    "handlers: {bell: {kind: exec, on: ended, command: [true]}}\nwindow: {subviews: [{frame: [0, 0, 9, 9], handlers: [bell]}]}",
    "window: {subviews: [{kind: button, frame: [0, 0, 9, 9], actions: {touch_up_inside: [run: [true]]}}]}",
    "window: {handlers: [log]}",
    "values: {hot: true}\nwindow: {subviews: [{frame: [0, 0, 9, 9], hidden: \"{hot}\"}]}",
  ])
  func `a file that says what is to be done is refused`(_ text: String) throws {
    let app = try Application(display: .headless(width: 200, height: 100))
    let error = #expect(throws: ApplicationError.self) { try load(text, into: app) }
    #expect(error?.description.contains("`touchtree run`") ?? false, "\(error?.description ?? "")")
  }

  // MARK: Kinds of a program

  @Test func `a control of the program has a kind in its files, with keys of its own`() throws {
    let app = try Application(display: .headless(width: 200, height: 100))
    let text = """
      window:
        subviews:
          - {kind: dial, frame: [0, 0, 50, 50], notches: 12, locked: true, label: Volume, value: 0.5, tint: red}
          - {id: plain, kind: dial, frame: [50, 0, 50, 50]}
      """
    try load(text, kinds: [.dial], into: app)
    let dial = try #require(app.window.view(id: "dial-1") as? Dial)
    #expect(dial.notches == 12 && dial.isLocked && dial.tint == .red)
    #expect(dial.controlValue?.number == 0.5 && dial.accessibilityLabel == "Volume")
    #expect(app.window.view(id: "plain") is Dial && dial.kind.name == "dial")
    try dial.set([.init(key: "notches", value: .number(3)), .init(key: "enabled", value: .flag(false))])
    #expect(dial.notches == 3 && !dial.isEnabled)
    #expect(throws: PropertyError.self) { try dial.set([.init(key: "notches", value: .number(61))]) }
    #expect(throws: PropertyError.self) { try Button().set([.init(key: "notches", value: .number(3))]) }
  }

  @Test(arguments: [
    ("kind: dail", "did you mean \"dial\"?"),
    ("kind: dial, nothces: 3", "unknown key \"nothces\" in a view; did you mean \"notches\"?"),
    ("kind: dial, notches: 61", "give a number from 0 to 60"),
    ("kind: dial, locked: 1", "give true or false"),
    ("kind: button, notches: 3", "\"notches\" is a key of a dial, and this is a button"),
    (
      "kind: dial, text: a",
      "\"text\" is a key of a label, a button, a text field, a text view or a QR code, and this is a dial"
    ),
  ])
  func `what is wrong with a view of such a kind is reported as of any other`(
    _ keys: String, _ advice: String
  )
    throws
  {
    let app = try Application(display: .headless(width: 200, height: 100))
    let text = "window: {subviews: [{frame: [0, 0, 9, 9], \(keys)}]}"
    let error = #expect(throws: ApplicationError.self) { try load(text, kinds: [.dial], into: app) }
    #expect(error?.description.contains(advice) ?? false, "\(error?.description ?? "")")
  }

  @Test func `a kind is that of the files for which it is given alone`() throws {
    let app = try Application(display: .headless(width: 200, height: 100))
    let error = #expect(throws: ApplicationError.self) {
      try load("window: {subviews: [{kind: dial, frame: [0, 0, 9, 9]}]}", into: app)
    }
    #expect(error?.description.contains("did you mean \"gauge\"?") ?? false)
  }
}

private final class Dial: Control {
  var notches = 0.0 { didSet { setNeedsDisplay() } }
  var isLocked = false
  var tint = Color.white

  override func draw(in context: GraphicsContext) {
    context.fill(bounds, with: tint)
  }
}

extension ViewKind {
  fileprivate static let dial = ViewKind(
    "dial",
    properties: [
      .number("notches", in: 0...60, \Dial.notches), .flag("locked", \Dial.isLocked),
      .color("tint", \Dial.tint),
    ]
  ) { Dial(id: $0) }
}
