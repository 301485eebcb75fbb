import StageSupport
import Testing
import TouchCore
import TouchViews

/// Rules of UIKit's that no other test of this target would miss.
@Suite struct UIKitRuleTests {
  private let stage = Stage()

  private func view(_ id: String, _ x: Double = 0, _ y: Double = 0) -> View {
    View(id: id, frame: LocalRect(x: x, y: y, width: 100, height: 100))
  }

  @Test(arguments: [
    (0.0, false), (0.009, false), (0.01, false), (0.010_000_000_1, false), (0.010_000_01, true),
    (0.011, true),
  ])
  func `alpha counts as a float of 32 bits`(alpha: Double, isHit: Bool) {
    let front = stage.add(view("front"))
    front.alpha = alpha
    #expect((stage.window.hitView(at: WindowPoint(x: 1, y: 1), with: nil) === front) == isHit)
  }

  @Test func `a disabled control is not hit and neither is what is in it`() {
    let back = stage.add(view("back"))
    let control = stage.add(Control(id: "control", frame: back.layoutRect))
    let inside = stage.add(view("inside"), to: control)
    #expect(stage.window.hitView(at: WindowPoint(x: 1, y: 1), with: nil) === inside)
    control.isEnabled = false
    #expect(stage.window.hitView(at: WindowPoint(x: 1, y: 1), with: nil) === back)
  }

  @Test func `labels and pictures take no touches`() {
    stage.add(Label(id: "label", frame: view("").layoutRect))
    stage.add(ImageView(id: "image", frame: view("").layoutRect))
    #expect(stage.window.hitView(at: WindowPoint(x: 1, y: 1), with: nil) === stage.window)
  }

  @Test func `the maximum edges are out`() {
    let view = stage.add(view("view", 100, 100))
    for (x, y, isHit) in [(100, 100, true), (199.99, 199.99, true), (200, 150, false), (150, 200, false)] {
      #expect((stage.window.hitView(at: WindowPoint(x: x, y: y), with: nil) === view) == isHit, "\(x), \(y)")
    }
  }

  @Test func `a fixed target answers for every point`() {
    let target = stage.add(view("target"))
    stage.window.fixedTarget = target
    #expect(stage.window.hitView(at: WindowPoint(x: 300, y: -5), with: nil) === target)
    target.removeFromSuperview()
    #expect(stage.window.hitView(at: WindowPoint(x: 300, y: 5), with: nil) === stage.window)
  }

  @Test func `a presented controller is followed by the one that presents it`() {
    let presenter = ViewController(id: "presenter")
    let presented = ViewController(id: "presented")
    stage.add(view("back")).viewController = presenter
    let front = stage.add(view("front", 100))
    front.viewController = presented
    presented.presentingViewController = presenter
    #expect(
      ResponderChain(from: front).responders.map(\.id) == [
        "front", "presented", "presenter", "window", "application",
      ])
  }

  @Test func `a second tap down is a repeat`() {
    let button = stage.add(Button(id: "ok", frame: view("").layoutRect))
    button.handlers = []
    stage.tap(10, 10)
    stage.tap(12, 10, serial: 2)
    #expect(
      stage.diary.take().filter { $0.contains("Down") } == [
        "ok.touchDown", "ok.touchDown", "ok.touchDownRepeat",
      ])
  }

  @Test(arguments: [
    // Where the first finger goes, how long it stays, and how long the next one comes after it.
    (0.0, 0.01, 0.1, 2), (45, 0.01, 0.1, 2), (46, 0.01, 0.1, 1), (0, 0.34, 0.1, 2), (0, 0.36, 0.1, 1),
    (0, 0.01, 0.35, 2), (0, 0.01, 0.36, 1),
  ])
  func `a tap counts after a tap, and not after a drag or a press`(
    way: Double, stay: Double, pause: Double, count: Int
  ) {
    stage.add(view("view"))
    stage.frame((1, .began, 10, 10))
    stage.frame((1, .moved, 10 + way, 10))
    stage.wait(seconds: stay - 0.02)
    stage.frame((1, .ended, 10 + way, 10))
    stage.wait(seconds: pause - 0.01)
    stage.frame((2, .began, 10, 10))
    #expect(stage.dispatcher.touches.map(\.tapCount) == [count])
  }

  @Test func `touches of one view and phase come together with the ones that rest`() {
    let panel = stage.add(view("panel"))
    panel.isMultipleTouchEnabled = true
    panel.forwards = false
    let keeper = Calls()
    panel.handlers = [keeper]
    stage.frame((1, .began, 10, 10), (2, .began, 20, 20), (3, .began, 300, 300))
    stage.frame((1, .moved, 11, 10), (2, .moved, 21, 20))
    stage.dispatcher.flush()
    stage.frame((1, .moved, 15, 10))
    stage.frame((1, .moved, 18, 10))
    stage.dispatcher.flush()
    #expect(
      keeper.calls == [
        "began 1 2 of 1 began, 2 began, 3 began",
        "moved 1 2 of 1 moved, 2 moved, 3 stationary",
        "moved 1 of 1 moved, 2 stationary, 3 stationary",
      ])
    #expect(keeper.lastWay == (11, 18))
    #expect(keeper.lastSamples == [15, 18])
  }
}

/// What a handler was called with.
private final class Calls: Handler {
  let name = "calls"
  private(set) var calls: [String] = []
  private(set) var lastWay = (0.0, 0.0)
  private(set) var lastSamples: [Double] = []

  func handle(_ touches: [Touch], phase: Touch.Phase, event: Event, for responder: Responder) -> Disposition {
    let all = event.touches.map { "\($0.id) \($0.phase.rawValue)" }.joined(separator: ", ")
    calls.append("\(phase.rawValue) \(touches.map { "\($0.id)" }.joined(separator: " ")) of \(all)")
    if let touch = touches.last {
      lastWay = (touch.previousLocation.x, touch.location.x)
      lastSamples = touch.coalescedSamples.map(\.location.x)
    }
    return .handled
  }
}

@Suite struct OwningControllerTests {
  @Test func `a view belongs to the first controller up its chain`() {
    let window = Window(size: Size(width: 100, height: 100))
    let root = View(id: "root")
    let panel = View(id: "panel")
    let leaf = View(id: "leaf")
    window.addSubview(root)
    root.addSubview(panel)
    panel.addSubview(leaf)
    root.viewController = ViewController(id: "outer")
    #expect(leaf.owningViewController?.id == "outer")
    panel.viewController = ViewController(id: "inner")
    #expect(leaf.owningViewController?.id == "inner")
    #expect(panel.owningViewController?.id == "inner")
    #expect(panel.viewController?.owningViewController?.id == "inner")
    #expect(window.owningViewController == nil)
  }
}

@Suite struct DeepTreeTests {
  @Test func `a chain of a thousand views is hit at its end`() {
    let root = View(id: "root", frame: LocalRect(x: 0, y: 0, width: 100, height: 100))
    var leaf = root
    for depth in 0..<1000 {
      let view = View(id: "\(depth)", frame: leaf.bounds)
      leaf.addSubview(view)
      leaf = view
    }
    #expect(root.hitView(at: LocalPoint(x: 50, y: 50), with: nil) === leaf)
    #expect(root.hitTestAll(LocalPoint(x: 50, y: 50), with: nil).count == 1001)
    #expect(root.hitView(at: LocalPoint(x: 50, y: 100), with: nil) == nil)
  }
}
