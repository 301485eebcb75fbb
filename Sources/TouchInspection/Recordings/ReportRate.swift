import TouchCore
import TouchInput

/// Measures how fast a device reports a finger that moves, for each number of fingers that are down.
///
/// People do not notice a slow panel until too late (raspberrypi/linux #3777), and some panels slow down with every
/// finger. What counts is the time between two reports of one finger, whatever the frames: there are panels that report
/// one finger a frame. A finger that rests is one of those that the device has to follow, but says nothing of how fast it
/// does: the kernel passes on only what changes. The reported time is the median.
package struct ReportRate {
  /// From this time between two reports on, in milliseconds, people see their finger run ahead.
  package static let poor = 25.0

  /// A finger that is down, as it was last reported.
  private struct Finger {
    var contact: ContactID
    var position: Point<DeviceSpace>
    /// When it was reported, if it moved then.
    var moved: Timestamp?
    /// How many fingers were down then.
    var fingers: Int
  }

  /// How far a finger has to be from where it was last reported to be moving, in device units. A finger that rests trembles
  /// by less.
  private let tremor: (x: Double, y: Double)
  private var down: [Finger] = []
  /// Tenths of a millisecond between two reports of a finger, by the number of fingers: how many there were.
  private var counts: [[UInt32]] = Array(repeating: [], count: mostFingers + 1)
  private var totals = Array(repeating: 0, count: mostFingers + 1)
  private var last: Timestamp?

  /// How many are down.
  package var fingers: Int { down.count }

  private static let mostFingers = 10
  /// A longer pause is a finger that rests; in tenths of a millisecond.
  private static let longest = 1000
  /// Fewer say nothing.
  private static let fewest = 5

  /// - Parameter axes: those that the device's positions are on.
  package init(_ axes: (x: AxisRange, y: AxisRange)) {
    // A thousandth is about 0.2 mm, more than a finger that rests trembles by, and less than a slow one moves in 8 ms.
    func tremor(_ axis: AxisRange) -> Double {
      max(1, Double(axis.fuzz), (Double(axis.maximum) - Double(axis.minimum)) / 1000)
    }
    self.tremor = (tremor(axes.x), tremor(axes.y))
  }

  /// Takes a frame.
  ///
  /// - Parameter changes: what it changed.
  /// - Returns: milliseconds since the frame before; nil for the first one.
  @discardableResult
  package mutating func add(_ frame: InputFrame, changes: [ContactChange]) -> Double? {
    note(changes)
    for change in changes where change.kind == .moved { move(change, in: frame) }
    defer { last = frame.time }
    guard let last else { return nil }
    return Double(frame.time.microseconds(since: last)) / 1000
  }

  /// Takes contacts that came or went, also without a frame.
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

  /// The time between two reports of a finger counts where it moved in both, and as many fingers were down.
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

  /// Milliseconds between two reports of a finger with so many fingers down; nil while there are too few to say.
  package func milliseconds(fingers: Int) -> Double? {
    guard counts.indices.contains(fingers), totals[fingers] >= Self.fewest else { return nil }
    var passed = 0
    for (tenths, count) in counts[fingers].enumerated() {
      passed += Int(count)
      if passed * 2 >= totals[fingers] { return Double(tenths) / 10 }
    }
    return nil
  }

  /// Milliseconds between two reports of a finger, for each number of fingers that moved often enough.
  package var rates: [(fingers: Int, milliseconds: Double)] {
    (1...Self.mostFingers).compactMap { fingers in milliseconds(fingers: fingers).map { (fingers, $0) } }
  }

  /// How fast the device reports, to be read after its name; nil while there are too few reports.
  package var summary: String? {
    let rates = rates
    guard !rates.isEmpty else { return nil }
    let parts = rates.map { "every \($0.milliseconds.short) ms with \(Self.counted($0.fingers))" }
    return "reports " + parts.joined(separator: ", ")
  }

  /// A warning about a poor rate, to be read after the device's name; nil when the rate is good.
  package var warning: String? {
    guard let slow = rates.first(where: { $0.milliseconds >= Self.poor }) else { return nil }
    let hertz = Int((1000 / slow.milliseconds).rounded())
    return
      "is slow: \(hertz) reports a second with \(Self.counted(slow.fingers)). What a finger drags "
      + "visibly lags behind it; look for an interrupt line that is polled, or for a slow bus"
  }

  private static func counted(_ fingers: Int) -> String { fingers == 1 ? "1 finger" : "\(fingers) fingers" }
}

extension DeviceKind {
  /// Whether it is touched, and not pushed about.
  package var hasFingers: Bool {
    switch self {
    case .multitouch, .singleTouch: true
    case .absolutePointer, .relativePointer: false
    }
  }
}
