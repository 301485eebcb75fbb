import ArgumentParser
import TouchCore
import TouchDaemon

struct TreeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree", abstract: "Print the view tree, as it was read.")

  @OptionGroup var tree: ConfigurationArgument

  func run() throws {
    try exitingOnFailure {
      let output = LineOutput(.standardOutput)
      for line in TreeDescription.lines(of: try tree.pipeline().tree) { output.write(line: line) }
      try output.flush()
    }
  }
}
