import ArgumentParser
import TouchInspection
import TouchSystem

struct TreeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree", abstract: "Print the view tree of a configuration.")

  @OptionGroup var tree: ConfigurationArgument

  @Flag(help: "Print one JSON object, with what can be set of each view, and what its properties follow.")
  var json = false

  func run() throws {
    let output = LineOutput(.standardOutput)
    let tree = try tree.tree().tree
    if json {
      output.write(line: TreeDescription.json(of: tree))
    } else {
      for line in TreeDescription.lines(of: tree) { output.write(line: line) }
    }
    try output.flush()
  }
}
