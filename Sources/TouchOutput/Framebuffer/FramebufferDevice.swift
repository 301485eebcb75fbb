import CLinux.Display
import Glibc
import SystemPackage
import TouchPixels

final class FramebufferDevice {
  let path: String
  let descriptor: FileDescriptor

  init(path: String) throws(DisplayError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.openError(path, Errno(rawValue: errno)) }
    guard touchtree_is_framebuffer(&status) != 0 else {
      throw DisplayError(
        .wrongKind, path: path,
        detail: "this is \(Self.kind(of: status)), not a framebuffer; "
          + "give a device such as /dev/fb0, terminal or headless")
    }
    do {
      descriptor = try FileDescriptor.open(path, .readWrite, options: [.closeOnExec])
    } catch {
      throw Self.openError(path, error as? Errno ?? .ioError)
    }
    self.path = path
  }

  deinit { try? descriptor.close() }

  var driverName: String? { (try? report())?.driver }

  /// Reads the driver's present report, or throws an error of kind `wrongKind`.
  func report() throws(DisplayError) -> FramebufferReport {
    var fixed = fb_fix_screeninfo()
    var variable = fb_var_screeninfo()
    guard touchtree_fb_get_fixed(descriptor.rawValue, &fixed) == 0,
      touchtree_fb_get_variable(descriptor.rawValue, &variable) == 0
    else {
      throw DisplayError(
        .wrongKind, path: path, detail: "the device does not answer like a framebuffer",
        cause: Errno(rawValue: errno))
    }
    return FramebufferReport(fixed: fixed, variable: variable)
  }

  /// Locks the device against instances of touchtree that do not take turns with this one.
  func claim() throws(DisplayError) {
    guard !DeviceLock.exclusive.take(on: descriptor), !DeviceLock.shared.take(on: descriptor) else { return }
    throw Self.inUse(path)
  }

  /// Returns whether a visible virtual terminal, numbered from 1, appears on this framebuffer; nil if
  /// unknown.
  func shows(console: UInt32) -> Bool? {
    var number: UInt32 = 0
    guard console > 0, let own = self.number,
      touchtree_fb_of_console(descriptor.rawValue, console, &number) == 0
    else { return nil }
    return number == own
  }

  /// The kernel's number of the device, whatever its path is.
  var number: UInt32? {
    var status = stat()
    return fstat(descriptor.rawValue, &status) == 0 ? gnu_dev_minor(status.st_rdev) : nil
  }

  /// Chooses whether the device is shared.
  /// - Parameter byTurns: whether other instances of touchtree may use it too. Each then has its own virtual
  ///   terminal and is visible only while that terminal is.
  /// - Throws: `DisplayError` of kind `inUse` if it is not to be shared and other instances use it.
  func share(byTurns: Bool) throws(DisplayError) {
    let lock: DeviceLock = byTurns ? .shared : .exclusive
    guard lock.take(on: descriptor) else { throw Self.inUse(path) }
  }

  static func inUse(_ path: String) -> DisplayError {
    DisplayError(
      .inUse, path: path,
      detail: "another touchtree is shown there; stop it first, or use another display, "
        + "or a virtual terminal of its own (--tty new)")
  }

  /// The kernel's structure with the mode; nil if the driver does not answer.
  func variable() -> fb_var_screeninfo? {
    var variable = fb_var_screeninfo()
    return touchtree_fb_get_variable(descriptor.rawValue, &variable) == 0 ? variable : nil
  }

  /// Sets the device's colour map and returns the previous one; nil if the driver does not report it.
  func replaceColors(with map: ColorMap) throws(DisplayError) -> ColorMap? {
    let saved = ColorMap.read(descriptor: descriptor.rawValue, count: map.red.count)
    guard map.write(descriptor: descriptor.rawValue) else {
      throw DisplayError(
        .unsupported, path: path,
        detail: "the framebuffer uses a colour map, and the driver rejects one with \(map.red.count) entries",
        cause: Errno(rawValue: errno))
    }
    return saved
  }

  /// Returns the colour map of a device that cannot change it; nil if the device reports none.
  func fixedMap(for format: PixelFormat) -> ColorMap? {
    guard case .fixedMap(let channel) = format else { return nil }
    return ColorMap.read(descriptor: descriptor.rawValue, count: 1 << Int(channel.length))
  }

  /// Advice about the kernel's support of framebuffers. A unit with ProcSubset=pid never sees /proc/fb.
  private static var advice: String {
    if access("/proc/fb", F_OK) != 0, access("/proc/version", F_OK) == 0 {
      return
        "There is no /proc/fb, so this kernel has no framebuffers for programs: since Linux 6.6 it needs "
        + "CONFIG_FB_DEVICE beside CONFIG_DRM_FBDEV_EMULATION. "
    }
    return
      "A DRM driver provides one when the kernel has CONFIG_DRM_FBDEV_EMULATION, and since Linux 6.6 CONFIG_FB_DEVICE; "
      + "without a DRM driver simplefb or vfb does (modprobe vfb vfb_enable=1). "
  }

  static func openError(_ path: String, _ cause: Errno) -> DisplayError {
    switch cause {
    case .noSuchFileOrDirectory, .noSuchAddressOrDevice, .operationNotSupportedByDevice:
      DisplayError(
        .missing, path: path,
        detail:
          "there is no such framebuffer. \(advice)--display terminal shows the picture in this terminal, and --display headless shows none",
        cause: cause)
    case .permissionDenied, .notPermitted:
      .closed(
        path,
        "Framebuffers belong to the group video: usermod -aG video USER and log in again, or SupplementaryGroups=video "
          + "in the unit", cause, isSetUp: DisplayError.isSetUp(path))
    default: DisplayError(.failed, path: path, detail: "cannot open the framebuffer", cause: cause)
    }
  }

  private static func kind(of status: stat) -> String {
    switch status.st_mode & S_IFMT {
    case S_IFREG: "a regular file"
    case S_IFDIR: "a directory"
    case S_IFBLK: "a block device"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "another kind of device (\(gnu_dev_major(status.st_rdev)):\(gnu_dev_minor(status.st_rdev)))"
    }
  }
}
