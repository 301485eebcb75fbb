import TouchCore

/// The filters of one device, between its tracker and its mapping. Results that fall due between frames, such
/// as a lift that was held back, come at `deadline` by `advance(to:into:)`.
final class FilterChain {
  /// A contact that is down, at the index by which the filters know it.
  private struct Tracked {
    var contact: ContactID?
    var position = Point<DeviceSpace>.zero
    var time = Timestamp.zero
    var shown = Point<DeviceSpace>.zero
    var attributes = ContactAttributes()
    /// The time at which the contact counts as resting; nil if that changes nothing.
    var restsAt: Timestamp?
  }

  private var bridge: LiftDebouncer?
  private let filters: [any PositionFilter]
  private let trails: Bool
  private var tracked: [Tracked] = []
  /// The tracker's changes while they are filtered; kept for its storage.
  private var incoming: [ContactChange] = []

  /// The longest pause between two reports of a panel, in microseconds. (25 Hz is the slowest known.)
  private static let silence: Int64 = 50_000
  /// The time between two steps in which a resting contact moves on to its place, in microseconds.
  private static let restStep: Int64 = 16_000

  /// Returns nil when there is nothing to filter. Each kind of filter counts once, and a debounce comes
  /// first. A device may be unable to distinguish two fingers.
  init?(_ filters: [ContactFilter], x: AxisRange, y: AxisRange, holdsOneContact: Bool) {
    guard !filters.isEmpty else { return nil }
    var positions: [any PositionFilter] = []
    for filter in filters {
      switch filter {
      case .debounce(let milliseconds):
        // In so short a time, a finger cannot lift and return a tenth of the panel away.
        let reach = Point<DeviceSpace>(x: x.width / 10, y: y.width / 10)
        bridge = LiftDebouncer(milliseconds: milliseconds, reach: holdsOneContact ? nil : reach)
      case .median(let samples): positions.append(MedianFilter(samples: samples))
      case .oneEuro(let settings): positions.append(OneEuroFilter(settings, x: x, y: y))
      case .hysteresis(let margin):
        positions.append(
          HysteresisFilter(marginX: margin ?? Double(x.fuzz), marginY: margin ?? Double(y.fuzz)))
      }
    }
    self.filters = positions
    trails = positions.contains { $0.trails }
    tracked.reserveCapacity(16)
    incoming.reserveCapacity(32)
  }

  /// The time at which something is due without a frame, or nil.
  var deadline: Timestamp? {
    var first = bridge?.deadline
    for contact in tracked {
      guard let rests = contact.restsAt else { continue }
      first = min(first ?? rests, rests)
    }
    return first
  }

  func filter(_ changes: inout [ContactChange], at time: Timestamp) {
    swap(&changes, &incoming)
    changes.removeAll(keepingCapacity: true)
    advance(to: time, into: &changes)
    for index in incoming.indices {
      guard let change = bridge == nil ? incoming[index] : bridge?.apply(incoming[index], at: time) else {
        continue
      }
      pass(change, at: time, into: &changes)
    }
  }

  func advance(to time: Timestamp, into changes: inout [ContactChange]) {
    while let lift = bridge?.release(at: time) { pass(lift, at: time, into: &changes) }
    for index in tracked.indices {
      guard let rests = tracked[index].restsAt, rests <= time else { continue }
      rest(index, at: time, into: &changes)
    }
  }

  /// Filters the end of everything, in place. A lift that was held back really happened, and is delivered.
  func finish(_ changes: inout [ContactChange]) {
    swap(&changes, &incoming)
    changes.removeAll(keepingCapacity: true)
    // No time passes: an end is at the contact's last time.
    let time = tracked.map(\.time).max() ?? .zero
    for index in incoming.indices {
      let change = bridge == nil ? incoming[index] : bridge?.apply(incoming[index], at: time)
      if let change { pass(change, at: time, into: &changes) }
    }
    while let lift = bridge?.releaseAny() { pass(lift, at: time, into: &changes) }
  }

  // MARK: Positions

  private func pass(_ change: ContactChange, at time: Timestamp, into changes: inout [ContactChange]) {
    guard !filters.isEmpty else {
      changes.append(change)
      return
    }
    switch change.kind {
    case .began:
      begin(change, at: time)
      changes.append(change)
    case .moved: move(change, at: time, into: &changes)
    case .ended, .cancelled: end(change, at: time, into: &changes)
    }
  }

  private func begin(_ change: ContactChange, at time: Timestamp) {
    let index = tracked.firstIndex { $0.contact == nil } ?? tracked.count
    if index == tracked.count { tracked.append(Tracked()) }
    tracked[index] = Tracked(
      contact: change.contact, position: change.position, time: time, shown: change.position,
      attributes: change.attributes)
    for filter in filters { filter.begin(index, at: change.position) }
  }

  private func move(_ change: ContactChange, at time: Timestamp, into changes: inout [ContactChange]) {
    guard let index = tracked.firstIndex(where: { $0.contact == change.contact }) else { return }
    let seconds = elapsed(index, time)
    var position = change.position
    for filter in filters { position = filter.next(index, position, after: seconds) }
    tracked[index].position = change.position
    tracked[index].time = time
    tracked[index].restsAt = restsAt(position != change.position, time.advanced(byMicroseconds: Self.silence))
    show(index, at: position, change.attributes, into: &changes)
  }

  /// Appends a contact's end where its move would be shown if it came with one, else where it is shown.
  private func end(_ change: ContactChange, at time: Timestamp, into changes: inout [ContactChange]) {
    guard let index = tracked.firstIndex(where: { $0.contact == change.contact }) else { return }
    var end = change
    end.position = tracked[index].shown
    if change.position != tracked[index].position {
      end.position = change.position
      let seconds = elapsed(index, time)
      for filter in filters { end.position = filter.next(index, end.position, after: seconds) }
    }
    tracked[index].contact = nil
    tracked[index].restsAt = nil
    changes.append(end)
  }

  private func rest(_ index: Int, at time: Timestamp, into changes: inout [ContactChange]) {
    let seconds = elapsed(index, time)
    let old = tracked[index].shown
    var position = tracked[index].position
    var isBehind = false
    for filter in filters {
      let next = filter.rest(index, position, after: seconds)
      isBehind = isBehind || (filter.trails && next != position)
      position = next
    }
    tracked[index].time = time
    tracked[index].restsAt = restsAt(
      isBehind || position != old, time.advanced(byMicroseconds: Self.restStep))
    show(index, at: position, tracked[index].attributes, into: &changes)
  }

  private func restsAt(_ isBehind: Bool, _ time: Timestamp) -> Timestamp? { trails && isBehind ? time : nil }

  /// Appends a move, unless it changes nothing.
  private func show(
    _ index: Int, at position: Point<DeviceSpace>, _ attributes: ContactAttributes,
    into changes: inout [ContactChange]
  ) {
    guard let contact = tracked[index].contact,
      position != tracked[index].shown || attributes != tracked[index].attributes
    else { return }
    tracked[index].shown = position
    tracked[index].attributes = attributes
    changes.append(ContactChange(contact: contact, kind: .moved, position: position, attributes: attributes))
  }

  /// Returns the seconds since the contact's last time, always above 0: time stamps may be equal, or go back.
  private func elapsed(_ index: Int, _ time: Timestamp) -> Double {
    max(time.seconds(since: tracked[index].time), 0.0001)
  }
}
