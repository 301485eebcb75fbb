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
  /// Called with a log message for each fault of the driver.
  package var report: (String) -> Void = { _ in } {
    didSet { memory.report = report }
  }
  /// Faults of the driver that were found while the framebuffer was opened, as log messages.
  package let notices: [String]

  private let device: FramebufferDevice
  private let memory: FramebufferMemory
  private let staging: StagingBuffer
  private let layout: FramebufferLayout
  private let converter: RowConverter
  private let original: OriginalState
  /// False once the driver has refused to switch the display off.
  private var canBlank = true
  /// Whether another program may draw on the screen.
  private var isSuspended = false
  /// What the driver reported when the framebuffer was opened.
  private let driverReport: FramebufferReport

  /// Opens a framebuffer. The picture on the screen stays until something is composed.
  ///
  /// - Parameter path: the device, such as `/dev/fb0`.
  /// - Throws: `DisplayError`.
  package init(path: String) throws(DisplayError) {
    let device = try FramebufferDevice(path: path)
    let original = OriginalState(device: device)
    let report = try device.report()
    // Throws before anything is changed.
    let layout = try FramebufferLayout(report, path: path)
    notices = layout.notices
    try device.claim()
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

  package func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> UInt32?) {
    staging.compose(layout.wholeBytes(rect.intersection(layout.bounds)), paint) { target, part, pixel in
      converter.write(part, of: target, filledWith: pixel) { memory.write($0) }
    }
  }

  package func reduce(_ picture: Surface) {
    converter.reduce(picture)
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
    return driverReport.isOf(mode)
  }

  /// Whether the device node still exists. A driver that is removed answers a little longer than its node exists, and
  /// the kernel does not report when it stops.
  package var isAttached: Bool { access(path, F_OK) == 0 }

  /// Restores the original colours while another program draws on the device. Nothing may be drawn until `resume()`.
  package func suspend() {
    guard !isSuspended else { return }
    isSuspended = true
    original.restore()
  }

  /// Continues after another program has drawn on the device: unblanks it, and sets the colour map again.
  package func resume() {
    if isSuspended { original.resume() }
    isSuspended = false
    _ = touchtree_fb_unblank(device.descriptor.rawValue)
    if let map = layout.colorMap { _ = map.write(descriptor: device.descriptor.rawValue) }
  }

  /// Flushes the picture to the screen and restores the original colours. Nothing may be drawn afterwards.
  package func restore() {
    // Drivers with deferred I/O send the picture later, and drop it if the device is closed before.
    // (kernel `fb/deferred_io.rst`)
    _ = fsync(device.descriptor.rawValue)
    suspend()
  }

  /// Restores now what no other program has changed, and nothing later: the device has changed, or will be reopened.
  package func abandon() {
    if !isSuspended { original.restoreUnlessChanged() }
    isSuspended = true
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
