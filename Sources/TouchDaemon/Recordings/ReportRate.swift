import TouchCore

/// Measures how fast a device reports while fingers move on it, for each number of fingers.
///
/// People do not notice a slow panel until too late (raspberrypi/linux #3777), and some panels slow down with every
/// finger. The time that is told is the median, so that a finger which rests, and of which nothing is reported, does
/// not count.
struct ReportRate {
  /// From this time a frame on, in milliseconds, people see their finger run ahead.
  static let poor = 25.0

  /// Tenths of a millisecond between two frames, by the number of fingers: how many there were.
  private var counts: [[UInt32]] = Array(repeating: [], count: mostFingers + 1)
  private var totals = Array(repeating: 0, count: mostFingers + 1)
  private(set) var fingers = 0
  private var last: Timestamp?

  private static let mostFingers = 10
  /// A longer pause is a finger that rests; in tenths of a millisecond.
  private static let longest = 1000
  /// Fewer say nothing.
  private static let fewest = 5

  init() {}

  /// Takes a frame.
  ///
  /// - Parameter changes: what it changed.
  /// - Returns: milliseconds since the frame before; nil for the first one.
  @discardableResult
  mutating func add(_ frame: InputFrame, changes: [ContactChange]) -> Double? {
    let before = fingers
    note(changes)
    defer { last = frame.time }
    guard let last else { return nil }
    let microseconds = frame.time.microseconds(since: last)
    // The time between two frames that have the same fingers down.
    if before > 0 && before == fingers && frame.cause == .report { count(microseconds, fingers: before) }
    return Double(microseconds) / 1000
  }

  /// Takes contacts that came or went, also without a frame.
  mutating func note(_ changes: [ContactChange]) {
    for change in changes {
      switch change.kind {
      case .began: fingers += 1
      case .ended, .cancelled: fingers = max(0, fingers - 1)
      case .moved: break
      }
    }
  }

  private mutating func count(_ microseconds: Int64, fingers: Int) {
    let tenths = (min(max(0, microseconds), Int64.max - 50) + 50) / 100
    guard tenths <= Self.longest, fingers <= Self.mostFingers else { return }
    if counts[fingers].isEmpty { counts[fingers] = Array(repeating: 0, count: Self.longest + 1) }
    counts[fingers][Int(tenths)] += 1
    totals[fingers] += 1
  }

  /// Milliseconds a frame with so many fingers; nil while there are too few frames to say.
  func milliseconds(fingers: Int) -> Double? {
    guard counts.indices.contains(fingers), totals[fingers] >= Self.fewest else { return nil }
    var passed = 0
    for (tenths, count) in counts[fingers].enumerated() {
      passed += Int(count)
      if passed * 2 >= totals[fingers] { return Double(tenths) / 10 }
    }
    return nil
  }

  /// Milliseconds a frame, for each number of fingers that there was often enough.
  var rates: [(fingers: Int, milliseconds: Double)] {
    (1...Self.mostFingers).compactMap { fingers in milliseconds(fingers: fingers).map { (fingers, $0) } }
  }

  /// How fast the device reports, to be read after its name; nil while there are too few frames.
  var summary: String? {
    let rates = rates
    guard !rates.isEmpty else { return nil }
    let parts = rates.map { "every \($0.milliseconds.short) ms with \(Self.counted($0.fingers))" }
    return "reports " + parts.joined(separator: ", ")
  }

  /// What is to be said of a poor rate, to be read after the device's name; nil when the rate is good.
  var remark: String? {
    guard let slow = rates.first(where: { $0.milliseconds >= Self.poor }) else { return nil }
    let hertz = Int((1000 / slow.milliseconds).rounded())
    return
      "is slow: \(hertz) reports a second with \(Self.counted(slow.fingers)). A moving finger is seen to run ahead "
      + "of what it drags; look for an interrupt line that is polled, or for a bus that is slow"
  }

  private static func counted(_ fingers: Int) -> String { fingers == 1 ? "1 finger" : "\(fingers) fingers" }
}

extension DeviceKind {
  /// Whether it is touched, and not pushed about.
  var hasFingers: Bool {
    switch self {
    case .multitouch, .singleTouch: true
    case .absolutePointer, .relativePointer: false
    }
  }
}
