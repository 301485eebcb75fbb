import ArgumentParser
import Logging
import TouchConfig
import TouchCore
import TouchDaemon
import TouchTools

struct MonitorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Show live what devices say, frame by frame, and what touchtree makes of it.",
    discussion: """
      On the left the device's own events; on the right contacts in device units, their places in the window, and \
      touches with the views that they are on. With --config, as its rules have it: filters may delay or drop what \
      the left side says, and what they let go of later stands under a time of its own. Whenever the last finger \
      lifts, how fast the device reports.
      """)

  @Option(
    help: ArgumentHelp(
      "Look at this device, even at one that is not used; may be repeated. Default: every device that is used.",
      valueName: "PATH"), completion: .file())
  var device: [String] = []

  @Option(
    help: "Find the views of this configuration, and map by its rules. Default: an empty window.",
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The display's size in pixels.", discussion: "Default: the canvas, or else 800x480.", valueName: "WxH"))
  var size: SizeArgument?

  @Flag(help: "Keep the events from everybody else meanwhile.")
  var grab = false

  @Flag(help: "Print one JSON object a line.")
  var json = false

  func run() throws {
    try exitingOnFailure {
      let configuration =
        try config.map { try Configuration.loadTellingWarnings($0) } ?? Configuration(file: "")
      var options = Monitor.Options()
      options.devices = device
      options.isGrabbing = grab
      options.isJSON = json
      let log = Logger(label: "touchtree") { label in LogOutput(label: label, level: .notice) }
      try Monitor(
        configuration: configuration, display: size?.size ?? TreeSize.of(configuration), options: options,
        log: log
      ).run()
    }
  }
}
