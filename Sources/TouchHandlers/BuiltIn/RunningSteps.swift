/// The lists of steps that are being done, each begun by a step of the one before it.
///
/// A step that has a text field begin or end editing begins the steps of that field. If those lead back to the first ones, they would go
/// on for ever, at once or from timer to timer: after `limit` lists that began each other, all of them stop.
package final class RunningSteps {
  /// How many lists may begin each other.
  package static let limit = 32

  /// What caused each list, from the first one to the one that is being done.
  private(set) var path: [String] = []
  /// How many of them are being done at this moment; the others waited for a timer.
  private var depth = 0
  /// Whether none of them goes on.
  private(set) var isStopped = false

  package init() {}

  /// Does a list of steps, unless too many have begun each other.
  ///
  /// - Parameter cause: what it follows, as the log may have it.
  /// - Returns: what the lists followed that have to stop now; nil where none has to, or that was said already.
  func run(_ cause: String, _ body: () -> Void) -> [String]? {
    if isStopped { return nil }
    path.append(cause)
    guard path.count <= Self.limit else {
      isStopped = true
      defer { path.removeLast() }
      return path
    }
    depth += 1
    body()
    path.removeLast()
    leave()
    return nil
  }

  /// Does steps that have waited.
  ///
  /// - Parameter path: as it was when they began to wait.
  func resume(_ path: [String], _ body: () -> Void) {
    let before = self.path
    self.path = path
    depth += 1
    body()
    self.path = before
    leave()
  }

  private func leave() {
    depth -= 1
    if depth == 0 { isStopped = false }
  }

  /// The circle in a path: from the beginning to the first thing that is there for the second time.
  static func circle(in path: [String]) -> String {
    var shown: [String] = []
    for cause in path {
      defer { shown.append(cause) }
      if shown.contains(cause) { return (shown + [cause]).joined(separator: " → ") }
    }
    return shown.joined(separator: " → ")
  }
}
