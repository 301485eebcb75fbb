import TouchPixels

/// The place of a framebuffer's visible pixels in its memory, checked against the driver's numbers.
struct FramebufferLayout: Equatable {
  let width: Int
  let height: Int
  let format: PixelFormat
  /// The bits of a pixel in memory: 1, 2, 4, 8, 16, 24 or 32.
  let bitsPerPixel: Int
  let order: PixelOrder
  /// Bytes from one row to the next.
  let stride: Int
  /// Bytes from the start of the framebuffer's memory to the byte with the first visible pixel.
  let start: Int
  /// The number of invisible pixels on the left of the first visible one, in the same byte.
  let lead: Int
  /// The size of the framebuffer's memory in bytes, with its invisible parts.
  let length: Int
  /// The colour map that has to be written to the device before its pixels have the meaning in `format`.
  let colorMap: ColorMap?
  /// The corrected errors of the driver's report, as log messages.
  let notices: [String]

  /// The visible part, in pixels.
  var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

  /// The number of pixels that share a byte; 1 for depths of 8 bits and more.
  var pixelsPerByte: Int { max(1, 8 / bitsPerPixel) }

  init(_ report: FramebufferReport, path: String) throws(DisplayError) {
    // All of these are 32-bit numbers, so nothing below can overflow 64 bits.
    width = Int(report.width)
    height = Int(report.height)
    stride = Int(report.lineLength)
    length = Int(report.memoryLength)
    guard (1...Surface.largestSide).contains(width), (1...Surface.largestSide).contains(height) else {
      throw DisplayError(
        .contradictory, path: path,
        detail: "the mode is \(width)x\(height) pixels; each side must be 1 to \(Surface.largestSide). "
          + "Set a mode, for example with fbset")
    }
    let pixels = try report.pixels(path: path)
    format = pixels.format
    bitsPerPixel = pixels.bitsPerPixel
    order = pixels.order
    colorMap = pixels.colorMap
    notices = pixels.notices
    let offset = (x: Int(report.offsetX), y: Int(report.offsetY))
    let rowBytes = ((offset.x + width) * bitsPerPixel + 7) / 8
    guard stride >= rowBytes else {
      throw DisplayError(
        .contradictory, path: path,
        detail: "line_length is \(stride) bytes, but a row of \(offset.x) + \(width) pixels of "
          + "\(bitsPerPixel) bits needs \(rowBytes); this is a bug of the driver")
    }
    start = offset.y * stride + offset.x * bitsPerPixel / 8
    lead = bitsPerPixel < 8 ? offset.x % (8 / bitsPerPixel) : 0
    let needed = (offset.y + height - 1) * stride + rowBytes
    guard length >= needed else {
      throw DisplayError(
        .contradictory, path: path,
        detail: "the framebuffer's memory is \(length) bytes, but \(width)x\(height) pixels at offset "
          + "(\(offset.x), \(offset.y)) with \(stride) bytes a row need \(needed); this is a bug of the driver"
      )
    }
  }

  /// Returns the place of pixels of one row of the display, at least one, in the framebuffer's memory.
  @inline(__always)
  func bytes(ofRow row: Int, from minX: Int, to maxX: Int) -> Range<Int> {
    let first = start + row * stride
    return first + (lead + minX) * bitsPerPixel / 8..<first + ((lead + maxX) * bitsPerPixel + 7) / 8
  }

  /// Returns a rectangle widened to whole visible bytes, since the memory is never read.
  @inline(__always)
  func wholeBytes(_ rect: PixelRect) -> PixelRect {
    guard pixelsPerByte > 1, !rect.isEmpty else { return rect }
    var wide = rect
    wide.minX = max(0, (lead + rect.minX) / pixelsPerByte * pixelsPerByte - lead)
    wide.maxX = min(width, (lead + rect.maxX + pixelsPerByte - 1) / pixelsPerByte * pixelsPerByte - lead)
    return wide
  }
}
