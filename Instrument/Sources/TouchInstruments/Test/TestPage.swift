import TouchCore
import TouchMeasure
import TouchSystem

/// The report as one page of HTML: a head to sign, and tests with figures, pictures and advice.
struct TestPage {
  private let report: TestReport
  private var judged: PanelJudgement { report.judgement }

  init(_ report: TestReport) { self.report = report }

  var html: String {
    let title = Self.escaped("\(judged.measurement.device.title): panel test")
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <header>
      <h1>\(title)</h1>
      <p class="verdict \(judged.outcome.rawValue)">\(Self.escaped(report.resultLine))</p>
      <p>\(Self.escaped(Conformity.rule))</p>
      <table class="head">
      \(rows.map { "<tr><th>\($0.0)</th><td>\(Self.escaped($0.1))</td></tr>" }.joined(separator: "\n"))
      </table>
      <table class="signatures">
      <tr><td>\(Self.escaped(judged.measurement.marks.facts[.by] ?? ""))</td><td></td><td></td><td></td></tr>
      <tr><td>Tested by</td><td>Date</td><td>Approved by</td><td>Date</td></tr>
      </table>
      </header>
      \(tests)
      <footer>
      <p>\(Self.escaped(Self.legend)) touchtree \(TouchtreeVersion.text).</p>
      </footer>
      </body>
      </html>

      """
  }

  private var tests: String {
    """
    <section>
    <h2>Figures</h2>
    \(table)
    </section>
    \(zip(judged.results, report.advice).map { section($0, $1) }.joined(separator: "\n"))
    """
  }

  /// The result and the tests as a part of another page, which contains `style`.
  var judgement: String {
    """
    <p class="verdict \(judged.outcome.rawValue)">\(Self.escaped(report.resultLine))</p>
    <p>\(Self.escaped(Conformity.rule))</p>
    \(tests)
    <p class="sources">\(Self.escaped(Self.legend))</p>
    """
  }

  private static let legend =
    "Blue is what was reported, with a dot where a contact came down; yellow is a fitted line; a square is 10 mm where the size is known. "
    + "Green figures conform, red ones do not, and amber ones are undecided. On the grid, arrows lead from each mark to its touch, "
    + "\(Int(TestDrawing.magnification)) times as long as the way, and the darker the red, the larger the local distortion: as far as it is "
    + "certain, up to its limit. A figure with ± is an estimate with its 95 % interval (k = 2)."

  // MARK: Head

  private var rows: [(String, String)] {
    let device = judged.measurement.device
    let facts = judged.measurement.marks.facts
    let ids = [device.bus, device.vendor, device.product].map { $0.hex(digits: 4) }.joined(separator: ":")
    let size = report.millimetres.map { "\($0.width.short) × \($0.height.short) mm" }
    let program = TestReport.program
    return [
      ("Device", "\(device.title) (\(ids))"),
      ("Serial number", report.serial ?? "not given"),
      ("Firmware", facts[.firmware] ?? "not given; the device's version is \(device.version.hex(digits: 4))"),
      ("Size", size ?? "not known"),
      ("Contacts", device.capabilities.slotCount.map { "\($0) slots" } ?? "not declared"),
      ("Touched by", "a \(judged.profile.touchedBy.rawValue)"),
      ("Operator", facts[.by] ?? "not given"),
      ("Condition", facts[.condition] ?? "not given"),
      ("Test bar", facts[.bar].map { "\($0) in diameter" } ?? "not given"),
      ("Temperature, humidity", "\(facts[.temperature] ?? "not given"), \(facts[.humidity] ?? "not given")"),
      ("Date of the test", facts[.date] ?? "not recorded"),
      ("Kernel", facts[.kernel] ?? "not recorded"),
      ("Limits", "profile \(judged.profile.name), SHA-256 \(judged.profile.digest)"),
      ("Recording", report.digest.map { "SHA-256 \($0)" } ?? "not kept"),
      ("Program", "touchtree \(program.version), \(program.commit.map { "commit \($0)" } ?? "no release")"),
    ]
  }

  // MARK: Tests

  private var table: String {
    let rows = TestRows(judged)
    var text = "<table class=\"figures\"><thead><tr><th>test</th><th>result</th><th>figure</th><th>value</th>"
    text += "<th>limit</th><th>decision</th>\(report.baseline == nil ? "" : "<th>before</th>")</tr></thead>"
    for (index, row) in rows.rows.enumerated() {
      // On paper a test stays together with its name.
      if !row.test.isEmpty { text += index == 0 ? "<tbody>" : "</tbody><tbody>" }
      let figure = row.figure
      text += "<tr class=\"\(row.test.isEmpty ? "" : "first ")\(row.conformity?.rawValue ?? "")\">"
      for cell in [row.test, row.result, figure?.measure.title ?? "", figure.map(TestReport.shown) ?? ""] {
        text += "<td>\(Self.escaped(cell))</td>"
      }
      text += "<td>\(figure.map(report.limit) ?? "")</td><td>\(row.decision)</td>"
      if let baseline = report.baseline {
        let before = figure.map { TestReport.shown(baseline[$0.measure], $0.measure.unit) }
        text += "<td>\(before ?? "")</td>"
      }
      text += "</tr>"
    }
    text += rows.rows.isEmpty ? "</table>" : "</tbody></table>"
    guard !rows.notes.isEmpty else { return text }
    let notes = rows.notes.enumerated().map { "[\($0 + 1)] \(Self.escaped($1))" }.joined(separator: "<br>")
    return text + "\n<p class=\"notes\">\(notes)</p>"
  }

  private func section(_ result: PanelResult, _ advice: TestAdvice?) -> String {
    var text = "<section class=\"test\">\n<h2>\(result.test.rawValue) "
    text += "<span class=\"\(result.outcome.rawValue)\">\(TestRows.words(result.conformity))</span></h2>\n"
    if let drawing = TestDrawing.svg(result, of: judged) { text += drawing + "\n" }
    if let drawing = TouchEndsDrawing.svg(result, of: judged) { text += drawing + "\n" }
    func list(_ items: [String], _ kind: String) {
      guard !items.isEmpty else { return }
      text += "<ul class=\"\(kind)\">\(items.map { "<li>\(Self.escaped($0))</li>" }.joined())</ul>\n"
    }
    list(result.details, "details")
    list(result.gaps.map { "Not measured: \($0)" }, "gaps")
    if let advice, !advice.sentences.isEmpty {
      list(advice.sentences, "advice")
      if !advice.lines.isEmpty {
        text += "<pre>\(Self.escaped(advice.lines.joined(separator: "\n")))</pre>\n"
      }
    }
    let sources = sources(of: result)
    if !sources.isEmpty {
      text += "<p class=\"sources\">Limits:\(sources.map { "<br>\(Self.escaped($0))" }.joined())</p>\n"
    }
    return text + "</section>"
  }

  /// Returns the sources of the limits, each with the figures that share it.
  private func sources(of result: PanelResult) -> [String] {
    var groups: [(source: String, keys: [String])] = []
    for figure in result.figures where figure.limit != nil {
      guard let source = judged.profile.sources[figure.measure] else { continue }
      if let index = groups.firstIndex(where: { $0.source == source }) {
        groups[index].keys.append(figure.measure.key)
      } else {
        groups.append((source, [figure.measure.key]))
      }
    }
    return groups.map { "\($0.keys.joined(separator: ", ")): \($0.source)" }
  }

  private static func escaped(_ text: String) -> String { TestReport.escaped(text) }

  static let style = """
    :root{color-scheme:light}body{font:15px/1.45 system-ui,sans-serif;color:#1b2430;max-width:760px;margin:2em auto;padding:0 1em}\
    h1{font-size:1.5em;margin:0 0 .3em}h2{font-size:1.15em;margin:1.6em 0 .4em;border-bottom:1px solid #d4dbe3}\
    .verdict{font-weight:600;padding:.5em .8em;border-radius:6px;background:#eef2f6}\
    p.passed,p.measured{background:#dff5e4}p.failed{background:#fde3e1}p.incomplete{background:#fdf3d7}\
    span,.figures .first td:nth-child(-n+2){font-weight:600}.passed{color:#17692f}.failed{color:#b3261e}\
    .incomplete{color:#8a6100}p.verdict{color:#1b2430}\
    table{border-collapse:collapse;width:100%;font-size:.92em}th,td{text-align:left;padding:.18em .6em .18em 0;vertical-align:top}\
    .head th{width:9em;font-weight:500;color:#5a6775}.figures tr.first td{border-top:1px solid #d4dbe3}\
    .figures td:nth-child(n+4){white-space:nowrap}.figures tr.does_not_conform td:nth-child(n+3){color:#b3261e;font-weight:600}\
    .figures tr.undecided td:nth-child(n+3),.figures tr.not_measured td:nth-child(n+3){color:#8a6100}\
    thead{display:table-header-group}\
    svg{display:block;width:100%;height:auto;background:#f5f7fa;border:1px solid #d4dbe3;border-radius:4px;margin:.4em 0}\
    svg *{vector-effect:non-scaling-stroke}.panel{fill:#fff;stroke:#8a97a5}.ruler{fill:none;stroke:#e4e9ee;stroke-width:1}\
    .way{fill:none;stroke:#2f7fd6;stroke-width:1;stroke-opacity:.6}.landing{stroke:#1b4f8a;stroke-width:4;stroke-linecap:round}\
    .fit{fill:none;stroke:#c48a00;stroke-width:1.2}.heat{fill:#e5484d}.dead{fill:#e5484d;fill-opacity:.35}\
    .mark{stroke:#5a6775;stroke-width:5;stroke-linecap:round}path.arrow{fill:none;stroke:#5b3fa8;stroke-width:1.4}\
    svg .open{fill:none;stroke:#c48a00;stroke-width:2.5}.lift{stroke:#c2410c;stroke-width:4;stroke-linecap:round}\
    svg.ends{max-width:460px}svg.ends text{fill:#5a6775;text-anchor:middle}svg .good{fill:none;stroke:#1f8f43;stroke-width:2}svg .bad{fill:none;stroke:#d1271c;stroke-width:2.5}\
    svg text{font-size:12px;fill:#b3261e;paint-order:stroke;stroke:#fff;stroke-width:3}\
    pre{background:#f1f4f7;padding:.6em .8em;white-space:pre-wrap;overflow-wrap:anywhere;border-radius:4px;font-size:.86em}ul{margin:.3em 0;padding-left:1.3em}\
    .advice li{font-weight:500}.sources,.notes,footer p{color:#5a6775;font-size:.82em}\
    .head td{overflow-wrap:anywhere}\
    .signatures{margin-top:2em}.signatures td{width:25%;height:1.4em}.signatures tr+tr td{border-top:1px solid #1b2430;padding-top:.3em}\
    @page{margin:14mm}@media print{body{margin:0;max-width:none;font-size:10pt}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}\
    svg{max-height:70mm}.test,tbody,footer{break-inside:avoid}h2{break-after:avoid}}
    """
}
