import ArgumentParser
import TouchDaemon

struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draw the tree into a PNG file, as a display of that size would show it."
  )

  @OptionGroup var tree: ConfigurationArgument

  @Option(
    name: [.customShort("o"), .long], help: ArgumentHelp("The picture to write.", valueName: "OUT.png"),
    completion: .file(extensions: ["png"]))
  var output: String

  @Option(
    help: ArgumentHelp(
      "Show a finger that is down at this point; may be repeated.", valueName: "X,Y"))
  var touch: [PointArgument] = []

  func run() throws {
    try exitingOnFailure {
      let session = try tree.session(showsRest: true)
      let rehearsal = Rehearsal(session: session) {
        StandardError.write(line: "touchtree: warning: \($0)")
      }
      for point in touch { try rehearsal.touchDown(point.windowPoint) }
      try rehearsal.render(to: output)
      // What can be painted is; the file is wrong all the same, and what is wrong was said.
      if session.configuration.warnings.contains(where: { $0.severity == .error }) {
        throw ExitCode(ExitStatus.badConfiguration.rawValue)
      }
    }
  }
}
