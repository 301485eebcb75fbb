import TouchCore

/// Follows contacts through slots. (kernel `multi-touch-protocol.rst`, type B) A tracking id puts one into a
/// slot; −1 or another id removes it. A contact that is down at the opening is dead. One that ends in a
/// resync is cancelled.
final class ProtocolBTracker {
  private struct Slot {
    var contact = TrackedContact()
    /// The tracking id of the contact; −1 for none.
    var trackingID: Int32 = -1
    /// Whether a tracking id came in this frame. The contact begins when the frame's positions are known.
    var opensInFrame = false
    var changed = false

    mutating func update(
      _ serials: inout ContactSerials, at time: Timestamp, into changes: inout [ContactChange]
    ) {
      // Values of an empty slot are kept for its next contact.
      if opensInFrame || !contact.isAbsent { contact.follow(&serials, at: time, into: &changes) }
      (opensInFrame, changed) = (false, false)
    }
  }

  private let rangeX, rangeY: AxisRange
  private var slots: [Slot]
  /// The slots that open in this frame, in the order of their tracking ids.
  private var opening: [Int] = []
  /// The slots that change in this frame, which are few of all.
  private var changing: [Int] = []
  /// The slot to which the next events belong; nil after a slot that does not exist.
  private var current: Int?
  private var serials: ContactSerials
  private var missedLift: MissedLift
  var warnings = DeviceWarnings()

  init(device: DeviceID, slotCount: Int, rangeX: AxisRange, rangeY: AxisRange, initial: InitialState) {
    (self.rangeX, self.rangeY) = (rangeX, rangeY)
    serials = ContactSerials(device: device)
    missedLift = MissedLift(x: rangeX, y: rangeY, isRuledOut: initial.reportsLifts)
    slots = Array(repeating: Slot(), count: max(1, slotCount))
    for (index, state) in initial.slots.prefix(slots.count).enumerated() {
      slots[index].contact.reading = ContactReading(state)
      guard state.trackingID >= 0 else { continue }
      slots[index].trackingID = state.trackingID
      slots[index].contact.wasThere()
    }
    opening.reserveCapacity(slots.count)
    changing.reserveCapacity(slots.count)
    current = slots.indices.contains(Int(initial.currentSlot)) ? Int(initial.currentSlot) : 0
  }

  func apply(_ frame: InputFrame, into changes: inout [ContactChange]) {
    for event in frame.events where event.type == EventCode.abs {
      switch event.code {
      case EventCode.absMTSlot: select(event.value)
      case EventCode.absMTTrackingID: track(event.value, of: frame, into: &changes)
      // The codes of a contact's values are above that of the slot.
      case let code where code > EventCode.absMTSlot: setValue(event)
      default: break
      }
    }
    if changing.count > 1 { changing.sort() }
    // Contacts may move by any distance during an overrun.
    if frame.cause == .report && !missedLift.isRuledOut { findMissedLifts(at: frame.time, into: &changes) }
    for place in changing.indices {
      let index = changing[place]
      if slots[index].changed && slots[index].contact.isAboutToEnd {
        slots[index].update(&serials, at: frame.time, into: &changes)
      }
    }
    for place in opening.indices {
      checkID(of: opening[place])
      slots[opening[place]].update(&serials, at: frame.time, into: &changes)
    }
    opening.clear()
    for place in changing.indices where slots[changing[place]].changed {
      slots[changing[place]].update(&serials, at: frame.time, into: &changes)
    }
    changing.clear()
    missedLift.note(changes)
  }

  private func findMissedLifts(at time: Timestamp, into changes: inout [ContactChange]) {
    for index in changing where slots[index].changed && !slots[index].opensInFrame {
      guard let pause = slots[index].contact.giveWay(at: time, missedLift, into: &changes) else { continue }
      warnings.post(.missedLift(milliseconds: pause))
      slots[index].opensInFrame = true
      opening.append(index)
    }
  }

  /// Cancels everything that is down. Contacts that still lie on the device stay dead until they lift.
  func cancelAll(into changes: inout [ContactChange]) {
    for index in slots.indices { slots[index].contact.cancel(into: &changes) }
  }

  private func select(_ slot: Int32) {
    if slot >= 0 && slot < slots.count {
      current = Int(slot)
    } else {
      warnings.post(.unknownSlot(slot))
      current = nil
    }
  }

  private func track(_ id: Int32, of frame: InputFrame, into changes: inout [ContactChange]) {
    guard let index = current else { return }
    if id >= 0 {
      open(index, id: id, in: frame, into: &changes)
    } else {
      lift(index, in: frame, into: &changes)
    }
  }

  private func open(_ index: Int, id: Int32, in frame: InputFrame, into changes: inout [ContactChange]) {
    // An id that is sent again is the same contact.
    guard slots[index].trackingID != id else { return }
    // The kernel sends no −1 before a contact of another tool. (`input_mt_report_slot_state`.)
    if slots[index].trackingID >= 0 { lift(index, in: frame, into: &changes) }
    slots[index].trackingID = id
    slots[index].opensInFrame = true
    opening.append(index)
  }

  /// Reports a tracking id that is in two slots when the frame is complete.
  private func checkID(of index: Int) {
    let id = slots[index].trackingID
    for other in slots.indices where slots[other].trackingID == id && other != index {
      warnings.post(.sharedTrackingID(id: id, slots: min(index, other), max(index, other)))
    }
  }

  private func lift(_ index: Int, in frame: InputFrame, into changes: inout [ContactChange]) {
    if slots[index].opensInFrame {
      // Down and up in one frame: it is a tap all the same.
      opening.removeAll { $0 == index }
      slots[index].update(&serials, at: frame.time, into: &changes)
    }
    if slots[index].contact.isAbsent { warnings.post(.liftWithoutContact(slot: index)) }
    slots[index].contact.leave(frame.cause, into: &changes)
    slots[index].trackingID = -1
    slots[index].changed = false
  }

  private func setValue(_ event: RawEvent) {
    guard let index = current, slots[index].contact.reading.set(event) else { return }
    if !slots[index].changed {
      slots[index].changed = true
      changing.append(index)
    }
    warnings.checkRange(event, x: rangeX, y: rangeY)
  }
}
