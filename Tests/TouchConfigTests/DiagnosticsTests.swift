import Testing

@testable import TouchConfig

/// What is wrong with the meaning of a file.
@Suite struct DiagnosticsTests {
  @Test(arguments: viewRows)
  func `A wrong value in a view is refused where it stands`(keys: String, expected: [String]) {
    #expect(findings(in: withView(keys)) == expected)
  }

  static let viewRows: [(String, [String])] = [
    ("aplha: 1", ["1:47: error: unknown key \"aplha\" in a view; did you mean \"alpha\"?"]),
    (
      "colour: 1, isHidden: true, cornerRadius: 3, backgroundColor: red",
      [
        "1:47: error: unknown key \"colour\" in a view; a view takes \(viewKeys)",
        "1:58: error: unknown key \"isHidden\" in a view; did you mean \"hidden\"?",
        "1:74: error: unknown key \"cornerRadius\" in a view; did you mean \"corner_radius\"?",
        "1:91: error: unknown key \"backgroundColor\" in a view; did you mean \"background\"?",
      ]
    ),
    (
      "passes: 2",
      [
        "1:47: error: unknown key \"passes\" in a view; it belongs to the window, and a view takes \(viewKeys)"
      ]
    ),
    (
      "onClick: log, press: log, shape: {foo: 1, bar: 2}",
      [
        "1:47: error: unknown key \"onClick\" in a view; \(callbacks)",
        "1:61: error: unknown key \"press\" in a view; \(callbacks)",
        "1:80: error: a shape needs \"type\"; give rect, round_rect, ellipse, polygon or children",
        "1:81: error: unknown key \"foo\" in a shape; a shape takes type, rect, radius and points",
        "1:89: error: unknown key \"bar\" in a shape; the keys of a shape are listed in line 1, column 81",
      ]
    ),
    ("kind: buton", ["1:53: error: kind is the text \"buton\"; did you mean \"button\"?"]),
    (
      "kind: slider", ["1:53: error: kind is the text \"slider\"; give view, control, button, label or image"]
    ),
    ("kind: [view]", ["1:53: error: kind is a list; give view, control, button, label or image"]),
    ("alpha: 1.5", ["1:54: error: alpha is 1.5; give a number from 0 to 1"]),
    ("alpha: -0.1", ["1:54: error: alpha is -0.1; give a number from 0 to 1"]),
    ("alpha: .nan", ["1:54: error: alpha is .nan; give a number from 0 to 1"]),
    ("alpha: \"1\"", ["1:54: error: alpha is the text \"1\"; leave out the quotes to make it a number"]),
    ("alpha: high", ["1:54: error: alpha is the text \"high\"; give a number from 0 to 1"]),
    ("alpha: {}", ["1:54: error: alpha is a mapping; give a number from 0 to 1"]),
    ("alpha: true", ["1:54: error: alpha is true; give a number from 0 to 1"]),
    ("alpha: null", ["1:54: error: alpha is null; give a number from 0 to 1"]),
    ("alpha: ", ["1:54: error: alpha has no value; give a number from 0 to 1"]),
    ("hidden: yes", ["1:55: error: hidden is the text \"yes\"; write true"]),
    ("hidden: \"off\"", ["1:55: error: hidden is the text \"off\"; write false, without quotes"]),
    ("hidden: \"false\"", ["1:55: error: hidden is the text \"false\"; write false, without quotes"]),
    ("clips: 0", ["1:54: error: clips is 0; give true or false"]),
    ("bounds_origin: 3", ["1:62: error: bounds_origin is 3; give [x, y]"]),
    (
      "anchor: [a, .inf]",
      [
        "1:56: error: x in anchor is the text \"a\"; give a number from -10000000 to 10000000",
        "1:59: error: y in anchor is .inf; give a number from -10000000 to 10000000",
      ]
    ),
    (
      "transform: [1]",
      [
        "1:58: error: transform has 1 value, not 6; give [a, b, c, d, tx, ty] or {rotate: ..., scale: ..., translate: ...}"
      ]
    ),
    (
      "transform: 90",
      ["1:58: error: transform is 90; give [a, b, c, d, tx, ty] or {rotate: ..., scale: ..., translate: ...}"]
    ),
    (
      "transform: {rotate: east, scale: [1], translate: 3, rotation: 1}",
      [
        "1:67: error: rotate is the text \"east\"; give a number from -10000000 to 10000000",
        "1:80: error: scale has 1 value, not 2; give [x, y] or one number for both",
        "1:96: error: translate is 3; give [x, y]",
        "1:99: error: unknown key \"rotation\" in a transform; it belongs to display, an input device or calibrated_for, "
          + "and a transform takes rotate, scale and translate",
      ]
    ),
    (
      "background: red",
      ["1:59: error: background is the text \"red\"; give a colour as \"#rrggbb\" or \"#rrggbbaa\""]
    ),
    (
      "background: \"#fff\"",
      ["1:59: error: background is the text \"#fff\"; give a colour as \"#rrggbb\" or \"#rrggbbaa\""]
    ),
    (
      "background: 101418",
      ["1:59: error: background is 101418; give a colour as \"#rrggbb\" or \"#rrggbbaa\""]
    ),
    (
      "background: ",
      ["1:59: error: background has no value; put the colour in quotes, since # starts a comment"]
    ),
    ("corner_radius: -1", ["1:62: error: corner_radius is -1; give a number from 0 to 10000000"]),
    (
      "border: {width: -1}",
      [
        "1:55: error: a border needs \"color\"; give a colour as \"#rrggbb\" or \"#rrggbbaa\"",
        "1:63: error: width is -1; give a number from 0 to 10000000",
      ]
    ),
    ("border: red", ["1:55: error: border is the text \"red\"; give a mapping with color or width"]),
    (
      "text: Hi, font: {}, enabled: true, image: a, image_mode: fit",
      [
        "1:47: error: \"text\" is a key of a label or a button, and this is a view; change the kind or remove it",
        "1:57: error: \"font\" is a key of a label or a button, and this is a view; change the kind or remove it",
        "1:67: error: \"enabled\" is a key of a control or a button, and this is a view; "
          + "change the kind or remove it",
        "1:82: error: \"image\" is a key of an image, and this is a view; change the kind or remove it",
        "1:92: error: \"image_mode\" is a key of an image, and this is a view; change the kind or remove it",
      ]
    ),
    (
      "kind: label, selected: true",
      [
        "1:60: error: \"selected\" is a key of a control or a button, and this is a label; change the kind or remove it"
      ]
    ),
    (
      "kind: image, enabled: false",
      [
        "1:60: error: \"enabled\" is a key of a control or a button, and this is an image; change the kind or remove it"
      ]
    ),
    (
      "kind: label, text: [a], font: {family: \"\", size: 0, color: 3, align: middle}",
      [
        "1:66: error: text is a list; give a text, or \"\" for none",
        "1:86: error: family is empty; give a font family, such as sans-serif",
        "1:96: error: size is 0; give a number above 0, up to 1000",
        "1:106: error: color is 3; give a colour as \"#rrggbb\" or \"#rrggbbaa\"",
        "1:116: error: align is the text \"middle\"; give left, center or right",
      ]
    ),
    (
      "kind: image, image_mode: fit",
      ["1:72: error: image_mode is set and there is no image; add one or remove it"]
    ),
    (
      "kind: image, image: {mode: tile}, image_mode: fit",
      [
        "1:67: error: an image needs \"path\"; give the path of a PNG file",
        "1:74: error: mode is the text \"tile\"; give fit, fill, stretch or center",
        "1:93: error: image_mode is set, and so is mode; remove one of them",
      ]
    ),
    ("kind: image, image: \" \"", ["1:67: error: image is empty; give the path of a PNG file"]),
    ("kind: image, image: \"a\\0b\"", ["1:67: error: image has a NUL character; remove the \"\\0\""]),
    (
      "controller: {handlers: [log]}",
      ["1:59: error: a controller needs \"id\"; give a name that nothing else in the file has"]
    ),
    (
      "handlers: log",
      ["1:57: error: handlers is the text \"log\"; give a list of handler names, such as [log]"]
    ),
    (
      "handlers: [lgo, 3, \"\", bell]",
      [
        "1:58: error: no handler is called \"lgo\"; did you mean \"log\"?",
        "1:63: error: a handler's name is 3; put it in quotes to make it a text",
        "1:66: error: a handler's name is empty; give a handler's name, such as log",
        "1:70: error: no handler is called \"bell\"; declare it under \"handlers:\"",
      ]
    ),
    (
      "subviews: {}",
      ["1:57: error: subviews is a mapping; give a list of views, each starting with \"- id:\""]
    ),
    (
      "subviews: [3, null]",
      [
        "1:58: error: a view is 3; give a mapping with id and frame",
        "1:61: error: a view is null; write {id: ..., frame: ...}, or remove the \"-\"",
      ]
    ),
  ]

  private static let viewKeys =
    "id, kind, frame, bounds_origin, transform, anchor, alpha, hidden, user_interaction, enabled, "
    + "selected, clips, multiple_touch, exclusive_touch, background, corner_radius, border, text, font, image, image_mode, "
    + "controller, handlers, forwards, hit_slop, pointer_events, shape, overflow_hits, redirect, z, "
    + "tracking, tracking_outset, gestures and subviews"

  @Test(arguments: [
    ("{id: a}", "1:21: error: a view needs \"frame\"; give [x, y, width, height]"),
    ("{frame: null}", "1:29: error: frame is null; give [x, y, width, height]"),
    ("{frame: 5}", "1:29: error: frame is 5; give [x, y, width, height]"),
    ("{frame: [0, 0, 1]}", "1:29: error: frame has 3 values, not 4; give [x, y, width, height]"),
    ("{frame: [0, 0, -1, 1]}", "1:36: error: width in frame is -1; give a number from 0 to 10000000"),
    (
      "{frame: [0, 0, 1, 1.1e7]}", "1:39: error: height in frame is 1.1e7; give a number from 0 to 10000000"
    ),
    (
      "{frame: [-2e7, 0, 1, 1]}",
      "1:30: error: x in frame is -2e7; give a number from -10000000 to 10000000"
    ),
  ])
  func `A wrong frame is refused where it stands`(view: String, finding: String) {
    #expect(findings(in: "window: {subviews: [\(view)]}") == [finding])
  }

  @Test(arguments: sectionRows)
  func `Everything that is wrong with a section is reported`(text: String, expected: [String]) {
    #expect(findings(in: text + "\nwindow: {}\n") == expected)
  }

  static let sectionRows: [(String, [String])] = [
    ("version: 2", ["1:10: error: version is 2; this touchtree reads version 1, so write 1"]),
    ("version: \"1\"", ["1:10: error: version is the text \"1\"; leave out the quotes to make it a number"]),
    (
      "verison: 1\nfoo: 1\nframe: 1",
      [
        "1:1: error: unknown key \"verison\" in the file; did you mean \"version\"?",
        "2:1: error: unknown key \"foo\" in the file; the file takes \(rootKeys)",
        "3:1: error: unknown key \"frame\" in the file; it belongs to a view, and "
          + "the keys of the file are listed in line 2, column 1",
      ]
    ),
    (
      "display: []",
      [
        "1:10: error: display is a list; give a mapping with device, rotation, canvas, background, console or buffers"
      ]
    ),
    (
      "display: {device: fb0, rotation: 45, background: ~, console: maybe, buffers: 3}",
      [
        "1:19: error: device is the text \"fb0\"; give auto, headless, or a framebuffer such as /dev/fb0",
        "1:34: error: rotation is 45; give 0, 90, 180 or 270",
        "1:50: error: background is null; give a colour as \"#rrggbb\" or \"#rrggbbaa\"",
        "1:62: error: console is the text \"maybe\"; give hide or keep",
        "1:78: error: buffers is 3; give a whole number from 1 to 2",
      ]
    ),
    (
      "display: {rotation: \"90\", canvas: {size: [0, 20000], scale: fot}}",
      [
        "1:21: error: rotation is the text \"90\"; leave out the quotes to make it a number",
        "1:43: error: width in size is 0; give a number above 0, up to 8192",
        "1:46: error: height in size is 20000; give a number above 0, up to 8192",
        "1:61: error: scale is the text \"fot\"; did you mean \"fit\"?",
      ]
    ),
    (
      "display:\n  background: #101418",
      ["2:14: error: background has no value; put the colour in quotes, since # starts a comment"]
    ),
    (
      "input: {devices: {}, cursor: sometimes}",
      [
        "1:18: error: devices is a mapping; give a list of devices, each starting with \"- match:\"",
        "1:30: error: cursor is the text \"sometimes\"; give auto, always or never",
      ]
    ),
    (
      "input: {devices: [3, null, {use: true}]}",
      [
        "1:19: error: a device is 3; give a mapping with match, use, calibration, calibrated_for, rotation, output, "
          + "grab, filter or speed",
        "1:22: error: a device is null; write match: {name: ...}, or remove the \"-\"",
      ]
    ),
    (
      "input:\n  devices:\n    - match: {vendor: 0x10000, product: 0.5, path: event0, nmae: b, uniq: [a]}",
      [
        "3:23: error: vendor is 0x10000; give a whole number from 0 to 65535",
        "3:41: error: product is 0.5; give a whole number from 0 to 65535",
        "3:52: error: path is the text \"event0\"; give an absolute path, such as /dev/input/event0",
        "3:60: error: unknown key \"nmae\" in a match; did you mean \"name\"?",
        "3:75: error: uniq is a list; give a text",
      ]
    ),
    (
      "input: {devices: [{calibration: [0, 0, 0, 0, 0, 0], rotation: 1, output: [0, 0, 0, 9], use: 1, grab: x}]}",
      [
        "1:33: error: the calibration maps the whole device onto a line; "
          + "[1, 0, 0, 0, 1, 0] is the one that changes nothing",
        "1:63: error: rotation is 1; give 0, 90, 180 or 270",
        "1:81: error: width in output is 0; give a number above 0, up to 10000000",
        "1:93: error: use is 1; give true or false",
        "1:102: error: grab is the text \"x\"; give true or false",
      ]
    ),
    (
      "highlight: {view: {style: glom, color: blue, width: x}, path: chain, touches: 1}",
      [
        "1:27: error: style is the text \"glom\"; did you mean \"glow\"?",
        "1:40: error: color is the text \"blue\"; give a colour as \"#rrggbb\" or \"#rrggbbaa\"",
        "1:53: error: width is the text \"x\"; give a number from 0 to 10000000",
        "1:63: error: path is the text \"chain\"; give outline, fill, glow or none",
        "1:79: error: touches is 1; give true or false",
      ]
    ),
    (
      "application: {id: x, handlers: [\"\"]}",
      [
        "1:15: error: unknown key \"id\" in application; "
          + "it belongs to the highlight of touches, the window, a view, a controller or a gesture, "
          + "and application takes handlers",
        "1:33: error: a handler's name is empty; give a handler's name, such as log",
      ]
    ),
  ]

  private static let callbacks =
    "name what it does under the file's \"handlers:\", and give the view handlers: [NAME], "
    + "or gestures: [{kind: tap, handlers: [NAME]}]"
  private static let rootKeys = "version, display, input, highlight, handlers, application and window"

  @Test
  func `However many names are unknown, a file has so many searches for what was meant`() {
    let count = 3_000
    let declared = (0..<count).map { "h\($0): {kind: exec, on: began, command: [a]}" }
    let used = (0..<count).map { "x\($0)x" }
    let found = findings(
      in: "handlers: {\(declared.joined(separator: ", "))}\n"
        + "application: {handlers: [handlerr, \(used.joined(separator: ", ")), h10a]}\nwindow: {subviews: []}"
    )
    #expect(found.count == count + 2)
    let suggesting = found.filter { $0.contains("did you mean") }
    #expect(suggesting.count <= Names.mostComparisons / count)
  }

  @Test func `a message shortens and escapes what it quotes`() {
    let long = String(repeating: "é", count: 50)
    #expect(
      findings(in: withView("alpha: \(long)")) == [
        "1:54: error: alpha is the text \"\(String(repeating: "é", count: 40))...\"; give a number from 0 to 1"
      ])
    #expect(
      findings(in: withView(#"alpha: "\e[31m\u202e""#)) == [
        #"1:54: error: alpha is the text "\u{1B}[31m\u{202E}"; give a number from 0 to 1"#
      ])
  }

  @Test func `a diagnostic is one line that editors understand`() {
    let diagnostic = Diagnostic(
      file: "a/b.yaml", place: SourceLocation(line: 3, column: 9), severity: .warning, message: "look")
    #expect(diagnostic.description == "a/b.yaml:3:9: warning: look")
  }
}
