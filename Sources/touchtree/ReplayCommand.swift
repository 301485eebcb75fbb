import ArgumentParser
import Logging
import TouchCommand
import TouchConfig
import TouchDaemon
import TouchInspection
import TouchRecordings
import TouchSystem
import TouchTools

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Play a recording into a configuration, or on a virtual device (uinput).",
    discussion: """
      A recording is a file of libinput, evemu or hid-tools. An old file of evemu needs its .desc file in the same \
      folder. With --config, touchtree plays it with all handlers on a headless display and prints the trace. With \
      --uinput, it makes a device like the recorded one in the kernel and prints its node, so that you can test any \
      program.
      """)

  @Argument(help: ArgumentHelp("The recording.", valueName: "REC"), completion: .file()) var recording: String

  @Option(
    help: ArgumentHelp("Play the recording into this configuration.", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Flag(help: "Play the recording on a virtual device that other programs can read.") var uinput = false

  @Option(
    help: ArgumentHelp(
      "Play in real time or as fast as possible. Default: fast with --config, real with --uinput.",
      valueName: "real|fast"))
  var speed: SpeedArgument?

  @Flag(help: "With --config: print one JSON object per line.") var json = false

  @Option(
    help: ArgumentHelp(
      "With --config: the size of the display in pixels.",
      discussion: "Default: the canvas, or the smallest size that shows every view.",
      valueName: "WxH"), transform: SizeArgument.init)
  var size: SizeArgument?

  @Option(help: ArgumentHelp("With --config: hit tests per touch (1, or 2 as iOS does).", valueName: "1|2"))
  var passes: Int?

  @Option(
    help: ArgumentHelp(
      "With --config: save a picture of every phase change in this folder.", valueName: "DIR"),
    completion: .directory,
    transform: PictureFolder.checked)
  var pictures: String?

  @Option(
    help: ArgumentHelp("With --config: load plugins from this folder; may be repeated.", valueName: "DIR"),
    completion: .directory)
  var plugins: [String] = []

  @Option(
    help: ArgumentHelp(
      "With --uinput: wait this long before playing, so that programs can open the device. Default: 1.",
      valueName: "seconds"))
  var wait: Double?

  @Flag(
    help: ArgumentHelp(
      "With --uinput: play the keys and switches of the recording too.",
      discussion:
        "The machine obeys them as if they were pressed: they type on its console, or switch it off."))
  var keys = false

  func validate() throws {
    guard (config != nil) != uinput else { throw ValidationError("Give either --config FILE or --uinput.") }
    if let passes, !(1...2).contains(passes) { throw ValidationError("--passes takes 1 or 2.") }
    if let wait, !(0...3600).contains(wait) { throw ValidationError("--wait takes 0 to 3600 seconds.") }
    try refuse(uinput ? withConfigurationOnly : withUinputOnly, needing: uinput ? "--config" : "--uinput")
  }

  /// Options that have no effect without `--config`, and whether each was given.
  private var withConfigurationOnly: [(name: String, isGiven: Bool)] {
    [
      ("--json", json), ("--size", size != nil), ("--passes", passes != nil), ("--pictures", pictures != nil),
      ("--plugins", !plugins.isEmpty),
    ]
  }

  private var withUinputOnly: [(name: String, isGiven: Bool)] { [("--wait", wait != nil), ("--keys", keys)] }

  private func refuse(_ options: [(name: String, isGiven: Bool)], needing other: String) throws {
    if let option = options.first(where: \.isGiven) {
      throw ValidationError("\(option.name) works only with \(other): remove one of them.")
    }
  }

  func run() throws {
    guard let config else { try ExternalProgram.instrument.start(for: "replay --uinput") }
    let recording = try Recording(path: recording)
    let held = DeferredLog()
    defer { held.finish() }
    let log = Logger(label: "touchtree") { LogOutput(label: $0, level: .notice, held: held) }
    let configuration = try Configuration.loadReportingWarnings(config)
    var options = Daemon.Options()
    options.deferredLog = held
    options.display = .headless(size?.size)
    options.recording = recording
    options.isPaced = speed == .real
    options.hitTestPasses = passes
    options.pluginFolders = plugins.isEmpty ? PluginFolders.standard : plugins
    options.pictures = try pictures.map { try PictureSeries(folder: $0) }
    options.trace = try TraceOutput(path: "-", format: json ? .json : .text, backpressure: .waits)
    try Daemon(configuration: configuration, options: options, log: log).run()
  }
}

enum SpeedArgument: String, ExpressibleByArgument, CaseIterable {
  case real, fast
}
