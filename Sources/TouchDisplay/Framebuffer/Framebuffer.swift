import CLinux.Display
import Glibc
import SystemPackage
import TouchCore

/// A kernel framebuffer, `/dev/fbN`, in the mode in which it is found. (kernel `fb/framebuffer.rst`)
///
/// What changed is composed in ordinary memory and copied from there, row by row: the mapping may be write-combined
/// memory, where reading is very slow, or be watched page by page.
public final class Framebuffer: Display {
  /// The node that was opened.
  public let path: String
  /// The driver's own name, from its fixed report.
  public let driver: String
  /// How many bytes of the mapped memory were written since it was opened.
  public private(set) var writtenBytes = 0
  /// Told what the driver does wrong, in words.
  public var report: (String) -> Void = { _ in }
  /// What the driver got wrong before anybody could be told.
  public private(set) var notices: [String]

  private let device: Device
  private let mapping: FramebufferMapping
  private let workbench: Workbench
  private let layout: FramebufferLayout
  private let converter: RowConverter
  private var savedColors: ColorMap?
  /// What the driver said when it was opened.
  private let driverReport: FramebufferReport
  /// Two pages, while the driver keeps what it promised.
  private var pages: Pages?
  /// What the page that is seen has, and the other one has not.
  private var missing = Damage()

  /// Opens and maps a framebuffer. The screen keeps showing what it shows until something is composed.
  ///
  /// - Parameters:
  ///   - path: the device, such as `/dev/fb0`.
  ///   - buffers: 2 for two pages of which one is seen while the other is drawn. A driver that cannot do it gets one,
  ///     and a notice.
  /// - Throws: `DisplayError`.
  public init(path: String, buffers: Int = 1) throws(DisplayError) {
    let device = try Device(path: path)
    // Refused before anything is changed.
    let before = try FramebufferLayout(try device.report(), path: path)
    notices = before.notices
    if buffers > 1 {
      do throws(Pages.Refusal) {
        pages = try Pages(device: device)
      } catch {
        notices.append("one buffer is used, not two: \(error)")
      }
    }
    let report = try device.report()
    var layout = try FramebufferLayout(report, path: path)
    if let pages { layout = layout.startingAtFirstPage(shown: pages.shown) }
    mapping = try FramebufferMapping(
      device: device, report: report, layout: layout, rows: layout.height * (pages == nil ? 1 : 2))
    workbench = try Workbench(width: layout.width, height: layout.height)
    if let map = layout.colorMap {
      savedColors = try device.replaceColors(with: map)
    } else {
      savedColors = nil
    }
    converter = RowConverter(layout: layout, fixedMap: device.fixedMap(for: layout.coding))
    driver = report.driver
    driverReport = report
    self.path = path
    self.device = device
    self.layout = layout
    // A console that went to sleep keeps its screen dark. Not every driver can, and none has to.
    _ = touchtree_fb_unblank(device.descriptor.rawValue)
  }

  deinit {
    giveBack()
  }

  public var width: Int { layout.width }
  public var height: Int { layout.height }
  public var picture: Surface? { nil }

  /// How the device keeps a pixel, in words.
  public var pixelText: String { "\(layout.bitsPerPixel) bits a pixel: \(layout.coding.text)" }

  // MARK: Drawing

  public func begin(_ damage: inout Damage) {
    guard let pages else { return }
    if let complaint = pages.waitUntilHidden() { report(complaint) }
    let new = damage
    damage.add(missing)
    missing = new
  }

  public func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> Void) {
    // Pages follow each other row by row.
    let firstRow = (pages?.hidden ?? 0) * layout.height
    workbench.compose(layout.wholeBytes(rect.intersection(bounds)), paint) { target, part in
      let memory = mapping.address + firstRow * layout.stride
      writtenBytes += converter.write(part, of: target, to: memory)
      mapping.wrote(rows: firstRow + part.minY..<firstRow + part.maxY)
    }
  }

  public func reduce(_ picture: Surface) {
    converter.reduce(picture)
  }

  public func present() -> Bool {
    guard let pages else { return true }
    do throws(Pages.Refusal) {
      try pages.show()
      return true
    } catch {
      report("one buffer is used, not two: \(error)")
      pages.giveBack()
      self.pages = nil
      return false
    }
  }

  // MARK: Taking and giving back

  /// Whether the driver still says what it said when the framebuffer was opened.
  public var isCurrent: Bool {
    guard let now = try? device.report() else { return false }
    var expected = driverReport
    if let pages { expected.offsetY = UInt32(pages.shown * layout.height) }
    return now == expected
  }

  /// Whether its node is still there. A driver that goes answers a little longer than its node is there, and nobody says
  /// when it stops.
  public var isAttached: Bool { access(path, F_OK) == 0 }

  /// Takes the screen back from somebody else who drew on it: it is lit, and its colours are ours again.
  public func reclaim() {
    _ = touchtree_fb_unblank(device.descriptor.rawValue)
    if let map = layout.colorMap { _ = map.write(descriptor: device.descriptor.rawValue) }
    pages?.showAgain()
  }

  /// Has what was drawn sent to the screen, and leaves the device as it was found. Nothing may be drawn afterwards.
  public func giveBack() {
    // Drivers with deferred input and output send it later, and lose it when they are closed before.
    // (kernel `fb/deferred_io.rst`)
    _ = fsync(device.descriptor.rawValue)
    pages?.giveBack()
    pages = nil
    if let savedColors { _ = savedColors.write(descriptor: device.descriptor.rawValue) }
    savedColors = nil
  }

  /// Gives nothing back at the end: the device is not what it was.
  public func abandon() {
    savedColors = nil
    pages?.forget()
    pages = nil
  }
}
