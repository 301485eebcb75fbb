import TouchConfig
import TouchHandlers

extension Scene {
  /// Makes the declared handlers and attaches them to the responders that name them.
  ///
  /// - Parameter factory: loads plugins and finds commands.
  /// - Throws: `HandlerErrors` with every handler that cannot be made; nothing is attached then.
  func attachHandlers(of configuration: Configuration, from factory: HandlerFactory) throws {
    let handlers = try factory.make(
      configuration.handlers.map { HandlerSpecification($0, in: configuration) })
    for attachment in attachments {
      attachment.responder.handlers = attachment.handlers.compactMap { handlers[$0] }
    }
    for attachment in gestureAttachments {
      attachment.gesture.handlers = attachment.handlers.compactMap { handlers[$0] }
    }
  }

  /// Takes the handlers off again, which ends them.
  func detachHandlers() {
    for attachment in attachments { attachment.responder.handlers = [] }
    for attachment in gestureAttachments { attachment.gesture.handlers = [] }
  }
}

extension Configuration {
  /// A program that is named by a path starts at the configuration's folder; a bare name is looked for in PATH.
  fileprivate func resolve(command: [String]) -> [String] {
    guard let program = command.first, program.contains("/") else { return command }
    return [resolve(program)] + command.dropFirst()
  }
}

extension HandlerSpecification {
  init(_ declaration: Configuration.HandlerDeclaration, in configuration: Configuration) {
    let kind: Kind =
      switch declaration.kind {
      case .exec(let occasions, let command):
        .exec(on: Set(occasions), command: configuration.resolve(command: command))
      case .plugin(let path, let json):
        // A bare name is looked for beside the configuration and in the plugin folders; any other path starts at
        // the configuration's folder.
        .plugin(path: path.contains("/") ? configuration.resolve(path) : path, configJSON: json)
      }
    self.init(name: declaration.name, kind: kind, captures: declaration.captures)
  }
}
