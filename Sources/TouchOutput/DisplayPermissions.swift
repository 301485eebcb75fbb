import Glibc
import SystemPackage
import TouchPixels
import TouchSystem

extension DisplayError {
  /// Returns the error for a device that this user may not open.
  ///
  /// While a machine starts, that may last only a moment. A node belongs to root until udev has set its
  /// permissions. A unit's DeviceAllow= leaves out a driver that was loaded after the unit was started
  /// (systemd.resource-control(5)). Such an error is no fault of the user's, and the service tries again.
  /// - Parameter advice: the way to get the rights.
  /// - Parameter cause: EACCES of the file's permissions, or EPERM, which the kernel's control group of
  ///   devices returns.
  /// - Parameter isSetUp: whether udev has finished with the device.
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

  /// Returns whether udev has finished with a device's node. Without udev the permissions are final.
  static func isSetUp(_ path: String) -> Bool {
    var status = stat()
    guard access(UdevMonitor.control, F_OK) == 0, stat(path, &status) == 0 else { return true }
    return UdevDevice(number: UInt64(status.st_rdev))?.isInitialized ?? true
  }
}

/// Displays' nodes that udev has not finished with at the start, so that this user cannot open them yet.
enum PendingDisplays {
  /// The longest wait for udev, and the pause between two looks, in microseconds.
  private static let (longest, pause) = (20_000_000, 50_000)

  private static var first: String? {
    (FramebufferSearch.paths + KMSMachine.this.paths).first {
      access($0, R_OK | W_OK) != 0 && !DisplayError.isSetUp($0)
    }
  }

  static func settle(_ report: (String) -> Void) {
    guard let path = first else { return }
    report("\(path): udev has not set its permissions yet; touchtree waits for it")
    for _ in 0..<longest / pause where first != nil { usleep(UInt32(pause)) }
  }
}
