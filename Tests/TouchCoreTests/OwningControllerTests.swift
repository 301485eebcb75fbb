import Testing
import TouchCore

@Suite struct OwningControllerTests {
  @Test func aViewBelongsToTheFirstControllerUpItsChain() {
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
