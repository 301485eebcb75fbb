import TouchCore

/// The life of one finger on a multitouch device, in both protocols.
///
/// ```
///            appears              touches                  palm
///   absent ───────────▶ hovering ─────────▶ down(contact) ───────▶ dead
///    ▲                     ▲   │ palm: dead    │                     │
///    │                     └───┼─── ended ─────┘ no longer touches   │
///    └─────────────────────────┴───────────────┴─────────────────────┘  leaves: ended, or cancelled if unseen
/// ```
/// A contact touches unless the device reports a distance. Its size and its pressure do not decide that:
/// firmware rounds those of a light finger down to 0. A palm is never delivered, and a contact that turns
/// into a palm is cancelled. Both are dead until they leave, even if they turn back.
struct TrackedContact {
  private enum State {
    case absent, hovering
    case down(ContactID)
    /// The contact is not delivered until it leaves.
    case dead
  }

  var reading = ContactReading()
  private var state = State.absent
  private var last: MissedLift.Sighting?

  init(reading: ContactReading = ContactReading()) { self.reading = reading }

  var isAbsent: Bool {
    if case .absent = state { true } else { false }
  }

  var isAboutToEnd: Bool {
    guard case .down = state else { return false }
    return !isTouching || reading.tool == .palm
  }

  private var isTouching: Bool { reading.distance ?? 0 <= 0 }

  /// Marks a contact from before the opening, which is not delivered unless it only hovered.
  mutating func wasThere() { state = isTouching || reading.tool == .palm ? .dead : .hovering }

  /// Makes room for another finger's reading if the first one's lift was missed: a contact that was down is
  /// cancelled. Returns the silence in milliseconds; nil if it continues.
  mutating func giveWay(
    at time: Timestamp, _ missedLift: MissedLift, into changes: inout [ContactChange]
  ) -> Int? {
    guard let last else { return nil }
    let pause: Int?
    switch state {
    case .absent, .hovering: return nil
    case .down, .dead: pause = missedLift.pause(since: last, reading.position, at: time)
    }
    guard let pause else { return nil }
    if case .down(let contact) = state {
      changes.append(
        ContactChange(
          contact: contact, kind: .cancelled, position: last.position, attributes: reading.attributes))
    }
    state = .absent
    self.last = nil
    return pause
  }

  /// Updates the contact by its reading.
  mutating func follow(
    _ serials: inout ContactSerials, at time: Timestamp, into changes: inout [ContactChange]
  ) {
    last = MissedLift.Sighting(position: reading.position, time: time)
    switch state {
    case .dead: break
    case .absent, .hovering:
      if reading.tool == .palm {
        state = .dead
      } else if isTouching {
        let contact = serials.next()
        state = .down(contact)
        changes.append(change(.began, contact))
      } else {
        state = .hovering
      }
    case .down(let contact):
      if reading.tool == .palm {
        changes.append(change(.cancelled, contact))
        state = .dead
      } else if isTouching {
        changes.append(change(.moved, contact))
      } else {
        changes.append(change(.ended, contact))
        state = .hovering
      }
    }
  }

  /// Ends the contact, which the device no longer reports. If its lift was lost, it is cancelled.
  mutating func leave(_ cause: InputFrame.Cause, into changes: inout [ContactChange]) {
    if case .down(let contact) = state {
      changes.append(change(cause == .resync ? .cancelled : .ended, contact))
    }
    state = .absent
    last = nil
  }

  /// Cancels the contact. If it still lies on the device, it stays dead until it leaves.
  mutating func cancel(into changes: inout [ContactChange]) {
    guard case .down(let contact) = state else { return }
    changes.append(change(.cancelled, contact))
    state = .dead
  }

  private func change(_ kind: ContactChange.Kind, _ contact: ContactID) -> ContactChange {
    ContactChange(contact: contact, kind: kind, position: reading.position, attributes: reading.attributes)
  }
}

/// The source of ids for one device's contacts, each used once.
struct ContactSerials {
  private let device: DeviceID
  private var last = 0

  init(device: DeviceID) { self.device = device }

  mutating func next() -> ContactID {
    last += 1
    return ContactID(device: device, serial: last)
  }
}

/// Finds panels that do not report the lift of a finger: the next finger is then reported as a move of the
/// first one. (tslib, issue 140.)
///
/// A contact that was not reported for half a second rests, and a resting finger continues from its position:
/// the slowest panels report every 40 ms, in which a hand moves a few centimetres. If the next position is a
/// quarter of the panel away, the finger was lifted in between.
///
/// All conditions are needed. Fast fingers are reported far apart on slow panels, but not after a rest. A
/// finger that rested is next reported nearby. A device that ever reported a lift is trusted, so the rule
/// does not affect a good device after its first touch. A second finger that comes sooner or nearer is not
/// detected: it moves the first one.
struct MissedLift {
  struct Sighting {
    var position: Point<DeviceSpace>
    var time: Timestamp
  }

  private let x, y: AxisRange
  /// Whether a lift of the device was seen, so that no lift is missed.
  private(set) var isRuledOut: Bool

  /// The shortest rest in microseconds: more than ten frames of a slow panel.
  private static let rest: Int64 = 500_000
  /// The distance to another finger, as a share of an axis' range.
  private static let far = 0.25

  init(x: AxisRange, y: AxisRange, isRuledOut: Bool = false) {
    (self.x, self.y, self.isRuledOut) = (x, y, isRuledOut)
  }

  mutating func note(_ changes: [ContactChange]) {
    if !isRuledOut && changes.contains(where: { $0.kind == .ended }) { isRuledOut = true }
  }

  /// Returns the milliseconds that a contact rested before it was another finger; nil if it is the same one.
  func pause(since last: Sighting, _ position: Point<DeviceSpace>, at time: Timestamp) -> Int? {
    if isRuledOut { return nil }
    let (pause, overflow) = time.microseconds.subtractingReportingOverflow(last.time.microseconds)
    guard !overflow, pause >= Self.rest else { return nil }
    let isFar =
      abs(position.x - last.position.x) >= Self.far * x.span
      || abs(position.y - last.position.y) >= Self.far * y.span
    return isFar ? Int(pause / 1000) : nil
  }
}

extension AxisRange {
  /// The width in device units, at least one.
  var span: Double { max(1, Double(maximum) - Double(minimum)) }
}

/// The device's report of one finger, in its own units; nil for a value that it does not report.
struct ContactReading {
  var x: Int32 = 0
  var y: Int32 = 0
  var toolType, pressure, touchMajor, touchMinor, distance: Int32?

  init() {}

  init(_ slot: InitialState.Slot) {
    x = slot.x
    y = slot.y
    toolType = slot.toolType
    pressure = slot.pressure
    touchMajor = slot.touchMajor
    touchMinor = slot.touchMinor
    distance = slot.distance
  }

  var position: Point<DeviceSpace> { Point(x: Double(x), y: Double(y)) }

  /// The tool. The kernel keeps its type over contacts, and sends it only when it changes.
  var tool: ContactAttributes.Tool {
    switch toolType {
    case nil, 0: .finger
    case 1: .pen
    case 2: .palm
    case let type?: .other(type)
    }
  }

  var attributes: ContactAttributes {
    var attributes = ContactAttributes()
    attributes.tool = tool
    attributes.pressure = pressure
    attributes.touchMajor = touchMajor
    attributes.touchMinor = touchMinor
    attributes.distance = distance
    return attributes
  }

  mutating func set(_ event: RawEvent) -> Bool {
    switch event.code {
    case EventCode.absMTPositionX: x = event.value
    case EventCode.absMTPositionY: y = event.value
    case EventCode.absMTToolType: toolType = event.value
    case EventCode.absMTPressure: pressure = event.value
    case EventCode.absMTTouchMajor: touchMajor = event.value
    case EventCode.absMTTouchMinor: touchMinor = event.value
    case EventCode.absMTDistance: distance = event.value
    default: return false
    }
    return true
  }
}
