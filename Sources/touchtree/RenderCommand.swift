import ArgumentParser
import TouchOutput
import TouchTools

struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draw the tree into a PNG file, as a display of that size would show it."
  )

  @OptionGroup var tree: ConfigurationArgument

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The PNG file to write; - is standard output.", valueName: "OUT.png"),
    completion: .file(extensions: ["png"]), transform: PictureArgument.init)
  var output: PictureArgument

  @Option(
    help: ArgumentHelp(
      "Show a finger that is down at this point; may be repeated.", valueName: "X,Y"))
  var touch: [PointArgument] = []

  @Option(
    help: ArgumentHelp(
      "Draw what this framebuffer would show: in its size, and in the colours that it has.",
      valueName: "/dev/fbN"), completion: .file())
  var like: String?

  @Flag(help: "Outline every view, and write its id on it.")
  var ids = false

  func validate() throws {
    if like != nil && tree.size != nil {
      throw ValidationError("Say --size or --like: a framebuffer has a size of its own.")
    }
  }

  func run() throws {
    try exitingOnFailure {
      let likeness = try like.map { try FramebufferLikeness(path: $0) }
      let (tree, pipeline) = try tree.tree(on: likeness?.size, showsRest: true)
      let dryRun = DryRun(tree: tree, pipeline: pipeline) {
        StandardError.write(line: "touchtree: warning: \($0)")
      }
      for point in touch { try dryRun.touchDown(point.windowPoint) }
      try dryRun.render(to: output.path, like: likeness, showsIDs: ids)
      // What can be painted is; the file is wrong all the same, and what is wrong was said.
      if tree.configuration.warnings.contains(where: { $0.severity == .error }) {
        throw ExitCode(ExitStatus.badConfiguration.rawValue)
      }
    }
  }
}
