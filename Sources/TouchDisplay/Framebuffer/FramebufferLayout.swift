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

  /// What can be seen, in pixels.
  var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

  /// Checks a driver's numbers against each other.
  ///
  /// - Parameter path: the device's, for messages.
  /// - Throws: `DisplayError` of kind `unsupported` or `contradictory`, with the numbers.
  init(_ report: FramebufferReport, path: String) throws(DisplayError) {
    try Self.checkKind(of: report, path)
    do throws(PixelFormat.Contradiction) {
      format = try PixelFormat(
        bitsPerPixel: Int(report.bitsPerPixel), red: report.red, green: report.green, blue: report.blue,
        transparency: report.transparency)
    } catch {
      throw DisplayError(
        .contradictory, path: path,
        detail: "the driver's pixel format makes no sense: \(error); this is a bug of the driver")
    }
    // All of these are 32-bit numbers, so nothing below can overflow 64 bits.
    width = Int(report.width)
    height = Int(report.height)
    stride = Int(report.lineLength)
    length = Int(report.memoryLength)
    hasColorMap = report.visual == .directColor
    guard (1...Surface.largestSide).contains(width), (1...Surface.largestSide).contains(height) else {
      throw DisplayError(
        .contradictory, path: path,
        detail: "the mode is \(width)x\(height) pixels; each side must be 1 to \(Surface.largestSide). "
          + "Set a mode, for example with fbset")
    }
    let offset = (x: Int(report.offsetX), y: Int(report.offsetY))
    let rowBytes = (offset.x + width) * format.bytesPerPixel
    guard stride >= rowBytes else {
      throw DisplayError(
        .contradictory, path: path,
        detail: "line_length is \(stride) bytes, but a row of \(offset.x) + \(width) pixels of "
          + "\(format.bitsPerPixel) bits needs \(rowBytes); this is a bug of the driver")
    }
    start = offset.y * stride + offset.x * format.bytesPerPixel
    let needed = (offset.y + height - 1) * stride + rowBytes
    guard length >= needed else {
      throw DisplayError(
        .contradictory, path: path,
        detail: "the framebuffer's memory is \(length) bytes, but \(width)x\(height) pixels at offset "
          + "(\(offset.x), \(offset.y)) with \(stride) bytes a row need \(needed); this is a bug of the driver"
      )
    }
  }

  /// Refuses what is not built, whatever its numbers.
  private static func checkKind(of report: FramebufferReport, _ path: String) throws(DisplayError) {
    let advice = "Set another depth, for example with fbset -depth 32"
    guard report.type == 0 else {
      throw DisplayError(
        .unsupported, path: path,
        detail: "the memory layout is type \(report.type); only packed pixels (type 0) are built")
    }
    guard report.visual == .trueColor || report.visual == .directColor else {
      throw DisplayError(
        .unsupported, path: path,
        detail:
          "\(report.bitsPerPixel) bits per pixel with visual \(report.visual.name) is not built; TRUECOLOR "
          + "and DIRECTCOLOR with 16, 24 or 32 bits are. \(advice)")
    }
    guard [16, 24, 32].contains(report.bitsPerPixel), report.grayscale == 0 else {
      let kind = report.grayscale == 0 ? "" : " of grey"
      throw DisplayError(
        .unsupported, path: path,
        detail:
          "\(report.bitsPerPixel) bits per pixel\(kind) is not built; 16, 24 and 32 bits of colour are. "
          + advice)
    }
    guard !report.isReversed else {
      throw DisplayError(
        .unsupported, path: path, detail: "a channel has its most significant bit right (msb_right)")
    }
  }
}
