import Testing
import TouchCore

/// What a view can do in a hit test beyond UIKit.
@Suite struct HitBehaviorTests {
  let root = View(id: "root", frame: LocalRect(x: 0, y: 0, width: 400, height: 400))

  private func add(
    _ id: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double, to parent: View? = nil,
    _ change: (inout HitBehavior) -> Void = { _ in }
  ) -> View {
    let view = View(id: id, frame: LocalRect(x: x, y: y, width: width, height: height))
    var behavior = HitBehavior()
    change(&behavior)
    view.hitBehavior = behavior
    (parent ?? root).addSubview(view)
    return view
  }

  private func hit(_ x: Double, _ y: Double) -> String? {
    root.hitView(at: LocalPoint(x: x, y: y), with: nil)?.id
  }

  @Test func `a hit behavior that changes nothing is not stored`() {
    let view = add("a", 0, 0, 1, 1)
    #expect(view.hitBehavior == nil)
    var behavior = HitBehavior()
    behavior.z = 1
    view.hitBehavior = behavior
    #expect(view.hitBehavior?.z == 1)
    view.hitBehavior = nil
    #expect(view.hitBehavior == nil)
  }

  @Test(arguments: [
    (99.9, 120.0, "root"), (100, 120, "a"), (100, 116, "a"), (100, 115.9, "root"), (164, 120, "a"),
    (164.9, 120, "a"), (165, 120, "root"), (120, 164.9, "a"), (120, 165, "root"),
  ])
  func `slop grows each side by its own number`(x: Double, y: Double, expected: String) {
    _ = add("a", 120, 120, 40, 40) { $0.slop = Insets(top: 4, left: 20, bottom: 5, right: 5) }
    #expect(hit(x, y) == expected)
  }

  @Test func `slop is measured in the views own units and turns with it`() {
    let view = add("a", 100, 100, 100, 100) { $0.slop = Insets(top: 10, left: 0, bottom: 0, right: 0) }
    view.transform = AffineTransform(a: 0, b: 2, c: -2, d: 0, tx: 0, ty: 0)
    // Turned by 90°, its top is on the right; twice as large, its ten units are twenty.
    #expect(hit(269, 150) == "a")
    #expect(hit(271, 150) == "root")
    #expect(hit(49, 150) == "root")
  }

  @Test func `shapes stay at the corner of a scrolled view`() {
    let view = add("a", 100, 100, 100, 100) { $0.shape = .rect(LocalRect(x: 0, y: 0, width: 10, height: 10)) }
    view.bounds.origin = LocalPoint(x: 500, y: 300)
    #expect(hit(105, 105) == "a")
    #expect(hit(115, 105) == "root")
    var behavior = HitBehavior()
    behavior.shape = .polygon(HitPolygon([Point(x: 0, y: 0), Point(x: 100, y: 0), Point(x: 0, y: 100)]))
    view.hitBehavior = behavior
    #expect(hit(140, 140) == "a")
    #expect(hit(160, 160) == "root")
  }

  @Test(arguments: [
    (50.0, 10.0, "a"), (100, 60, "root"), (0, 60, "a"), (10, 20, "root"), (90, 20, "root"), (50, 110, "root"),
    (50, 109.9, "a"),
  ])
  func `slop stretches an ellipse`(x: Double, y: Double, expected: String) {
    _ = add("a", 20, 30, 60, 60) {
      $0.shape = .ellipse()
      $0.slop = Insets(top: 20, left: 20, bottom: 20, right: 20)
    }
    #expect(hit(x, y) == expected)
  }

  @Test func `slop stretches a polygon over its own rectangle`() {
    _ = add("a", 100, 100, 100, 100) {
      $0.shape = .polygon(HitPolygon([Point(x: 20, y: 20), Point(x: 60, y: 20), Point(x: 20, y: 60)]))
      $0.slop = Insets(top: 10, left: 10, bottom: 10, right: 10)
    }
    #expect(hit(110, 110) == "a")
    #expect(hit(109.9, 110) == "root")
    #expect(hit(139, 139) == "a")
    #expect(hit(141, 141) == "root")
    #expect(hit(168, 111) == "a")
  }

  @Test(arguments: [
    (13.0, 13.0, "root"), (15, 15, "a"), (10, 30, "a"), (30, 10, "a"), (89, 30, "a"), (90, 30, "root"),
  ])
  func `slop stretches the corners of a round rect`(x: Double, y: Double, expected: String) {
    _ = add("a", 30, 30, 40, 40) {
      $0.shape = .roundRect(radius: 8)
      $0.slop = Insets(top: 20, left: 20, bottom: 20, right: 20)
    }
    #expect(hit(x, y) == expected)
  }

  @Test func `what a star winds around twice is inside`() {
    _ = add("star", 0, 0, 100, 100) {
      $0.shape = .polygon(
        HitPolygon([
          Point(x: 50, y: 0), Point(x: 80, y: 95), Point(x: 2, y: 36), Point(x: 98, y: 36),
          Point(x: 20, y: 95),
        ]))
    }
    #expect(hit(50, 55) == "star")
    #expect(hit(50, 90) == "root")
    #expect(hit(50, 10) == "star")
  }

  @Test func `a shape without area is never hit`() {
    _ = add("line", 0, 0, 100, 100) {
      $0.shape = .polygon(HitPolygon([Point(x: 0, y: 0), Point(x: 90, y: 90)]))
    }
    _ = add("none", 0, 0, 100, 100) { $0.shape = .polygon(HitPolygon([])) }
    _ = add("flat", 0, 0, 100, 0) { $0.shape = .ellipse() }
    #expect(hit(45, 45) == "root")
    #expect(hit(0, 0) == "root")
  }

  @Test func `no pointer events is a refusal before anything is asked`() {
    let a = add("a", 0, 0, 100, 100) { $0.pointerEvents = .nothing }
    _ = add("b", 0, 0, 50, 50, to: a)
    let watcher = StepWatcher()
    #expect(root.hitView(at: Point(x: 10, y: 10), with: Event(observer: watcher)) === root)
    #expect(watcher.calls.map(\.name) == ["root.hitTest", "root.pointInside", "a.hitTest"])
    #expect(a.hitTestRefusal == .noPointerEvents)
  }

  @Test func `box only asks no subview`() {
    let a = add("a", 0, 0, 100, 100) { $0.pointerEvents = .boxOnly }
    _ = add("b", 0, 0, 50, 50, to: a)
    let watcher = StepWatcher()
    #expect(root.hitView(at: Point(x: 10, y: 10), with: Event(observer: watcher)) === a)
    #expect(!watcher.calls.contains { $0.view == "b" })
  }

  @Test func `box none lets the view underneath have the touch`() {
    _ = add("under", 0, 0, 100, 100)
    let pass = add("pass", 0, 0, 200, 200) { $0.pointerEvents = .boxNone }
    _ = add("button", 10, 10, 20, 20, to: pass)
    #expect(hit(15, 15) == "button")
    #expect(hit(50, 50) == "under")
    #expect(hit(150, 150) == "root")
  }

  /// `shape: children` is the fix that makes a parent transparent: its `point(inside:)` is the union of its
  /// subviews.
  @Test func `a view of its childrens shape is hit nowhere itself`() {
    let parent = add("p", 100, 100, 100, 100) { $0.shape = .children }
    let child = add("k", 80, 80, 60, 60, to: parent)
    #expect(hit(220, 220) == "k")
    #expect(hit(190, 190) == "k")
    #expect(hit(120, 120) == "root")
    child.isUserInteractionEnabled = false
    #expect(hit(190, 190) == "root")
    child.isUserInteractionEnabled = true
    parent.clipsToBounds = true
    #expect(hit(220, 220) == "root")
    #expect(hit(190, 190) == "k")
  }

  @Test func `a view of its childrens shape reaches as far as their own behaviors do`() {
    let parent = add("p", 100, 100, 100, 100) { $0.shape = .children }
    let child = add("k", 80, 80, 60, 60, to: parent) {
      $0.slop = Insets(top: 0, left: 0, bottom: 0, right: 15)
      $0.overflows = true
    }
    _ = add("g", 100, 0, 20, 20, to: child)
    #expect(hit(250, 220) == "k")
    #expect(hit(285, 185) == "g")
    #expect(hit(275, 185) == "root")
  }

  @Test func `a trace of a view of its childrens shape tells whether they are there`() {
    let parent = add("p", 100, 100, 100, 100) { $0.shape = .children }
    _ = add("k", 80, 80, 60, 60, to: parent)
    func calls(_ x: Double, _ y: Double) -> [String] {
      let watcher = StepWatcher()
      _ = root.hitView(at: Point(x: x, y: y), with: Event(observer: watcher))
      return watcher.calls.dropFirst(2).map(\.name)
    }
    #expect(calls(220, 220) == ["p.hitTest", "p.pointInside", "k.hitTest", "k.pointInside"])
    #expect(calls(120, 120) == ["p.hitTest", "p.pointInside"])
  }

  @Test func `overflowing children are hit outside and the parent inside`() {
    let parent = add("p", 100, 100, 100, 100) { $0.overflows = true }
    _ = add("k", 80, 80, 60, 60, to: parent)
    #expect(hit(220, 220) == "k")
    #expect(hit(190, 190) == "k")
    #expect(hit(120, 120) == "p")
    #expect(hit(250, 250) == "root")
    parent.clipsToBounds = true
    #expect(hit(220, 220) == "root")
    parent.clipsToBounds = false
    // What the override of a tutorial gets wrong: a hidden parent's children are not hit.
    parent.isHidden = true
    #expect(hit(190, 190) == "root")
  }

  @Test func `overflow does not leave the grandparent`() {
    let box = add("box", 100, 100, 120, 120)
    let parent = add("p", 0, 0, 100, 100, to: box) { $0.overflows = true }
    _ = add("k", 80, 80, 100, 100, to: parent)
    #expect(hit(215, 215) == "k")
    #expect(hit(225, 225) == "root")
  }

  @Test func `a redirect answers where both are`() {
    let button = add("button", 100, 100, 150, 60)
    _ = add("lid", 60, 80, 120, 150) { $0.redirect = button }
    #expect(hit(120, 120) == "button")
    #expect(hit(70, 200) == "lid")
    #expect(hit(230, 130) == "button")
    #expect(hit(10, 390) == "root")
  }

  @Test func `a redirect turns with its target`() {
    let button = add("button", 100, 100, 100, 20)
    button.transform = AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
    _ = add("lid", 0, 0, 300, 300) { $0.redirect = button }
    #expect(hit(150, 70) == "button")
    #expect(hit(110, 110) == "lid")
  }

  @Test func `a redirect to a view that cannot be hit does nothing`() {
    let box = add("box", 0, 0, 300, 300)
    let button = add("button", 100, 100, 50, 50, to: box)
    let lid = add("lid", 0, 0, 300, 300) { $0.redirect = button }
    #expect(hit(120, 120) == "button")
    button.isHidden = true
    #expect(hit(120, 120) == "lid")
    button.isHidden = false
    box.isUserInteractionEnabled = false
    #expect(hit(120, 120) == "lid")
    box.isUserInteractionEnabled = true
    button.removeFromSuperview()
    #expect(hit(120, 120) == "lid")
    lid.hitBehavior?.redirect = box
    #expect(hit(120, 120) == "box")
  }

  @Test func `redirects that go in a circle end`() {
    let a = add("a", 0, 0, 100, 100)
    let b = add("b", 0, 0, 100, 100, to: a) { $0.redirect = a }
    var behavior = HitBehavior()
    behavior.redirect = b
    a.hitBehavior = behavior
    #expect(hit(10, 10) == "b")
    a.hitBehavior?.redirect = root
    #expect(hit(10, 10) == "root")
    a.hitBehavior?.redirect = a
    #expect(hit(10, 10) == "a")
  }

  @Test func `siblings are hit in the order of z and then as they were added`() {
    let a = add("a", 0, 0, 100, 100) { $0.z = 1 }
    let b = add("b", 0, 0, 100, 100)
    let c = add("c", 0, 0, 100, 100) { $0.z = 1 }
    #expect(root.layeredSubviews.map(\.id) == ["b", "a", "c"])
    #expect(hit(5, 5) == "c")
    c.hitBehavior?.z = -1
    #expect(hit(5, 5) == "a")
    a.hitBehavior = nil
    #expect(root.layeredSubviews.map(\.id) == ["c", "a", "b"])
    c.removeFromSuperview()
    #expect(root.layeredSubviews.map(\.id) == ["a", "b"])
    b.hitBehavior = HitBehavior(z: .nan)
    #expect(hit(5, 5) == "b")
    root.addSubview(c)
    #expect(root.layeredSubviews.map(\.id) == ["c", "a", "b"])
    #expect(root.subviews.map(\.id) == ["a", "b", "c"])
  }
}

extension HitBehavior {
  fileprivate init(z: Double) {
    self.init()
    self.z = z
  }
}

@Suite struct HitListTests {
  /// The first of all is the one that is hit, on every collected tree.
  @Test(arguments: try Fixture.load().cases)
  func `the first view under a point is the one that is hit`(_ example: Fixture.Case) {
    let tree = FixtureTree(example.tree, features: example.features ?? [])
    for probe in example.probes {
      let point = LocalPoint(x: probe.point[0], y: probe.point[1])
      let all = tree.root.hitTestAll(point, with: nil)
      #expect(all.first === tree.root.hitTest(point, with: nil), "\(example.id) at \(probe.point)")
      #expect(Set(all.map(ObjectIdentifier.init)).count == all.count)
    }
  }

  @Test func `the rest is what would be hit without the ones in front`() {
    let root = View(id: "root", frame: LocalRect(x: 0, y: 0, width: 100, height: 100))
    for id in ["a", "b", "c"] {
      let view = View(id: id, frame: LocalRect(x: 0, y: 0, width: 50, height: 50))
      view.addSubview(View(id: id + "1", frame: LocalRect(x: 10, y: 10, width: 10, height: 10)))
      root.addSubview(view)
    }
    root.subviews[1].isUserInteractionEnabled = false
    root.subviews[2].hitBehavior = {
      var behavior = HitBehavior()
      behavior.z = -1
      return behavior
    }()
    let all = root.hitTestAll(LocalPoint(x: 15, y: 15), with: nil)
    #expect(all.map(\.id) == ["a1", "a", "c1", "c", "root"])
  }
}
