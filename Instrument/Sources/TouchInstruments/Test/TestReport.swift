import CBuild
import TouchCore
import TouchJSON
import TouchMeasure
import TouchSystem
import TouchViews

/// The reports of a judgement: for people, for programs, and for build servers.
package struct TestReport {
  let judgement: PanelJudgement
  let advice: [TestAdvice?]
  /// The figures of an earlier report, by their measure; nil without one.
  let baseline: [Measure: Double]?
  /// The path of the recording that was made with the report; nil for a report without one.
  private let recording: String?
  /// SHA-256 of the recording, in hexadecimal; nil for a test whose recording is not kept.
  let digest: String?
  /// The tests for which a recording was taken; nil for those of its plan.
  private let only: [PanelTest]?

  /// Makes a report against a baseline's JSON text, with the path and bytes of its recording, unless not
  /// kept, for some of the tests. It throws if the baseline is no report.
  package init(
    _ judgement: PanelJudgement, baseline: String? = nil, recording: String? = nil, bytes: [UInt8]? = nil,
    only: [PanelTest]? = nil
  ) throws(Failure) {
    (self.judgement, self.recording, self.only) = (judgement, recording, only)
    digest = bytes.map(SHA256.hex)
    advice = judgement.results.map { $0.conformity == .doesNotConform ? TestAdvice($0, of: judgement) : nil }
    self.baseline = try baseline.map { text throws(Failure) in try Self.figures(in: text) }
  }

  private static func figures(in text: String) throws(Failure) -> [Measure: Double] {
    func unusable(_ reason: String) -> Failure {
      Failure(.badRecording, "the baseline cannot be used: \(reason); name a JSON report of `touchtree test`")
    }
    let report: JSONValue
    do throws(Failure) { report = try JSONReader.read(text) } catch { throw unusable(error.message) }
    guard let figures = report.panelFigures else {
      throw unusable("this is not a report of `touchtree test`: it has no tests")
    }
    return figures.mapValues(\.value)
  }

  static func shown(_ value: Double?, _ unit: Measure.Unit) -> String {
    value.map { shown(text: $0.short, unit) } ?? "-"
  }

  static func shown(text: String, _ unit: Measure.Unit) -> String {
    unit == .count ? text : "\(text) \(unit.rawValue)"
  }

  /// Returns the figure with half of its 95 % interval if it is an estimate, an open one by its ends.
  static func shown(_ figure: JudgedFigure) -> String {
    let unit = figure.measure.unit
    if let value = figure.value, let uncertainty = figure.uncertainty {
      return "\(value.short) ± \(uncertainty.short) \(unit.rawValue)"
    }
    if figure.result == .undecided, let value = figure.value, let most = figure.most, most > value {
      return "\(value.short) to \(shown(most, unit))"
    }
    return shown(figure.value, unit)
  }

  func limit(_ figure: JudgedFigure) -> String {
    guard let limit = figure.limit else { return "" }
    return (figure.measure.isLeast ? "≥ " : "≤ ") + Self.shown(limit, figure.measure.unit)
  }

  // MARK: Text

  /// The result, then a table with its footnotes, then the advice.
  package var text: String {
    let rows = TestRows(judgement)
    var lines = [resultLine, subject, ""]
    lines += table(rows.rows)
    if !rows.notes.isEmpty { lines.append("") }
    lines += rows.notes.enumerated().map { "[\($0 + 1)] \($1)" }
    lines += ["", Conformity.rule]
    for (result, advice) in zip(judgement.results, advice) {
      var remarks = result.details + result.gaps.map { "not measured: \($0)" }
      if result.conformity == .conforms && result.test != .protocol {
        remarks.removeFirst(result.details.count)
      }
      guard !remarks.isEmpty || advice != nil else { continue }
      lines.append("")
      lines.append("\(result.test.rawValue): \(TestRows.words(result.conformity))")
      lines += remarks.map { "  \($0)" }
      lines += advice?.sentences.map { "  To do: \($0)" } ?? []
      lines += advice?.lines.map { "    \($0)" } ?? []
    }
    if let recording {
      lines += ["", "The recording: \(recording). `touchtree test --replay \(recording)` judges it again."]
    }
    return lines.map { $0.onOneLine + "\n" }.joined()
  }

  /// The line `DOES NOT CONFORM: 3 of 17 tests; not conforming: edge; conforming: mapping, line; not run: …`.
  package var resultLine: String {
    func names(_ conformity: Conformity?) -> String? {
      let names = judgement.results.filter { $0.conformity == conformity }.map(\.test.rawValue)
      return names.isEmpty ? nil : names.joined(separator: ", ")
    }
    let others = PanelTest.allCases.filter { test in !judgement.results.contains { $0.test == test } }
    let parts = [
      names(.doesNotConform).map { "not conforming: \($0)" }, names(.undecided).map { "undecided: \($0)" },
      names(.notMeasured).map { "not measured: \($0)" }, names(.conforms).map { "conforming: \($0)" },
      names(nil).map { "without a limit: \($0)" },
      others.isEmpty ? nil : "not run: \(others.map(\.rawValue).joined(separator: ", "))",
    ].compactMap(\.self)
    return
      "\(judgement.conformity.title.uppercased()): \(judgement.results.count) of \(PanelTest.allCases.count) tests; "
      + parts.joined(separator: "; ")
  }

  /// The serial number: the given one, or that of the device; nil if neither is known.
  var serial: String? {
    let uniq = judgement.measurement.device.uniq
    return judgement.measurement.marks.facts[.unit] ?? (uniq.isEmpty ? nil : uniq)
  }

  private var subject: String {
    let device = judgement.measurement.device
    let ids = [device.bus, device.vendor, device.product].map { $0.hex(digits: 4) }.joined(separator: ":")
    var parts = ["\(device.title) (\(ids))"]
    if let size = millimetres { parts.append("\(size.width.short) × \(size.height.short) mm") }
    if let slots = device.capabilities.slotCount { parts.append("\(slots) slots") }
    parts.append("profile \(judgement.profile.name) for a \(judgement.profile.touchedBy.rawValue)")
    return parts.joined(separator: ", ")
  }

  var millimetres: Size? { Self.millimetres(of: judgement) }

  static func millimetres(of judgement: PanelJudgement) -> Size? {
    judgement.trace.geometry.isInMillimetres ? judgement.trace.geometry.size : nil
  }

  static let program: (version: String, commit: String?) = {
    let commit = String(cString: touchtree_commit())
    return (TouchtreeVersion.text, commit.isEmpty ? nil : commit)
  }()

  private func table(_ figures: [TestRows.Row]) -> [String] {
    var rows = [["test", "result", "figure", "value", "limit", "decision"]]
    if baseline != nil { rows[0].append("before") }
    for row in figures {
      let figure = row.figure
      var cells = [row.test, row.result, figure?.measure.title ?? "", figure.map(Self.shown) ?? ""]
      cells += [figure.map(limit) ?? "", row.decision]
      if let baseline { cells.append(figure.map { Self.shown(baseline[$0.measure], $0.measure.unit) } ?? "") }
      rows.append(cells)
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      let line = cells.joined(separator: "  ")
      return String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
    }
  }

  // MARK: JSON

  /// One object.
  ///
  /// ```
  /// {"touchtree":"0.2.0","verdict":"failed","result":"does_not_conform","rule":"…","tests_run":1,"tests_in_all":17,
  ///  "profile":"chromeos","operator":"hand","device":{"name":"Panel","bus":24,"vendor":3823,"product":1,"version":1},
  ///  "millimetres":[200,120],"tests":[{"test":"edge","verdict":"failed","result":"does_not_conform","figures":
  ///  [{"figure":"distance","value":1.2,"unit":"mm","limit":0.5,"tolerance":1,"score":0.3,"result":"does_not_conform",
  ///  "interval":[1.2,1.4],"before":0.4,"source":"…"}],"details":["…"],"not_judged":[],"advice":["…"],"lines":["…"]}]}
  /// ```
  ///
  /// A result is `conforms`, `does_not_conform`, `undecided` or `not_measured`, and null without a limit. A
  /// figure that is undecided or not measured has its `reason`. An estimated figure has its standard error as
  /// `error`. The recording's facts about the unit stand beside the operator:
  /// `"unit":"17-0423","firmware":"1.4","by":"M. Frey","kernel":"6.12.8","date":"2026-05-04 14:20"`. The
  /// files behind the report are in `"sha256":{"recording":"…","profile":"…"}`, the commit of a release in
  /// `"commit"`, and the tests of `--only` in `"only"`.
  package var json: String {
    var json = JSONWriter()
    json.beginObject()
    json.field("touchtree", Self.program.version)
    if let commit = Self.program.commit { json.field("commit", commit) }
    json.object("sha256") {
      $0.field("recording", digest)
      $0.field("profile", judgement.profile.digest)
    }
    if let only { json.field("only", only.map(\.rawValue)) }
    json.field("verdict", judgement.outcome.rawValue)
    json.field("result", judgement.conformity.rawValue)
    json.field("rule", Conformity.rule)
    json.field("tests_run", judgement.results.count)
    json.field("tests_in_all", PanelTest.allCases.count)
    json.field("profile", judgement.profile.name)
    json.field("operator", judgement.profile.touchedBy.rawValue)
    for fact in TestFact.allCases {
      if let text = judgement.measurement.marks.facts[fact] { json.field(fact.rawValue, text) }
    }
    json.object("device") {
      let device = judgement.measurement.device
      $0.field("name", device.name)
      $0.field("bus", Int(device.bus))
      $0.field("vendor", Int(device.vendor))
      $0.field("product", Int(device.product))
      $0.field("version", Int(device.version))
    }
    if let millimetres {
      json.field("millimetres", x: millimetres.width, y: millimetres.height)
    } else {
      json.field("millimetres", JSONValue.null)
    }
    json.objects("tests", of: zip(judgement.results, advice)) { json, test in add(test.0, test.1, to: &json) }
    json.endObject()
    return json.string + "\n"
  }

  private func add(_ result: PanelResult, _ advice: TestAdvice?, to json: inout JSONWriter) {
    json.field("test", result.test.rawValue)
    json.field("verdict", result.outcome.rawValue)
    Self.add(result.conformity, to: &json)
    json.objects("figures", of: result.figures) { json, figure in
      json.field("figure", figure.measure.key)
      json.field("unit", figure.measure.unit.rawValue)
      let numbers =
        [
          ("value", figure.value), ("limit", figure.limit),
          ("tolerance", figure.limit == nil ? nil : figure.tolerance),
          ("score", figure.score),
        ] + (figure.error.map { [("error", $0)] } ?? [])
      for (key, number) in numbers + (baseline.map { [("before", $0[figure.measure])] } ?? []) {
        // More digits would be rounding errors.
        json.field(key, number.map(Self.rounded))
      }
      Self.add(figure.result, to: &json)
      if let interval = figure.interval {
        json.field("interval", x: Self.rounded(interval.lowerBound), y: Self.rounded(interval.upperBound))
      }
      if let reason = figure.reason { json.field("reason", reason) }
      if figure.limit != nil, let source = judgement.profile.sources[figure.measure] {
        json.field("source", source)
      }
    }
    let texts = [
      ("details", result.details), ("not_judged", result.gaps), ("advice", advice?.sentences ?? []),
      ("lines", advice?.lines ?? []),
    ]
    for (key, values) in texts { json.field(key, values) }
  }

  private static func add(_ conformity: Conformity?, to json: inout JSONWriter) {
    guard let conformity else { return json.field("result", JSONValue.null) }
    json.field("result", conformity.rawValue)
  }

  private static func rounded(_ number: Double) -> Double { (number * 1_000_000).rounded() / 1_000_000 }

  // MARK: HTML and CSV

  /// The page with pictures, which needs nothing else.
  package var html: String { TestPage(self).html }

  package var csv: String { TestTable(judgement).csv }

  // MARK: JUnit

  /// A test suite for build servers. A test without a decision or measurement is skipped.
  package var junit: String {
    func count(_ results: [Conformity]) -> Int {
      judgement.results.count { $0.conformity.map(results.contains) ?? false }
    }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuite name=\"touchtree test: \(Self.escaped(judgement.measurement.device.name))\""
    text += " tests=\"\(judgement.results.count)\" failures=\"\(count([.doesNotConform]))\" errors=\"0\""
    text += " skipped=\"\(count([.undecided, .notMeasured]))\">\n"
    if let serial {
      text +=
        "  <properties><property name=\"unit\" value=\"\(Self.escaped(serial))\"></property></properties>\n"
    }
    for (result, advice) in zip(judgement.results, advice) {
      text +=
        "  <testcase classname=\"touchtree.\(Self.escaped(judgement.profile.name))\" name=\"\(result.test.rawValue)\""
      func line(_ figure: JudgedFigure) -> String {
        "\(figure.measure.title): \(Self.shown(figure))"
          + (limit(figure).isEmpty ? "" : " (\(limit(figure)))")
          + (figure.result.map { ", \($0.title)" } ?? "")
      }
      let body = result.figures.map(line) + result.details + result.gaps
      let (tag, message): (String, String?) =
        switch result.conformity {
        // Build servers show this line.
        case .doesNotConform: ("failure", result.figures.first { $0.result == .doesNotConform }.map(line))
        case .undecided, .notMeasured: ("skipped", "\(result.conformity?.title ?? ""): \(result.reason)")
        case .conforms, nil: ("system-out", nil)
        }
      let attribute = message.map { " message=\"\(Self.escaped($0))\"" } ?? ""
      text += ">\n    <\(tag)\(attribute)>"
      let lines = body + (advice.map { $0.sentences + $0.lines } ?? []) + [Conformity.rule]
      text += "\(Self.escaped(lines.joined(separator: "\n")))</\(tag)>\n  </testcase>\n"
    }
    return text + "</testsuite>\n"
  }

  /// Returns the text, escaped for XML. (XML 1.0, 2.2 and 2.4.)
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      case _ where scalar.isShown || scalar == "\n": escaped.unicodeScalars.append(scalar)
      default: escaped += "?"
      }
    }
  }
}
