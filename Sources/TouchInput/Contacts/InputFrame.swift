import TouchCore

/// One input event of the kernel, without its time. (`struct input_event`.)
@frozen
package struct RawEvent: Hashable, Sendable {
  /// The kind of event, one of the EV_ numbers. (`input-event-codes.h`.)
  package var type: UInt16
  /// The key or the axis; its meaning depends on the type.
  package var code: UInt16
  /// The value: device units, counts of a relative axis, or 0, 1 and 2 (up, down, repeated) of a key.
  package var value: Int32

  @inlinable package init(type: UInt16, code: UInt16, value: Int32) {
    self.type = type
    self.code = code
    self.value = value
  }
}

/// The events of a device up to one SYN_REPORT, which is not included.
package struct InputFrame: Sendable {
  package enum Cause: Hashable, Sendable {
    case report
    /// The kernel's buffer overran (SYN_DROPPED): the frame is the difference between the last known state
    /// and the current one. The lift of a contact that ends in such a frame was lost.
    case resync
  }

  /// The end of the frame, on the kernel's monotonic clock.
  package var time: Timestamp
  package var cause: Cause
  /// The events in the kernel's order, without the SYN_REPORT that ends the frame.
  package var events: [RawEvent]

  /// Makes a frame; without arguments, a buffer into which frames are read.
  package init(time: Timestamp = .zero, cause: Cause = .report, events: [RawEvent] = []) {
    (self.time, self.cause, self.events) = (time, cause, events)
  }
}

/// The state of a device before its first frame, in device units.
package struct InitialState: Hashable, Sendable {
  /// One slot of a protocol B device; nil for values that the device does not report.
  package struct Slot: Hashable, Sendable {
    /// The tracking id of the contact in the slot, or -1 for none.
    package var trackingID: Int32
    /// The position of the slot's contact or its last one: unchanged axes are not reported again.
    package var x: Int32
    /// The same for y.
    package var y: Int32
    /// The tool. (`ABS_MT_TOOL_TYPE`.)
    package var toolType: Int32?
    /// The pressure in the device's own units; nil without such an axis. (`ABS_MT_PRESSURE`.)
    package var pressure: Int32?
    /// The contact's longer axis, in device units; nil without such an axis. (`ABS_MT_TOUCH_MAJOR`.)
    package var touchMajor: Int32?
    /// The contact's shorter axis, as `touchMajor`. (`ABS_MT_TOUCH_MINOR`.)
    package var touchMinor: Int32?
    /// The distance above the screen, in the device's units; nil without such an axis. (`ABS_MT_DISTANCE`)
    package var distance: Int32?

    /// Makes a slot. It holds no contact unless a tracking id of 0 or more is given.
    package init(
      trackingID: Int32 = -1, x: Int32 = 0, y: Int32 = 0, toolType: Int32? = nil,
      pressure: Int32? = nil, touchMajor: Int32? = nil, touchMinor: Int32? = nil, distance: Int32? = nil
    ) {
      (self.trackingID, self.x, self.y, self.toolType) = (trackingID, x, y, toolType)
      (self.pressure, self.touchMajor, self.touchMinor) = (pressure, touchMajor, touchMinor)
      self.distance = distance
    }
  }

  /// The slots of the device; empty for one that is no protocol B device.
  package var slots: [Slot]
  /// The slot to which the first MT events belong, unless they name another one. (`ABS_MT_SLOT`.)
  package var currentSlot: Int32
  /// The single-touch position along x. (`ABS_X`.)
  package var x: Int32
  /// The single-touch position along y. (`ABS_Y`.)
  package var y: Int32
  /// Whether the device was already touched. (`PressSignal`.)
  package var isPressed: Bool

  /// Whether the device is known to report every lift, so that a contact that jumps is not another finger's.
  package var reportsLifts: Bool

  /// Makes the state of a device that nothing touches, unless something else is given.
  package init(
    slots: [Slot] = [], currentSlot: Int32 = 0, x: Int32 = 0, y: Int32 = 0, isPressed: Bool = false,
    reportsLifts: Bool = false
  ) {
    (self.slots, self.currentSlot, self.x, self.y) = (slots, currentSlot, x, y)
    (self.isPressed, self.reportsLifts) = (isPressed, reportsLifts)
  }
}

/// The event types and codes that the core understands. (kernel `include/uapi/linux/input-event-codes.h`)
package enum EventCode {
  package static let syn: UInt16 = 0x00
  package static let key: UInt16 = 0x01
  package static let rel: UInt16 = 0x02
  package static let abs: UInt16 = 0x03
  package static let led: UInt16 = 0x11

  /// The codes of `syn`: ends of a frame and of a contact in a type A list, and an overrun.
  package static let synReport: UInt16 = 0
  package static let synMTReport: UInt16 = 2
  package static let synDropped: UInt16 = 3

  /// The codes of `rel`, in counts; wheels in notches, positive up and to the right.
  package static let relX: UInt16 = 0x00
  package static let relY: UInt16 = 0x01
  package static let relHWheel: UInt16 = 0x06
  package static let relDial: UInt16 = 0x07
  package static let relWheel: UInt16 = 0x08
  package static let relMisc: UInt16 = 0x09
  /// The wheels of high resolution, in 120ths of a notch.
  package static let relWheelHiRes: UInt16 = 0x0b
  package static let relHWheelHiRes: UInt16 = 0x0c

  package static let absX: UInt16 = 0x00
  package static let absY: UInt16 = 0x01
  /// The hat of a game controller: −1, 0 or 1.
  package static let absHat0X: UInt16 = 0x10
  package static let absHat0Y: UInt16 = 0x11
  package static let absPressure: UInt16 = 0x18
  package static let absMTSlot: UInt16 = 0x2f
  package static let absMTTouchMajor: UInt16 = 0x30
  package static let absMTTouchMinor: UInt16 = 0x31
  package static let absMTPositionX: UInt16 = 0x35
  package static let absMTPositionY: UInt16 = 0x36
  package static let absMTToolType: UInt16 = 0x37
  /// The id of a contact; −1 if the slot's contact lifted.
  package static let absMTTrackingID: UInt16 = 0x39
  package static let absMTPressure: UInt16 = 0x3a
  package static let absMTDistance: UInt16 = 0x3b

  /// The codes of `key`. The mouse's own buttons go from `btnLeft` to `btnTask`.
  package static let btnLeft: UInt16 = 0x110
  package static let btnRight: UInt16 = 0x111
  package static let btnTask: UInt16 = 0x117
  package static let btnToolPen: UInt16 = 0x140
  package static let btnToolFinger: UInt16 = 0x145
  package static let btnTouch: UInt16 = 0x14a
  package static let btnStylus: UInt16 = 0x14b
}
