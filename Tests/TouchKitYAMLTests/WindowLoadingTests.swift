import Foundation
import Testing
import TouchKit
import TouchKitYAML

/// Views from a file in a program of one's own.
@Suite @MainActor struct WindowLoadingTests {
  private func load(_ text: String, into app: Application) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "panel-\(UUID()).yaml").path
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try app.window.load(path)
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
}
