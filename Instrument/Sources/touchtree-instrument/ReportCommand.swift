import ArgumentParser
import Logging
import SystemPackage
import TouchCommand
import TouchConfig
import TouchInstruments
import TouchSystem
import TouchTools

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ExternalCommand.report.rawValue, abstract: ExternalCommand.report.abstract,
    discussion: """
      Records what the touchscreens report for 20 seconds, and adds what touchtree made of it, how `touchtree test` judges it, the \
      devices with their descriptors, the displays, what the kernel said of them, and the display and input sections of the \
      configuration. What is missing on a machine is named in its place. Run it as root, so that the kernel's messages can be read.

      Serial numbers, hardware addresses, and the names of user and computer are left out, unless --names is given. Views, texts and \
      handlers of the configuration are never in it.
      """)

  @Argument(
    help: ArgumentHelp(
      "Describe this recording (of libinput, evemu or hid-tools) and its device, and nothing of this machine.",
      valueName: "REC"),
    completion: .file())
  var recording: String?

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The file to write, or - for standard output. FILE.html is a page with the pictures of the judgement.",
      valueName: "FILE"), completion: .file()
  )
  var output = "-"

  @Option(
    help: ArgumentHelp(
      "Record this device; may be repeated. Default: every touchscreen, or mice and tablets if there is none.",
      valueName: "PATH"), completion: .devices)
  var device: [String] = []

  @Option(help: ArgumentHelp("How long touches are recorded; 0 records nothing.", valueName: "SECONDS"))
  var seconds = 20

  @Option(
    help: ArgumentHelp(
      "Take the display and the device rules from this configuration.",
      discussion: "Default: \(Configuration.installed), if it exists.", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Flag(help: "Leave serial numbers and the names of user and computer in.") var names = false

  func validate() throws {
    guard (0...3600).contains(seconds) else { throw ValidationError("--seconds takes 0 to 3600.") }
    if recording != nil, !device.isEmpty {
      throw ValidationError("A recording has its own devices: remove --device.")
    }
  }

  func run() throws {
    var options = HardwareReport.Options()
    options.devices = device
    options.seconds = seconds
    options.recording = recording
    options.keepsNames = names
    let log = Logger(label: "touchtree") { label in LogOutput(label: label, level: .notice) }
    // The installed configuration may be the fault.
    let configuration =
      try config.map { try Configuration.loadReportingWarnings($0) }
      ?? (try? Configuration.installedOr(nil)) ?? Configuration(file: Configuration.installed)
    let report = HardwareReport(
      configuration: configuration, options: options,
      version: TouchtreeVersion.text, log: log)
    // The file is opened before the twenty seconds, not after them.
    let file = try trying("open") { () throws(Errno) in try LineOutput(path: output, backpressure: .waits) }
    for line in try report.lines(asPage: output.hasSuffix(".html")) { file.write(line: line) }
    try trying("write") { () throws(Errno) in try file.flush() }
  }

  private func trying<Result>(
    _ call: String, _ body: () throws(Errno) -> Result
  ) throws(SystemError) -> Result {
    do throws(Errno) {
      return try body()
    } catch {
      throw SystemError(call, error, path: output, hint: "name another file for the report")
    }
  }
}
