import Foundation
import Testing

/// The fixed fields of the trace, on the tree of the example that explains them.
@Suite struct TraceTests {
  static let tree = """
    version: 1
    display: {canvas: {size: [375, 667]}}
    window:
      id: window
      subviews:
        - id: root
          frame: [0, 0, 375, 667]
          controller: main
          subviews:
            - id: gray
              frame: [50, 100, 260, 200]
              subviews:
                - {id: red, frame: [0, 0, 120, 100]}
                - {id: blue, frame: [140, 100, 100, 100]}
            - {id: yellow, frame: [50, 360, 200, 200]}
            - {id: ok, kind: button, text: OK, frame: [300, 600, 60, 40]}
    """

  private func trace(_ arguments: String...) throws -> [String] {
    var lines: [String] = []
    try Program.inFolder { folder in
      let file = folder + "/tree.yaml"
      try Self.tree.write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["trace", file, "--json"] + arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
      lines = outcome.lines
    }
    return lines
  }

  @Test func `what a device says of a contact stands in the trace`() throws {
    try Program.inFolder { folder in
      try Self.tree.write(toFile: folder + "/tree.yaml", atomically: true, encoding: .utf8)
      try """
      version: 1
      devices:
      - evdev:
          name: Pen panel
          id: [3, 1, 2, 3]
          codes: {3: [47, 48, 49, 53, 54, 55, 57, 58, 59]}
          absinfo: {47: [0, 1, 0, 0, 0], 48: [0, 99, 0, 0, 0], 49: [0, 99, 0, 0, 0], 53: [0, 374, 0, 0, 0],
            54: [0, 666, 0, 0, 0], 55: [0, 2, 0, 0, 0], 57: [0, 9, 0, 0, 0], 58: [0, 99, 0, 0, 0],
            59: [0, 9, 0, 0, 0]}
          properties: [1]
        events:
        - evdev: [[0, 0, 3, 57, 1], [0, 0, 3, 53, 60], [0, 0, 3, 54, 120], [0, 0, 3, 55, 1], [0, 0, 3, 58, 40],
            [0, 0, 3, 48, 12], [0, 0, 3, 49, 9], [0, 0, 3, 59, 0], [0, 0, 0, 0, 0]]
        - evdev: [[0, 9, 3, 57, -1], [0, 9, 0, 0, 0]]
      """.write(toFile: folder + "/pen.yml", atomically: true, encoding: .utf8)
      let outcome = try Program.run(["trace", "tree.yaml", "--replay", "pen.yml", "--json"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let said = #","pressure":40,"touch_major":12,"touch_minor":9,"distance":0,"tool":"pen"}"#
      #expect(outcome.lines.count { $0.hasPrefix(#"{"event":"touch""#) && $0.hasSuffix(said) } == 12)
    }
  }

  @Test func `a tap on blue is asked found chained and delivered`() throws {
    let chain = #"["blue","gray","root","main","window","application"]"#
    let delivered = ["began", "ended"].flatMap { phase in
      [
        ("blue", "50,50"), ("gray", "190,150"), ("root", "240,250"), ("main", "240,250"),
        ("window", "240,250"), ("application", "240,250"),
      ].map { responder, point in
        #"{"event":"touch","touch":1,"phase":"\#(phase)","responder":"\#(responder)","point":[\#(point)],"disposition":"forward"}"#
      }
    }
    #expect(
      try trace("--tap", "240,250") == [
        #"{"event":"hitTest","view":"window","point":[240,250]}"#,
        #"{"event":"pointInside","view":"window","inside":true}"#,
        #"{"event":"hitTest","view":"root","point":[240,250]}"#,
        #"{"event":"pointInside","view":"root","inside":true}"#,
        #"{"event":"hitTest","view":"ok","point":[-60,-350]}"#,
        #"{"event":"pointInside","view":"ok","inside":false}"#,
        #"{"event":"hitTest","view":"yellow","point":[190,-110]}"#,
        #"{"event":"pointInside","view":"yellow","inside":false}"#,
        #"{"event":"hitTest","view":"gray","point":[190,150]}"#,
        #"{"event":"pointInside","view":"gray","inside":true}"#,
        #"{"event":"hitTest","view":"blue","point":[50,50]}"#,
        #"{"event":"pointInside","view":"blue","inside":true}"#,
        #"{"event":"hit","touch":1,"view":"blue"}"#,
        #"{"event":"chain","touch":1,"responders":\#(chain)}"#,
      ] + delivered)
  }

  @Test func `two passes ask everything twice before began`() throws {
    let once = try trace("--tap", "240,250").filter { $0.contains("hitTest") || $0.contains("pointInside") }
    let twice = try trace("--tap", "240,250", "--passes", "2")
    #expect(Array(twice.prefix(once.count * 2)) == once + once)
    #expect(twice[once.count * 2].contains(#""event":"hit""#))
  }

  @Test func `a control stops the chain and sends its actions`() throws {
    let lines = try trace("--drag", "310,610:320,610:200,100:200,90").filter {
      $0.contains(#""control""#) || $0.contains(#""touch","touch""#)
    }
    #expect(
      lines == [
        #"{"event":"touch","touch":1,"phase":"began","responder":"ok","point":[10,10],"disposition":"handled"}"#,
        #"{"event":"control","touch":1,"view":"ok","action":"touchDown"}"#,
        #"{"event":"touch","touch":1,"phase":"moved","responder":"ok","point":[20,10],"disposition":"handled"}"#,
        #"{"event":"control","touch":1,"view":"ok","action":"touchDragInside"}"#,
        #"{"event":"touch","touch":1,"phase":"moved","responder":"ok","point":[-100,-500],"disposition":"handled"}"#,
        #"{"event":"control","touch":1,"view":"ok","action":"touchDragExit"}"#,
        #"{"event":"control","touch":1,"view":"ok","action":"touchDragOutside"}"#,
        #"{"event":"touch","touch":1,"phase":"moved","responder":"ok","point":[-100,-510],"disposition":"handled"}"#,
        #"{"event":"control","touch":1,"view":"ok","action":"touchDragOutside"}"#,
        #"{"event":"touch","touch":1,"phase":"ended","responder":"ok","point":[-100,-510],"disposition":"handled"}"#,
        #"{"event":"control","touch":1,"view":"ok","action":"touchUpOutside"}"#,
      ])
  }

  @Test(arguments: [
    ("240,250", [], "blue"), ("100,140", [], "red"), ("200,150", [], "gray"), ("374.9,0", [], "root"),
    ("375,0", [], "none"), ("-0.1,5", [], "none"), ("0,0", ["--in", "blue"], "blue"),
    ("100,0", ["--in", "blue"], "none"), ("200,180", ["--in", "gray"], "blue"),
  ])
  func `hit prints the view or none`(point: String, options: [String], expected: String) throws {
    try Program.inFolder { folder in
      let file = folder + "/tree.yaml"
      try Self.tree.write(toFile: file, atomically: true, encoding: .utf8)
      // A point may begin with a minus sign, so it comes after the end of the options.
      let outcome = try Program.run(["hit", file] + options + ["--", point])
      #expect(outcome.lines == [expected], "\(outcome.errors)")
      #expect(outcome.status == 0)
    }
  }

  @Test func `hit tells the chain in JSON`() throws {
    try Program.inFolder { folder in
      let file = folder + "/tree.yaml"
      try Self.tree.write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["hit", file, "240,250", "--json"])
      #expect(
        outcome.lines == [
          #"{"point":[240,250],"view":"blue","chain":["blue","gray","root","main","window","application"]}"#
        ])
    }
  }

  @Test func `tree tells every view and the controllers`() throws {
    try Program.inFolder { folder in
      let file = folder + "/tree.yaml"
      try Self.tree.write(toFile: file, atomically: true, encoding: .utf8)
      let outcome = try Program.run(["tree", file])
      #expect(
        outcome.lines == [
          "application  application",
          "  window  window  (0, 0, 375, 667)",
          "    root  view  (0, 0, 375, 667)  controller main",
          "      gray  view  (50, 100, 260, 200)",
          "        red  view  (0, 0, 120, 100)",
          "        blue  view  (140, 100, 100, 100)",
          "      yellow  view  (50, 360, 200, 200)",
          #"      ok  button  (300, 600, 60, 40)  text "OK""#,
        ])
    }
  }

  @Test func `tree tells what goes beyond UIKit`() throws {
    let tree = """
      window:
        subviews:
          - {id: a, frame: [0, 0, 9, 9], hit_slop: 15, pointer_events: box-none, shape: {type: ellipse}}
          - {id: b, frame: [0, 0, 9, 9], hit_slop: [1, 2, 3, 4.5], overflow_hits: true, redirect: a, z: -1}
          - {id: c, frame: [0, 0, 9, 9], shape: {type: round_rect, radius: 2, rect: [1, 1, 5, 5]}}
          - {id: d, frame: [0, 0, 9, 9], shape: {type: polygon, points: [[0, 0], [9, 0], [0, 9]]}}
      """
    try Program.inFolder { folder in
      try tree.write(toFile: folder + "/tree.yaml", atomically: true, encoding: .utf8)
      let outcome = try Program.run(["tree", folder + "/tree.yaml"])
      #expect(
        outcome.lines.dropFirst(2) == [
          "    a  view  (0, 0, 9, 9)  hit slop 15  pointer events box-none  shape ellipse",
          "    b  view  (0, 0, 9, 9)  hit slop [1, 2, 3, 4.5]  overflow hits  redirect a  z -1",
          "    c  view  (0, 0, 9, 9)  shape round_rect (1, 1, 5, 5) radius 2",
          "    d  view  (0, 0, 9, 9)  shape polygon of 3 points",
        ])
    }
  }
}
