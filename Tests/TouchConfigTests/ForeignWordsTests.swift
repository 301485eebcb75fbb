import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// Words and habits of other toolkits are answered with what does it here, in one short sentence.
@Suite struct ForeignWordsTests {
  static let keys: [(String, String)] = [
    ("opacity: 0.5", "alpha"), ("visible: false", "hidden"), ("box_shadow: {}", "shadow: {color"),
    ("gradient: []", "background: {gradient"), ("glyph: plus", "icon"),
    ("color: red", "background"),
    ("radius: 3", "corner_radius"), ("border-radius: 3", "corner_radius"),
    ("x: 1", "frame: [x, y, width, height]"),
    ("y: 1", "frame: [x, y, width, height]"), ("width: 1", "frame: [x, y, width, height]"),
    ("height: 1", "frame: [x, y, width, height]"), ("onclick: log", "touch_up_inside"),
    ("on_press: log", "touch_up_inside"), ("onChange: log", "value_changed"),
    ("font_size: 3", "font: {size: 24}"),
    ("bg: red", "background"), ("title: Hi", "text"), ("src: a.png", "image"), ("type: button", "kind"),
    ("children: []", "subviews"), ("disabled: true", "enabled"), ("z_index: 3", "z: 1"),
    ("rotation: 3", "rotate"),
    ("min: 3", "minimum"),
  ]

  @Test(arguments: keys)
  func `a key of another toolkit is answered with the one that does it`(key: String, meant: String) {
    let found = findings(in: withView(key))
    #expect(found.count == 1 && (found.first ?? "").hasPrefix("1:47: error: unknown key "), "\(found)")
    #expect((found.first ?? "").contains(meant) && (found.first ?? "").count < 180, "\(found)")
  }

  @Test func `a key that no toolkit has is not answered with all keys of a view`() {
    let found = findings(in: withView("blorb: 1"))
    #expect(
      found == ["1:47: error: unknown key \"blorb\" in a view; `man touchtree.yaml` lists the keys of a view"]
    )
  }

  @Test func `no word that means something here is taken for another`() {
    for key in KeyTable.view.names {
      #expect(findings(in: withView("\(key): 1")).allSatisfy { !$0.contains("unknown key") }, "\(key)")
    }
  }

  @Test(arguments: [
    ("on_click", "touch_up_inside"), ("onPress", "touch_up_inside"), ("on_release", "touch_up_inside"),
    ("tap", "touch_up_inside"), ("on_change", "value_changed"), ("changed", "value_changed"),
  ])
  func `an action by another name is answered with UIKit's`(name: String, meant: String) {
    let found = findings(in: withView("kind: slider, actions: {\(name): []}"))
    #expect(
      found == [
        "1:71: error: unknown key \"\(name)\" in the actions of a control; did you mean \"\(meant)\"?"
      ])
  }

  @Test(arguments: [
    ("kind: stack, direction: vertical", "1:60", "axis: horizontal"),
    ("kind: stack, align: center", "1:60", "alignment: fill"),
    ("kind: stack, align_items: center", "1:60", "alignment: fill"),
    ("kind: stack, justify: center", "1:60", "distribution: fill"),
    ("kind: stack, width: 100", "1:60", "frame: [x"),
    ("kind: stack, subviews: [{kind: label, width: 100}]", "1:85", "size: [width, height]"),
    ("kind: stack, subviews: [{kind: stack, height: 100}]", "1:85", "size: [width, height]"),
    ("kind: label, align: left", "1:60", "font: {align"),
  ])
  func `a word for layout is answered with what a stack has, or a view in it`(
    keys: String, place: String, meant: String
  ) {
    let found = findings(in: withView(keys))
    #expect(found.count == 1 && (found.first ?? "").hasPrefix("\(place): error: unknown key"), "\(found)")
    #expect((found.first ?? "").contains(meant), "\(found)")
  }

  @Test(arguments: [
    ("toggle", "switch"), ("checkbox", "switch"), ("text", "label"), ("input", "text_field"),
    ("TextInput", "text_field"), ("dropdown", "picker"), ("hbox", "stack"), ("progress-bar", "progress"),
    ("swich", "switch"), ("textfield", "text_field"),
  ])
  func `a kind of view by another name is answered with ours`(name: String, meant: String) {
    let expected = "1:53: error: kind is the text \"\(name)\"; did you mean \"\(meant)\"?"
    #expect(findings(in: withView("kind: \(name)")) == [expected])
  }

  static let values: [(String, String)] = [
    ("alpha: 50%", "1:54: error: alpha is the text \"50%\"; write 0.5"),
    (
      "border: {color: red, width: 2px}",
      "1:75: error: border.width is the text \"2px\"; leave out the unit: 2"
    ),
    (
      "kind: label, text: {temp.value}",
      "1:66: error: text is a mapping; put it in quotes: \"{temp.value}\""
    ),
    ("background: gren", "1:59: error: background is the text \"gren\"; did you mean \"green\"?"),
  ]

  @Test(arguments: values)
  func `a value of another toolkit is answered with ours`(keys: String, expected: String) {
    #expect(findings(in: withView(keys)) == [expected])
  }

  @Test func `a length in per cent points to stacks`() {
    let found = findings(in: "window: {subviews: [{frame: [0, 0, 50%, 10]}]}")
    #expect(
      found.count == 1 && (found.first ?? "").hasPrefix("1:36: error: width in frame is the text \"50%\""),
      "\(found)")
    #expect((found.first ?? "").contains("kind: stack"), "\(found)")
  }

  @Test(arguments: [
    ("{kind: label, frame: [0, 0, 1, 1], text: {value} °}", 1), ("\n  - kind: label\n    text: {value} °", 3),
  ])
  func `a text after braces without quotes is what is reported`(view: String, line: Int) {
    let list = view.hasPrefix("{") ? "[\(view)]" : view
    let found = findings(in: "x-views: \(list)")
    #expect(found.count == 1 && (found.first ?? "").hasPrefix("\(line):"), "\(found)")
    #expect(found.first?.contains("put a text with braces in it in quotes") == true, "\(found)")
  }

  private func commandFindings(of command: String) -> [String] {
    TouchConfigTests.findings(
      in: "handlers: {c: {kind: exec, when: pressed, command: \(command)}}\nwindow: {handlers: [c]}")
  }

  @Test(arguments: [
    ("aplay chime.wav", "as a list: [aplay, chime.wav]"),
    ("aplay -q 'my chime.wav'", "as a list: [aplay, -q, \"my chime.wav\"]"),
    ("echo hi > /tmp/x", "no shell reads a command; start one: [sh, -c, \"echo hi > /tmp/x\"]"),
    ("[\"echo hi > /tmp/x\"]", "no shell reads a command; start one: [sh, -c, \"echo hi > /tmp/x\"]"),
    ("[\"aplay /usr/share/x.wav\"]", "give each word for itself: [aplay, /usr/share/x.wav]"),
    ("[date, \"|\", wc]", "no shell reads a command; start one: [sh, -c, \"date | wc\"]"),
    ("[notify, \"{value}\"]", "TOUCHTREE_VALUE"),
  ])
  func `a command that a shell would read is shown as a list`(command: String, advice: String) {
    let found = commandFindings(of: command)
    #expect(
      found.count == 1 && (found.first ?? "").hasPrefix("1:") && (found.first ?? "").contains(advice),
      "\(found)")
  }

  @Test(arguments: [
    "[sh, -c, \"echo hi > /tmp/x\"]", "[find, /tmp, -exec, ls, \"{}\", \";\"]", "[awk, \"{ print $1 }\"]",
    "[\"/opt/my programs/run\"]", "[test, 1, \">\", 2]",
  ])
  func `a command with such letters of its own is left alone`(command: String) {
    #expect(commandFindings(of: command).isEmpty)
  }

  @Test func `a picture in the place of a configuration is called one`() {
    let found = findings(in: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])
    #expect(found.count == 1 && (found.first ?? "").contains("is a picture (PNG)"), "\(found)")
  }

  @Test func `CSS's colours and weights are what CSS says`() throws {
    let label: Label = try made(
      "kind: label, background: RebeccaPurple, font: {weight: 600, color: transparent}")
    #expect(label.appearance.background == Color(red: 0x66, green: 0x33, blue: 0x99))
    #expect(label.textStyle.weight == .semibold && label.textStyle.color.alpha == 0)
    #expect(Color("#fff") == Color(hex: "#ffffff") && Color("nothing") == nil && Color("") == nil)
    let weights = stride(from: 100.0, through: 900, by: 100).map { TextStyle.Weight(css: $0) }
    #expect(weights == [.thin, .thin, .light, .regular, .medium, .semibold, .bold, .black, .black])
  }
}
