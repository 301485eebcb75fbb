import TouchCore

/// Reports contacts as a good panel's driver does: each in a slot of its own with its tracking id (kernel
/// `multi-touch-protocol.rst`, type B), and the oldest also by ABS_X, ABS_Y and BTN_TOUCH
/// (`input_mt_report_pointer_emulation`).
/// A cancelled contact lifts, or turns into a palm first and lifts in the next frame: libinput and Android
/// drop a touch that becomes a palm. A compositor that does not know cancelling, such as Weston, waits
/// forever for the lift.
package struct SlotWriter {
  /// A change of a contact, in the units of the device that reports it.
  package struct Change {
    package var contact: ContactID
    package var kind: TouchChange.Kind
    package var x, y: Int32
    package var attributes: ContactAttributes

    package init(
      contact: ContactID, kind: TouchChange.Kind, x: Int32, y: Int32,
      attributes: ContactAttributes = ContactAttributes()
    ) {
      (self.contact, self.kind, self.x, self.y) = (contact, kind, x, y)
      self.attributes = attributes
    }
  }

  private struct Slot {
    var contact: ContactID?
    var trackingID: Int32 = 0
    var x: Int32 = 0
    var y: Int32 = 0
    var pressure: Int32?
    /// Whether a contact began or ended in the slot in this frame. The next one waits for another frame.
    var changedHands = false
  }

  private var slots: [Slot]
  private var current = 0
  private var lastTrackingID: Int32 = -1
  private var frame = InputFrame()
  private var isTouched = false
  /// The slots of contacts that are palms in this frame, and lift in the next.
  private var palms: [Int] = []

  private let usesPalms: Bool

  /// - Parameters:
  ///   - slotCount: the most contacts at once, at least one. Further ones are left out for their life.
  ///   - usesPalms: whether the reader of the frames cancels a contact that becomes a palm.
  package init(slotCount: Int, usesPalms: Bool) {
    self.usesPalms = usesPalms
    slots = Array(repeating: Slot(), count: max(1, slotCount))
    palms.reserveCapacity(slots.count)
    frame.events.reserveCapacity(16 * slots.count)
  }

  package var isEmpty: Bool { slots.allSatisfy { $0.contact == nil } }

  /// Reports changes that happened together, in several frames if the protocol needs them one after the
  /// other. A frame is valid until `emit` returns.
  package mutating func write<Failure>(
    _ changes: some Sequence<Change>, emit: (InputFrame) throws(Failure) -> Void
  ) throws(Failure) {
    for change in changes {
      switch change.kind {
      case .began: try begin(change, emit)
      case .moved:
        guard let index = slot(of: change.contact) else { continue }
        place(index, at: change)
      case .ended:
        guard let index = slot(of: change.contact) else { continue }
        if slots[index].changedHands { try finish(emit) }
        place(index, at: change)
        lift(index)
      case .cancelled:
        guard let index = slot(of: change.contact) else { continue }
        if slots[index].changedHands { try finish(emit) }
        guard usesPalms else {
          lift(index)
          continue
        }
        select(index)
        report(EventCode.absMTToolType, 2)
        slots[index].contact = nil
        palms.append(index)
      }
    }
    try finish(emit)
    try liftPalms(emit)
  }

  private mutating func liftPalms<Failure>(_ emit: (InputFrame) throws(Failure) -> Void) throws(Failure) {
    for index in palms { lift(index) }
    palms.removeAll(keepingCapacity: true)
    try finish(emit)
  }

  package mutating func cancelAll<Failure>(emit: (InputFrame) throws(Failure) -> Void) throws(Failure) {
    let down = slots.compactMap { slot in
      slot.contact.map { Change(contact: $0, kind: .cancelled, x: slot.x, y: slot.y) }
    }
    try write(down, emit: emit)
  }

  private func slot(of contact: ContactID) -> Int? { slots.firstIndex { $0.contact == contact } }

  private mutating func begin<Failure>(
    _ change: Change, _ emit: (InputFrame) throws(Failure) -> Void
  ) throws(Failure) {
    func isFree(_ index: Int) -> Bool { slots[index].contact == nil && !palms.contains(index) }
    var free = slots.indices.first { isFree($0) && !slots[$0].changedHands }
    if free == nil {
      // A slot that is being left is free in the next frame.
      try finish(emit)
      try liftPalms(emit)
      free = slots.indices.first(where: isFree)
    }
    guard let free else { return }
    // The kernel takes ids of 16 bits. (TRKID_MAX)
    lastTrackingID = (lastTrackingID + 1) & 0xffff
    slots[free].contact = change.contact
    slots[free].trackingID = lastTrackingID
    slots[free].changedHands = true
    select(free)
    report(EventCode.absMTTrackingID, lastTrackingID)
    place(free, at: change)
  }

  private mutating func place(_ index: Int, at change: Change) {
    select(index)
    let attributes = change.attributes
    // The kernel keeps the tool over contacts, so a finger after a palm has to set it.
    report(EventCode.absMTToolType, attributes.tool == .pen ? 1 : 0)
    report(EventCode.absMTPositionX, change.x)
    report(EventCode.absMTPositionY, change.y)
    if let pressure = attributes.pressure { report(EventCode.absMTPressure, pressure) }
    if let major = attributes.touchMajor { report(EventCode.absMTTouchMajor, major) }
    if let minor = attributes.touchMinor { report(EventCode.absMTTouchMinor, minor) }
    slots[index].x = change.x
    slots[index].y = change.y
    slots[index].pressure = attributes.pressure
  }

  private mutating func lift(_ index: Int) {
    select(index)
    report(EventCode.absMTTrackingID, -1)
    slots[index].contact = nil
    slots[index].changedHands = true
  }

  private mutating func finish<Failure>(_ emit: (InputFrame) throws(Failure) -> Void) throws(Failure) {
    guard !frame.events.isEmpty else { return }
    reportOldest()
    try emit(frame)
    frame.events.removeAll(keepingCapacity: true)
    for index in slots.indices { slots[index].changedHands = false }
  }

  private mutating func reportOldest() {
    // Ids count up, and begin again after 65 535: the oldest is the one that is furthest behind the last one.
    var oldest: Slot?
    for slot in slots where slot.contact != nil {
      if let known = oldest, age(known) >= age(slot) { continue }
      oldest = slot
    }
    let isDown = oldest != nil || !palms.isEmpty
    if isDown != isTouched {
      frame.events.append(RawEvent(type: EventCode.key, code: EventCode.btnTouch, value: isDown ? 1 : 0))
      isTouched = isDown
    }
    guard let oldest else { return }
    report(EventCode.absX, oldest.x)
    report(EventCode.absY, oldest.y)
    if let pressure = oldest.pressure { report(EventCode.absPressure, pressure) }
  }

  private func age(_ slot: Slot) -> Int32 { (lastTrackingID - slot.trackingID) & 0xffff }

  private mutating func select(_ index: Int) {
    guard index != current else { return }
    report(EventCode.absMTSlot, Int32(index))
    current = index
  }

  private mutating func report(_ code: UInt16, _ value: Int32) {
    frame.events.append(RawEvent(type: EventCode.abs, code: code, value: value))
  }
}
