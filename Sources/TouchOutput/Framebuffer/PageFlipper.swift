import CLinux.Display
import Glibc
import SystemPackage
import TouchPixels
import TouchSystem

/// Double buffering: two pages in a framebuffer's memory, one below the other. Panning shows one page while the other is
/// drawn.
///
/// The driver has to prove that it supports this: it reports panning, the memory is large enough, and after panning it
/// reports the offset that was requested.
final class PageFlipper {
  private let device: FramebufferDevice
  /// The mode in which both pages fit.
  private var variable: fb_var_screeninfo
  private let height: Int
  /// The visible page.
  private(set) var shown = 0
  private var shownAt: Int64 = 0
  private var canWait = true

  /// Every driver has switched pages after this time, in nanoseconds.
  private static let longestSwitch: Int64 = 50_000_000

  /// Makes room for a second page. The memory must not be mapped yet.
  ///
  /// - Parameter original: takes the mode to restore.
  /// - Throws: `DisplayError` of kind `unsupported`; the mode is then unchanged.
  init(device: FramebufferDevice, original: OriginalMode) throws(DisplayError) {
    guard let mode = device.variable() else { throw Self.silent(device) }
    variable = mode
    self.device = device
    height = Int(mode.yres)
    let before = try device.report()
    if let reason = Self.cannotPan(before) { throw Self.unsupported(device, reason) }
    original.remember(mode: mode)
    if mode.yres_virtual < 2 * mode.yres {
      variable.yres_virtual = 2 * mode.yres
      variable.yoffset = 0
      _ = touchtree_fb_put_variable(device.descriptor.rawValue, &variable)
    }
    guard let now = device.variable(), let report = try? device.report() else {
      original.restoreMode()
      throw Self.silent(device)
    }
    if let reason = Self.lacksRoom(report, than: before) {
      original.restoreMode()
      throw Self.unsupported(device, reason)
    }
    variable = now
    shown = Int(now.yoffset) / height
  }

  private static func unsupported(
    _ device: FramebufferDevice, _ reason: String, cause: Errno? = nil
  ) -> DisplayError {
    DisplayError(.unsupported, path: device.path, detail: reason, cause: cause)
  }

  private static func silent(_ device: FramebufferDevice) -> DisplayError {
    unsupported(device, "the driver does not report its mode")
  }

  /// Why a driver with this report cannot pan by whole pages; nil if it may be able to.
  static func cannotPan(_ report: FramebufferReport) -> String? {
    guard report.panStepY > 0 else { return "the driver cannot pan" }
    guard report.height.isMultiple(of: UInt32(report.panStepY)) else {
      return "the driver pans in steps of \(report.panStepY) rows, which do not divide \(report.height)"
    }
    return nil
  }

  /// What is missing for two pages in a driver's report after they were requested; nil if nothing is.
  static func lacksRoom(_ report: FramebufferReport, than before: FramebufferReport) -> String? {
    guard report.width == before.width, report.height == before.height,
      report.bitsPerPixel == before.bitsPerPixel, report.offsetX == before.offsetX
    else { return "the driver changed the mode when two pages were requested" }
    guard UInt64(report.virtualHeight) >= 2 * UInt64(report.height) else {
      return
        "the driver has no second page: \(report.virtualHeight) rows, and two pages need \(2 * report.height)"
    }
    let needed = 2 * UInt64(report.height) * UInt64(report.lineLength)
    guard UInt64(report.memoryLength) >= needed else {
      return
        "the driver reports two pages, but its memory is \(report.memoryLength) bytes and they need \(needed)"
    }
    guard report.offsetY == 0 || report.offsetY == report.height else {
      return "the visible part begins at row \(report.offsetY), which is not the first of a page"
    }
    return nil
  }

  /// Whether only one page is used because panning failed.
  private(set) var isSettled = false

  /// The page to draw on.
  var drawn: Int { isSettled ? shown : hidden }
  private var hidden: Int { 1 - shown }

  /// Waits until the page to be drawn is not visible any more, 40 ms at most.
  ///
  /// - Returns: a log message if the driver does not answer in time; later calls then do not wait.
  func waitUntilHidden() -> String? {
    guard canWait, MonotonicClock.nanoseconds() - shownAt < Self.longestSwitch else { return nil }
    guard touchtree_fb_wait_for_vsync(device.descriptor.rawValue, 40) != 0 else { return nil }
    let cause = Errno(rawValue: errno)
    canWait = false
    guard cause == .interrupted else { return nil }
    return "the driver did not report a vertical blank within 40 ms; touchtree does not wait for it any more"
  }

  /// Shows the page that was drawn.
  ///
  /// - Throws: `DisplayError` if the driver fails to pan, or pans elsewhere.
  func show() throws(DisplayError) {
    var wanted = variable
    wanted.yoffset = UInt32(hidden * height)
    guard touchtree_fb_pan(device.descriptor.rawValue, &wanted) == 0 else {
      throw Self.unsupported(device, "panning failed", cause: Errno(rawValue: errno))
    }
    let seen = device.variable()?.yoffset
    guard seen == UInt32(hidden * height) else {
      throw Self.unsupported(
        device,
        "the driver accepted panning to row \(hidden * height), and is at row \(seen.map { "\($0)" } ?? "?")")
    }
    shown = hidden
    shownAt = MonotonicClock.nanoseconds()
  }

  /// Uses one page from now on: the visible one, according to the driver. The mode stays as it is.
  func settle() {
    isSettled = true
    if let now = device.variable(), Int(now.yoffset) == height {
      shown = 1
    } else {
      shown = 0
      showAgain()
    }
  }

  /// Shows the current page again: another program may have panned or changed the mode.
  func showAgain() {
    // A mode of another size was set by another program and stays.
    guard let now = device.variable(), now.xres == variable.xres, now.yres == variable.yres,
      now.bits_per_pixel == variable.bits_per_pixel
    else { return }
    var wanted = variable
    wanted.yoffset = UInt32(shown * height)
    _ = touchtree_fb_put_variable(device.descriptor.rawValue, &wanted)
    wanted = variable
    wanted.yoffset = UInt32(shown * height)
    _ = touchtree_fb_pan(device.descriptor.rawValue, &wanted)
  }
}
