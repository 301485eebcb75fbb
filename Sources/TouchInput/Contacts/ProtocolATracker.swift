import TouchCore

/// Follows the contacts of a multitouch device without slots: every frame lists all contacts, each closed by
/// a SYN_MT_REPORT. (kernel `multi-touch-protocol.rst`, type A.)
///
/// Contacts with an ABS_MT_TRACKING_ID are known by it. The others are matched with the nearest ones of the
/// frame before. A contact that is not listed has lifted, and so has one that is listed without a place: the
/// kernel leaves out nothing that a driver without slots reports, so a line without a place is the remainder
/// of a lifted contact. (`input_handle_abs_event`; libinput's mtdev lifts it, too.)
///
/// A contact whose size goes to 0 has lifted as well: some drivers have no other way to report it, because
/// they have no slot to empty. A frame that lists nothing does not concern the contacts (it may be a key),
/// unless it releases BTN_TOUCH: then all have lifted.
///
/// After an overrun of the kernel's buffer the contacts cannot be matched: all are cancelled, and those that
/// are listed next begin.
final class ProtocolATracker {
  private struct Entry {
    var id: Int32?
    var contact: TrackedContact
    var isListed = false
  }

  private struct ListedContact {
    var id: Int32?
    var reading = ContactReading()
    var hasX = false
    var hasY = false
    /// The index of its entry in the frame before.
    var entry: Int?
    /// Whether axes were reported, and the SYN_MT_REPORT is still to come.
    var isOpen = false
  }

  /// The most contacts that are followed, more than any hand has.
  static let mostContacts = 32

  private let rangeX, rangeY: AxisRange
  private var entries: [Entry] = []
  private var lines: [ListedContact] = []
  private var serials: ContactSerials
  /// Whether a size of 0 counts as a lift: only if there was another size before.
  private var hasSizes = false
  /// Whether the contacts that are listed first were down when the device was opened, and are swallowed.
  private var swallowsNext: Bool
  private var missedLift: MissedLift
  var warnings = DeviceWarnings()

  init(device: DeviceID, rangeX: AxisRange, rangeY: AxisRange, initial: InitialState) {
    (self.rangeX, self.rangeY) = (rangeX, rangeY)
    serials = ContactSerials(device: device)
    missedLift = MissedLift(x: rangeX, y: rangeY)
    swallowsNext = initial.isPressed
    entries.reserveCapacity(2 * Self.mostContacts)
    lines.reserveCapacity(Self.mostContacts)
  }

  func apply(_ frame: InputFrame, into changes: inout [ContactChange]) {
    if frame.cause == .resync {
      forgetAll(into: &changes)
    } else if read(frame) {
      match()
      update(at: frame.time, into: &changes)
      missedLift.note(changes)
    }
  }

  /// Cancels everything that is down. Contacts that still lie on the device stay dead until they lift.
  func cancelAll(into changes: inout [ContactChange]) {
    for index in entries.indices { entries[index].contact.cancel(into: &changes) }
  }

  private func forgetAll(into changes: inout [ContactChange]) {
    for index in entries.indices { entries[index].contact.leave(.resync, into: &changes) }
    entries.removeAll(keepingCapacity: true)
    swallowsNext = false
  }

  // MARK: Reading

  private func read(_ frame: InputFrame) -> Bool {
    lines.removeAll(keepingCapacity: true)
    var line = ListedContact()
    var isList = false
    for event in frame.events {
      switch (event.type, event.code) {
      case (EventCode.syn, EventCode.synMTReport):
        isList = true
        close(&line)
      case (EventCode.key, EventCode.btnTouch): if event.value == 0 { isList = true }
      case (EventCode.abs, _): set(event, of: &line)
      default: break
      }
    }
    // Drivers for one finger forget the last SYN_MT_REPORT.
    if line.isOpen {
      isList = true
      close(&line)
    }
    return isList
  }

  private func set(_ event: RawEvent, of line: inout ListedContact) {
    if event.code == EventCode.absMTTrackingID {
      line.id = event.value
    } else if line.reading.set(event) {
      if event.code == EventCode.absMTPositionX { line.hasX = true }
      if event.code == EventCode.absMTPositionY { line.hasY = true }
      warnings.checkRange(event, x: rangeX, y: rangeY)
    } else {
      return
    }
    line.isOpen = true
  }

  private func close(_ line: inout ListedContact) {
    defer { line = ListedContact() }
    // A SYN_MT_REPORT alone, or a tracking id of −1, is not a contact.
    guard line.isOpen, line.id.map({ $0 >= 0 }) ?? true else { return }
    if let major = line.reading.touchMajor {
      if major > 0 { hasSizes = true }
      if hasSizes && major == 0 { return }
    }
    guard lines.count < Self.mostContacts else {
      warnings.post(.tooManyContacts(Self.mostContacts))
      return
    }
    if let id = line.id {
      guard !lines.contains(where: { $0.id == id }) else { return }
      line.entry = entries.firstIndex { $0.id == id }
    }
    // Only a contact that is known by its id can leave out a part of its place.
    if let entry = line.entry, line.hasX || line.hasY {
      if !line.hasX { line.reading.x = entries[entry].contact.reading.x }
      if !line.hasY { line.reading.y = entries[entry].contact.reading.y }
    } else if !line.hasX || !line.hasY {
      return
    }
    lines.append(line)
  }

  // MARK: Matching

  /// Finds the entry of each line without an id: the pair with the smallest distance first, and so on.
  private func match() {
    while let (entry, line) = nearestPair() {
      entries[entry].isListed = true
      lines[line].entry = entry
    }
    // Each pass makes the sum smaller, in the end the smallest, except for movements that no hand makes.
    for _ in lines where !exchangePairs() { break }
  }

  /// The nearest pair among those without an id and without a match.
  private func nearestPair() -> (entry: Int, line: Int)? {
    var nearest: (entry: Int, line: Int)?
    var least = Double.infinity
    for entry in entries.indices where entries[entry].id == nil && !entries[entry].isListed {
      for line in lines.indices where lines[line].id == nil && lines[line].entry == nil {
        let distance = distance(entry, line)
        if distance < least { (nearest, least) = ((entry, line), distance) }
      }
    }
    return nearest
  }

  /// Exchanges two pairs if that makes the sum of their distances smaller, as for fingers in a row that move
  /// by more than half of their spacing. Returns whether there were any.
  private func exchangePairs() -> Bool {
    var hasChanged = false
    for line in lines.indices where lines[line].id == nil {
      for other in lines.indices where other > line && lines[other].id == nil {
        guard let one = lines[line].entry, let two = lines[other].entry,
          distance(one, other) + distance(two, line) < distance(one, line) + distance(two, other)
        else { continue }
        (lines[line].entry, lines[other].entry) = (two, one)
        hasChanged = true
      }
    }
    return hasChanged
  }

  private func distance(_ entry: Int, _ line: Int) -> Double {
    let (last, now) = (entries[entry].contact.reading, lines[line].reading)
    let x = (Double(last.x) - Double(now.x)) / rangeX.span
    let y = (Double(last.y) - Double(now.y)) / rangeY.span
    return x * x + y * y
  }

  // MARK: Updating

  private func update(at time: Timestamp, into changes: inout [ContactChange]) {
    for index in entries.indices { entries[index].isListed = false }
    for line in lines {
      guard let entry = line.entry else { continue }
      entries[entry].isListed = true
      entries[entry].contact.reading = line.reading
    }
    for index in entries.indices where !entries[index].isListed {
      entries[index].contact.leave(.report, into: &changes)
    }
    for index in entries.indices where entries[index].isListed {
      if let pause = entries[index].contact.giveWay(at: time, missedLift, into: &changes) {
        warnings.post(.missedLift(milliseconds: pause))
      }
    }
    entries.removeAll { !$0.isListed }
    // The continuing contacts are first, new ones come after them.
    let known = entries.count
    for line in lines where line.entry == nil {
      entries.append(Entry(id: line.id, contact: TrackedContact(reading: line.reading), isListed: true))
    }
    for index in 0..<known where entries[index].contact.isAboutToEnd {
      follow(index, at: time, into: &changes)
    }
    for index in 0..<known where entries[index].contact.isAbsent { follow(index, at: time, into: &changes) }
    for index in known..<entries.count {
      if swallowsNext { entries[index].contact.wasThere() }
      follow(index, at: time, into: &changes)
    }
    for index in 0..<known where entries[index].isListed { follow(index, at: time, into: &changes) }
    swallowsNext = false
  }

  /// Follows an entry, each once a frame.
  private func follow(_ index: Int, at time: Timestamp, into changes: inout [ContactChange]) {
    entries[index].isListed = false
    entries[index].contact.follow(&serials, at: time, into: &changes)
  }
}
