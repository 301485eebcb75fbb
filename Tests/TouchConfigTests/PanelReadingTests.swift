import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// Sheets, pickers, charts and zooming scroll views, as a file has them.
@Suite struct PanelReadingTests {
  private func tree(_ subviews: String, _ rest: String = "") throws -> ViewTree {
    let tree = ViewTree(
      try parse("{window: {subviews: [\(subviews)]}\(rest)}"), canvasSize: Size(width: 400, height: 300))
    tree.window.layoutIfNeeded()
    return tree
  }

  @Test func `a sheet is the window s, wherever it stands, and its presenter s controller follows it`() throws
  {
    let tree = try tree(
      """
      {id: home, frame: [0, 0, 100, 100], controller: main, private: true, subviews: [
      {id: pages, kind: pages, frame: [0, 0, 50, 50], subviews: [{id: first}, {id: sure, kind: sheet, size: [200, null],
      subviews: [{kind: button, text: OK}]}]}]}, {id: front, frame: [0, 0, 400, 300], z: 9}
      """)
    let sheet = try #require(tree.viewsByID["sure"] as? SheetView)
    let pages = try #require(tree.viewsByID["pages"] as? PagesView)
    #expect(pages.pages.map(\.id) == ["first"] && sheet.superview?.superview === tree.window)
    #expect(sheet.isPrivate && sheet.next?.id == "main")
    func hit() -> String? { tree.window.hitView(at: WindowPoint(x: 5, y: 5), with: nil)?.id }
    #expect(hit() == "front")
    try sheet.set([.init(key: "presented", value: .flag(true))])
    #expect(hit() == "sure.backdrop" && sheet.bounds.size.width == 200)
    // What was presented stays so over a reload.
    let next = ViewTree(tree.configuration, inPlaceOf: tree)
    next.keepSettings(of: tree)
    next.show()
    #expect((next.viewsByID["sure"] as? SheetView)?.isPresented == true && hit() == "sure.backdrop")
  }

  @Test(arguments: [
    ("mode: time, value: 21:30", "21:30"), ("value: \"21:30\", mode: time, step: 15", "21:30"),
    ("mode: date, value: 2026-11-23", "2026-11-23"),
    ("mode: date, minimum: 2026-01-01, maximum: 2026-12-31", "2026-01-01"),
    ("mode: list, rows: [a, b, c], value: 2", "c"), ("rows: [a, b, c], mode: list", "a"),
    ("minimum: 5, maximum: 30, step: 0.5, value: 21.5", "21.5"), ("mode: number", "0"),
  ])
  func `a picker shows what its mode says, in whatever order the keys stand`(keys: String, shown: String)
    throws
  {
    let tree = try tree("{id: p, kind: picker, frame: [0, 0, 100, 100], \(keys)}")
    #expect((tree.viewsByID["p"] as? PickerView)?.shownValue == shown)
  }

  @Test(arguments: [
    ("time, value: 6.30pm", "value is the text \"6.30pm\" … a time such as 06:30, a date such as 2026-11-23"),
    ("date, value: 23.11.2026", "value is the text \"23.11.2026\" … such as 2026-11-23"),
    ("date, minimum: today", "minimum is the text \"today\" … such as 2026-11-23"),
    ("time, value: 2000", "value is 2000; give a time from 00:00 to 23:59"),
    ("date, minimum: 2026-01-01, value: 3", "value is 3; give a date from 2026-01-01 to 2100-12-31"),
    ("number, value: 2000", "value is 2000; give a number from 0 to 100"),
    ("time, step: 7", "step is 7 … give 1, 2, 3, 4, 5"), ("time, step: 2.5", "step is 2.5 … in each hour"),
    ("time, step: 45", "step is 45 … in each hour"),
  ])
  func `what a picker cannot be is answered with what its mode takes`(keys: String, message: String) {
    let place = 47 + "kind: picker, mode: \(keys)".count - (keys.split(separator: " ").last?.count ?? 0)
    expect(
      findings(in: withView("kind: picker, mode: \(keys)")), state: ["1:\(place): error: \(message)"])
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60])
  func `the step of a time divides an hour evenly`(step: Int) {
    expect(findings(in: withView("kind: picker, mode: time, step: \(step)")), state: [])
    expect(findings(in: withView("kind: picker, mode: number, step: 7")), state: [])
  }

  @Test func `a chart of a view's value is told what to declare, and that is accepted`() throws {
    func panel(values: String, of source: String, actions: String) -> String {
      """
      values: \(values)
      window:
        subviews:
          - {id: s, kind: slider, frame: [0, 0, 100, 40]\(actions)}
          - {kind: chart, of: \(source), frame: [0, 50, 100, 40]}
      """
    }
    let finding = try #require(findings(in: panel(values: "{}", of: "s.value", actions: "")).first)
    func advised(_ start: String) throws -> String {
      let part = try #require(finding.range(of: start + ": {")).upperBound
      var open = 1
      return "{"
        + finding[part...].prefix {
          open += $0 == "{" ? 1 : $0 == "}" ? -1 : 0
          return open > 0
        } + "}"
    }
    let (values, actions) = (try advised("values"), try advised("actions"))
    #expect(values.hasPrefix("{s_value_seen: "))
    #expect(
      findings(in: panel(values: values, of: "s_value_seen", actions: ", actions: \(actions)")).isEmpty)
  }

  @Test func `style of a chart is how it is drawn, unless a style has that name`() throws {
    let chart =
      "{id: c, kind: chart, of: [inside, outside], seconds: 3600, frame: [0, 0, 100, 100], style: area}"
    let values = ", values: {inside: {value: null, history: 3600}, outside: {value: null, history: 3600}}"
    let plain = try #require(tree(chart, values).viewsByID["c"] as? ChartView)
    #expect(plain.series.count == 2)
    #expect(plain.style == .area && plain.names == ["inside", "outside"] && plain.seconds == 3600)
    let styled = try #require(
      tree(chart, values + ", styles: {area: {chart: bars}}").viewsByID["c"] as? ChartView)
    #expect(styled.style == .bars)
    #expect(throws: (any Error).self) { try tree(chart) }
    #expect(throws: (any Error).self) { try tree(chart, ", values: {inside: 1, outside: 2}") }
    #expect(
      findings(in: "window: {subviews: [{kind: chart, frame: [0,0,1,1], style: aera}]}").first?.contains(
        "aera")
        == true)
  }

  @Test func `a zoom needs its limits, whatever stands first`() throws {
    let tree = try tree(
      "{id: s, kind: scroll, frame: [0, 0, 100, 100], zoom: 2, maximum_zoom: 4, subviews: [{frame: [0, 0, 100, 100]}]}"
    )
    let scrollView = try #require(tree.viewsByID["s"] as? ScrollView)
    #expect(scrollView.zoomScale == 2 && scrollView.contentSize.width == 200)
  }
}
