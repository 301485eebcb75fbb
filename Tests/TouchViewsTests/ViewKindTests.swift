import Testing
import TouchCore

@testable import TouchViews

@Suite struct ViewKindTests {
  @Test(arguments: ViewKind.all)
  func `a row of the table makes what it says`(kind: ViewKind) {
    let view = kind.make("a")
    #expect(type(of: view) == kind.viewClass && view.kind == kind)
    #expect(view.isUserInteractionEnabled == (kind.touches != .none))
    #expect(view.forwards == (kind.touches != .actions))
    #expect(!kind.isControl || view is Control)
    #expect(kind.hasFont == (view is any TextStyled))
  }

  @Test func `a subclass counts as what it is a subclass of, and kinds have words`() {
    final class Lamp: Switch {}
    #expect(Lamp(id: "a").kind == .switch)
    #expect(ViewKinds.all.many == "views" && ViewKinds.of(Label.self).many == "labels")
    #expect(([.label, .image] as ViewKinds).one == "a label or an image")
    #expect(ViewKinds.controls.kinds.contains(.list) && !ViewKinds.controls.contains(.gauge))
  }
}
