import TouchCore

/// Debounces a device: it delays each lift, and continues the contact if it returns in time.
///
/// ```
///            ended: held                    time is up: ended
///   down ───────────────────▶ held ─────────────────────────────▶ gone
///    ▲                          │
///    └──── began nearby ────────┘   (a move of the first contact)
/// ```
/// A contact begins at once. One that bounces as it goes down is bridged like any other lift.
struct LiftDebouncer {
  private struct Held {
    /// The end, under the name with which the contact was delivered when it began.
    var change: ContactChange
    var due: Timestamp
  }

  /// A contact that goes on under the name of an earlier one.
  private struct Alias {
    var contact, delivered: ContactID
  }

  private let microseconds: Int64
  /// The largest distance at which a contact may return after its lift, in device units; nil for any.
  private let reach: Point<DeviceSpace>?
  private var held: [Held] = []
  private var aliases: [Alias] = []

  /// - Parameter reach: the largest distance at which a contact may return; nil for a device with one
  ///   contact, which cannot be two fingers in so short a time.
  init(milliseconds: Int, reach: Point<DeviceSpace>?) {
    microseconds = Int64(milliseconds) * 1000
    self.reach = reach
    held.reserveCapacity(16)
    aliases.reserveCapacity(16)
  }

  var deadline: Timestamp? {
    // Every lift is held for the same time, but a device's clock may go back.
    var first: Timestamp?
    for held in held where first.map({ held.due < $0 }) ?? true { first = held.due }
    return first
  }

  /// Passes a change on, holds it back, or makes it a move of the contact with which it goes on.
  mutating func apply(_ change: ContactChange, at time: Timestamp) -> ContactChange? {
    var change = change
    if change.kind == .began {
      guard let index = nearest(to: change.position) else { return change }
      let earlier = held.remove(at: index).change.contact
      aliases.append(Alias(contact: change.contact, delivered: earlier))
      change.contact = earlier
      change.kind = .moved
      return change
    }
    let alias = aliases.firstIndex { $0.contact == change.contact }
    if let alias { change.contact = aliases[alias].delivered }
    switch change.kind {
    case .began, .moved: return change
    case .ended, .cancelled:
      if let alias { aliases.remove(at: alias) }
      guard change.kind == .ended else { return change }
      held.append(Held(change: change, due: time.advanced(byMicroseconds: microseconds)))
      return nil
    }
  }

  mutating func release(at time: Timestamp) -> ContactChange? {
    guard let index = held.firstIndex(where: { $0.due <= time }) else { return nil }
    return held.remove(at: index).change
  }

  mutating func releaseAny() -> ContactChange? { held.isEmpty ? nil : held.removeFirst().change }

  private func nearest(to position: Point<DeviceSpace>) -> Int? {
    var best: (index: Int, distance: Double)?
    for (index, held) in held.enumerated() {
      let distance = distance(from: held.change.position, to: position)
      if distance <= 1 && distance < best?.distance ?? .infinity { best = (index, distance) }
    }
    return best?.index
  }

  /// The distance of two places; 1 is the largest at which a contact may return.
  private func distance(from: Point<DeviceSpace>, to: Point<DeviceSpace>) -> Double {
    guard let reach else { return 0 }
    let x = (to.x - from.x) / reach.x
    let y = (to.y - from.y) / reach.y
    return (x * x + y * y).squareRoot()
  }
}
