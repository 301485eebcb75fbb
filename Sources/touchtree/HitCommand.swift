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

  @Flag(help: "Say of each view that is asked why it does or does not answer.")
  var explain = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    try exitingOnFailure {
      let session = try tree.session()
      let explanation = explain ? HitExplanation() : nil
      let event = Event(observer: explanation)
      let hit: View?
      if let start {
        hit = try session.view(named: start).hitView(at: LocalPoint(x: point.x, y: point.y), with: event)
      } else {
        hit = session.scene.window.hitView(at: point.windowPoint, with: event)
      }
      if json {
        print(HitAnswer.json(x: point.x, y: point.y, hit: hit, explanation: explanation?.lines))
      } else {
        for line in explanation?.lines ?? [] { print(line) }
        print(hit?.id ?? "none")
      }
    }
  }
}
