import TouchCore
import TouchInput

/// Takes one place from a finger that presses a target: the median of its positions, for each axis by itself.
///
/// ```
///          began               ended               silence
///   idle ─────────▶ pressed ───────────▶ lifted ─────────────▶ taken
///    ▲                │  ▲                  │
///    │    whatever    │  └──────────────────┘
///    │    spoils it   ▼      began: a bounce
///    └───────────── spoiled
///       all lifted
/// ```
/// Anything that could have moved the finger discards the sample: a second finger, another device, a bounce.
package struct CalibrationSampler {
  /// The reason why a press does not count.
  package enum Reason: Hashable, Sendable {
    case secondFinger, otherDevice, tooShort, bounce, moved, cancelled
  }

  /// The result of a change of the contacts. Positions are in window space.
  package enum Outcome: Hashable, Sendable {
    case pressed
    case undone(Reason)
    case taken(WindowPoint, device: DeviceID)
  }

  private enum State {
    case idle
    case pressed(ContactID, since: Timestamp)
    case lifted(DeviceID, quietAt: Timestamp)
    /// The press does not count, and none does until every finger is up.
    case spoiled
  }

  /// The shortest press in microseconds. Shorter ones are electrical.
  private static let shortest: Int64 = 30_000
  /// The shortest lift that counts, in microseconds.
  private static let silence: Int64 = 100_000

  /// The only device whose touches count, once it is known.
  package var device: DeviceID?
  /// The longest way of a finger while it presses, in window units.
  private let reach: Double
  private var state = State.idle
  private var down: [ContactID] = []
  private var xs: [Double] = []
  private var ys: [Double] = []

  /// - Parameter reach: the longest way of a finger while it presses, in window units.
  package init(reach: Double) { self.reach = reach }

  /// The time at which `advance(to:)` is due, or nil.
  package var deadline: Timestamp? {
    guard case .lifted(_, let quiet) = state else { return nil }
    return quiet
  }

  /// Handles a change of a contact, and returns its result, if any.
  package mutating func take(
    _ kind: ContactChange.Kind, of contact: ContactID, at location: WindowPoint, time: Timestamp
  ) -> Outcome? {
    switch kind {
    case .began: return begin(contact, at: location, time: time)
    case .moved:
      if case .pressed(contact, _) = state { note(location) }
      return nil
    case .ended, .cancelled: return end(contact, at: location, time: time, isLift: kind == .ended)
    }
  }

  /// Advances the time, and returns the sample of a finger that has been up long enough.
  package mutating func advance(to time: Timestamp) -> Outcome? {
    guard case .lifted(let device, let quiet) = state, quiet <= time else { return nil }
    state = .idle
    return .taken(WindowPoint(x: Self.middle(xs), y: Self.middle(ys)), device: device)
  }

  private mutating func begin(
    _ contact: ContactID, at location: WindowPoint, time: Timestamp
  ) -> Outcome? {
    down.append(contact)
    if let device, device != contact.device { return spoil(.otherDevice) }
    switch state {
    case .idle, .lifted:
      let isBounce = if case .lifted = state { true } else { false }
      state = .pressed(contact, since: time)
      xs.removeAll(keepingCapacity: true)
      ys.removeAll(keepingCapacity: true)
      note(location)
      return isBounce ? .undone(.bounce) : .pressed
    case .pressed(let first, _): return spoil(first.device == contact.device ? .secondFinger : .otherDevice)
    case .spoiled: return nil
    }
  }

  private mutating func end(
    _ contact: ContactID, at location: WindowPoint, time: Timestamp, isLift: Bool
  ) -> Outcome? {
    down.removeAll { $0 == contact }
    switch state {
    case .idle, .lifted: return nil
    case .spoiled:
      if down.isEmpty { state = .idle }
      return nil
    case .pressed(let pressed, let since):
      guard pressed == contact else { return nil }
      state = .idle
      if !isLift { return .undone(.cancelled) }
      if time.microseconds(since: since) < Self.shortest { return .undone(.tooShort) }
      if Self.spread(xs) > reach || Self.spread(ys) > reach { return .undone(.moved) }
      state = .lifted(contact.device, quietAt: time.advanced(byMicroseconds: Self.silence))
      return nil
    }
  }

  /// Rejects the press. Nothing counts until every finger is up.
  private mutating func spoil(_ reason: Reason) -> Outcome? {
    if case .spoiled = state { return nil }
    state = .spoiled
    return .undone(reason)
  }

  private mutating func note(_ location: WindowPoint) {
    xs.append(location.x)
    ys.append(location.y)
  }

  private static func middle(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  private static func spread(_ values: [Double]) -> Double { (values.max() ?? 0) - (values.min() ?? 0) }
}

package struct CalibrationTargets: Sendable {
  /// The targets in window space, on whole units: five, and the check point last.
  package let points: [WindowPoint]
  /// The part of the display that the device covers, in physical pixels.
  package let size: Size
  private let windowFromPanel, windowFromDisplay: AffineTransform

  /// A pentagon without three corners on a line, so that four show which one is wrong.
  private static let pentagon = [(0.5, 0.1), (0.9, 0.4), (0.76, 0.9), (0.24, 0.9), (0.1, 0.4)]
  /// The check point, in a corner away from the others.
  private static let check = (0.88, 0.1)

  /// - Parameter output: the part of the window that the device covers; nil for the whole display.
  package init(output: WindowRect?, geometry: DisplayGeometry) {
    let area = (output ?? geometry.canvasBounds).intersection(geometry.displayBoundsInWindow)
    points = (Self.pentagon + [Self.check]).map { x, y in
      WindowPoint(
        x: (area.minX + area.size.width * x).rounded(), y: (area.minY + area.size.height * y).rounded())
    }
    windowFromPanel = Mapping.windowFromUnit(output: output, geometry: geometry)
    windowFromDisplay = Mapping.windowFromUnit(output: nil, geometry: geometry)
    let pixels: Rect<DisplaySpace> = geometry.displayFromWindow.bounding(
      output ?? geometry.displayBoundsInWindow)
    size = pixels.size
  }

  /// Returns the sample of a touch of a target.
  /// - Parameter location: the place of the touch in the window without calibration, rotation and output
  ///   region.
  package func sample(of target: WindowPoint, touchedAt location: WindowPoint) -> CalibrationFit.Sample {
    // Both matrices have an inverse, because a display and a region have an extent.
    CalibrationFit.Sample(
      touched: (windowFromDisplay.inverse ?? .identity).map(location),
      target: (windowFromPanel.inverse ?? .identity).map(target))
  }
}
