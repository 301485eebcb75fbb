import ArgumentParser
import Logging
import TouchConfig
import TouchDaemon
import TouchInput

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Show the tree, and send touches to its handlers until a signal comes.")

  @Option(help: "The configuration file.", completion: .file(extensions: ["yaml", "yml"]))
  var config = "/etc/touchtree/touchtree.yaml"

  @Option(
    help: ArgumentHelp(
      "Where pixels go: auto, /dev/fbN, terminal or headless[:WxH]. Default: what the file says.",
      discussion:
        "In a terminal the left mouse button is a finger, and q ends it. It shows the best graphics that it has, "
        + "or those of terminal:blocks, terminal:kitty and terminal:sixel.", valueName: "display")
  )
  var display: DisplayArgument?

  @Option(
    help: ArgumentHelp("Read this device and no other; may be repeated.", valueName: "PATH"),
    completion: .file())
  var device: [String] = []

  @Option(
    help: ArgumentHelp(
      "Play a recording instead of reading devices: in real time on a display, else as fast as it goes.",
      valueName: "REC"), completion: .file())
  var replay: String?

  @Option(help: ArgumentHelp("Write the trace to a file; - is standard output.", valueName: "FILE"))
  var trace: String?

  @Option(help: "How the trace is written: json or text.")
  var traceFormat = TraceFormatArgument.json

  @Option(
    help: "Write a picture of every change of phase to this folder.", completion: .directory,
    transform: PictureFolder.checked)
  var pictures: String?

  @Option(help: "How often each hit test is made; iOS makes it twice. Default: what the file says.")
  var passes: Int?

  @Option(
    help: ArgumentHelp(
      "A folder that plugins are loaded from; may be repeated.",
      discussion: "Default: /usr/lib/touchtree, /usr/local/lib/touchtree and the program's own folder.",
      valueName: "DIR"), completion: .directory)
  var plugins: [String] = []

  @Option(
    help: ArgumentHelp(
      "The virtual terminal to show on: /dev/ttyN, or new for one that nobody uses. Default: the one this runs on.",
      valueName: "tty"))
  var tty: String?

  @Option(
    help: ArgumentHelp(
      "The socket that touchtree ctl asks through, or none.",
      discussion: "Default: /run/touchtree/control.sock, or touchtree/control.sock in $XDG_RUNTIME_DIR.",
      valueName: "PATH"), completion: .file())
  var control: String?

  @Flag(name: .shortAndLong, help: "Log debugging messages too.")
  var verbose = false

  func validate() throws {
    if let passes, !(1...2).contains(passes) { throw ValidationError("--passes is 1 or 2.") }
    if replay != nil && !device.isEmpty {
      throw ValidationError("Say --device or --replay: a recording takes the devices' place.")
    }
    if let control, control.isEmpty || control.hasPrefix("@") {
      throw ValidationError("--control is the path of a file, or none.")
    }
    if case .terminal = display?.choice, trace == "-" {
      throw ValidationError("The terminal shows the picture: name a file for --trace.")
    }
  }

  func run() throws {
    try exitingOnFailure {
      let configuration = try Configuration.loadTellingWarnings(config, showsRest: true)
      var options = Daemon.Options()
      options.display = display?.choice
      if let tty { options.terminal = tty == "new" ? .unused : .path(tty) }
      options.devices = device
      options.recording = try replay.map { try Recording(path: $0) }
      options.hitTestPasses = passes
      options.pluginFolders = plugins.isEmpty ? PluginFolders.standard : plugins
      options.pictures = try pictures.map { try PictureSeries(folder: $0) }
      if let trace { options.trace = try TraceOutput(path: trace, format: traceFormat.format) }
      options.control = control.map { $0 == "none" ? .none : .path($0) } ?? .standard
      let held = DeferredLog()
      options.deferredLog = held
      defer { held.finish() }
      let log = Logger(label: "touchtree") { label in
        LogOutput(label: label, level: verbose ? .debug : .info, held: held)
      }
      try Daemon(configuration: configuration, options: options, log: log).run()
    }
  }
}

enum TraceFormatArgument: String, ExpressibleByArgument, CaseIterable {
  case json, text

  var format: TraceWriter.Format {
    switch self {
    case .json: .json
    case .text: .text
    }
  }
}
