import ArgumentParser
import TouchInstruments
import TouchRecordings
import TouchSystem

struct TestVerificationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Tell whether a report belongs to a recording.",
    discussion: """
      Compares the SHA-256 of the recording and of the profile with those of the report, and judges the recording again, by the \
      report's profile, operator and tests. The exit status is 0 if every value is the same, and 1 if the report is of another \
      recording, or was changed. Facts that `--unit`, `--firmware` and `--by` gave to a report of an older recording are not in \
      it, and not compared.
      """)

  @Argument(
    help: ArgumentHelp("A JSON report of `touchtree test`.", valueName: "REPORT"),
    completion: .file(extensions: ["json"]))
  var report: String

  @Argument(help: ArgumentHelp("The recording.", valueName: "REC"), completion: .file()) var recording: String

  /// It is no option, since `touchtree test` has one of the same name, which would take it.
  @Argument(
    help: ArgumentHelp(
      "The file of the report's profile. Default: touchtree's own, by its name.", valueName: "PROFILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var profile: String?

  func run() throws {
    let verification = try TestVerification(
      report: TestCommand.text(of: report), file: report, recording: RecordingFile.read(recording),
      path: recording, profile: profile)
    let lines = LineOutput(.standardOutput)
    lines.write(Array(verification.text.utf8))
    try lines.flush()
    if !verification.differences.isEmpty { throw ExitCode(ExitStatus.badAnswer.rawValue) }
  }
}
