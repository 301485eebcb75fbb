import TouchCore
import TouchMeasure

/// One task for a person, with a check whether it is done.
struct TestTask {
  /// The picture of the task. Places are on the display as it is built in, from 0 to 1.
  enum Shape {
    case cross(Point<NormalizedSpace>)
    case line(Point<NormalizedSpace>, Point<NormalizedSpace>)
    case cells
    /// An area that changes its colour with each touch.
    case area
    case text
    /// A pattern that flickers behind the words.
    case pattern
  }

  let test: PanelTest
  let argument, instruction: String
  let shape: Shape

  /// The number of taps that show the variation of the delay.
  private static let latencyTaps = 10

  /// Returns the seconds without events before the next task; nil for the command line's.
  func timeout(_ profile: PanelProfile) -> Int? {
    switch test {
    case .ghost: profile.ghostSeconds
    // The user ends this task by a pause after rubbing everything.
    case .deadzone: 15
    case .protocol: 6
    default: nil
    }
  }

  /// Returns the missing part of a task, with at least one contact and all lifted, for the user; nil if it is
  /// done. One that ends by the user or the clock has its instruction.
  func missing(_ own: [PanelTrace.Contact], of trace: PanelTrace, _ profile: PanelProfile) -> String? {
    let geometry = trace.geometry
    let reports = own.reduce(0) { $0 + $1.reports.count }
    func unless(_ isDone: Bool, _ words: String? = nil) -> String? { isDone ? nil : words ?? instruction }
    func isLine(_ contact: PanelTrace.Contact) -> Bool {
      LineFigures(contact.points, window: geometry.length(10)) != nil
    }
    switch test {
    case .mapping, .grid: return nil
    case .edge:
      let length = max(geometry.size.width, geometry.size.height) / 10
      return unless(own.contains { $0.extent >= length }, "Once more: drag from the middle, off the edge.")
    case .border, .line: return unless(own.contains(where: isLine), "Once more: the line was too short.")
    case .gaps:
      return unless(
        own.contains { SwipeFigures($0.reports, in: geometry) != nil },
        "Once more: swipe straight, along the whole line.")
    case .rate: return unless(reports >= 60, "Go on: draw more circles.")
    case .start:
      return unless(
        own.contains { PanelJudgement.leaving($0.reports, in: geometry) != nil },
        "Once more: hold still for a second, then draw slowly along the line.")
    case .jitter, .noise:
      let isLong = own.contains {
        $0.rest != nil && $0.end.map { $0.seconds(since: own[0].began) >= 2 } ?? false
      }
      return unless(isLong, "Once more: hold still for three seconds.")
    case .taps: return unless(own.count >= profile.taps)
    case .latency: return unless(own.count >= Self.latencyTaps)
    case .contacts where argument == "drumroll": return unless(own.count >= 10 || reports >= 60)
    case .contacts where argument == "pinch":
      return apart(
        trace.separation(of: own), profile.limit(of: .separation)?.value, in: geometry,
        "bring them together until they touch")
    case .contacts:
      return unless(argument == "1" || own.contains { $0.fingers > 1 }, "Once more: all fingers at once.")
    case .pairs where argument == "resting": return unless(own.count >= 6 && own.contains { $0.rest != nil })
    case .pairs:
      guard own.contains(where: { $0.fingers > 1 && $0.extent >= geometry.length(20) }) else {
        return "Once more: two fingers, along the whole line."
      }
      return argument == "crossing"
        ? nil
        : apart(trace.separation(of: own), PanelJudgement.sideBySide, in: geometry, "hold them side by side")
    case .deadzone, .ghost, .protocol: return instruction
    }
  }

  /// Returns a line if two fingers stayed farther apart than some millimetres, unless merged.
  private func apart(
    _ separation: (distance: Double, isMerged: Bool)?, _ limit: Double?, in geometry: PanelGeometry,
    _ words: String
  ) -> String? {
    guard let separation else { return "Once more: two fingers at once." }
    guard !separation.isMerged, geometry.isInMillimetres, let limit, separation.distance > limit else {
      return nil
    }
    return "Once more: the fingers stayed \(Int(separation.distance.rounded(.up))) mm apart; \(words)."
  }
}

struct TestPlan {
  let tests: [PanelTest]
  private(set) var tasks: [TestTask] = []
  private let hasInstrument: Bool
  private let borders: [(edge: EdgeFigures.Edge, from: Point<NormalizedSpace>, to: Point<NormalizedSpace>)]

  /// Plans for the fingers that the device claims, up to ten, its declared geometry, and perhaps an
  /// instrument that sees the finger.
  init(
    _ tests: [PanelTest], _ profile: PanelProfile, fingers: Int, geometry: PanelGeometry, hasInstrument: Bool
  ) {
    // One finger is no pair.
    self.tests = tests.filter { fingers > 1 || $0 != .pairs }
    self.hasInstrument = hasInstrument
    let distance = geometry.length(PanelJudgement.borderDistance)
    let (x, y) = (distance / geometry.size.width, distance / geometry.size.height)
    func place(_ x: Double, _ y: Double) -> Point<NormalizedSpace> { Point(x: x, y: y) }
    borders = [
      (.left, place(x, 0.1), place(x, 0.9)), (.right, place(1 - x, 0.1), place(1 - x, 0.9)),
      (.top, place(0.1, y), place(0.9, y)), (.bottom, place(0.1, 1 - y), place(0.9, 1 - y)),
    ]
    // The order is that of the cases, whatever the requested one.
    for test in PanelTest.allCases where self.tests.contains(test) { add(test, profile, fingers) }
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
    case .border:
      for (edge, from, to) in borders {
        task(edge.rawValue, "Draw along the line, slowly and at an even speed.", .line(from, to))
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
    case .start:
      task(
        "", "Put one finger on the start of the line, hold still for a second, then draw slowly.",
        .line(place(0.2, 0.5), place(0.8, 0.5)))
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
    case .pairs:
      for (name, from, to) in [
        ("across", place(0.2, 0.5), place(0.8, 0.5)), ("down", place(0.5, 0.1), place(0.5, 0.9)),
        ("slanting", place(0.25, 0.25), place(0.75, 0.75)),
      ] {
        task(
          name, "Draw with two fingers on both sides of the line, a finger's width apart, and lift.",
          .line(from, to))
      }
      task(
        "crossing",
        "Move two fingers along the line in opposite directions, close past each other, and lift.",
        .line(place(0.2, 0.5), place(0.8, 0.5)))
      task(
        "resting", "Rest one finger on the cross. Tap five times with another, draw with it, and lift both.",
        .cross(place(0.35, 0.5)))
    case .deadzone:
      task("", "Rub with one finger over the whole panel, edges too, until every cell is green.", .cells)
    case .ghost:
      let conditions = profile.ghostConditions.isEmpty ? [""] : profile.ghostConditions
      for condition in conditions {
        let words = Self.power(condition)
        task(condition, "\(words) Do not touch the panel for \(profile.ghostSeconds) s.", .text)
      }
    case .noise:
      for condition in ["quiet"] + profile.conditions {
        let words = Self.preparation(condition)
        task(
          condition, "\(words) one finger, hold still for three seconds, and lift.",
          condition == "pattern" ? .pattern : .text)
      }
    case .latency:
      task("", "Tap the panel ten times.", .area)
      if hasInstrument {
        task("drag", "Move one finger back and forth through the beam, ten times, and lift.", .text)
      }
    case .protocol:
      // This test is judged by all tasks. Only alone it has a task of its own.
      if tests.count == 1 { task("", "Touch the panel as you like, and lift; then wait.", .text) }
    }
  }

  /// Returns the preparation before the finger.
  private static func preparation(_ condition: String) -> String {
    switch condition {
    case "charger": "Plug the charger in. Put down"
    case "water": "Put some drops of water on the panel. Beside them, put down"
    case "glove": "Put on a glove. Put down"
    default: "Put down"
    }
  }

  /// Returns what is done to the machine before or while nothing touches the panel.
  private static func power(_ condition: String) -> String {
    switch condition {
    case "mains": "Connect the machine to the mains."
    case "battery": "Disconnect the machine from the mains."
    case "resume": "Suspend the machine, and wake it."
    default: "Plug the charger in and out."
    }
  }

  private static func count(_ fingers: Int) -> String { fingers == 1 ? "one finger" : "\(fingers) fingers" }
}
