import TouchCore
import TouchInput

/// The ways of all contacts over a panel, frame by frame. Recordings and live devices use the same code.
package final class PanelTrace {
  package struct Report: Sendable {
    package var time: Timestamp
    package var point: PanelPoint
    package var fingers: Int

    package init(time: Timestamp, point: PanelPoint, fingers: Int) {
      (self.time, self.point, self.fingers) = (time, point, fingers)
    }
  }

  package struct Contact: Sendable {
    package let serial: Int
    package var reports: [Report]
    /// The time of the lift; nil while the contact is down.
    package var end: Timestamp?
    /// The most contacts that were down with it, itself included.
    package var fingers: Int

    package var began: Timestamp { reports[0].time }
    package var points: [PanelPoint] { reports.map(\.point) }
    package var last: Report { reports[reports.count - 1] }

    /// Returns the place at a time, which is that of the last report until then.
    package func point(at time: Timestamp) -> PanelPoint {
      reports.last { $0.time <= time }?.point ?? reports[0].point
    }

    /// The place half-way between landing and lift, because a fingertip rolls at both.
    package var settled: PanelPoint {
      let half = (end ?? last.time).microseconds(since: began) / 2
      return point(at: began.advanced(byMicroseconds: half))
    }

    /// The largest distance between two of its places, in units of the panel.
    package var extent: Double { PointSpread(points).farthest?.distance ?? 0 }

    /// The contact's places at rest, without the fingertip's rolls; nil if it was not down long enough.
    package var rest: [PanelPoint]? {
      let end = end ?? last.time
      guard end.microseconds(since: began) >= Self.shortestRest else { return nil }
      let (from, to) = (
        began.advanced(byMicroseconds: Self.landing), end.advanced(byMicroseconds: -Self.lift)
      )
      return [point(at: from)] + reports.filter { $0.time > from && $0.time <= to }.map(\.point)
    }

    /// The rolls at landing and lift, in microseconds. (Real rests: their median spread fell to 0.96 mm)
    private static let landing: Int64 = 150_000
    private static let lift: Int64 = 60_000
    private static let shortestRest: Int64 = 500_000
    /// The position in device units where the contact came down.
    package let firstPosition: Point<DeviceSpace>
  }

  /// Two contacts that took each other's place between two frames.
  package struct Swap: Sendable {
    package var time: Timestamp
    package var from, to: PanelPoint
  }

  package private(set) var geometry: PanelGeometry
  package private(set) var contacts: [Contact] = []
  package private(set) var swaps: [Swap] = []
  package private(set) var end = Timestamp.zero
  package private(set) var down: [Int] = []
  private let source: TouchSource
  private var pointer = Pointer(bounds: WindowRect(x: 0, y: 0, width: 1, height: 1))
  private var touches: [TouchChange] = []
  private var moves: [Move] = []

  /// The least distance of fingers, in millimetres.
  private static let swapDistance = 6.0

  /// The move of a contact, with the place that it would have reached by going on as before.
  private struct Move {
    var from, to, expected: PanelPoint

    init(_ reports: [Report], to point: PanelPoint, at time: Timestamp) {
      let last = reports[reports.count - 1]
      (from, to, expected) = (last.point, point, last.point)
      guard reports.count > 1 else { return }
      let before = reports[reports.count - 2]
      let times = (last.time.seconds(since: before.time), time.seconds(since: last.time))
      // After a rest a finger does not go on as before.
      guard times.0 > 0, times.1 >= 0, times.0 < 0.05, times.1 < 0.05 else { return }
      let share = times.1 / times.0
      expected = PanelPoint(
        x: last.point.x + (last.point.x - before.point.x) * share,
        y: last.point.y + (last.point.y - before.point.y) * share)
    }
  }

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
    moves.removeAll(keepingCapacity: true)
    for change in source.changes {
      let point = geometry.point(change.position)
      guard let index = down.first(where: { contacts[$0].serial == change.contact.serial }) else {
        if change.kind == .began { begin(change, at: point, frame.time) }
        continue
      }
      switch change.kind {
      case .began: break
      case .moved:
        moves.append(Move(contacts[index].reports, to: point, at: frame.time))
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

  /// Finds two contacts that are far from their expected places, with each at the other's expected place.
  private func findSwaps(_ moves: [Move], at time: Timestamp) {
    let far = geometry.length(Self.swapDistance)
    for (index, one) in moves.enumerated() where one.from.distance(to: one.to) > far {
      for other in moves[(index + 1)...] where other.from.distance(to: other.to) > far {
        let crossed = one.expected.distance(to: other.to) + other.expected.distance(to: one.to)
        let straight = one.expected.distance(to: one.to) + other.expected.distance(to: other.to)
        if crossed * 4 < straight, straight > far {
          swaps.append(Swap(time: time, from: one.from, to: one.to))
        }
      }
    }
  }

  /// The fingers that lay still for a second, and lifted: seconds, and spread in units of the panel.
  package var rests: [(seconds: Double, spread: Double)] {
    contacts.compactMap { contact in
      guard let seconds = contact.end?.seconds(since: contact.began), seconds >= 1,
        let spread = PointSpread(contact.points).farthest?.distance, spread <= geometry.length(5)
      else { return nil }
      return (seconds, spread)
    }
  }

  /// Learns the step of the values, which may be larger than the driver's units.
  package func learnGrain() {
    let (x, y) = (
      ValueStep(contacts, unit: geometry.unit.width, of: \.x),
      ValueStep(contacts, unit: geometry.unit.height, of: \.y)
    )
    let (width, height) = (x.length(in: geometry), y.length(in: geometry))
    geometry.grain = (width * width + height * height).squareRoot()
  }

  /// Forgets lifted contacts, so that a device can be followed for days.
  package func forgetLifted() {
    let kept = down.map { contacts[$0] }
    contacts = kept
    down = Array(kept.indices)
    swaps.removeAll()
  }

  /// Returns the most contacts that were down at once between two times.
  package func most(from start: Timestamp, to end: Timestamp) -> Int {
    var changes: [(time: Timestamp, change: Int)] = []
    for contact in contacts {
      let last = contact.end ?? self.end.advanced(byMicroseconds: 1)
      guard contact.began < end, last > start || contact.began >= start else { continue }
      changes.append((contact.began, 1))
      changes.append((last, -1))
    }
    // A lift comes before a contact of the same frame, and a contact of no duration counts.
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
