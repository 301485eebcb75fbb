import ArgumentParser
import Logging
import TouchCommand
import TouchConfig
import TouchCore
import TouchInput
import TouchInspection
import TouchInstruments
import TouchRecordings
import TouchSystem
import TouchTools

struct MonitorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ExternalCommand.monitor.rawValue, abstract: ExternalCommand.monitor.abstract,
    discussion: """
      Left: the events of the device. Right: its contacts in device units, their position in the window, and the \
      touches with their views. With --config, the device rules apply: filters may delay or drop what the left side \
      shows; a delayed contact is printed later, with its own time. When the last finger lifts, monitor prints how \
      fast the device reports, and how long its frames took from the kernel's time stamp until they were read. Handlers \
      and painting are not in that time; `touchtree ctl stats` has them.

      With a recording, monitor prints the same of it, at once: of all its devices, even those that touchtree does not use. With \
      --step, it shows the recording's touchscreen in the terminal, a frame at a time: space and the right arrow go on, b and \
      the left arrow back.
      """)

  @Argument(
    help: ArgumentHelp(
      "Show this recording (of libinput, evemu or hid-tools) instead of devices.", valueName: "REC"),
    completion: .file())
  var recording: String?

  @Option(
    help: ArgumentHelp(
      "Monitor this device, even one that touchtree does not use; may be repeated. Default: every device in use.",
      valueName: "PATH"), completion: .devices)
  var device: [String] = []

  @Option(
    help: ArgumentHelp(
      "Hit-test the views of this configuration and apply its device rules. Default: an empty window.",
      valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The display's size in pixels.", discussion: "Default: the canvas, or 800x480.", valueName: "WxH"),
    transform: SizeArgument.init)
  var size: SizeArgument?

  @Flag(help: "Grab the device exclusively.") var grab = false

  @Flag(help: "Print one JSON object per line.") var json = false

  @Flag(help: "Show a recording frame by frame, with its panel drawn in the terminal.") var step = false

  func validate() throws {
    if step && json {
      throw ValidationError("--step shows a picture, and --json prints lines: remove one of them.")
    }
    guard recording != nil else {
      if step { throw ValidationError("--step shows a recording: name one.") }
      return
    }
    if !device.isEmpty { throw ValidationError("A recording has its own devices: remove --device.") }
    if grab { throw ValidationError("A recording cannot be grabbed: remove --grab.") }
  }

  func run() throws {
    if step, let recording { return try RecordingStepper(Recording(path: recording)).run() }
    let configuration =
      try config.map { try Configuration.loadReportingWarnings($0) } ?? Configuration(file: "")
    var options = Monitor.Options()
    options.recording = try recording.map { try Recording(path: $0) }
    options.devices = device
    options.isGrabbing = grab
    options.isJSON = json
    let log = Logger(label: "touchtree") { label in LogOutput(label: label, level: .notice) }
    try Monitor(
      configuration: configuration, display: size?.size ?? configuration.canvasLayout.naturalDisplaySize,
      options: options, log: log
    ).run()
  }
}
