import SystemPackage

/// The identity and the capabilities of a device. A device is known by these facts; its event number changes
/// over boots and replugs.
package struct DeviceDescription: Hashable, Sendable {
  /// The node that was opened; empty for a device that exists only in a recording.
  package var path: String
  /// The node's device number; nil for a device that exists only in a recording.
  package var number: DeviceNumber?
  /// The name that the device reports. (`EVIOCGNAME`.)
  package var name: String
  /// The port where it is plugged in, as its driver reports it; empty if it does not. (`EVIOCGPHYS`.)
  package var phys: String
  /// The serial number; empty for none. (`EVIOCGUNIQ`.)
  package var uniq: String
  /// The bus, a BUS_ code. (`struct input_id`.)
  package var bus: UInt16
  /// The vendor's number, whose meaning depends on the bus; 0 is unknown.
  package var vendor: UInt16
  package var product, version: UInt16
  /// The axes, keys and properties when the device was opened.
  package var capabilities: DeviceCapabilities

  package init(
    path: String = "", number: DeviceNumber? = nil, name: String, phys: String = "", uniq: String = "",
    bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0, version: UInt16 = 0,
    capabilities: DeviceCapabilities = DeviceCapabilities()
  ) {
    (self.path, self.number, self.name, self.phys) = (path, number, name, phys)
    (self.uniq, self.bus, self.vendor, self.product) = (uniq, bus, vendor, product)
    (self.version, self.capabilities) = (version, capabilities)
  }
}

extension DeviceDescription {
  /// The name for people: a device need not have one.
  package var title: String { name.isEmpty ? "nameless device" : name }

  /// Whether this is the same piece of hardware, plugged in again: its own data and its port are the same.
  /// Its node need not be.
  package func isSameDevice(as other: DeviceDescription) -> Bool {
    name == other.name && phys == other.phys && uniq == other.uniq && bus == other.bus
      && vendor == other.vendor && product == other.product
  }
}

/// The kernel's number of a node, whatever names lead to it. (`st_rdev`.)
package struct DeviceNumber: Hashable, Sendable {
  /// The kernel's packed number: compare it, or take it apart with the properties below.
  package var rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The number of the driver. (`makedev(3)`.)
  package var major: UInt64 { (rawValue >> 8) & 0xfff | (rawValue >> 32) & ~0xfff }
  /// The number of the device among the driver's.
  package var minor: UInt64 { rawValue & 0xff | (rawValue >> 12) & 0xffff_ff00 }

  /// Finds the number of the character device to which `path` leads, symbolic links followed; nil for none.
  package init?(path: String) {
    guard let status = try? Stat(FilePath(path)), status.type == .characterSpecial else { return nil }
    self.init(status)
  }

  init(_ status: Stat) { rawValue = UInt64(status.specialDeviceID.rawValue) }
}
