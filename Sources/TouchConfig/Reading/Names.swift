import TouchCore
import TouchSystem
import TouchViews

/// Everything that has an id, and everything that refers to one.
struct Names {
  enum Kind { case window, view, controller, gesture, value }

  struct Reference {
    var name: String
    var place: SourceLocation
  }

  private struct Owner {
    var id: String
    var kind: Kind
    var place: SourceLocation
  }

  private var owners: [Owner] = []
  private var kinds: [String: Kind] = [:]

  var handlers: Set<String> = []
  var handlerReferences: [Reference] = []
  var fixedTarget: Reference?
  /// The views that answer instead of others.
  var redirects: [Reference] = []
  /// The views to which the focus goes from others, with the key that says so.
  var nextFocus: [(key: String, reference: Reference)] = []
  /// The subviews that views of pages show first, by the place of the view.
  var pages: [Int: Reference] = [:]
  /// The ids of the subviews of views of pages, by the place of the view.
  var pageIDs: [Int: [String]] = [:]
  /// The views of which the kind could not be read, by their places: what else is wrong with them is not
  /// known.
  var viewsOfUnknownKind: Set<Int> = []
  /// The ids of the instances of templates that could not be read: what refers to them, or into them, may be
  /// right.
  var unreadInstances: Set<String> = []
  var transforms: [Reference] = []
  /// Gestures that others wait for or go together with.
  var gestureReferences: [Reference] = []
  /// The number of names among which suggestions may still be searched. Each search goes through all of one
  /// kind.
  var comparisonsLeft = mostComparisons
  /// Enough for every slip that a person makes in one file.
  static let mostComparisons = 200_000
  /// The views that present a controller, by the controller's id.
  var presenters: [String: Reference] = [:]

  mutating func add(_ id: String, _ kind: Kind, at place: SourceLocation) {
    owners.append(Owner(id: id, kind: kind, place: place))
    if kinds[id] == nil { kinds[id] = kind }
  }

  func isTaken(_ id: String) -> Bool { kinds[id] != nil || id == Self.application }

  func kind(of id: String) -> Kind? { kinds[id] }
  func isView(_ id: String) -> Bool { kinds[id] == .view || kinds[id] == .window }
  func isGesture(_ id: String) -> Bool { kinds[id] == .gesture }
  func isController(_ id: String) -> Bool { kinds[id] == .controller }

  /// Whether the id is that of an instance of a template that could not be read, or of a view inside one.
  func isUnread(_ id: String) -> Bool {
    !unreadInstances.isEmpty && unreadInstances.contains { id == $0 || id.hasPrefix("\($0)-") }
  }

  func ids(where belongs: (Kind) -> Bool) -> [String] { owners.filter { belongs($0.kind) }.map(\.id) }

  static let application = "application"

  func reportDuplicates(_ report: Report) {
    var first: [String: Owner] = [:]
    for owner in owners.sorted(by: { $0.place < $1.place }) {
      if owner.id == Self.application {
        report.add(at: owner.place, "the id \"application\" is the application's own; give another one")
      } else if let other = first[owner.id] {
        report.add(at: owner.place, Self.duplicate(owner, of: other, report))
      } else {
        first[owner.id] = owner
      }
    }
  }

  private static func duplicate(_ owner: Owner, of other: Owner, _ report: Report) -> String {
    let id = owner.id.escaped
    if other.kind == .window {
      return "the id \"\(id)\" is the window's; give this \(owner.kind) another one"
    }
    if owner.place == other.place {
      return "the id \"\(id)\" is given twice, because an alias repeats it; leave the id out, "
        + "or write the second \(owner.kind) out"
    }
    if owner.place.withoutInstance == other.place.withoutInstance {
      return "the id \"\(id)\" is given to more than one row or instance; put {index} or {key} in it"
    }
    return "the id \"\(id)\" is given twice, first to a \(other.kind) in "
      + "\(report.words(for: other.place, from: owner.place)); give this \(owner.kind) another one"
  }
}

extension ConfigurationReader {
  /// Checks that ids are there once, and that what is referred to is there.
  mutating func resolveNames() {
    names.reportDuplicates(report)
    let handlers = ["log"] + names.handlers.sorted()
    for reference in names.handlerReferences
    where reference.name != "log" && !names.handlers.contains(reference.name) {
      refuse(reference, "no handler is called", among: handlers, otherwise: "declare it under \"handlers:\"")
    }
    let views = names.ids { $0 == .view || $0 == .window }
    if let target = names.fixedTarget { requireView(target, "fixed_target", among: views) }
    for redirect in names.redirects { requireView(redirect, "redirect", among: views) }
    for (key, reference) in names.nextFocus { requireView(reference, key, among: views) }
    for view in names.transforms {
      guard names.kind(of: view.name) == .window else {
        requireView(view, "transforms", among: views)
        continue
      }
      report.add(at: view.place, "the window cannot be transformed; give the id of a view in it")
    }
    let controllers = names.ids { $0 == .controller }
    for presenter in names.presenters.values where !names.isController(presenter.name) {
      let problem = names.isView(presenter.name) ? "presented_by is a view," : "no controller has the id"
      refuse(presenter, problem, among: controllers, otherwise: "give a controller's id")
    }
    for (view, page) in names.pages.sorted(by: { $0.key < $1.key }) { requirePage(page, of: view) }
    refuseCircles()
    resolveGestures()
  }

  /// - Parameter index: the place of a view of pages.
  mutating func requirePage(_ page: Names.Reference, of index: Int) {
    let pages = names.pageIDs[index] ?? []
    guard !pages.contains(page.name) else { return }
    let id = configuration.views[index].id.escaped
    refuse(
      page, "\"\(id)\" has no subview with the id", among: pages,
      otherwise: pages.isEmpty ? "give it subviews" : "it has \(pages.map(\.escaped).joined(lastWith: "and"))"
    )
  }

  /// - Parameter key: the one that has the view's id.
  /// - Parameter views: the ids of all of them.
  private mutating func requireView(_ reference: Names.Reference, _ key: String, among views: [String]) {
    guard !names.isView(reference.name) else { return }
    let problem: String
    switch names.kind(of: reference.name) {
    case .controller: problem = "\(key) is a controller,"
    case .value: problem = "\(key) is a named value,"
    case .gesture: problem = "\(key) is a gesture,"
    case .window, .view, nil: problem = "no view has the id"
    }
    refuse(reference, problem, among: views, otherwise: "give a view's id")
  }

  mutating func refuse(
    _ reference: Names.Reference, _ problem: String, among candidates: [String], otherwise advice: String
  ) {
    guard !names.isUnread(reference.name) else { return }
    names.comparisonsLeft -= candidates.count
    let nearest = names.comparisonsLeft < 0 ? nil : Suggestion.nearest(to: reference.name, among: candidates)
    let help = nearest.map { "did you mean \"\($0.escaped)\"?" } ?? advice
    report.add(at: reference.place, "\(problem) \"\(reference.name.escaped)\"; \(help)")
  }

  /// A controller that is presented by one of its own views' controllers would make a chain without an end.
  private func refuseCircles() {
    guard !names.presenters.isEmpty else { return }
    let views = configuration.views
    var viewOfController: [String: Int] = [:]
    for (index, view) in views.enumerated() {
      if let controller = view.controller { viewOfController[controller.id] = index }
    }
    /// The root view of the next controller up the chain from the controller of a view.
    func next(after index: Int) -> Int? {
      if let presenter = views[index].controller?.presentedBy { return viewOfController[presenter] }
      var ancestor = views[index].parent
      while let current = ancestor, views[current].controller == nil { ancestor = views[current].parent }
      return ancestor
    }
    var done = Set<Int>()
    for (start, view) in views.enumerated() where view.controller?.presentedBy != nil {
      var path: [Int] = []
      var isOnPath = Set<Int>()
      var current: Int? = start
      while let index = current, !done.contains(index), isOnPath.insert(index).inserted {
        path.append(index)
        current = next(after: index)
      }
      if let index = current, let back = path.firstIndex(of: index) { refuseCircle(Array(path[back...])) }
      done.formUnion(path)
    }
  }

  private func refuseCircle(_ path: [Int]) {
    let ids = path.compactMap { configuration.views[$0].controller?.id }
    let presenters = ids.compactMap { names.presenters[$0] }
    guard let first = ids.first, let place = presenters.map(\.place).min() else { return }
    let chain = (ids + [first]).map { "\"\($0.escaped)\"" }.joined(separator: " to ")
    report.add(
      at: place,
      "the responder chain goes in a circle here, from \(chain); let another controller present one of them")
  }
}
