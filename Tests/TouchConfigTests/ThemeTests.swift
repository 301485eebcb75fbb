import Foundation
import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchExpressions
@testable import TouchViews

/// Themes: what views have where a file does not say it.
@Suite struct ThemeTests {
  private func tree(_ text: String) throws -> ViewTree {
    ViewTree(try parse(text), canvasSize: Size(width: 100, height: 100))
  }

  private func set(_ theme: String, in tree: ViewTree) throws {
    try tree.bindings.values.set([.init(key: "theme", value: .text(theme))], at: .zero)
    tree.bindings.settle()
  }

  private static let panel = """
    theme: dark
    accent: "#ff8800"
    styles: {loud: {font: {size: 30}}}
    window:
      subviews:
        - {id: plain, kind: button, frame: [0, 0, 90, 44], text: A}
        - {id: own, kind: button, frame: [0, 0, 90, 44], background: "#010203", font: {size: 21}, style: loud}
        - {id: main, style: primary, frame: [0, 0, 90, 44]}
        - {id: named, frame: [0, 0, 9, 9], background: surface}
        - {id: bare, kind: button, frame: [0, 0, 90, 44], background: null}
        - {id: slider, kind: slider, frame: [0, 0, 90, 44]}
    """

  @Test func `a view has what the theme says, its style's keys win, and its own win over both`() throws {
    let tree = try tree(Self.panel)
    let plain = try #require(tree.viewsByID["plain"] as? Button)
    #expect(plain.background == Color(hex: "#222933") && plain.cornerRadius == 12)
    #expect(plain.textStyle.family == "Inter" && plain.textStyle.weight == .medium)
    let own = try #require(tree.viewsByID["own"] as? Button)
    #expect(own.background == Color(hex: "#010203") && own.textStyle.size == 21)
    #expect(own.textStyle.color == Color(hex: "#f3f6fa"))
    #expect(tree.viewsByID["main"]?.background == Color(hex: "#ff8800"))
    #expect(tree.viewsByID["main"]?.kind == .button)
    #expect(tree.viewsByID["named"]?.background == Color(hex: "#161b22"))
    #expect(tree.viewsByID["bare"]?.background == nil)
    #expect((tree.viewsByID["slider"] as? Slider)?.colors.tint == Color(hex: "#ff8800"))
    #expect(tree.window.background == Color(hex: "#0d1015"))
  }

  @Test func `a background of the display wins over that of the theme, in each theme`() throws {
    let tree = try tree("theme: dark\ndisplay: {background: \"#123456\"}\nwindow: {subviews: []}")
    #expect(tree.window.background == Color(hex: "#123456"))
    try set("light", in: tree)
    #expect(tree.window.background == Color(hex: "#123456"))
  }

  @Test func `the ring around what is focused has the colour of the theme that is shown`() throws {
    let tree = try tree("theme: dark\nwindow: {subviews: []}")
    #expect(tree.window.focusColor == Color(hex: "#ffffff"))
    try set("light", in: tree)
    #expect(tree.window.focusColor == Color(hex: "#12171e"))
    #expect(try self.tree("window: {subviews: []}").window.focusColor == nil)
  }

  @Test(arguments: [
    ("based_on: dark\ncolors: {accent: \"#112233\"}", nil),
    ("colors: {accent: red}\nkinds: {button: {corner_radius: 4, background: accent}}", nil),
    ("kinds: {button: {background: accent}}", "f.yaml:2:30: error: background is the text \"accent\""),
    ("colors: {accent: blu}", "f.yaml:2:18: error: the colour \"accent\" is the text \"blu\""),
    ("based_on: drak", "f.yaml:2:11: error: the theme \"drak\" is not there"),
    ("kinds: {buton: {}}", "f.yaml:2:9: error: a kind is the text \"buton\""),
    ("kinds: {button: {width: 4}}", "f.yaml:2:18: error: "),
    ("colours: {}\ncolors: {}", "f.yaml:2:1: error: unknown key \"colours\" in a theme"),
  ])
  func `a theme is checked by itself, and shows nothing`(lines: String, expected: String?) throws {
    let bytes = Array("version: 1\n\(lines)\n".utf8)
    do {
      let configuration = try Configuration.parse(bytes: bytes, file: "f.yaml", takesOthers: true)
      #expect(expected == nil && configuration.contents == .theme)
    } catch {
      let found = "\(error)".split(separator: "\n").map(String.init)
      #expect(found.count == 1 && found[0].hasPrefix(expected ?? "good"), "\(found)")
    }
    let refusal = #expect(throws: ConfigurationError.self) {
      try Configuration.parse(bytes: bytes, file: "f.yaml")
    }
    #expect("\(refusal as Any)".contains("f.yaml:1:1: error: this is a theme, which shows nothing"))
  }

  @Test func `a theme is written as a value that is kept`() throws {
    let configuration = try parse("theme: {value: light, keep: true}\nwindow: {subviews: []}")
    let value = try #require(configuration.values.first { $0.name == "theme" })
    #expect(value.isKept && value.initial == .text("light") && configuration.theme == "light")
    #expect(configuration.window.background == Color(hex: "#f1f3f6"))
    #expect(throws: ConfigurationError.self) { try parse("theme: {value: 3}\nwindow: {subviews: []}") }
    let plain = try parse("theme: light\nwindow: {subviews: []}")
    #expect(plain.values.first { $0.name == "theme" }?.isKept == false)
  }

  @Test(arguments: ["dark", "light"])
  func `a theme decides the keys of a keyboard, the dots of pages and what is behind a deletion`(
    theme: String
  ) throws {
    let tree = try tree(
      """
      theme: \(theme)
      window:
        subviews:
          - {id: keys, kind: keyboard, frame: [0, 0, 400, 200]}
          - {id: pages, kind: pages, frame: [0, 0, 400, 200], indicator: true}
          - {id: rows, kind: list, frame: [0, 0, 400, 200]}
          - {id: quiet, style: plain, frame: [0, 0, 400, 200]}
          - {id: own, kind: list, frame: [0, 0, 400, 200], destructive: "#010203", states: {fade: 0.3}}
      """)
    let isDark = theme == "dark"
    let keys = try #require(tree.viewsByID["keys"] as? KeyboardView)
    #expect(keys.keyColor == Color(hex: isDark ? "#313a47" : "#ffffff"))
    #expect(keys.functionKeyColor == Color(hex: isDark ? "#222933" : "#bac3cf"))
    let pages = try #require(tree.viewsByID["pages"] as? PagesView)
    #expect(pages.currentDotColor == Color(hex: isDark ? "#f3f6fa" : "#12171e"))
    let rows = try #require(tree.viewsByID["rows"] as? ListView)
    #expect(rows.destructiveColor == Color(hex: isDark ? "#ff6161" : "#b02020"))
    #expect(rows.stateColors.fade == 0.15)
    let quiet = try #require(tree.viewsByID["quiet"] as? Button)
    #expect(quiet.stateColors.disabled?.alpha == 0 || quiet.stateColors.disabled == nil)
    let own = try #require(tree.viewsByID["own"] as? ListView)
    #expect(own.destructiveColor == Color(hex: "#010203") && own.stateColors.fade == 0.3)
  }

  @Test func `a file without a theme looks as it did`() throws {
    let button = try made("kind: button", as: Button.self)
    #expect(button.background == nil && button.cornerRadius == 0 && button.textStyle.family == "sans-serif")
    let tree = try tree("window: {subviews: []}")
    #expect(tree.window.background == nil && tree.bindings.values.value("theme") == nil)
  }

  @Test func `another theme is shown when the value is set, and the file's own keys stay`() throws {
    let tree = try tree(Self.panel)
    try set("light", in: tree)
    let plain = try #require(tree.viewsByID["plain"] as? Button)
    #expect(plain.background == Color(hex: "#e6eaf0") && plain.textStyle.color == Color(hex: "#12171e"))
    #expect(tree.viewsByID["own"]?.background == Color(hex: "#010203"))
    #expect(tree.viewsByID["main"]?.background == Color(hex: "#ff8800"))
    #expect(tree.viewsByID["named"]?.background == Color(hex: "#ffffff"))
    #expect((tree.viewsByID["slider"] as? Slider)?.colors.track == Color(hex: "#d3dae3"))
    #expect(tree.window.background == Color(hex: "#f1f3f6"))
    try set("dark", in: tree)
    #expect(plain.background == Color(hex: "#222933"))
  }

  @Test func `expressions read the theme, and what they give stays theirs`() throws {
    let tree = try tree(
      """
      theme: dark
      window:
        subviews:
          - {id: a, kind: label, frame: [0, 0, 9, 9], text: "{theme}", font: {color: "{theme == 'dark' ? '#00ff00' : '#0000ff'}"}}
      """)
    let label = try #require(tree.viewsByID["a"] as? Label)
    #expect(label.text == "dark" && label.textStyle.color == Color(hex: "#00ff00"))
    try set("light", in: tree)
    #expect(label.text == "light" && label.textStyle.color == Color(hex: "#0000ff"))
  }

  @Test func `an unknown theme that is set is reported, and the one that is there stays`() throws {
    let tree = try tree(Self.panel)
    var reports: [String] = []
    tree.bindings.report = { message, _, _ in reports.append(message) }
    try set("midnight", in: tree)
    #expect(reports.count == 1 && reports[0].contains("midnight"))
    #expect(tree.viewsByID["plain"]?.background == Color(hex: "#222933"))
  }

  @Test func `what was set while the panel was shown stays`() throws {
    let tree = try tree(Self.panel)
    let plain = try #require(tree.viewsByID["plain"] as? Button)
    plain.text = "B"
    plain.textStyle.size = 40
    try set("light", in: tree)
    #expect(plain.text == "B" && plain.textStyle.size == 40 && plain.textStyle.color == Color(hex: "#12171e"))
  }

  @Test func `nothing of a theme that was set is left where the next file has none`() throws {
    let tree = try tree(Self.panel)
    try set("light", in: tree)
    let next = ViewTree(
      try parse("window: {subviews: [{id: plain, kind: button, frame: [0, 0, 90, 44]}]}"), inPlaceOf: tree)
    next.keepSettings(of: tree)
    next.show()
    #expect(next.window.background == nil && next.viewsByID["plain"]?.background == nil)
  }

  @Test(arguments: Theme.names) func `a built-in theme has no error, and a look for every kind`(name: String)
    throws
  {
    let report = Report(file: name)
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let theme = try Theme(
      folder.appending(path: "config/themes/\(name).yaml").path, accent: nil, report: report)
    #expect(report.diagnostics.isEmpty, "\(report.diagnostics.map(\.description))")
    // Of these, one shows nothing by itself, or shows what is in it.
    let bare: Set<ViewKind> = [.view, .control, .image, .pages, .stack, .scroll]
    for kind in ViewKind.all where !bare.contains(kind) {
      #expect(!theme.mappings(of: kind.name).isEmpty, "\(kind)")
    }
    for color in ["surface", "text", "accent", "on_accent", "accent_soft"] {
      #expect(theme.palette[color] != nil)
    }
  }

  @Test func `both themes have the same colours, kinds and styles`() throws {
    let themes = try Theme.names.map { try Theme($0, accent: nil, report: Report(file: $0)) }
    #expect(Set(themes[0].palette.keys) == Set(themes[1].palette.keys))
    #expect(Set(themes[0].styles.keys) == Set(themes[1].styles.keys))
    for kind in ViewKind.all {
      let keys = themes.map { theme in
        theme.mappings(of: kind.name).flatMap { $0.entries ?? [] }.compactMap(\.key.text)
      }
      #expect(keys[0] == keys[1])
    }
  }

  @Test func `a theme of one's own is based on another, and its errors have its file's name`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "theme-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ text: String) throws { try Data(text.utf8).write(to: folder.appending(path: "warm.yaml")) }
    func read() throws(ConfigurationError) -> Configuration {
      try Configuration.parse(
        text: "theme: warm.yaml\nwindow: {subviews: [{kind: button, frame: [0, 0, 90, 44], style: big}]}",
        file: folder.appending(path: "f.yaml").path)
    }
    try write(
      """
      version: 1
      based_on: light
      colors: {raised: "#123456", deep: raised}
      kinds: {button: {corner_radius: 22}}
      styles: {big: {background: deep}}
      """)
    let button = try #require(try read().views.first?.makeView() as? Button)
    #expect(button.cornerRadius == 22 && button.background == Color(hex: "#123456"))
    #expect(button.textStyle.color == Color(hex: "#12171e"))
    try write("version: 1\nkinds: {button: {corner_radius: big, rows: [A]}, lamp: {}}\ncolors: {a: nocolour}")
    guard case .invalid(let found)? = (#expect(throws: ConfigurationError.self) { try read() }) else {
      return
    }
    let texts = found.map(\.description)
    for place in [
      "warm.yaml:2:33: error", "warm.yaml:2:38: error", "warm.yaml:2:50: error", "warm.yaml:3:13: error",
    ] {
      #expect(texts.contains { $0.contains(place) }, "\(place) in \(texts)")
    }
  }

  @Test func `what is wrong in a theme's file is reported once, in that file`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "theme-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let theme = """
      version: 1
      based_on: dark
      kinds:
        button: {backgruond: red, corner_radius: big}
      styles: {photo: {kind: image, image: a.png}}
      font: Inter
      """
    func read(_ theme: String) throws(ConfigurationError) -> Configuration {
      try? FileManager.default.createDirectory(
        at: folder.appending(path: "looks"), withIntermediateDirectories: true)
      try? Data(theme.utf8).write(to: folder.appending(path: "looks/warm.yaml"))
      return try Configuration.parse(
        text: """
          theme: looks/warm.yaml
          window:
            subviews:
              - {kind: button, frame: [0, 0, 90, 44], text: A}
              - {id: p, style: photo, frame: [0, 0, 9, 9]}
          """, file: folder.appending(path: "f.yaml").path)
    }
    guard case .invalid(let found)? = (#expect(throws: ConfigurationError.self) { try read(theme) }) else {
      return
    }
    let texts = found.map { $0.description.replacing("\(folder.path)/", with: "") }
    #expect(texts.count == 3, "\(texts)")
    for (text, start) in zip(
      texts,
      ["warm.yaml:4:12: error: unknown", "warm.yaml:4:44: error: corner", "warm.yaml:6:7: error: font"])
    {
      #expect(text.hasPrefix("looks/" + start), "\(text)")
    }
    let right = try read(
      theme.replacing("backgruond: red, corner_radius: big", with: "alpha: 1").replacing(
        ": Inter", with: ": {size: 20}"))
    // Paths in a file are relative to it, and only what is included belongs to the configuration's files.
    #expect(right.views.last?.picture?.path == folder.appending(path: "looks/a.png").path)
    #expect(right.sources.count == 1)
  }

  @Test(arguments: ["#14774a", "#8b7cf6", "#0a84ff", "#c2410c", "#ffe000", "#000000"], [false, true])
  func `text in the accent is as far from it as its contrast asks for, and no further`(
    accent: String, isHighContrast: Bool
  ) throws {
    for name in Theme.names {
      let theme = try Theme(
        name, accent: Color(accent), isHighContrast: isHighContrast, report: Report(file: "f.yaml"))
      func color(_ name: String) throws -> Color { try #require(theme.palette[name].flatMap { Color($0) }) }
      let (fill, text, end) = (
        try color("accent"), try color("accent_text"), name == "dark" ? Color.white : .black
      )
      func contrast(_ text: Color) throws -> Double {
        try ["background", "surface", "raised"].map { text.contrast(with: try color($0)) }.min() ?? 0
      }
      let least = isHighContrast ? 7 : 4.5
      #expect(try contrast(text) >= least)
      if text == fill { continue }
      let step = try #require((1...51).first { fill.mixed(with: end, parts: $0 * 5) == text })
      #expect(try contrast(fill.mixed(with: end, parts: (step - 1) * 5)) < least)
    }
  }

  @Test func `a wrong theme, and an accent without one, are errors at their places`() {
    expect(findings(in: "theme: dakr\nwindow: {subviews: []}"), state: ["1:8: error: dakr … dark"])
    expect(findings(in: "accent: red\nwindow: {subviews: []}"), state: ["1:9: error: accent … theme"])
    expect(
      findings(in: "theme: dark\n" + withView("background: surfce")),
      state: ["2:59: error: background"])
  }

  @Test func `the font of the display is that of every font that says nothing else`() throws {
    let views = try parse(
      """
      display: {font: {family: Other, size: 24}}
      window:
        subviews:
          - {kind: label, frame: [0, 0, 9, 9], font: {size: 12}}
          - {kind: button, frame: [0, 0, 9, 9]}
          - {kind: label, frame: [0, 0, 9, 9], font: {family: Own}}
      """
    ).views.map { $0.makeView() }
    let styles = [
      (views[0] as? Label)?.textStyle, (views[1] as? Button)?.textStyle, (views[2] as? Label)?.textStyle,
    ]
    #expect(styles.map(\.?.family) == ["Other", "Other", "Own"])
    #expect(styles.map(\.?.size) == [12, 24, 24])
  }
}

/// Icons by name.
@Suite struct IconReadingTests {
  @Test func `an icon is a name, or a mapping`() throws {
    #expect(try made("kind: button, icon: lightbulb", as: Button.self).icon == Icon("lightbulb"))
    let icon = try made(
      "kind: label, icon: {name: power, size: 40, place: top, color: red}", as: Label.self
    ).icon
    #expect(icon == Icon("power", size: 40, place: .top, color: Color(red: 255, green: 0, blue: 0)))
    #expect(try made("kind: image, icon: none", as: ImageView.self).icon == Icon())
    let list = try made("kind: list, rows: [A, B], icons: [power, \"\"]", as: ListView.self)
    #expect(list.icons == ["power", ""])
  }

  @Test func `an unknown name is an error with the nearest ones, at its place`() {
    expect(
      findings(in: withView("kind: button, icon: lightblub")),
      state: ["1:67: error: icon … lightblub … lightbulb"])
    expect(
      findings(in: withView("kind: button, icon: {name: \"mdi:power\"}")),
      state: ["1:74: error: icon.name … power"])
    expect(
      findings(in: withView("kind: segmented, segments: [A, B], icons: [power, firre]")),
      state: ["1:97: error: icon 2 in icons … fire"])
    expect(findings(in: withView("kind: slider, icon: power")), state: ["1:61: error: icon"])
  }

  @Test func `names of other fonts lead to those of this one`() {
    let names = ["lightbulb", "lightbulb-outline", "music-box", "music-note", "settings"]
    #expect(IconNames.nearest(to: "mdi:cog", among: names) == ["settings"])
    #expect(IconNames.nearest(to: "Lightbulb_Outline", among: names).first == "lightbulb-outline")
    #expect(IconNames.nearest(to: "music", among: names) == ["music-note", "music-box"])
    #expect(IconNames.nearest(to: "lightbulb-on", among: names) == ["lightbulb", "lightbulb-outline"])
    #expect(IconNames.nearest(to: "qqqq", among: names).isEmpty)
  }
}

/// Themes for people who do not see well.
@Suite struct AccessibleThemeTests {
  private func label(_ theme: String) throws -> Label {
    let configuration = try parse(
      """
      theme: \(theme)
      window: {subviews: [{id: a, kind: label, frame: [0, 0, 9, 9], text: A, font: {size: 20}},
        {id: l, kind: list, frame: [0, 0, 9, 9], font: {color: secondary}}]}
      """)
    #expect(configuration.warnings.isEmpty)
    let list = try #require(configuration.views[1].makeView() as? ListView)
    #expect(list.rowHeight == (theme.contains("scale") ? 104 : 52))
    return try #require(configuration.views[0].makeView() as? Label)
  }

  @Test func `texts are larger, and colours stronger, as the file says`() throws {
    let (plain, large) = (try label("dark"), try label("{name: dark, scale: 2}"))
    #expect(plain.textStyle.size == 20 && large.textStyle.size == 40)
    let strong = try label("{name: light, contrast: high}")
    #expect(strong.textStyle.color == .black && strong.textStyle.size == 20)
  }

  @Test(arguments: [
    ("{name: dark, contrast: hgh}", "1:31: error: contrast … high"),
    ("{contrast: high}", "1:8: error: value"),
    ("{name: dark, scale: 9}", "1:28: error: scale … 0.5 to 3"), ("{name: dusk}", "1:8: error: dusk … dark"),
  ])
  func `what is wrong is said where it stands`(theme: String, message: String) {
    let found = findings(in: "theme: \(theme)\nwindow: {subviews: [{id: a}]}")
    #expect(found.contains { $0.hasPrefix(String(message.prefix(12))) }, "\(found)")
  }
}
