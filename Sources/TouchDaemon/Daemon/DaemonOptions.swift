import TouchDisplay
import TouchInput

extension Daemon {
  /// What the command line says beyond the configuration.
  public struct Options {
    /// Instead of the configuration's; nil leaves that.
    public var display: DisplayChoice?
    /// The virtual terminal to take over.
    public var terminal = Console.Choice.own
    /// Device nodes to use instead of what the rules choose.
    public var devices: [String] = []
    /// Played instead of reading devices; nil reads devices.
    public var recording: Recording?
    /// Whether the recording is played in its own time; nil for wherever somebody can watch.
    public var isPaced: Bool?
    /// Nil writes none.
    public var trace: TraceOutput?
    /// A folder for pictures of every change of phase.
    public var pictures: PictureSeries?
    /// Searched for plugins, first to last.
    public var pluginFolders: [String] = []
    /// 1 or 2, instead of the configuration's; nil leaves that.
    public var hitTestPasses: Int?
    /// Whether and where requests are taken. A recording that is played as fast as it goes takes none where nobody asked
    /// for it.
    public var control = ControlChoice.none
    /// Where the log goes: written by the loop when its reader is behind, and kept back while the terminal shows the picture.
    public var deferredLog: DeferredLog?

    public init() {}
  }
}
