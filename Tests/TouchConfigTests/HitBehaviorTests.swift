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
  func shapes(text: String, expected: HitShape) throws {
    #expect(try view("corner_radius: 7, shape: \(text)").hitShape == expected)
  }

  private static let slops = "give [top, left, bottom, right] or one number for all of them"
  private static let types = "give rect, round_rect, ellipse, polygon or children"
  private static let points = "give [[x, y], [x, y], [x, y], ...]"

  @Test(
    arguments: [
      ("hit_slop: -15", ["1:57: error: hit_slop is -15; give a number from 0 to 10000000"]),
      ("hit_slop: wide", ["1:57: error: hit_slop is the text \"wide\"; \(slops)"]),
      ("hit_slop: [1, 2]", ["1:57: error: hit_slop has 2 values, not 4; \(slops)"]),
      (
        "hit_slop: [1, 2, 3, -4]",
        ["1:67: error: right in hit_slop is -4; give a number from 0 to 10000000"]
      ),
      ("hit_slop: ", ["1:57: error: hit_slop has no value; \(slops)"]),
      (
        "pointer_events: box_none",
        ["1:63: error: pointer_events is the text \"box_none\"; did you mean \"box-none\"?"]
      ),
      (
        "pointer_events: false",
        ["1:63: error: pointer_events is false; give auto, none, box-only or box-none"]
      ),
      ("overflow_hits: yes", ["1:62: error: overflow_hits is the text \"yes\"; write true"]),
      ("z: front", ["1:50: error: z is the text \"front\"; give a number from -10000000 to 10000000"]),
      ("shape: elipse", ["1:54: error: shape is the text \"elipse\"; did you mean \"ellipse\"?"]),
      ("shape: 3", ["1:54: error: shape is 3; \(types)"]),
      ("shape: {}", ["1:54: error: a shape needs \"type\"; \(types)"]),
      ("shape: {type: star}", ["1:61: error: type is the text \"star\"; \(types)"]),
      (
        "shape: polygon",
        ["1:54: error: a polygon needs \"points\"; write {type: polygon, points: [[x, y], ...]}"]
      ),
      ("shape: {type: polygon}", ["1:54: error: a shape needs \"points\"; \(points)"]),
      (
        "shape: {type: polygon, points: [[0, 0], [1, 1]]}",
        ["1:78: error: a polygon has at least 3 points, and this has 2 points; \(points)"]
      ),
      (
        "shape: {type: polygon, points: [[0, 0], [1], [1, b]]}",
        [
          "1:87: error: a point has 1 value, not 2; give [x, y]",
          "1:96: error: y in a point is the text \"b\"; give a number from -10000000 to 10000000",
        ]
      ),
      ("shape: {type: polygon, points: 7}", ["1:78: error: points is 7; \(points)"]),
      (
        "shape: {type: ellipse, radius: 3, points: []}",
        [
          "1:70: error: \"radius\" is a key of a round_rect, and this is an ellipse; change the type or remove it",
          "1:81: error: \"points\" is a key of a polygon, and this is an ellipse; change the type or remove it",
        ]
      ),
      (
        "shape: {type: children, rect: [0, 0, 1, 1]}",
        [
          "1:71: error: \"rect\" is a key of a rect, round_rect or ellipse, and this is children; "
            + "change the type or remove it"
        ]
      ),
      (
        "shape: {type: rect, rect: [0, 0, -1, 1]}",
        ["1:80: error: width in rect is -1; give a number from 0 to 10000000"]
      ),
      ("redirect: windov", ["1:57: error: no view has the id \"windov\"; did you mean \"window\"?"]),
      ("redirect: elsewhere", ["1:57: error: no view has the id \"elsewhere\"; give a view's id"]),
      ("redirect: [a]", ["1:57: error: redirect is a list; give a view's id, or null"]),
      (
        "redirect: a",
        ["1:57: error: redirect is the view itself, \"a\"; give another view's id, or remove it"]
      ),
      ("controller: m, redirect: m", ["1:72: error: redirect is a controller, \"m\"; give a view's id"]),
    ] as [(String, [String])])
  func `A wrong value is refused where it stands`(keys: String, expected: [String]) {
    #expect(findings(in: withView(keys)) == expected)
  }
}
