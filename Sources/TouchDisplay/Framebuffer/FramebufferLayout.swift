import CLinux.Display

/// Where the visible pixels of a framebuffer lie in its memory, checked against what the driver reports.
struct FramebufferLayout: Equatable {
  /// Visible pixels in a row.
  let width: Int
  /// Visible rows.
  let height: Int
  let format: PixelFormat
  /// Bytes from one row to the next.
  let stride: Int
  /// Bytes from the start of the framebuffer's memory to the first visible pixel.
  let start: Int
  /// The framebuffer's memory in bytes, visible or not.
  let length: Int
  /// Whether each channel goes through a colour map, which has to be made linear first.
  let hasColorMap: Bool

  /// Checks a driver's two reports against each other.
  ///
  /// - Parameter path: the device's, for messages.
  /// - Throws: `DisplayError` of kind `unsupported` or `contradictory`, with the numbers.
  init(fixed: fb_fix_screeninfo, variable: fb_var_screeninfo, path: String) throws(DisplayError) {
    func refuse(_ kind: DisplayError.Kind, _ detail: String) -> DisplayError {
      DisplayError(kind, path: path, detail: detail)
    }
    try Self.checkVisual(fixed, variable, refuse)
    do throws(PixelFormat.Contradiction) {
      format = try PixelFormat(
        bitsPerPixel: Int(variable.bits_per_pixel), red: .init(variable.red), green: .init(variable.green),
        blue: .init(variable.blue), transparency: .init(variable.transp))
    } catch {
      throw refuse(
        .contradictory, "the driver's pixel format makes no sense: \(error); this is a bug of the driver")
    }
    width = Int(variable.xres)
    height = Int(variable.yres)
    guard (1...Surface.largestSide).contains(width), (1...Surface.largestSide).contains(height) else {
      throw refuse(
        .contradictory,
        "the mode is \(width)x\(height) pixels; each side must be 1 to \(Surface.largestSide). "
          + "Set a mode, for example with fbset")
    }
    // All of these are 32-bit numbers, so nothing below can overflow 64 bits.
    stride = Int(fixed.line_length)
    length = Int(fixed.smem_len)
    hasColorMap = Int32(fixed.visual) == FB_VISUAL_DIRECTCOLOR
    let offsetX = Int(variable.xoffset)
    let offsetY = Int(variable.yoffset)
    let rowBytes = (offsetX + width) * format.bytesPerPixel
    guard stride >= rowBytes else {
      throw refuse(
        .contradictory,
        "line_length is \(stride) bytes, but a row of \(offsetX)+\(width) pixels of "
          + "\(format.bitsPerPixel) bits needs \(rowBytes); this is a bug of the driver")
    }
    start = offsetY * stride + offsetX * format.bytesPerPixel
    let needed = (offsetY + height - 1) * stride + rowBytes
    guard length >= needed else {
      throw refuse(
        .contradictory,
        "the framebuffer's memory is \(length) bytes, but \(width)x\(height) at offset (\(offsetX), \(offsetY)) "
          + "with \(stride) bytes a row needs \(needed); this is a bug of the driver")
    }
  }

  private static func checkVisual(
    _ fixed: fb_fix_screeninfo, _ variable: fb_var_screeninfo,
    _ refuse: (DisplayError.Kind, String) -> DisplayError
  ) throws(DisplayError) {
    let bits = variable.bits_per_pixel
    guard Int32(fixed.type) == FB_TYPE_PACKED_PIXELS else {
      throw refuse(
        .unsupported,
        "the framebuffer's memory layout is type \(fixed.type); only packed pixels (type 0) are built")
    }
    let visuals: [Int32: String] = [
      FB_VISUAL_MONO01: "MONO01", FB_VISUAL_MONO10: "MONO10", FB_VISUAL_PSEUDOCOLOR: "PSEUDOCOLOR",
      FB_VISUAL_STATIC_PSEUDOCOLOR: "STATIC_PSEUDOCOLOR", FB_VISUAL_FOURCC: "FOURCC",
    ]
    guard [FB_VISUAL_TRUECOLOR, FB_VISUAL_DIRECTCOLOR].contains(Int32(fixed.visual)) else {
      let name = visuals[Int32(truncatingIfNeeded: fixed.visual)] ?? "number \(fixed.visual)"
      throw refuse(
        .unsupported,
        "\(bits) bits per pixel with visual \(name) is not built; only TRUECOLOR and DIRECTCOLOR with 16, 24 or "
          + "32 bits are. Set another depth, for example with fbset -depth 32")
    }
    guard [16, 24, 32].contains(bits), variable.grayscale == 0 else {
      throw refuse(
        .unsupported,
        "\(bits) bits per pixel\(variable.grayscale == 0 ? "" : " of grey") is not built; 16, 24 and 32 bits of "
          + "colour are. Set another depth, for example with fbset -depth 32")
    }
    let fields = [variable.red, variable.green, variable.blue, variable.transp]
    guard fields.allSatisfy({ $0.msb_right == 0 }) else {
      throw refuse(
        .unsupported, "a channel of the framebuffer has its most significant bit right (msb_right)")
    }
  }
}

extension PixelFormat.Channel {
  fileprivate init(_ field: fb_bitfield) {
    self.init(offset: field.offset, length: field.length)
  }
}
