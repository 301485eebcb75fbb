import Logging
import TouchConfig
import TouchCore
import TouchHandlers
import TouchInput
import TouchSystem
import TouchViews

// Reading the configuration again while the daemon runs: everything is read and checked first, and then put in place of what
// is there. The window, the dispatcher and the devices stay.

extension Daemon {
  /// Reads the configuration again, in a turn in which there is time for it. Who asks before that gets the same answer.
  ///
  /// - Parameter answer: gets warnings, or what is wrong; either is also logged.
  func reload(then answer: @escaping (Result<[String], ReloadError>) -> Void = { _ in }) {
    waitingForReload.append(answer)
    guard waitingForReload.count == 1 else { return }
    loop.again { [unowned self] in
      let waiting = waitingForReload
      waitingForReload = []
      let result = Result { () throws(ReloadError) in try reloadNow() }
      for answer in waiting { answer(result) }
    }
  }

  /// Reads the configuration again and shows it. Touches are cancelled. What was set on views that keep their id stays, unless
  /// the file changed that key; handlers that are declared as before go on. On any error everything stays as it is.
  ///
  /// - Returns: warnings, which are also logged.
  /// - Throws: `ReloadError`, which is also logged.
  private func reloadNow() throws(ReloadError) -> [String] {
    // A service manager that does not get this shows an older line.
    try? notifier.send(.reloading(MonotonicClock.now()))
    defer { try? notifier.send(.ready, .status(statusLine)) }
    do {
      try probeFiles()
      let configuration = try Configuration.load(path: status.file, waits: false).adding(options)
      try FileTrust.ofRoot?.check(configuration.file) { log.warning("\($0)") }
      let restarts = keysThatNeedRestart(in: configuration)
      try replace(with: configuration)
      let warnings = configuration.warnings.map(\.description) + restarts
      for warning in warnings { log.warning("\(warning)") }
      status.reloaded()
      log.notice("reloaded \(configuration.file)")
      save(configuration)
      try? watch?.follow(status.file, pictures: configuration.pictures)
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
    if silence == nil, let probe = try? FileProbe([status.file] + tree.configuration.pictures),
      !probe.answers(within: Self.patience)
    {
      try reload(after: probe)
    }
    if let silence { throw silence.probe.silentFile }
  }

  /// Reloads when every file was read.
  func reload(after probe: FileProbe) throws(SystemError) {
    let source = try loop.watch(probe.descriptor, for: .hangUp, as: .later) { [unowned self] in
      guard let silence, silence.probe.answers(within: 0) else { return }
      loop.unwatch(silence.source)
      self.silence = nil
      reload()
    }
    silence = (probe, source)
  }

  private func replace(with configuration: Configuration) throws {
    let replacement = try presentation.prepare(configuration)
    let next = ViewTree(configuration, inPlaceOf: tree)
    // What a plugin sets while it is made is set on the new views.
    let old = (tree: tree, handlers: handlers)
    host.tree = next
    let made: ViewTree.Handlers
    do {
      made = try next.makeHandlers(from: factory, keeping: handlers)
    } catch {
      host.tree = old.tree
      throw error
    }
    // Nothing fails from here on. What handlers set when touches are cancelled is set on the old views, and kept.
    host.tree = old.tree
    pipeline.end(at: MonotonicClock.now())
    next.keepSettings(of: old.tree)
    old.tree.detachHandlers()
    next.show()
    next.attach(made)
    tree = next
    presentation.show(next, with: replacement)
    requests.follow(next)
    followInput(of: configuration)
    host.tree = next
    if player == nil { idle.follow(configuration, at: MonotonicClock.now()) }
    handlers = made.declared
    handlers.begin(in: host.peers, replacing: old.handlers)
  }

  private func followInput(of configuration: Configuration) {
    pipeline.dispatcher.tapSettings = configuration.input.taps
    let isMoved = presentation.output.inputGeometry != pipeline.geometry
    if isMoved { pipeline.move(to: presentation.output.inputGeometry) }
    guard devices.follow(configuration.input.rules) || isMoved else { return }
    requests.forgetRemotes()
    devices.reopen()
  }

  /// What the file says otherwise than before and only counts from the next start on; at most one line.
  private func keysThatNeedRestart(in new: Configuration) -> [String] {
    let old = tree.configuration
    let changes: [(key: String, isChanged: Bool)] = [
      ("display.device", options.display == nil && new.display.device != old.display.device),
      ("display.console", presentation.output.hasFramebuffer && new.display.console != old.display.console),
      ("display.buffers", presentation.output.hasFramebuffer && new.display.buffers != old.display.buffers),
      ("window.id", new.window.id != tree.window.id),
      (
        "input.devices",
        player != nil && !DeviceRules(new.input.rules).isSame(as: DeviceRules(old.input.rules))
      ),
    ]
    let keys = changes.filter(\.isChanged).map(\.key)
    guard !keys.isEmpty else { return [] }
    let advice =
      notifier.isListenedTo ? "type: systemctl restart touchtree" : "end touchtree and start it again"
    return ["\(new.file): \(keys.joined(separator: ", ")) cannot change while touchtree runs; \(advice)"]
  }

  /// Keeps a configuration that works for the next start, if the command line asks for it. One that is shown only in part
  /// is not kept.
  func save(_ configuration: Configuration) {
    guard let saved = options.saved, !configuration.warnings.contains(where: { $0.severity == .error }) else {
      return
    }
    do {
      try saved.save(configuration)
    } catch {
      log.warning("the configuration is not saved for --fallback. \(error)")
    }
  }

  /// For the service manager.
  var statusLine: String {
    let name = presentation.output.name
    guard let problem = status.problems.first else { return "Showing \(name)" }
    return status.isFallback
      ? "Showing the last configuration that worked on \(name): \(problem)"
      : "Showing \(name); not reloaded: \(problem)"
  }
}

extension Configuration {
  /// The paths of the pictures that views show at first.
  var pictures: [String] { views.compactMap(\.image?.path).filter { !$0.isEmpty } }

  /// What the command line says otherwise than the file.
  func adding(_ options: Daemon.Options) -> Configuration {
    var configuration = self
    if let passes = options.hitTestPasses { configuration.window.passes = passes }
    return configuration
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

/// Which configuration is shown, for `ctl stats`.
package struct ConfigurationStatus {
  /// The file that a reload reads.
  package let file: String
  /// How often it was read again.
  package private(set) var reloads = 0
  /// What is wrong with the file, which is not what is shown then; empty while it is.
  package var problems: [String] = []
  /// Whether a saved copy is shown, because the file was broken at the start.
  package private(set) var isFallback: Bool

  /// - Parameters:
  ///   - configuration: what is shown.
  ///   - broken: the file that it is shown instead of, and what is wrong with that; nil where it is the file itself.
  package init(_ configuration: Configuration, insteadOf broken: (path: String, problems: [String])?) {
    file = broken?.path ?? configuration.file
    problems = broken?.problems ?? []
    isFallback = broken != nil
  }

  mutating func reloaded() {
    reloads += 1
    problems = []
    isFallback = false
  }

  /// For people.
  package var lines: [String] {
    let head = ["", "\(file), reloads: \(reloads)"]
    guard !problems.isEmpty else { return head }
    let shown = isFallback ? "the last configuration that worked" : "the previous one"
    return head + ["  it cannot be used, so \(shown) is shown:"] + problems.map { "  \($0)" }
  }

  package func write(to json: inout JSONWriter) {
    json.key("configuration")
    json.beginObject()
    json.key("file")
    json.value(file)
    json.key("reloads")
    json.value(reloads)
    json.key("fallback")
    json.value(isFallback)
    json.key("problems")
    json.beginArray()
    for problem in problems { json.value(problem) }
    json.endArray()
    json.endObject()
  }
}
