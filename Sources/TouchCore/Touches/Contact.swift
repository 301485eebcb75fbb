/// One opened device, for the life of the process. Ids are never used twice.
public struct DeviceID: Hashable, Sendable {
  /// Counted up as devices are opened.
  public var rawValue: Int

  /// The caller must not use a number twice.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }
}

/// One finger (or pressed pointer) on one device, from down to up. Ids are never used twice on a device.
public struct ContactID: Hashable, Sendable {
  /// The device that reports the contact.
  public var device: DeviceID
  /// Counted up on that device; not its tracking id, which the kernel uses again.
  public var serial: Int

  /// The serial number must not have been used on the device before.
  public init(device: DeviceID, serial: Int) {
    self.device = device
    self.serial = serial
  }
}

/// What a device reports of a contact apart from its position. Values are in the device's own units; nil: not reported.
public struct ContactAttributes: Hashable, Sendable {
  /// How hard it is pressed, in a unit that only the device knows. (`ABS_MT_PRESSURE`.)
  public var pressure: Int32?
  /// The contact's longer axis. Honest devices give it in the unit of their positions; 0 is a finger that is too light to be
  /// measured, and touches all the same. (`ABS_MT_TOUCH_MAJOR`.)
  public var touchMajor: Int32?
  /// The contact's shorter axis; nil means a round contact. (`ABS_MT_TOUCH_MINOR`.)
  public var touchMinor: Int32?
  /// How far above the screen it is; a finger at a distance is no touch, so a touch has 0 or nil here.
  public var distance: Int32?
  /// What touches; a finger if the device does not report it. (`ABS_MT_TOOL_TYPE`.)
  public var tool = Tool.finger

  /// (kernel `multi-touch-protocol.rst`, `ABS_MT_TOOL_TYPE`.)
  public enum Tool: Hashable, Sendable {
    /// A finger, or what the device does not tell from one.
    case finger
    /// A pen.
    case pen
    /// The flat of a hand, which is no touch.
    case palm
    /// Another tool, by the kernel's number.
    case other(Int32)
  }

  /// A finger with no further measurements.
  public init() {}
}

/// A change of one contact, still in device units.
package struct ContactChange: Hashable, Sendable {
  package typealias Kind = TouchChange.Kind

  package var contact: ContactID
  package var kind: Kind
  /// In device units; may lie outside the declared range.
  package var position: Point<DeviceSpace>
  /// As they are after the change.
  package var attributes: ContactAttributes

  package init(
    contact: ContactID, kind: Kind, position: Point<DeviceSpace>, attributes: ContactAttributes
  ) {
    self.contact = contact
    self.kind = kind
    self.position = position
    self.attributes = attributes
  }
}

/// A change of one contact in window space: the input of `Dispatcher.dispatch(_:at:)`.
public struct TouchChange: Hashable, Sendable {
  /// What the contact did. Cancelled: it was broken off without an end.
  public enum Kind: Hashable, Sendable {
    /// It went down.
    case began
    /// It is somewhere else.
    case moved
    /// It lifted.
    case ended
    /// It was broken off without an end.
    case cancelled
  }

  /// The contact that changed.
  public var contact: ContactID
  /// Whether it began, moved, ended or was cancelled.
  public var kind: Kind
  /// In window space; may lie outside the window.
  public var location: WindowPoint
  /// Where the hit test looks when the contact begins, in window space. It differs from `location` where a device
  /// reports a position outside its own range.
  public var hitLocation: WindowPoint
  /// As they are after the change, in the device's own units still.
  public var attributes: ContactAttributes

  /// - Parameters:
  ///   - contact: that changed.
  ///   - kind: what it did.
  ///   - location: in window space.
  ///   - hitLocation: where the hit test looks; nil means the location itself.
  ///   - attributes: as they are after the change.
  public init(
    contact: ContactID, kind: Kind, location: WindowPoint, hitLocation: WindowPoint? = nil,
    attributes: ContactAttributes = ContactAttributes()
  ) {
    self.contact = contact
    self.kind = kind
    self.location = location
    self.hitLocation = hitLocation ?? location
    self.attributes = attributes
  }
}
