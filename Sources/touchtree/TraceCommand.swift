import ArgumentParser
import TouchCore
import TouchInspection
import TouchRecordings
import TouchSystem
import TouchTools

struct TraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace", abstract: "Touch the view tree and print every step of hit testing and delivery.",
    discussion: """
      Handlers do not run. To run them, use `touchtree run --replay`.
      """)

  @OptionGroup var tree: ConfigurationArgument

  @Option(
    help: ArgumentHelp("Tap at this point; may be repeated.", valueName: "X,Y"),
    transform: PointArgument.init)
  var tap: [PointArgument] = []

  @Option(
    help: ArgumentHelp(
      "Touch the first point, move along the others and lift at the last. Each further --drag is another finger at the same time.",
      valueName: "X,Y:X,Y…"), transform: PathArgument.init)
  var drag: [PathArgument] = []

  @Option(help: ArgumentHelp("Hold the finger still for this long before it lifts.", valueName: "seconds"))
  var hold: Double?

  @Option(help: ArgumentHelp("Play this recording.", valueName: "REC"), completion: .file())
  var replay: String?

  @Option(help: ArgumentHelp("Hit tests per touch (1, or 2 as iOS does).", valueName: "1|2")) var passes: Int?

  @Flag(help: "Print one JSON object per line.") var json = false

  @Option(
    help: ArgumentHelp("Save a picture of every phase change in this folder.", valueName: "DIR"),
    completion: .directory,
    transform: PictureFolder.checked)
  var pictures: String?

  func validate() throws {
    let ways = (tap.isEmpty ? 0 : 1) + (drag.isEmpty ? 0 : 1) + (replay == nil ? 0 : 1)
    guard ways == 1 else { throw ValidationError("Give one of --tap X,Y, --drag X,Y:X,Y… and --replay REC.") }
    if let hold, !(0...3600).contains(hold) { throw ValidationError("--hold takes 0 to 3600 seconds.") }
    if hold != nil && replay != nil {
      throw ValidationError(
        "--hold does not work with a recording, which has its own times: remove one of them.")
    }
    if let passes, !(1...2).contains(passes) { throw ValidationError("--passes takes 1 or 2.") }
  }

  func run() throws {
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
