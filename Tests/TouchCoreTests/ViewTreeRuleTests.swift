import StageSupport
import Testing
import TouchCore
import TouchViews

/// How views are put together, as in UIKit.
@Suite struct ViewTreeRuleTests {
  private let stage = Stage()

  /// Writes down when it comes into a window and leaves it.
  private final class Visitor: View {
    var windows: [Bool] = []
    var body: () -> Void = {}

    override func didMoveToWindow() {
      windows.append(window != nil)
      body()
    }
  }

  @Test func `a view hears of its window, with what it is in, and not of moves inside of it`() {
    let outer = Visitor(id: "outer")
    let inner = Visitor(id: "inner")
    outer.addSubview(inner)
    #expect(outer.windows.isEmpty && inner.windows.isEmpty)
    stage.window.addSubview(outer)
    let other = stage.add(View(id: "other"))
    other.addSubview(inner)
    outer.addSubview(inner)
    stage.window.bringSubviewToFront(outer)
    #expect(outer.windows == [true] && inner.windows == [true])
    outer.removeFromSuperview()
    inner.removeFromSuperview()
    #expect(outer.windows == [true, false] && inner.windows == [true, false])
  }

  @Test func `a view may change the tree when it hears of its window`() {
    let outer = Visitor(id: "outer")
    let (inner, late) = (Visitor(id: "inner"), Visitor(id: "late"))
    outer.addSubview(inner)
    outer.body = { [unowned outer] in
      if outer.window != nil { outer.addSubview(late) } else { late.removeFromSuperview() }
    }
    inner.body = { [unowned inner] in inner.removeFromSuperview() }
    stage.window.addSubview(outer)
    #expect(late.windows == [true, true] || late.windows == [true])
    #expect(inner.windows == [true, false])
    outer.removeFromSuperview()
    #expect(late.window == nil && late.superview == nil)
  }

  @Test func `a view is put right in front of another one, or behind it`() {
    let views = ["a", "b", "c"].map { View(id: $0) }
    for view in views { stage.window.addSubview(view) }
    func order() -> String { stage.window.subviews.map(\.id).joined() }
    stage.window.insertSubview(View(id: "d"), belowSubview: views[1])
    #expect(order() == "adbc")
    stage.window.insertSubview(View(id: "e"), aboveSubview: views[1])
    #expect(order() == "adbec")
    stage.window.insertSubview(views[0], aboveSubview: views[2])
    #expect(order() == "dbeca")
    stage.window.insertSubview(views[2], belowSubview: views[2])
    stage.window.insertSubview(views[1], belowSubview: View())
    #expect(order() == "decab")
  }

  @Test func `a rectangle is converted between views, around what it becomes`() {
    let left = stage.add(View(id: "left", frame: Rect(x: 10, y: 20, width: 100, height: 100)))
    let right = stage.add(View(id: "right", frame: Rect(x: 200, y: 50, width: 100, height: 100)))
    let rect = LocalRect(x: 0, y: 0, width: 20, height: 10)
    #expect(left.convert(rect, to: right) == LocalRect(x: -190, y: -30, width: 20, height: 10))
    #expect(right.convert(rect, from: left) == LocalRect(x: -190, y: -30, width: 20, height: 10))
    left.transform = .rotation(degrees: 90)
    let turned = left.convert(rect, to: stage.window)
    #expect(abs(turned.width - 10) < 1e-9 && abs(turned.height - 20) < 1e-9)
    right.transform = .scale(x: 0, y: 0)
    #expect(!left.convert(rect, to: right).origin.isFinite)
    #expect(left.convert(rect, to: left) == rect)
  }

  @Test func `a root controller finds its view in the window, and as large`() {
    final class Screen: ViewController {
      var found: (window: Window?, size: Size)?
      override func viewDidLoad() { found = (view.window, view.bounds.size) }
    }
    let screen = Screen()
    stage.window.rootViewController = screen
    #expect(screen.found?.window === stage.window && screen.found?.size == Size(width: 400, height: 400))
  }

  // MARK: Gestures that count anew

  @Test func `a pinch and a pan go on from what they are set to`() {
    let view = stage.add(View(id: "view", frame: Rect(x: 0, y: 0, width: 400, height: 400)))
    view.isMultipleTouchEnabled = true
    let (pinch, pan) = (PinchGestureRecognizer(), PanGestureRecognizer())
    pinch.recognizeSimultaneously(with: pan)
    var scales: [Double] = []
    view.addGestureRecognizer(pinch) {
      scales.append($0.scale)
      $0.scale = 1
    }
    var ways: [LocalVector] = []
    view.addGestureRecognizer(pan) {
      ways.append($0.translation(in: nil))
      $0.setTranslation(.zero, in: nil)
    }
    stage.drag([(100, 100), (80, 100), (40, 100)], [(140, 100), (160, 100), (200, 100)])
    #expect(scales == [2, 2, 1])
    stage.drag([(100, 100), (120, 100), (125, 90)], firstSerial: 3)
    #expect(ways.filter { $0 != .zero } == [LocalVector(x: 20, y: 0), LocalVector(x: 5, y: -10)])
  }

  @Test func `a translation that is set is in the view's space`() {
    let view = stage.add(View(id: "view", frame: Rect(x: 0, y: 0, width: 400, height: 400)))
    view.transform = .scale(x: 2, y: 2)
    let pan = PanGestureRecognizer()
    view.addGestureRecognizer(pan)
    stage.frame((1, .began, 100, 100))
    stage.frame((1, .moved, 140, 100))
    stage.dispatcher.flush()
    #expect(pan.translation(in: view) == LocalVector(x: 20, y: 0))
    pan.setTranslation(LocalVector(x: 5, y: 5), in: view)
    #expect(pan.translation(in: nil) == LocalVector(x: 10, y: 10))
    stage.frame((1, .moved, 150, 100))
    stage.dispatcher.flush()
    #expect(pan.translation(in: view) == LocalVector(x: 10, y: 5))
  }
}
