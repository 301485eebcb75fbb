import Foundation
import Testing
import TouchExpressions
import TouchViews

@testable import TouchConfig
@testable import TouchCore

/// The files that a value may name which was set while the tree is shown: what the configuration names, and
/// no other.
@Suite struct OpenedFilesTests {
  private static let file = """
    theme: dark
    files: [covers, themes/night.yaml]
    values: {cover: first.png, weather: sun, rooms: [], songs: [{key: a, art: a.png}]}
    strings: {en: {flag: en.png}, de: {flag: de.png}}
    templates:
      room: {kind: image, frame: [0, 0, 9, 9], image: "rooms/{name}.png"}
      door: {kind: image, frame: [0, 0, 9, 9], image: door.png}
    window:
      subviews:
        - {id: logo, kind: image, frame: [0, 0, 9, 9], image: logo.png}
        - {kind: image, frame: [0, 0, 9, 9], image: {path: mapped.png, mode: fill}}
        - {kind: image, frame: [0, 0, 9, 9], image: "{cover}"}
        - {kind: image, frame: [0, 0, 9, 9], image: "icons/{weather}.png"}
        - {kind: image, frame: [0, 0, 9, 9], image: "{weather == 'sun' ? 'day.png' : 'night/' + weather}"}
        - {kind: image, frame: [0, 0, 9, 9], image: "{t.flag}"}
        - {kind: stack, frame: [0, 0, 9, 9], subviews: [{repeat: {of: room, for: rooms}}, {repeat: {of: door, for: rooms}}]}
        - {kind: list, frame: [0, 0, 9, 99], subviews: [{repeat: {for: songs, view: {kind: image, frame: [0, 0, 9, 9], image: "{art}"}}}]}
        - id: other
          kind: button
          frame: [0, 0, 9, 9]
          actions:
            touch_up_inside:
              - set: {logo: {image: pressed.png}, cover: second.png, weather: rain, theme: evening.yaml}
    """

  @Test(arguments: [
    "logo.png", "mapped.png", "first.png", "second.png", "icons/rain.png", "icons/deep/snow.png", "day.png",
    "night/x.png", "en.png", "de.png", "rooms/kitchen.png", "door.png", "a.png", "pressed.png",
    "covers/1/a.jpg",
    "./logo.png", "icons/../logo.png",
  ])
  func `a picture that the file names, or whose folder it names, is opened`(path: String) throws {
    let configuration = try parse(Self.file)
    #expect(configuration.opened(path) != nil)
    // Where a program gives the whole path, it is the same file.
    #expect(configuration.opened("\(FileManager.default.currentDirectoryPath)/\(path)") != nil)
  }

  @Test(arguments: [
    "/etc/passwd", "other.png", "icons/../other.png", "icons", "iconsx/a.png", "covers/../other.png",
    "night/../../a.png", "logo.png\0", "logo.png\0/../other.png", "covers/..", "..", "/",
    "evening.yaml/x", "nightx",
  ])
  func `no other file is opened`(path: String) throws {
    #expect(try parse(Self.file).opened(path) == nil)
  }

  @Test func `a theme is opened that the file names`() throws {
    let configuration = try parse(Self.file)
    for name in ["dark", "light", "evening.yaml", "themes/night.yaml"] {
      #expect(configuration.opensTheme(name), "\(name)")
    }
    for name in ["/etc/passwd", "themes/other.yaml", "themes", "light.yaml", "../evening.yaml"] {
      #expect(!configuration.opensTheme(name), "\(name)")
      #expect(throws: ConfigurationError.self) { try configuration.repeating([:], theme: name) }
    }
  }

  @Test func `an image's path has expressions in it, written short or as a mapping`() throws {
    let file = """
      version: 1
      values: {name: a}
      window:
        subviews:
          - {id: short, kind: image, frame: [0, 0, 9, 9], image: "covers/{name}.png"}
          - {id: mapped, kind: image, frame: [0, 0, 9, 9], image: {path: "covers/{name}.png"}}
      """
    let tree = ViewTree(try parse(file), canvasSize: Size(width: 100, height: 100))
    let paths = { ["short", "mapped"].map { (tree.viewsByID[$0] as? ImageView)?.path } }
    #expect(paths() == ["covers/a.png", "covers/a.png"])
    try tree.bindings.values.set([.init(key: "name", value: .text("b"))], at: .zero)
    tree.bindings.settle()
    #expect(paths() == ["covers/b.png", "covers/b.png"])
  }

  /// The picture that an expression gives is opened by the same rule, and one that is not leaves the view
  /// empty.
  @Test func `what a picture follows opens nothing else`() throws {
    let tree = ViewTree(try parse(Self.file), canvasSize: Size(width: 100, height: 100))
    var told: [String] = []
    tree.bindings.report = { message, _, _ in told.append(message) }
    let bound = try #require(tree.viewsByID["image-2"] as? ImageView)
    #expect(bound.path == "first.png")
    for (path, shown) in [
      ("/etc/secret.png", ""), ("second.png", "second.png"), ("covers/b.png", "covers/b.png"),
    ] {
      try tree.bindings.values.set([.init(key: "cover", value: .text(path))], at: .zero)
      tree.bindings.settle()
      #expect(bound.path == shown)
    }
    #expect(told.count == 1 && told[0].contains("secret.png"), "\(told)")
  }

  @Test func `rows that are set later name neither other pictures nor programs`() throws {
    let configuration = try parse(
      """
      values: {rooms: [{key: a, art: a.png, program: ls}]}
      window:
        subviews:
          - kind: stack
            frame: [0, 0, 90, 90]
            subviews:
              - repeat:
                  for: rooms
                  view:
                    kind: button
                    size: [9, 9]
                    actions: {touch_up_inside: [run: ["{program}"]]}
                    subviews: [{kind: image, frame: [0, 0, 9, 9], image: "{art}"}]
      """)
    func problem(_ art: String, _ program: String) -> String? {
      let row: [PropertyValue.Entry] = [
        .init(key: "art", value: .text(art)), .init(key: "program", value: .text(program)),
      ]
      do throws(ConfigurationError) {
        _ = try configuration.repeating(["rooms": .list([.map(row)])])
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(problem("/etc/secret.png", "ls")?.contains("secret.png\" is not opened") == true)
    #expect(problem("a.png", "/bin/sh")?.contains("the program is named by a row") == true)
  }

  @Test func `check warns of a picture that nothing in the file names`() throws {
    let image = { (values: String, text: String) in
      "values: {\(values)}\nwindow: {subviews: [{kind: image, frame: [0, 0, 9, 9], image: \"\(text)\"}]}"
    }
    expect(findings(in: image("p: null", "{p}")), state: ["2:63: warning: any file … files: [covers]"])
    expect(findings(in: image("p: a.png", "{p}")), state: [])
    expect(findings(in: image("p: a", "icons/{p}.png")), state: [])
    expect(findings(in: "files: [icons]\n" + image("p: null", "{p}")), state: [])
    expect(
      findings(in: "files: [3, \"\"]\nwindow: {subviews: []}"),
      state: ["1:9: error: path", "1:12: error: path"])
  }
}
