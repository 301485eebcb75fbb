import CLinux.Display
import Glibc
import SystemPackage
import TouchCore
import TouchPixels

/// A kernel framebuffer, `/dev/fbN`, in the mode in which it is found. (kernel `fb/framebuffer.rst`)
///
/// What changed is composed in ordinary memory and copied from there, row by row: the mapping may be write-combined
/// memory, where reading is very slow, or be watched page by page.
package final class Framebuffer: Display {
  /// The node that was opened.
  package let path: String
  /// The driver's own name, from its fixed report.
  package let driver: String
  /// How many bytes of the mapped memory were written since it was opened.
  package private(set) var writtenBytes = 0
  /// Told what the driver does wrong, in words.
  package var report: (String) -> Void = { _ in }
  /// What the driver got wrong before anybody could be told.
  package private(set) var notices: [String]

  private let device: FramebufferDevice
  private let mapping: FramebufferMapping
  private let staging: StagingBuffer
  private let layout: FramebufferLayout
  private let converter: RowConverter
  private let original: OriginalMode
  /// Whether somebody else has the screen.
  private var isSuspended = false
  /// What the driver said when it was opened.
  private let driverReport: FramebufferReport
  /// Two pages, where they were asked for and the driver has them.
  private var pages: PageFlipper?
  /// What the page that is seen has, and the other one has not.
  private var missing = Damage()

  /// Opens and maps a framebuffer. The screen keeps showing what it shows until something is composed.
  ///
  /// - Parameters:
  ///   - path: the device, such as `/dev/fb0`.
  ///   - buffers: 2 for two pages of which one is seen while the other is drawn. A driver that cannot do it gets one,
  ///     and a notice.
  /// - Throws: `DisplayError`.
  package init(path: String, buffers: Int = 1) throws(DisplayError) {
    let device = try FramebufferDevice(path: path)
    let original = OriginalMode(device: device)
    // Refused before anything is changed.
    let before = try FramebufferLayout(try device.report(), path: path)
    notices = before.notices
    try device.claim()
    if buffers > 1 {
      do throws(PageFlipper.Unsupported) {
        pages = try PageFlipper(device: device, state: original)
      } catch {
        notices.append("one buffer is used, not two: \(error)")
      }
    }
    let report = try device.report()
    var layout = try FramebufferLayout(report, path: path)
    if let pages { layout = layout.startingAtFirstPage(shown: pages.shown) }
    mapping = try FramebufferMapping(device: device, report: report)
    staging = try StagingBuffer(width: layout.width, height: layout.height)
    if let map = layout.colorMap, let before = try device.replaceColors(with: map) {
      original.remember(colors: before)
    }
    converter = RowConverter(layout: layout, fixedMap: device.fixedMap(for: layout.coding))
    driver = report.driver
    driverReport = report
    self.path = path
    self.device = device
    self.original = original
    self.layout = layout
    // A console that went to sleep keeps its screen dark. Not every driver can, and none has to.
    _ = touchtree_fb_unblank(device.descriptor.rawValue)
  }

  deinit {
    restore()
  }

  package var width: Int { layout.width }
  package var height: Int { layout.height }
  package var picture: Surface? { nil }

  /// How the device keeps a pixel, in words.
  package var pixelText: String { "\(layout.bitsPerPixel) bits a pixel: \(layout.coding.text)" }

  // MARK: Drawing

  package func begin(_ damage: inout Damage) {
    guard let pages, !pages.isSettled else { return }
    if let complaint = pages.waitUntilHidden() { report(complaint) }
    let new = damage
    damage.add(missing)
    missing = new
  }

  package func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> Void) {
    // Pages follow each other row by row.
    let firstRow = (pages?.drawn ?? 0) * layout.height
    staging.compose(layout.wholeBytes(rect.intersection(bounds)), paint) { target, part in
      let memory = mapping.address + firstRow * layout.stride
      writtenBytes += converter.write(part, of: target, to: memory)
    }
  }

  package func reduce(_ picture: Surface) {
    converter.reduce(picture)
  }

  package func present() -> Bool {
    guard let pages, !pages.isSettled else { return true }
    do throws(PageFlipper.Unsupported) {
      try pages.show()
      return true
    } catch {
      report("one buffer is used, not two: \(error)")
      pages.settle()
      return false
    }
  }

  // MARK: Taking and giving back

  /// Says with whom the screen is shared.
  ///
  /// - Parameter byTurns: whether it is ours only while our terminal is seen.
  /// - Throws: `DisplayError` of kind `inUse` when it would be ours all the time, and others have their turns.
  package func share(byTurns: Bool) throws(DisplayError) {
    try device.share(byTurns: byTurns)
  }

  /// Whether a virtual terminal is shown on this framebuffer when it is seen; nil where nobody says.
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

  /// Whether the driver still says what it said when the framebuffer was opened.
  package var isCurrent: Bool {
    guard let now = try? device.report() else { return false }
    var expected = driverReport
    if let pages { expected.offsetY = UInt32(pages.shown * layout.height) }
    return now == expected
  }

  /// Whether its node is still there. A driver that goes answers a little longer than its node is there, and nobody says
  /// when it stops.
  package var isAttached: Bool { access(path, F_OK) == 0 }

  /// Leaves the device as it was found while somebody else draws on it, until `resume()`. Nothing may be drawn meanwhile.
  package func suspend() {
    guard !isSuspended else { return }
    isSuspended = true
    original.putBack()
  }

  /// Takes the screen back from somebody else who drew on it: it is lit, and its colours are ours again.
  package func resume() {
    if isSuspended { original.takeAgain() }
    isSuspended = false
    _ = touchtree_fb_unblank(device.descriptor.rawValue)
    if let map = layout.colorMap { _ = map.write(descriptor: device.descriptor.rawValue) }
    pages?.showAgain()
  }

  /// Has what was drawn sent to the screen, and leaves the device as it was found. Nothing may be drawn afterwards.
  package func restore() {
    // Drivers with deferred input and output send it later, and lose it when they are closed before.
    // (kernel `fb/deferred_io.rst`)
    _ = fsync(device.descriptor.rawValue)
    suspend()
    pages = nil
  }

  /// Gives back at once what is still ours, and nothing at the end: the device is not what it was, or is to be opened anew.
  package func abandon() {
    if !isSuspended { original.putBackWhatIsOurs() }
    isSuspended = true
    pages = nil
    _ = FramebufferLock.none.take(on: device.descriptor)
  }
}
