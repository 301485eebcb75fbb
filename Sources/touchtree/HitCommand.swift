import ArgumentParser
import TouchCore
import TouchDaemon

struct HitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hit", abstract: "Print the id of the view under a point, or none.")

  @OptionGroup var tree: ConfigurationArgument

  @Argument(help: ArgumentHelp("The point, in window units.", valueName: "X,Y"))
  var point: PointArgument

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("Start at this view, with the point in its own bounds space.", valueName: "VIEW"))
  var start: String?

  @Flag(help: "Print every view under the point, front to back.")
  var all = false

  @Flag(help: "Say of each view that is asked why it does or does not answer.")
  var explain = false

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("With --explain: draw it into a PNG file.", valueName: "OUT.png"),
    completion: .file(extensions: ["png"]))
  var output: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if output != nil && !explain { throw ValidationError("-o draws an explanation: say --explain too.") }
  }

  func run() throws {
    try exitingOnFailure {
      let session = try tree.session()
      let start = try start.map(session.view(named:)) ?? session.scene.window
      let local = LocalPoint(x: point.x, y: point.y)
      let explanation = explain ? HitExplanation(at: local, from: start) : nil
      var answer = HitAnswer(x: point.x, y: point.y, hit: start.hitView(at: local, with: nil))
      answer.explanation = explanation
      if all { answer.all = start.hitTestAll(local, with: nil) }
      if let output, let explanation {
        try HitPicture.write(
          explanation, at: start.convertToWindow(local), session: session, to: output)
      }
      let lines = LineOutput(.standardOutput)
      for line in json ? [answer.json] : answer.lines { lines.write(line: line) }
      try lines.flush()
    }
  }
}
