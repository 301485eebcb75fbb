/// One opened device, for the life of the process. Ids are never used twice.
public struct DeviceID: Hashable, Sendable {
  /// Counted up as devices are opened.
  public var rawValue: Int

  /// Whoever opens devices must not use a number twice.
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

/// What a device says of a contact beyond its place. Values are in the device's own units; nil is "not said".
public struct ContactAttributes: Hashable, Sendable {
  /// How hard it is pressed, in a unit that only the device knows. (`ABS_MT_PRESSURE`.)
  public var pressure: Int32?
  /// The contact's longer axis. Honest devices give it in the unit of their positions. (`ABS_MT_TOUCH_MAJOR`.)
  public var touchMajor: Int32?
  /// The contact's shorter axis; a device that does not say takes contacts to be round. (`ABS_MT_TOUCH_MINOR`.)
  public var touchMinor: Int32?
  /// How far above the screen it is; a finger at a distance is no touch, so a touch has 0 or nil here.
  public var distance: Int32?
  /// What touches. A device that does not say is taken to mean a finger.
  public var tool = Tool.finger

  /// (kernel `multi-touch-protocol.rst`, `ABS_MT_TOOL_TYPE`.)
  public enum Tool: Hashable, Sendable {
    case finger, pen, palm
    case other(Int32)
  }

  /// A finger of which nothing else is said.
  public init() {}
}

/// A change of one contact, still in device units.
public struct ContactChange: Hashable, Sendable {
  /// Where the contact is in its life. Cancelled: it did not end, but will not be heard of again.
  public enum Kind: Hashable, Sendable { case began, moved, ended, cancelled }

  public var contact: ContactID
  public var kind: Kind
  /// In device units; may lie outside the declared range.
  public var position: Point<DeviceSpace>
  /// As they are after the change.
  public var attributes: ContactAttributes

  public init(
    contact: ContactID, kind: Kind, position: Point<DeviceSpace>, attributes: ContactAttributes
  ) {
    self.contact = contact
    self.kind = kind
    self.position = position
    self.attributes = attributes
  }
}

/// A change of one contact, mapped to the window: what the dispatcher eats.
public struct TouchChange: Hashable, Sendable {
  public var contact: ContactID
  public var kind: ContactChange.Kind
  /// In window space; may lie outside the window.
  public var location: WindowPoint
  /// Where the hit test looks when the contact begins, in window space. It differs from `location` where a device
  /// reports a position outside its own range.
  public var hitLocation: WindowPoint
  /// As they are after the change, in the device's own units still.
  public var attributes: ContactAttributes

  /// - Parameter hitLocation: nil means the location itself.
  public init(
    contact: ContactID, kind: ContactChange.Kind, location: WindowPoint, hitLocation: WindowPoint? = nil,
    attributes: ContactAttributes = ContactAttributes()
  ) {
    self.contact = contact
    self.kind = kind
    self.location = location
    self.hitLocation = hitLocation ?? location
    self.attributes = attributes
  }
}
