/// The life of one finger on a multitouch device, whichever protocol told of it.
///
/// ```
///            appears              touches                  palm
///   absent ───────────▶ hovering ─────────▶ down(contact) ───────▶ dead
///    ▲                     ▲   │ palm: dead    │                     │
///    │                     └───┼─── ended ─────┘ no longer touches   │
///    └─────────────────────────┴───────────────┴─────────────────────┘  leaves: ended, or cancelled if unseen
/// ```
/// A contact touches unless it is said to be at a distance, or its size went to 0: some drivers lift a finger that
/// way. A palm is never delivered, and one that turns into a palm is cancelled; both are dead until they leave, even
/// if they turn back.
struct TrackedContact {
  private enum State {
    case absent, hovering
    case down(ContactID)
    /// A contact that nobody hears of until it leaves.
    case dead
  }

  var reading = ContactReading()
  private var state = State.absent
  /// Whether a size of 0 says something: only where there was one before.
  private var hasSize = false

  /// - Parameter hasSize: whether the device is known to report the contacts' size.
  init(reading: ContactReading = ContactReading(), hasSize: Bool = false) {
    self.reading = reading
    self.hasSize = hasSize
  }

  var isAbsent: Bool {
    if case .absent = state { true } else { false }
  }

  /// Whether `follow` will end it.
  var isAboutToEnd: Bool {
    guard case .down = state else { return false }
    return !isTouching || reading.tool == .palm
  }

  private var isTouching: Bool {
    if let distance = reading.distance, distance > 0 { return false }
    return !(hasSize && reading.touchMajor == 0)
  }

  /// It was there before anybody listened: nobody hears of it unless it only hovered.
  mutating func wasThere() {
    state = isTouching || reading.tool == .palm ? .dead : .hovering
  }

  /// Becomes what its reading says.
  mutating func follow(_ serials: inout ContactSerials, into changes: inout [ContactChange]) {
    if let major = reading.touchMajor, major > 0 { hasSize = true }
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

  /// The device does not know it any more. One that went unseen is cancelled.
  mutating func leave(_ cause: InputFrame.Cause, into changes: inout [ContactChange]) {
    if case .down(let contact) = state {
      changes.append(change(cause == .resync ? .cancelled : .ended, contact))
    }
    state = .absent
    hasSize = false
  }

  /// Nobody is to hear of it any more; what still lies on the device stays dead until it leaves.
  mutating func cancel(into changes: inout [ContactChange]) {
    guard case .down(let contact) = state else { return }
    changes.append(change(.cancelled, contact))
    state = .dead
  }

  private func change(_ kind: ContactChange.Kind, _ contact: ContactID) -> ContactChange {
    ContactChange(contact: contact, kind: kind, position: reading.position, attributes: reading.attributes)
  }
}

/// Hands out the ids of one device's contacts, none twice.
struct ContactSerials {
  private let device: DeviceID
  private var last = 0

  init(device: DeviceID) {
    self.device = device
  }

  mutating func next() -> ContactID {
    last += 1
    return ContactID(device: device, serial: last)
  }
}
