/// What a configuration says of one handler, and what the handler is made from.
package struct HandlerSettings: Hashable, Sendable {
  /// What the handler does, and with what.
  package enum Kind: Hashable, Sendable {
    /// Starts a command at each of the triggers; never with a shell. The first word is a program: a bare name, which is
    /// searched in PATH, or a path. A process that takes longer than the limit, in seconds, is ended; nil for no limit.
    case exec(on: Set<HandlerTrigger>, command: [String], timeLimit: Double?)
    /// Loads a shared object. `path` is a bare file name, which is searched in the plugin folders, or a path;
    /// `configJSON` is one JSON object, keys in the file's order.
    case plugin(path: String, configJSON: String)
  }

  /// How long a command may run where no limit is given, in seconds.
  package static let defaultTimeLimit = 10.0

  /// The name under which responders refer to the handler; unique in a file.
  package var name: String
  package var kind: Kind
  /// Whether the handler gets touches before the hit view does, on the way down to it.
  package var captures: Bool

  package init(name: String, kind: Kind, captures: Bool = false) {
    self.name = name
    self.kind = kind
    self.captures = captures
  }
}
