import ArgumentParser
import Logging
import TouchCommand
import TouchInstruments
import TouchSystem

struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ExternalCommand.record.rawValue, abstract: ExternalCommand.record.abstract,
    discussion: """
      The file is in libinput's format: `touchtree replay` and `libinput replay` play it. Attach one when you \
      report a bug of a device. Typed keys are recorded as KEY_A, so that the file does not reveal them.
      """)

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The file to write, or - for standard output.", valueName: "REC"), completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "Record this device; may be repeated. Default: every touchscreen, or mice and tablets if there is none.",
      valueName: "PATH"), completion: .devices)
  var device: [String] = []

  @Flag(help: "Grab the device exclusively.") var grab = false

  func run() throws {
    let log = Logger(label: "touchtree") { label in LogOutput(label: label, level: .notice) }
    try Recorder(
      to: output, devices: device, grab: grab, recorder: "touchtree \(TouchtreeVersion.text)", log: log
    ).run()
  }
}
