import TouchCore
import TouchInput

/// The ways of all contacts over a panel, frame by frame. Recordings and live devices are followed by the same code.
package final class PanelTrace {
  /// One report of one contact.
  package struct Report: Sendable {
    package var time: Timestamp
    package var point: PanelPoint
    /// How many contacts were down.
    package var fingers: Int

    package init(time: Timestamp, point: PanelPoint, fingers: Int) {
      self.time = time
      self.point = point
      self.fingers = fingers
    }
  }

  /// One contact from down to up.
  package struct Contact: Sendable {
    /// Counted up on the device.
    package let serial: Int
    /// Never empty.
    package var reports: [Report]
    /// Nil while it is down.
    package var end: Timestamp?
    /// The most contacts that were down with it, itself included.
    package var fingers: Int

    package var began: Timestamp { reports[0].time }
    package var points: [PanelPoint] { reports.map(\.point) }
    /// In device units, where it came down.
    package let firstPosition: Point<DeviceSpace>
  }

  /// Two contacts that took each other's place between two frames.
  package struct Swap: Sendable {
    package var time: Timestamp
    package var from: PanelPoint
    package var to: PanelPoint
  }

  package let geometry: PanelGeometry
  /// In the order in which they came down.
  package private(set) var contacts: [Contact] = []
  package private(set) var swaps: [Swap] = []
  /// The time of the last frame.
  package private(set) var end = Timestamp.zero
  /// Indexes of the contacts that are down.
  package private(set) var down: [Int] = []
  private let source: TouchSource
  private var pointer = Pointer(bounds: WindowRect(x: 0, y: 0, width: 1, height: 1))
  private var touches: [TouchChange] = []

  package init(
    kind: DeviceKind, capabilities: DeviceCapabilities, initial: InitialState, geometry: PanelGeometry
  ) {
    self.geometry = geometry
    source = TouchSource(
      device: DeviceID(rawValue: 0), kind: kind, capabilities: capabilities, initial: initial,
      geometry: DisplayGeometry(displaySize: Size(width: 1, height: 1)))
  }

  package func add(_ frame: InputFrame) {
    touches.removeAll(keepingCapacity: true)
    source.apply(frame, pointer: &pointer, into: &touches)
    end = frame.time
    var moves: [(from: PanelPoint, to: PanelPoint)] = []
    for change in source.changes {
      let point = geometry.point(change.position)
      guard let index = down.first(where: { contacts[$0].serial == change.contact.serial }) else {
        if change.kind == .began { begin(change, at: point, frame.time) }
        continue
      }
      switch change.kind {
      case .began: break
      case .moved:
        moves.append((contacts[index].reports[contacts[index].reports.count - 1].point, point))
        contacts[index].reports.append(Report(time: frame.time, point: point, fingers: down.count))
      case .ended, .cancelled:
        contacts[index].end = frame.time
        down.removeAll { $0 == index }
      }
    }
    for index in down { contacts[index].fingers = max(contacts[index].fingers, down.count) }
    if moves.count > 1 && frame.cause == .report { findSwaps(moves, at: frame.time) }
  }

  private func begin(_ change: ContactChange, at point: PanelPoint, _ time: Timestamp) {
    down.append(contacts.count)
    contacts.append(
      Contact(
        serial: change.contact.serial, reports: [Report(time: time, point: point, fingers: down.count)],
        end: nil, fingers: down.count, firstPosition: change.position))
  }

  /// Two contacts jump far, and each to where the other was.
  private func findSwaps(_ moves: [(from: PanelPoint, to: PanelPoint)], at time: Timestamp) {
    let far = min(geometry.size.width, geometry.size.height) / 20
    for (index, one) in moves.enumerated() where one.from.distance(to: one.to) > far {
      for other in moves[(index + 1)...] where other.from.distance(to: other.to) > far {
        let crossed = one.from.distance(to: other.to) + other.from.distance(to: one.to)
        let straight = one.from.distance(to: one.to) + other.from.distance(to: other.to)
        if crossed * 4 < straight { swaps.append(Swap(time: time, from: one.from, to: one.to)) }
      }
    }
  }

  /// Fingers that lay still for a second or longer, did not go anywhere, and have lifted: for how many seconds, and how far
  /// their reports lie apart, in units of the panel.
  package var rests: [(seconds: Double, spread: Double)] {
    contacts.compactMap { contact in
      guard let seconds = contact.end?.seconds(since: contact.began), seconds >= 1,
        let spread = PointSpread(contact.points).farthest?.distance, spread <= geometry.length(5)
      else { return nil }
      return (seconds, spread)
    }
  }

  /// Forgets what has lifted, so that a device can be followed for days.
  package func forgetLifted() {
    let kept = down.map { contacts[$0] }
    contacts = kept
    down = Array(kept.indices)
    swaps.removeAll()
  }

  /// The most contacts that were down at once between two times.
  package func most(from start: Timestamp, to end: Timestamp) -> Int {
    var changes: [(time: Timestamp, change: Int)] = []
    for contact in contacts {
      let last = contact.end ?? self.end.advanced(byMicroseconds: 1)
      guard contact.began < end, last > start || contact.began >= start else { continue }
      changes.append((contact.began, 1))
      changes.append((last, -1))
    }
    // A lift comes before a contact of the same frame, and a contact that is down for no time counts.
    changes.sort { ($0.time, $0.change) < ($1.time, $1.change) }
    var count = 0
    var most = changes.isEmpty ? 0 : 1
    for change in changes {
      count += change.change
      most = max(most, count)
    }
    return most
  }
}
