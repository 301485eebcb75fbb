import Glibc
import SystemPackage
import TouchPixels
import TouchSystem

extension DisplayError {
  /// Why a display's device cannot be opened by this user.
  ///
  /// While a machine starts that may be so for a moment: a node is root's until udev has set its permissions, and a unit's DeviceAllow=
  /// leaves out a driver that was loaded after the unit was started (systemd.resource-control(5)). Then it is no fault of the user's, and
  /// the service tries again.
  ///
  /// - Parameters:
  ///   - advice: what to do for the rights of a user.
  ///   - cause: EACCES of the file's permissions, or EPERM, which the kernel's control group of devices returns.
  ///   - isSetUp: whether udev has finished with the device.
  static func closed(_ path: String, _ advice: String, _ cause: Errno, isSetUp: Bool) -> DisplayError {
    if cause == .notPermitted {
      return DisplayError(
        .failed, path: path,
        detail:
          "its unit may not open it: DeviceAllow= in the unit has to name it, and knows only drivers that were loaded before the "
          + "unit was started; start it again", cause: cause)
    }
    guard isSetUp else {
      return DisplayError(
        .missing, path: path, detail: "udev has not set its permissions yet; try again in a moment",
        cause: cause)
    }
    return DisplayError(
      .notPermitted, path: path, detail: "this user may not open it. \(advice)", cause: cause)
  }

  /// Whether udev has finished with a device's node; where udev does not run, its permissions are as they are.
  static func isSetUp(_ path: String) -> Bool {
    var status = stat()
    guard access(UdevMonitor.control, F_OK) == 0, stat(path, &status) == 0 else { return true }
    return UdevDevice(number: UInt64(status.st_rdev))?.isInitialized ?? true
  }
}
