import TouchCore
import TouchMeasure

/// Every report of a recording as a line of CSV, for spreadsheets
/// and other programs. (RFC 4180, with line feeds.)
///
/// ```
/// seconds,test,task,contact,event,x_mm,y_mm,contacts,result
/// 1.2503,grid,"0.1,0.1",0,down,15.4,8.65,1,conforms
/// 1.2603,grid,"0.1,0.1",0,move,15.45,8.65,1,conforms
/// 1.3703,grid,"0.1,0.1",0,up,15.45,8.65,1,conforms
/// ```
///
/// Times count from the first frame. Without a known size, x and y are in units of the device. The result is
/// that of the test, and empty outside of all tests.
struct TestTable {
  private let judgement: PanelJudgement

  init(_ judgement: PanelJudgement) { self.judgement = judgement }

  private struct Line {
    var time: Timestamp
    var contact: Int
    var text: String
  }

  var csv: String {
    let trace = judgement.trace
    let steps = judgement.measurement.marks.steps
    let start = judgement.measurement.frames.first?.time ?? .zero
    let judged = judgement.results.map { ($0.test, $0.conformity?.rawValue ?? "") }
    let results = Dictionary(judged) { first, _ in first }
    var lines: [Line] = []
    for (index, contact) in trace.contacts.enumerated() {
      let step = steps.first { contact.began >= $0.start && contact.began < $0.end }
      let head = "\(step?.test.rawValue ?? ""),\(Self.field(step?.argument ?? "")),\(index)"
      let result = step.flatMap { results[$0.test] } ?? ""
      func add(_ event: String, _ report: PanelTrace.Report, at time: Timestamp) {
        let seconds = Double(time.microseconds(since: start)) / 1_000_000
        let place = "\(Self.number(report.point.x)),\(Self.number(report.point.y))"
        lines.append(
          Line(
            time: time, contact: index,
            text: "\(seconds.plain),\(head),\(event),\(place),\(report.fingers),\(result)\n"))
      }
      for (count, report) in contact.reports.enumerated() {
        add(count == 0 ? "down" : "move", report, at: report.time)
      }
      if let end = contact.end { add("up", contact.last, at: end) }
    }
    lines.sort { ($0.time, $0.contact) < ($1.time, $1.contact) }
    let unit = trace.geometry.isInMillimetres ? "_mm" : ""
    return lines.reduce(into: "seconds,test,task,contact,event,x\(unit),y\(unit),contacts,result\n") {
      $0 += $1.text
    }
  }

  /// Returns the number in thousandths of a millimetre, or of a unit.
  private static func number(_ value: Double) -> String {
    value.isFinite ? ((value * 1000).rounded() / 1000).plain : ""
  }

  private static func field(_ text: String) -> String {
    text.contains { ",\"\n".contains($0) }
      ? "\"\(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
      : text
  }
}
