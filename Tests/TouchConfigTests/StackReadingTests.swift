import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// `kind: stack`, and views without a frame.
@Suite struct StackReadingTests {
  @Test func `every key of a stack arrives in the tree`() throws {
    let tree = TouchConfig.ViewTree(
      try parse(
        """
        display: {canvas: {size: display}}
        styles: {row: {kind: stack, spacing: 3, alignment: center}}
        window:
          subviews:
            - id: a
              kind: stack
              axis: vertical
              spacing: 8
              insets: [1, 2, 3, 4]
              distribution: fill_equally
              alignment: trailing
              subviews:
                - {id: b, size: [40, null]}
                - {id: c, frame: [1, 2, 3, 4]}
                - {id: d, style: row, size: [null, 9], spacing: null}
            - {id: g, kind: stack, frame: [0, 0, 9, 9], columns: 3, insets: 2}
            - {id: p, kind: pages, frame: [0, 0, 9, 9], subviews: [{id: page}]}
        """), canvasSize: Size(width: 320, height: 240))
    let stack = try #require(tree.viewsByID["a"] as? StackView)
    var arrangement = StackView.Arrangement()
    (arrangement.axis, arrangement.spacing, arrangement.distribution) = (.vertical, 8, .fillEqually)
    (arrangement.insets, arrangement.alignment) = (Insets(top: 1, left: 2, bottom: 3, right: 4), .trailing)
    #expect(stack.arrangement == arrangement && stack.isArranged)
    #expect(stack.arrangedSubviews.map(\.id) == ["b", "d"])
    #expect(tree.viewsByID["b"]?.fixedWidth == 40 && tree.viewsByID["b"]?.fixedHeight == nil)
    let row = try #require(tree.viewsByID["d"] as? StackView)
    #expect(row.arrangement.spacing == 0 && row.arrangement.alignment == .center && row.fixedHeight == 9)
    let grid = try #require(tree.viewsByID["g"] as? StackView)
    #expect(grid.arrangement.columns == 3 && grid.arrangement.insets.left == 2 && !grid.isArranged)
    tree.window.layoutIfNeeded()
    #expect(stack.layoutRect == LocalRect(x: 0, y: 0, width: 320, height: 240))
    #expect(tree.viewsByID["page"]?.layoutRect == LocalRect(x: 0, y: 0, width: 9, height: 9))
  }

  @Test(arguments: [
    ("{subviews: [{size: [1, 1], frame: [0, 0, 1, 1]}]}", "1:40: error: size … stack … frame"),
    (
      "{kind: stack, subviews: [{frame: [0, 0, 1, 1], size: [1, 1]}]}",
      "1:74: error: size … frame … remove one"
    ),
    ("{kind: stack, subviews: [{size: 5}]}", "1:53: error: size … [width, height] … null"),
    ("{kind: stack, subviews: [{size: [5, -1]}]}", "1:57: error: height … 0 to 10000000"),
    ("{kind: stack, subviews: [{subviews: [{id: a}]}]}", "1:58: error: view … frame … stack"),
    ("{axis: vertical}", "1:22: error: axis … stack"),
    ("{kind: label, spacing: 3}", "1:35: error: spacing … stack … label"),
    ("{kind: pages, columns: 3}", "1:35: error: columns … stack"),
    ("{kind: stack, columns: 0}", "1:44: error: columns … 1 to 100"),
    ("{kind: stack, columns: 2, axis: horizontal}", "1:53: error: axis … columns … remove one"),
    ("{kind: stack, axis: vertcal}", "1:41: error: axis … vertical"),
    ("{kind: stack, distribution: equal}", "1:49: error: distribution … fill … fill_equally … equal_spacing"),
    ("{kind: stack, alignment: left}", "1:46: error: alignment … fill … leading … center … trailing"),
    ("{kind: stack, insets: [1, 2]}", "1:43: error: insets … [top, left, bottom, right]"),
  ])
  func `what does not belong into a stack is refused where it stands`(view: String, finding: String) {
    expect(findings(in: "window: {subviews: [\(view)]}"), state: [finding])
  }

  /// Views in each other, the last of them with this inside.
  private func nest(_ depth: Int, of keys: String, around inner: String = "") -> String {
    let views = (0..<depth).map { "\n{id: v\($0), \(keys), subviews: [" }
    return "window: {subviews: [" + views.joined() + inner + String(repeating: "]}", count: depth) + "]}"
  }

  @Test func `a stack may be as deep as any view, and in 63 other stacks`() throws {
    let depth = (YAMLBuilder.deepest - 2) / 2 - 2
    for text in [
      nest(depth, of: "frame: [0, 0, 9, 9]", around: "{id: leaf, kind: stack, frame: [0, 0, 9, 9]}"),
      nest(64, of: "kind: stack", around: "{id: leaf}"),
    ] {
      let tree = TouchConfig.ViewTree(try parse(text), canvasSize: Size(width: 9, height: 9))
      #expect(tree.window.hitView(at: WindowPoint(x: 5, y: 5), with: nil)?.id == "leaf")
    }
    expect(findings(in: nest(65, of: "kind: stack")), state: ["66:1: error: 64 stacks"])
  }
}
