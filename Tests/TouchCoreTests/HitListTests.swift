import Testing
import TouchCore

@Suite struct HitListTests {
  /// The first of all is the one that is hit, on every collected tree.
  @Test(arguments: try Fixture.load().cases)
  func theFirstViewUnderAPointIsTheOneThatIsHit(_ example: Fixture.Case) {
    let tree = FixtureTree(example.tree, features: example.features ?? [])
    for probe in example.probes {
      let point = LocalPoint(x: probe.point[0], y: probe.point[1])
      let all = tree.root.hitTestAll(point, with: nil)
      #expect(all.first === tree.root.hitTest(point, with: nil), "\(example.id) at \(probe.point)")
      #expect(Set(all.map(ObjectIdentifier.init)).count == all.count)
    }
  }

  @Test func theRestIsWhatWouldBeHitWithoutTheOnesInFront() {
    let root = View(id: "root", layoutRect: LocalRect(x: 0, y: 0, width: 100, height: 100))
    for id in ["a", "b", "c"] {
      let view = View(id: id, layoutRect: LocalRect(x: 0, y: 0, width: 50, height: 50))
      view.addSubview(View(id: id + "1", layoutRect: LocalRect(x: 10, y: 10, width: 10, height: 10)))
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
