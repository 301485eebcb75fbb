import TouchCore
import TouchInput

/// Measures how fast a device reports a moving finger, by the number of fingers: some panels slow down with
/// each. (raspberrypi/linux #3777)
/// The time between two reports of one finger counts, because some panels report one finger a frame. A
/// resting finger has no rate, since only changes are passed on. The median is reported.
package struct ReportRate {
  /// The time between two reports, in milliseconds, from which on people see their finger run ahead.
  package static let poor = 25.0

  private struct Finger {
    var contact: ContactID
    var position: Point<DeviceSpace>
    /// The time of the last report if the finger moved then.
    var moved: Timestamp?
    var fingers: Int
  }

  /// The distance from the last report that counts as moving, in device units, above a tremble.
  private let tremor: (x: Double, y: Double)
  private var down: [Finger] = []
  /// The counts of times between reports, by fingers and tenths of a millisecond.
  private var counts: [[UInt32]] = Array(repeating: [], count: mostFingers + 1)
  private var totals = Array(repeating: 0, count: mostFingers + 1)
  private var last: Timestamp?

  package var fingers: Int { down.count }

  private static let mostFingers = 10
  /// The longest time that counts, in tenths of a millisecond. A longer pause means a resting finger.
  private static let longest = 1000
  private static let fewest = 5

  /// - Parameter axes: the axes of the device's positions.
  package init(_ axes: (x: AxisRange, y: AxisRange)) {
    // A thousandth is about 0.2 mm. A resting finger trembles by less, and a slow one moves by more in 8 ms.
    func tremor(_ axis: AxisRange) -> Double {
      max(1, Double(axis.fuzz), (Double(axis.maximum) - Double(axis.minimum)) / 1000)
    }
    self.tremor = (tremor(axes.x), tremor(axes.y))
  }

  /// Takes a frame, and returns the milliseconds since the last; nil for the first.
  @discardableResult
  package mutating func add(_ frame: InputFrame, changes: [ContactChange]) -> Double? {
    note(changes)
    for change in changes where change.kind == .moved { move(change, in: frame) }
    defer { last = frame.time }
    guard let last else { return nil }
    return Double(frame.time.microseconds(since: last)) / 1000
  }

  /// Takes contacts that were added or removed, even without a frame.
  package mutating func note(_ changes: [ContactChange]) {
    for change in changes {
      switch change.kind {
      case .began:
        down.append(Finger(contact: change.contact, position: change.position, moved: nil, fingers: 0))
      case .ended, .cancelled: down.removeAll { $0.contact == change.contact }
      case .moved: break
      }
    }
  }

  /// Counts the time between two reports of a finger if it moved in both, with as many fingers down.
  private mutating func move(_ change: ContactChange, in frame: InputFrame) {
    guard let index = down.firstIndex(where: { $0.contact == change.contact }) else { return }
    let finger = down[index]
    let hasMoved =
      abs(change.position.x - finger.position.x) > tremor.x
      || abs(change.position.y - finger.position.y) > tremor.y
    if hasMoved, let before = finger.moved, finger.fingers == fingers, frame.cause == .report {
      count(frame.time.microseconds(since: before), fingers: fingers)
    }
    down[index].position = change.position
    down[index].moved = hasMoved ? frame.time : nil
    down[index].fingers = fingers
  }

  private mutating func count(_ microseconds: Int64, fingers: Int) {
    let tenths = (min(max(0, microseconds), Int64.max - 50) + 50) / 100
    guard tenths <= Self.longest, fingers <= Self.mostFingers else { return }
    if counts[fingers].isEmpty { counts[fingers] = Array(repeating: 0, count: Self.longest + 1) }
    counts[fingers][Int(tenths)] += 1
    totals[fingers] += 1
  }

  /// Returns the milliseconds between a finger's reports, by fingers down; nil for too few.
  package func milliseconds(fingers: Int) -> Double? {
    guard counts.indices.contains(fingers), totals[fingers] >= Self.fewest else { return nil }
    var passed = 0
    for (tenths, count) in counts[fingers].enumerated() {
      passed += Int(count)
      if passed * 2 >= totals[fingers] { return Double(tenths) / 10 }
    }
    return nil
  }

  /// The milliseconds between two reports of a finger, for each number of fingers that moved often enough.
  package var rates: [(fingers: Int, milliseconds: Double)] {
    (1...Self.mostFingers).compactMap { fingers in milliseconds(fingers: fingers).map { (fingers, $0) } }
  }

  /// The rates, to be read after the device's name; nil while there are too few reports.
  package var summary: String? {
    let rates = rates
    guard !rates.isEmpty else { return nil }
    let parts = rates.map { "every \($0.milliseconds.short) ms with \(Self.counted($0.fingers))" }
    return "reports " + parts.joined(separator: ", ")
  }

  /// A warning about a poor rate, to be read after the device's name; nil if the rate is good.
  package var warning: String? {
    guard let slow = rates.first(where: { $0.milliseconds >= Self.poor }) else { return nil }
    let hertz = Int((1000 / slow.milliseconds).rounded())
    return "is slow: \(hertz) reports a second with \(Self.counted(slow.fingers)). What a finger drags "
      + "visibly lags behind it; look for an interrupt line that is polled, or for a slow bus"
  }

  private static func counted(_ fingers: Int) -> String { fingers == 1 ? "1 finger" : "\(fingers) fingers" }
}
