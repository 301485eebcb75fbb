import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// The keys of gestures, and of what else touches do beyond the hit test.
@Suite struct GestureReadingTests {
  private func scene(_ text: String) throws -> ViewTree {
    ViewTree(try parse(text), canvasSize: Size(width: 9, height: 9))
  }

  private func gesture<R: GestureRecognizer>(_ keys: String, as type: R.Type = R.self) throws -> R {
    let scene = try scene(withView("gestures: [{\(keys)}]"))
    let recognizer = try #require(scene.viewsByID["a"]?.gestureRecognizers.first)
    return try #require(recognizer as? R)
  }

  @Test func `a kind alone has UIKit s defaults`() throws {
    let tap: TapGestureRecognizer = try gesture("kind: tap")
    #expect(tap.id == "a-tap" && tap.numberOfTapsRequired == 1 && tap.numberOfTouchesRequired == 1)
    #expect(tap.cancelsTouchesInView && !tap.delaysTouchesBegan && tap.delaysTouchesEnded && tap.isEnabled)
    let press: LongPressGestureRecognizer = try gesture("kind: long_press")
    #expect(press.minimumPressDuration == 0.5 && press.allowableMovement == 10)
    let pan: PanGestureRecognizer = try gesture("kind: pan")
    #expect(pan.minimumNumberOfTouches == 1 && pan.maximumNumberOfTouches == .max)
    let swipe: SwipeGestureRecognizer = try gesture("kind: swipe")
    #expect(swipe.directions == [.right])
    #expect(try gesture("kind: pinch", as: PinchGestureRecognizer.self).minimumMovement == 8)
    #expect(try gesture("kind: rotation", as: RotationGestureRecognizer.self).minimumMovement == 8)
  }

  @Test func `every key arrives at the recogniser`() throws {
    let flags =
      "cancels_touches_in_view: false, delays_touches_began: true, delays_touches_ended: false, enabled: false"
    let tap: TapGestureRecognizer = try gesture(
      "id: t, kind: tap, taps: 2, touches: 3, duration: 1, interval: 0.2, movement: 7, \(flags)")
    #expect(tap.id == "t" && tap.numberOfTapsRequired == 2 && tap.numberOfTouchesRequired == 3)
    #expect(tap.maximumDuration == 1 && tap.maximumInterval == 0.2 && tap.allowableMovement == 7)
    #expect(!tap.cancelsTouchesInView && tap.delaysTouchesBegan && !tap.delaysTouchesEnded && !tap.isEnabled)
    let press: LongPressGestureRecognizer = try gesture(
      "kind: long_press, taps: 1, touches: 2, duration: 2, movement: 3")
    #expect(press.numberOfTapsRequired == 1 && press.numberOfTouchesRequired == 2)
    #expect(press.minimumPressDuration == 2 && press.allowableMovement == 3)
    let pan: PanGestureRecognizer = try gesture("kind: pan, touches: [1, 2], movement: 4")
    #expect(pan.maximumNumberOfTouches == 2 && pan.minimumMovement == 4)
    let two: PanGestureRecognizer = try gesture("kind: pan, touches: 2")
    #expect(two.minimumNumberOfTouches == 2 && two.maximumNumberOfTouches == .max)
    let edge: ScreenEdgePanGestureRecognizer = try gesture(
      "kind: screen_edge_pan, edges: [left, top], edge_width: 30, movement: 5")
    #expect(edge.edges == [.left, .top] && edge.edgeWidth == 30 && edge.minimumMovement == 5)
    let swipe: SwipeGestureRecognizer = try gesture(
      "kind: swipe, direction: [up, left], touches: 2, duration: 1, movement: 9, deviation: 8")
    #expect(swipe.directions == [.up, .left] && swipe.numberOfTouchesRequired == 2)
    #expect(swipe.maximumDuration == 1 && swipe.minimumMovement == 9 && swipe.maximumDeviation == 8)
  }

  @Test func `gestures that transform one view are recognised together`() throws {
    let scene = try scene(
      withView("gestures: [{kind: pan, transforms: a}, {kind: pinch, transforms: a}, {kind: rotation}]"))
    let gestures = try #require(scene.viewsByID["a"]).gestureRecognizers
    #expect(gestures.map { $0.action != nil } == [true, true, false])
    #expect(gestures[0].isCompanion(of: gestures[1]) && !gestures[0].isCompanion(of: gestures[2]))
  }

  @Test(arguments: [
    ("kind: tap, transforms: a", "\"transforms\" is a key of a pan, a pinch or a rotation"),
    ("kind: pan, transforms: b", "no view has the id \"b\""),
    ("kind: pan, transforms: window", "the window cannot be transformed; give the id of a view in it"),
  ])
  func `what a gesture cannot transform is reported`(keys: String, message: String) {
    #expect(findings(in: withView("gestures: [{\(keys)}]")).contains { $0.contains(message) })
  }

  @Test func `relations and handlers may point anywhere in the file`() throws {
    let scene = try scene(
      """
      handlers: {bell: {kind: exec, on: ended, command: [a]}}
      window:
        gestures: [{id: once, kind: tap, require_to_fail: [twice], handlers: [bell, log]}]
        subviews:
          - {id: a, frame: [0, 0, 1, 1], gestures: [{id: twice, kind: tap, taps: 2, simultaneous_with: [once]}]}
      """)
    let once = try #require(scene.window.gestureRecognizers.first)
    #expect(once.failureRequirements.map(\.id) == ["twice"])
    #expect(scene.gestureAttachments.map(\.handlers) == [["bell", "log"]])
  }

  @Test func `a gesture may wait for a scroll view's own pan, or go together with it`() throws {
    let scene = try scene(
      """
      window:
        gestures: [{id: once, kind: tap, require_to_fail: [shelf.pan, screens.pan], simultaneous_with: [shelf.pan]}]
        subviews:
          - {id: shelf, kind: scroll, frame: [0, 0, 9, 9]}
          - {id: screens, kind: pages, slide: true, frame: [0, 0, 9, 9]}
      """)
    let once = try #require(scene.window.gestureRecognizers.first)
    let shelf = try #require(scene.viewsByID["shelf"] as? ScrollView)
    #expect(once.failureRequirements.map(\.id) == ["shelf.pan", "screens.pan"])
    #expect(once.failureRequirements.first === shelf.panGestureRecognizer)
  }

  @Test(arguments: [
    ("{id: shelf, kind: view, frame: [0, 0, 9, 9]}", "such as list.pan"),
    ("{id: shelf, kind: pages, frame: [0, 0, 9, 9]}", "such as list.pan"),
    ("{id: shelv, kind: scroll, frame: [0, 0, 9, 9]}", "did you mean \"shelv.pan\"?"),
  ])
  func `a pan that does not exist is refused`(view: String, words: String) {
    let found = findings(
      in: "window: {subviews: [\(view)], gestures: [{kind: tap, require_to_fail: [shelf.pan]}]}")
    #expect(
      found.count == 1 && found.allSatisfy { $0.contains("shelf.pan") && $0.contains(words) }, "\(found)")
  }

  @Test func `gestures without an id get different ones`() throws {
    let scene = try scene(
      "window: {subviews: [{id: a, frame: [0,0,1,1], gestures: [{kind: tap}, {kind: tap}, {kind: pan}]}]}")
    #expect(scene.viewsByID["a"]?.gestureRecognizers.map(\.id) == ["a-tap", "a-tap-2", "a-pan"])
  }

  @Test func `the other keys of touches arrive`() throws {
    let text =
      "input: {taps: {interval: 0.5, distance: 20}}\n"
      + "window: {subviews: [{id: a, kind: button, frame: [0,0,1,1], tracking: slide_over, tracking_outset: 0}]}"
    let configuration = try parse(text)
    #expect(configuration.input.taps.interval == 0.5 && configuration.input.taps.distance == 20)
    let button = try #require(try scene(text).viewsByID["a"] as? Button)
    #expect(button.tracking == .slideOver && button.trackingOutset == 0)
    #expect(try scene(withView("kind: button")).viewsByID["a"].map { ($0 as? Button)?.trackingOutset } == 70)
  }

  @Test(arguments: [
    ("{}", "1:58: error: gesture … kind"),
    ("{kind: tab}", "1:65: error: kind … tap"),
    ("{kind: tap, taps: 0}", "1:76: error: taps … 1 to 10"),
    (
      "{kind: pan, taps: 2}",
      "1:70: error: taps … pan"
    ),
    ("{kind: tap, touches: [1, 2]}", "1:79: error: touches … 1 to 64"),
    (
      "{kind: pan, touches: [2, 1]}",
      "1:79: error: touches … [1, 2]"
    ),
    (
      "{kind: swipe, direction: []}",
      "1:83: error: direction … right"
    ),
    (
      "{kind: swipe, direction: north}",
      "1:83: error: direction … down"
    ),
    (
      "{kind: tap, handlers: [bel]}",
      "1:81: error: bel … handlers"
    ),
    (
      "{kind: tap, require_to_fail: [b]}",
      "1:88: error: b … gesture's id"
    ),
    (
      "{id: t, kind: tap, require_to_fail: [t]}",
      "1:58: error: t … waits"
    ),
    (
      "{id: a, kind: tap}",
      "1:63: error: a … twice … line 1, column 26"
    ),
    ("{kind: tap, duration: -1}", "1:80: error: duration … 0 to 60"),
    ("{kind: tap, delay: 1}", "1:70: error: delay … gesture"),
  ])
  func `What is wrong is refused where it stands`(gesture: String, expected: String) {
    expect(findings(in: withView("gestures: [\(gesture)]")), state: [expected])
  }

  @Test func `a tracking outset is a controls own`() {
    expect(
      findings(in: withView("tracking_outset: 3")), state: ["1:47: error: tracking_outset … button"])
  }

  @Test func `gestures in a circle are reported with the way that leads back, and only these`() {
    let count = 20_000
    // Each waits for the next one; the last of the chain waits for the one before it; one waits for the whole
    // chain.
    let chain = (0..<count).map { index in
      let next = index == count - 1 ? index - 1 : index + 1
      return "{id: g\(index), kind: tap, require_to_fail: [g\(next)]}"
    }
    let found = findings(in: "window: {gestures: [\n\(chain.joined(separator: ",\n"))]}")
    #expect(found.count == 1)
    let (first, last) = ("g\(count - 2)", "g\(count - 1)")
    #expect(found.first?.hasPrefix("\(count):1: error: the gesture \"\(first)\" waits in the end") == true)
    #expect(found.first?.contains("(\(first) → \(last) → \(first))") == true)
  }

  @Test func `each circle is reported, and what only leads into one or out of it is not`() {
    let waits = ["a": "b, c", "b": "a", "c": "d", "d": "e", "e": "c, f", "f": "", "g": "a, g"]
    let gestures = waits.sorted { $0.key < $1.key }.map {
      "{id: \($0.key), kind: tap, require_to_fail: [\($0.value)]}"
    }
    let found = findings(in: "window: {gestures: [\(gestures.joined(separator: ", "))]}")
    let paths = found.compactMap { $0.split(separator: "(").last?.split(separator: ")").first }
    #expect(paths == ["a → b → a", "c → d → e → c", "g → g"])
  }

  @Test func `of a long circle its beginning and its end are named`() {
    let gestures = (0..<20).map { "{id: g\($0), kind: tap, require_to_fail: [g\(($0 + 1) % 20)]}" }
    let found = findings(in: "window: {gestures: [\(gestures.joined(separator: ", "))]}")
    #expect(found.first?.contains("(g0 → g1 → g2 → g3 → g4 → g5 → g6 → g7 → … → g0)") == true)
  }

  @Test func `thousands of gestures without ids get one each`() throws {
    let gestures = [String](repeating: "{kind: tap}", count: 10_000).joined(separator: ", ")
    let ids = try parse("window: {gestures: [\(gestures)]}").gestures.map(\.id)
    #expect(Set(ids).count == 10_000)
    #expect(ids.first == "window-tap" && ids.last == "window-tap-10000")
  }
}
