import CUdev
import Glibc
import SystemPackage

/// Receives the changes of the devices of one subsystem. (libudev, `udev_monitor_receive_device`.)
package struct UdevMonitor: ~Copyable {
  package enum Source: String, Sendable {
    /// The kernel: as soon as there is a device, without permissions; in every namespace.
    case kernel
    /// udev, after its rules, with permissions and links; not in other network namespaces.
    case udev
  }

  package struct Event {
    /// `add`, `remove`, `change` and others. (kernel `kobject_action`.)
    package var action: String
    /// The device's node; nil for none.
    package var node: String?
    /// Whether only connectors are lent to another program. (`LEASE=1`, kernel `drm_sysfs.c`)
    package var isLease: Bool
  }

  private let context, monitor: OpaquePointer

  /// The path that exists while udev runs; without it, libudev receives nothing and reports no error.
  package static let control = "/run/udev/control"

  /// Receives messages of a sysfs subsystem such as `input`; nil for those of udev if it does not run.
  package init?(_ source: Source, subsystem: String) throws(Errno) {
    if source == .udev, access(Self.control, F_OK) != 0 { return nil }
    guard let context = udev_new() else { throw Errno(rawValue: errno) }
    guard let monitor = udev_monitor_new_from_netlink(context, source.rawValue) else {
      let cause = Errno(rawValue: errno)
      udev_unref(context)
      throw cause
    }
    guard udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil) >= 0,
      udev_monitor_enable_receiving(monitor) >= 0
    else {
      let cause = Errno(rawValue: errno)
      udev_monitor_unref(monitor)
      udev_unref(context)
      throw cause
    }
    self.context = context
    self.monitor = monitor
  }

  deinit {
    udev_monitor_unref(monitor)
    udev_unref(context)
  }

  /// The descriptor, readable when there are events. The monitor owns it: do not close it.
  package var descriptor: FileDescriptor { FileDescriptor(rawValue: udev_monitor_get_fd(monitor)) }

  /// Hands out the events in order without waiting; false when some were lost. (ENOBUFS, netlink(7))
  package func readEvents(_ body: (Event) -> Void) -> Bool {
    while true {
      errno = 0
      guard let device = udev_monitor_receive_device(monitor) else { return errno != ENOBUFS }
      defer { udev_device_unref(device) }
      guard let action = udev_device_get_action(device) else { continue }
      body(
        Event(
          action: String(cString: action), node: udev_device_get_devnode(device).map { String(cString: $0) },
          isLease: udev_device_get_property_value(device, "LEASE") != nil))
    }
  }
}

/// The entry of one character device in udev's database. It can be read in every network namespace.
package struct UdevDevice: ~Copyable {
  private let context, device: OpaquePointer

  /// Returns nil if there is no such device.
  /// - Parameter number: as in `st_rdev`. The kernel and the C library pack it in the same way: both know 12
  ///   bits of the major and 20 of the minor number.
  package init?(number: UInt64) {
    guard let context = udev_new() else { return nil }
    let kind = CChar(UInt8(ascii: "c"))
    guard let device = udev_device_new_from_devnum(context, kind, dev_t(number)) else {
      udev_unref(context)
      return nil
    }
    self.context = context
    self.device = device
  }

  deinit {
    udev_device_unref(device)
    udev_unref(context)
  }

  /// Whether udev's rules have run for it. (`udev_device_get_is_initialized`.)
  package var isInitialized: Bool { udev_device_get_is_initialized(device) > 0 }

  /// The properties, in udev's order. (`udev_device_get_properties_list_entry`.)
  package var properties: [(key: String, value: String)] {
    var properties: [(key: String, value: String)] = []
    var entry = udev_device_get_properties_list_entry(device)
    while let current = entry {
      entry = udev_list_entry_get_next(current)
      guard let key = udev_list_entry_get_name(current), let value = udev_list_entry_get_value(current) else {
        continue
      }
      properties.append((String(cString: key), String(cString: value)))
    }
    return properties
  }
}
