import ArgumentParser
import TouchOutput
import TouchPixels
import TouchSystem
import TouchTools

struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draw the view tree as a PNG file.",
    discussion: """
      It is drawn as it is at first. For another language or theme: --set language=de --set theme=light
      """)

  @OptionGroup var tree: ConfigurationArgument

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The PNG file to write; - is standard output.", valueName: "OUT.png"),
    completion: .file(extensions: ["png"]), transform: PictureArgument.init)
  var output: PictureArgument

  @Option(
    help: ArgumentHelp(
      "Show this page, and those in which it lies; may be repeated.", valueName: "PAGE"))
  var page: [String] = []

  @Option(
    help: ArgumentHelp(
      "Set a named value of the file, as ctl set does; may be repeated.", valueName: "NAME=VALUE"),
    transform: ValueArgument.init)
  var set: [ValueArgument] = []

  @Option(
    help: ArgumentHelp("Draw a finger that touches this point; may be repeated.", valueName: "X,Y"),
    transform: PointArgument.init)
  var touch: [PointArgument] = []

  @Option(
    help: ArgumentHelp(
      "Draw the picture as this framebuffer or connector would show it, in its size and colours.",
      valueName: "/dev/fbN|kms:NAME"), completion: .displays())
  var like: String?

  @Flag(help: "Outline every view, and write its id on it.") var ids = false

  func validate() throws {
    if like != nil && tree.size != nil {
      throw ValidationError("Give either --size or --like: a display has its own size.")
    }
  }

  /// - Throws: `DisplayError`; or a `Failure` that lists the displays if there is none with the name.
  private func preview(of name: String) throws -> DisplayPreview {
    var reason = "\(name): such a display has no size before it is open"
    do throws(DisplayError) {
      if let preview = try DisplayName(name).preview() { return preview }
    } catch {
      guard error.kind == .missing || error.kind == .badName else { throw error }
      reason = error.description
    }
    let others = DisplayReport.survey().reports.map(\.name)
    throw Failure(
      .unavailable,
      "\(reason). "
        + (others.isEmpty
          ? "This machine has no display to draw for, so give the size instead: --size 800x480"
          : "This machine has " + others.joined(separator: ", ")))
  }

  func run() throws {
    try exitingOnFailure {
      let preview = try like.map(preview(of:))
      let (tree, pipeline) = try tree.tree(on: preview?.size, showsRest: true, values: set.map(\.entry))
      let dryRun = DryRun(tree: tree, pipeline: pipeline) {
        StandardError.write(line: "touchtree: warning: \($0)")
      }
      for page in page { try dryRun.showPage(page) }
      for point in touch { try dryRun.touchDown(point.windowPoint) }
      try dryRun.render(to: output.path, like: preview, showsIDs: ids)
      // The rest is painted. The errors of the file have been reported.
      if tree.configuration.warnings.contains(where: { $0.severity == .error }) {
        throw ExitCode(ExitStatus.badConfiguration.rawValue)
      }
    }
  }
}
