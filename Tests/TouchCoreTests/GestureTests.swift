import StageSupport
import Testing
import TouchCore
import TouchViews

/// Gestures, alone and between each other. A pad of 300×300 at (50, 50), which looks for what a test gives
/// it.
@Suite struct GestureTests {
  private let stage = Stage()
  private let pad = View(id: "pad", frame: LocalRect(x: 50, y: 50, width: 300, height: 300))

  init() {
    stage.add(pad)
    pad.forwards = false
  }

  private func look<R: GestureRecognizer>(for recognizer: R, on view: View? = nil) -> R {
    (view ?? pad).addGestureRecognizer(recognizer)
    return recognizer
  }

  /// The results of the gestures, without the phases of the views.
  private func gestures() -> [String] {
    stage.diary.take().filter { line in
      !["pad.", "ok.", "window.", "application.", "dropped"].contains { line.hasPrefix($0) }
    }
  }

  // MARK: Tap

  @Test func `a tap is found at the lift and takes the touch from its view`() {
    _ = look(for: TapGestureRecognizer(id: "tap"))
    stage.tap(100, 100)
    #expect(stage.diary.take() == ["pad.began 1", "tap.ended", "pad.cancelled 1"])
  }

  @Test func `a gesture that does not cancel leaves the touch to its view`() {
    look(for: TapGestureRecognizer(id: "tap")).cancelsTouchesInView = false
    stage.tap(100, 100)
    #expect(stage.diary.take() == ["pad.began 1", "tap.ended", "pad.ended 1"])
  }

  @Test func `a finger that stays or strays is no tap`() {
    _ = look(for: TapGestureRecognizer(id: "tap"))
    stage.frame((1, .began, 100, 100))
    stage.rest(seconds: 0.74)
    #expect(gestures().isEmpty)
    stage.rest(seconds: 0.02)
    #expect(gestures() == ["tap.failed"])
    stage.frame((1, .ended, 100, 100))
    #expect(stage.diary.take() == ["pad.ended 1"])
    stage.drag([(100, 100), (146, 100), (100, 100)], firstSerial: 2)
    #expect(gestures() == ["tap.failed"])
    stage.drag([(100, 100), (145, 100), (100, 100)], firstSerial: 3)
    #expect(gestures() == ["tap.ended"])
  }

  @Test func `a tap of two fingers needs both at once`() {
    look(for: TapGestureRecognizer(id: "tap")).numberOfTouchesRequired = 2
    stage.drag([(100, 100)], [(200, 100)])
    #expect(gestures() == ["tap.ended"])
    stage.tap(100, 100, serial: 3)
    #expect(gestures() == ["tap.failed"])
    stage.drag([(100, 100)], [(200, 100)], [(150, 200)], firstSerial: 4)
    #expect(gestures() == ["tap.failed"])
  }

  /// UIKit documents began, began, cancelled, cancelled, with which the pad would have two touches at once:
  /// see `TouchDelays`.
  @Test func `a double tap keeps the first end back and takes both`() {
    let twice = look(for: TapGestureRecognizer(id: "twice"))
    twice.numberOfTapsRequired = 2
    stage.tap(100, 100)
    #expect(stage.diary.take() == ["pad.began 1"])
    stage.tap(110, 105, serial: 2)
    #expect(stage.diary.take() == ["twice.ended", "pad.cancelled 1"])
    twice.delaysTouchesEnded = false
    stage.wait(seconds: 1)
    stage.tap(100, 100, serial: 3)
    stage.tap(100, 100, serial: 4)
    #expect(
      stage.diary.take() == ["pad.began 3", "pad.ended 3", "pad.began 4", "twice.ended", "pad.cancelled 4"])
  }

  @Test func `a second tap that is late or elsewhere does not count`() {
    look(for: TapGestureRecognizer(id: "twice")).numberOfTapsRequired = 2
    stage.tap(100, 100)
    stage.rest(seconds: 0.36)
    #expect(stage.diary.take() == ["pad.began 1", "twice.failed", "pad.ended 1"])
    stage.tap(100, 100, serial: 2)
    stage.tap(200, 200, serial: 3)
    #expect(gestures() == ["twice.failed"])
  }

  @Test func `a single tap that waits for the double tap is found when that fails`() {
    let once = look(for: TapGestureRecognizer(id: "once"))
    let twice = look(for: TapGestureRecognizer(id: "twice"))
    twice.numberOfTapsRequired = 2
    once.require(toFail: twice)
    stage.tap(100, 100)
    #expect(gestures().isEmpty)
    stage.rest(seconds: 0.4)
    #expect(gestures() == ["twice.failed", "once.ended"])
    stage.tap(100, 100, serial: 2)
    stage.tap(100, 100, serial: 3)
    #expect(gestures() == ["once.failed", "twice.ended"])
  }

  @Test
  func `a gesture that waits for one of other fingers takes no more of its own, and fails with its end`() {
    let other = stage.add(View(id: "other", frame: LocalRect(x: 0, y: 360, width: 400, height: 40)))
    let (tap, required) = (TapGestureRecognizer(id: "tap"), TapGestureRecognizer(id: "required"))
    pad.addGestureRecognizer(tap)
    other.addGestureRecognizer(required)
    tap.require(toFail: required)
    stage.frame((2, .began, 10, 380))
    stage.tap(100, 100)
    stage.frame((3, .began, 100, 100))
    #expect(tap.touches.isEmpty)
    stage.frame((2, .ended, 10, 380))
    #expect(
      gestures().filter { $0.hasPrefix("tap") || $0.hasPrefix("required") } == [
        "required.ended", "tap.failed",
      ])
  }

  @Test func `moves that a gesture delays come as one, with every sample`() {
    final class Recorder: View {
      var samples: [Double] = []

      override func touchesMoved(_ touches: [Touch], with event: Event) -> Disposition {
        samples = touches[0].coalescedSamples.map(\.location.x)
        return .handled
      }
    }
    let view = stage.add(Recorder(id: "view", frame: LocalRect(x: 0, y: 0, width: 50, height: 50)))
    look(for: TapGestureRecognizer(id: "tap"), on: view).delaysTouchesBegan = true
    stage.frame((1, .began, 10, 10))
    for x in [12.0, 14, 16] {
      stage.frame((1, .moved, x, 10))
      stage.dispatcher.flush()
    }
    #expect(view.samples.isEmpty)
    // Too long for a tap.
    stage.rest(seconds: 1)
    #expect(view.samples == [12, 14, 16])
  }

  @Test func `without a requirement a single tap and then the double tap are found`() {
    _ = look(for: TapGestureRecognizer(id: "once"))
    look(for: TapGestureRecognizer(id: "twice")).numberOfTapsRequired = 2
    stage.tap(100, 100)
    stage.tap(100, 100, serial: 2)
    #expect(gestures() == ["once.ended", "twice.ended", "once.failed"])
  }

  @Test func `two that wait for each other are not made`() {
    let one = look(for: TapGestureRecognizer(id: "one"))
    let other = look(for: PanGestureRecognizer(id: "other"))
    one.require(toFail: other)
    other.require(toFail: one)
    #expect(other.failureRequirements.isEmpty)
    stage.tap(100, 100)
    #expect(gestures() == ["other.failed", "one.ended"])
  }

  // MARK: Long press

  @Test func `a long press begins changes and ends`() {
    _ = look(for: LongPressGestureRecognizer(id: "press"))
    stage.frame((1, .began, 100, 100))
    stage.frame((1, .moved, 110, 100))
    stage.dispatcher.flush()
    stage.rest(seconds: 0.48)
    #expect(gestures().isEmpty)
    stage.rest(seconds: 0.02)
    #expect(stage.diary.take() == ["press.began", "pad.cancelled 1"])
    stage.frame((1, .moved, 300, 100))
    stage.dispatcher.flush()
    stage.frame((1, .ended, 300, 100))
    #expect(stage.diary.take() == ["press.changed", "press.ended"])
  }

  @Test func `a finger that moves away before is no long press`() {
    _ = look(for: LongPressGestureRecognizer(id: "press"))
    stage.frame((1, .began, 100, 100))
    // The move was not delivered yet when the time is up.
    stage.frame((1, .moved, 111, 100))
    stage.rest(seconds: 0.6)
    #expect(gestures() == ["press.failed"])
  }

  @Test func `a frame that comes late does not undo that time passed`() {
    _ = look(for: LongPressGestureRecognizer(id: "press"))
    stage.frame((1, .began, 100, 100))
    stage.wait(seconds: 0.6)
    stage.frame((1, .ended, 100, 100))
    #expect(gestures() == ["press.began", "press.ended"])
  }

  @Test func `a press after a tap needs the tap`() {
    look(for: LongPressGestureRecognizer(id: "press")).numberOfTapsRequired = 1
    stage.tap(100, 100)
    stage.frame((2, .began, 100, 100))
    stage.rest(seconds: 0.6)
    stage.frame((2, .ended, 100, 100))
    #expect(gestures() == ["press.began", "press.ended"])
    stage.wait(seconds: 1)
    stage.frame((3, .began, 100, 100))
    stage.rest(seconds: 0.8)
    #expect(gestures() == ["press.failed"])
  }

  // MARK: Pan

  @Test func `a pan begins after ten units and counts from the start`() {
    let pan = look(for: PanGestureRecognizer(id: "pan"))
    var seen: [LocalVector?] = []
    pan.action = { seen.append($0.values.translation) }
    stage.drag([(100, 100), (109, 100), (100, 110), (100, 130)])
    #expect(gestures() == ["pan.began", "pan.changed", "pan.ended"])
    #expect(seen == [LocalVector(x: 0, y: 10), LocalVector(x: 0, y: 30), LocalVector(x: 0, y: 30)])
  }

  @Test func `a pan is seen in its views own space`() {
    pad.transform = AffineTransform(a: 0, b: 2, c: -2, d: 0, tx: 0, ty: 0)
    let pan = look(for: PanGestureRecognizer(id: "pan"))
    var seen: LocalVector?
    pan.action = { seen = $0.values.translation }
    stage.drag([(200, 200), (200, 240)])
    #expect(seen == LocalVector(x: 20, y: 0))
  }

  @Test func `a finger that joins or leaves does not make a pan jump`() {
    let pan = look(for: PanGestureRecognizer(id: "pan"))
    stage.frame((1, .began, 100, 100))
    stage.frame((1, .moved, 120, 100))
    stage.dispatcher.flush()
    stage.frame((2, .began, 200, 200))
    #expect(pan.translation(in: nil) == LocalVector(x: 20, y: 0))
    stage.frame((1, .moved, 130, 100), (2, .moved, 210, 200))
    stage.dispatcher.flush()
    #expect(pan.translation(in: nil) == LocalVector(x: 30, y: 0))
    stage.frame((1, .ended, 130, 100))
    #expect(pan.translation(in: nil) == LocalVector(x: 30, y: 0))
    stage.frame((2, .moved, 210, 205))
    stage.dispatcher.flush()
    #expect(pan.translation(in: nil) == LocalVector(x: 30, y: 5))
    stage.frame((2, .ended, 210, 205))
    #expect(gestures() == ["pan.began", "pan.changed", "pan.changed", "pan.ended"])
  }

  @Test func `velocity is units a second and zero after a rest`() {
    let pan = look(for: PanGestureRecognizer(id: "pan"))
    var speeds: [Double?] = []
    pan.action = { speeds.append($0.values.velocity?.x) }
    stage.drag([(100, 100), (110, 100), (120, 100), (130, 100)])
    #expect(speeds == [1000, 1000, 1000, 1000])
    speeds = []
    stage.frame((2, .began, 100, 100))
    stage.frame((2, .moved, 120, 100))
    stage.dispatcher.flush()
    stage.wait(seconds: 0.2)
    stage.frame((2, .ended, 120, 100))
    #expect(speeds.last == 0)
  }

  @Test func `moves that come in one event have the speed that they had`() throws {
    let pan = look(for: PanGestureRecognizer(id: "pan"))
    var speeds: [Double?] = []
    pan.action = { speeds.append($0.values.velocity?.x) }
    stage.frame((1, .began, 100, 100))
    stage.frame((1, .moved, 120, 100))
    stage.dispatcher.flush()
    speeds = []
    // 200 ms, in which nothing was delivered.
    for step in 1...20 { stage.frame((1, .moved, 120 + Double(step) * 10, 100)) }
    stage.frame((1, .ended, 320, 100))
    #expect(speeds.count == 2)
    for speed in speeds { #expect(abs(try #require(speed) - 1000) < 0.001) }
  }

  @Test func `a pan of two fingers waits for both, rests with one, and ends with none`() {
    let pan = look(for: PanGestureRecognizer(id: "pan"))
    pan.minimumNumberOfTouches = 2
    pan.maximumNumberOfTouches = 2
    stage.drag([(100, 100), (140, 100)])
    #expect(gestures() == ["pan.failed"])
    stage.drag([(100, 100), (140, 100)], [(100, 200), (140, 200)], firstSerial: 2)
    #expect(gestures() == ["pan.began", "pan.ended"])

    stage.frame((4, .began, 100, 100), (5, .began, 100, 200))
    stage.frame((4, .moved, 120, 100), (5, .moved, 120, 200))
    stage.frame((5, .ended, 120, 200))
    stage.frame((4, .moved, 300, 100))
    stage.dispatcher.flush()
    #expect(gestures() == ["pan.began"] && pan.translation(in: nil) == LocalVector(x: 20, y: 0))
    stage.frame((6, .began, 300, 200))
    stage.frame((4, .moved, 310, 100), (6, .moved, 310, 200))
    stage.dispatcher.flush()
    stage.frame((4, .ended, 310, 100), (6, .ended, 310, 200))
    #expect(gestures() == ["pan.changed", "pan.ended"])
    #expect(pan.state == .possible)
  }

  @Test func `the way of a finger alone is no way of two`() {
    let pan = look(for: PanGestureRecognizer(id: "pan"))
    pan.minimumNumberOfTouches = 2
    stage.frame((1, .began, 50, 100))
    stage.frame((1, .moved, 110, 100))
    stage.frame((2, .began, 300, 100))
    stage.frame((1, .moved, 111, 100))
    stage.dispatcher.flush()
    #expect(gestures().isEmpty)
    stage.frame((1, .moved, 132, 100))
    stage.dispatcher.flush()
    #expect(gestures() == ["pan.began"] && pan.translation(in: nil) == LocalVector(x: 11, y: 0))
  }

  @Test func `a finger that joins a gesture touches nothing else`() {
    _ = look(for: PanGestureRecognizer(id: "pan"))
    let button = stage.add(View(id: "button", frame: LocalRect(x: 200, y: 0, width: 50, height: 50)), to: pad)
    stage.frame((1, .began, 100, 100))
    stage.frame((1, .moved, 120, 100))
    stage.dispatcher.flush()
    _ = stage.diary.take()
    stage.frame((2, .began, 260, 60))
    stage.frame((2, .ended, 260, 60))
    #expect(stage.diary.take().filter { $0.hasPrefix("button") } == [])
    stage.frame((1, .ended, 120, 100))
    // Beside the gesture it is pressed.
    stage.tap(260, 60, serial: 3)
    #expect(stage.diary.take().contains { $0.hasPrefix("button.began") })
    withExtendedLifetime(button) {}
  }

  /// (`UIPanGestureRecognizer.h` and its relatives)
  @Test func `a swipe is where it began, and taps are in the middle of the first one`() {
    let swipe = look(for: SwipeGestureRecognizer(id: "swipe"))
    var places: [WindowPoint] = []
    swipe.action = { places.append($0.windowLocation) }
    stage.drag([(100, 100), (120, 100), (160, 100)])
    pad.removeGestureRecognizer(swipe)
    let tap = look(for: TapGestureRecognizer(id: "tap"))
    tap.numberOfTapsRequired = 2
    tap.action = { places.append($0.windowLocation) }
    stage.tap(100, 100, serial: 2)
    stage.tap(130, 120, serial: 3)
    (tap.numberOfTapsRequired, tap.numberOfTouchesRequired) = (1, 2)
    stage.wait(seconds: 1)
    stage.frame((4, .began, 100, 100), (5, .began, 200, 100))
    stage.frame((4, .ended, 100, 100))
    stage.frame((5, .ended, 200, 110))
    #expect(
      places == [WindowPoint(x: 100, y: 100), WindowPoint(x: 100, y: 100), WindowPoint(x: 150, y: 105)])
  }

  @Test(arguments: [false, true])
  func `the fingers of a second tap may come one by one, far from each other`(isSwapped: Bool) {
    let tap = look(for: TapGestureRecognizer(id: "tap"))
    (tap.numberOfTapsRequired, tap.numberOfTouchesRequired) = (2, 2)
    let places = isSwapped ? [300.0, 100] : [100.0, 300]
    for serial in [1, 3] {
      stage.frame((serial, .began, places[0], 150))
      stage.frame((serial + 1, .began, places[1], 150))
      stage.frame((serial, .ended, places[0], 150), (serial + 1, .ended, places[1], 150))
    }
    #expect(gestures() == ["tap.ended"])
    stage.wait(seconds: 1)
    stage.drag([(100, 150)], [(300, 150)], firstSerial: 5)
    stage.frame((7, .began, 200, 250))
    #expect(gestures() == ["tap.failed"])
  }

  @Test(arguments: [false, true])
  func `a recogniser keeps its finger when the view under it goes`(isInAction: Bool) {
    let pan = look(for: PanGestureRecognizer(id: "pan"))
    let row = stage.add(View(id: "row", frame: LocalRect(x: 0, y: 0, width: 50, height: 50)), to: pad)
    let own = PanGestureRecognizer(id: "own")
    own.minimumMovement = 1000
    row.addGestureRecognizer(own)
    if isInAction { pan.action = { _ in row.removeFromSuperview() } }
    stage.frame((1, .began, 60, 60))
    if !isInAction { row.removeFromSuperview() }
    stage.frame((1, .moved, 80, 60))
    stage.dispatcher.flush()
    stage.frame((1, .moved, 90, 60))
    stage.dispatcher.flush()
    stage.frame((1, .ended, 90, 60))
    let diary = stage.diary.take()
    #expect(diary.filter { $0.hasPrefix("pan") } == ["pan.began", "pan.changed", "pan.ended"])
    #expect(diary.filter { $0 == "row.cancelled 1" }.count == 1 && diary.contains("own.failed"))
    #expect(!diary.contains { $0.hasPrefix("row.ended") || $0.hasPrefix("row.moved") })
  }

  // MARK: Swipe

  @Test(
    arguments: [
      ([(100, 100), (150, 110)], [SwipeGestureRecognizer.Direction.right], "ended"),
      ([(100, 100), (50, 110)], [.right], "failed"),
      ([(100, 100), (51, 100)], [.left], "failed"),
      ([(100, 100), (50, 100)], [.left, .up], "ended"),
      ([(100, 200), (100, 150)], [.up], "ended"),
      ([(100, 100), (100, 150)], [.down], "ended"),
      ([(100, 100), (160, 151)], [.right], "failed"),
    ] as [([(Double, Double)], Set<SwipeGestureRecognizer.Direction>, String)])
  func `a swipe goes fifty units its way`(
    path: [(Double, Double)], directions: Set<SwipeGestureRecognizer.Direction>, state: String
  ) {
    look(for: SwipeGestureRecognizer(id: "swipe")).directions = directions
    stage.drag(path.map { (x: $0.0, y: $0.1) })
    #expect(gestures() == ["swipe.\(state)"])
  }

  @Test func `a slow swipe is not recognised`() {
    _ = look(for: SwipeGestureRecognizer(id: "swipe"))
    stage.frame((1, .began, 100, 100))
    stage.wait(seconds: 0.5)
    stage.frame((1, .moved, 200, 100))
    stage.dispatcher.flush()
    #expect(gestures() == ["swipe.failed"])
  }

  // MARK: Pinch and rotation

  @Test func `a pinch is the ratio of the distances`() {
    let pinch = look(for: PinchGestureRecognizer(id: "pinch"))
    stage.frame((1, .began, 100, 100), (2, .began, 200, 100))
    stage.frame((1, .moved, 97, 100), (2, .moved, 204, 100))
    stage.dispatcher.flush()
    #expect(gestures().isEmpty)
    stage.frame((1, .moved, 75, 100), (2, .moved, 225, 100))
    stage.dispatcher.flush()
    #expect(pinch.state == .began && pinch.scale == 1.5)
    // One finger left goes on; the next one does not make it jump.
    stage.frame((1, .ended, 75, 100))
    stage.frame((3, .began, 125, 100))
    stage.frame((3, .moved, 175, 100))
    stage.dispatcher.flush()
    #expect(pinch.scale == 0.75)
    stage.frame((2, .ended, 225, 100), (3, .ended, 175, 100))
    #expect(gestures() == ["pinch.began", "pinch.changed", "pinch.ended"])
  }

  @Test func `a rotation is clockwise in radians and counts turns`() {
    let rotation = look(for: RotationGestureRecognizer(id: "turn"))
    let quarters: [(x: Double, y: Double)] = [(300, 200), (200, 300), (100, 200), (200, 100), (300, 200)]
    stage.frame((1, .began, 200, 200), (2, .began, 300, 200))
    for place in quarters.dropFirst() {
      stage.frame((2, .moved, place.x, place.y))
      stage.dispatcher.flush()
    }
    #expect(abs(rotation.rotation - 2 * .pi) < 1e-12)
    stage.frame((2, .moved, 200, 100))
    stage.dispatcher.flush()
    #expect(abs(rotation.rotation - 1.5 * .pi) < 1e-12)
    stage.frame((1, .ended, 200, 200), (2, .ended, 200, 100))
    #expect(gestures().last == "turn.ended")
  }

  @Test func `fingers that a view is not given pinch all the same`() {
    _ = look(for: PinchGestureRecognizer(id: "pinch"))
    stage.drag([(100, 100), (80, 100)], [(200, 100), (220, 100)])
    #expect(
      stage.diary.take() == [
        "dropped 2", "pad.began 1", "pinch.began", "pad.cancelled 1", "pinch.ended",
      ])
  }

  @Test func `a view follows a pan, a pinch and a rotation about the middle of the fingers`() throws {
    let photo = stage.add(
      View(id: "photo", frame: LocalRect(x: 100, y: 100, width: 200, height: 100)), to: pad)
    let gestures: [GestureRecognizer] = [
      PanGestureRecognizer(id: "pan"), PinchGestureRecognizer(id: "pinch"),
      RotationGestureRecognizer(id: "turn"),
    ]
    for gesture in gestures {
      photo.addGestureRecognizer(gesture)
      gesture.action = ViewTransformer(photo).follow
      for other in gestures { gesture.recognizeSimultaneously(with: other) }
    }
    func seen(_ x: Double, _ y: Double) -> WindowPoint? { photo.convertToWindow(LocalPoint(x: x, y: y)) }
    // Moved by one finger.
    stage.drag([(150, 150), (170, 150), (200, 160)])
    #expect(photo.transform == .translation(x: 50, y: 10))
    // Twice as large and a quarter further, about the middle of the fingers, which stays where it is.
    stage.frame((1, .began, 250, 160), (2, .began, 290, 160))
    stage.dispatcher.flush()
    let before = photo.convertFromWindow(WindowPoint(x: 270, y: 160))
    stage.frame((1, .moved, 270, 120), (2, .moved, 270, 200))
    stage.frame((1, .ended, 270, 120), (2, .ended, 270, 200))
    let after = photo.convertFromWindow(WindowPoint(x: 270, y: 160))
    #expect(abs(before.x - after.x) < 1e-6 && abs(before.y - after.y) < 1e-6)
    let (first, second) = (try #require(seen(0, 0)), try #require(seen(100, 0)))
    #expect(abs(second.x - first.x) < 1e-6 && abs(second.y - first.y - 200) < 1e-6)
    // No smaller than a quarter.
    stage.drag([(200, 80), (200, 159)], [(200, 240), (200, 161)])
    #expect(abs(photo.transform.determinant - 0.0625) < 1e-9)
  }

  // MARK: Between each other

  @Test func `one that is found makes the others fail`() {
    _ = look(for: PanGestureRecognizer(id: "pan"))
    _ = look(for: SwipeGestureRecognizer(id: "swipe"))
    stage.drag([(100, 100), (120, 100), (200, 100)])
    #expect(gestures() == ["pan.began", "swipe.failed", "pan.changed", "pan.ended"])
  }

  /// Of gestures that are found at once, one that has to wait for another one does not go first.
  @Test func `a gesture that waits for another one shuts nothing out`() {
    _ = look(for: TapGestureRecognizer(id: "once"))
    let twice = look(for: TapGestureRecognizer(id: "twice"))
    twice.numberOfTapsRequired = 2
    let thrice = look(for: TapGestureRecognizer(id: "thrice"))
    thrice.numberOfTapsRequired = 3
    twice.require(toFail: thrice)
    stage.tap(100, 100)
    #expect(gestures() == ["once.ended"])
    stage.tap(100, 100, serial: 2)
    #expect(gestures() == ["once.ended"])
    stage.rest(seconds: 0.4)
    #expect(gestures() == ["thrice.failed", "twice.ended"])
  }

  /// "Recognizers ignore the exclusive touch setting for views." (Apple's sample code Touches,
  /// `APLViewController`.)
  @Test(arguments: ["pinch", "rotation", "pan"])
  func `fingers on exclusive views make a gesture around them, and press nothing`(kind: String) {
    for x in [0.0, 200] {
      let button = stage.add(
        Button(id: x == 0 ? "ok" : "ok2", frame: LocalRect(x: x, y: 0, width: 100, height: 300)), to: pad
      )
      button.isExclusiveTouch = true
    }
    switch kind {
    case "pinch": _ = look(for: PinchGestureRecognizer(id: "g"))
    case "rotation": _ = look(for: RotationGestureRecognizer(id: "g"))
    default: look(for: PanGestureRecognizer(id: "g")).minimumNumberOfTouches = 2
    }
    stage.drag([(100, 100), (80, 140)], [(300, 300), (320, 330)])
    let lines = stage.diary.take()
    #expect(lines.contains("g.began") && lines.contains("g.ended") && lines.contains("dropped 2"))
    #expect(!lines.contains { $0.hasSuffix("touchUpInside") } && !lines.contains { $0.hasPrefix("ok2") })
  }

  @Test func `companions are found together`() {
    let pinch = look(for: PinchGestureRecognizer(id: "pinch"))
    let turn = look(for: RotationGestureRecognizer(id: "turn"))
    turn.recognizeSimultaneously(with: pinch)
    stage.drag([(100, 100), (80, 80)], [(200, 100), (240, 140)])
    #expect(gestures() == ["pinch.began", "turn.began", "pinch.ended", "turn.ended"])
  }

  @Test func `the view in front is asked before the one that it is in`() {
    let ok = stage.add(View(id: "ok", frame: LocalRect(x: 0, y: 0, width: 50, height: 50)), to: pad)
    _ = look(for: TapGestureRecognizer(id: "outer"))
    _ = look(for: TapGestureRecognizer(id: "inner"), on: ok)
    stage.tap(60, 60)
    #expect(gestures() == ["inner.ended", "outer.failed"])
  }

  @Test func `a tap on a button is the buttons own`() {
    stage.add(Button(id: "ok", frame: LocalRect(x: 0, y: 0, width: 50, height: 50)), to: pad)
    _ = look(for: TapGestureRecognizer(id: "tap"))
    stage.tap(60, 60)
    #expect(stage.diary.take().contains("ok.touchUpInside"))
    stage.drag([(60, 60), (100, 60)], firstSerial: 2)
    #expect(stage.diary.take().contains("ok.touchUpInside"))
    _ = look(for: PanGestureRecognizer(id: "pan"))
    stage.drag([(60, 60), (100, 60)], firstSerial: 3)
    #expect(stage.diary.take().contains("ok.touchCancel"))
  }

  // MARK: Delays

  @Test func `a delayed began comes with its moves when the gesture fails`() {
    let swipe = look(for: SwipeGestureRecognizer(id: "swipe"))
    swipe.delaysTouchesBegan = true
    let keeper = Keeper()
    pad.handlers = [keeper]
    stage.frame((1, .began, 100, 100))
    stage.frame((1, .moved, 105, 100))
    stage.dispatcher.flush()
    #expect(stage.diary.take().isEmpty)
    stage.rest(seconds: 0.6)
    #expect(stage.diary.take() == ["swipe.failed", "pad.began 1", "pad.moved 1"])
    #expect(keeper.places == [WindowPoint(x: 100, y: 100), WindowPoint(x: 105, y: 100)])
    stage.frame((1, .ended, 105, 100))
    #expect(stage.diary.take() == ["pad.ended 1"])
  }

  @Test func `a delayed touch that a gesture takes is never heard of`() {
    look(for: SwipeGestureRecognizer(id: "swipe")).delaysTouchesBegan = true
    stage.drag([(100, 100), (160, 100), (200, 100)])
    #expect(stage.diary.take() == ["swipe.ended"])
  }

  @Test func `a quick tap under a delay is delivered whole`() {
    look(for: LongPressGestureRecognizer(id: "press")).delaysTouchesBegan = true
    stage.tap(100, 100)
    #expect(stage.diary.take() == ["press.failed", "pad.began 1", "pad.ended 1"])
  }

  // MARK: The order of what was kept back

  private func addButton() -> Button {
    stage.add(Button(id: "ok", frame: LocalRect(x: 0, y: 0, width: 300, height: 100)), to: pad)
  }

  @Test func `an end that was kept back comes before the began that made the gesture fail`() {
    _ = addButton()
    look(for: TapGestureRecognizer(id: "twice")).numberOfTapsRequired = 2
    stage.tap(60, 60)
    stage.tap(300, 60, serial: 2)
    #expect(
      stage.diary.take() == [
        "ok.touchDown", "ok.began 1", "twice.failed", "ok.touchUpInside", "ok.ended 1", "ok.touchDown",
        "ok.began 2", "ok.touchUpInside", "ok.ended 2",
      ])
  }

  @Test(arguments: [false, true])
  func `a second finger waits for the end of the first and its moves too`(takesMany: Bool) {
    addButton().isMultipleTouchEnabled = takesMany
    look(for: TapGestureRecognizer(id: "twice")).numberOfTapsRequired = 2
    stage.tap(60, 60)
    stage.frame((2, .began, 62, 60))
    stage.frame((2, .moved, 64, 60))
    stage.dispatcher.flush()
    #expect(stage.diary.take() == ["ok.touchDown", "ok.began 1"])
    stage.frame((2, .moved, 300, 60))
    stage.dispatcher.flush()
    #expect(
      stage.diary.take() == [
        "twice.failed", "ok.touchUpInside", "ok.ended 1", "ok.touchDown", "ok.touchDownRepeat", "ok.began 2",
        "ok.touchDragInside", "ok.moved 2",
      ])
  }

  @Test func `a second tap that takes too long is a press of its own`() {
    _ = addButton()
    look(for: TapGestureRecognizer(id: "twice")).numberOfTapsRequired = 2
    stage.tap(60, 60)
    stage.frame((2, .began, 60, 60))
    stage.rest(seconds: 0.8)
    stage.frame((2, .ended, 60, 60))
    let actions = stage.diary.take().filter { $0.hasPrefix("ok.touch") }
    #expect(
      actions == [
        "ok.touchDown", "ok.touchUpInside", "ok.touchDown", "ok.touchDownRepeat", "ok.touchUpInside",
      ])
  }

  @Test func `what a gesture keeps from one view is not kept from another`() {
    look(for: TapGestureRecognizer(id: "twice")).numberOfTapsRequired = 2
    stage.add(Button(id: "ok", frame: LocalRect(x: 0, y: 0, width: 40, height: 40)))
    stage.tap(100, 100)
    stage.tap(10, 10, serial: 2)
    #expect(
      stage.diary.take() == ["pad.began 1", "ok.touchDown", "ok.began 2", "ok.touchUpInside", "ok.ended 2"])
  }

  @Test func `a touch that waited is cancelled with its view and never heard of`() {
    look(for: TapGestureRecognizer(id: "twice")).numberOfTapsRequired = 2
    stage.tap(100, 100)
    stage.frame((2, .began, 100, 100))
    stage.dispatcher.cancelAllTouches(at: stage.time)
    #expect(stage.diary.take() == ["pad.began 1", "twice.failed", "pad.cancelled 1"])
    stage.tap(100, 100, serial: 3)
    stage.rest(seconds: 0.4)
    #expect(stage.diary.take() == ["pad.began 3", "twice.failed", "pad.ended 3"])
  }

  @Test func `a claim of a touch that was kept back takes it from the gestures`() {
    look(for: SwipeGestureRecognizer(id: "swipe")).delaysTouchesBegan = true
    _ = look(for: TapGestureRecognizer(id: "tap"))
    pad.handlers = [Claimant()]
    stage.frame((1, .began, 100, 100))
    stage.rest(seconds: 0.6)
    #expect(stage.diary.take() == ["swipe.failed", "pad.began 1", "tap.failed"])
  }

  // MARK: A finger that rests

  @Test(arguments: ["pan", "pinch", "rotation", "long_press"])
  func `a button is pressed at the lift while another finger rests`(kind: String) {
    _ = addButton()
    switch kind {
    case "pan": _ = look(for: PanGestureRecognizer(id: "g"))
    case "pinch": _ = look(for: PinchGestureRecognizer(id: "g"))
    case "rotation": _ = look(for: RotationGestureRecognizer(id: "g"))
    default: look(for: LongPressGestureRecognizer(id: "g")).numberOfTouchesRequired = 3
    }
    stage.frame((1, .began, 200, 300))
    stage.wait(seconds: 2)
    for serial in 2...3 {
      _ = stage.diary.take()
      stage.tap(60, 60, serial: serial)
      let lines = stage.diary.take().filter { $0 != "ok.touchDownRepeat" }
      #expect(
        lines == ["ok.touchDown", "ok.began \(serial)", "ok.touchUpInside", "ok.ended \(serial)"], "\(kind)")
    }
  }

  @Test func `the finger that rests may still pan after another one tapped`() {
    _ = look(for: PanGestureRecognizer(id: "pan"))
    stage.frame((1, .began, 200, 300))
    stage.tap(60, 60, serial: 2)
    stage.frame((1, .moved, 230, 300))
    stage.dispatcher.flush()
    stage.frame((1, .ended, 230, 300))
    #expect(gestures() == ["pan.began", "pan.ended"])
  }

  @Test func `a press after a tap lets the tap go when its fingers do not come`() {
    let press = look(for: LongPressGestureRecognizer(id: "press"))
    press.numberOfTapsRequired = 1
    press.numberOfTouchesRequired = 2
    stage.drag([(100, 100)], [(200, 100)])
    stage.frame((3, .began, 150, 100))
    #expect(stage.diary.take() == ["dropped 2", "pad.began 1"])
    stage.rest(seconds: 0.8)
    #expect(stage.diary.take() == ["press.failed", "pad.ended 1", "pad.began 3"])
  }

  // MARK: Ends

  @Test func `what breaks the touch breaks the gesture`() {
    _ = look(for: PanGestureRecognizer(id: "pan"))
    stage.frame((1, .began, 100, 100))
    stage.frame((1, .moved, 150, 100))
    stage.dispatcher.flush()
    stage.frame((1, .cancelled, 150, 100))
    #expect(gestures() == ["pan.began", "pan.cancelled"])
  }

  @Test func `what a gesture waits for is found once, however many ways lead to it`() {
    // Each of a level waits for both of the next: 2⁶⁴ ways.
    var below = [TapGestureRecognizer(id: "a"), TapGestureRecognizer(id: "b")]
    let last = below[0]
    for _ in 0..<64 {
      let level = [TapGestureRecognizer(id: "a"), TapGestureRecognizer(id: "b")]
      for gesture in level { below.forEach(gesture.require(toFail:)) }
      below = level
    }
    last.require(toFail: below[0])
    #expect(last.failureRequirements.isEmpty)
    #expect(below[0].failureRequirements.count == 2)
  }

  @Test func `turning a gesture off breaks it off`() {
    let pan = look(for: PanGestureRecognizer(id: "pan"))
    stage.frame((1, .began, 100, 100))
    stage.frame((1, .moved, 150, 100))
    stage.dispatcher.flush()
    pan.isEnabled = false
    #expect(gestures() == ["pan.began", "pan.cancelled"])
    stage.drag([(100, 100), (200, 100)], firstSerial: 2)
    #expect(gestures().isEmpty)
  }

  @Test func `a responder that claims a touch takes it from the gestures`() {
    _ = look(for: PanGestureRecognizer(id: "pan"))
    pad.handlers = [Claimant()]
    stage.drag([(100, 100), (150, 100)])
    #expect(gestures() == ["pan.failed"])
  }

  @Test func `a view that goes while its end is kept back is cancelled`() {
    look(for: TapGestureRecognizer(id: "twice")).numberOfTapsRequired = 2
    stage.tap(100, 100)
    pad.removeFromSuperview()
    #expect(
      stage.diary.take() == ["pad.began 1", "twice.failed", "pad.cancelled 1"])
    #expect(stage.dispatcher.deadline == nil)
  }
}

/// Where a touch was, whenever its view heard of it.
private final class Keeper: Handler {
  let name = "keeper"
  private(set) var places: [WindowPoint] = []

  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition {
    places += touches.map(\.location)
    return .forward
  }
}

private final class Claimant: Handler {
  let name = "claimant"

  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition {
    .claim
  }
}
