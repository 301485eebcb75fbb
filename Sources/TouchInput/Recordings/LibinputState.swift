import TouchCore
import TouchYAML

/// How a device was before its first frame, which libinput's format has no place for.
///
/// The kernel does not report again what did not change: without this, a finger that comes down where the last one was
/// would come down at 0. It stands under a key of our own, which other readers pass over:
///
/// ```
/// touchtree: {pressed: 0, x: 120, y: 40, slot: 1, slots: [{57: -1, 53: 120, 54: 40}, {57: 7, 53: 9, 54: 8}]}
/// ```
struct LibinputState {
  private var state: InitialState?

  /// The state that was read, with as many slots as the device has.
  func initialState(of capabilities: DeviceCapabilities) -> InitialState {
    let untouched = InitialState(untouched: capabilities)
    guard var state else { return untouched }
    state.slots = Array((state.slots + untouched.slots).prefix(untouched.slots.count))
    return state
  }

  mutating func read(_ walk: YAMLWalk) throws(YAMLProblem) {
    var state = InitialState()
    try walk.eachKey(of: "touchtree") { key throws(YAMLProblem) in
      switch key {
      case "pressed": state.isPressed = try walk.number(key, in: 0...1) == 1
      case "x": state.x = try walk.number(key)
      case "y": state.y = try walk.number(key)
      case "slot": state.currentSlot = try walk.number(key)
      case "slots":
        try walk.eachItem(of: key) { () throws(YAMLProblem) in
          state.slots.append(try Self.slot(walk))
          guard state.slots.count <= 256 else {
            throw YAMLProblem(place: walk.place, message: "there are more than 256 slots")
          }
        }
      default: try walk.skip()
      }
    }
    self.state = state
  }

  private static func slot(_ walk: YAMLWalk) throws(YAMLProblem) -> InitialState.Slot {
    var slot = InitialState.Slot()
    try walk.eachKey(of: "the slot") { key throws(YAMLProblem) in
      let value: Int32 = try walk.number("the value of axis \(key.prefix(8))")
      switch UInt16(key) {
      case EventCode.absMTTrackingID: slot.trackingID = value
      case EventCode.absMTPositionX: slot.x = value
      case EventCode.absMTPositionY: slot.y = value
      case EventCode.absMTToolType: slot.toolType = value
      case EventCode.absMTPressure: slot.pressure = value
      case EventCode.absMTTouchMajor: slot.touchMajor = value
      case EventCode.absMTTouchMinor: slot.touchMinor = value
      case EventCode.absMTDistance: slot.distance = value
      default: break
      }
    }
    return slot
  }

  /// The state as it stands in a recording, without its key.
  static func text(_ state: InitialState) -> String {
    var fields = ["pressed: \(state.isPressed ? 1 : 0)", "x: \(state.x)", "y: \(state.y)"]
    if !state.slots.isEmpty {
      fields.append("slot: \(state.currentSlot)")
      fields.append("slots: [" + state.slots.map(text).joined(separator: ", ") + "]")
    }
    return "{\(fields.joined(separator: ", "))}"
  }

  private static func text(_ slot: InitialState.Slot) -> String {
    let values: [(UInt16, Int32?)] = [
      (EventCode.absMTTrackingID, slot.trackingID), (EventCode.absMTPositionX, slot.x),
      (EventCode.absMTPositionY, slot.y), (EventCode.absMTToolType, slot.toolType),
      (EventCode.absMTPressure, slot.pressure), (EventCode.absMTTouchMajor, slot.touchMajor),
      (EventCode.absMTTouchMinor, slot.touchMinor), (EventCode.absMTDistance, slot.distance),
    ]
    let fields = values.compactMap { code, value in value.map { "\(code): \($0)" } }
    return "{\(fields.joined(separator: ", "))}"
  }
}
