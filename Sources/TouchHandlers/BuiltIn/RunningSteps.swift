/// The lists of running steps, each begun by the previous one: editing of a text field begins its steps.
/// Lists that lead back to the first would go on for ever, so after `limit` of them all stop.
package final class RunningSteps {
  package static let limit = 32

  private(set) var path: [String] = []
  /// The number of lists that run at this moment. The others waited for a timer.
  private var depth = 0
  private(set) var isStopped = false

  package init() {}

  /// Runs a list of steps, unless too many lists have begun one another.
  /// - Parameter cause: the cause of the list, for the log.
  /// - Returns: the causes of the lists that have to stop now; nil if
  ///   none has to, or if they were already reported.
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

  /// Runs steps that have waited, with the path of the wait's beginning.
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

  /// Returns the circle in a path, from the beginning to the first element that occurs for the second time.
  static func circle(in path: [String]) -> String {
    var shown: [String] = []
    for cause in path {
      defer { shown.append(cause) }
      if shown.contains(cause) { return (shown + [cause]).joined(separator: " → ") }
    }
    return shown.joined(separator: " → ")
  }
}
