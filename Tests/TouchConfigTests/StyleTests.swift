import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// Keys that several views share, and short ways to write them.
@Suite struct StyleTests {
  @Test func `a view has the keys of its style, and its own keys win`() throws {
    let view = try #require(
      parse(
        """
        styles:
          key: {kind: button, frame: [0, 0, 60, 40], corner_radius: 8, background: "#222222"}
        window:
          subviews:
            - {id: one, style: key, background: "#00ff00", text: "1"}
        """
      ).views.first?.makeView() as? Button)
    #expect(view.layoutRect == LocalRect(x: 0, y: 0, width: 60, height: 40))
    #expect(view.appearance.cornerRadius == 8)
    #expect(view.appearance.background == Color(hex: "#00ff00"))
    #expect(view.text == "1")
  }

  @Test func `of several styles the last one wins, and fonts are merged key by key`() throws {
    let view = try #require(
      parse(
        """
        styles:
          key: {font: {size: 20, weight: bold, color: "#111111"}, alpha: 0.5}
          accent: {font: {color: "#ff0000"}, alpha: 0.8}
        window:
          subviews:
            - {kind: label, frame: [0, 0, 9, 9], style: [key, accent], font: {size: 30}}
        """
      ).views.first?.makeView() as? Label)
    #expect(view.textStyle.size == 30)
    #expect(view.textStyle.weight == .bold)
    #expect(view.textStyle.color == Color(hex: "#ff0000"))
    #expect(view.alpha == 0.8)
  }

  @Test func `a view's own null leaves a style's key out`() throws {
    let text = """
      styles: {dark: {background: "#000000"}}
      window: {subviews: [{frame: [0, 0, 9, 9], style: dark, background: null}]}
      """
    #expect(try #require(parse(text).views.first).makeView().appearance.background == nil)
  }

  @Test(arguments: [
    ("styles: {key: {alpa: 1}}", ["1:16: error: alpa … alpha"]),
    ("styles: {key: {alpha: 2}}", ["1:23: error: alpha … 0 to 1"]),
    ("styles: {key: {id: a, subviews: []}}", ["1:16: error: id … view", "1:23: error: subviews … view"]),
    ("styles: {key: 3}", ["1:15: error: key … mapping"]), ("styles: [key]", ["1:9: error: styles … names"]),
  ])
  func `a wrong style is reported where it stands, once, whether or not it is used`(
    styles: String, expected: [String]
  ) {
    for use in ["", ", style: key"] {
      let found = findings(in: "\(styles)\nwindow: {subviews: [{frame: [0, 0, 9, 9]\(use)}]}")
      expect(found.filter { $0.hasPrefix("1:") }, state: expected)
    }
  }

  @Test func `a style that does not exist is reported with the nearest name`() {
    expect(
      findings(in: "styles: {accent: {alpha: 1}}\nwindow: {subviews: [{frame: [0, 0, 9, 9], style: acent}]}"),
      state: ["2:50: error: acent … accent"])
  }

  @Test func `a key that the view cannot have is reported at the view`() {
    expect(
      findings(
        in: "styles: {key: {font: {size: 9}}}\nwindow: {subviews: [{frame: [0, 0, 9, 9], style: key}]}"),
      state: [
        "2:50: error: font … a label, a button, a segmented control, a list, a picker, a text field, a text view, a chart or a keyboard"
      ])
  }

  @Test func `a view needs a frame of its own or of a style`() {
    expect(
      findings(
        in: "styles: {key: {alpha: 1}}\nwindow: {subviews: [{frame: [0, 0, 9, 9], subviews: [{style: key}]}]}"
      ),
      state: ["2:54: error: view … frame"])
  }

  @Test func `keys that begin with x- hold anchors and mean nothing`() throws {
    let text = """
      x-colours: {lit: &lit "#fff", anything: [1, {else: 2}]}
      window: {subviews: [{frame: [0, 0, 9, 9], background: *lit}]}
      """
    #expect(findings(in: text).isEmpty)
    #expect(try #require(parse(text).views.first).makeView().appearance.background == Color(hex: "#ffffff"))
    expect(findings(in: "window: {x-note: 1}"), state: ["1:10: error: x-note … window"])
  }

  @Test(arguments: [
    ("#fff", "#ffffff"), ("#1aB", "#11aabb"), ("#1ab8", "#11aabb88"), ("#102030", "#102030"),
    ("#10203040", "#10203040"),
  ])
  func `a colour may be written short`(text: String, whole: String) {
    #expect(Color(hex: text)?.hex == whole)
  }

  @Test(arguments: ["#", "#f", "#ff", "#fffff", "#fffffff", "#fffffffff", "fff", "#ggg"])
  func `other lengths are no colour`(text: String) {
    #expect(Color(hex: text) == nil)
  }

  @Test func `padding is one number or four`() throws {
    #expect(
      try made("kind: label, padding: 4", as: Label.self).textStyle.padding
        == Insets(top: 4, left: 4, bottom: 4, right: 4))
    #expect(
      try made("kind: button, padding: [1, 2, 3, 4]", as: Button.self).textStyle.padding
        == Insets(top: 1, left: 2, bottom: 3, right: 4))
    #expect(try made("kind: button", as: Button.self).textStyle.padding == nil)
    expect(
      findings(in: withView("padding: 4")),
      state: ["1:47: error: padding … a label, a button, a list, a picker, a text field or a text view"])
  }
}
