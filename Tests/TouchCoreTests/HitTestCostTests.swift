import Testing
import TouchCore

/// How often views are asked in one hit test, where areas depend on what is in a view. With twice the
/// questions for every level, these would take minutes.
@Suite struct HitTestCostTests {
  private static let levels = 28
  private let window = Window(size: Size(width: 400, height: 400))
  private let counter = Counter()

  /// Nested views, each with a leaf next to the inner one that counts its hit tests. No leaf contains the
  /// point.
  private func nest(
    in parent: View? = nil, ofLeaves: Bool = false, _ behavior: (inout HitBehavior) -> Void = { _ in }
  ) -> View {
    func make(_ id: String) -> View {
      ofLeaves
        ? Leaf(id: id, frame: Self.square, counter: counter) : View(id: id, frame: Self.square)
    }
    let outermost = make("level0")
    var view = outermost
    (parent ?? window).addSubview(view)
    for level in 1...Self.levels {
      var changed = HitBehavior()
      changed.shape = .children
      changed.overflows = true
      behavior(&changed)
      view.hitBehavior = changed
      view.addSubview(Leaf(id: "leaf\(level)", frame: Self.square, counter: counter))
      let next = make("level\(level)")
      view.addSubview(next)
      view = next
    }
    return outermost
  }

  private static let square = LocalRect(x: 0, y: 0, width: 10, height: 10)
  private static let elsewhere = WindowPoint(x: 300, y: 300)

  /// The most that one leaf was asked.
  private func most(at point: WindowPoint = Self.elsewhere, watched: Bool = false) -> Int {
    counter.asked.removeAll()
    _ = window.hitView(at: point, with: watched ? Event(observer: StepWatcher()) : nil)
    #expect(counter.asked.count >= Self.levels, "not every leaf was asked")
    return counter.asked.values.max() ?? 0
  }

  @Test(arguments: [false, true], [1, 2])
  func `nested areas ask each view twice a pass at most`(watched: Bool, passes: Int) {
    _ = nest { _ in }
    window.hitTestPasses = passes
    #expect(most(watched: watched) <= 2 * passes)
  }

  @Test(arguments: [false, true])
  func `a redirect outside or on every level does not ask more`(isOnEveryLevel: Bool) {
    let target = View(id: "target", frame: Self.square)
    window.addSubview(target)
    let outermost = nest { if isOnEveryLevel { $0.redirect = target } }
    outermost.hitBehavior?.redirect = target
    #expect(most() <= 2)
    #expect(most(watched: true) <= 2)
  }

  @Test(arguments: HitBehavior.PointerEvents.allCases.filter { $0 != .nothing && $0 != .boxOnly })
  func `every kind of nest is asked twice at most`(events: HitBehavior.PointerEvents) {
    for shape in [HitShape.children, .rect(), .ellipse()] {
      let inner = nest {
        $0.shape = shape
        $0.pointerEvents = events
      }
      #expect(most(watched: true) <= 2, "\(shape)")
      inner.hitBehavior?.shape = .children
      inner.hitBehavior?.redirect = window
      #expect(most() <= 2, "\(shape)")
      inner.removeFromSuperview()
    }
  }

  @Test func `subclasses that ask their superclass do not ask more`() {
    _ = nest(ofLeaves: true)
    #expect(most() <= 2)
    #expect(most(watched: true) <= 2)
  }

  @Test func `a point that is not a number is no dearer`() {
    let flat = View(id: "flat", frame: Self.square)
    flat.transform = AffineTransform(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0)
    window.addSubview(flat)
    var behavior = HitBehavior()
    behavior.shape = .children
    behavior.overflows = true
    flat.hitBehavior = behavior
    _ = nest(in: flat) { _ in }
    #expect(most(watched: true) <= 2)
  }

  @Test func `the list of all views asks each three times at most`() {
    _ = nest { _ in }
    counter.asked.removeAll()
    #expect(window.hitTestAll(LocalPoint(x: 300, y: 300), with: nil).map(\.id) == ["window"])
    #expect(counter.asked.count == Self.levels)
    #expect((counter.asked.values.max() ?? 0) <= 3)
  }

  @Test func `what is known is forgotten after the hit test`() {
    let nest = nest { _ in }
    let event = Event()
    nest.hitBehavior?.redirect = window
    let button = View(id: "button", frame: LocalRect(x: 290, y: 290, width: 20, height: 20))
    #expect(window.hitView(at: Self.elsewhere, with: event) === window)
    nest.subviews[1].addSubview(button)
    nest.hitBehavior?.redirect = nil
    #expect(window.hitView(at: Self.elsewhere, with: event) === button)
    let watched = Event(observer: StepWatcher())
    #expect(window.hitView(at: Self.elsewhere, with: watched) === button)
    button.isHidden = true
    #expect(window.hitView(at: Self.elsewhere, with: watched) === window)
  }
}

private final class Counter {
  var asked: [String: Int] = [:]
}

/// Counts how often it is asked.
private final class Leaf: View {
  private let counter: Counter

  init(id: String, frame: LocalRect, counter: Counter) {
    self.counter = counter
    super.init(id: id, frame: frame)
  }

  override func point(inside point: LocalPoint, with event: Event?) -> Bool {
    counter.asked[id, default: 0] += 1
    // Something is wrong already: an answer ends the search, which might take hours otherwise.
    if counter.asked[id, default: 0] > 1000 { return true }
    return super.point(inside: point, with: event)
  }
}
