import CUdev
import Glibc
import SystemPackage

/// Watches for devices that come, change and go: through udev where it runs, and always through the directory of the
/// nodes. Udev's messages do not reach a network namespace, and where there is no udev there are none.
package final class DeviceMonitor {
  private let watcher: DeviceWatcher
  private let udev: UdevMonitor?
  /// Why udev, which runs, cannot be listened to; nil where it can, and where it does not run.
  package let udevFailure: DeviceError?

  /// - Throws: `noSuchFile`, `notPermitted`, `tooManyOpen`, or `failed`, as `DeviceWatcher` does.
  package init() throws(DeviceError) {
    watcher = try DeviceWatcher()
    do throws(DeviceError) {
      udev = try UdevMonitor()
      udevFailure = nil
    } catch {
      udev = nil
      udevFailure = error
    }
  }

  /// Each is readable when something changed. They stay the monitor's: do not close them.
  package var descriptors: [FileDescriptor] {
    switch udev {
    case .none: [watcher.descriptor]
    case .some(let udev): [watcher.descriptor, udev.descriptor]
    }
  }

  /// Hands out everything that changed since the last call, and never waits. A change may be told twice, by both.
  package func readChanges(_ body: (DeviceWatcher.Change) -> Void) throws(DeviceError) {
    switch udev {
    case .none: break
    case .some(let udev): udev.readChanges(body)
    }
    try watcher.readChanges(body)
  }

  /// Whether a node can be opened for good: its permissions are set, and the links that rules may name are there.
  /// Without udev nobody knows better than to try.
  package func isReady(_ path: String) -> Bool {
    switch udev {
    case .none: return true
    case .some(let udev): return DeviceNumber(path: path).map { udev.isInitialized($0) } ?? true
    }
  }
}

/// What udev says of input devices, where it runs: that it is through with a new one, so that its permissions are
/// set and its links made. (libudev, `udev_monitor_receive_device`.)
///
/// A process in a network namespace of its own gets no messages, but udev's database is there all the same.
struct UdevMonitor: ~Copyable {
  /// `struct udev *`.
  private let context: OpaquePointer
  /// `struct udev_monitor *`.
  private let monitor: OpaquePointer

  /// The socket that udev listens to while it runs.
  private static let control = "/run/udev/control"

  /// Nil where udev does not run.
  ///
  /// - Throws: `notPermitted`, `tooManyOpen` or `failed` where it runs and cannot be listened to.
  init?() throws(DeviceError) {
    // Without udev, libudev would listen to nothing and say nothing of it.
    guard access(Self.control, F_OK) == 0 else { return nil }
    guard let context = udev_new() else { throw Self.failure }
    guard let monitor = udev_monitor_new_from_netlink(context, "udev") else {
      let failure = Self.failure
      udev_unref(context)
      throw failure
    }
    guard udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil) >= 0,
      udev_monitor_enable_receiving(monitor) >= 0
    else {
      let failure = Self.failure
      udev_monitor_unref(monitor)
      udev_unref(context)
      throw failure
    }
    self.context = context
    self.monitor = monitor
  }

  /// What libudev's last call left in `errno`.
  private static var failure: DeviceError {
    DeviceError(path: control, cause: Errno(rawValue: errno), detail: "its messages cannot be received")
  }

  deinit {
    udev_monitor_unref(monitor)
    udev_unref(context)
  }

  /// Readable when udev has said something. It stays the monitor's: do not close it.
  var descriptor: FileDescriptor { FileDescriptor(rawValue: udev_monitor_get_fd(monitor)) }

  /// Hands out what udev has said, in order, and never waits.
  func readChanges(_ body: (DeviceWatcher.Change) -> Void) {
    while let device = udev_monitor_receive_device(monitor) {
      defer { udev_device_unref(device) }
      guard let node = udev_device_get_devnode(device), let action = udev_device_get_action(device) else {
        continue
      }
      let path = String(cString: node)
      guard DeviceDirectory.isEventNode(path) else { continue }
      switch String(cString: action) {
      case "remove": body(.removed(path: path))
      case "add": body(.appeared(path: path))
      default: body(.changed(path: path))
      }
    }
  }

  /// Whether udev is through with a device: its rules have run. (`udev_device_get_is_initialized`.)
  func isInitialized(_ number: DeviceNumber) -> Bool {
    // The kernel's number is the C library's, too: both know 12 bits of the major and 20 of the minor number.
    guard
      let device = udev_device_new_from_devnum(
        context, CChar(bitPattern: UInt8(ascii: "c")), dev_t(number.rawValue))
    else { return false }
    defer { udev_device_unref(device) }
    return udev_device_get_is_initialized(device) > 0
  }
}
