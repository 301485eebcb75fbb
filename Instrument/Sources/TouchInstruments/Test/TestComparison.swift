import Glibc
import SystemPackage
import TouchJSON
import TouchMeasure
import TouchSystem

/// The figures of many panels side by side, from the JSON reports of their tests.
package struct TestComparison {
  private struct Unit {
    /// The serial number; without one the file's name, with its folder for the name that `test -o DIR` gives.
    var name: String
    /// The firmware, the condition, the operator and the serial number; empty if the report does not name
    /// them.
    var firmware: String
    var condition, by, serial: String
    var result: Conformity
    var figures: [Measure: (value: Double, limit: Double?)]
  }

  private let units: [Unit]

  /// The largest report in bytes.
  private static let largest = 1 << 20

  /// Reads JSON reports, one for each panel, or throws for the first that is none.
  package init(reports paths: [String]) throws(Failure) {
    units = try paths.map { path throws(Failure) in
      let bytes: [UInt8]
      do throws(Errno) {
        bytes = try FileContents.read(path, upTo: Self.largest + 1)
      } catch {
        throw Failure(
          ExitStatus(error),
          "\(path): the report cannot be read (\(error)); name a JSON report of `touchtree test`")
      }
      return try Self.unit(String(decoding: bytes, as: UTF8.self), file: path)
    }
  }

  private static func unit(_ text: String, file: String) throws(Failure) -> Unit {
    func unusable(_ reason: String) -> Failure {
      Failure(.badRecording, "\(file): \(reason); name a JSON report of `touchtree test`")
    }
    let report: JSONValue
    do throws(Failure) { report = try JSONReader.read(text) } catch { throw unusable(error.message) }
    guard let figures = report.panelFigures else {
      throw unusable("this is not a report of `touchtree test`: it has no tests")
    }
    let parts = file.split(separator: "/")
    let name = parts.suffix(parts.last == "report.json" ? 2 : 1).joined(separator: "/")
    // Reports of before had a verdict alone.
    let verdicts = ["passed": Conformity.conforms, "failed": .doesNotConform]
    return Unit(
      name: report["unit"]?.text ?? name, firmware: report["firmware"]?.text ?? "",
      condition: report["condition"]?.text ?? "",
      by: report["by"]?.text ?? "", serial: report["unit"]?.text ?? "",
      result: report["result"]?.text.flatMap { Conformity(rawValue: $0) }
        ?? verdicts[report["verdict"]?.text ?? ""] ?? .notMeasured, figures: figures)
  }

  // MARK: Text

  /// The number of panels that conform, the names of the others, a line for each figure, and the panels that
  /// are unlike the others.
  package var text: String {
    let panels = Set(units.map(\.name)).count
    let reports = panels < units.count ? "\(units.count) reports of " : ""
    let conforming = units.count { $0.result == .conforms }
    var lines = ["\(reports)\(panels) panel\(panels == 1 ? "" : "s"), conforming: \(conforming)"]
    for result in [Conformity.doesNotConform, .undecided, .notMeasured] {
      let names = units.filter { $0.result == result }.map(\.name)
      if !names.isEmpty { lines.append("\(result.title): \(names.joined(separator: ", "))") }
    }
    lines += [""] + figureTable
    let outliers = outlierLines
    lines += [""] + (outliers.isEmpty ? ["no panel is unlike the others"] : outliers)
    let gauge = GaugeTable(units.map { GaugeTable.Run(panel: $0.serial, by: $0.by, figures: $0.figures) })
    if let gauge { lines += [""] + gauge.lines }
    for (name, key) in [("firmware", \Unit.firmware), ("condition", \Unit.condition)] {
      let values = Set(units.map { $0[keyPath: key] }).filter { !$0.isEmpty }.sorted()
      if values.count == 2 { lines += [""] + differences(name, key, from: values[0], to: values[1]) }
      guard values.count > 2 else { continue }
      lines += ["", "\(values.count) values of the \(name): name the reports of two to see their difference"]
    }
    return lines.map { $0.onOneLine + "\n" }.joined()
  }

  private func values(_ measure: Measure, where isMeant: (Unit) -> Bool = { _ in true }) -> [Double] {
    units.filter(isMeant).compactMap { $0.figures[measure]?.value }
  }

  private var measures: [(measure: Measure, statistics: UnitStatistics)] {
    Measure.allCases.compactMap { measure in UnitStatistics(values(measure)).map { (measure, $0) } }
  }

  private var figureTable: [String] {
    var rows = [["figure", "reports", "mean", "deviation", "least", "most", "limit", "Cpk", ""]]
    for (measure, statistics) in measures {
      let limits = Set(units.compactMap { $0.figures[measure]?.limit })
      // Reports by different limits have no common limit.
      let limit = limits.count == 1 ? limits.first : nil
      func shown(_ value: Double?) -> String { Self.shown(value, measure.unit) }
      rows.append(
        [
          measure.rawValue, "\(statistics.count)", shown(statistics.mean), shown(statistics.deviation),
          shown(statistics.least), shown(statistics.most),
          limit.map { (measure.isLeast ? "≥ " : "≤ ") + shown($0) } ?? "",
        ] + (measure.unit == .count ? ["", ""] : Self.capability(of: statistics, limit, measure)))
    }
    return Self.aligned(rows)
  }

  /// The capability that makers require of a figure in a series. (ISO 22514-2.)
  private static let capable = 1.33
  /// The largest capability that is shown: beyond it the deviation is the rounding of the reports.
  private static let mostCapable = 99.0

  private static func capability(
    of statistics: UnitStatistics, _ limit: Double?, _ measure: Measure
  ) -> [String] {
    guard let limit else { return ["", ""] }
    guard statistics.deviation != 0 else { return ["-", "no capability: the reports are equal"] }
    guard let index = statistics.capability(limit: limit, isLeast: measure.isLeast) else { return ["", ""] }
    return [
      index > mostCapable ? "> \(mostCapable.short)" : max(-mostCapable, index).short,
      index < capable ? "not capable" : "",
    ]
  }

  private var outlierLines: [String] {
    measures.flatMap { measure, statistics in
      units.compactMap { unit -> String? in
        guard let value = unit.figures[measure]?.value, statistics.isOutlier(value) else { return nil }
        return "outlier: \(unit.name): \(measure.rawValue) is \(TestReport.shown(value, measure.unit)), "
          + "the mean \(TestReport.shown(statistics.mean, measure.unit))"
      }
    }
  }

  private func differences(
    _ name: String, _ key: KeyPath<Unit, String>, from one: String, to other: String
  ) -> [String] {
    var rows = [["figure", one, other, "difference", "95 % confidence", ""]]
    let compared = Measure.allCases.compactMap { measure in
      UnitStatistics(values(measure) { $0[keyPath: key] == one }).flatMap { before in
        UnitStatistics(values(measure) { $0[keyPath: key] == other }).flatMap { after in
          before.chance(against: after).map { (measure: measure, before: before, after: after, chance: $0) }
        }
      }
    }
    let certain = UnitStatistics.certain(compared.map(\.chance))
    for (index, (measure, before, after, _)) in compared.enumerated() {
      guard let (difference, halfWidth) = before.difference(to: after) else { continue }
      func shown(_ value: Double) -> String { Self.shown(value, measure.unit) }
      let isBetter = measure.isLeast ? difference > 0 : difference < 0
      rows.append([
        measure.rawValue, shown(before.mean), shown(after.mean), shown(difference),
        "\((difference - halfWidth).short) to \((difference + halfWidth).short)",
        certain[index] ? (isBetter ? "better" : "worse") : "",
      ])
    }
    guard rows.count > 1 else {
      return ["fewer than two reports have one of the values \(one) and \(other) of the \(name)"]
    }
    return ["\(name) \(one) against \(other)"] + Self.aligned(rows) + [
      "better and worse are certain at 95 % for all \(compared.count) figures together"
    ]
  }

  /// Returns a figure with three digits at least, since deviations are small.
  static func shown(_ value: Double?, _ unit: Measure.Unit) -> String {
    guard let value, value != 0 else { return TestReport.shown(value, unit) }
    let scale = pow(10, min(max(2 - log10(abs(value)).rounded(.down), 2), 6))
    return TestReport.shown(text: ((value * scale).rounded() / scale).plain, unit)
  }

  static func aligned(_ rows: [[String]]) -> [String] {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let line = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
        .joined(separator: "  ")
      return String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
    }
  }
}

extension JSONValue {
  /// The figures of a JSON report of a panel's test; nil for anything else.
  var panelFigures: [Measure: (value: Double, limit: Double?)]? {
    guard let tests = self["tests"]?.elements else { return nil }
    var figures: [Measure: (value: Double, limit: Double?)] = [:]
    for test in tests {
      for figure in test["figures"]?.elements ?? [] {
        guard let name = test["test"]?.text, let key = figure["figure"]?.text,
          let measure = Measure(rawValue: "\(name).\(key)"), let value = figure["value"]?.number
        else { continue }
        figures[measure] = (value, figure["limit"]?.number)
      }
    }
    return figures
  }
}
