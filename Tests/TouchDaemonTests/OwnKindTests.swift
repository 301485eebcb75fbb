import Testing
import TouchConfig
import TouchCore
import TouchInspection
import TouchViews

/// A kind of a program in what is said of a tree.
@Suite struct OwnKindTests {
  @Test func `a view of a program's kind stands in the tree with its own properties`() throws {
    let text = "window: {subviews: [{id: volume, kind: knob, frame: [0, 0, 9, 9], notches: 12, value: 0.5}]}"
    let configuration = try Configuration.parse(bytes: Array(text.utf8), file: "knob.yaml", kinds: [.knob])
    let tree = ViewTree(configuration, canvasSize: Size(width: 20, height: 20))
    let json = TreeDescription.json(of: tree)
    #expect(json.contains("\"id\":\"volume\",\"kind\":\"knob\""), "\(json)")
    #expect(json.contains("\"notches\":12") && json.contains("\"value\":0.5"), "\(json)")
    #expect(TreeDescription.lines(of: tree).contains { $0.contains("volume  knob  (0, 0, 9, 9)  value 0.5") })
  }
}

private final class Knob: Control {
  var notches = 0.0
}

extension ViewKind {
  fileprivate static let knob = ViewKind("knob", properties: [.number("notches", in: 0...60, \Knob.notches)])
  {
    Knob(id: $0)
  }
}
