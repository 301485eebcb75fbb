import Testing

@testable import TouchCore
@testable import TouchOutput
@testable import TouchPixels
@testable import TouchTools

/// What `touchtree displays` prints.
@Suite struct DisplayListingTests {
  @Test func `a connector has its card, its modes once, and how its panel is mounted`() {
    var report = DisplayReport(name: "kms:DSI-1", kind: "connector")
    (report.card, report.driver, report.isConnected) = ("/dev/dri/card1", "vc4", true)
    (report.size, report.format) = (Size(width: 800, height: 480), "32 bits (XR24)")
    (report.modes, report.preferredMode) = (["800x480@60", "800x480@60", "640x480@60"], "800x480@60")
    (report.mounting, report.isUsed, report.reason) = (.quarter, true, "there is no framebuffer")
    #expect(
      DisplayListing.lines(report) == [
        "kms:DSI-1  vc4, /dev/dri/card1", "  used by auto: there is no framebuffer",
        "  800x480 pixels, 32 bits (XR24)", "  modes: 800x480@60 (preferred), 640x480@60",
        "  the panel is mounted so that rotation: auto is 90",
      ])
  }

  @Test(arguments: [
    DisplayError.Kind.missing, .notPermitted, .unsupported, .contradictory, .wrongKind, .failed,
  ])
  func `auto takes the display that the list says it takes, when the kind before has none that can be used`(
    kind: DisplayError.Kind
  ) throws {
    let refused = DisplayKind(
      example: "fb",
      automatic: { _, _ throws(DisplayError) in throw DisplayError(kind, path: "fb", detail: "no") },
      survey: { () throws(DisplayError) in
        guard kind != .missing else { throw DisplayError(kind, path: "fb", detail: "no") }
        var report = DisplayReport(name: "fb", kind: "paper")
        report.refuse("no")
        return [report]
      }, named: { _ throws(DisplayError) in nil })
    let next = DisplayKind(
      example: "next",
      automatic: { _, others throws(DisplayError) in
        try HeadlessDisplay(Size(width: others.isEmpty ? 10 : 20, height: 10))
      },
      survey: { () throws(DisplayError) in
        var report = DisplayReport(name: "next", kind: "paper")
        report.isUsed = true
        return [report]
      }, named: { _ throws(DisplayError) in nil })
    let kinds = [refused, next]
    #expect(DisplayReport.survey(among: kinds).reports.first { $0.isUsed }?.name == "next")
    let canvas = CanvasLayout(size: nil, naturalSize: Size(width: 1, height: 1))
    // What can be helped is told to the next one, for the log.
    #expect(try DisplayName("auto", among: kinds).open(for: canvas).width == (kind == .missing ? 10 : 20))
    let error = #expect(throws: DisplayError.self) {
      _ = try DisplayName("auto", among: [refused, refused]).open(for: canvas)
    }
    #expect(error?.kind == kind && error?.detail == "no. Without it fb: no")
  }

  @Test func `one display is used, and the others say which`() {
    func kind(_ names: String..., isUsed: Bool) -> DisplayKind {
      DisplayKind(
        example: names[0],
        survey: { () throws(DisplayError) in
          names.enumerated().map { index, name in
            var report = DisplayReport(name: name, kind: "paper")
            report.isUsed = isUsed && index == 0
            return report
          }
        }, named: { _ throws(DisplayError) in nil })
    }
    let (reports, absences) = DisplayReport.survey(
      among: [kind("first", "second", isUsed: true), kind("third", isUsed: true)])
    #expect(reports.map(\.isUsed) == [true, false, false] && absences.isEmpty)
    #expect(reports[2].reason == "auto takes first; --display third takes this one")
  }
}
