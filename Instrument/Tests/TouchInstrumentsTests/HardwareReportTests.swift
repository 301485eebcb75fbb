import Logging
import Testing
import TouchConfig
import TouchInput

@testable import TouchInstruments

/// What `touchtree report` sends, and what it does not.
@Suite struct HardwareReportTests {
  @Test(arguments: [
    ("N: Panel SN00417 0815", "N: Panel (serial number) 0815"),
    ("usb 1-1: SerialNumber: 42AB", "usb 1-1: SerialNumber: (serial number)"),
    ("  - ID_SERIAL=Vendor_Panel_42AB", "  - ID_SERIAL=(serial number)"),
    ("# Written by ada on lovelace, in /home/ada/panel", "# Written by ada on (computer), in ~/panel"),
    ("Bluetooth a0:B1:c2:d3:e4:f5 is here", "Bluetooth (address) is here"),
    (
      "a0:b1:c2:d3:e4 is none, and 12:34:56.789 is a time",
      "a0:b1:c2:d3:e4 is none, and 12:34:56.789 is a time"
    ),
    ("E: 0.000001 0003 0039 -1", "E: 0.000001 0003 0039 -1"),
  ])
  func `what says who someone is is taken out`(line: String, masked: String) {
    // A name of three letters would be found in the middle of words.
    let disguise = Disguise(
      devices: [DeviceDescription(name: "Panel", uniq: "SN00417"), DeviceDescription(name: "Mouse")],
      names: [("/home/ada", "~"), ("ada", "(user)"), ("lovelace", "(computer)"), ("", "(user)")])
    #expect(disguise.apply(to: line) == masked)
  }

  @Test func `a record of the kernel is a line, without its details`() {
    let record = "6,339,5140900,-;input: Goodix Capacitive TouchScreen as /devices/x\n SUBSYSTEM=input\n"
    let line = KernelMessages.line(of: Array(record.utf8)[...])
    #expect(line == "[5.140900] input: Goodix Capacitive TouchScreen as /devices/x")
    #expect(KernelMessages.line(of: Array("nothing".utf8)[...]) == nil)
  }

  @Test(arguments: [
    ("[1.0] input: Goodix Capacitive TouchScreen as /devices/x", true),
    ("[1.0] vc4-drm gpu: bound fe700000.hdmi", true),
    ("[1.0] EXT4-fs (mmcblk0p2): mounted filesystem", false),
  ])
  func `what concerns touch and display is kept`(line: String, isKept: Bool) {
    #expect(KernelMessages.concerns(line) == isKept)
  }

  @Test func `of the configuration only display and input are sent`() {
    let text = """
      version: 1
      handlers: {alarm: {kind: exec, command: [alarm, --pin, "1234"]}}
      display:
        # at the door
        rotation: 90
      input: {devices: [{match: {name: Panel}}]}
      window:
        subviews: [{kind: label, text: "secret"}]
      """
    #expect(
      HardwareReport.sections(["display", "input"], of: text) == [
        "display:", "  rotation: 90", "input: {devices: [{match: {name: Panel}}]}",
      ])
  }

  @Test func `a recording is judged, counted and sent along`() throws {
    var options = HardwareReport.Options()
    options.recording = Self.recordings + "slots.yml"
    let report = HardwareReport(
      configuration: Configuration(file: ""), options: options, version: "1", log: Logger(label: "report"))
    let lines = try report.lines()
    let titles = lines.filter { $0.hasPrefix("== ") }
    #expect(
      titles == [
        "== devices", "== configuration: display and input", "== touches", "== judgement", "== recording",
      ], "nothing of the machine that writes it")
    #expect(
      lines.contains { $0.hasSuffix("Recordings/slots.yml  Recorded multitouch") }, "\(lines.prefix(9))")
    let touches = lines.drop { $0 != "== touches" }
    #expect(touches.contains { $0.contains(" began, ") })
    #expect(touches.contains { $0.hasPrefix("libinput:") || $0.hasPrefix("version:") })
    // The same as a page, whose judgement has pictures.
    let written = try report.lines(asPage: true)
    #expect(!written.contains { $0.contains("\n") }, "what ends a line is escaped in a file")
    let page = written.joined(separator: "\n")
    for title in titles { #expect(page.contains("<h2>\(title.dropFirst(3))</h2>")) }
    #expect(page.contains("<svg ") && page.contains("<p class=\"verdict "))
    #expect(page.contains("<details><summary>") && !page.contains("\n== "))
    #expect(page.components(separatedBy: "<body>").count == 2 && page.hasSuffix("</html>"))
  }

  @Test func `a page says no more of who someone is than the text, and shows no letters as HTML`() throws {
    let section = HardwareReport.Section(title: "system", lines: ["<b>&", "x"])
    let page = ReportPage(title: "touchtree 1", [section]).lines.joined(separator: "\n")
    #expect(page.contains("<pre>&lt;b&gt;&amp;\nx</pre>") && !page.contains("<details>"))
    var options = HardwareReport.Options()
    options.recording = Self.recordings + "slots.yml"
    options.seconds = 0
    let report = HardwareReport(
      configuration: Configuration(file: ""), options: options, version: "1", log: Logger(label: "report"))
    let secrets = Disguise.namesHere().map(\.secret).filter { $0.utf8.count >= 4 }
    let html = try report.lines(asPage: true).joined(separator: "\n")
    for secret in secrets { #expect(!html.contains(secret)) }
  }

  private static let recordings =
    #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/Tests/Recordings/"
}
