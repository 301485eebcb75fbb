/// The lists of running steps, each begun by a step of the previous one. A step that makes a text field begin
/// or end editing begins the steps of that field. If those lead back to the first ones, they would go on for
/// ever, at once or from timer to timer. After `limit` lists that began one another, all of them stop.
package final class RunningSteps {
  /// The most lists that may begin one another.
  package static let limit = 32

  /// The causes of the lists, from the first list to the running one.
  private(set) var path: [String] = []
  /// The number of lists that run at this moment. The others waited for a timer.
  private var depth = 0
  /// Whether all lists have to stop.
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

  /// Runs steps that have waited.
  /// - Parameter path: the path at the beginning of the wait.
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
