import ArgumentParser
import TouchSystem
import TouchTools

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the input devices, what each supports, and why a device is not used.")

  @Flag(help: "Print one JSON object per device.")
  var json = false

  func run() throws {
    try exitingOnFailure {
      let output = LineOutput(.standardOutput)
      try DeviceListing.write(to: output, json: json)
      try output.flush()
    }
  }
}
