import CLinux.Display

/// A driver's unchecked report: the used fields of `fb_fix_screeninfo` and `fb_var_screeninfo`.
struct FramebufferReport: Equatable {
  var driver = ""
  /// 0 is packed pixels.
  var type: UInt32 = 0
  var visual = Visual.trueColor
  /// Bytes from one row to the next.
  var lineLength: UInt32
  var memoryLength: UInt32
  /// The memory's physical address. Only the offset in its page is used.
  var memoryStart: UInt = 0
  /// The visible size, in pixels.
  var width: UInt32
  var height: UInt32
  /// The size of the area that can be panned over, in pixels; 0 if the driver does not report it.
  var virtualWidth: UInt32 = 0
  var virtualHeight: UInt32 = 0
  /// The start of the visible part, in pixels.
  var offsetX: UInt32 = 0
  var offsetY: UInt32 = 0
  var bitsPerPixel: UInt32
  /// 0: colour; 1: grey; anything else: a FOURCC code.
  var grayscale: UInt32 = 0
  var red, green, blue: BitField
  var transparency = BitField(offset: 0, length: 0)
  /// Whether the most significant bit of a channel is the right one. (`msb_right`)
  var isReversed = false
  /// `FB_NONSTD_…`; 0 for the standard order of pixels.
  var nonstandard: UInt32 = 0

  /// The way from pixel values to colours. (kernel `FB_VISUAL_…`)
  struct Visual: RawRepresentable, Equatable {
    var rawValue: UInt32

    static let mono01 = Visual(rawValue: UInt32(FB_VISUAL_MONO01))
    static let mono10 = Visual(rawValue: UInt32(FB_VISUAL_MONO10))
    static let pseudoColor = Visual(rawValue: UInt32(FB_VISUAL_PSEUDOCOLOR))
    static let staticPseudoColor = Visual(rawValue: UInt32(FB_VISUAL_STATIC_PSEUDOCOLOR))
    static let trueColor = Visual(rawValue: UInt32(FB_VISUAL_TRUECOLOR))
    static let directColor = Visual(rawValue: UInt32(FB_VISUAL_DIRECTCOLOR))

    var name: String {
      switch Int32(truncatingIfNeeded: rawValue) {
      case FB_VISUAL_MONO01: "MONO01"
      case FB_VISUAL_MONO10: "MONO10"
      case FB_VISUAL_TRUECOLOR: "TRUECOLOR"
      case FB_VISUAL_PSEUDOCOLOR: "PSEUDOCOLOR"
      case FB_VISUAL_DIRECTCOLOR: "DIRECTCOLOR"
      case FB_VISUAL_STATIC_PSEUDOCOLOR: "STATIC_PSEUDOCOLOR"
      case FB_VISUAL_FOURCC: "FOURCC"
      default: "number \(rawValue)"
      }
    }
  }
}

extension FramebufferReport {
  init(fixed: fb_fix_screeninfo, variable: fb_var_screeninfo) {
    self.init(
      driver: withUnsafeBytes(of: fixed.id) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) },
      type: fixed.type, visual: Visual(rawValue: fixed.visual), lineLength: fixed.line_length,
      memoryLength: fixed.smem_len, memoryStart: fixed.smem_start, width: variable.xres,
      height: variable.yres, virtualWidth: variable.xres_virtual, virtualHeight: variable.yres_virtual,
      offsetX: variable.xoffset, offsetY: variable.yoffset, bitsPerPixel: variable.bits_per_pixel,
      grayscale: variable.grayscale, red: .init(variable.red), green: .init(variable.green),
      blue: .init(variable.blue), transparency: .init(variable.transp),
      isReversed: Self.isReversed(variable), nonstandard: variable.nonstd)
  }

  func isOf(_ mode: fb_var_screeninfo) -> Bool {
    width == mode.xres && height == mode.yres && virtualWidth == mode.xres_virtual
      && virtualHeight == mode.yres_virtual && offsetX == mode.xoffset && offsetY == mode.yoffset
      && bitsPerPixel == mode.bits_per_pixel && grayscale == mode.grayscale && red == .init(mode.red)
      && green == .init(mode.green) && blue == .init(mode.blue) && transparency == .init(mode.transp)
      && isReversed == Self.isReversed(mode) && nonstandard == mode.nonstd
  }

  private static func isReversed(_ mode: fb_var_screeninfo) -> Bool {
    mode.red.msb_right | mode.green.msb_right | mode.blue.msb_right | mode.transp.msb_right != 0
  }
}

extension BitField {
  fileprivate init(_ field: fb_bitfield) { self.init(offset: field.offset, length: field.length) }
}
