import TouchCore
import TouchExpressions
import TouchSystem
import TouchViews

/// The owner of actions, by its place in the configuration.
enum ActionOwner {
  case control(Int)
  case gesture(Int)
  /// The keys of the window, or of the application.
  case keys(Configuration.ActionList.Outermost)
  /// The actions of a scanner's text.
  case scan(Configuration.ActionList.Outermost)
}

extension ConfigurationReader {
  mutating func readActions() {
    guard !unreadActions.isEmpty || unreadIdle != nil else { return }
    var reader = ActionReader(configuration: configuration, report: report, names: names)
    for (value, owner) in unreadActions {
      switch owner {
      case .control(let index): reader.readControl(value, index)
      case .gesture(let index): reader.readGesture(value, index)
      case .keys(let owner): reader.readKeys(value, owner)
      case .scan(let owner): reader.readScan(value, owner)
      }
    }
    if let unreadIdle { configuration.idle = reader.readIdle(unreadIdle) }
    configuration.actions = reader.lists
    reader.checkNumbers()
    names = reader.names
  }
}

/// Reads `actions:` of controls and gestures, and checks each step against the views that it names.
struct ActionReader {
  let configuration: Configuration
  let report: Report
  var names: Names
  private(set) var lists: [Configuration.ActionList] = []
  /// The places of the views, by their ids.
  let places: [String: Int]
  /// The control that the steps belong to.
  private(set) var owner: Configuration.View? { didSet { scope.sender = owner } }
  /// The names for the expressions of the steps.
  var scope: FileScope
  /// The steps of one control or gesture that wait, so far.
  private var timers = 0
  private var depth = 0
  /// The numbers that steps set as a control's value.
  var numbers: [(number: Double, place: Value, view: Int)] = []
  /// The views whose limits a step sets.
  var movedLimits: Set<Int> = []

  init(configuration: Configuration, report: Report, names: Names) {
    (self.configuration, self.report, self.names) = (configuration, report, names)
    scope = FileScope(configuration, names)
    scope.isOfAction = true
    places = scope.places
  }

  // MARK: Triggers

  mutating func readControl(_ value: Value, _ index: Int) {
    let advice =
      "give what the control sends and the steps for it: {touch_up_inside: [page: {screens: next}]}"
    guard let fields = value.fields(.controlActions, advice) else { return }
    owner = configuration.views[index]
    timers = 0
    for action in Control.Action.allCases {
      guard let steps = fields[HandlerTrigger(action).rawValue] else { continue }
      lists.append(.init(trigger: .control(index, action), steps: self.steps(steps)))
    }
  }

  /// A list alone is for the moment in which the gesture is recognised: began of one that goes on, ended of
  /// another.
  mutating func readGesture(_ value: Value, _ index: Int) {
    let gesture = configuration.gestures[index]
    timers = 0
    owner = gesture.owner.map { configuration.views[$0] }.flatMap { $0.kind.isControl ? $0 : nil }
    guard value.node.entries != nil else {
      let state = gesture.kind.isContinuous ? GestureRecognizer.State.began : .ended
      lists.append(.init(trigger: .gesture(index, state), steps: steps(value)))
      return
    }
    guard let fields = value.fields(.gestureStates) else { return }
    for (key, place) in fields.keys {
      guard let steps = fields[key], let state = GestureRecognizer.State(rawValue: key) else { continue }
      if !gesture.kind.isContinuous && state != .ended {
        report.add(
          at: place,
          "a \(gesture.kind.rawValue) is over when it is recognised, so it is only ever ended; "
            + "put the steps there")
      }
      lists.append(.init(trigger: .gesture(index, state), steps: self.steps(steps)))
    }
  }

  mutating func readKeys(_ value: Value, _ responder: Configuration.ActionList.Outermost) {
    let advice = "give keys and the steps for each: {F1: [page: {screens: home}]}"
    guard !value.node.isNull else { return }
    guard let entries = value.node.entries else { return value.refuse(advice) }
    owner = nil
    for (key, node) in entries {
      let name = key.text ?? ""
      guard let command = KeyCommand(name: name) else {
        report.add(at: key.place, Self.problem(withKey: name))
        continue
      }
      let trigger = Configuration.ActionList.Trigger.key(responder, command)
      if lists.contains(where: { $0.trigger == trigger }) {
        report.add(at: key.place, "the key \"\(name.escaped)\" is there twice; remove one")
        continue
      }
      let steps = Value(name: "the key \"\(name.escaped)\"", node: node, report: report)
      lists.append(.init(trigger: trigger, steps: self.steps(steps)))
    }
  }

  private static func problem(withKey name: String) -> String {
    let head = name.lastIndex(of: "+").map { name[...$0] } ?? ""
    let last = String(name.dropFirst(head.count)).lowercased()
    if KeyCode(name: last) != nil {
      return
        "\"\(name.escaped)\" is no key; what is held beside a key is ctrl, alt, shift or meta, as in ctrl+s"
    }
    let known = KeyCode.allNames
    let help =
      Suggestion.nearest(to: last, among: known).map { "did you mean \"\(String(head).escaped)\($0)\"?" }
      ?? "give a key's name, such as F1, enter or volumeup; touchtree.yaml(5) lists them"
    return "no key is called \"\(name.escaped)\"; \(help)"
  }

  /// `scanned:`, whose steps can name what was read.
  mutating func readScan(_ value: Value, _ responder: Configuration.ActionList.Outermost) {
    guard !value.node.isNull else { return }
    owner = nil
    scope.sendsText = true
    lists.append(.init(trigger: .scan(responder), steps: steps(value)))
    scope.sendsText = false
  }

  /// The steps of a stage of `idle:`, or the pages that it shows.
  mutating func readIdle(_ value: Value, _ key: String) -> IdleStage.Effect {
    owner = nil
    if value.node.isNull { value.refuse("give the steps: [page: {screens: home}]") }
    let steps =
      key == "page"
      ? self.steps(key, value).map { .init(step: $0, place: value.node.place) } : self.steps(value)
    lists.append(.init(trigger: .idle(lists.count), steps: steps))
    return .steps(lists.count - 1)
  }

  private mutating func steps(_ value: Value) -> [Configuration.Step] {
    var steps: [Configuration.Step] = []
    for item in value.list("give a list of steps, such as [page: {screens: next}]", of: "a step") ?? [] {
      let missing = "write {page: {screens: next}}, or remove the \"-\""
      guard let fields = item.fields(.step, missing: missing) else { continue }
      guard fields.keys.count < 2 else {
        report.add(
          at: fields.keys[1].place,
          "a step does one thing, and this is its second; begin it with \"-\", as a step of its own")
        continue
      }
      guard let key = fields.keys.first?.key, let what = fields[key] else { continue }
      steps += self.steps(key, what).map { .init(step: $0, place: item.node.place) }
    }
    return steps
  }

  private mutating func steps(_ key: String, _ value: Value) -> [ActionStep] {
    StepKey.rows.first { $0.row.name == key }?.row.read(&self, value) ?? []
  }

  // MARK: Views

  /// A view that a step names: what it is, and where the file has it, which does not have the window among
  /// its views.
  struct Target {
    var id: String
    var kind: ViewKind
    var index: Int?
  }

  /// Reads a mapping from the ids of views to what becomes of each.
  /// - Parameter other: a key that is no view's id.
  mutating func perView(
    _ value: Value, _ example: String, besides other: String? = nil,
    orValue: ((inout Self, Value, NamedValue) -> ActionStep?)? = nil,
    _ read: (inout Self, Value, Target) -> ActionStep?
  ) -> [ActionStep] {
    guard let entries = value.node.entries else {
      value.refuse("give a view's id and what becomes of it: \(example)")
      return []
    }
    if entries.allSatisfy({ $0.key.text == other && other != nil }) {
      value.complain("\(value.name) names no view; give \(example)")
    }
    var steps: [ActionStep] = []
    for (key, node) in entries where key.text != other || other == nil {
      let name = key.global(key.text ?? "")
      if let orValue, let named = configuration.values.first(where: { $0.name == name }) {
        let value = Value(name: named.name.escaped, node: node, report: report)
        if let step = orValue(&self, value, named) { steps.append(step) }
        continue
      }
      guard let target = target(name, at: key.place, value.name) else { continue }
      let value = Value(name: target.id.escaped, node: node, report: report)
      if let step = read(&self, value, target) { steps.append(step) }
    }
    return steps
  }

  /// The view with an id. Nil if no view has it, which is reported here, or if the view's kind is unknown,
  /// which was reported when the view was read.
  mutating func target(_ id: String, at place: SourceLocation, _ step: String) -> Target? {
    if let target = existing(id) {
      return target.index.map { names.viewsOfUnknownKind.contains($0) } ?? false ? nil : target
    }
    guard !names.isUnread(id) else { return nil }
    names.comparisonsLeft -= places.count
    let ids =
      places.keys.sorted() + [configuration.window.id]
      + (step == "set" ? configuration.values.map(\.name) : [])
    let nearest = names.comparisonsLeft < 0 ? nil : Suggestion.nearest(to: id, among: ids)
    let help = nearest.map { "did you mean \"\($0.escaped)\"?" } ?? targetAdvice(step)
    let missing = step == "set" ? "no view or value" : "no view"
    report.add(at: place, "\(missing) has the id \"\(id.escaped)\", which \(step) names; \(help)")
    return nil
  }

  /// The names that a step may have, where no id is near the one that is there.
  private func targetAdvice(_ step: String) -> String {
    guard step == "page" else {
      return step == "set" ? "give a view's id, or the name of a value" : "give a view's id"
    }
    let pages = configuration.views.filter { $0.kind == .pages }.map(\.id.escaped)
    guard !pages.isEmpty, pages.count <= Self.mostListed else {
      return "give the id of a view with kind: pages"
    }
    return "give the id of a view of pages: \(pages.joined(lastWith: "or"))"
  }

  private static let mostListed = 8

  func existing(_ id: String) -> Target? {
    if let index = places[id] { return Target(id: id, kind: configuration.views[index].kind, index: index) }
    return id == configuration.window.id ? Target(id: id, kind: .window) : nil
  }

  func holdsValue(_ target: Target) -> Bool {
    target.index.map { configuration.views[$0].holdsValue } ?? false
  }

  /// The words of `page` beside views: how pictures go from one page to the other.
  private static let transition = "transition"

  mutating func pages(_ value: Value) -> [ActionStep] {
    // A view may have the name.
    let isKey = existing(Self.transition) == nil
    var transition: PagesView.Transition?
    if isKey, let node = value.node.entries?.first(where: { $0.key.text == Self.transition })?.value {
      transition = Value(name: Self.transition, node: node, report: report).choice()
    }
    return perView(value, "{screens: next}", besides: isKey ? Self.transition : nil) {
      $0.page($1, of: $2, by: transition)
    }
  }

  // MARK: If, after

  /// Steps in steps in steps: as deep as a person can follow.
  private static let deepest = 8

  private mutating func nested(_ value: Value) -> [ActionStep] {
    guard depth < Self.deepest else {
      value.complain(
        "more than \(Self.deepest) lists of steps are in each other here; make values of the conditions")
      return []
    }
    depth += 1
    defer { depth -= 1 }
    return steps(value).map(\.step)
  }

  mutating func either(_ value: Value) -> ActionStep? {
    let advice = "write {that: \"{pin.text == '1234'}\", then: [...], else: [...]}"
    guard let fields = value.fields(.condition, advice, missing: advice) else { return nil }
    let condition = fields.require("that")
    let then = fields.require("then").map { nested($0) }
    let otherwise = fields.unlessNull("else").map { nested($0) } ?? []
    guard let condition, let then else { return nil }
    if case .bool(let flag) = condition.node.scalar {
      condition.complain("this is always \(flag); give an expression: \"{target > 30}\"")
      return nil
    }
    guard let formula = condition.formula(scope) else { return nil }
    guard formula.whole != nil else {
      condition.complain(
        "this is a text, and neither true nor false; give an expression alone: \"{target > 30}\"")
      return nil
    }
    guard Value(name: "that", node: condition.node, report: report).check(formula, is: .flag) else {
      return nil
    }
    return .either(that: formula, then: then, otherwise: otherwise)
  }

  mutating func after(_ value: Value) -> ActionStep? {
    let advice = "write {seconds: 3, steps: [...]}"
    guard let fields = value.fields(.after, advice, missing: advice) else { return nil }
    let seconds = fields.require("seconds").flatMap(KeyType.wait.read)
    let steps = fields.require("steps").map { nested($0) }
    guard let seconds, let steps else { return nil }
    timers += 1
    return .after(seconds: seconds, steps, timer: timers)
  }

  mutating func animate(_ value: Value) -> ActionStep? {
    let advice = "write {seconds: 0.25, curve: ease_out, set: {panel: {alpha: 0}}}"
    var timing = Timing(0.25)
    guard let fields = value.fields(Timing.keys.table, advice, missing: advice) else { return nil }
    fields.read(Timing.keys, into: &timing)
    return fields.require("set").map { .animate(timing, self.set($0)) }
  }
}

extension Configuration.Gesture.Kind {
  /// Whether the gesture goes on after it was recognised.
  fileprivate var isContinuous: Bool {
    switch self {
    case .tap, .swipe: false
    case .longPress, .pan, .pinch, .rotation, .screenEdgePan: true
    }
  }
}
