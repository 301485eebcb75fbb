import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// The tree that a file becomes.
@Suite struct ViewTreeTests {
  @Test func `pages have dots where the file says so`() throws {
    let tree = ViewTree(
      try parse("window: {subviews: [{id: p, kind: pages, indicator: true, subviews: [{id: a}, {id: b}]}]}"),
      canvasSize: Size(width: 100, height: 100))
    let pages = tree.viewsByID["p"] as? PagesView
    #expect(pages?.indicator?.dots.count == 2 && pages?.page?.id == "a")
    expect(findings(in: withView("indicator: true")), state: ["1:47: error: indicator … pages"])
  }

  @Test(
    arguments: [
      ("", nil), (", slide: false", nil), (", slide: null", nil), (", slide: true", .horizontal),
      (", slide: horizontal", .horizontal), (", slide: vertical", .vertical),
    ] as [(String, ScrollView.Axis?)])
  func `pages slide where the file says so`(key: String, axis: ScrollView.Axis?) throws {
    let tree = ViewTree(
      try parse("window: {subviews: [{id: p, kind: pages\(key), subviews: [{id: a}, {id: b}]}]}"),
      canvasSize: Size(width: 100, height: 100))
    let pages = try #require(tree.viewsByID["p"] as? PagesView)
    #expect(pages.slideAxis == axis && pages.clipsToBounds == (axis != nil))
  }

  @Test(
    arguments: [
      ("slide: true", "1:47: error: slide … a key of a view of pages … this is a view"),
      (
        "kind: pages, slide: sideways",
        "1:67: error: slide is the text \"sideways\" … false, true, horizontal or vertical"
      ),
      ("kind: pages, slide: 1", "1:67: error: slide is 1 … false, true, horizontal or vertical"),
    ])
  func `slide is a truth value or an axis of pages`(keys: String, finding: String) {
    expect(findings(in: withView(keys)), state: [finding])
  }

  private let canvas = Size(width: 400, height: 300)

  @Test func `the tree is the files tree`() throws {
    let scene = try scene(
      """
      handlers: {bell: {kind: plugin, path: b.so}}
      application: {handlers: [log]}
      window:
        id: root
        passes: 2
        handlers: [bell]
        fixed_target: c
        subviews:
          - {id: a, frame: [10, 20, 30, 40], controller: {id: m, handlers: [log, bell], presented_by: n}, subviews: [
              {id: b, kind: label, text: Hi, frame: [1, 2, 3, 4]}, {id: c, kind: control, frame: [5, 6, 7, 8]}]}
          - {id: d, frame: [0, 0, 9, 9], handlers: [bell], controller: n}
      """)
    #expect(scene.window.subviews.map(\.id) == ["a", "d"])
    #expect(scene.window.subviews[0].subviews.map(\.id) == ["b", "c"])
    #expect(scene.window.bounds == LocalRect(x: 0, y: 0, width: 400, height: 300))
    #expect(scene.window.hitTestPasses == 2)
    #expect(scene.window.fixedTarget === scene.viewsByID["c"])
    #expect(Set(scene.viewsByID.keys) == ["root", "a", "b", "c", "d"])
    #expect(Set(scene.controllersByID.keys) == ["m", "n"])
    let controller = try #require(scene.controllersByID["m"])
    #expect(controller.view === scene.viewsByID["a"])
    #expect(controller.presentingViewController === scene.controllersByID["n"])
    #expect(scene.window.next === scene.application)
    #expect(scene.application.id == "application")
    #expect(
      scene.attachments.map { "\($0.responder.id): \($0.handlers)" } == [
        "application: [\"log\"]", "root: [\"bell\"]", "m: [\"log\", \"bell\"]", "d: [\"bell\"]",
      ])
  }

  @Test func `every value of a view arrives in the tree`() throws {
    let scene = try scene(
      """
      window: {subviews: [{id: a, kind: button, frame: [10, 20, 30, 40], bounds_origin: [5, 6],
        transform: {rotate: 90}, anchor: [0, 0], alpha: 0.5, hidden: true, user_interaction: false,
        enabled: false, selected: true, clips: true, multiple_touch: true, exclusive_touch: true, background: "#010203",
        corner_radius: 4, border: {color: "#040506"}, text: Go, font: {size: 9}, forwards: true},
        {id: i, kind: image, frame: [0, 0, 1, 1], image: x.png, image_mode: fill, user_interaction: true},
        {id: c, kind: control, frame: [0, 0, 1, 1], selected: true},
        {id: l, kind: label, frame: [0, 0, 1, 1], text: Lo, font: {align: right}}]}
      """)
    let button = try #require(scene.viewsByID["a"] as? Button)
    #expect(button.layoutRect == LocalRect(x: 10, y: 20, width: 30, height: 40))
    #expect(button.bounds == LocalRect(x: 5, y: 6, width: 30, height: 40))
    #expect(button.transform.b == 1 && button.anchorPoint == .zero)
    #expect(button.alpha == 0.5 && button.isHidden && !button.isUserInteractionEnabled && !button.isEnabled)
    #expect(button.isSelected)
    #expect(
      button.clipsToBounds && button.isMultipleTouchEnabled && button.isExclusiveTouch && button.forwards)
    #expect(button.appearance.background?.hex == "#010203" && button.appearance.cornerRadius == 4)
    #expect(button.appearance.border?.width == 1)
    #expect(button.text == "Go" && button.textStyle.size == 9 && button.textStyle.alignment == .center)
    let image = try #require(scene.viewsByID["i"] as? ImageView)
    #expect(image.path == "x.png" && image.mode == .fill && image.isUserInteractionEnabled)
    #expect((scene.viewsByID["c"] as? Control)?.isSelected == true)
    let label = try #require(scene.viewsByID["l"] as? Label)
    #expect(label.text == "Lo" && label.textStyle.alignment == .right && !label.isUserInteractionEnabled)
  }

  @Test func `a tree of a trees views is hit at its deepest`() throws {
    let depth = (YAMLBuilder.deepest - 2) / 2 - 1
    var text = "window: {subviews: ["
    for level in 0..<depth { text += "\n{id: v\(level), frame: [0, 0, 9, 9], subviews: [" }
    text += String(repeating: "]}", count: depth) + "]}"
    let scene = try scene(text)
    #expect(scene.window.hitView(at: WindowPoint(x: 5, y: 5), with: nil)?.id == "v\(depth - 1)")
    #expect(depth > 4_000)
  }

  @Test func `a chain ends in the application`() throws {
    let scene = try scene(
      """
      window: {subviews: [
        {id: a, frame: [0, 0, 9, 9], controller: main, subviews: [
          {id: b, frame: [0, 0, 9, 9], controller: {id: sheet, presented_by: main}}]}]}
      """)
    var chain: [String] = []
    var responder: Responder? = scene.viewsByID["b"]
    while let current = responder {
      chain.append(current.id)
      responder = current.next
    }
    #expect(chain == ["b", "sheet", "main", "window", "application"])
  }

  @Test func `another tree takes the place of one in its window, and ids that are written keep what was set`()
    throws
  {
    let old = try scene(
      """
      handlers: {bell: {kind: plugin, path: b.so}}
      window:
        handlers: [bell]
        passes: 2
        fixed_target: a
        gestures: [{id: g, kind: tap, handlers: [bell]}]
        subviews:
          - {id: a, kind: label, frame: [0, 0, 9, 9], text: Old, font: {size: 9}}
          - {kind: label, frame: [0, 0, 9, 9], text: Nameless}
          - {id: screens, kind: pages, frame: [0, 0, 9, 9], subviews: [
              {id: home, frame: [0, 0, 9, 9]}, {id: more, frame: [0, 0, 9, 9]}]}
      """)
    old.window.alpha = 0.5
    try old.viewsByID["a"]?.set([
      .init(key: "text", value: .text("Set")), .init(key: "hidden", value: .flag(true)),
      .init(key: "font.size", value: .number(7)),
    ])
    try old.viewsByID["label-1"]?.set([ViewSetting(.text, "Set")])
    try old.viewsByID["screens"]?.set([ViewSetting(.page, "more")])
    let configuration = try parse(
      """
      application: {handlers: [log]}
      window:
        gestures: [{id: h, kind: pan}]
        subviews:
          - {kind: label, frame: [0, 0, 9, 9], text: Nameless}
          - id: root
            frame: [0, 0, 99, 99]
            redirect: window
            subviews:
              - {id: screens, kind: pages, frame: [0, 0, 9, 9], subviews: [
                  {id: home, frame: [0, 0, 9, 9]}, {id: more, frame: [0, 0, 9, 9]}]}
              - {id: a, kind: button, frame: [0, 0, 9, 9], text: New, font: {size: 9, weight: bold, align: left}}
      """)
    let new = TouchConfig.ViewTree(configuration, inPlaceOf: old)
    #expect(old.window.subviews.map(\.id) == ["a", "label-1", "screens"] && old.window.hitTestPasses == 2)
    new.keepSettings(of: old)
    new.show()
    let window = old.window
    #expect(
      new.window === window && new.application === old.application && new.viewsByID["window"] === window)
    #expect(window.subviews.map(\.id) == ["label-1", "root"] && window.alpha == 0.5)
    #expect(window.gestureRecognizers.map(\.id) == ["h"])
    #expect(window.hitTestPasses == 1 && window.fixedTarget == nil)
    #expect(new.viewsByID["root"]?.hitBehavior?.redirect === window)
    #expect(old.viewsByID["a"]?.superview == nil)
    #expect(new.attachments.map(\.responder.id) == ["application"])
    let button = try #require(new.viewsByID["a"] as? Button)
    #expect(button.text == "New" && button.isHidden)
    #expect(button.textStyle.size == 7 && button.textStyle.weight == .bold)
    #expect((new.viewsByID["label-1"] as? Label)?.text == "Nameless")
    #expect((new.viewsByID["screens"] as? PagesView)?.page?.id == "more")
  }

  private func scene(_ text: String) throws -> TouchConfig.ViewTree {
    TouchConfig.ViewTree(try parse(text), canvasSize: canvas)
  }
}
