import ArgumentParser
import TouchSystem
import TouchTools

struct DisplaysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "displays",
    abstract:
      "List the connectors and framebuffers: their modes, how each panel is mounted, and which one would be used and why."
  )

  @Flag(help: "Print one JSON object per display.") var json = false

  func run() throws {
    try DisplayListing().write(to: LineOutput(.standardOutput), json: json)
  }
}
