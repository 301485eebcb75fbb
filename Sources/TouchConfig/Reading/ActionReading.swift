import TouchCore
import TouchSystem
import TouchViews

/// What has actions, by its place in the configuration.
enum ActionOwner {
  case control(Int)
  case gesture(Int)
}

extension ConfigurationReader {
  /// Reads the actions of all controls and gestures, after all views and handlers.
  mutating func readActions() {
    guard !unreadActions.isEmpty || unreadIdle != nil else { return }
    var reader = ActionReader(configuration: configuration, report: report, names: names)
    for (value, owner) in unreadActions {
      switch owner {
      case .control(let index): reader.readControl(value, index)
      case .gesture(let index): reader.readGesture(value, index)
      }
    }
    configuration.actions = reader.lists
    if let unreadIdle { configuration.idle = reader.readIdle(unreadIdle) }
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
  private let places: [String: Int]
  /// The control that the steps belong to.
  private(set) var owner: Configuration.View?

  init(configuration: Configuration, report: Report, names: Names) {
    self.configuration = configuration
    self.report = report
    self.names = names
    places = Dictionary(
      configuration.views.enumerated().map { ($0.element.id, $0.offset) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  // MARK: Occasions

  mutating func readControl(_ value: Value, _ index: Int) {
    let advice =
      "give what the control sends and the steps for it: {touch_up_inside: [page: {screens: next}]}"
    guard let fields = value.fields(ControlActionKey.self, advice) else { return }
    owner = configuration.views[index]
    for action in Control.Action.allCases {
      guard let key = ControlActionKey(rawValue: HandlerTrigger(action).rawValue), let steps = fields[key]
      else { continue }
      lists.append(.init(occasion: .control(index, action), steps: self.steps(steps)))
    }
  }

  /// A list alone is for the moment in which the gesture is recognised: began of one that goes on, ended of another.
  mutating func readGesture(_ value: Value, _ index: Int) {
    let gesture = configuration.gestures[index]
    owner = gesture.owner.map { configuration.views[$0] }.flatMap { $0.kind.isControl ? $0 : nil }
    guard value.node.entries != nil else {
      let state = gesture.kind.isContinuous ? GestureRecognizer.State.began : .ended
      lists.append(.init(occasion: .gesture(index, state), steps: steps(value)))
      return
    }
    guard let fields = value.fields(GestureStateKey.self) else { return }
    for (key, place) in fields.keys {
      guard let steps = fields[key], let state = GestureRecognizer.State(rawValue: key.rawValue) else {
        continue
      }
      if !gesture.kind.isContinuous && state != .ended {
        report.add(
          at: place,
          "a \(gesture.kind.rawValue) is over when it is recognised, so it is only ever ended; "
            + "put the steps there")
      }
      lists.append(.init(occasion: .gesture(index, state), steps: self.steps(steps)))
    }
  }

  private mutating func steps(_ value: Value) -> [Configuration.Step] {
    let items = value.list("give a list of steps, such as [page: {screens: next}]") ?? []
    var steps: [Configuration.Step] = []
    for item in items {
      let item = Value(name: "a step", node: item.node, report: report)
      guard let fields = item.fields(StepKey.self) else {
        if item.node.isNull { item.refuse("write {page: {screens: next}}, or remove the \"-\"") }
        continue
      }
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

  mutating func steps(_ key: StepKey, _ value: Value) -> [ActionStep] {
    switch key {
    case .set: return perView(value, "{setpoint: {text: \"22\"}}") { $0.settings($1, of: $2) }
    case .toggle: return perView(value, "{lamp: hidden}") { $0.toggle($1, of: $2) }
    case .change: return perView(value, "{setpoint: 0.5}") { $0.change($1, of: $2) }
    case .page: return perView(value, "{screens: next}") { $0.page($1, of: $2) }
    case .run: return run(value).map { [$0] } ?? []
    case .send: return send(value).map { [$0] } ?? []
    }
  }

  // MARK: Views

  /// A view that a step names: what it is, and where the file has it, which does not have the window among its views.
  struct Target {
    var id: String
    var kind: ViewKind
    var index: Int?
  }

  /// Reads a mapping from the ids of views to what becomes of each.
  private mutating func perView(
    _ value: Value, _ example: String, _ read: (inout Self, Value, Target) -> ActionStep?
  ) -> [ActionStep] {
    guard let entries = value.node.entries else {
      value.refuse("give a view's id and what becomes of it: \(example)")
      return []
    }
    if entries.isEmpty { value.complain("\(value.name) names no view; give \(example)") }
    var steps: [ActionStep] = []
    for (key, node) in entries {
      guard let target = target(key.text ?? "", at: key.place, value.name) else { continue }
      let value = Value(name: target.id.escaped, node: node, report: report)
      if let step = read(&self, value, target) { steps.append(step) }
    }
    return steps
  }

  /// The view with an id. Nil if no view has it, which is reported here, or if the view's kind is unknown, which was reported
  /// when the view was read.
  mutating func target(_ id: String, at place: SourceLocation, _ step: String) -> Target? {
    if let target = existing(id) {
      return target.index.map { names.viewsOfUnknownKind.contains($0) } ?? false ? nil : target
    }
    names.comparisonsLeft -= places.count
    let ids = places.keys.sorted() + [configuration.window.id]
    let nearest = names.comparisonsLeft < 0 ? nil : Suggestion.nearest(to: id, among: ids)
    let help = nearest.map { "did you mean \"\($0.escaped)\"?" } ?? "give a view's id"
    report.add(at: place, "no view has the id \"\(id.escaped)\", which \(step) names; \(help)")
    return nil
  }

  /// The view with an id, whatever its kind.
  func existing(_ id: String) -> Target? {
    if let index = places[id] {
      return Target(id: id, kind: configuration.views[index].kind, index: index)
    }
    return id == configuration.window.id ? Target(id: id, kind: .window) : nil
  }

  /// What a control holds in the file; nil for a view that holds nothing.
  func value(of target: Target) -> ControlValue? { target.index.flatMap { configuration.views[$0].value } }

  // MARK: Set

  private mutating func settings(_ value: Value, of target: Target) -> ActionStep? {
    guard let fields = value.fields(ViewProperty.self, "give properties and their values: {hidden: true}")
    else {
      if value.node.isNull { value.refuse("give properties and their values: {hidden: true}") }
      return nil
    }
    var settings: [ViewSetting] = []
    for (property, place) in fields.keys {
      guard let value = fields[property] else { continue }
      guard property.isProperty(of: target.kind) else {
        report.add(
          at: place,
          "only \(property.owners) have \"\(property.rawValue)\", and \"\(target.id.escaped)\" is "
            + "\(target.kind.row.one); name another view, or remove it")
        continue
      }
      if let setting = setting(property, value, of: target) { settings.append(setting) }
    }
    return settings.isEmpty ? nil : .set(view: target.id, settings)
  }

  private mutating func setting(_ property: ViewProperty, _ value: Value, of target: Target) -> ViewSetting? {
    // A text is shown as it is written: 21.50, not 21.5.
    let isText = property == .text && value.node.text != nil && !value.node.isNull
    let given: PropertyValue = isText ? .text(value.node.text ?? "") : value.node.propertyValue
    if property == .value, given == .text("{value}") {
      checkPlaceholders(in: "{value}", at: value.node.place)
      check(.sentValue, value, of: target)
      return .sentValue
    }
    do throws(PropertyError) {
      let setting = try ViewSetting(.init(key: property.rawValue, value: given), for: target.kind)
      check(setting, value, of: target)
      return setting.resolving(configuration.resolve).withShownTexts
    } catch {
      report(error, in: value)
      return nil
    }
  }

  /// What depends on more than the kind of the view.
  private mutating func check(_ setting: ViewSetting, _ value: Value, of target: Target) {
    switch setting {
    case .text(let text): checkPlaceholders(in: text, at: value.node.place)
    case .page(let page):
      if let index = target.index { requirePage(page, at: value.node.place, of: index) }
    case .value, .sentValue, .minimum, .maximum:
      requireValue(of: target, value)
    case .rows, .segments:
      for item in value.node.items ?? [] {
        Value(name: value.name, node: item, report: report).refuseBraces()
      }
    case .image: value.refuseBraces()
    default: checkArrangement(setting, value, of: target)
    }
  }

  /// Reports what the file would not take for the view itself, and what fails when the step runs.
  private func checkArrangement(_ setting: ViewSetting, _ value: Value, of target: Target) {
    guard let view = target.index.map({ configuration.views[$0] }) else { return }
    let parent = view.parent.map { configuration.views[$0].kind }
    switch setting {
    case .border(nil, _) where view.appearance.border == nil:
      value.complain(
        "a border needs \"color\", and \"\(view.id.escaped)\" has none yet; \(Value.colorAdvice)")
    case .frame where view.isArranged && parent == .stack:
      value.complain("the stack places \"\(view.id.escaped)\", which has no frame; set size: [width, height]")
    case .frame where view.isArranged:
      value.complain(
        "\"\(view.id.escaped)\" fills its superview, since it has no frame in the file; give it one there")
    case .size where parent != .stack:
      value.complain(
        "size is for a view in a stack, and \"\(view.id.escaped)\" is in none; set frame: [x, y, width, height]"
      )
    case .size where !view.isArranged:
      value.complain(
        "\"\(view.id.escaped)\" has a frame, so the stack does not arrange it; set frame: [x, y, width, height]"
      )
    case .axis(.horizontal) where view.arrangement.columns != nil:
      value.complain(
        "columns of \"\(view.id.escaped)\" makes a grid of rows; set columns: null too, or neither")
    default: break
    }
  }

  private func requireValue(of target: Target, _ value: Value) {
    guard let index = target.index, configuration.views[index].value == nil else { return }
    value.complain(
      "the control \"\(target.id.escaped)\" has no value to set; give it one, such as value: 0")
  }

  private mutating func requirePage(_ page: String, at place: SourceLocation, of index: Int) {
    var reader = ConfigurationReader(file: configuration.file, report: report)
    (reader.configuration, reader.names) = (configuration, names)
    reader.requirePage(Names.Reference(name: page, place: place), of: index)
    names = reader.names
  }

  /// Reports what is wrong with a value where it stands in the file.
  private func report(_ error: PropertyError, in value: Value) {
    var node = value.node
    var keyPlace = value.node.place
    for step in error.path {
      switch step {
      case .key(let key):
        guard let entry = node.entries?.first(where: { $0.key.text == key }) else { continue }
        (node, keyPlace) = (entry.value, entry.key.place)
      case .item(let index, _):
        if let items = node.items, items.indices.contains(index) { node = items[index] }
      }
    }
    switch error.cause {
    case .badValue(let expected):
      Value(name: error.name, node: node, report: report).refuse(advice(for: node, expected))
    case .noSuchProperty(let known):
      guard case .key(let key)? = error.path.last else { return }
      let nearest = Suggestion.nearestKey(to: key, among: known)
      let help = nearest.map { "did you mean \"\($0)\"?" } ?? "give \(known.joined(lastWith: "or"))"
      report.add(at: keyPlace, "unknown key \"\(key.escaped)\" in \(error.key); \(help)")
    case .notOfThisView, .noSuchView, .unusable: break
    }
  }

  private func advice(for node: YAMLNode, _ expected: String) -> String {
    if let braces = node.unquotedBraces, expected == "a text" { return "put it in quotes: \"\(braces)\"" }
    if expected.hasPrefix("a colour"), node.isEmpty {
      return "put the colour in quotes, since # starts a comment"
    }
    if expected.contains("number"), case .text = node.scalar {
      switch node.unquoted {
      case .integer, .number: return "leave out the quotes to make it a number"
      default:
        if let advice = node.unitAdvice(in: expected == NumberRange.fraction.shown ? .fraction : .length) {
          return advice
        }
      }
    }
    return expected.hasPrefix("a colour; did you mean") ? String(expected.dropFirst(10)) : "give \(expected)"
  }

  // MARK: Change, toggle, page

  private func change(_ value: Value, of target: Target) -> ActionStep? {
    guard ViewProperty.value.isProperty(of: target.kind) else {
      value.complain(
        "\"\(target.id.escaped)\" is \(target.kind.row.one) and has no value to change; "
          + "only \(ViewProperty.value.owners) have")
      return nil
    }
    requireValue(of: target, value)
    return value.number(in: .coordinate).map { .change(view: target.id, by: $0) }
  }

  private func toggle(_ value: Value, of target: Target) -> ActionStep? {
    let flags = ViewProperty.allCases.filter { $0.isFlag(of: target.kind) && $0.isProperty(of: target.kind) }
    let advice = "give " + flags.map(\.rawValue).joined(lastWith: "or")
    guard let name = value.nonEmptyText(advice) else { return nil }
    if let property = ViewProperty(rawValue: name), flags.contains(property) {
      return .toggle(view: target.id, property)
    }
    let help = Suggestion.nearestKey(to: name, among: flags.map(\.rawValue))
    value.complain(
      "\(target.kind.row.one) has no \"\(name.escaped)\" that is true or false; "
        + (help.map { "did you mean \"\($0)\"?" } ?? advice))
    return nil
  }

  private mutating func page(_ value: Value, of target: Target) -> ActionStep? {
    guard target.kind == .pages, let index = target.index else {
      value.complain(
        "\"\(target.id.escaped)\" is \(target.kind.row.one) and has no pages; name a view of the kind pages")
      return nil
    }
    guard let text = value.nonEmptyText("give next, previous or the id of one of its subviews") else {
      return nil
    }
    let page = PagesView.Target(text)
    if case .id(let id) = page { requirePage(id, at: value.node.place, of: index) }
    return .page(view: target.id, page)
  }

  // MARK: Run, send

  private mutating func run(_ value: Value) -> ActionStep? {
    var reader = ConfigurationReader(file: configuration.file, report: report)
    reader.configuration = configuration
    let advice = "give the program and its arguments: [aplay, ding.wav]"
    var commandValue: Value? = value
    var show: String?
    var timeLimit: Double? = HandlerSettings.defaultTimeLimit
    if value.node.entries != nil, let fields = value.fields(RunKey.self) {
      commandValue = fields.require(.command, advice)
      show = fields.unlessNull(.show).flatMap { label($0) }
      timeLimit = reader.timeLimit(fields.unlessNull(.timeout))
    }
    guard let commandValue, let command = reader.command(commandValue) else { return nil }
    let words = commandValue.node.items ?? []
    if let program = command.first, !ActionStep.braces(in: program, isCommand: true).isEmpty {
      commandValue.complain("a value cannot be in the name of a program; give it as an argument")
    }
    for (word, node) in zip(command, words).dropFirst() {
      checkPlaceholders(in: word, at: node.place, isCommand: true)
    }
    return .run(command: command, show: show, timeLimit: timeLimit)
  }

  /// The id of a view with a text.
  private mutating func label(_ value: Value) -> String? {
    guard let id = value.nonEmptyText("give the id of a label or a button") else { return nil }
    guard let target = target(id, at: value.node.place, "show") else { return nil }
    guard target.kind.hasText else {
      value.complain(
        "\"\(id.escaped)\" is \(target.kind.row.one) and shows no text; give the id of a label or a button")
      return nil
    }
    return id
  }

  private mutating func send(_ value: Value) -> ActionStep? {
    guard let fields = value.fields(SendKey.self) else {
      if value.node.isNull { value.refuse("write {to: HANDLER, message: ...}") }
      return nil
    }
    let advice = "give the name of a process handler, or subscribers"
    let target = fields.require(.to, advice).flatMap { recipient($0, advice) }
    guard let message = fields[.message] else {
      report.add(at: fields.node.place, "a send needs \"message\"; give anything that JSON can carry")
      return nil
    }
    let json = message.node.json { number in
      Value(name: "a number of the message", node: number, report: report)
        .refuse("the message is JSON, which has only finite numbers, so give one")
    }
    for text in message.node.scalars { checkPlaceholders(in: text.text ?? "", at: text.place) }
    return target.map { ActionStep.send(message: json, to: $0) }
  }

  private mutating func recipient(_ value: Value, _ advice: String) -> ActionStep.Recipient? {
    guard let name = value.nonEmptyText(advice) else { return nil }
    if name == "subscribers" { return .subscribers }
    switch configuration.handlers.first(where: { $0.name == name })?.kind {
    case .exec, .plugin:
      value.complain("the handler \"\(name.escaped)\" is not a process, and takes no messages; \(advice)")
      return nil
    default: break
    }
    names.handlerReferences.append(Names.Reference(name: name, place: value.node.place))
    return .handler(name)
  }
}

extension ViewSetting {
  /// Texts in which nothing is filled in, as they are shown.
  fileprivate var withShownTexts: ViewSetting {
    switch self {
    case .rows(let rows): .rows(rows.map(ActionStep.shown))
    case .segments(let segments): .segments(segments.map(ActionStep.shown))
    default: self
    }
  }
}

extension Configuration.Gesture.Kind {
  /// Whether the gesture goes on after it was recognised.
  fileprivate var isContinuous: Bool {
    switch self {
    case .tap, .swipe: false
    case .longPress, .pan, .pinch, .rotation: true
    }
  }
}

extension YAMLNode {
  /// The node as a property's value. Segments are a list of texts; no other property takes more than a few items, nor lists in
  /// lists in lists: what is beyond that is not read, so that aliases cannot make it large.
  fileprivate var propertyValue: PropertyValue { propertyValue(depth: 3) }

  private func propertyValue(depth: Int) -> PropertyValue {
    if let items {
      // The longest list is that of rows, which is the whole value.
      let most = depth == 3 ? Configuration.View.mostRows : 16
      return .list(depth == 0 ? [] : items.prefix(most).map { $0.propertyValue(depth: depth - 1) })
    }
    if let entries {
      return .map(
        depth == 0
          ? []
          : entries.prefix(16).map {
            .init(key: $0.key.text ?? "", value: $0.value.propertyValue(depth: depth - 1))
          })
    }
    return switch scalar {
    case .null, nil: .null
    case .bool(let flag): .flag(flag)
    case .integer(let integer): .number(Double(integer))
    case .number(let number): .number(number)
    case .text(let text): .text(text)
    }
  }
}
