import CLinux.Display
import Glibc
import SystemPackage

/// A kernel framebuffer, `/dev/fbN`, in the mode in which it is found. (kernel `fb/framebuffer.rst`)
///
/// Pictures are composed in ordinary memory and only what changed is copied, row by row: the mapping may be
/// write-combined memory, where reading is very slow, or be watched page by page.
public final class Framebuffer: Display {
  public let path: String
  public let surface: Surface
  /// How the device keeps a pixel.
  public var format: PixelFormat { layout.format }
  /// The driver's own name, from its fixed report.
  public let driver: String

  private let device: Device
  private let mapping: Mapping
  private let layout: FramebufferLayout
  private let converter: RowConverter
  private let savedColors: ColorMap?

  /// Opens and maps a framebuffer. The screen keeps showing what it shows until the first `present`.
  ///
  /// - Parameter path: the device, such as `/dev/fb0`.
  /// - Throws: `DisplayError`.
  public init(path: String) throws(DisplayError) {
    let device = try Device(path: path)
    let report = try device.report()
    let layout = try FramebufferLayout(report, path: path)
    mapping = try Mapping(device: device, report: report)
    surface = try Surface(width: layout.width, height: layout.height)
    savedColors = layout.hasColorMap ? try device.makeColorsLinear(for: layout.format) : nil
    converter = RowConverter(format: layout.format, width: layout.width)
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

  public func present(_ rects: [PixelRect]) {
    for rect in rects { converter.write(rect, of: surface, to: mapping.address, layout: layout) }
  }

  /// The framebuffer to use when none is named: the first that exists, or `/dev/fb0`, whose absence then says
  /// what is missing.
  public static func automaticPath() -> String {
    (0..<32).lazy.map { "/dev/fb\($0)" }.first { access($0, F_OK) == 0 } ?? "/dev/fb0"
  }
}

/// The memory of a framebuffer in this process.
private final class Mapping {
  /// The framebuffer's first byte.
  let address: UnsafeMutableRawPointer
  private let base: UnsafeMutableRawPointer
  private let length: Int

  init(device: Device, report: FramebufferReport) throws(DisplayError) {
    // The kernel maps whole pages from the one in which the memory starts.
    let inset = Int(report.memoryStart & UInt(sysconf(Int32(_SC_PAGESIZE)) - 1))
    length = inset + Int(report.memoryLength)
    let base = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, device.descriptor.rawValue, 0)
    guard let base, base != MAP_FAILED else {
      throw DisplayError(
        .failed, path: device.path, detail: "cannot map \(length) bytes of the framebuffer",
        cause: Errno(rawValue: errno))
    }
    self.base = base
    address = base + inset
  }

  deinit {
    munmap(base, length)
  }
}
