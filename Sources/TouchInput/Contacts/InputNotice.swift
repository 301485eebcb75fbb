/// A violation of the input protocol by a device or its driver. Each touch still begins and ends once.
package enum InputNotice: Hashable, Sendable {
  /// A slot that the device does not have; its events are ignored.
  case unknownSlot(Int32)
  /// One tracking id in two slots at once; each is a contact.
  case sharedTrackingID(id: Int32, slots: Int, Int)
  case liftWithoutContact(slot: Int)
  /// A position outside the declared range, in device units. It is used as it is.
  case outOfRange(axis: Axis, value: Int32, minimum: Int32, maximum: Int32)
  /// A position outside the declared range that would lie in the other axis' longer one. It is used as it is.
  case transposed(axis: Axis, value: Int32, minimum: Int32, maximum: Int32)
  /// More contacts in one frame than are followed; the others are ignored.
  case tooManyContacts(Int)

  /// A contact far away after a long pause is another one: the first had lifted, and is cancelled.
  case missedLift(milliseconds: Int)

  /// The axis with the fault, by the device's name for it, before any rotation.
  package enum Axis: String, Hashable, Sendable { case x, y }

  package var sentence: String {
    switch self {
    case .unknownSlot(let slot): "reports slot \(slot), which it does not have; that contact is ignored"
    case .sharedTrackingID(let id, slots: let one, let other):
      "has contact \(id) in slots \(one) and \(other) at once; they are taken for two fingers"
    case .liftWithoutContact(let slot): "lifts a contact in slot \(slot), which holds none"
    case .outOfRange(let axis, let value, let minimum, let maximum):
      "reports \(axis.rawValue) \(value), outside its own range \(minimum)…\(maximum)"
    case .transposed(let axis, let value, let minimum, let maximum):
      "reports \(axis.rawValue) \(value), outside its own range \(minimum)…\(maximum), but inside the other axis': "
        + "its driver may declare the two the wrong way round, which a calibration puts right"
    case .missedLift(let milliseconds):
      "does not report that a finger lifts: after \(milliseconds) ms of silence, a contact went on far away; it is "
        + "cancelled, and another one begins"
    case .tooManyContacts(let most): "reports more than \(most) contacts at once; the others are ignored"
    }
  }

  /// The number of the kind. Notices of one kind are reported once for each device.
  var kind: Int {
    switch self {
    case .unknownSlot: 0
    case .sharedTrackingID: 1
    case .liftWithoutContact: 2
    case .outOfRange: 3
    case .transposed: 4
    case .tooManyContacts: 5
    case .missedLift: 6
    }
  }
}

struct DeviceWarnings {
  private(set) var notices: [InputNotice] = []
  private var seen: UInt8 = 0

  mutating func post(_ notice: InputNotice) {
    let bit = UInt8(1) << UInt8(notice.kind)
    guard seen & bit == 0 else { return }
    seen |= bit
    notices.append(notice)
  }

  mutating func take() -> [InputNotice] {
    guard !notices.isEmpty else { return [] }
    defer { notices.removeAll() }
    return notices
  }
}

extension DeviceWarnings {
  /// Checks a position against its range, whichever event it comes in, and ignores all other events.
  mutating func checkRange(_ event: RawEvent, x: AxisRange, y: AxisRange) {
    switch event.code {
    case EventCode.absX, EventCode.absMTPositionX: checkRange(event.value, of: .x, x, other: y)
    case EventCode.absY, EventCode.absMTPositionY: checkRange(event.value, of: .y, y, other: x)
    default: break
    }
  }

  private mutating func checkRange(
    _ value: Int32, of axis: InputNotice.Axis, _ range: AxisRange, other: AxisRange
  ) {
    guard value < range.minimum || value > range.maximum else { return }
    if value > range.maximum && range.maximum < other.maximum && value <= other.maximum {
      post(.transposed(axis: axis, value: value, minimum: range.minimum, maximum: range.maximum))
    } else {
      post(.outOfRange(axis: axis, value: value, minimum: range.minimum, maximum: range.maximum))
    }
  }
}
