/// Follows the contacts of a multitouch device through its slots. (kernel `multi-touch-protocol.rst`, type B.)
///
/// ```
///            tracking id ≥ 0                    palm
///   idle ───────────────────▶ down(contact) ─────────▶ dead
///    ▲                           │                       │
///    └───────── id −1: ended ────┘                       │
///    └───────────────────── id −1 ───────────────────────┘
/// ```
/// A contact that is down when the device is opened, or that begins as a palm, is dead from the start. A
/// contact that goes in a resync was not seen to lift: it is cancelled.
final class SlotTracker {
  fileprivate enum State {
    case idle
    case down(ContactID)
    /// A contact that nobody hears of until it lifts.
    case dead
  }

  fileprivate struct Slot {
    var state = State.idle
    /// A tracking id came in this frame; the contact begins when the frame's positions are known.
    var opensInFrame = false
    var changed = false
    var x: Int32 = 0
    var y: Int32 = 0
    var toolType: Int32?
    var pressure: Int32?
    var touchMajor: Int32?
  }

  private let device: DeviceID
  private let rangeX: AxisRange
  private let rangeY: AxisRange
  private var slots: [Slot]
  /// Slots that open in this frame, in the order of their tracking ids.
  private var opening: [Int] = []
  /// The slot that events speak of; nil after a slot that does not exist.
  private var current: Int?
  private var nextSerial = 1
  var board = NoticeBoard()

  init(device: DeviceID, slotCount: Int, rangeX: AxisRange, rangeY: AxisRange, initial: InitialState) {
    self.device = device
    self.rangeX = rangeX
    self.rangeY = rangeY
    slots = Array(repeating: Slot(), count: max(1, slotCount))
    for (index, state) in initial.slots.prefix(slots.count).enumerated() {
      slots[index].x = state.x
      slots[index].y = state.y
      slots[index].toolType = state.toolType
      slots[index].pressure = state.pressure
      slots[index].touchMajor = state.touchMajor
      if state.trackingID >= 0 { slots[index].state = .dead }
    }
    opening.reserveCapacity(slots.count)
    current = slots.indices.contains(Int(initial.currentSlot)) ? Int(initial.currentSlot) : 0
  }

  /// Appends what the frame changed: ends in the order in which they came, then begins, then moves.
  func apply(_ frame: InputFrame, into changes: inout [ContactChange]) {
    for event in frame.events where event.type == EventCode.abs {
      switch event.code {
      case EventCode.absMTSlot: select(event.value)
      case EventCode.absMTTrackingID: track(event.value, cause: frame.cause, into: &changes)
      default: setValue(event)
      }
    }
    for index in opening { begin(index, into: &changes) }
    opening.removeAll(keepingCapacity: true)
    for index in slots.indices where slots[index].changed { move(index, into: &changes) }
  }

  /// Ends the following of everything that is down. What still lies on the device stays dead until it lifts.
  func cancelAll(into changes: inout [ContactChange]) {
    for index in slots.indices {
      guard case .down(let contact) = slots[index].state else { continue }
      changes.append(change(.cancelled, contact, slots[index]))
      slots[index].state = .dead
    }
  }

  private func select(_ slot: Int32) {
    if slot >= 0 && slot < slots.count {
      current = Int(slot)
    } else {
      board.post(.unknownSlot(slot))
      current = nil
    }
  }

  private func track(_ id: Int32, cause: InputFrame.Cause, into changes: inout [ContactChange]) {
    guard let index = current else { return }
    if id >= 0 {
      open(index, id: id, cause: cause, into: &changes)
    } else {
      lift(index, cause: cause, into: &changes)
    }
  }

  private func open(
    _ index: Int, id: Int32, cause: InputFrame.Cause, into changes: inout [ContactChange]
  ) {
    if slots[index].opensInFrame {
      board.post(.repeatedTrackingID(slot: index, id: id))
      return
    }
    switch slots[index].state {
    case .idle: break
    case .down, .dead:
      guard cause == .resync else {
        board.post(.repeatedTrackingID(slot: index, id: id))
        return
      }
      lift(index, cause: cause, into: &changes)
    }
    slots[index].opensInFrame = true
    opening.append(index)
  }

  private func lift(_ index: Int, cause: InputFrame.Cause, into changes: inout [ContactChange]) {
    if slots[index].opensInFrame {
      // Down and up in one frame: a tap all the same.
      opening.removeAll { $0 == index }
      begin(index, into: &changes)
    }
    switch slots[index].state {
    case .idle: board.post(.liftWithoutContact(slot: index))
    case .dead: break
    case .down(let contact):
      changes.append(change(cause == .resync ? .cancelled : .ended, contact, slots[index]))
    }
    slots[index].state = .idle
    slots[index].changed = false
  }

  private func begin(_ index: Int, into changes: inout [ContactChange]) {
    slots[index].opensInFrame = false
    slots[index].changed = false
    guard slots[index].tool != .palm else {
      slots[index].state = .dead
      return
    }
    let contact = ContactID(device: device, serial: nextSerial)
    nextSerial += 1
    slots[index].state = .down(contact)
    changes.append(change(.began, contact, slots[index]))
  }

  private func move(_ index: Int, into changes: inout [ContactChange]) {
    slots[index].changed = false
    guard case .down(let contact) = slots[index].state else { return }
    if slots[index].tool == .palm {
      changes.append(change(.cancelled, contact, slots[index]))
      slots[index].state = .dead
    } else {
      changes.append(change(.moved, contact, slots[index]))
    }
  }

  private func setValue(_ event: RawEvent) {
    guard let index = current else { return }
    switch event.code {
    case EventCode.absMTPositionX:
      slots[index].x = event.value
      board.checkRange(event.value, of: .x, rangeX)
    case EventCode.absMTPositionY:
      slots[index].y = event.value
      board.checkRange(event.value, of: .y, rangeY)
    case EventCode.absMTToolType: slots[index].toolType = event.value
    case EventCode.absMTPressure: slots[index].pressure = event.value
    case EventCode.absMTTouchMajor: slots[index].touchMajor = event.value
    default: return
    }
    slots[index].changed = true
  }

  private func change(_ kind: ContactChange.Kind, _ contact: ContactID, _ slot: Slot) -> ContactChange {
    var attributes = ContactAttributes()
    attributes.tool = slot.tool
    attributes.pressure = slot.pressure
    attributes.touchMajor = slot.touchMajor
    return ContactChange(
      contact: contact, kind: kind, position: Point(x: Double(slot.x), y: Double(slot.y)),
      attributes: attributes)
  }
}

extension SlotTracker.Slot {
  /// The kernel keeps the tool type over contacts and sends it only when it changes.
  fileprivate var tool: ContactAttributes.Tool {
    switch toolType {
    case nil, 0: .finger
    case 1: .pen
    case 2: .palm
    case let type?: .other(type)
    }
  }
}

extension NoticeBoard {
  mutating func checkRange(_ value: Int32, of axis: InputNotice.Axis, _ range: AxisRange) {
    guard value < range.minimum || value > range.maximum else { return }
    post(.outOfRange(axis: axis, value: value, minimum: range.minimum, maximum: range.maximum))
  }
}
