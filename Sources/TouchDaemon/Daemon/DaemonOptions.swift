import TouchConfig
import TouchInput
import TouchInspection
import TouchKit
import TouchOutput
import TouchRecordings
import TouchSystem

extension Daemon {
  /// What the command line adds to the configuration.
  package struct Options {
    /// Instead of the configuration's; nil leaves that.
    package var display: DisplayName?
    /// The virtual terminal to use.
    package var terminal = Console.Choice.own
    /// Device nodes to read instead of those that the rules choose.
    package var devices: [String] = []
    /// Played instead of reading devices; nil reads devices.
    package var recording: Recording?
    /// Whether the recording is played in real time; nil where somebody looks at the display.
    package var isPaced: Bool?
    /// Nil writes none.
    package var trace: TraceOutput?
    /// A folder for pictures of every change of phase.
    package var pictures: PictureSeries?
    /// Searched for plugins, first to last.
    package var pluginFolders: [String] = []
    /// 1 or 2, instead of the configuration's; nil leaves that.
    package var hitTestPasses: Int?
    /// Where requests are taken. A recording that is played as fast as possible takes none at the standard path.
    package var control = ControlChoice.none
    /// Where requests are taken of those who only look; the standard path is beside that of `control`.
    package var watchSocket = ControlChoice.none
    /// The path of a file for the statistics; nil writes none.
    package var statisticsFile: String?
    /// Whether the configuration is reloaded whenever it is saved.
    package var isWatching = false
    /// Where the configuration is saved once it works; nil saves none.
    package var saved: SavedConfiguration?
    /// The file that cannot be used, if the saved configuration is shown instead, and everything that is wrong with it.
    package var brokenFile: (path: String, problems: [String])?
    /// Waits for that file, if its file system does not answer.
    package var probe: FileProbe?
    /// Where the log goes; it is kept back while the terminal shows the picture.
    package var deferredLog: DeferredLog?

    package init() {}
  }
}

extension Daemon.Options {
  /// What of them the runtime needs.
  func runtime(for configuration: Configuration) -> Runtime.Options {
    var options = Runtime.Options()
    options.display = display
    options.terminal = terminal
    options.devices = devices
    options.rules = DeviceRules(configuration.input.rules)
    options.keyboard = configuration.input.keyboard
    // A recording has its own time.
    options.passesTime = recording == nil
    options.hangupEnds = display?.usesTerminal ?? false
    options.deferredLog = deferredLog
    return options
  }
}

extension Configuration {
  /// What the command line says otherwise than the file.
  func adding(_ options: Daemon.Options) -> Configuration {
    var configuration = self
    if let passes = options.hitTestPasses { configuration.window.passes = passes }
    return configuration
  }
}
