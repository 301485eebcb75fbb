import TouchJSON
import TouchOutput
import TouchSystem

/// The output of `touchtree displays`: each one's kind, modes and mounting, and why `auto` takes it or not.
package struct DisplayListing {
  private let reports: [DisplayReport]
  private let absences: [String]

  /// Surveys the present displays. Nothing is changed.
  package init() { (reports, absences) = DisplayReport.survey() }

  init(_ reports: [DisplayReport], absences: [String] = []) {
    (self.reports, self.absences) = (reports, absences)
  }

  /// - Throws: `Failure` with the reasons if `auto` finds no display.
  package func write(to output: LineOutput, json: Bool) throws {
    for report in reports {
      for line in json ? [Self.object(report)] : Self.lines(report) { output.write(line: line) }
    }
    try output.flush()
    guard !reports.contains(where: \.isUsed) else { return }
    let reasons = reports.map { "\($0.name): \($0.reason)" } + absences
    throw Failure(.unavailable, "auto finds no display. " + reasons.joined(separator: ". "))
  }

  package var lines: [String] { reports.flatMap(Self.lines) + absences }

  static func lines(_ report: DisplayReport) -> [String] {
    var title = report.name
    if let driver = report.driver { title += "  \(driver)" }
    if let card = report.card { title += ", \(card)" }
    var lines = [title, "  \(report.isUsed ? "used by auto" : "not used by auto"): \(report.reason)"]
    if let lender = report.lender, report.refusal == nil {
      lines.append("  touchtree (pid \(lender)) has the card, and lends this connector")
    }
    if let size = report.size {
      var text = "\(size.width.plain)x\(size.height.plain) pixels"
      if let format = report.format { text += ", \(format)" }
      lines.append("  " + text)
    }
    if let size = report.millimetres { lines.append("  \(size.width.plain) × \(size.height.plain) mm") }
    if !report.modes.isEmpty {
      let modes = report.modes.enumerated().filter { report.modes.firstIndex(of: $0.element) == $0.offset }
      lines.append(
        "  modes: "
          + modes.map { $0.element + ($0.element == report.preferredMode ? " (preferred)" : "") }
          .joined(separator: ", "))
    }
    if report.size != nil { lines.append("  " + mounting(report)) }
    return lines
  }

  private static func mounting(_ report: DisplayReport) -> String {
    guard let mounting = report.mounting else {
      return "how the panel is mounted is not known: rotation: auto is 0"
    }
    return mounting == .none
      ? "the panel is mounted upright" : "the panel is mounted so that rotation: auto is \(mounting.rawValue)"
  }

  private static func object(_ report: DisplayReport) -> String {
    var json = JSONWriter()
    json.beginObject()
    json.field("name", report.name)
    json.field("kind", report.kind)
    json.field("card", report.card)
    json.field("driver", report.driver)
    json.field("used", report.isUsed)
    json.field("reason", report.reason)
    json.field("error", report.refusal)
    json.field("lender", report.lender)
    if let isConnected = report.isConnected { json.field("connected", isConnected) }
    json.field("width", report.size.map { Int($0.width) })
    json.field("height", report.size.map { Int($0.height) })
    json.field("format", report.format)
    json.field("mode", report.preferredMode)
    json.field("modes", report.modes)
    json.field("rotation", report.mounting?.rawValue)
    json.field("widthMillimetres", report.millimetres?.width)
    json.field("heightMillimetres", report.millimetres?.height)
    json.endObject()
    return json.string
  }
}
