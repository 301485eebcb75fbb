import CLinux.Control
import Logging
import TouchConfig
import TouchHandlers
import TouchInspection
import TouchKit
import TouchSystem

/// Reads the configuration again. Everything is checked before it replaces the present one.
final class Reloader {
  private unowned let daemon: Daemon
  private(set) var status: ConfigurationStatus
  /// The reason why the configuration was not saved for the next start; nil if it was, or need not be.
  private(set) var saveProblem: String?
  private var waiting: [(Result<[String], ReloadError>) -> Void] = []
  /// The watch for saves; nil if they are not followed.
  private var watch: ConfigurationWatch?
  /// The probe of files whose file system does not answer; nil while all do.
  private var silence: (probe: FileProbe, source: EventLoop.Source)?
  private var log: Logger { daemon.log }
  private var configuration: Configuration { daemon.host.tree.configuration }

  init(of daemon: Daemon) {
    self.daemon = daemon
    status = ConfigurationStatus(daemon.host.tree.configuration, insteadOf: daemon.options.brokenFile)
  }

  /// Follows the files, if the command line requests that, and throws if it cannot.
  func begin() throws(SystemError) {
    let options = daemon.options
    options.saved.map { FileContents.removeRemainders(of: $0.path) }
    if options.brokenFile == nil { save(configuration) }
    if options.isWatching {
      let watch = try ConfigurationWatch(in: daemon.loop)
      watch.onChange = { [weak self] in self?.reload() }
      self.watch = watch
      // The folder of a file that does not answer is followed once it was read.
      if options.probe == nil { try watch.follow(status.file, others: configuration.otherFiles) }
    }
    if let probe = options.probe { try reload(after: probe) }
  }

  /// Reads the configuration again, in a turn with time for it. Requests until then get the same answer.
  /// - Parameter answer: gets warnings or errors, both of which are also logged.
  func reload(then answer: @escaping (Result<[String], ReloadError>) -> Void = { _ in }) {
    waiting.append(answer)
    guard waiting.count == 1 else { return }
    daemon.loop.again { [weak self] in
      guard let self else { return }
      let waiting = waiting
      self.waiting = []
      let result = Result { () throws(ReloadError) in try reloadNow() }
      daemon.requests.configurationWasRead()
      for answer in waiting { answer(result) }
      // The allocator keeps the memory of the previous file and tree until it is asked.
      touchtree_return_memory()
    }
  }

  /// Reads the configuration again and shows it, or throws and changes nothing; errors and warnings are
  /// logged too. Touches are cancelled. Settings of views that keep their id stay, unless the file changed
  /// that key. Handlers with the same declaration go on.
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
      status.reloaded(configuration)
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

  /// The longest time that touches wait for a slow share, in milliseconds.
  private static let timeout: Int32 = 1000

  /// Leaves files that do not answer to a child process, and reloads as soon as they do.
  private func probeFiles() throws {
    // Without a probe they are read all the same.
    if silence == nil, let probe = try? FileProbe([status.file] + configuration.otherFiles),
      !probe.answers(within: Self.timeout)
    {
      try reload(after: probe)
    }
    if let silence { throw silence.probe.silence }
  }

  private func reload(after probe: FileProbe) throws(SystemError) {
    let source = try daemon.loop.watch(probe.descriptor, for: .hangUp, as: .later) { [weak self] in
      guard let self else { return }
      guard let silence, silence.probe.answers(within: 0) else { return }
      daemon.loop.unwatch(silence.source)
      self.silence = nil
      reload()
    }
    silence = (probe, source)
  }

  /// Returns at most one line about changes of the file that have no effect before the next start.
  private func keysThatNeedRestart(in new: Configuration) -> [String] {
    let (old, options, output) = (configuration, daemon.options, daemon.presentation.output)
    let isReplayed = options.recording != nil
    let changes: [(key: String, isChanged: Bool)] = [
      ("display.device", options.display == nil && new.display.device != old.display.device),
      ("display.mode", new.display.mode != old.display.mode),
      ("display.console", output.display.takesConsole && new.display.console != old.display.console),
      ("window.id", new.window.id != daemon.host.tree.window.id),
      ("input.devices", isReplayed && !DeviceRules(new.input.rules).isSame(as: DeviceRules(old.input.rules))),
    ]
    let keys = changes.filter(\.isChanged).map(\.key)
    guard !keys.isEmpty else { return [] }
    let advice =
      daemon.notifier.isListenedTo ? "type: systemctl restart touchtree" : "end touchtree and start it again"
    return ["\(new.file): \(keys.joined(separator: ", ")) cannot change while touchtree runs; \(advice)"]
  }

  /// Saves a wholly shown configuration for the next start, if the command line requests that.
  private func save(_ configuration: Configuration) {
    guard let saved = daemon.options.saved, !configuration.warnings.contains(where: { $0.severity == .error })
    else { return }
    do {
      try saved.save(configuration)
      saveProblem = nil
    } catch {
      let problem = "the configuration is not saved for --fallback. \(error)"
      saveProblem = problem
      log.warning("\(problem)")
    }
  }
}

extension Configuration {
  /// The paths of included files, of theme files, and of the pictures that views show at first.
  fileprivate var otherFiles: [String] {
    sources.dropFirst().map(\.file) + themeFiles + views.compactMap(\.picture?.path)
  }
}

/// The reason why a configuration cannot be used.
package struct ReloadError: Error, CustomStringConvertible {
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
