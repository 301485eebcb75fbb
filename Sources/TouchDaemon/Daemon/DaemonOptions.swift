import TouchConfig
import TouchInspection
import TouchKit
import TouchOutput
import TouchRecordings
import TouchSystem

extension Daemon {
  /// The options of the command line, which add to the configuration.
  package struct Options {
    /// The display in place of the configuration's; nil for that one.
    package var display: DisplayName?
    package var terminal = Console.Choice.own
    /// The device nodes to read in place of those that the rules choose.
    package var devices: [String] = []
    /// The recording that is played in place of devices; nil to read devices.
    package var recording: Recording?
    /// Whether the recording is played in real time; nil to do so if somebody looks at the display.
    package var isPaced: Bool?
    /// The trace; nil to write none.
    package var trace: TraceOutput?
    /// The folder for pictures of every change of phase.
    package var pictures: PictureSeries?
    package var pluginFolders: [String] = []
    /// The passes of a hit test, 1 or 2, in place of the configuration's; nil for those.
    package var hitTestPasses: Int?
    /// The socket for requests. A recording that is played as fast as possible has none at the standard path.
    package var control = ControlChoice.none
    /// The socket for requests of watching clients. The standard path is beside that of `control`.
    package var watchSocket = ControlChoice.none
    /// The path of the statistics file; nil to write none.
    package var statisticsFile: String?
    /// Whether the configuration is reloaded whenever it is saved.
    package var isWatching = false
    /// The place where a working configuration is saved; nil to save none.
    package var saved: SavedConfiguration?
    /// The file that cannot be used, with all its errors, if the saved configuration replaces it.
    package var brokenFile: (path: String, problems: [String])?
    /// The probe that waits for that file, if its file system does not answer.
    package var probe: FileProbe?
    /// The log, which is held back while the terminal shows the picture.
    package var deferredLog: DeferredLog?

    package init() {}
  }
}

extension Daemon.Options {
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
  func adding(_ options: Daemon.Options) -> Configuration {
    var configuration = self
    if let passes = options.hitTestPasses { configuration.window.passes = passes }
    return configuration
  }
}
