import TouchCore
import TouchInput

/// Counts violations of the multitouch protocol. (kernel `multi-touch-protocol.rst`)
package struct ProtocolAudit: Sendable {
  package enum Violation: Int, CaseIterable, Sendable {
    case unknownSlot, repeatedTrackingID, liftWithoutContact, valueWithoutContact, outOfRange, emptyFrame
    case clockBackwards, overrun, buttonHeld

    package var sentence: String {
      switch self {
      case .unknownSlot: "names a slot that it does not have"
      case .repeatedTrackingID: "has one tracking id in two slots at once"
      case .liftWithoutContact: "lifts a contact in an empty slot"
      case .valueWithoutContact: "sends values for an empty slot"
      case .outOfRange: "sends values outside the range of their axis"
      case .emptyFrame: "sends frames that change nothing"
      case .clockBackwards: "sends time stamps that go back"
      case .overrun: "overruns the kernel's buffer (SYN_DROPPED)"
      case .buttonHeld: "leaves BTN_TOUCH down without a contact"
      }
    }

    /// Whether the panel or its driver causes the violation. Time stamps, the buffer, and frames without a
    /// change, unless from recorders or old kernels, are others'.
    package var isOfPanel: Bool {
      switch self {
      case .unknownSlot, .repeatedTrackingID, .liftWithoutContact, .valueWithoutContact, .outOfRange,
        .buttonHeld:
        true
      case .emptyFrame, .clockBackwards, .overrun: false
      }
    }
  }

  /// The count of each violation, by its raw value.
  package private(set) var counts = Array(repeating: 0, count: Violation.allCases.count)
  package private(set) var examples: [String?] = Array(repeating: nil, count: Violation.allCases.count)

  private let axes: [UInt16: AxisRange]
  private let hasSlots: Bool
  private var slot: Int
  /// The tracking ids by slot; -1 for none.
  private var ids: [Int32]
  /// In the place of an id that an overrun has hidden: the contact may go on, or lift.
  private static let unknown: Int32 = -2
  private var values: [[UInt16: Int32]]
  private var keys: [UInt16: Int32] = [:]
  private var last = Timestamp(microseconds: .min)
  private var start: Timestamp?
  private var emptySlots: Set<Int> = []
  /// The slots that got another tracking id in this frame.
  private var opened: Set<Int> = []
  private var hasLifted = false
  /// A frame without events, a violation if another one follows: recorders end so.
  private var lastEmpty: InputFrame?

  package init(_ capabilities: DeviceCapabilities, _ initial: InitialState) {
    axes = capabilities.axes
    hasSlots = capabilities.slotCount ?? 0 > 0
    let count = max(1, capabilities.slotCount ?? 1)
    slot = min(max(0, Int(initial.currentSlot)), count - 1)
    ids = (0..<count).map { $0 < initial.slots.count ? initial.slots[$0].trackingID : -1 }
    values = Array(repeating: [:], count: count)
  }

  package var total: Int { Violation.allCases.reduce(0) { $0 + ($1.isOfPanel ? counts[$1.rawValue] : 0) } }

  /// - Parameter count: the number of times that a recording's clock went back, as corrected by its reader.
  package mutating func addClockJumps(_ count: Int) {
    guard count > 0 else { return }
    counts[Violation.clockBackwards.rawValue] += count
    examples[Violation.clockBackwards.rawValue] =
      "\(count) of the recording's frames are earlier than the one before"
  }

  package mutating func add(_ frame: InputFrame) {
    if start == nil { start = frame.time }
    if let empty = lastEmpty { note(.emptyFrame, empty, "") }
    lastEmpty = nil
    if frame.time < last { note(.clockBackwards, frame, "") }
    last = frame.time
    let isResync = frame.cause == .resync
    if isResync { note(.overrun, frame, "") }
    emptySlots.removeAll(keepingCapacity: true)
    opened.removeAll(keepingCapacity: true)
    var hasChanged = false
    for event in frame.events {
      switch event.type {
      case EventCode.abs: hasChanged = add(event, frame, isResync) || hasChanged
      // The kernel repeats keys that are held. (EV_REP.)
      case EventCode.key where event.value == 2: hasChanged = true
      case EventCode.key:
        hasChanged = keys.updateValue(event.value, forKey: event.code) != event.value || hasChanged
      default: hasChanged = true
      }
    }
    for slot in emptySlots.sorted() where !isResync { note(.valueWithoutContact, frame, "slot \(slot)") }
    if !isResync {
      checkIDs(in: frame)
      checkButton(in: frame)
    }
    guard !hasChanged, !isResync else { return }
    if frame.events.isEmpty { lastEmpty = frame } else { note(.emptyFrame, frame, "") }
  }

  /// Checks that each id is in one slot when the frame is complete.
  private mutating func checkIDs(in frame: InputFrame) {
    for slot in opened.sorted() where ids[slot] >= 0 {
      let other = ids.indices.first {
        $0 != slot && ids[$0] == ids[slot] && !($0 > slot && opened.contains($0))
      }
      guard let other else { continue }
      note(
        .repeatedTrackingID, frame, "id \(ids[slot]) is in slots \(min(slot, other)) and \(max(slot, other))")
    }
  }

  /// Checks the button. The kernel's core releases it in the frame in which the last contact lifts.
  private mutating func checkButton(in frame: InputFrame) {
    let isEmpty = ids.allSatisfy { $0 < 0 }
    if hasLifted, isEmpty, keys[EventCode.btnTouch] == 1 { note(.buttonHeld, frame, "") }
    hasLifted = false
  }

  private mutating func add(_ event: RawEvent, _ frame: InputFrame, _ isResync: Bool) -> Bool {
    guard hasSlots, event.code >= EventCode.absMTSlot else { return set(event, in: 0, frame) }
    if event.code == EventCode.absMTSlot {
      if event.value < 0 || Int(event.value) >= ids.count {
        note(.unknownSlot, frame, "slot \(event.value) of \(ids.count)")
        slot = -1
        return true
      }
      slot = Int(event.value)
      return false
    }
    // An event of a missing slot is not also a frame without change.
    guard slot >= 0 else { return true }
    guard event.code == EventCode.absMTTrackingID else {
      if ids[slot] == -1 { emptySlots.insert(slot) }
      return set(event, in: slot, frame)
    }
    emptySlots.remove(slot)
    if !isResync { check(event.value, frame) }
    if ids[slot] >= 0, event.value < 0 { hasLifted = true }
    defer { ids[slot] = isResync && event.value < 0 ? Self.unknown : event.value }
    return ids[slot] != event.value
  }

  private mutating func check(_ id: Int32, _ frame: InputFrame) {
    if id < 0 {
      if ids[slot] == -1 { note(.liftWithoutContact, frame, "slot \(slot)") }
    } else if ids[slot] != id {
      opened.insert(slot)
    }
  }

  private mutating func set(_ event: RawEvent, in slot: Int, _ frame: InputFrame) -> Bool {
    if let range = axes[event.code], range.maximum > range.minimum, event.code != EventCode.absMTTrackingID,
      event.value < range.minimum || event.value > range.maximum
    {
      let name = EventName.code(event.code, of: EventCode.abs) ?? "axis \(event.code)"
      note(.outOfRange, frame, "\(name) is \(event.value), not \(range.minimum)…\(range.maximum)")
    }
    return values[slot].updateValue(event.value, forKey: event.code) != event.value
  }

  private mutating func note(_ violation: Violation, _ frame: InputFrame, _ detail: String) {
    counts[violation.rawValue] += 1
    guard examples[violation.rawValue] == nil else { return }
    let milliseconds = frame.time.microseconds(since: start ?? frame.time) / 1000
    examples[violation.rawValue] = "at \(milliseconds) ms" + (detail.isEmpty ? "" : ": \(detail)")
  }
}
