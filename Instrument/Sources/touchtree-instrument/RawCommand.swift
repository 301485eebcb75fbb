import ArgumentParser
import TouchCommand
import TouchInstruments
import TouchSystem

struct RawCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ExternalCommand.raw.rawValue, abstract: ExternalCommand.raw.abstract,
    discussion: """
      Some drivers offer the numbers that their controller makes touches of, one for each crossing of its electrodes, as a V4L2 \
      node (/dev/v4l-touchN): rmi4, atmel_mxt_ts, sur40. In a terminal they are shown as a picture, warm where they are above their \
      rest. Keep your hands off for the first second, then draw a finger over the whole panel.

      At the end (q, Ctrl-C, or after --seconds) come the figures: the noise of the nodes, and the rows and columns that are dead. The \
      exit status is 1 if there is one.
      """)

  @Argument(
    help: ArgumentHelp("The V4L2 node. Default: the first one.", valueName: "NODE"), completion: .file())
  var node: String?

  @Option(
    help: ArgumentHelp(
      "What the controller measures, by the number or the name of the driver's input. Default: what is chosen.",
      valueName: "INPUT"))
  var input: String?

  @Option(help: ArgumentHelp("End after so many seconds.", valueName: "SECONDS")) var seconds: Double?

  @Flag(help: "Print one JSON object per frame, and one with the figures.") var json = false

  func validate() throws {
    if let seconds, !(seconds > 0 && seconds <= 86_400) {
      throw ValidationError("--seconds has to be more than 0, and at most 86400 (a day).")
    }
  }

  func run() throws {
    var options = RawMonitor.Options()
    (options.node, options.input, options.seconds, options.isJSON) = (node, input, seconds, json)
    guard try RawMonitor(options).run() else { throw ExitCode(ExitStatus.badAnswer.rawValue) }
  }
}
