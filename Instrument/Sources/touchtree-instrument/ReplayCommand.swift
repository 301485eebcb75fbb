import ArgumentParser
import Logging
import TouchInstruments
import TouchRecordings
import TouchSystem

/// `touchtree replay --uinput`; touchtree has the help, and has checked the arguments.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "replay", shouldDisplay: false)

  @Argument var recording: String
  @Flag var uinput = false
  @Option var speed: String?
  @Option var wait: Double = 1
  @Flag var keys = false

  func run() throws {
    let log = Logger(label: "touchtree") { LogOutput(label: $0, level: .notice) }
    let replay = try UinputReplay(
      recording: Recording(path: recording), isPaced: speed != "fast", hasKeys: keys, log: log)
    let output = LineOutput(.standardOutput)
    for node in replay.nodes { output.write(line: node) }
    try output.flush()
    try replay.run(wait: Int(wait * 1000))
  }
}
