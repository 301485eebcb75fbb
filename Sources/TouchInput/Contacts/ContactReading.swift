import TouchCore

/// What a device says of one finger, in its own units. A value that it does not report is nil.
struct ContactReading {
  var x: Int32 = 0
  var y: Int32 = 0
  var toolType: Int32?
  var pressure: Int32?
  var touchMajor: Int32?
  var touchMinor: Int32?
  var distance: Int32?

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

  /// The kernel keeps the tool type over contacts and sends it only when it changes.
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

  /// Takes an event, and answers whether it is one that a reading has.
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
