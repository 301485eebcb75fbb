import CLinux.Control
import Logging
import TouchConfig
import TouchCore
import TouchHandlers
import TouchInput
import TouchKit
import TouchSystem

/// Reads the configuration again while the daemon runs: everything is read and checked first, and then put in place of what is
/// there. The window, the dispatcher and the devices stay.
final class Reloader {
  private unowned let daemon: Daemon
  private(set) var status: ConfigurationStatus
  /// Who waits for the next reload; one is done a turn.
  private var waiting: [(Result<[String], ReloadError>) -> Void] = []
  /// Nil where saves are not followed.
  private var watch: ConfigurationWatch?
  /// Waits for files of the configuration whose file system does not answer; nil while all do.
  private var silence: (probe: FileProbe, source: EventLoop.Source)?
  private var log: Logger { daemon.log }
  private var configuration: Configuration { daemon.host.tree.configuration }

  init(of daemon: Daemon) {
    self.daemon = daemon
    status = ConfigurationStatus(daemon.host.tree.configuration, insteadOf: daemon.options.brokenFile)
  }

  /// Follows the files, if the command line asks for that.
  ///
  /// - Throws: `SystemError` when they cannot be watched.
  func begin() throws(SystemError) {
    let options = daemon.options
    options.saved.map { FileContents.removeRemainders(of: $0.path) }
    if options.brokenFile == nil { save(configuration) }
    if options.isWatching {
      let watch = try ConfigurationWatch(in: daemon.loop)
      watch.onChange = { [unowned self] in reload() }
      self.watch = watch
      // The folder of one that does not answer is followed when it was read.
      if options.probe == nil { try watch.follow(status.file, others: configuration.otherFiles) }
    }
    if let probe = options.probe { try reload(after: probe) }
  }

  /// Reads the configuration again, in a turn in which there is time for it. Who asks before that gets the same answer.
  ///
  /// - Parameter answer: gets warnings, or what is wrong; either is also logged.
  func reload(then answer: @escaping (Result<[String], ReloadError>) -> Void = { _ in }) {
    waiting.append(answer)
    guard waiting.count == 1 else { return }
    daemon.loop.again { [unowned self] in
      let waiting = waiting
      self.waiting = []
      let result = Result { () throws(ReloadError) in try reloadNow() }
      for answer in waiting { answer(result) }
      // The file and the tree of before were freed in small parts, which the allocator keeps until it is asked.
      touchtree_return_memory()
    }
  }

  /// Reads the configuration again and shows it. Touches are cancelled. What was set on views that keep their id stays, unless
  /// the file changed that key; handlers that are declared as before go on. On any error everything stays as it is.
  ///
  /// - Returns: warnings, which are also logged.
  /// - Throws: `ReloadError`, which is also logged.
  private func reloadNow() throws(ReloadError) -> [String] {
    let notifier = daemon.notifier
    // A service manager that does not get this shows an older line.
    try? notifier.send(.reloading(MonotonicClock.now()))
    defer { try? notifier.send(.ready, .status(status.line(on: daemon.presentation.output.name))) }
    do {
      try probeFiles()
      let configuration = try Configuration.load(path: status.file, waits: false).adding(daemon.options)
      for source in configuration.sources {
        try FileTrust.ofRoot?.check(source.file) { log.warning("\($0)") }
      }
      let restarts = keysThatNeedRestart(in: configuration)
      try daemon.replaceTree(with: configuration)
      let warnings = configuration.warnings.map(\.description) + restarts
      for warning in warnings { log.warning("\(warning)") }
      status.reloaded()
      log.notice("reloaded \(configuration.file)")
      save(configuration)
      try? watch?.follow(status.file, others: configuration.otherFiles)
      return warnings
    } catch {
      let error = ReloadError(error, of: status.file)
      for line in error.lines { log.error("\(line)") }
      log.error("\(status.file) is not reloaded; the previous configuration stays")
      status.problems = error.lines
      throw error
    }
  }

  /// In milliseconds: how long touches wait for a slow share.
  private static let patience: Int32 = 1000

  /// Leaves files that do not answer to a child process, so that touches go on; it is reloaded as soon as they do.
  private func probeFiles() throws {
    // Without one they are read all the same.
    if silence == nil, let probe = try? FileProbe([status.file] + configuration.otherFiles),
      !probe.answers(within: Self.patience)
    {
      try reload(after: probe)
    }
    if let silence { throw silence.probe.silence }
  }

  /// Reloads when every file was read.
  private func reload(after probe: FileProbe) throws(SystemError) {
    let source = try daemon.loop.watch(probe.descriptor, for: .hangUp, as: .later) { [unowned self] in
      guard let silence, silence.probe.answers(within: 0) else { return }
      daemon.loop.unwatch(silence.source)
      self.silence = nil
      reload()
    }
    silence = (probe, source)
  }

  /// What the file says otherwise than before and only counts from the next start on; at most one line.
  private func keysThatNeedRestart(in new: Configuration) -> [String] {
    let (old, options, output) = (configuration, daemon.options, daemon.presentation.output)
    let isReplayed = options.recording != nil
    let changes: [(key: String, isChanged: Bool)] = [
      ("display.device", options.display == nil && new.display.device != old.display.device),
      ("display.mode", new.display.mode != old.display.mode),
      ("display.console", output.display.takesConsole && new.display.console != old.display.console),
      ("window.id", new.window.id != daemon.host.tree.window.id),
      (
        "input.devices",
        isReplayed && !DeviceRules(new.input.rules).isSame(as: DeviceRules(old.input.rules))
      ),
    ]
    let keys = changes.filter(\.isChanged).map(\.key)
    guard !keys.isEmpty else { return [] }
    let advice =
      daemon.notifier.isListenedTo ? "type: systemctl restart touchtree" : "end touchtree and start it again"
    return ["\(new.file): \(keys.joined(separator: ", ")) cannot change while touchtree runs; \(advice)"]
  }

  /// Keeps a configuration that works for the next start, if the command line asks for it. One that is shown only in part
  /// is not kept.
  private func save(_ configuration: Configuration) {
    guard let saved = daemon.options.saved,
      !configuration.warnings.contains(where: { $0.severity == .error })
    else { return }
    do {
      try saved.save(configuration)
    } catch {
      log.warning("the configuration is not saved for --fallback. \(error)")
    }
  }
}

extension Configuration {
  /// The paths of the files that it includes, of its theme's, and of the pictures that views show at first.
  fileprivate var otherFiles: [String] {
    sources.dropFirst().map(\.file) + themeFiles + views.compactMap(\.picture?.path)
  }
}

/// Why a configuration cannot be used.
package struct ReloadError: Error, CustomStringConvertible {
  /// Everything that is wrong, each with its place.
  package let lines: [String]
  private let file: String

  package init(_ error: any Error, of file: String) {
    lines = "\(error)".split(separator: "\n").map { String($0).onOneLine }
    self.file = file
  }

  package var description: String {
    let others = lines.count > 1 ? " (and \(lines.count - 1) more)" : ""
    return "\(file) is not reloaded: \(lines.first ?? "")\(others)"
  }
}
