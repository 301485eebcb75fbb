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
      let missing = "give it a kind: {kind: plugin, path: libbell.so}"
      var draft = HandlerDraft()
      if let fields = value.fields(HandlerDraft.keys.table, missing: missing),
        let kind = handlerKind(fields, &draft)
      {
        configuration.handlers.append(HandlerSettings(name: name, kind: kind, captures: draft.captures))
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

  private func handlerKind(_ fields: Fields, _ draft: inout HandlerDraft) -> HandlerSettings.Kind? {
    guard let kind = fields.require("kind")?.choice(HandlerDraft.Kind.self) else { return nil }
    fields.refuseKeys(unlike: kind.rawValue)
    fields.read(HandlerDraft.keys, into: &draft, of: kind.rawValue)
    switch kind {
    case .plugin:
      let path = draft.path.flatMap { value in
        value.nonEmptyText("give the plugin's file, such as libbell.so").map {
          configuration.resolveUnlessBare($0, from: value.node.place)
        }
      }
      let json = configJSON(draft)
      return path.map { .plugin(path: $0, configJSON: json, budget: draft.budget) }
    case .process:
      let json = configJSON(draft)
      if json.utf8.count > Self.longestConfig {
        draft.config?.complain(
          "the handler's configuration has \(json.utf8.count) bytes as JSON; a line of the protocol has room for "
            + "\(Self.longestConfig), so put it into a file and give that one's name")
      }
      return handlerCommand(draft).map {
        .process(command: $0, wants: draft.wants, configJSON: json, forwards: draft.forwards)
      }
    case .exec:
      let (triggers, command) = (triggers(fields), handlerCommand(draft))
      guard let triggers, let command else { return nil }
      return .exec(on: triggers, command: command, timeLimit: draft.timeLimit)
    }
  }

  private func configJSON(_ draft: HandlerDraft) -> String {
    guard let node = draft.config?.node, !node.isEmpty else { return "{}" }
    return node.json { number in
      Value(name: "a number of the handler's configuration", node: number, report: report)
        .refuse("the handler gets JSON, which has only finite numbers, so give one")
    }
  }

  /// In bytes. A line of the protocol has 65 536, with the names of the host and the handler.
  private static let longestConfig = 60_000

  /// YAML 1.1 reads the key `on` as true; `when` means the same and can be read by other programs too.
  private func triggers(_ fields: Fields) -> Set<HandlerTrigger>? {
    if let on = fields.keys.first(where: { $0.key == "on" }), fields["when"] != nil {
      report.add(at: on.place, "\"on\" is an older name of \"when\", which is here too; remove this one")
      return nil
    }
    return fields.require(fields["on"] == nil ? "when" : "on").flatMap(KeyType.triggers.read)
  }

  private func handlerCommand(_ draft: HandlerDraft) -> [String]? {
    let command = draft.command.flatMap(command)
    if let command { refusePlaceholders(in: command, draft.command) }
    return command
  }

  func command(_ value: Value) -> [String]? {
    let line = value.node.isNull ? nil : value.node.text.map(ShellWords.init)
    let advice =
      line?.needsShell == true
      ? Self.shellAdvice(line)
      : "give the program and its arguments as a list: " + (line?.list ?? "[aplay, ding.wav]")
    guard let items = value.list(advice, of: "an argument of command") else { return nil }
    guard let program = items.first else {
      value.complain("command is an empty list; \(advice)")
      return nil
    }
    let command = items.compactMap { $0.freeText("write \"\" for an empty one") }
    if program.node.text?.isEmpty == true, !program.node.isNull {
      program.complain("the program in command is empty; \(advice)")
    }
    guard command.count == items.count, !isShellLine(command, program.node) else { return nil }
    return [configuration.resolveUnlessBare(command[0], from: program.node.place)] + command.dropFirst()
  }

  private static func shellAdvice(_ line: ShellWords?) -> String {
    "no shell reads a command; start one: \(line?.list ?? "[sh, -c, \"...\"]")"
  }

  /// Whether the program's name is a whole line for a shell, which is reported. One with blanks may be a
  /// program's path. Also warns of what a shell would read among the arguments.
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
