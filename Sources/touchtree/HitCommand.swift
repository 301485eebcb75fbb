import ArgumentParser
import TouchInspection
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

  /// Returns why a line cannot be a hit test; nil for other lines. The parser says less.
  static func problem(with arguments: [String]) -> String? {
    guard arguments.first == configuration.commandName else { return nil }
    var given: [String] = []
    var isValue = false
    for argument in arguments.dropFirst() {
      let isOption = argument.hasPrefix("-") && PointArgument(argument[...]) == nil
      if argument == "--help" || argument == "-h" { return nil }
      if !isOption && !isValue { given.append(argument) }
      isValue = isOption && ["--size", "--in", "-o", "--output"].contains(argument)
    }
    guard given.count == 1 else { return nil }
    return PointArgument(given[0][...]) == nil
      ? "the point is missing; type it behind the file: touchtree hit \(given[0]) 120,100"
      : "the file is missing; type it in front of the point: touchtree hit FILE \(given[0])"
  }

  func validate() throws {
    if output != nil && !hit.explain { throw ValidationError("-o draws the explanation: add --explain.") }
  }

  func run() throws {
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

/// The question of a hit test, to a file or to a running daemon.
struct HitArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The point, in window units.", valueName: "X,Y"), transform: PointArgument.init)
  var point: PointArgument

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "Start the hit test at this view; the point is in its bounds space.", valueName: "VIEW"))
  var start: String?

  @Flag(help: "Print every view at the point, front to back.") var all = false

  @Flag(help: "Explain for each view why it was or was not hit.") var explain = false

  @Flag(help: "Print one JSON object.") var json = false

  var question: HitQuestion {
    var question = HitQuestion(x: point.x, y: point.y)
    question.start = start
    question.isAll = all
    question.isExplained = explain
    question.isJSON = json
    return question
  }
}
