import ArgumentParser
import TouchInstruments
import TouchSystem

struct TestComparisonCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compare the JSON reports of many panels, or of two firmwares.",
    discussion: """
      Prints for each figure the mean, the standard deviation, the least and the most, and how capable the series is of its \
      limit (Cpk), and names panels that are unlike the others by their serial number (`touchtree test --unit`), or else by \
      their file. Where operators (`--by`) tested the same panels (`--unit`), each panel equally often, it prints the part of \
      the variation and of the tolerance that is the measurement's (gauge R&R). Where the reports have two firmwares \
      (`--firmware`) or two conditions (`--condition`), it prints their difference with its 95 % confidence interval.
      """)

  @Argument(
    help: ArgumentHelp("JSON reports of `touchtree test`, one for each panel or run.", valueName: "REPORT"),
    completion: .file(extensions: ["json"]))
  var reports: [String]

  func run() throws {
    let lines = LineOutput(.standardOutput)
    lines.write(Array(try TestComparison(reports: reports).text.utf8))
    try lines.flush()
  }
}
