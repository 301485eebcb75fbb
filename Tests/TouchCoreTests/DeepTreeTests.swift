import Testing
import TouchCore

@Suite struct DeepTreeTests {
  @Test func aChainOfAThousandViewsIsHitAtItsEnd() {
    let root = View(id: "root", layoutRect: LocalRect(x: 0, y: 0, width: 100, height: 100))
    var leaf = root
    for depth in 0..<1000 {
      let view = View(id: "\(depth)", layoutRect: leaf.bounds)
      leaf.addSubview(view)
      leaf = view
    }
    #expect(root.hitView(at: LocalPoint(x: 50, y: 50), with: nil) === leaf)
    #expect(root.hitTestAll(LocalPoint(x: 50, y: 50), with: nil).count == 1001)
    #expect(root.hitView(at: LocalPoint(x: 50, y: 100), with: nil) == nil)
  }
}
