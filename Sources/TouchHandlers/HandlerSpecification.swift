import TouchCore

/// A handler as the configuration declares it, before anything is loaded or looked for.
package struct HandlerSpecification: Hashable, Sendable {
  /// What the handler does, and with what.
  package enum Kind: Hashable, Sendable {
    /// Writes every phase and action to the log.
    case log
    /// Starts a command on each of the occasions. The first word is a program: a name that is searched in
    /// PATH, or a path. A process that takes longer than the limit, in seconds, is ended; nil for no limit.
    case exec(on: Set<HandlerTrigger>, command: [String], timeLimit: Double?)
    /// Loads a shared object. `path` is a bare file name, which is searched in the plugin folders, or a path;
    /// `configJSON` is one JSON object.
    case plugin(path: String, configJSON: String)
  }

  /// The name under which responders refer to the handler.
  package var name: String
  package var kind: Kind
  /// Whether it is asked on the way down to the hit view, before it.
  package var captures: Bool

  package init(name: String, kind: Kind, captures: Bool = false) {
    self.name = name
    self.kind = kind
    self.captures = captures
  }
}
