import SystemPackage
import TouchCore

/// Who a device is and what it can do.
///
/// A device is known by these facts; its event number changes over boots and replugs.
public struct DeviceDescription: Hashable, Sendable {
  /// The node that was opened, or empty for a device that exists only in a recording.
  public var path: String
  /// The node's device number, or nil for a device that exists only in a recording.
  public var number: DeviceNumber?
  /// What the device calls itself. (`EVIOCGNAME`.)
  public var name: String
  /// Where it is plugged in, as its driver says; empty when it does not. (`EVIOCGPHYS`.)
  public var phys: String
  /// Its serial number; empty when it has none. (`EVIOCGUNIQ`.)
  public var uniq: String
  /// (`struct input_id`; bus is a BUS_ code.)
  public var bus: UInt16
  /// What the numbers mean depends on the bus; 0 is none.
  public var vendor: UInt16
  public var product: UInt16
  public var version: UInt16
  /// Its axes, keys and properties, as they were when it was opened.
  public var capabilities: DeviceCapabilities

  public init(
    path: String = "", number: DeviceNumber? = nil, name: String, phys: String = "", uniq: String = "",
    bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0, version: UInt16 = 0,
    capabilities: DeviceCapabilities = DeviceCapabilities()
  ) {
    self.path = path
    self.number = number
    self.name = name
    self.phys = phys
    self.uniq = uniq
    self.bus = bus
    self.vendor = vendor
    self.product = product
    self.version = version
    self.capabilities = capabilities
  }
}

extension DeviceDescription {
  /// Whether this is the same piece of hardware, plugged in again: what it says of itself and where it is plugged in are
  /// the same. Its node need not be.
  public func isSameDevice(as other: DeviceDescription) -> Bool {
    name == other.name && phys == other.phys && uniq == other.uniq && bus == other.bus
      && vendor == other.vendor && product == other.product
  }
}

/// The number by which the kernel knows a node, whatever names lead to it. (`st_rdev`.)
public struct DeviceNumber: Hashable, Sendable {
  /// As the kernel packs it: compare it, or take it apart with the properties below.
  public var rawValue: UInt64

  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Which driver. (`makedev(3)`.)
  public var major: UInt64 { (rawValue >> 8) & 0xfff | (rawValue >> 32) & ~0xfff }
  /// Which of the driver's devices.
  public var minor: UInt64 { rawValue & 0xff | (rawValue >> 12) & 0xffff_ff00 }

  /// The number of the character device that `path` leads to, symbolic links followed; nil when there is none.
  public init?(path: String) {
    guard let status = try? Stat(FilePath(path)), status.type == .characterSpecial else { return nil }
    self.init(status)
  }

  init(_ status: Stat) {
    rawValue = UInt64(status.specialDeviceID.rawValue)
  }
}
