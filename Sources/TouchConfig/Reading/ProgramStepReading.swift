import TouchExpressions
import TouchViews

extension ActionReader {
  /// Reads a command that is started, and the view that shows what it prints.
  mutating func run(_ value: Value) -> ActionStep? {
    var reader = ConfigurationReader(file: configuration.file, report: report)
    reader.configuration = configuration
    let advice = "give the program and its arguments: [aplay, ding.wav]"
    var commandValue: Value? = value
    var show: String?
    var timeLimit: Double? = HandlerSettings.defaultTimeLimit
    if value.node.entries != nil, let fields = value.fields(.run) {
      commandValue = fields.require("command")
      show = fields.unlessNull("show").flatMap { label($0) }
      timeLimit = fields.unlessNull("timeout").flatMap(KeyType.timeLimit.read) ?? timeLimit
    }
    guard let commandValue else { return nil }
    // Null asks for nothing where a list is optional.
    if commandValue.node.isNull { commandValue.refuse(advice) }
    guard let command = reader.command(commandValue) else { return nil }
    let words = commandValue.node.items ?? []
    guard let program = command.first else { return nil }
    if words.first?.isGiven ?? false {
      commandValue.complain(
        "the program is named by a row that was set while the tree is shown; name it here, and let rows give arguments"
      )
    }
    if let inside = Formula.firstBraces(in: program),
      inside.allSatisfy({ $0.isLetter || $0 == "." || $0 == "-" })
    {
      commandValue.complain("a value cannot be in the name of a program; give it as an argument")
    }
    let arguments = zip(command, words).dropFirst().map { word, node -> Formula? in
      guard word == node.text else { return Formula(letters: word) }
      return Value(name: "an argument", node: node, report: report).formula(scope, by: .command)
    }
    guard !arguments.contains(nil) else { return nil }
    return .run(
      command: [Formula(letters: program)] + arguments.compactMap(\.self), show: show, timeLimit: timeLimit)
  }

  private mutating func label(_ value: Value) -> String? {
    guard let id = value.nonEmptyText("give the id of a label or a button").map(value.node.global) else {
      return nil
    }
    guard let target = target(id, at: value.node.place, "show") else { return nil }
    guard target.kind.hasText else {
      value.complain(
        "\"\(id.escaped)\" is \(target.kind.one) and shows no text; give the id of a label or a button")
      return nil
    }
    return id
  }

  mutating func send(_ value: Value) -> ActionStep? {
    guard let fields = value.fields(.send, missing: "write {to: HANDLER, message: ...}") else { return nil }
    let target = fields.require("to").flatMap { recipient($0) }
    guard let message = fields["message"] else {
      report.add(at: fields.node.place, "a send needs \"message\"; give anything that JSON can carry")
      return nil
    }
    let json = message.node.json { number in
      Value(name: "a number of the message", node: number, report: report)
        .refuse("the message is JSON, which has only finite numbers, so give one")
    }
    var isRight = true
    for text in message.node.scalars where text.text?.contains("{") ?? false {
      if Value(name: "a text of the message", node: text, report: report).formula(scope) == nil {
        isRight = false
      }
    }
    guard isRight, let target else { return nil }
    var scope = scope
    scope.instance = message.node.instance
    do throws(ExpressionError) {
      return .send(message: try MessageFormula(json, scope: scope), to: target)
    } catch {
      message.complain(error.message)
      return nil
    }
  }

  private mutating func recipient(_ value: Value) -> ActionStep.Recipient? {
    let advice = "give the name of a process handler, or subscribers"
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
