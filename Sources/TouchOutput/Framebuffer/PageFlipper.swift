import CLinux.Display
import Glibc
import SystemPackage

/// Two pictures in a framebuffer's memory, one below the other, of which panning shows one while the other is drawn.
///
/// The driver has to prove that it can: it says so, the memory is there, and what it says after panning is what was
/// asked for.
final class PageFlipper {
  /// Why a driver cannot do it, in words.
  struct Unsupported: Error, Equatable, CustomStringConvertible {
    let description: String
  }

  private let device: FramebufferDevice
  /// What the driver said when both pages fitted.
  private var variable: fb_var_screeninfo
  private let height: Int
  /// The page that is seen.
  private(set) var shown = 0
  private var shownAt: Int64 = 0
  private var canWait = true

  /// A switch that was longer ago has happened, whatever the driver. In nanoseconds.
  private static let longestSwitch: Int64 = 50_000_000

  /// Makes room for a second page. The memory must not be mapped yet.
  ///
  /// - Parameter state: told what the mode was before.
  /// - Throws: `Unsupported`; the mode is what it was then.
  init(device: FramebufferDevice, state: OriginalMode) throws(Unsupported) {
    guard let original = device.variable() else {
      throw Unsupported(description: "the driver says nothing of its mode")
    }
    variable = original
    self.device = device
    height = Int(original.yres)
    let before: FramebufferReport
    do { before = try device.report() } catch { throw Unsupported(description: "\(error)") }
    if let reason = Self.cannotPan(before) { throw Unsupported(description: reason) }
    state.remember(mode: original)
    if original.yres_virtual < 2 * original.yres {
      variable.yres_virtual = 2 * original.yres
      variable.yoffset = 0
      _ = touchtree_fb_put_variable(device.descriptor.rawValue, &variable)
    }
    guard let now = device.variable(), let report = try? device.report() else {
      state.putModeBack()
      throw Unsupported(description: "the driver says nothing of its mode")
    }
    if let reason = Self.lacksRoom(report, than: before) {
      state.putModeBack()
      throw Unsupported(description: reason)
    }
    variable = now
    shown = Int(now.yoffset) / height
  }

  /// Why a driver that says this cannot show another part of its memory; nil when it may be able to.
  static func cannotPan(_ report: FramebufferReport) -> String? {
    guard report.panStepY > 0 else { return "the driver cannot pan" }
    guard report.height.isMultiple(of: UInt32(report.panStepY)) else {
      return "the driver pans by \(report.panStepY) rows, which do not make up \(report.height)"
    }
    return nil
  }

  /// What is missing for two pages in what a driver says after it was asked for them; nil when nothing is.
  static func lacksRoom(_ report: FramebufferReport, than before: FramebufferReport) -> String? {
    guard report.width == before.width, report.height == before.height,
      report.bitsPerPixel == before.bitsPerPixel, report.offsetX == before.offsetX
    else { return "asked for two pages, the driver changed the mode" }
    guard UInt64(report.virtualHeight) >= 2 * UInt64(report.height) else {
      return
        "the driver has no second page: \(report.virtualHeight) rows, and two pages need \(2 * report.height)"
    }
    let needed = 2 * UInt64(report.height) * UInt64(report.lineLength)
    guard UInt64(report.memoryLength) >= needed else {
      return
        "the driver claims two pages and has memory for \(report.memoryLength) bytes, where they need \(needed)"
    }
    guard report.offsetY == 0 || report.offsetY == report.height else {
      return "what is seen begins at row \(report.offsetY), which is no page's first"
    }
    return nil
  }

  /// Whether one page alone is used, since the driver promised more than it does.
  private(set) var isSettled = false

  /// The page to draw on.
  var drawn: Int { isSettled ? shown : hidden }
  private var hidden: Int { 1 - shown }

  /// Waits until the page that is to be drawn on is not seen any more, but not for long.
  ///
  /// - Returns: what to say when the driver does not answer; it is not asked again.
  func waitUntilHidden() -> String? {
    guard canWait, Self.now() - shownAt < Self.longestSwitch else { return nil }
    guard touchtree_fb_wait_for_vsync(device.descriptor.rawValue, 40) != 0 else { return nil }
    let cause = Errno(rawValue: errno)
    canWait = false
    guard cause == .interrupted else { return nil }
    return "the driver did not say within 40 ms when the screen was drawn; it is not asked any more"
  }

  /// Shows the page that was drawn.
  ///
  /// - Throws: `Unsupported` when the driver does not do it, or does something else.
  func show() throws(Unsupported) {
    var wanted = variable
    wanted.yoffset = UInt32(hidden * height)
    guard touchtree_fb_pan(device.descriptor.rawValue, &wanted) == 0 else {
      throw Unsupported(description: "panning failed: \(Errno(rawValue: errno))")
    }
    let seen = device.variable()?.yoffset
    guard seen == UInt32(hidden * height) else {
      throw Unsupported(
        description:
          "the driver took panning to row \(hidden * height), and is at row \(seen.map { "\($0)" } ?? "?")")
    }
    shown = hidden
    shownAt = Self.now()
  }

  /// Uses one page from here on: the one that is seen, as far as the driver can be believed. The mode stays as it is.
  func settle() {
    isSettled = true
    if let now = device.variable(), Int(now.yoffset) == height {
      shown = 1
    } else {
      shown = 0
      showAgain()
    }
  }

  /// Shows the page again that should be seen: somebody else may have panned, or have had the mode back.
  func showAgain() {
    // Another mode is not ours to change.
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

  private static func now() -> Int64 {
    var time = timespec()
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
