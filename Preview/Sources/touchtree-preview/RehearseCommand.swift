import ArgumentParser
import SystemPackage
import TouchCommand
import TouchRehearsal
import TouchSystem

struct RehearseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ExternalCommand.rehearse.rawValue, abstract: ExternalCommand.rehearse.abstract,
    discussion: """
      The panel is shown in memory, by a clock that stands between the steps. Nothing outside of it is started: no handler, no \
      command. Exit status: 0 all cases passed; 1 one failed; 2 a picture to compare with is missing.
      """)

  @Argument(
    help: ArgumentHelp("The rehearsals: files that name a panel.", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var files: [String]

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Write all pictures into this folder.", valueName: "DIR"),
    completion: .directory)
  var output: String?

  @Option(
    help: ArgumentHelp("Write the results to this file, as JUnit's XML.", valueName: "FILE"),
    completion: .file(extensions: ["xml"]))
  var junit: String?

  @Option(help: ArgumentHelp("Perform this case only; may be repeated.", valueName: "NAME"))
  var only: [String] = []

  @Flag(help: "Write the pictures to compare with, and compare none.")
  var record = false

  @Flag(help: "Look for errors in the files and their panels, and perform nothing.")
  var check = false

  func run() throws {
    if check { return try reportGood() }
    if let output { try Rehearser.makeFolder(output) }
    var (report, hasFailed, isIncomplete) = (JUnitReport(), false, false)
    let lines = LineOutput(.standardOutput)
    for file in files {
      let results = try perform(file, lines)
      report.add(results, of: file)
      if results.contains(where: { $0.failure != nil }) { hasFailed = true }
      if results.contains(where: { !$0.missing.isEmpty }) { isIncomplete = true }
    }
    if let junit { try write(report, to: junit) }
    if hasFailed { throw ExitCode(ExitStatus.badAnswer.rawValue) }
    if isIncomplete { throw ExitCode(ExitStatus.incomplete.rawValue) }
  }

  private func reportGood() throws {
    let lines = LineOutput(.standardOutput)
    for file in files {
      let count = try Rehearser(file: file).names.count
      lines.write(line: "\(file): good, \(count) \(count == 1 ? "case" : "cases")")
      try lines.flush()
    }
  }

  private func perform(_ file: String, _ lines: LineOutput) throws -> [Rehearser.Result] {
    var rehearser = try Rehearser(file: file)
    (rehearser.folder, rehearser.records) = (output, record)
    for name in only where !rehearser.names.contains(name) && files.count == 1 {
      throw Failure(
        "\(file): no case is called \"\(name.escaped)\"; the cases are: \(rehearser.names.joined(separator: ", "))"
      )
    }
    var results: [Rehearser.Result] = []
    for (index, name) in rehearser.names.enumerated() where only.isEmpty || only.contains(name) {
      let result = try rehearser.perform(index)
      results.append(result)
      for warning in result.missing { lines.write(line: "\(warning)") }
      if let failure = result.failure { lines.write(line: "\(failure)") }
      lines.write(line: "\(file): \(name): \(result.failure == nil ? "passed" : "failed")")
      try lines.flush()
    }
    let passed = results.count { $0.failure == nil }
    lines.write(
      line: "\(file): \(passed) of \(results.count) \(results.count == 1 ? "case" : "cases") passed")
    try lines.flush()
    return results
  }

  private func write(_ report: JUnitReport, to path: String) throws {
    let output: LineOutput
    do throws(Errno) {
      output = try LineOutput(path: path, backpressure: .waits)
    } catch {
      throw Failure(ExitStatus(error), "\(path): cannot be written: \(error); name another file")
    }
    for line in report.xml.split(separator: "\n") { output.write(line: String(line)) }
    try output.flush()
  }
}
