import ArgumentParser
import Logging
import TouchCommand
import TouchConfig
import TouchInstruments
import TouchSystem
import TouchTools

struct BridgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: Instrument.bridge.rawValue, abstract: Instrument.bridge.abstract,
    discussion: """
      Grabs the touchscreens, so that no other program reads them, and makes a new device of the kernel for each: with slots \
      (protocol B), the size in millimetres where the device says it, and one begin and one end for every contact, whatever the \
      device forgets or repeats. The device rules of the configuration apply: use, calibration, rotation, output and filter. \
      Wayland, X, Qt and browsers find it as a touchscreen like any other.

      A contact that is cancelled, for example because the device is unplugged, lifts. With --palms it turns into a palm before, \
      so that it presses nothing: GNOME, KDE and sway know that, and Weston would keep the finger for ever.

      Runs until Ctrl-C; `systemctl enable --now touchtree-bridge` runs it as a service. It needs /dev/uinput.
      """)

  @Option(
    help: ArgumentHelp(
      "Bridge this device; may be repeated. Default: every touchscreen that the device rules allow.",
      valueName: "PATH"), completion: .devices)
  var device: [String] = []

  @Option(
    help: ArgumentHelp(
      "Apply the device rules of this configuration. Default: the installed one, if there is one.",
      valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Flag(help: "Cancel by MT_TOOL_PALM, for programs that know it.")
  var palms = false

  func run() throws {
    try exitingOnFailure {
      let log = Logger(label: "touchtree") { label in LogOutput(label: label, level: .notice) }
      try DeviceBridge(
        configuration: try Configuration.installedOr(config), devices: device, usesPalms: palms,
        log: log
      ).run()
    }
  }
}
