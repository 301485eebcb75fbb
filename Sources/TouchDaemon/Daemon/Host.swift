import Logging
import TouchConfig
import TouchCore
import TouchExpressions
import TouchHandlers
import TouchSystem
import TouchViews

/// The tree that is shown with its handlers, and the services that the daemon offers to them.
package final class Host: HandlerHost {
  package let logger: Logger
  package let peers: Peers
  package let runningSteps = RunningSteps()
  /// The tree that handlers and clients change.
  package private(set) var tree: ViewTree
  package private(set) var handlers = DeclaredHandlers()
  /// What is attached to the tree that is shown.
  private var attached: ViewTree.Handlers?
  /// What the values of which rows are made held when they were looked at last, and how often values had changed by then.
  private var seenLists: (lists: [String: PropertyValue], changes: Int)?
  /// What the file is with lists that have just been set, until its rows are made.
  private var readRows: (lists: [String: PropertyValue], configuration: Configuration)?
  /// What properties cannot follow.
  private var unfollowed = MistakeLog(interval: 10)
  private let loop: EventLoop
  private var watches: [Int: EventLoop.Source] = [:]
  private var lastWatch = 0

  package init(loop: EventLoop, tree: ViewTree, logger: Logger) {
    self.loop = loop
    self.tree = tree
    self.logger = logger
    peers = Peers(loop: loop)
    reportBindings(of: tree)
  }

  /// Logs what a property cannot follow, and no value of a private view. What comes again and again, as with each value that is set, is
  /// counted.
  private func reportBindings(of tree: ViewTree) {
    let origins = tree.configuration.origins
    tree.bindings.report = { [unowned self] message, view, place in
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

  /// Makes the handlers of a tree that is going to be shown. What a plugin sets while it is made is set on that tree's views.
  ///
  /// - Throws: every handler that cannot be made, at its place in the file.
  func makeHandlers(
    of next: ViewTree, from factory: HandlerFactory
  ) throws(ConfigurationError) -> ViewTree.Handlers {
    let shown = tree
    tree = next
    defer { tree = shown }
    return try next.makeHandlers(from: factory, keeping: handlers)
  }

  /// Puts another tree in the place of the one that is shown. What was set on views that both have stays.
  func replaceTree(with next: ViewTree, _ made: ViewTree.Handlers) {
    next.keepSettings(of: tree)
    tree.detachHandlers()
    reportBindings(of: next)
    next.show()
    next.attach(made)
    (tree, attached, seenLists, readRows) = (next, made, nil, nil)
  }

  /// Attaches handlers to the tree that is shown.
  func attach(_ made: ViewTree.Handlers) {
    tree.attach(made)
    attached = made
  }

  /// Does the steps of a stage of `idle:`.
  func performIdle(_ stage: Int, at time: Timestamp) {
    attached?.ofIdle.performIdle(stage, in: tree.window, at: time)
  }

  // MARK: Rows

  /// Whether a value that views are made of may hold something else than they show.
  var mayHaveOtherViews: Bool {
    tree.theming?.follow()
    return tree.theming?.needsOtherTree ?? false
      || tree.hasRepeatedValues
        && (seenLists?.changes != bindings.values.changes || !bindings.values.setLists.isEmpty)
  }

  /// Makes the rows of values that hold other lists than before. Rows whose id is still there stay, with the touches on them and what
  /// was set on them. What a list fills in is set once more when the list was set. What is wrong with a list
  /// is logged, and its rows stay as they are.
  ///
  /// - Returns: whether there are other rows now.
  func repeatRows(_ factory: HandlerFactory) -> Bool {
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
    // At once, since a row may go from one list to another.
    if changed.count > 1, (try? show(changed, factory)) != nil { return true }
    var isOther = false
    for (name, list) in changed.sorted(by: { $0.key < $1.key })
    where show([name: list], of: "the rows of \(name)", factory) { isOther = true }
    return isOther || isDue && show([:], of: "the actions", factory)
  }

  /// Makes rows, and logs what stays as it was if they cannot be made.
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

  /// Rows are made at the end of the turn, and a theme when it is followed: who sets a value would not hear that they cannot.
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
          throw PropertyError(
            key: entry.key, cause: .unusable(Configuration.refusal(ofTheme: name)))
        }
        theme = name
      }
    }
    guard theme != nil || lists != configuration.shownLists else { return }
    do throws(ConfigurationError) {
      let repeated = try configuration.repeating(lists, theme: theme)
      if theme == nil { readRows = repeated.map { (lists, $0) } }
    } catch {
      // Who sets a value reads nothing of a file by that.
      let file = theme.flatMap { Configuration.isFile(theme: $0) ? $0 : nil }
      let problem = file.map {
        "the theme \"\($0.escaped)\" cannot be shown; `touchtree check` says what is wrong with its file"
      }
      throw PropertyError(key: first.key, cause: .unusable(problem ?? error.first))
    }
  }

  /// Makes the rows of some lists, beside those that are shown of the others.
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

  /// Starts the processes of handlers that are attached, and ends those of the handlers before.
  func begin(_ made: ViewTree.Handlers) {
    let old = handlers
    handlers = made.declared
    handlers.begin(in: peers, replacing: old)
  }

  /// Handlers that nothing else keeps end, and so do processes.
  func endHandlers() {
    tree.detachHandlers()
    attached = nil
    handlers = DeclaredHandlers()
    peers.endProcesses(because: "end")
  }

  // MARK: What handlers need

  package var bindings: Bindings { tree.bindings }

  package func view(id: String) -> View? { tree.viewsByID[id] }

  package func addTimer(milliseconds: Int, repeats: Bool, callback: @escaping () -> Void) -> Int {
    loop.addTimer(milliseconds: milliseconds, repeats: repeats, as: .later, callback)
  }

  package func cancelTimer(_ timer: Int) {
    loop.cancelTimer(timer)
  }

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
      // Clients hear nothing of a private view; `check` warns of such a step.
      if tree.viewsByID[sender]?.privateView == nil { peers.delegate?.broadcast(message, from: sender) }
    case .handler(let name):
      guard !peers.send(to: name, from: sender, message: message) else { return }
      let sender = tree.viewsByID[sender]?.disclosed.id ?? sender
      logger.warning("\(sender): a message to handler \(name) is lost: it is not a process that runs now")
    }
  }
}
