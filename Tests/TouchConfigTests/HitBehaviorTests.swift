import Testing

@testable import TouchConfig
@testable import TouchCore

/// The keys that go beyond UIKit's hit test.
@Suite struct HitBehaviorTests {
  @Test func `every default is plain UIKit`() throws {
    let scene = ViewTree(try parse(withView("alpha: 1")), canvasSize: Size(width: 9, height: 9))
    #expect(scene.viewsByID["a"]?.hitBehavior == nil)
    let idle =
      "z: 0, hit_slop: 0, shape: {type: rect}, pointer_events: auto, overflow_hits: false, redirect: null"
    let same = ViewTree(try parse(withView(idle)), canvasSize: Size(width: 9, height: 9))
    #expect(same.viewsByID["a"]?.hitBehavior == nil)
    for key in ["z", "hit_slop", "shape", "pointer_events", "overflow_hits", "redirect"] {
      #expect(findings(in: withView("\(key): null")).isEmpty, "\(key)")
    }
  }

  @Test func `every key arrives at the view`() throws {
    let keys =
      "z: -2.5, hit_slop: [1, 2, 3, 4], shape: ellipse, pointer_events: box-only, overflow_hits: true, "
    let scene = ViewTree(
      try parse(withView(keys + "redirect: window")), canvasSize: Size(width: 9, height: 9))
    let behavior = try #require(scene.viewsByID["a"]?.hitBehavior)
    #expect(behavior.z == -2.5)
    #expect(behavior.slop == Insets(top: 1, left: 2, bottom: 3, right: 4))
    #expect(behavior.shape == .ellipse() && behavior.pointerEvents == .boxOnly && behavior.overflows)
    #expect(behavior.redirect === scene.window)
  }

  @Test(
    arguments: [
      ("rect", .rect()), ("round_rect", .roundRect(radius: 7)), ("ellipse", .ellipse()),
      ("children", .children),
      ("{type: round_rect, radius: 3}", .roundRect(radius: 3)), ("{type: round_rect}", .roundRect(radius: 7)),
      ("{type: rect, rect: [1, 2, 3, 4]}", .rect(LocalRect(x: 1, y: 2, width: 3, height: 4))),
      ("{type: ellipse, rect: null}", .ellipse()), ("{type: children}", .children),
      (
        "{type: polygon, points: [[0, 0], [9, 0.5], [0, 9]]}",
        .polygon(HitPolygon([Point(x: 0, y: 0), Point(x: 9, y: 0.5), Point(x: 0, y: 9)]))
      ),
    ] as [(String, HitShape)])
  func `a shape is a word or a mapping`(text: String, expected: HitShape) throws {
    #expect(try view("corner_radius: 7, shape: \(text)").hitShape == expected)
  }

  @Test(
    arguments: [
      ("hit_slop: -15", ["1:57: error: hit_slop … 0 to 10000000"]),
      ("hit_slop: wide", ["1:57: error: hit_slop … [top"]),
      ("hit_slop: [1, 2]", ["1:57: error: hit_slop … [top"]),
      (
        "hit_slop: [1, 2, 3, -4]",
        ["1:67: error: right … 0 to 10000000"]
      ),
      ("hit_slop: ", ["1:57: error: hit_slop … [top"]),
      (
        "pointer_events: box_none",
        ["1:63: error: pointer_events … box-none"]
      ),
      (
        "pointer_events: false",
        ["1:63: error: pointer_events … box-none"]
      ),
      ("overflow_hits: yes", ["1:62: error: overflow_hits … true"]),
      ("z: front", ["1:50: error: z … -10000000 to 10000000"]),
      ("shape: elipse", ["1:54: error: shape … ellipse"]),
      ("shape: 3", ["1:54: error: shape … ellipse"]),
      ("shape: {}", ["1:54: error: shape … type"]),
      ("shape: {type: star}", ["1:61: error: type … ellipse"]),
      (
        "shape: polygon",
        ["1:54: error: polygon … points"]
      ),
      ("shape: {type: polygon}", ["1:54: error: shape … points"]),
      (
        "shape: {type: polygon, points: [[0, 0], [1, 1]]}",
        ["1:78: error: polygon … [x, y]"]
      ),
      (
        "shape: {type: polygon, points: [[0, 0], [1], [1, b]]}",
        [
          "1:87: error: point … [x, y]",
          "1:96: error: point … -10000000 to 10000000",
        ]
      ),
      ("shape: {type: polygon, points: 7}", ["1:78: error: points … [x, y]"]),
      (
        "shape: {type: ellipse, radius: 3, points: []}",
        [
          "1:70: error: radius … ellipse",
          "1:81: error: points … ellipse",
        ]
      ),
      (
        "shape: {type: children, rect: [0, 0, 1, 1]}",
        [
          "1:71: error: rect … children"
        ]
      ),
      (
        "shape: {type: rect, rect: [0, 0, -1, 1]}",
        ["1:80: error: width … 0 to 10000000"]
      ),
      ("redirect: windov", ["1:57: error: windov … window"]),
      ("redirect: elsewhere", ["1:57: error: elsewhere … view's id"]),
      ("redirect: [a]", ["1:57: error: redirect … null"]),
      (
        "redirect: a",
        ["1:57: error: redirect … itself"]
      ),
      ("controller: m, redirect: m", ["1:72: error: redirect … controller"]),
    ] as [(String, [String])])
  func `A wrong value is refused where it stands`(keys: String, expected: [String]) {
    expect(findings(in: withView(keys)), state: expected)
  }
}
