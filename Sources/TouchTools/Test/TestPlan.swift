import TouchCore
import TouchInput
import TouchMeasure

/// One thing that a person is asked to do, and how to see that it is done.
struct TestTask {
  /// What is shown. Places are on the display as it is built in, from 0 to 1.
  enum Shape {
    case cross(Point<NormalizedSpace>)
    case line(Point<NormalizedSpace>, Point<NormalizedSpace>)
    /// The cells that have been touched.
    case cells
    /// An area that changes its colour with each touch.
    case area
    case text
  }

  let test: PanelTest
  let argument: String
  let instruction: String
  let shape: Shape

  /// So many taps show how the delay varies.
  private static let latencyTaps = 10

  /// How long nothing may happen before the next task, in seconds; nil for the timeout of the command line.
  func patience(_ profile: PanelProfile) -> Int? {
    switch test {
    case .ghost: profile.ghostSeconds
    // The user stops after rubbing over everything.
    case .deadzone: 15
    case .protocol: 6
    default: nil
    }
  }

  /// Whether the task is done.
  ///
  /// - Parameter own: the contacts that came down during it; all of them have lifted.
  func isDone(_ own: ArraySlice<PanelTrace.Contact>, _ profile: PanelProfile, in geometry: PanelGeometry)
    -> Bool
  {
    guard !own.isEmpty else { return false }
    let reports = own.reduce(0) { $0 + $1.reports.count }
    switch test {
    case .mapping, .grid: return true
    case .edge, .line, .gaps:
      let length = max(geometry.size.width, geometry.size.height) / 10
      return own.contains { (PointSpread($0.points).farthest?.distance ?? 0) >= length }
    case .rate: return reports >= 60
    case .jitter:
      return own.contains { $0.end.map { $0.seconds(since: own[own.startIndex].began) >= 2 } ?? false }
    case .taps: return own.count >= profile.taps
    case .latency: return own.count >= Self.latencyTaps
    case .contacts where argument == "drumroll": return own.count >= 10 || reports >= 60
    case .contacts where argument == "pinch": return own.contains { $0.fingers > 1 }
    case .contacts: return own.contains { $0.fingers > 1 } || argument == "1"
    case .deadzone, .ghost, .protocol: return false
    }
  }
}

/// The tasks of a test, in their order.
struct TestPlan {
  let tests: [PanelTest]
  private(set) var tasks: [TestTask] = []

  /// - Parameter fingers: how many the device claims to see, up to ten.
  init(_ tests: [PanelTest], _ profile: PanelProfile, fingers: Int) {
    self.tests = tests
    // In the order of the cases, whatever the order that was asked for.
    for test in PanelTest.allCases where tests.contains(test) { add(test, profile, fingers) }
  }

  private mutating func add(_ test: PanelTest, _ profile: PanelProfile, _ fingers: Int) {
    func task(_ argument: String, _ instruction: String, _ shape: TestTask.Shape) {
      tasks.append(TestTask(test: test, argument: argument, instruction: instruction, shape: shape))
    }
    func place(_ x: Double, _ y: Double) -> Point<NormalizedSpace> { Point(x: x, y: y) }
    switch test {
    case .mapping:
      for at in [place(0.1, 0.1), place(0.9, 0.1), place(0.9, 0.9), place(0.1, 0.9)] {
        task("\(at.x),\(at.y)", "Touch the cross.", .cross(at))
      }
    case .grid:
      for row in 0..<profile.rows {
        for column in 0..<profile.columns {
          let at = place(
            (Double(column) + 0.5) / Double(profile.columns), (Double(row) + 0.5) / Double(profile.rows))
          task("\(at.x),\(at.y)", "Touch the cross.", .cross(at))
        }
      }
    case .edge:
      let middle = place(0.5, 0.5)
      for (edge, end) in zip(
        EdgeFigures.Edge.allCases, [place(0, 0.5), place(1, 0.5), place(0.5, 0), place(0.5, 1)])
      {
        task(edge.rawValue, "Drag along the line from the middle, and off the edge.", .line(middle, end))
      }
    case .line:
      for (name, from, to) in [
        ("horizontal", place(0.05, 0.5), place(0.95, 0.5)), ("vertical", place(0.5, 0.05), place(0.5, 0.95)),
        ("falling", place(0.1, 0.1), place(0.9, 0.9)), ("rising", place(0.1, 0.9), place(0.9, 0.1)),
      ] {
        task(name, "Draw along a ruler on the line, slowly and at an even speed.", .line(from, to))
      }
    case .rate:
      for count in [1, min(fingers, 2), min(fingers, 5)] where count > 1 || tasks.last?.test != .rate {
        if tasks.last?.test == .rate, tasks.last?.argument == "\(count)" { continue }
        task("\(count)", "Draw circles with \(Self.count(count)) for some seconds, and lift.", .text)
      }
    case .jitter:
      for count in Set([1, min(fingers, 3)]).sorted() {
        task("\(count)", "Put down \(Self.count(count)), hold still for three seconds, and lift.", .text)
      }
    case .taps: task("\(profile.taps)", "Tap the cross \(profile.taps) times.", .cross(place(0.5, 0.5)))
    case .gaps:
      for speed in ["slow", "fast"] {
        task(
          speed, "Swipe along the line, \(speed == "slow" ? "slowly" : "quickly").",
          .line(place(0.1, 0.5), place(0.9, 0.5)))
      }
    case .contacts:
      task("\(fingers)", "Put down \(Self.count(fingers)) at once, and lift.", .text)
      if fingers > 1 {
        task("drumroll", "Drum on two places with two fingers in turn, ten times, and lift.", .text)
        task("pinch", "Put down two fingers far apart, pinch until they touch each other, and lift.", .text)
      }
    case .deadzone:
      task("", "Rub with one finger over the whole panel, edges too, until every cell is green.", .cells)
    case .ghost:
      task(
        "", "Do not touch the panel for \(profile.ghostSeconds) s. Plug the charger in and out.", .text)
    case .latency: task("", "Tap the panel ten times.", .area)
    case .protocol:
      // It is judged by all tasks; alone it has one.
      if tests.count == 1 { task("", "Touch the panel as you like, and lift; then wait.", .text) }
    }
  }

  private static func count(_ fingers: Int) -> String { fingers == 1 ? "one finger" : "\(fingers) fingers" }
}
