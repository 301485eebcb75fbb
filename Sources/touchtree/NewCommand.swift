import ArgumentParser
import TouchSystem
import TouchTools

struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Write a first panel into a new folder.",
    discussion: """
      The panel runs as it is. Beside it are handlers in Python, C and Swift, and a README that says how each is built.
      """)

  @Argument(
    help: ArgumentHelp("The folder; it is made, or has to be empty.", valueName: "DIR"),
    completion: .directory)
  var folder: String

  func run() throws {
    let files = try Starter.write(to: folder)
    let output = LineOutput(.standardOutput)
    for file in files { output.write(line: "\(folder)/\(file)") }
    output.write(
      line: "Next, on a desktop: touchtree preview \(folder)/touchtree.yaml --open; on a board's console: "
        + "touchtree run \(folder)/touchtree.yaml")
    try output.flush()
  }
}
