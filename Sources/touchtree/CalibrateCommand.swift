import ArgumentParser
import Logging
import SystemPackage
import TouchCommand
import TouchConfig
import TouchDaemon
import TouchSystem
import TouchTools

struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Calibrate a touchscreen: touch five crosses and a check point.",
    discussion: """
      The current calibration is ignored while you calibrate. Press any key, send a signal, or do not touch the screen for a minute to cancel \
      without writing anything.
      """)

  @Option(
    help: ArgumentHelp(
      "Take the display and the device rules from this configuration.",
      discussion: "Default: \(RunCommand.installed), if it exists.", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Option(
    help: ArgumentHelp("The device to calibrate. Default: the one that you touch.", valueName: "PATH"),
    completion: .file())
  var device: String?

  @Option(
    help: ArgumentHelp("The display for the crosses: auto or /dev/fbN.", valueName: "auto|/dev/fbN"),
    transform: DisplayArgument.init)
  var display: DisplayArgument?

  @Option(
    help: ArgumentHelp(
      "The virtual terminal to use: /dev/ttyN, or new for a free one. Default: the current one.",
      valueName: "/dev/ttyN|new"))
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

  @Flag(help: "Write a udev rule for libinput instead of lines for touchtree.")
  var udev = false

  func validate() throws {
    if !(1...86_400).contains(timeout) { throw ValidationError("--timeout takes 1 to 86400 seconds.") }
  }

  func run() throws {
    try exitingOnFailure {
      var options = Calibrator.Options()
      options.display = display?.choice
      if let tty { options.terminal = tty == "new" ? .unused : .path(tty) }
      options.devices = device.map { [$0] } ?? []
      options.timeout = timeout
      options.tell = { StandardError.write(line: $0) }
      let log = Logger(label: "touchtree") { LogOutput(label: $0, level: .warning) }
      let calibrator = try Calibrator(
        configuration: try ConfigurationArgument.installedOr(config), options: options, log: log)
      let calibration = try calibrator.run()
      StandardError.write(line: calibration.summary)
      try write(udev ? calibration.udevRule : calibration.snippet)
    }
  }

  private func write(_ text: String) throws {
    do {
      let output = try LineOutput(path: output, backpressure: .waits)
      output.write(Array(text.utf8))
      try output.flush()
    } catch {
      throw Failure(
        ExitStatus(error), "\(output): the calibration cannot be written (\(error)). It is:\n\(text)")
    }
  }
}
