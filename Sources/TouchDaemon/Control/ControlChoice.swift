/// Whether and where a daemon can be asked.
package enum ControlChoice: Hashable, Sendable {
  /// Where `touchtree ctl` looks by itself. A daemon that cannot listen there runs without.
  case standard
  /// At this path, or not at all: a daemon that cannot listen there does not start.
  case path(String)
  case none
}
