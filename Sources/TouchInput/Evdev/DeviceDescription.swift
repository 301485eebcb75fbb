import SystemPackage
import TouchCore
import TouchSystem

/// Who a device is and what it can do.
///
/// A device is known by these facts; its event number changes over boots and replugs.
package struct DeviceDescription: Hashable, Sendable {
  /// The node that was opened, or empty for a device that exists only in a recording.
  package var path: String
  /// The node's device number, or nil for a device that exists only in a recording.
  package var number: DeviceNumber?
  /// What the device calls itself. (`EVIOCGNAME`.)
  package var name: String
  /// Where it is plugged in, as its driver says; empty when it does not. (`EVIOCGPHYS`.)
  package var phys: String
  /// Its serial number; empty when it has none. (`EVIOCGUNIQ`.)
  package var uniq: String
  /// (`struct input_id`; bus is a BUS_ code.)
  package var bus: UInt16
  /// What the numbers mean depends on the bus; 0 is unknown.
  package var vendor: UInt16
  package var product: UInt16
  package var version: UInt16
  /// Its axes, keys and properties, as they were when it was opened.
  package var capabilities: DeviceCapabilities

  package init(
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
  /// For people: a device need not have a name.
  package var title: String { name.isEmpty ? "nameless device" : name }

  /// Whether this is the same piece of hardware, plugged in again: what it says of itself and where it is plugged in are
  /// the same. Its node need not be.
  package func isSameDevice(as other: DeviceDescription) -> Bool {
    name == other.name && phys == other.phys && uniq == other.uniq && bus == other.bus
      && vendor == other.vendor && product == other.product
  }

  /// What a HID device says of its reports; empty for another device. (`Documentation/hid/hidintro.rst`)
  ///
  /// - Parameter sysfs: where sysfs is.
  package func reportDescriptor(in sysfs: String = "/sys") -> [UInt8] {
    guard let number else { return [] }
    // The node's device is the input device, and that one's is what its driver drives.
    let path = "\(sysfs)/dev/char/\(number.major):\(number.minor)/device/device/report_descriptor"
    // HID_MAX_DESCRIPTOR_SIZE
    return (try? FileContents.read(path, upTo: 4096)) ?? []
  }
}

/// The number by which the kernel knows a node, whatever names lead to it. (`st_rdev`.)
package struct DeviceNumber: Hashable, Sendable {
  /// As the kernel packs it: compare it, or take it apart with the properties below.
  package var rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Which driver. (`makedev(3)`.)
  package var major: UInt64 { (rawValue >> 8) & 0xfff | (rawValue >> 32) & ~0xfff }
  /// Which of the driver's devices.
  package var minor: UInt64 { rawValue & 0xff | (rawValue >> 12) & 0xffff_ff00 }

  /// The number of the character device that `path` leads to, symbolic links followed; nil when there is none.
  package init?(path: String) {
    guard let status = try? Stat(FilePath(path)), status.type == .characterSpecial else { return nil }
    self.init(status)
  }

  init(_ status: Stat) {
    rawValue = UInt64(status.specialDeviceID.rawValue)
  }
}
