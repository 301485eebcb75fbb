import Testing
import TouchCore

@testable import TouchConfig

/// What is wrong with the meaning of a file.
@Suite struct DiagnosticsTests {
  @Test(arguments: viewRows)
  func `A wrong value in a view is refused where it stands`(keys: String, expected: [String]) {
    expect(findings(in: withView(keys)), state: expected)
  }

  @Test func `a view of an unknown kind is one error, whatever is in it and whatever names it`() {
    let file = """
      window:
        subviews:
          - {id: lamp, kind: swich, frame: [0, 0, 9, 9], value: true}
          - {id: pages, kind: page, frame: [0, 0, 9, 9], page: first, subviews: [{id: first, size: [9, 9]}]}
          - id: ok
            kind: button
            frame: [0, 0, 9, 9]
            actions:
              touch_up_inside:
                - set: {lamp: {value: true, text: "{lamp.value}"}}
                - toggle: {lamp: value}
                - change: {lamp: 1}
                - page: {pages: next}
                - run: {command: [date, "{lamp.value}"], show: lamp}
      """
    expect(findings(in: file), state: ["3:24: error: kind … switch", "4:25: error: kind … pages"])
  }

  static let viewRows: [(String, [String])] = [
    ("aplha: 1", ["1:47: error: aplha … alpha"]),
    (
      "colour: 1, isHidden: true, cornerRadius: 3, backgroundColor: red",
      [
        "1:47: error: colour … background",
        "1:58: error: isHidden … hidden",
        "1:74: error: cornerRadius … corner_radius",
        "1:91: error: backgroundColor … background",
      ]
    ),
    (
      "passes: 2",
      [
        "1:47: error: passes … window"
      ]
    ),
    (
      "onClick: log, press: log, shape: {foo: 1, bar: 2}",
      [
        "1:47: error: onClick … touch_up_inside",
        "1:61: error: press … gestures",
        "1:80: error: shape … type",
        "1:81: error: foo … radius",
        "1:89: error: bar … line 1, column 81",
      ]
    ),
    ("kind: buton", ["1:53: error: kind … button"]),
    (
      "kind: imge", ["1:53: error: kind … image"]
    ),
    ("kind: [view]", ["1:53: error: kind … image"]),
    ("alpha: 1.5", ["1:54: error: alpha … 0 to 1"]),
    ("alpha: -0.1", ["1:54: error: alpha … 0 to 1"]),
    ("alpha: .nan", ["1:54: error: alpha … 0 to 1"]),
    ("alpha: \"1\"", ["1:54: error: alpha … quotes"]),
    ("alpha: high", ["1:54: error: alpha … 0 to 1"]),
    ("alpha: {}", ["1:54: error: alpha … 0 to 1"]),
    ("alpha: true", ["1:54: error: alpha … 0 to 1"]),
    ("alpha: null", ["1:54: error: alpha … 0 to 1"]),
    ("alpha: ", ["1:54: error: alpha … 0 to 1"]),
    ("hidden: yes", ["1:55: error: hidden … true"]),
    ("hidden: \"off\"", ["1:55: error: hidden … quotes"]),
    ("hidden: \"false\"", ["1:55: error: hidden … quotes"]),
    ("clips: 0", ["1:54: error: clips … false"]),
    ("bounds_origin: 3", ["1:62: error: bounds_origin … [x, y]"]),
    (
      "anchor: [a, .inf]",
      [
        "1:56: error: anchor … -10000000 to 10000000",
        "1:59: error: anchor … -10000000 to 10000000",
      ]
    ),
    (
      "transform: [1]",
      [
        "1:58: error: transform … [a, b, c, d, tx, ty]"
      ]
    ),
    (
      "transform: 90",
      ["1:58: error: transform … [a, b, c, d, tx, ty]"]
    ),
    (
      "transform: {rotate: east, scale: [1], translate: 3, rotation: 1}",
      [
        "1:67: error: rotate … -10000000 to 10000000",
        "1:80: error: scale … [x, y]",
        "1:96: error: translate … [x, y]",
        "1:99: error: rotation … calibrated_for",
      ]
    ),
    (
      "background: redd",
      ["1:59: error: background … red"]
    ),
    (
      "background: \"#ff\"",
      ["1:59: error: background … #0a84ff"]
    ),
    (
      "background: 101418",
      ["1:59: error: background … #0a84ff"]
    ),
    (
      "background: ",
      ["1:59: error: background … quotes"]
    ),
    ("corner_radius: -1", ["1:62: error: corner_radius … 0 to 10000000"]),
    ("corner_radius: [1, 2, 3]", ["1:62: error: corner_radius … 3 values … 4"]),
    (
      "background: {gradient: [red, bleu 40%], angel: 3}",
      ["1:76: error: colour 2 in background.gradient … 40%", "1:87: error: angel … angle"]
    ),
    ("background: {angle: 3}", ["1:59: error: background … gradient"]),
    ("shadow: {blur: 300}", ["1:62: error: blur … 0 to 250"]),
    (
      "border: {width: -1}",
      [
        "1:55: error: border … color",
        "1:63: error: width … 0 to 10000000",
      ]
    ),
    ("border: red", ["1:55: error: border … width"]),
    (
      "text: Hi, font: {}, enabled: true, image: a, image_mode: fit",
      [
        "1:47: error: text … view",
        "1:57: error: font … view",
        "1:67: error: enabled … view",
        "1:82: error: image … view",
        "1:92: error: image_mode … view",
      ]
    ),
    (
      "kind: label, selected: true",
      [
        "1:60: error: selected … label"
      ]
    ),
    (
      "kind: image, enabled: false",
      [
        "1:60: error: enabled … image"
      ]
    ),
    (
      "kind: label, text: [a], font: {family: \"\", size: 0, color: 3, align: middle}",
      [
        "1:66: error: text … list",
        "1:86: error: family … sans-serif",
        "1:96: error: size … up to 1000",
        "1:106: error: color … #0a84ff",
        "1:116: error: align … right",
      ]
    ),
    ("kind: image, image_mode: fill", []),
    ("background: none, border: none, transform: none", []),
    ("kind: scroll, content: none", []),
    ("kind: image, image: none, image_mode: fit", []),
    ("background: orange", []),
    ("kind: label, font: {color: Transparent, weight: 600}", []),
    ("kind: label, font: {weight: 650}", ["1:75: error: weight … 100 to 900"]),
    ("kind: label, text: \"a { b, {{value} and {\\\"a\\\": 1}\"", []),
    (
      "kind: image, image: {mode: tile}, image_mode: fit",
      [
        "1:67: error: image … path",
        "1:74: error: mode … center",
        "1:93: error: image_mode … mode",
      ]
    ),
    ("kind: image, image: \" \"", ["1:67: error: image … PNG"]),
    ("kind: image, image: \"a\\0b\"", ["1:67: error: image … NUL"]),
    (
      "controller: {handlers: [log]}",
      ["1:59: error: controller … id"]
    ),
    (
      "handlers: log",
      ["1:57: error: handlers … [log]"]
    ),
    (
      "handlers: [lgo, 3, \"\", bell]",
      [
        "1:58: error: lgo … log",
        "1:63: error: name … quotes",
        "1:66: error: name … empty",
        "1:70: error: bell … handlers",
      ]
    ),
    (
      "subviews: {}",
      ["1:57: error: subviews … list of views"]
    ),
    (
      "subviews: [3, null]",
      [
        "1:58: error: view … mapping",
        "1:61: error: view … id",
      ]
    ),
  ]

  @Test(arguments: [
    ("{frame: [0, 0, 1, 1], subviews: [{id: a}]}", "1:54: error: view … frame … stack"),
    ("{frame: [0, 0, 1, 1], subviews: [{frame: null}]}", "1:62: error: frame … [x, y, width, height]"),
    ("{frame: , id: a}", "1:29: error: frame … [x, y, width, height]"),
    ("{frame: 5}", "1:29: error: frame … [x, y, width, height]"),
    ("{frame: [0, 0, 1]}", "1:29: error: frame … [x, y, width, height]"),
    ("{frame: [0, 0, -1, 1]}", "1:36: error: width … 0 to 10000000"),
    (
      "{frame: [0, 0, 1, 1.1e7]}", "1:39: error: height … 0 to 10000000"
    ),
    (
      "{frame: [-2e7, 0, 1, 1]}",
      "1:30: error: x … -10000000 to 10000000"
    ),
  ])
  func `A wrong frame is refused where it stands`(view: String, finding: String) {
    expect(findings(in: "window: {subviews: [\(view)]}"), state: [finding])
  }

  @Test(arguments: sectionRows)
  func `Everything that is wrong with a section is reported`(text: String, expected: [String]) {
    expect(findings(in: text + "\nwindow: {}\n"), state: expected)
  }

  static let sectionRows: [(String, [String])] = [
    ("version: 2", ["1:10: error: version … 1"]),
    ("version: \"1\"", ["1:10: error: version … quotes"]),
    (
      "verison: 1\nfoo: 1\nframe: 1",
      [
        "1:1: error: verison … version",
        "2:1: error: foo … window",
        "3:1: error: frame … view",
      ]
    ),
    (
      "display: []",
      [
        "1:10: error: display … canvas"
      ]
    ),
    (
      "display: {device: fb0, rotation: 45, background: ~, console: maybe}",
      [
        "1:19: error: device … /dev/fb0",
        "1:34: error: rotation … 270",
        "1:50: error: background … #0a84ff",
        "1:62: error: console … keep",
      ]
    ),
    (
      "display: {device: \"kms:\", mode: big}",
      [
        "1:19: error: device … kms:HDMI-A-1",
        "1:33: error: mode … 1280x800",
      ]
    ),
    (
      "display: {rotation: \"90\", canvas: {size: [0, 20000], scale: fot}}",
      [
        "1:21: error: rotation … quotes",
        "1:43: error: width … up to 8192",
        "1:46: error: height … up to 8192",
        "1:61: error: scale … fit",
      ]
    ),
    (
      "display:\n  background: #101418",
      ["2:14: error: background … quotes"]
    ),
    (
      "input: {devices: {}, cursor: sometimes}",
      [
        "1:18: error: devices … list of devices",
        "1:30: error: cursor … never",
      ]
    ),
    (
      "input: {devices: [3, null, {use: true}]}",
      [
        "1:19: error: device … speed",
        "1:22: error: device … match",
      ]
    ),
    (
      "input:\n  devices:\n    - match: {vendor: 0x10000, product: 0.5, path: event0, nmae: b, uniq: [a]}",
      [
        "3:23: error: vendor … 0 to 65535",
        "3:41: error: product … 0 to 65535",
        "3:52: error: path … /dev/input/event0",
        "3:60: error: nmae … name",
        "3:75: error: uniq … text",
      ]
    ),
    (
      "input: {devices: [{calibration: [0, 0, 0, 0, 0, 0], rotation: 1, output: [0, 0, 0, 9], use: 1, grab: x}]}",
      [
        "1:33: error: calibration … [1, 0, 0, 0, 1, 0]",
        "1:63: error: rotation … 270",
        "1:81: error: width … up to 10000000",
        "1:93: error: use … false",
        "1:102: error: grab … false",
      ]
    ),
    (
      "highlight: {view: {style: glom, color: blux, width: x}, path: chain, touches: 1}",
      [
        "1:27: error: style … glow",
        "1:40: error: color … blue",
        "1:53: error: width … 0 to 10000000",
        "1:63: error: path … none",
        "1:79: error: touches … false",
      ]
    ),
    (
      "application: {id: x, handlers: [\"\"]}",
      [
        "1:15: error: id … gesture",
        "1:33: error: name … empty",
      ]
    ),
  ]

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
    let short = String(repeating: "é", count: 40)
    expect(findings(in: withView("alpha: \(long)")), state: ["1:54: error: alpha … \"\(short)...\""])
    expect(
      findings(in: withView(#"alpha: "\e[31m\u202e""#)),
      state: [#"1:54: error: alpha … "\u{1B}[31m\u{202E}""#])
  }

  @Test func `a diagnostic is one line that editors understand`() {
    let diagnostic = Diagnostic(
      file: "a/b.yaml", place: SourceLocation(line: 3, column: 9), severity: .warning, message: "look")
    #expect(diagnostic.description == "a/b.yaml:3:9: warning: look")
  }
}
