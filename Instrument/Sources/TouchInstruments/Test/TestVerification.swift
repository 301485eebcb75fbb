import TouchCore
import TouchJSON
import TouchMeasure
import TouchRecordings
import TouchSystem

/// Whether a JSON report belongs to a recording, judged again by the report's profile, operator and tests.
package struct TestVerification {
  /// The contradictions between report and recording, without their end; empty if they belong together.
  package private(set) var differences: [String] = []
  private let recording: String
  private let profile: PanelProfile
  private var count = 0

  /// The members that are not of the recording: they are of the program, of another report, or advice.
  private static let ignored: Set<String> = [
    "touchtree", "commit", "sha256", "only", "before", "advice", "lines",
  ]
  private static let most = 20

  /// - Parameters:
  ///   - report: the text of a JSON report.
  ///   - file: the report's name in messages.
  ///   - recording: the bytes of the recording.
  ///   - path: the recording's path.
  ///   - profile: the file of the profile; nil for a profile that touchtree ships.
  /// - Throws: if the report is none, or has no digests, and for a profile or a recording that cannot be
  ///   read.
  package init(
    report text: String, file: String, recording bytes: [UInt8], path: String, profile: String?
  ) throws {
    let report = try Self.report(text, file)
    recording = path
    var limits = try Self.profile(of: report, file, named: profile)
    limits.touchedBy = report["operator"]?.text.flatMap(PanelOperator.init) ?? limits.touchedBy
    self.profile = limits
    let digests = [
      ("the recording", report["sha256"]?["recording"]?.text, SHA256.hex(of: bytes)),
      ("the profile \(limits.name)", report["sha256"]?["profile"]?.text, limits.digest),
    ]
    for (what, written, found) in digests where written != found {
      differences.append("the SHA-256 of \(what) is \(found); the report is of \(written ?? "none")")
    }
    // Other files have other figures, which tell nothing.
    guard differences.isEmpty else { return }
    var measurement = try PanelMeasurement(of: Recording(bytes: bytes, path: path), size: nil)
    let recorded = measurement.marks.facts
    let tests = report["only"]?.elements?.compactMap { $0.text.flatMap(PanelTest.init) }
    var judgement = PanelJudgement(of: measurement, by: limits, only: tests)
    if let size = Self.size(in: report), size != TestReport.millimetres(of: judgement) {
      measurement.size = size
      judgement = PanelJudgement(of: measurement, by: limits, only: tests)
    }
    let again = try JSONReader.read(try TestReport(judgement).json)
    for member in report.members ?? [] where !Self.ignored.contains(member.key) {
      // What the command line added to the recording's facts cannot be judged again.
      if let fact = TestFact(rawValue: member.key), recorded[fact] == nil { continue }
      compare(member.value, again[member.key], at: member.key)
    }
    let extra = differences.count - Self.most
    if extra > 0 { differences[Self.most...] = ["\(extra) more values differ"] }
  }

  private static func report(_ text: String, _ file: String) throws(Failure) -> JSONValue {
    func unusable(_ reason: String) -> Failure { Failure(.badRecording, "\(file): \(reason)") }
    let report: JSONValue
    do throws(Failure) {
      report = try JSONReader.read(text)
    } catch {
      throw unusable("\(error.message); name a JSON report of `touchtree test`")
    }
    guard report.panelFigures != nil else {
      throw unusable("it has no tests; name a JSON report of `touchtree test`")
    }
    guard report["sha256"]?["recording"]?.text != nil else {
      throw unusable(
        "it names no recording by its SHA-256, so it is a report of an older touchtree, or no recording was kept"
      )
    }
    return report
  }

  private static func profile(of report: JSONValue, _ file: String, named path: String?) throws
    -> PanelProfile
  {
    if let path { return try PanelProfile.load(path) }
    let name = report["profile"]?.text ?? ""
    guard PanelProfile.names.contains(name) else {
      throw Failure(
        .usage,
        "\(file): its profile '\(name.escaped)' is none of touchtree's own; name its file after the recording"
      )
    }
    return try PanelProfile.load(name)
  }

  private static func size(in report: JSONValue) -> Size? {
    guard let numbers = report["millimetres"]?.elements?.compactMap(\.number), numbers.count == 2 else {
      return nil
    }
    return Size(width: numbers[0], height: numbers[1])
  }

  private mutating func compare(_ written: JSONValue, _ found: JSONValue?, at place: String) {
    switch (written, found) {
    case (.object(let members), .object(let others)):
      for key in Set((members + others).map(\.key)).subtracting(Self.ignored).sorted() {
        compare(written[key] ?? .null, found?[key] ?? .null, at: "\(place).\(key)")
      }
    case (.array(let elements), .array(let others)) where elements.count == others.count:
      for (index, (element, other)) in zip(elements, others).enumerated() {
        let name = (element["test"] ?? element["figure"])?.text ?? "\(index + 1)"
        compare(element, other, at: "\(place).\(name)")
      }
    case (_, let other) where written == other || written.number.map { $0 == other?.number } ?? false:
      count += 1
    default:
      differences.append(
        "\(place) is \(written.json) in the report, and \(found?.json ?? "missing") by the recording")
    }
  }

  /// The answer, then the contradictions.
  package var text: String {
    let head =
      differences.isEmpty
      ? "belongs: \(recording) has the SHA-256 of the report, and judged again by profile \(profile.name) the same \(count) values"
      : "does not belong: the report is not of \(recording)"
    return ([head] + differences.map { "  \($0)" }).map { $0.onOneLine + "\n" }.joined()
  }
}
