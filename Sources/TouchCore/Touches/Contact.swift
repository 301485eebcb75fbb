/// The identity of an opened device, for the life of the process. No id is used twice.
public struct DeviceID: Hashable, Sendable {
  /// The number, counted up as devices are opened.
  public var rawValue: Int

  /// - Parameter rawValue: a number that the caller does not use twice.
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// The identity of one finger (or pressed pointer) on one device, from down to up. No id is used twice on a
/// device.
public struct ContactID: Hashable, Sendable {
  /// The device that reports the contact.
  public var device: DeviceID
  /// The number of the contact on that device, counted up. It is not the tracking id, which the kernel uses
  /// again.
  public var serial: Int

  /// - Parameters:
  ///   - device: the device that reports the contact.
  ///   - serial: a number that was not used on the device before.
  public init(device: DeviceID, serial: Int) { (self.device, self.serial) = (device, serial) }
}

/// The measurements of a contact apart from its position, in the device's own units; nil for those that are
/// not reported.
public struct ContactAttributes: Hashable, Sendable {
  /// The pressure, in a unit that only the device knows. (`ABS_MT_PRESSURE`.)
  public var pressure: Int32?
  /// The contact's longer axis. Honest devices give it in the unit of their positions. It is 0 for a finger
  /// that touches too lightly to be measured. (`ABS_MT_TOUCH_MAJOR`.)
  public var touchMajor: Int32?
  /// The contact's shorter axis; nil for a round contact. (`ABS_MT_TOUCH_MINOR`.)
  public var touchMinor: Int32?
  /// The distance above the screen. A finger at a distance is no touch, so a touch has 0 or nil here.
  public var distance: Int32?
  /// The tool that touches; a finger if the device does not report it. (`ABS_MT_TOOL_TYPE`.)
  public var tool = Tool.finger

  /// The tool of a contact. (kernel `multi-touch-protocol.rst`, `ABS_MT_TOOL_TYPE`.)
  public enum Tool: Hashable, Sendable {
    /// A finger, or a tool that the device does not distinguish from one.
    case finger
    /// A pen.
    case pen
    /// The flat of a hand, which is no touch.
    case palm
    /// Another tool, by the kernel's number.
    case other(Int32)
  }

  /// Makes the attributes of a finger without further measurements.
  public init() {}
}

package struct ContactChange: Hashable, Sendable {
  package typealias Kind = TouchChange.Kind

  package var contact: ContactID
  package var kind: Kind
  /// The position in device units; it may lie outside the declared range.
  package var position: Point<DeviceSpace>
  /// The attributes after the change.
  package var attributes: ContactAttributes

  package init(
    contact: ContactID, kind: Kind, position: Point<DeviceSpace>, attributes: ContactAttributes
  ) {
    (self.contact, self.kind, self.position, self.attributes) = (contact, kind, position, attributes)
  }
}

/// A change of one contact in window space: the input of `Dispatcher.dispatch(_:at:)`.
public struct TouchChange: Hashable, Sendable {
  /// The kind of change.
  public enum Kind: Hashable, Sendable {
    /// The contact went down.
    case began
    /// The contact moved.
    case moved
    /// The contact lifted.
    case ended
    /// The contact was broken off without an end.
    case cancelled
  }

  /// The contact that changed.
  public var contact: ContactID
  /// The kind of change.
  public var kind: Kind
  /// The location in window space; it may lie outside the window.
  public var location: WindowPoint
  /// The point of the hit test when the contact begins, in window space. It differs from `location` if a
  /// device reports a position outside its own range.
  public var hitLocation: WindowPoint
  /// The attributes after the change, in the device's own units.
  public var attributes: ContactAttributes

  /// - Parameters:
  ///   - contact: the contact that changed.
  ///   - kind: the kind of change.
  ///   - location: in window space.
  ///   - hitLocation: the point of the hit test, in window space; nil for the location itself.
  ///   - attributes: those after the change.
  public init(
    contact: ContactID, kind: Kind, location: WindowPoint, hitLocation: WindowPoint? = nil,
    attributes: ContactAttributes = ContactAttributes()
  ) {
    (self.contact, self.kind, self.location) = (contact, kind, location)
    self.hitLocation = hitLocation ?? location
    self.attributes = attributes
  }
}
