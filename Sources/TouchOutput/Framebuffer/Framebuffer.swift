import CLinux.Display
import Glibc
import SystemPackage
import TouchCore
import TouchPixels

/// A kernel framebuffer, `/dev/fbN`, in its current mode. (kernel `fb/framebuffer.rst`)
///
/// The damaged parts of a picture are composed in ordinary memory (`StagingBuffer`). Their rows are converted
/// (`RowConverter`) and written to the device (`FramebufferMemory`), which shows them at once.
package final class Framebuffer: Display {
  /// The node that was opened.
  package let path: String
  /// The driver's name. (`fb_fix_screeninfo.id`)
  package let driver: String
  /// How many bytes of the memory were written since the framebuffer was opened.
  package private(set) var writtenBytes = 0
  /// Called with a log message for each fault of the driver.
  package var report: (String) -> Void = { _ in } {
    didSet { memory.report = report }
  }
  /// Faults of the driver that were found while the framebuffer was opened, as log messages.
  package private(set) var notices: [String]

  private let device: FramebufferDevice
  private let memory: FramebufferMemory
  private let staging: StagingBuffer
  private let layout: FramebufferLayout
  private let converter: RowConverter
  private let original: OriginalMode
  /// False once the driver has refused to switch the display off.
  private var canBlank = true
  /// Whether another program may draw on the screen.
  private var isSuspended = false
  /// What the driver reported when the framebuffer was opened.
  private let driverReport: FramebufferReport
  /// Nil without double buffering: it is not configured, or the driver does not support it.
  private var pages: PageFlipper?
  /// What was painted on the visible page and is missing on the other one.
  private var missing = Damage()

  /// Opens a framebuffer. The picture on the screen stays until something is composed.
  ///
  /// - Parameters:
  ///   - path: the device, such as `/dev/fb0`.
  ///   - buffers: 2 for double buffering: one page is visible while the other is drawn. If the driver does not support
  ///     it, one page is used and a notice is added.
  /// - Throws: `DisplayError`.
  package init(path: String, buffers: Int = 1) throws(DisplayError) {
    let device = try FramebufferDevice(path: path)
    let original = OriginalMode(device: device)
    // Throws before anything is changed.
    let before = try FramebufferLayout(try device.report(), path: path)
    notices = before.notices
    try device.claim()
    if buffers > 1 {
      do throws(DisplayError) {
        pages = try PageFlipper(device: device, original: original)
      } catch {
        notices.append(Self.oneBuffer(error))
      }
    }
    let report = try device.report()
    var layout = try FramebufferLayout(report, path: path)
    if let pages { layout = layout.startingAtFirstPage(shown: pages.shown) }
    memory = FramebufferMemory(device: device, report: report)
    staging = try StagingBuffer(width: layout.width, height: layout.height)
    if let map = layout.colorMap, let before = try device.replaceColors(with: map) {
      original.remember(colors: before)
    }
    converter = RowConverter(layout: layout, fixedMap: device.fixedMap(for: layout.format))
    driver = report.driver
    driverReport = report
    self.path = path
    self.device = device
    self.original = original
    self.layout = layout
    // The console may have blanked the screen. Not every driver supports this, so its result does not matter.
    _ = touchtree_fb_unblank(device.descriptor.rawValue)
  }

  deinit {
    restore()
  }

  package var width: Int { layout.width }
  package var height: Int { layout.height }
  package var picture: Surface? { nil }

  /// The pixel format, for the log.
  package var pixelText: String { "\(layout.bitsPerPixel) bits a pixel: \(layout.format.text)" }

  // MARK: Drawing

  package var showsAtOnce: Bool { pages?.isSettled ?? true }

  package func begin(_ damage: inout Damage) {
    guard let pages, !pages.isSettled else { return }
    if let complaint = pages.waitUntilHidden() { report(complaint) }
    let new = damage
    damage.add(missing)
    missing = new
  }

  package func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    // The second page begins in the row after the first one.
    let page = pages.map { $0.drawn * layout.height * layout.stride } ?? 0
    staging.compose(layout.wholeBytes(rect.intersection(layout.bounds)), paint) { target, part, pixel in
      writtenBytes += converter.write(part, of: target, filledWith: pixel) {
        var rows = $0
        rows.offset += page
        memory.write(rows)
      }
    }
  }

  package func reduce(_ picture: Surface) {
    converter.reduce(picture)
  }

  package func present() -> Bool {
    guard let pages, !pages.isSettled else { return true }
    do throws(DisplayError) {
      try pages.show()
      return true
    } catch {
      report(Self.oneBuffer(error))
      pages.settle()
      return false
    }
  }

  private static func oneBuffer(_ error: DisplayError) -> String {
    "one buffer is used, not two: \(error.detail)" + (error.cause.map { " (\($0))" } ?? "")
  }

  // MARK: Blanking

  /// Switches the display off. (FBIOBLANK) If the driver cannot, that is reported once, and the picture stays.
  package func blank() {
    if touchtree_fb_blank(device.descriptor.rawValue) == 0 {
      original.remember(isBlank: true)
    } else if canBlank {
      canBlank = false
      report("the driver does not switch the display off, so it shows black")
    }
  }

  /// Switches the display on again.
  package func unblank() {
    _ = touchtree_fb_unblank(device.descriptor.rawValue)
    original.remember(isBlank: false)
  }

  // MARK: Suspending and restoring

  /// Chooses whether other instances of touchtree may use the framebuffer too.
  ///
  /// - Parameter byTurns: whether this instance uses it only while its own virtual terminal is visible.
  /// - Throws: `DisplayError` of kind `inUse` if `byTurns` is false and other instances use it.
  package func share(byTurns: Bool) throws(DisplayError) {
    try device.share(byTurns: byTurns)
  }

  /// Whether a virtual terminal appears on this framebuffer when it is visible; nil if the kernel does not report it.
  ///
  /// - Parameter console: its number, from 1.
  func shows(console: Int32) -> Bool? {
    var number: UInt32 = 0
    var status = stat()
    guard console > 0, fstat(device.descriptor.rawValue, &status) == 0,
      touchtree_fb_of_console(device.descriptor.rawValue, UInt32(console), &number) == 0
    else { return nil }
    return number == gnu_dev_minor(status.st_rdev)
  }

  /// Whether the driver still reports the mode in which the framebuffer was opened.
  ///
  /// It is asked after each picture, so only for what a program can set: the rest (`fb_fix_screeninfo`) follows from that.
  /// Reading and comparing both took 1500 instructions more.
  package var isCurrent: Bool {
    guard let mode = device.variable() else { return false }
    return driverReport.isOf(
      mode, offsetY: pages.map { UInt32($0.shown * layout.height) } ?? driverReport.offsetY)
  }

  /// Whether the device node still exists. A driver that is removed answers a little longer than its node exists, and
  /// the kernel does not report when it stops.
  package var isAttached: Bool { access(path, F_OK) == 0 }

  /// Restores the original mode while another program draws on the device. Nothing may be drawn until `resume()`.
  package func suspend() {
    guard !isSuspended else { return }
    isSuspended = true
    original.restore()
  }

  /// Continues after another program has drawn on the device: unblanks it, and sets mode and colour map again.
  package func resume() {
    if isSuspended { original.resume() }
    isSuspended = false
    _ = touchtree_fb_unblank(device.descriptor.rawValue)
    if let map = layout.colorMap { _ = map.write(descriptor: device.descriptor.rawValue) }
    pages?.showAgain()
  }

  /// Flushes the picture to the screen and restores the original mode. Nothing may be drawn afterwards.
  package func restore() {
    // Drivers with deferred I/O send the picture later, and drop it if the device is closed before.
    // (kernel `fb/deferred_io.rst`)
    _ = fsync(device.descriptor.rawValue)
    suspend()
    pages = nil
  }

  /// Restores now what no other program has changed, and nothing later: the device has changed, or will be reopened.
  package func abandon() {
    if !isSuspended { original.restoreUnlessChanged() }
    isSuspended = true
    pages = nil
    _ = FramebufferLock.none.take(on: device.descriptor)
  }
}

/// How a picture would look on a framebuffer in its current mode. The device is not changed.
package final class FramebufferPreview {
  /// Of the visible part, in pixels.
  package let size: Size
  private let converter: RowConverter

  /// - Parameter path: the device, such as `/dev/fb0`.
  /// - Throws: `DisplayError`.
  package init(path: String) throws(DisplayError) {
    let device = try FramebufferDevice(path: path)
    let layout = try FramebufferLayout(try device.report(), path: path)
    size = Size(width: Double(layout.width), height: Double(layout.height))
    converter = RowConverter(layout: layout, fixedMap: device.fixedMap(for: layout.format))
  }

  /// Reduces a picture to the colours that the framebuffer can show.
  ///
  /// - Parameter picture: as large as the framebuffer.
  package func reduce(_ picture: Surface) {
    converter.reduce(picture)
  }
}
