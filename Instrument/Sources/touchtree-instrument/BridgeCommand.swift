import ArgumentParser
import Logging
import TouchCommand
import TouchConfig
import TouchCore
import TouchInstruments
import TouchSystem

struct BridgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ExternalCommand.bridge.rawValue, abstract: ExternalCommand.bridge.abstract,
    discussion: """
      Grabs the touchscreens, so that no other program reads them, and makes a new device of the kernel for each: with slots \
      (protocol B), the size in millimetres where the device says it, and one begin and one end for every contact, whatever the \
      device forgets or repeats. The device rules of the configuration apply: use, calibration, rotation, output and filter. \
      Wayland, X, Qt and browsers find it as a touchscreen like any other.

      A contact that is cancelled, for example because the device is unplugged, lifts. With --palms it turns into a palm before, \
      so that it presses nothing: GNOME, KDE and sway know that, and Weston would keep the finger for ever.

      --rotation, --output and --name are given once for each --device, in the same order: \
      `--device A --device B --rotation 0 --rotation 90 --output DSI-1 --output HDMI-A-1` is two panels, of which the second is \
      turned. Weston, cage, labwc and sway touch the output that is named.

      Runs until Ctrl-C; `systemctl enable --now touchtree-bridge` runs it as a service. It needs /dev/uinput.
      """)

  @Option(
    help: ArgumentHelp(
      "Bridge this device; may be repeated. Default: every touchscreen that the device rules allow.",
      valueName: "PATH"), completion: .devices)
  var device: [String] = []

  @Option(
    help: ArgumentHelp(
      "The clockwise turn of the panel against the picture, in place of the configuration's.",
      valueName: "0|90|180|270"), completion: .list(Rotation.allCases.map { "\($0.rawValue)" }),
    transform: Self.rotation)
  var rotation: [Rotation] = []

  @Option(
    help: ArgumentHelp("The output that the panel covers, by its connector.", valueName: "CONNECTOR"),
    transform: Self.output)
  var output: [String] = []

  @Option(
    help: ArgumentHelp(
      "The new device's name.", discussion: "Default: the panel's with \" (touchtree bridge)\".",
      valueName: "TEXT"), transform: Self.name)
  var name: [String] = []

  @Option(
    help: ArgumentHelp(
      "Apply the device rules of this configuration. Default: the installed one, if there is one.",
      valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Flag(help: "Cancel by MT_TOOL_PALM, for programs that know it.") var palms = false

  typealias Rotation = DisplayGeometry.Rotation

  private static func rotation(_ argument: String) throws -> Rotation {
    guard let rotation = Int(argument).flatMap(Rotation.init) else {
      throw ValidationError("a panel is turned by 0, 90, 180 or 270 degrees")
    }
    return rotation
  }

  private static func output(_ argument: String) throws -> String {
    let isConnector = argument.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    guard isConnector, (1...64).contains(argument.utf8.count) else {
      throw ValidationError(
        "an output has the name of its connector, such as HDMI-A-1; touchtree displays lists them")
    }
    return argument
  }

  /// UINPUT_MAX_NAME_SIZE is 80.
  private static func name(_ argument: String) throws -> String {
    guard (1...79).contains(argument.utf8.count), argument.onOneLine == argument else {
      throw ValidationError("a device's name has 1 to 79 bytes, and no control characters")
    }
    return argument
  }

  func validate() throws {
    for (option, count) in [
      ("--rotation", rotation.count), ("--output", output.count), ("--name", name.count),
    ]
    where count > 0 && count != device.count {
      throw ValidationError(
        "\(option) is given \(count) times, and --device \(device.count) times: give each panel one of both, in the same order."
      )
    }
  }

  private var panels: [DeviceBridge.PanelOptions] {
    device.indices.map { index in
      var panel = DeviceBridge.PanelOptions(path: device[index])
      panel.rotation = rotation.isEmpty ? nil : rotation[index]
      panel.output = output.isEmpty ? nil : output[index]
      panel.name = name.isEmpty ? nil : name[index]
      return panel
    }
  }

  func run() throws {
    let log = Logger(label: "touchtree") { label in LogOutput(label: label, level: .notice) }
    try DeviceBridge(
      configuration: try Configuration.installedOr(config), panels: panels, usesPalms: palms, log: log
    ).run()
  }
}
