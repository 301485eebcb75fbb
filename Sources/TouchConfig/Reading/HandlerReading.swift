import TouchCore

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
          Configuration.HandlerDeclaration(
            name: name, kind: kind, captures: fields[.capture]?.bool() ?? false, place: key.place))
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

  private func handlerKind(_ fields: Fields<HandlerKey>) -> Configuration.HandlerDeclaration.Kind? {
    guard let value = fields.require(.kind, "give plugin or exec") else { return nil }
    for kind in [Kind.process, .set] where value.node.text == kind.rawValue {
      value.complain("a handler of the kind \"\(kind.rawValue)\" is not built yet; use plugin or exec")
      return nil
    }
    switch value.choice(among: [Kind.plugin, .exec]) {
    case .plugin:
      refuse([.on, .command], of: fields, belongingTo: "an exec handler", unlike: "a plugin")
      return plugin(fields)
    case .exec:
      refuse([.path, .config], of: fields, belongingTo: "a plugin", unlike: "an exec handler")
      return exec(fields)
    case .process, .set, nil: return nil
    }
  }

  private func refuse(
    _ keys: Set<HandlerKey>, of fields: Fields<HandlerKey>, belongingTo owner: String, unlike this: String
  ) {
    for (key, place) in fields.keys where keys.contains(key) {
      report.add(
        at: place,
        "\"\(key.rawValue)\" is a key of \(owner), and this is \(this); change the kind or remove it")
    }
  }

  private func plugin(_ fields: Fields<HandlerKey>) -> Configuration.HandlerDeclaration.Kind? {
    let json = fields[.config].map { value in
      value.node.isEmpty
        ? "{}"
        : value.node.json { number in
          Value(name: "a number of the plugin's configuration", node: number, report: report)
            .refuse("the plugin gets JSON, which has only finite numbers, so give one")
        }
    }
    let advice = "give the plugin's file, such as libbell.so"
    guard let path = fields.require(.path, advice)?.nonEmptyText(advice) else { return nil }
    return .plugin(path: path, json: json ?? "{}")
  }

  private func exec(_ fields: Fields<HandlerKey>) -> Configuration.HandlerDeclaration.Kind? {
    let on = fields.require(.on, "give an occasion, such as ended, or a list of them")
    let occasions = on.flatMap { on -> [Occasion]? in
      guard let items = on.node.items else { return on.choice(among: Occasion.allCases).map { [$0] } }
      if items.isEmpty { on.complain("on is an empty list; give at least one occasion, such as ended") }
      return items.compactMap {
        Value(name: "on", node: $0, report: report).choice(among: Occasion.allCases)
      }
    }
    let command = fields.require(.command, "give the program and its arguments: [aplay, ding.wav]")
      .flatMap(command)
    guard let occasions, let command else { return nil }
    return .exec(on: occasions, command: command)
  }

  private func command(_ value: Value) -> [String]? {
    let advice = "give the program and its arguments as a list: [aplay, ding.wav]"
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
    return command.count == items.count ? command : nil
  }
}
