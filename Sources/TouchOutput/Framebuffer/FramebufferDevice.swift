import CLinux.Display
import Glibc
import SystemPackage
import TouchPixels

/// How much of a framebuffer's device is kept from other daemons. (`fcntl(2)`, locks of open file descriptions)
enum FramebufferLock {
  /// With those that are shown by turns, each on a terminal of its own.
  case shared
  case exclusive
  case none

  /// Takes the lock in place of the one that is held, without a moment in which another daemon can come between.
  ///
  /// - Returns: false when another daemon's lock is in the way; what was held is then still held.
  func take(on descriptor: FileDescriptor) -> Bool {
    let kind =
      switch self {
      case .shared: F_RDLCK
      case .exclusive: F_WRLCK
      case .none: F_UNLCK
      }
    guard touchtree_lock_in_one_step(descriptor.rawValue, Int16(kind)) != 0 else { return true }
    return errno != EAGAIN && errno != EACCES
  }
}

/// An open framebuffer device.
final class FramebufferDevice {
  let path: String
  let descriptor: FileDescriptor

  /// - Throws: `DisplayError` of kind `missing`, `notFramebuffer`, `notPermitted` or `failed`.
  init(path: String) throws(DisplayError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw Self.openError(path, Errno(rawValue: errno))
    }
    guard touchtree_is_framebuffer(&status) != 0 else {
      throw DisplayError(
        .notFramebuffer, path: path,
        detail: "this is \(Self.kind(of: status)), not a framebuffer; "
          + "give a device such as /dev/fb0, or \"headless\"")
    }
    do {
      descriptor = try FileDescriptor.open(path, .readWrite, options: [.closeOnExec])
    } catch {
      throw Self.openError(path, error as? Errno ?? .ioError)
    }
    self.path = path
  }

  deinit {
    try? descriptor.close()
  }

  /// The driver's own name; nil where it does not answer.
  var driverName: String? { (try? report())?.driver }

  /// What the driver says of its framebuffer now.
  func report() throws(DisplayError) -> FramebufferReport {
    var fixed = fb_fix_screeninfo()
    var variable = fb_var_screeninfo()
    guard
      touchtree_fb_get_fixed(descriptor.rawValue, &fixed) == 0,
      touchtree_fb_get_variable(descriptor.rawValue, &variable) == 0
    else {
      throw DisplayError(
        .notFramebuffer, path: path, detail: "the device does not answer as a framebuffer does",
        cause: Errno(rawValue: errno))
    }
    return FramebufferReport(fixed: fixed, variable: variable)
  }

  /// Keeps others of us off the device, as far as they do not take turns with us.
  ///
  /// - Throws: `DisplayError` of kind `inUse` when another one is shown all the time.
  func claim() throws(DisplayError) {
    guard !FramebufferLock.exclusive.take(on: descriptor), !FramebufferLock.shared.take(on: descriptor) else {
      return
    }
    throw Self.inUse(path)
  }

  /// Says with whom the device is shared.
  ///
  /// - Parameter byTurns: whether others may have it, each of which has a terminal of its own and is shown while that is.
  /// - Throws: `DisplayError` of kind `inUse` when it would be ours all the time, and others have their turns.
  func share(byTurns: Bool) throws(DisplayError) {
    let lock: FramebufferLock = byTurns ? .shared : .exclusive
    guard lock.take(on: descriptor) else { throw Self.inUse(path) }
  }

  static func inUse(_ path: String) -> DisplayError {
    DisplayError(
      .inUse, path: path,
      detail: "another touchtree is shown there; end that one first, or give this one another display, "
        + "or a terminal of its own (--tty new)")
  }

  /// The driver's own structure; nil where it does not answer.
  func variable() -> fb_var_screeninfo? {
    var variable = fb_var_screeninfo()
    return touchtree_fb_get_variable(descriptor.rawValue, &variable) == 0 ? variable : nil
  }

  /// Gives the device a colour map and answers what it had, or nil where the driver does not say.
  ///
  /// - Throws: `DisplayError` when the driver does not take it.
  func replaceColors(with map: ColorMap) throws(DisplayError) -> ColorMap? {
    let saved = ColorMap.read(descriptor: descriptor.rawValue, count: map.red.count)
    guard map.write(descriptor: descriptor.rawValue) else {
      throw DisplayError(
        .unsupported, path: path,
        detail:
          "the framebuffer's colours go through a map, and it does not take one of \(map.red.count) entries",
        cause: Errno(rawValue: errno))
    }
    return saved
  }

  /// The colour map of a device that has one of its own; nil where it does not say, or has none.
  func fixedMap(for coding: PixelCoding) -> ColorMap? {
    guard case .fixedMap(let channel) = coding else { return nil }
    return ColorMap.read(descriptor: descriptor.rawValue, count: 1 << Int(channel.length))
  }

  static func openError(_ path: String, _ cause: Errno) -> DisplayError {
    switch cause {
    case .noSuchFileOrDirectory, .noSuchAddressOrDevice, .operationNotSupportedByDevice:
      DisplayError(
        .missing, path: path,
        detail: "there is no such framebuffer. A DRM driver provides one when the kernel has "
          + "CONFIG_DRM_FBDEV_EMULATION; without a DRM driver simplefb or vfb does (modprobe vfb vfb_enable=1). "
          + "The display \"headless\" needs none",
        cause: cause)
    case .permissionDenied, .notPermitted:
      DisplayError(
        .notPermitted, path: path,
        detail: "may not be opened by this user. Framebuffers belong to the group video: "
          + "usermod -aG video USER and log in again, or SupplementaryGroups=video in the unit",
        cause: cause)
    default:
      DisplayError(.failed, path: path, detail: "cannot be opened", cause: cause)
    }
  }

  private static func kind(of status: stat) -> String {
    switch status.st_mode & S_IFMT {
    case S_IFREG: "a regular file"
    case S_IFDIR: "a directory"
    case S_IFBLK: "a block device"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    default: "another device (\(gnu_dev_major(status.st_rdev)):\(gnu_dev_minor(status.st_rdev)))"
    }
  }
}
