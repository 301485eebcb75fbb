import StageSupport
import Testing
import TouchCore
import TouchViews

private func rect(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> LocalRect {
  LocalRect(x: x, y: y, width: width, height: height)
}

@Suite struct DispatcherTests {
  let stage = Stage()

  @Test func `the earliest deadline of all views is the dispatcher's, whichever asked first`() {
    let views = ["a", "b"].map { stage.add(View(id: $0)) }
    views[0].deadline = Timestamp(microseconds: 300)
    views[1].deadline = Timestamp(microseconds: 200)
    #expect(stage.dispatcher.deadline == Timestamp(microseconds: 200))
    views[0].deadline = Timestamp(microseconds: 100)
    #expect(stage.dispatcher.deadline == Timestamp(microseconds: 100))
  }

  @Test func `phases go up the chain from the hit view to the application`() {
    let root = stage.add(View(id: "root", frame: rect(0, 0, 400, 400)))
    root.viewController = ViewController(id: "main")
    stage.add(View(id: "blue", frame: rect(100, 100, 50, 50)), to: root)
    stage.frame((1, .began, 110, 110))
    #expect(
      stage.diary.take() == [
        "blue.began 1", "root.began 1", "main.began 1", "window.began 1", "application.began 1",
      ])
    stage.frame((1, .ended, 110, 110))
    #expect(
      stage.diary.take() == [
        "blue.ended 1", "root.ended 1", "main.ended 1", "window.ended 1", "application.ended 1",
      ])
  }

  @Test func `a touch stays with the view it began on`() {
    let blue = stage.add(View(id: "blue", frame: rect(0, 0, 50, 50)))
    blue.forwards = false
    stage.add(View(id: "red", frame: rect(200, 200, 50, 50)))
    stage.frame((1, .began, 10, 10))
    stage.frame((1, .moved, 220, 220))
    stage.frame((1, .ended, 220, 220))
    #expect(stage.diary.take() == ["blue.began 1", "blue.moved 1", "blue.ended 1"])
    #expect(stage.diary.hits == ["blue"])
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 3)])
  func `the hit test is asked as often as the window says`(passes: Int, expected: Int) {
    stage.window.hitTestPasses = passes
    stage.frame((1, .began, 10, 10), (2, .began, 20, 20))
    #expect(stage.diary.hitTests == expected * 2)
    stage.frame((1, .moved, 30, 30))
    stage.dispatcher.flush()
    #expect(stage.diary.hitTests == expected * 2)
  }

  @Test func `a touch outside the window hits nothing and is not delivered`() {
    stage.frame((1, .began, 400, 10))
    stage.frame((1, .ended, 10, 10))
    #expect(stage.diary.hits == ["none"])
    #expect(stage.diary.take() == [])
  }

  @Test func `a contact may begin and move in one frame`() {
    let view = stage.add(View(id: "view", frame: rect(0, 0, 400, 400)))
    view.forwards = false
    stage.frame((1, .began, 10, 10), (1, .moved, 20, 10))
    stage.dispatcher.flush()
    #expect(stage.diary.take() == ["view.began 1", "view.moved 1"])
    #expect(stage.dispatcher.touches.first?.location.x == 20)
  }

  @Test func `a hit test that changes the tree cancels once and loses no began`() {
    let victim = stage.add(View(id: "victim", frame: rect(0, 0, 200, 400)))
    let remover = stage.add(Remover(id: "remover", frame: rect(200, 0, 200, 400)))
    victim.forwards = false
    remover.forwards = false
    stage.frame((1, .began, 10, 10))
    remover.victim = victim
    stage.frame((2, .began, 300, 10))
    stage.frame((2, .ended, 300, 10))
    #expect(
      stage.diary.take() == ["victim.began 1", "remover.began 2", "victim.cancelled 1", "remover.ended 2"])
  }

  @Test func `moves of a turn are one event that keeps every sample`() throws {
    let view = stage.add(View(id: "view", frame: rect(0, 0, 400, 400)))
    view.forwards = false
    stage.frame((1, .began, 10, 10))
    _ = stage.diary.take()
    stage.frame((1, .moved, 20, 10))
    stage.frame((1, .moved, 30, 10))
    #expect(stage.diary.take() == [])
    stage.dispatcher.flush()
    #expect(stage.diary.take() == ["view.moved 1"])
    let touch = try #require(stage.dispatcher.touches.first)
    #expect(touch.coalescedSamples.map(\.location.x) == [20, 30])
    #expect(touch.previousLocation.x == 10)
    #expect(touch.location.x == 30)
  }

  @Test func `moves are delivered before the end that follows them`() {
    let view = stage.add(View(id: "view", frame: rect(0, 0, 400, 400)))
    view.forwards = false
    stage.frame((1, .began, 10, 10))
    stage.frame((1, .moved, 20, 10))
    stage.frame((1, .ended, 20, 10))
    #expect(stage.diary.take() == ["view.began 1", "view.moved 1", "view.ended 1"])
  }

  @Test func `a tap within one frame is began and ended`() {
    let view = stage.add(View(id: "view", frame: rect(0, 0, 400, 400)))
    view.forwards = false
    stage.frame((1, .began, 10, 10), (1, .ended, 10, 10))
    #expect(stage.diary.take() == ["view.began 1", "view.ended 1"])
    #expect(stage.dispatcher.touches.isEmpty)
  }

  @Test func `a contact that follows another in one frame finds the view free`() {
    let view = stage.add(View(id: "view", frame: rect(0, 0, 400, 400)))
    view.forwards = false
    stage.frame((1, .began, 10, 10))
    stage.frame((1, .ended, 10, 10), (2, .began, 50, 50))
    #expect(stage.diary.take() == ["view.began 1", "view.ended 1", "view.began 2"])
  }

  @Test func `a second touch on a view without multiple touch is dropped for its whole life`() {
    let view = stage.add(View(id: "view", frame: rect(0, 0, 400, 400)))
    view.forwards = false
    stage.frame((1, .began, 10, 10))
    stage.frame((2, .began, 20, 20))
    stage.frame((1, .ended, 10, 10))
    stage.frame((2, .moved, 30, 30))
    stage.frame((2, .ended, 30, 30))
    #expect(stage.diary.take() == ["view.began 1", "dropped 2", "view.ended 1"])
  }

  @Test func `an exclusive view keeps others from touches and takes none while they have one`() {
    let left = stage.add(View(id: "left", frame: rect(0, 0, 200, 400)))
    let right = stage.add(View(id: "right", frame: rect(200, 0, 200, 400)))
    left.forwards = false
    right.forwards = false
    left.isExclusiveTouch = true
    stage.frame((1, .began, 10, 10))
    stage.frame((2, .began, 300, 10))
    stage.frame((1, .ended, 10, 10), (2, .ended, 300, 10))
    stage.frame((3, .began, 300, 10))
    stage.frame((4, .began, 10, 10))
    #expect(
      stage.diary.take() == ["left.began 1", "dropped 2", "left.ended 1", "right.began 3", "dropped 4"])
  }

  @Test func `an unchanged touch is stationary in the event of another`() {
    let view = stage.add(View(id: "view", frame: rect(0, 0, 400, 400)))
    view.isMultipleTouchEnabled = true
    stage.frame((1, .began, 10, 10))
    stage.frame((2, .began, 20, 20))
    #expect(stage.dispatcher.touches.map(\.phase) == [.stationary, .began])
  }

  @Test func `a responder that received began receives an end even when one below handles it`() {
    let root = stage.add(View(id: "root", frame: rect(0, 0, 400, 400)))
    root.forwards = false
    let fickle = stage.add(Fickle(id: "fickle", frame: rect(0, 0, 400, 400)), to: root)
    stage.frame((1, .began, 10, 10))
    fickle.answer = .handled
    stage.frame((1, .ended, 10, 10))
    #expect(
      stage.diary.take() == ["fickle.began 1", "root.began 1", "fickle.ended 1", "root.cancelled 1"])
  }

  @Test func `responders above one that handled began receive nothing of the touch`() {
    let root = stage.add(View(id: "root", frame: rect(0, 0, 400, 400)))
    let fickle = stage.add(Fickle(id: "fickle", frame: rect(0, 0, 400, 400)), to: root)
    fickle.answer = .handled
    stage.frame((1, .began, 10, 10))
    fickle.answer = .forward
    stage.frame((1, .moved, 12, 10))
    stage.frame((1, .ended, 12, 10))
    #expect(stage.diary.take() == ["fickle.began 1", "fickle.moved 1", "fickle.ended 1"])
  }

  /// A > B > C, each with a handler that captures and one that does not.
  private func captureTree() -> (answers: [String: Answering], views: [View]) {
    let a = stage.add(View(id: "a", frame: rect(0, 0, 400, 400)))
    let b = stage.add(View(id: "b", frame: rect(0, 0, 400, 400)), to: a)
    let c = stage.add(View(id: "c", frame: rect(0, 0, 400, 400)), to: b)
    a.forwards = false
    var answers: [String: Answering] = [:]
    for view in [a, b, c] {
      for captures in [true, false] {
        let handler = Answering(captures: captures)
        view.handlers.append(handler)
        answers[(captures ? "captured " : "") + view.id] = handler
      }
    }
    return (answers, [a, b, c])
  }

  @Test func `capturing handlers are asked on the way down and the others on the way up`() {
    let tree = captureTree()
    stage.frame((1, .began, 10, 10))
    #expect(
      stage.diary.take() == [
        "captured a.began 1", "captured b.began 1", "captured c.began 1", "c.began 1", "b.began 1",
        "a.began 1",
      ])
    tree.answers["captured b"]?.answer = .handled
    stage.frame((1, .moved, 20, 10))
    stage.dispatcher.flush()
    #expect(stage.diary.take() == ["captured a.moved 1", "captured b.moved 1"])
    stage.frame((1, .ended, 20, 10))
    #expect(
      stage.diary.take() == [
        "captured a.ended 1", "captured b.ended 1", "captured c.cancelled 1", "c.cancelled 1",
        "b.cancelled 1",
        "a.cancelled 1",
      ])
  }

  @Test func `a handler that is added or removed between two touches of a view counts for the second`() {
    let tree = captureTree()
    stage.tap(10, 10)
    _ = stage.diary.take()
    tree.views[1].handlers.removeAll(where: \.captures)
    stage.tap(10, 10, serial: 2)
    #expect(stage.diary.take().prefix(2) == ["captured a.began 2", "captured c.began 2"])
    tree.views[1].handlers.append(Answering(captures: true))
    stage.tap(10, 10, serial: 3)
    #expect(
      stage.diary.take().prefix(3) == ["captured a.began 3", "captured b.began 3", "captured c.began 3"])
  }

  /// What a touch has that does not follow from its contact.
  private func state(of touch: Touch) -> [String: String] {
    let own = ["id", "contact", "view", "chain", "timestamp", "beganSample", "coalescedSamples"]
    var state: [String: String] = [:]
    for child in Mirror(reflecting: touch).children where !own.contains(child.label ?? "") {
      state[child.label ?? ""] = "\(child.value)"
    }
    state["samples"] = "\(touch.coalescedSamples.count) \(touch.coalescedSamples[0] == touch.beganSample)"
    return state
  }

  @Test func `the object of a touch that is over may be the next touch, which is like a first one`() {
    let sliding = View(id: "sliding", frame: LocalRect(x: 0, y: 0, width: 100, height: 100))
    sliding.tracking = .slideOver
    func began(_ serial: Int, on stage: Stage) -> (object: ObjectIdentifier, state: [String: String]) {
      stage.frame((serial, .began, 200, 200))
      let touch = stage.dispatcher.touches[0]
      return (ObjectIdentifier(touch), state(of: touch))
    }
    let first = began(1, on: Stage()).state
    stage.add(sliding)
    stage.frame((1, .began, 10, 10))
    let object = ObjectIdentifier(stage.dispatcher.touches[0])
    stage.frame((1, .moved, 250, 10))
    stage.dispatcher.flush()
    stage.frame((1, .moved, 20, 10), (1, .ended, 20, 10))
    stage.wait(seconds: 1)
    let second = began(2, on: stage)
    #expect(second.object == object)
    #expect(second.state == first)
  }

  @Test func `a touch that a program keeps stays as it was at its end`() {
    stage.frame((1, .began, 200, 200))
    let kept = stage.dispatcher.touches[0]
    stage.frame((1, .ended, 210, 200))
    stage.frame((2, .began, 20, 20))
    #expect(stage.dispatcher.touches[0] !== kept)
    #expect(kept.id == 1 && kept.phase == .ended && kept.location.x == 210)
  }

  @Test func `a view that left the window is not kept by the touch that it had`() {
    weak var gone: View?
    do {
      let view = stage.add(View(id: "gone", frame: LocalRect(x: 0, y: 0, width: 100, height: 100)))
      gone = view
      stage.tap(10, 10)
      view.removeFromSuperview()
    }
    // The event has the last touch until there is another one.
    stage.tap(300, 300, serial: 2)
    #expect(gone == nil)
  }

  @Test func `a began that a responder handles reaches no other one`() {
    let tree = captureTree()
    tree.answers["captured b"]?.answer = .handled
    stage.frame((1, .began, 10, 10))
    stage.frame((1, .ended, 10, 10))
    #expect(
      stage.diary.take() == [
        "captured a.began 1", "captured b.began 1", "captured a.ended 1", "captured b.ended 1",
      ])
  }

  @Test func `a claim cancels everybody else and keeps the touch`() {
    let tree = captureTree()
    stage.frame((1, .began, 10, 10))
    _ = stage.diary.take()
    tree.answers["b"]?.answer = .claim
    stage.frame((1, .moved, 20, 10))
    stage.dispatcher.flush()
    #expect(
      stage.diary.take() == [
        "captured a.moved 1", "captured b.moved 1", "captured c.moved 1", "c.moved 1", "b.moved 1",
        "a.cancelled 1",
        "c.cancelled 1", "captured c.cancelled 1", "captured b.cancelled 1", "captured a.cancelled 1",
      ])
    stage.frame((1, .moved, 30, 10))
    stage.frame((1, .ended, 30, 10))
    #expect(stage.diary.take() == ["b.moved 1", "b.ended 1"])
  }

  @Test func `a claim at began keeps the touch from everybody above`() {
    let tree = captureTree()
    tree.answers["c"]?.answer = .claim
    stage.frame((1, .began, 10, 10))
    stage.frame((1, .ended, 10, 10))
    #expect(
      stage.diary.take() == [
        "captured a.began 1", "captured b.began 1", "captured c.began 1", "c.began 1",
        "captured c.cancelled 1",
        "captured b.cancelled 1", "captured a.cancelled 1", "c.ended 1",
      ])
  }

  @Test func `a view that leaves the window has its touches cancelled up the frozen chain`() {
    let root = stage.add(View(id: "root", frame: rect(0, 0, 400, 400)))
    root.forwards = false
    let blue = stage.add(View(id: "blue", frame: rect(0, 0, 400, 400)), to: root)
    stage.frame((1, .began, 10, 10))
    _ = stage.diary.take()
    blue.removeFromSuperview()
    #expect(stage.diary.take() == ["blue.cancelled 1", "root.cancelled 1"])
    stage.frame((1, .ended, 10, 10))
    #expect(stage.diary.take() == [])
  }

  @Test func `a view that removes itself in its handler is cancelled after the event`() {
    let root = stage.add(View(id: "root", frame: rect(0, 0, 400, 400)))
    root.forwards = false
    stage.add(Leaver(id: "leaver", frame: rect(0, 0, 400, 400)), to: root)
    stage.frame((1, .began, 10, 10))
    #expect(
      stage.diary.take() == ["leaver.began 1", "root.began 1", "leaver.cancelled 1", "root.cancelled 1"])
    #expect(stage.dispatcher.touches.isEmpty)
  }

  @Test func `a cancelled contact cancels its touch once`() {
    let view = stage.add(View(id: "view", frame: rect(0, 0, 400, 400)))
    view.forwards = false
    stage.frame((1, .began, 10, 10))
    stage.frame((2, .cancelled, 10, 10))
    #expect(stage.diary.take() == ["view.began 1"])
    stage.frame((1, .cancelled, 10, 10))
    stage.dispatcher.cancelAllTouches(at: stage.time)
    #expect(stage.diary.take() == ["view.cancelled 1"])
  }

  @Test func `a cancelled touch is no tap`() {
    stage.add(View(id: "view", frame: rect(0, 0, 400, 400)))
    stage.frame((1, .began, 10, 10))
    stage.frame((1, .cancelled, 10, 10))
    stage.frame((2, .began, 10, 10))
    #expect(stage.dispatcher.touches.map(\.tapCount) == [1])
  }

  @Test func `a finger that rests while another one moves has no samples of its own`() {
    stage.add(View(id: "view", frame: rect(0, 0, 400, 400))).isMultipleTouchEnabled = true
    stage.frame((1, .began, 10, 10), (2, .began, 100, 100))
    stage.frame((1, .moved, 20, 10))
    stage.dispatcher.flush()
    stage.frame((2, .moved, 110, 100))
    stage.dispatcher.flush()
    #expect(stage.dispatcher.touches.map(\.phase) == [.stationary, .moved])
    #expect(stage.dispatcher.touches.map(\.coalescedSamples.count) == [0, 1])
  }

  @Test func `a view that waits has its time while a gesture waits longer`() {
    let pad = stage.add(View(id: "pad", frame: rect(0, 0, 100, 100)))
    pad.addGestureRecognizer(LongPressGestureRecognizer(id: "long"))
    let stepper = stage.add(Stepper(id: "stepper", frame: rect(200, 0, 100, 32)))
    stage.frame((1, .began, 290, 16))
    stage.rest(seconds: 0.3)
    stage.frame((2, .began, 50, 50))
    stage.rest(seconds: 0.25)
    #expect((stepper.controlValue?.number ?? 0) >= 1 && !stage.diary.take().contains("long.began"))
    stage.rest(seconds: 0.3)
    #expect(stage.diary.take().contains("long.began"))
  }

  @Test func `hiding a view mid touch does not end its touch`() {
    let view = stage.add(View(id: "view", frame: rect(0, 0, 400, 400)))
    view.forwards = false
    stage.frame((1, .began, 10, 10))
    view.isHidden = true
    view.isUserInteractionEnabled = false
    stage.frame((1, .ended, 10, 10))
    #expect(stage.diary.take() == ["view.began 1", "view.ended 1"])
  }

  @Test func `a control tracks and stops the chain`() {
    stage.add(Control(id: "ok", frame: rect(0, 0, 100, 100)))
    stage.frame((1, .began, 10, 10))
    stage.frame((1, .moved, 20, 10))
    stage.frame((1, .moved, 300, 10))
    stage.dispatcher.flush()
    stage.frame((1, .moved, 301, 10))
    stage.dispatcher.flush()
    stage.frame((1, .moved, 20, 10))
    stage.frame((1, .ended, 20, 10))
    #expect(
      stage.diary.take() == [
        "ok.touchDown", "ok.began 1", "ok.touchDragExit", "ok.touchDragOutside", "ok.moved 1",
        "ok.touchDragOutside", "ok.moved 1", "ok.touchDragEnter", "ok.touchDragInside", "ok.moved 1",
        "ok.touchUpInside", "ok.ended 1",
      ])
  }

  @Test func `a release is inside up to the tracking outset and outside beyond`() {
    let control = stage.add(Control(id: "ok", frame: rect(0, 0, 100, 100)))
    for (x, outset, action) in [
      (169.9, 70.0, "ok.touchUpInside"), (170, 70, "ok.touchUpOutside"), (100, 0, "ok.touchUpOutside"),
      (99.9, 0, "ok.touchUpInside"),
    ] {
      control.trackingOutset = outset
      stage.frame((1, .began, 10, 10))
      stage.frame((1, .ended, x, 10))
      #expect(stage.diary.take().contains(action), "release at \(x) with outset \(outset)")
    }
  }

  @Test func `taps that are near and quick count up`() {
    let view = stage.add(View(id: "view", frame: rect(0, 0, 400, 400)))
    view.forwards = false
    var counts: [Int] = []
    func tap(_ x: Double, after wait: Double = 0.1, held: Double = 0.05) {
      stage.wait(seconds: wait)
      stage.frame((1, .began, x, 50))
      counts.append(stage.dispatcher.touches.first?.tapCount ?? 0)
      stage.wait(seconds: held)
      stage.frame((1, .ended, x, 50))
    }
    tap(50)
    tap(60)
    tap(50)
    tap(200)
    tap(200, after: 1)
    tap(200, held: 1)
    tap(200)
    #expect(counts == [1, 2, 3, 1, 1, 2, 1])
  }
}

/// Returns a given disposition.
private final class Fickle: View {
  var answer = Disposition.forward

  override func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition { answer }
  override func touchesMoved(_ touches: [Touch], with event: Event) -> Disposition { answer }
  override func touchesEnded(_ touches: [Touch], with event: Event) -> Disposition { answer }
}

/// A handler that returns a given disposition.
private final class Answering: Handler {
  let name = "answering"
  let captures: Bool
  var answer = Disposition.forward

  init(captures: Bool) {
    self.captures = captures
  }

  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition {
    answer
  }
}

/// Removes another view while it is hit-tested.
private final class Remover: View {
  weak var victim: View?

  override func hitTest(_ point: LocalPoint, with event: Event?) -> View? {
    victim?.removeFromSuperview()
    return super.hitTest(point, with: event)
  }
}

/// Leaves its superview when it is touched.
private final class Leaver: View {
  override func touchesBegan(_ touches: [Touch], with event: Event) -> Disposition {
    removeFromSuperview()
    return super.touchesBegan(touches, with: event)
  }
}
