import TouchCore
import TouchExpressions
import TouchSystem
import TouchViews

extension ConfigurationReader {
  mutating func readHandlers(_ value: Value?) {
    guard let value else { return }
    guard let entries = value.node.entries else {
      if !value.node.isNull {
        value.refuse("give each handler a name: bell: {kind: plugin, path: libbell.so}")
      }
      return
    }
    for (key, node) in entries {
      guard let name = handlerName(key) else { continue }
      names.handlers.insert(name)
      let value = Value(name: "the handler \"\(name.escaped)\"", node: node, report: report)
      guard let fields = value.fields(HandlerKey.self) else {
        if node.isNull { value.refuse("give it a kind: {kind: plugin, path: libbell.so}") }
        continue
      }
      if let kind = handlerKind(fields) {
        configuration.handlers.append(
          HandlerSettings(name: name, kind: kind, captures: fields[.capture]?.bool() ?? false))
        configuration.handlerLocations[name] = key.place
      }
    }
  }

  private func handlerName(_ key: YAMLNode) -> String? {
    let name = key.text ?? ""
    if name == "log" {
      report.add(at: key.place, "the handler \"log\" is built in and needs no declaration; use another name")
      return nil
    }
    return Value(name: "a handler's name", node: key, report: report).nonEmptyText("give it a name")
  }

  private enum Kind: String, CaseIterable { case plugin, exec, process, set }

  private func handlerKind(_ fields: Fields<HandlerKey>) -> HandlerSettings.Kind? {
    guard let value = fields.require(.kind, "give plugin, process or exec") else { return nil }
    if value.node.text == Kind.set.rawValue {
      value.complain(
        "a handler of the kind \"set\" is not supported yet; use plugin, process or exec")
      return nil
    }
    switch value.choice(among: [Kind.plugin, .process, .exec]) {
    case .plugin:
      refuse([.when, .on, .timeout], of: fields, belongingTo: "an exec handler", unlike: "a plugin")
      refuse([.command], of: fields, belongingTo: "a process or exec handler", unlike: "a plugin")
      refuse([.wants, .forwards], of: fields, belongingTo: "a process handler", unlike: "a plugin")
      return plugin(fields)
    case .process:
      refuse([.when, .on, .timeout], of: fields, belongingTo: "an exec handler", unlike: "a process handler")
      refuse([.path, .budget], of: fields, belongingTo: "a plugin", unlike: "a process handler")
      return process(fields)
    case .exec:
      refuse([.path, .budget], of: fields, belongingTo: "a plugin", unlike: "an exec handler")
      refuse([.config], of: fields, belongingTo: "a plugin or process handler", unlike: "an exec handler")
      refuse([.wants, .forwards], of: fields, belongingTo: "a process handler", unlike: "an exec handler")
      return exec(fields)
    case .set, nil: return nil
    }
  }

  private func refuse(
    _ keys: Set<HandlerKey>, of fields: Fields<HandlerKey>, belongingTo owner: String, unlike this: String
  ) {
    for (key, place) in fields.keys where keys.contains(key) {
      fields.refuse(key, at: place, of: owner, in: this)
    }
  }

  /// What stands under `config`, as JSON.
  private func configJSON(_ fields: Fields<HandlerKey>) -> String {
    let json = fields[.config].map { value in
      value.node.isEmpty
        ? "{}"
        : value.node.json { number in
          Value(name: "a number of the handler's configuration", node: number, report: report)
            .refuse("the handler gets JSON, which has only finite numbers, so give one")
        }
    }
    return json ?? "{}"
  }

  private func process(_ fields: Fields<HandlerKey>) -> HandlerSettings.Kind? {
    let command = fields.require(.command, "give the program and its arguments: [climate.py]")
      .flatMap(command)
    let wants = fields.unlessNull(.wants).map(events) ?? ProcessEvent.usual
    let json = configJSON(fields)
    if json.utf8.count > Self.longestConfig {
      fields[.config]?.complain(
        "the handler's configuration has \(json.utf8.count) bytes as JSON; a line of the protocol has room for "
          + "\(Self.longestConfig), so put it into a file and give that one's name")
    }
    guard let wants, let command else { return nil }
    refusePlaceholders(in: command, fields[.command])
    return .process(
      command: command, wants: wants, configJSON: json, forwards: fields[.forwards]?.bool() ?? true)
  }

  /// In bytes. A line of the protocol has 65 536, with the names of the host and the handler.
  private static let longestConfig = 60_000

  private func events(_ value: Value) -> Set<ProcessEvent>? {
    guard let items = value.list("give a list of events, such as [began, ended, cancelled]") else {
      return nil
    }
    let events = items.map { item in
      Value(name: "an event in wants", node: item.node, report: report).choice(among: ProcessEvent.allCases)
    }
    return events.contains(nil) ? nil : Set(events.compactMap(\.self))
  }

  private func plugin(_ fields: Fields<HandlerKey>) -> HandlerSettings.Kind? {
    let json = configJSON(fields)
    let advice = "give the plugin's file, such as libbell.so"
    guard let value = fields.require(.path, advice), let path = value.nonEmptyText(advice) else { return nil }
    let budget =
      fields.unlessNull(.budget).map { $0.number(in: Self.budgets) } ?? HandlerSettings.defaultBudget
    let resolved = configuration.resolveUnlessBare(path, from: value.node.place)
    return budget.map { .plugin(path: resolved, configJSON: json, budget: $0) }
  }

  /// In seconds.
  private static let budgets = NumberRange(lower: 0, upper: 60, isAboveLower: true)

  private func exec(_ fields: Fields<HandlerKey>) -> HandlerSettings.Kind? {
    let triggers = triggers(fields)
    let command = fields.require(.command, "give the program and its arguments: [aplay, ding.wav]")
      .flatMap(command)
    let timeLimit = timeLimit(fields.unlessNull(.timeout))
    guard let triggers, let command else { return nil }
    refusePlaceholders(in: command, fields[.command])
    return .exec(on: Set(triggers), command: command, timeLimit: timeLimit)
  }

  /// YAML 1.1 reads the key `on` as true; `when` means the same and can be read by other programs too.
  private func triggers(_ fields: Fields<HandlerKey>) -> [HandlerTrigger]? {
    if let on = fields.keys.first(where: { $0.key == .on }), fields[.when] != nil {
      report.add(at: on.place, "\"on\" is an older name of \"when\", which is here too; remove this one")
      return nil
    }
    let advice = "give a trigger, such as pressed, or a list of them"
    guard let value = fields.require(fields[.on] == nil ? .when : .on, advice) else { return nil }
    guard let items = value.node.items else { return trigger(value).map { [$0] } }
    if items.isEmpty {
      value.complain("\(value.name) is an empty list; give at least one trigger, such as pressed")
    }
    return items.compactMap { trigger(Value(name: value.name, node: $0, report: report)) }
  }

  private func trigger(_ value: Value) -> HandlerTrigger? {
    let names = HandlerTrigger.allCases.map(\.rawValue)
    if let text = value.node.text, !names.contains(text) {
      // What a control sends is called touchUpInside in the trace and by UIKit; pressed has many names elsewhere.
      if let meant = ForeignWords.isPress(text) ? "pressed" : Suggestion.nearestKey(to: text, among: names) {
        value.refuse("did you mean \"\(meant)\"?")
        return nil
      }
    }
    return value.choice(among: HandlerTrigger.allCases)
  }

  /// In seconds, at most a day; nil for none.
  func timeLimit(_ value: Value?) -> Double? {
    guard let value else { return HandlerSettings.defaultTimeLimit }
    if value.node.text == "none" { return nil }
    let range = NumberRange(lower: 0, upper: 86_400, isAboveLower: true)
    if let number = value.finiteNumber, range.contains(number) { return number }
    value.refuseNumber("give \(range.shown), or none")
    return nil
  }

  func command(_ value: Value) -> [String]? {
    let line = value.node.isNull ? nil : value.node.text.map(ShellWords.init)
    let advice =
      line?.needsShell == true
      ? Self.shellAdvice(line)
      : "give the program and its arguments as a list: " + (line?.list ?? "[aplay, ding.wav]")
    guard let items = value.list(advice) else { return nil }
    guard let program = items.first else {
      value.complain("command is an empty list; \(advice)")
      return nil
    }
    let command = items.compactMap {
      Value(name: "an argument of command", node: $0.node, report: report).freeText(
        "write \"\" for an empty one")
    }
    if program.node.text?.isEmpty == true, !program.node.isNull {
      program.complain("the program in command is empty; \(advice)")
    }
    guard command.count == items.count, !isShellLine(command, program.node) else { return nil }
    return [configuration.resolveUnlessBare(command[0], from: program.node.place)] + command.dropFirst()
  }

  private static func shellAdvice(_ line: ShellWords?) -> String {
    "no shell reads a command; start one: \(line?.list ?? "[sh, -c, \"...\"]")"
  }

  /// Whether the program's name is a whole line for a shell, which is reported. One with blanks may be a program's path. Also
  /// warns of what a shell would read among the arguments.
  private func isShellLine(_ command: [String], _ program: YAMLNode) -> Bool {
    let (line, name) = (ShellWords(command[0]), command[0])
    let word = name.prefix { $0 != " " }
    let hasPathBehindBlank = !word.contains("/") && name.dropFirst(word.count).contains("/")
    if name.contains(" ") && (line.needsShell || hasPathBehindBlank) {
      report.add(
        at: program.place,
        "the program in command is the text \"\(name.escaped)\"; "
          + (line.needsShell ? Self.shellAdvice(line) : "give each word for itself: \(line.list)"))
      return true
    }
    if !ShellWords.isShell(name), let word = command.dropFirst().first(where: ShellWords.isOperator) {
      let line = ShellWords(command.joined(separator: " "))
      report.add(
        .warning, at: program.place,
        "\"\(word)\" is given to \(name.escaped) as an argument: " + Self.shellAdvice(line))
    }
    return false
  }

  /// Reports placeholders in the command of a handler, in which nothing is filled in.
  private func refusePlaceholders(in command: [String], _ value: Value?) {
    let parts = Reference.SentPart.allCases.map(\.rawValue)
    guard
      let inside = command.lazy.compactMap({ Formula.firstBraces(in: $0) }).first(where: { inside in
        parts.contains { inside == $0 || inside.hasSuffix(".\($0)") }
      })
    else { return }
    value?.complain(
      "nothing fills in \"{\(inside.escaped)}\" in the command of a handler; use the variable TOUCHTREE_VALUE, or "
        + "the step run of an action")
  }
}
