import ArgumentParser
import TouchSystem
import TouchTools

struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "List the input devices, what each can do, and why one is not used.")

  @Flag(help: "Print one JSON object a device.")
  var json = false

  func run() throws {
    try exitingOnFailure {
      let output = LineOutput(.standardOutput)
      try DeviceListing.write(to: output, json: json)
      try output.flush()
    }
  }
}
