import ArgumentParser
import Logging
import TouchCommand
import TouchConfig
import TouchInstruments
import TouchPixels
import TouchSystem
import TouchTools

struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ExternalCommand.calibrate.rawValue, abstract: ExternalCommand.calibrate.abstract,
    discussion: """
      The current calibration is ignored while you calibrate. Press any key, send a signal, or do not touch the screen for a minute to cancel \
      without writing anything.
      """)

  @Option(
    help: ArgumentHelp(
      "Take the display and the device rules from this configuration.",
      discussion: "Default: \(Configuration.installed), if it exists.", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Option(
    help: ArgumentHelp("The device to calibrate. Default: the one that you touch.", valueName: "PATH"),
    completion: .devices)
  var device: String?

  @Option(
    help: ArgumentHelp(
      "The display for the crosses: auto, /dev/fbN or kms[:CONNECTOR].", valueName: "auto|/dev/fbN"),
    completion: .displays("auto"),
    transform: DisplayArgument.init)
  var display: DisplayArgument?

  @Option(
    help: ArgumentHelp(
      "The virtual terminal to use: /dev/ttyN, or new for a free one. Default: the current one.",
      valueName: "/dev/ttyN|new"), completion: .terminals)
  var tty: String?

  @Option(help: ArgumentHelp("Cancel after this time without a valid touch.", valueName: "seconds"))
  var timeout = 60

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Write the configuration lines to this file, or - for standard output.", valueName: "FILE"
    ),
    completion: .file())
  var output = "-"

  @Flag(help: "Write a udev rule for libinput instead of lines for touchtree.") var udev = false

  func validate() throws {
    if !(1...86_400).contains(timeout) { throw ValidationError("--timeout takes 1 to 86400 seconds.") }
    if display?.name.usesTerminal == true {
      throw ValidationError(
        "the crosses have to be on the panel that is touched: --display takes auto or a framebuffer such as /dev/fb0."
      )
    }
  }

  func run() throws {
    var options = Calibrator.Options()
    options.display = display?.name
    if let tty { options.terminal = tty == "new" ? .unused : .path(tty) }
    options.devices = device.map { [$0] } ?? []
    options.timeout = timeout
    options.report = { StandardError.write(line: $0) }
    let log = Logger(label: "touchtree") { LogOutput(label: $0, level: .warning) }
    let configuration = try Configuration.installedOr(config)
    let calibration = try calibrator(configuration, options, log).run()
    StandardError.write(line: calibration.summary)
    try write(udev ? calibration.udevRule : calibration.snippet)
  }

  /// Makes a calibrator, whose display is the panel: errors name no others.
  private func calibrator(_ configuration: Configuration, _ options: Calibrator.Options, _ log: Logger) throws
    -> Calibrator
  {
    do {
      return try Calibrator(configuration: configuration, options: options, log: log)
    } catch let error as DisplayError where error.kind == .missing || error.kind == .wrongKind {
      throw Failure(
        error.failure.status,
        "\(error.path): this is no framebuffer, and the crosses have to be on the panel that is touched. "
          + "Name it with --display /dev/fbN or --display kms:HDMI-A-1 (touchtree displays lists them); docs/boards.md says how to get one"
      )
    }
  }

  private func write(_ text: String) throws {
    do {
      let output = try LineOutput(path: output, backpressure: .waits)
      output.write(Array(text.utf8))
      try output.flush()
    } catch {
      throw Failure(
        ExitStatus(error),
        lines: ["\(output): the calibration cannot be written (\(error)). It is:"]
          + text.split(separator: "\n").map(String.init))
    }
  }
}
