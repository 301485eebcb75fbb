import ArgumentParser
import TouchDaemon

/// What a hit test is asked, of a file or of a daemon that runs.
struct HitArguments: ParsableArguments {
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

  @Flag(help: "Print one JSON object.")
  var json = false

  var question: HitQuestion {
    var question = HitQuestion(x: point.x, y: point.y)
    question.start = start
    question.isAll = all
    question.isExplained = explain
    question.isJSON = json
    return question
  }
}
