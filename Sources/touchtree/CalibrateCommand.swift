import ArgumentParser
import Logging
import SystemPackage
import TouchConfig
import TouchDaemon
import TouchSystem
import TouchTools

struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract: "Touch five crosses and a check point, and get a device's calibration for the configuration.",
    discussion: """
      The calibration that a device has already plays no part. Any key, a signal, or a minute without a touch leaves \
      without writing anything.
      """)

  /// Where `run` looks too.
  private static let installed = "/etc/touchtree/touchtree.yaml"

  @Option(
    help: ArgumentHelp(
      "The configuration file, for its display and its devices.",
      discussion: "Default: \(installed), if it is there."),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Option(
    help: ArgumentHelp("The device to calibrate. Default: the one that is touched.", valueName: "PATH"),
    completion: .file())
  var device: String?

  @Option(help: ArgumentHelp("Where to show the crosses: auto or /dev/fbN.", valueName: "display"))
  var display: DisplayArgument?

  @Option(
    help: ArgumentHelp(
      "The virtual terminal to show on: /dev/ttyN, or new for one that nobody uses. Default: the one this runs on.",
      valueName: "tty"))
  var tty: String?

  @Option(help: ArgumentHelp("Leave after so long without a touch that counts.", valueName: "seconds"))
  var timeout = 60

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Where to write the stanza; - is standard output, and the default.", valueName: "FILE"),
    completion: .file())
  var output = "-"

  @Flag(help: "Write a udev rule for libinput instead of the stanza for touchtree.")
  var udev = false

  func validate() throws {
    if !(1...86_400).contains(timeout) { throw ValidationError("--timeout is from 1 to 86400 seconds.") }
  }

  func run() throws {
    try exitingOnFailure {
      var options = Calibrator.Options()
      options.display = display?.choice
      if let tty { options.terminal = tty == "new" ? .unused : .path(tty) }
      options.devices = device.map { [$0] } ?? []
      options.patience = timeout
      options.tell = { StandardError.write(line: $0) }
      let log = Logger(label: "touchtree") { LogOutput(label: $0, level: .warning) }
      let calibrator = try Calibrator(configuration: try configuration(), options: options, log: log)
      let calibration = try calibrator.run()
      StandardError.write(line: calibration.summary)
      try write(udev ? calibration.udevRule : calibration.stanza)
    }
  }

  private func configuration() throws -> Configuration {
    if let config { return try Configuration.loadTellingWarnings(config) }
    let file = FilePath(Self.installed)
    guard let found = try? FileDescriptor.open(file, .readOnly, options: .closeOnExec) else {
      return Configuration(file: Self.installed)
    }
    try found.close()
    return try Configuration.loadTellingWarnings(Self.installed)
  }

  private func write(_ text: String) throws {
    do {
      let output = try LineOutput(path: output, patience: .waits)
      output.write(Array(text.utf8))
      try output.flush()
    } catch {
      throw Failure(
        ExitStatus(error), "\(output): the calibration cannot be written (\(error)). It is:\n\(text)")
    }
  }
}
