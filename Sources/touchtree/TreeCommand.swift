import ArgumentParser
import TouchCore
import TouchDaemon
import TouchSystem

struct TreeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree", abstract: "Print the view tree of a configuration.")

  @OptionGroup var tree: ConfigurationArgument

  func run() throws {
    try exitingOnFailure {
      let output = LineOutput(.standardOutput)
      for line in TreeDescription.lines(of: try tree.tree().tree) { output.write(line: line) }
      try output.flush()
    }
  }
}
