import ArgumentParser
import Logging
import TouchConfig
import TouchDaemon
import TouchInspection
import TouchRecordings
import TouchSystem
import TouchTools

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run the daemon: show the view tree and send touches to its handlers.")

  @Argument(
    help: ArgumentHelp("The configuration file. Default: \(Configuration.installed).", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var file: String?

  @Option(
    help: ArgumentHelp("The configuration file, as an option.", valueName: "FILE"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The display: auto, /dev/fbN, kms[:CONNECTOR], terminal or headless[:WxH]. Default: that of the configuration.",
      discussion:
        "In a terminal, the left mouse button is a finger and q quits. touchtree picks the best graphics that the terminal "
        + "supports; terminal:blocks, terminal:kitty and terminal:sixel choose.", valueName: "DISPLAY"),
    completion: .displays("auto", "kms", "terminal", "headless"),
    transform: DisplayArgument.init)
  var display: DisplayArgument?

  @Option(
    help: ArgumentHelp("Read only this device; may be repeated.", valueName: "PATH"),
    completion: .devices)
  var device: [String] = []

  @Option(
    help: ArgumentHelp(
      "Play a recording instead of reading devices: in real time on a display, otherwise as fast as possible.",
      valueName: "REC"), completion: .file())
  var replay: String?

  @Option(help: ArgumentHelp("Write the trace to this file, or - for standard output.", valueName: "FILE"))
  var trace: String?

  @Option(
    help: ArgumentHelp("The format of the trace.", valueName: "json|text"),
    completion: .list(["json", "text"]))
  var traceFormat = TraceWriter.Format.json

  @Option(
    help: ArgumentHelp("Save a picture of every phase change in this folder.", valueName: "DIR"),
    completion: .directory,
    transform: PictureFolder.checked)
  var pictures: String?

  @Option(
    help: ArgumentHelp(
      "Hit tests per touch (1, or 2 as iOS does). Default: that of the configuration.", valueName: "1|2"))
  var passes: Int?

  @Option(
    help: ArgumentHelp(
      "Load plugins from this folder; may be repeated.",
      discussion: "Default: /usr/lib/touchtree, /usr/local/lib/touchtree and the folder of the program.",
      valueName: "DIR"), completion: .directory)
  var plugins: [String] = []

  @Option(
    help: ArgumentHelp(
      "The virtual terminal to use: /dev/ttyN, or new for a free one. Default: the current one.",
      valueName: "/dev/ttyN|new"), completion: .terminals)
  var tty: String?

  @Option(
    help: ArgumentHelp(
      "The control socket that touchtree ctl connects to, or none.",
      discussion: "Default: /run/touchtree/control.sock, or touchtree/control.sock in $XDG_RUNTIME_DIR.",
      valueName: "PATH"), completion: .file())
  var control: String?

  @Option(
    help: ArgumentHelp(
      "The socket for clients that may look and not act, or none.",
      discussion: "Default: watch.sock beside the default control socket; none with --control.",
      valueName: "PATH"), completion: .file())
  var watchSocket: String?

  @Option(
    help: ArgumentHelp(
      "Write the statistics to this file in Prometheus' text format, at most every 15 seconds.",
      valueName: "FILE"), completion: .file(extensions: ["prom"]))
  var statsFile: String?

  @Flag(help: "Reload the configuration whenever it is saved.") var watch = false

  @Flag(
    help: ArgumentHelp(
      "If the configuration has errors, show the last one that worked.",
      discussion: "That one is kept in $STATE_DIRECTORY, or in /var/lib/touchtree."))
  var fallback = false

  @Flag(name: .shortAndLong, help: "Log debug messages.") var verbose = false

  func validate() throws {
    if file != nil && config != nil {
      throw ValidationError("Give the configuration once: FILE or --config FILE.")
    }
    if let passes, !(1...2).contains(passes) { throw ValidationError("--passes takes 1 or 2.") }
    if replay != nil && !device.isEmpty {
      throw ValidationError("Give either --device or --replay: a recording replaces the devices.")
    }
    if let control, control.isEmpty || control.hasPrefix("@") {
      throw ValidationError("--control takes the path of a socket, or none.")
    }
    if let watchSocket, watchSocket.isEmpty || watchSocket.hasPrefix("@") {
      throw ValidationError("--watch-socket takes the path of a socket, or none.")
    }
    if let control, control == watchSocket, control != "none" {
      throw ValidationError("--control and --watch-socket name the same path; give each its own.")
    }
    if display?.name.usesTerminal == true, trace == "-" {
      throw ValidationError("The terminal shows the picture: give --trace a file name.")
    }
  }

  func run() throws {
    // Its errors are reported before other files are opened or written.
    var options = Daemon.Options()
    if fallback { options.saved = SavedConfiguration(of: path) }
    options.probe = awaitFile(orShow: options.saved)
    let configuration = Result {
      if let probe = options.probe { throw probe.silence }
      return try self.configuration()
    }
    if !fallback { _ = try configuration.get() }
    options.display = display?.name
    if let tty { options.terminal = tty == "new" ? .unused : .path(tty) }
    options.devices = device
    options.recording = try replay.map { try Recording(path: $0) }
    options.hitTestPasses = passes
    options.pluginFolders = plugins.isEmpty ? PluginFolders.standard : plugins
    options.pictures = try pictures.map { try PictureSeries(folder: $0) }
    if let trace { options.trace = try TraceOutput(path: trace, format: traceFormat) }
    options.control = control.map { $0 == "none" ? .none : .path($0) } ?? .standard
    options.watchSocket =
      watchSocket.map { $0 == "none" ? .none : .path($0) } ?? (control == nil ? .standard : .none)
    options.statisticsFile = statsFile
    let held = DeferredLog()
    options.deferredLog = held
    defer { held.finish() }
    let log = Logger(label: "touchtree") { label in
      LogOutput(label: label, level: verbose ? .debug : .info, held: held)
    }
    options.isWatching = watch
    try daemon(configuration, options, log).run()
  }

  private var path: String { file ?? config ?? Configuration.installed }

  /// Returns a daemon that shows the configuration or, on request, the last working one.
  private func daemon(
    _ configuration: Result<Configuration, any Error>, _ options: Daemon.Options, _ log: Logger
  ) throws -> Daemon {
    do {
      return try Daemon(configuration: configuration.get(), options: options, log: log)
    } catch {
      let isUnusable =
        options.probe != nil || error is ConfigurationError || (error as? Failure)?.status == .noSuchFile
      guard isUnusable, let saved = options.saved, let configuration = try? saved.load() else { throw error }
      let problems = ReloadError(error, of: path).lines
      for problem in problems { log.error("\(problem)") }
      log.error("\(path) cannot be used; the last configuration that worked is shown instead: \(saved.path)")
      var options = options
      options.brokenFile = (path, problems)
      return try Daemon(configuration: configuration, options: options, log: log)
    }
  }
}

extension RunCommand {
  /// Waits until the configuration's file system answers, ended by signals, SIGHUP only without a terminal.
  /// After long, `saved` is shown; it returns the probe that still waits, else nil.
  private func awaitFile(orShow saved: SavedConfiguration?) -> FileProbe? {
    let terminal = ControllingTerminal()
    guard let probe = try? FileProbe([path]), !probe.answers(within: 1000) else { return nil }
    let head = LogOutput.head(of: .warning, forPeople: "touchtree: warning: ")
    StandardError.write(line: "\(head)\(probe.silence)")
    if saved?.isThere == true { return probe.answers(within: 2000) ? nil : probe }
    while !probe.answers(within: 1000) { EarlyHangup.endIfMeant(terminal) }
    return nil
  }

  private func configuration() throws -> Configuration {
    do {
      return try Configuration.loadReportingWarnings(path, showsRest: true)
    } catch ConfigurationError.unreadable(_, .noSuchFileOrDirectory) where file == nil && config == nil {
      throw Failure(
        .noSuchFile,
        "no configuration was given, and the default, \(Configuration.installed), does not exist; type `touchtree run FILE`"
      )
    }
  }
}

extension TraceWriter.Format: ExpressibleByArgument {}
