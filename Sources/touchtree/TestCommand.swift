import ArgumentParser
import SystemPackage
import TouchConfig
import TouchCore
import TouchDaemon
import TouchInput
import TouchMeasure
import TouchSystem
import TouchTools

struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Measure what a touchscreen really does, and judge it.",
    discussion: """
      The exit status is 0 if every test passed, 1 if one failed, and 2 if none failed and not all could be judged. A \
      recording that was not made by a test is judged by the tests that need no task: \
      \(PanelTest.allCases.filter(\.needsNoTask).map(\.rawValue).joined(separator: ", ")). With --only, all that it holds \
      is taken for the task. Limits in millimetres need the resolution of the device's axes, or --size.
      """)

  @Option(
    help: ArgumentHelp("Judge a recording.", valueName: "REC"), completion: .file())
  var replay: String

  @Option(
    help: ArgumentHelp(
      "Make only these tests: \(PanelTest.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "TEST,…"), transform: TestsArgument.init)
  var only: TestsArgument?

  @Option(
    help: ArgumentHelp(
      "The limits: chromeos, hlk, or a YAML file.", discussion: "Default: chromeos.",
      valueName: "NAME|FILE"), completion: .file(extensions: ["yaml", "yml"]))
  var profile = "chromeos"

  @Option(
    help: ArgumentHelp(
      "The panel's width and height in millimetres, as you see it.",
      discussion: "Default: from the resolution of the device's axes.", valueName: "WxHmm"),
    transform: MillimetresArgument.init)
  var size: MillimetresArgument?

  @Option(
    help: ArgumentHelp(
      "Show the figures of this JSON report of another test next to the new ones.", valueName: "REPORT"),
    completion: .file(extensions: ["json"]))
  var baseline: String?

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Save the report: as FILE.txt, FILE.json, FILE.xml (JUnit) or FILE.png, or all of them and the recording in a folder.",
      valueName: "FILE|DIR"), completion: .file())
  var output: String?

  func run() throws {
    try exitingOnFailure {
      let profile = try PanelProfile.load(profile)
      let recording = try Recording(path: replay)
      for notice in recording.notices { StandardError.write(line: "touchtree: warning: \(notice)") }
      let judgement = PanelJudgement(
        of: try PanelEvidence(of: recording, size: size?.size), by: profile, only: only?.tests)
      try report(judgement)
    }
  }

  private func report(_ judgement: PanelJudgement) throws {
    let destination = output.map { TestOutput(path: $0) }
    let report = try TestReport(judgement, baseline: try baseline.map(Self.text))
    if let destination {
      try destination.prepare()
      try destination.copy(recording: replay)
      try destination.write(judgement, report)
    }
    let lines = LineOutput(.standardOutput)
    lines.write(Array(report.text.utf8))
    try lines.flush()
    switch judgement.verdict {
    case .passed, .measured: break
    case .failed: throw ExitCode(ExitStatus.badAnswer.rawValue)
    case .incomplete: throw ExitCode(ExitStatus.incomplete.rawValue)
    }
  }

  private static func text(of baseline: String) throws -> String {
    do {
      return String(decoding: try FileContents.read(baseline, upTo: 1 << 20), as: UTF8.self)
    } catch {
      throw Failure(
        ExitStatus(error),
        "\(baseline): the report cannot be read (\(error)); name a JSON report of `touchtree test`")
    }
  }
}

/// `grid,rate,…`
struct TestsArgument {
  var tests: [PanelTest]

  /// - Throws: `ValidationError` for what is not a test.
  init(argument: String) throws {
    tests = try argument.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let test = PanelTest(rawValue: String(name)) else {
        let names = PanelTest.allCases.map(\.rawValue)
        let near = Suggestion.nearest(to: String(name), among: names)
        throw ValidationError(
          "there is no test '\(name)'; \(near.map { "did you mean '\($0)'?" } ?? names.joined(separator: ", "))"
        )
      }
      return test
    }
  }
}

/// `WxHmm`
struct MillimetresArgument {
  var size: Size

  /// - Throws: `ValidationError` for anything else.
  init(argument: String) throws {
    guard let size = TestMarks.size(argument) else {
      throw ValidationError("a panel's size is its width and height in millimetres, such as 154x86mm")
    }
    self.size = size
  }
}
