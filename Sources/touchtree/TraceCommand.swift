import ArgumentParser
import TouchCore
import TouchDaemon
import TouchInput
import TouchSystem
import TouchTools

struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Touch the tree, and print every step of hit testing and delivery.",
    discussion: """
      Nothing is started or loaded: handlers answer forward here. `touchtree run --replay` runs them.
      """)

  @OptionGroup var tree: ConfigurationArgument

  @Option(help: ArgumentHelp("Touch down and lift at a point; may be repeated.", valueName: "X,Y"))
  var tap: [PointArgument] = []

  @Option(
    help: ArgumentHelp(
      "Touch down at the first point, move, and lift at the last; each further one is a finger at the same time.",
      valueName: "X,Y:X,Y…"))
  var drag: [PathArgument] = []

  @Option(help: ArgumentHelp("Rest so long before lifting.", valueName: "seconds"))
  var hold: Double?

  @Option(help: "Play a recording of a device.", completion: .file())
  var replay: String?

  @Option(help: "How often each hit test is made; iOS makes it twice.")
  var passes: Int?

  @Flag(help: "Print one JSON object a line.")
  var json = false

  @Option(
    help: "Write a picture of every change of phase to this folder.", completion: .directory,
    transform: PictureFolder.checked)
  var pictures: String?

  func validate() throws {
    let ways = (tap.isEmpty ? 0 : 1) + (drag.isEmpty ? 0 : 1) + (replay == nil ? 0 : 1)
    guard ways == 1 else { throw ValidationError("Say one of --tap X,Y, --drag X,Y:X,Y… and --replay REC.") }
    if let hold, !(0...3600).contains(hold) {
      throw ValidationError("--hold is a number of seconds, up to 3600.")
    }
    if hold != nil && replay != nil {
      throw ValidationError(
        "--hold has no effect on a recording, which has its own times: remove one of them.")
    }
    if let passes, !(1...2).contains(passes) { throw ValidationError("--passes is 1 or 2.") }
  }

  func run() throws {
    try exitingOnFailure {
      let (tree, pipeline) = try tree.tree()
      if let passes { tree.window.hitTestPasses = passes }
      let output = LineOutput(.standardOutput)
      let writer = TraceWriter(format: json ? .json : .text, write: output.write)
      pipeline.dispatcher.observer = writer
      let dryRun = DryRun(tree: tree, pipeline: pipeline) {
        StandardError.write(line: "touchtree: warning: \($0)")
      }
      if let pictures { try dryRun.keepPictures(in: pictures) }
      if let replay {
        try dryRun.play(try Recording(path: replay))
      } else {
        if !drag.isEmpty { try dryRun.drag(drag.map { $0.points.map(\.windowPoint) }, hold: hold ?? 0) }
        for point in tap { try dryRun.tap(point.windowPoint, hold: hold ?? 0) }
        try dryRun.finish()
      }
      try output.flush()
    }
  }
}
