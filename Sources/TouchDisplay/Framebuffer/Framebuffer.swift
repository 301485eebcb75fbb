import CLinux.Display
import Glibc
import SystemPackage

/// A kernel framebuffer, `/dev/fbN`, in the mode in which it is found. (kernel `fb/framebuffer.rst`)
///
/// What changed is composed in ordinary memory and copied from there, row by row: the mapping may be write-combined
/// memory, where reading is very slow, or be watched page by page.
public final class Framebuffer: Display {
  public let path: String
  /// The driver's own name, from its fixed report.
  public let driver: String
  /// How many bytes of the mapped memory were written since it was opened.
  public private(set) var writtenBytes = 0

  private let device: Device
  private let mapping: FramebufferMapping
  private let workbench: Workbench
  private let layout: FramebufferLayout
  private let converter: RowConverter
  private let savedColors: ColorMap?

  /// Opens and maps a framebuffer. The screen keeps showing what it shows until something is composed.
  ///
  /// - Parameter path: the device, such as `/dev/fb0`.
  /// - Throws: `DisplayError`.
  public init(path: String) throws(DisplayError) {
    let device = try Device(path: path)
    let report = try device.report()
    let layout = try FramebufferLayout(report, path: path)
    mapping = try FramebufferMapping(device: device, report: report, layout: layout)
    workbench = try Workbench(width: layout.width, height: layout.height)
    if let map = layout.colorMap {
      savedColors = try device.replaceColors(with: map)
    } else {
      savedColors = nil
    }
    converter = RowConverter(layout: layout, fixedMap: device.fixedMap(for: layout.coding))
    driver = report.driver
    self.path = path
    self.device = device
    self.layout = layout
    // A console that went to sleep keeps its screen dark. Not every driver can, and none has to.
    _ = touchtree_fb_unblank(device.descriptor.rawValue)
  }

  deinit {
    // Drivers with deferred input and output lose the last picture when they are closed before they sent it.
    _ = fsync(device.descriptor.rawValue)
    if let savedColors { _ = savedColors.write(descriptor: device.descriptor.rawValue) }
  }

  /// How the device keeps a pixel, in words.
  public var pixelText: String { "\(layout.bitsPerPixel) bits a pixel: \(layout.coding.text)" }
  /// What the driver got wrong and could be guessed, in words.
  public var notices: [String] { layout.notices }

  public var width: Int { layout.width }
  public var height: Int { layout.height }
  public var picture: Surface? { nil }

  public func compose(_ rect: PixelRect, _ paint: (Target, PixelRect) -> Void) {
    workbench.compose(layout.wholeBytes(rect.intersection(bounds)), paint) { target, part in
      writtenBytes += converter.write(part, of: target, to: mapping.address)
      mapping.wrote(rows: part.minY..<part.maxY)
    }
  }

  /// The framebuffer to use when none is named: the first that exists, or `/dev/fb0`, whose absence then says
  /// what is missing.
  public static func automaticPath() -> String {
    (0..<32).lazy.map { "/dev/fb\($0)" }.first { access($0, F_OK) == 0 } ?? "/dev/fb0"
  }
}
