import CDrm
import Glibc
import SystemPackage
import TouchPixels

/// A mapped dumb buffer that the card can show. It is never read, because it may be write-combined.
final class KMSBuffer {
  let card: KMSCard
  let format: KMSFormat
  let width, height: Int
  let framebuffer: UInt32
  /// The bytes from one row to the next, as the driver wants them.
  let stride: Int
  let memory: UnsafeMutableRawPointer
  let length: Int
  private let handle: UInt32

  /// - Throws: `DisplayError` of kind `failed` for a refusal of the
  ///   driver; of kind `missing` if the card is gone.
  init(on card: KMSCard, width: Int, height: Int, format: KMSFormat) throws(DisplayError) {
    func failed(_ what: String) -> DisplayError {
      guard errno != ENODEV else { return card.isGone }
      return DisplayError(
        .failed, path: card.path,
        detail:
          "the driver \(card.driver) \(what) for \(width)x\(height) pixels of \(format.bitsPerPixel) bits",
        cause: Errno(rawValue: errno))
    }
    let descriptor = card.descriptor.rawValue
    var dumb = drm_mode_create_dumb()
    (dumb.width, dumb.height) = (UInt32(width), UInt32(height))
    dumb.bpp = UInt32(format.bitsPerPixel)
    guard touchtree_drm_create_dumb(descriptor, &dumb) == 0 else { throw failed("gives no memory") }
    let planes = (
      handles: [dumb.handle, 0, 0, 0], pitches: [dumb.pitch, 0, 0, 0], offsets: [0, 0, 0, 0] as [UInt32]
    )
    var framebuffer: UInt32 = 0
    let status = card.drm.add_framebuffer(
      descriptor, UInt32(width), UInt32(height), format.code, planes.handles, planes.pitches, planes.offsets,
      &framebuffer, 0)
    guard status == 0 else {
      let error = failed("makes no framebuffer")
      _ = touchtree_drm_destroy_dumb(descriptor, dumb.handle)
      throw error
    }
    var offset: UInt64 = 0
    var memory: UnsafeMutableRawPointer?
    if touchtree_drm_map_dumb(descriptor, dumb.handle, &offset) == 0 {
      memory = mmap(nil, Int(dumb.size), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(offset))
    }
    guard let memory, memory != MAP_FAILED else {
      let error = failed("maps no memory")
      _ = card.drm.remove_framebuffer(descriptor, framebuffer)
      _ = touchtree_drm_destroy_dumb(descriptor, dumb.handle)
      throw error
    }
    self.card = card
    self.format = format
    (self.width, self.height) = (width, height)
    (self.framebuffer, handle) = (framebuffer, dumb.handle)
    (stride, length, self.memory) = (Int(dumb.pitch), Int(dumb.size), memory)
  }

  deinit {
    munmap(memory, length)
    _ = card.drm.remove_framebuffer(card.descriptor.rawValue, framebuffer)
    _ = touchtree_drm_destroy_dumb(card.descriptor.rawValue, handle)
  }

  /// Fills the buffer with black. The kernel promises no zeros.
  func clear() { memset(memory, 0, length) }

  /// Returns the layout for `RowConverter`, or throws if the driver's numbers contradict each other.
  func layout() throws(DisplayError) -> FramebufferLayout {
    try FramebufferLayout(
      FramebufferReport(
        driver: card.driver, lineLength: UInt32(stride), memoryLength: UInt32(clamping: length),
        width: UInt32(width), height: UInt32(height), bitsPerPixel: UInt32(format.bitsPerPixel),
        red: format.red, green: format.green, blue: format.blue),
      path: card.path)
  }
}

/// A format of a buffer's pixels, named by the kernel's code. (`drm_fourcc.h`)
struct KMSFormat: Hashable {
  /// The four letters, such as `XR24`.
  let name: String
  let bitsPerPixel: Int
  let red, green, blue: BitField

  private init(
    _ name: String, _ bits: Int, red: (UInt32, UInt32), green: (UInt32, UInt32), blue: (UInt32, UInt32)
  ) {
    (self.name, bitsPerPixel) = (name, bits)
    self.red = BitField(offset: red.0, length: red.1)
    self.green = BitField(offset: green.0, length: green.1)
    self.blue = BitField(offset: blue.0, length: blue.1)
  }

  var code: UInt32 { name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

  /// The formats that can be drawn, the best first. Alpha, where there is one, is opaque.
  static let all = [
    KMSFormat("XR24", 32, red: (16, 8), green: (8, 8), blue: (0, 8)),
    KMSFormat("XB24", 32, red: (0, 8), green: (8, 8), blue: (16, 8)),
    KMSFormat("AR24", 32, red: (16, 8), green: (8, 8), blue: (0, 8)),
    KMSFormat("AB24", 32, red: (0, 8), green: (8, 8), blue: (16, 8)),
    KMSFormat("RG24", 24, red: (16, 8), green: (8, 8), blue: (0, 8)),
    KMSFormat("RG16", 16, red: (11, 5), green: (5, 6), blue: (0, 5)),
    KMSFormat("BG16", 16, red: (0, 5), green: (5, 6), blue: (11, 5)),
  ]

  /// Returns the formats that a plane takes, in the order in which they are tried.
  /// - Parameter codes: the plane's formats; empty if the plane does not report them.
  /// - Parameter depth: the driver's favourite depth; 0 if it has none. A depth of 16 would drop the rest
  ///   of 32 bits, without dithering.
  static func candidates(among codes: [UInt32], preferredDepth depth: UInt64) -> [KMSFormat] {
    let known =
      codes.isEmpty
      ? all.filter { ["XR24", "RG16"].contains($0.name) } : all.filter { codes.contains($0.code) }
    guard depth > 0, depth <= 16 else { return known }
    return known.filter { $0.bitsPerPixel <= 16 } + known.filter { $0.bitsPerPixel > 16 }
  }
}
