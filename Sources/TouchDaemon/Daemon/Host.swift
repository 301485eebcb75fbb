import Logging
import TouchConfig
import TouchCore
import TouchExpressions
import TouchHandlers
import TouchSystem
import TouchViews

/// The shown tree with its handlers, and the daemon's services for them.
package final class Host: HandlerHost {
  package let logger: Logger
  package let peers: Peers
  package let runningSteps = RunningSteps()
  package private(set) var tree: ViewTree
  package private(set) var handlers = DeclaredHandlers()
  private var attached: ViewTree.Handlers?
  /// The last examined lists of rows, and the count of changed values at that time.
  private var seenLists: (lists: [String: PropertyValue], changes: Int)?
  /// The configuration with lists that have just been set, until its rows are made.
  private var readRows: (lists: [String: PropertyValue], configuration: Configuration)?
  /// The values that properties cannot follow.
  private var unfollowed = MistakeLog(interval: 10)
  private let loop: EventLoop
  private var watches: [Int: EventLoop.Source] = [:]
  private var lastWatch = 0

  package init(loop: EventLoop, tree: ViewTree, logger: Logger) {
    (self.loop, self.tree, self.logger) = (loop, tree, logger)
    peers = Peers(loop: loop)
    reportBindings(of: tree)
  }

  /// Logs values that a property cannot follow, without private ones. Repeated messages are counted.
  private func reportBindings(of tree: ViewTree) {
    let origins = tree.configuration.origins
    tree.bindings.report = { [weak self] message, view, place in
      guard let self else { return }
      var line = message
      if view.privateView != nil {
        line = "\(view.disclosed.id): a property cannot be what it follows"
      } else if let place, let file = origins.file(of: place) {
        line = "\(file):\(place.line):\(place.column): \(message)\(origins.suffix(of: place))"
      }
      if let held = unfollowed.admit(line, at: MonotonicClock.now()) { logger.warning("\(line)\(held)") }
    }
  }

  // MARK: The tree and its handlers

  /// Makes the handlers of a tree before it is shown, so a plugin sets its views. It throws every handler
  /// that cannot be made, at its place in the file.
  package func makeHandlers(
    of next: ViewTree, from factory: HandlerFactory
  ) throws(ConfigurationError) -> ViewTree.Handlers {
    let shown = tree
    tree = next
    defer { tree = shown }
    return try next.makeHandlers(from: factory, keeping: handlers)
  }

  /// Replaces the shown tree. Settings of views that both trees have stay.
  func replaceTree(with next: ViewTree, _ made: ViewTree.Handlers) {
    next.keepSettings(of: tree)
    tree.detachHandlers()
    reportBindings(of: next)
    next.show()
    next.attach(made)
    (tree, attached, seenLists, readRows) = (next, made, nil, nil)
  }

  package func attach(_ made: ViewTree.Handlers) {
    tree.attach(made)
    attached = made
  }

  func performIdle(_ stage: Int, at time: Timestamp) {
    attached?.ofIdle.performIdle(stage, in: tree.window, at: time)
  }

  // MARK: Rows

  /// Whether a value that makes views may hold something other than they show.
  package var mayHaveOtherViews: Bool {
    tree.theming?.follow()
    return tree.theming?.needsOtherTree ?? false
      || tree.hasRepeatedValues
        && (seenLists?.changes != bindings.values.changes || !bindings.values.setLists.isEmpty)
  }

  /// Makes the rows of values whose lists have changed, and returns whether there are others now. Rows with
  /// the same id stay, with their touches and settings. Errors of a list are logged, and its rows stay.
  package func repeatRows(_ factory: HandlerFactory) -> Bool {
    let set = bindings.values.takeSetLists()
    defer { tree.fillRows(of: set) }
    let seen = seenLists?.lists ?? tree.configuration.shownLists
    var lists = seen
    for name in tree.configuration.repeatedValues { lists[name] = bindings.values.value(name) }
    seenLists = (lists, bindings.values.changes)
    let changed = lists.filter { seen[$0.key] != $0.value }
    let isDue = tree.theming?.needsOtherTree ?? false
    tree.theming?.needsOtherTree = false
    guard isDue || !changed.isEmpty else { return false }
    // All lists change at once, since a row may go from one to another.
    if changed.count > 1, (try? show(changed, factory)) != nil { return true }
    var isOther = false
    for (name, list) in changed.sorted(by: { $0.key < $1.key })
    where show([name: list], of: "the rows of \(name)", factory) { isOther = true }
    return isOther || isDue && show([:], of: "the actions", factory)
  }

  /// Makes rows. If they cannot be made, logs the error and keeps the old ones.
  private func show(
    _ lists: [String: PropertyValue], of name: String, _ factory: HandlerFactory
  ) -> Bool {
    do throws(ConfigurationError) {
      try show(lists, factory)
      return true
    } catch {
      for line in "\(error)".split(separator: "\n") { logger.error("\(line)") }
      logger.error("\(name) stay as they were")
      return false
    }
  }

  /// Verifies that rows and a theme can be shown: they follow at the end of the turn, too late for an answer.
  package func requireShowable(_ entries: [PropertyValue.Entry], isText: Bool) throws(PropertyError) {
    let configuration = tree.configuration
    guard let first = entries.first(where: { configuration.makesViews(of: $0.key) }) else { return }
    var (lists, theme): ([String: PropertyValue], String?) = (configuration.shownLists, nil)
    for entry in entries where configuration.makesViews(of: entry.key) {
      let value = try bindings.values.checked(entry, isText: isText).value
      if configuration.repeatedValues.contains(entry.key) {
        lists[entry.key] = value
      } else if case .text(let name) = value {
        guard configuration.opensTheme(name) else {
          throw PropertyError(key: entry.key, cause: .unusable(Configuration.refusal(ofTheme: name)))
        }
        theme = name
      }
    }
    guard theme != nil || lists != configuration.shownLists else { return }
    do throws(ConfigurationError) {
      let repeated = try configuration.repeating(lists, theme: theme)
      if theme == nil { readRows = repeated.map { (lists, $0) } }
    } catch {
      // The answer to a request discloses nothing of a file.
      let file = theme.flatMap { Configuration.isFile(theme: $0) ? $0 : nil }
      let problem = file.map {
        "the theme \"\($0.escaped)\" cannot be shown; `touchtree check` says what is wrong with its file"
      }
      throw PropertyError(key: first.key, cause: .unusable(problem ?? error.first))
    }
  }

  /// Makes the rows of some lists beside the shown ones of the others.
  private func show(_ lists: [String: PropertyValue], _ factory: HandlerFactory) throws(ConfigurationError) {
    let configuration = tree.configuration
    let lists = configuration.shownLists.merging(lists) { $1 }
    var read = readRows?.configuration
    if readRows?.lists != lists || read?.theme != configuration.theme { read = nil }
    readRows = nil
    if read == nil { read = try configuration.repeating(lists) }
    guard let repeated = read else { return }
    let next = ViewTree(repeating: repeated, in: tree)
    let made = try makeHandlers(of: next, from: factory)
    let kept = attached.map { next.keeping($0, of: tree, in: made) } ?? made
    tree.detachHandlers()
    next.show()
    next.attach(kept)
    (tree, attached) = (next, kept)
  }

  func begin(_ made: ViewTree.Handlers) {
    let old = handlers
    handlers = made.declared
    handlers.begin(in: peers, replacing: old)
  }

  /// Ends processes, and the handlers that nothing else keeps.
  package func endHandlers() {
    tree.detachHandlers()
    attached = nil
    handlers = DeclaredHandlers()
    peers.endProcesses(because: "end")
  }

  // MARK: Services for handlers

  package var bindings: Bindings { tree.bindings }

  package func view(id: String) -> View? { tree.viewsByID[id] }

  package func addTimer(milliseconds: Int, repeats: Bool, callback: @escaping () -> Void) -> Int {
    loop.addTimer(milliseconds: milliseconds, repeats: repeats, as: .later, callback)
  }

  package func cancelTimer(_ timer: Int) { loop.cancelTimer(timer) }

  package func watch(_ descriptor: Int32, callback: @escaping () -> Void) throws(SystemError) -> Int {
    let source = try loop.watch(descriptor, as: .later, callback)
    lastWatch += 1
    watches[lastWatch] = source
    return lastWatch
  }

  package func unwatch(_ watch: Int) {
    if let source = watches.removeValue(forKey: watch) { loop.unwatch(source) }
  }

  package func opened(_ path: String) -> String? { tree.configuration.opened(path) }

  package func send(_ message: String, to recipient: ActionStep.Recipient, from sender: String) {
    switch recipient {
    case .subscribers:
      // Clients get nothing from a private view. `check` warns of such a step.
      if tree.viewsByID[sender]?.privateView == nil { peers.delegate?.broadcast(message, from: sender) }
    case .handler(let name):
      guard !peers.send(to: name, from: sender, message: message) else { return }
      let sender = tree.viewsByID[sender]?.disclosed.id ?? sender
      logger.warning("\(sender): a message to handler \(name) is lost: it is not a process that runs now")
    }
  }
}
