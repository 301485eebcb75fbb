import TouchInput
import TouchOutput

extension Daemon {
  /// What the command line says beyond the configuration.
  package struct Options {
    /// Instead of the configuration's; nil leaves that.
    package var display: DisplayChoice?
    /// The virtual terminal to take over.
    package var terminal = Console.Choice.own
    /// Device nodes to use instead of what the rules choose.
    package var devices: [String] = []
    /// Played instead of reading devices; nil reads devices.
    package var recording: Recording?
    /// Whether the recording is played in its own time; nil for wherever somebody can watch.
    package var isPaced: Bool?
    /// Nil writes none.
    package var trace: TraceOutput?
    /// A folder for pictures of every change of phase.
    package var pictures: PictureSeries?
    /// Searched for plugins, first to last.
    package var pluginFolders: [String] = []
    /// 1 or 2, instead of the configuration's; nil leaves that.
    package var hitTestPasses: Int?
    /// Whether and where requests are taken. A recording that is played as fast as it goes takes none where nobody asked
    /// for it.
    package var control = ControlChoice.none
    /// Where the log goes: written by the loop when its reader is behind, and kept back while the terminal shows the picture.
    package var deferredLog: DeferredLog?

    package init() {}
  }
}
