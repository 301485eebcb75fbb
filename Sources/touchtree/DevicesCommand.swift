import ArgumentParser
import TouchRecordings
import TouchSystem
import TouchTools

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract:
      "List the input devices, or those of a recording: what each supports, and why a device is not used.")

  @Argument(
    help: ArgumentHelp(
      "List the devices of this recording (of libinput, evemu or hid-tools), or of evemu's description (.desc), instead.",
      valueName: "REC"),
    completion: .file())
  var recording: String?

  @Flag(help: "Print one JSON object per device.") var json = false

  func run() throws {
    let output = LineOutput(.standardOutput)
    let reports =
      try recording.map { DeviceListing.reports(of: try Recording(path: $0, needsFrames: false)) }
      ?? DeviceListing.reports()
    DeviceListing.write(reports, to: output, json: json)
    try output.flush()
  }
}
