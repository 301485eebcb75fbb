import TouchConfig
import TouchCore
import TouchHandlers
import TouchInput

extension InputPipeline {
  /// Touches a configured tree.
  ///
  /// - Parameter geometry: how the canvas lies on the display.
  package convenience init(_ tree: ViewTree, geometry: DisplayGeometry) {
    self.init(window: tree.window, geometry: geometry, taps: tree.configuration.input.taps)
  }
}

extension ViewTree {
  /// Makes the declared handlers and attaches them to the responders that name them.
  ///
  /// - Parameter factory: loads plugins and finds commands.
  /// - Throws: every handler that cannot be made, at its place in the file; nothing is attached then.
  package func attachHandlers(
    of configuration: Configuration, from factory: HandlerFactory
  ) throws(ConfigurationError) {
    let handlers: [String: any Handler]
    do {
      handlers = try factory.make(configuration.handlers)
    } catch {
      throw .invalid(configuration.diagnostics(of: error.errors))
    }
    for attachment in attachments {
      attachment.responder.handlers = attachment.handlers.compactMap { handlers[$0] }
    }
    for attachment in gestureAttachments {
      attachment.gesture.handlers = attachment.handlers.compactMap { handlers[$0] }
    }
  }

  /// Takes the handlers off again, which ends them.
  package func detachHandlers() {
    for attachment in attachments { attachment.responder.handlers = [] }
    for attachment in gestureAttachments { attachment.gesture.handlers = [] }
  }
}

extension Configuration {
  /// Looks whether the handlers can be used here, without loading anything.
  ///
  /// - Parameters:
  ///   - pluginFolders: searched for plugins, first to last.
  ///   - warn: told, as root, who else could change the file.
  /// - Throws: what `run` would refuse: programs and plugins that are missing or that others could change, each at the
  ///   place of its handler; or `FileTrustError` when every user could change the file itself, and this is root.
  package func checkHandlers(pluginFolders: [String], warn: (FileTrustError) -> Void) throws {
    let trust = FileTrust.ofRoot
    try trust?.check(file, warn: warn)
    let errors = HandlerFactory.errors(
      in: handlers, plugins: PluginFolders.locator(for: self, pluginFolders),
      path: ChildProcesses.ownPath, trust: trust)
    if !errors.isEmpty { throw ConfigurationError.invalid(diagnostics(of: errors)) }
  }

  fileprivate func diagnostics(of errors: [HandlerError]) -> [Diagnostic] {
    errors.map { diagnostic(at: handlerLocations[$0.handler] ?? .start, "\($0)") }
  }
}
