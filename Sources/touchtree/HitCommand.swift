import ArgumentParser
import TouchPixels
import TouchSystem
import TouchTools

struct HitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hit", abstract: "Print the id of the view at a point, or none.")

  @OptionGroup var tree: ConfigurationArgument

  @OptionGroup var hit: HitArguments

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "With --explain: save the explanation as a PNG file. With -, the picture goes to standard output and the text to standard error.",
      valueName: "OUT.png"),
    completion: .file(extensions: ["png"]), transform: PictureArgument.init)
  var output: PictureArgument?

  func validate() throws {
    if output != nil && !hit.explain { throw ValidationError("-o draws the explanation: add --explain.") }
  }

  func run() throws {
    try exitingOnFailure {
      let (tree, pipeline) = try tree.tree()
      let answer = try hit.question.answer(in: tree)
      if let output, let explanation = answer.explanation {
        try HitPicture.write(explanation, in: tree, geometry: pipeline.geometry, to: output.path) {
          StandardError.write(line: "touchtree: warning: \($0)")
        }
      }
      let lines = LineOutput(output?.path == PNGWriter.standardOutput ? .standardError : .standardOutput)
      for line in answer.lines { lines.write(line: line) }
      try lines.flush()
    }
  }
}
