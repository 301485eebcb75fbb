import ArgumentParser
import TouchDaemon

/// What a hit test is asked, of a file or of a daemon that runs.
struct HitArguments: ParsableArguments {
  @Argument(help: ArgumentHelp("The point, in window units.", valueName: "X,Y"))
  var point: PointArgument

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "Start the hit test at this view; the point is in its bounds space.", valueName: "VIEW"))
  var start: String?

  @Flag(help: "Print every view at the point, front to back.")
  var all = false

  @Flag(help: "Explain for each view why it was or was not hit.")
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
