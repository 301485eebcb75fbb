import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

@Suite struct IdleReadingTests {
  private static func file(_ stages: String) -> String {
    "window: {subviews: [{id: p, kind: pages, subviews: [{id: home}, {id: more}]}, {id: v}]}\nidle: [\(stages)]"
  }

  @Test func `a stage has a time and does one thing`() throws {
    let configuration = try parse(
      Self.file(
        "{after: 60, backlight: 20}, {after: 300.5, page: {p: home}}, {after: 600, blank: true}, "
          + "{after: 1, steps: [toggle: {v: hidden}, page: {p: next}]}"))
    #expect(
      configuration.idle == [
        IdleStage(after: 60, .backlight(20)), IdleStage(after: 300.5, .steps(0)),
        IdleStage(after: 600, .blank), IdleStage(after: 1, .steps(1)),
      ])
    #expect(configuration.actions.map(\.trigger) == [.idle(0), .idle(1)])
    #expect(
      configuration.actions.map { $0.steps.map(\.step) } == [
        [.page(view: "p", .id("home"))], [.toggle(view: "v", .hidden), .page(view: "p", .next)],
      ])
    #expect(try parse("window: {}\nidle: null").idle.isEmpty)
    #expect(
      try parse("window: {}\ndisplay: {backlight: panel}").display.backlight == "panel")
  }

  @Test(arguments: [
    ("{backlight: 20}", ["2:8: error: after"]),
    ("{after: 0, blank: true}", ["2:16: error: after … above 0"]),
    ("{after: 60}", ["2:8: error: backlight … page … blank"]),
    ("{after: 60, backlight: 101}", ["2:31: error: backlight … 0 to 100"]),
    ("{after: 60, blank: false}", ["2:27: error: blank … true"]),
    ("{after: 60, blank: yes}", ["2:27: error: blank … true"]),
    ("{after: 60, blank: true, backlight: 3}", ["2:33: error: one thing"]),
    ("{after: 60, page: {q: home}}", ["2:27: error: q … page"]),
    ("{after: 60, page: {p: hom}}", ["2:30: error: home"]),
    ("{after: 60, page: {v: next}}", ["2:30: error: v … pages"]),
    ("{after: 60, steps: [dismiss: v]}", ["2:37: error: v … sheet"]),
    ("{after: 60, steps: null}", ["2:27: error: steps is null … give the steps"]),
    ("{after: 60, steps: {toggle: {v: hidden}}}", ["2:27: error: steps … list"]),
    ("{after: 60, dim: 3}", ["2:20: error: unknown key \"dim\" in a stage of idle"]),
    ("60", ["2:8: error: a stage is 60"]),
    ("null", ["2:8: error: a stage"]),
  ])
  func `a stage that is wrong is reported where it is`(stage: String, expected: [String]) {
    expect(findings(in: Self.file(stage)), state: expected)
  }
}
