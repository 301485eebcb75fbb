import TouchPixels

/// Where the visible pixels of a framebuffer lie in its memory, checked against what the driver reports.
struct FramebufferLayout: Equatable {
  /// Visible pixels in a row.
  let width: Int
  /// Visible rows.
  let height: Int
  let coding: PixelCoding
  /// In memory: 1, 2, 4, 8, 16, 24 or 32.
  let bitsPerPixel: Int
  let order: PixelOrder
  /// Bytes from one row to the next.
  let stride: Int
  /// Bytes from the start of the framebuffer's memory to the byte with the first visible pixel.
  private(set) var start: Int
  /// How many pixels that cannot be seen share the first visible one's byte, left of it.
  let lead: Int
  /// The framebuffer's memory in bytes, visible or not.
  let length: Int
  /// Has to be written before the pixels mean what `coding` says.
  let colorMap: ColorMap?
  /// What the driver got wrong and could be guessed, in words.
  let notices: [String]

  /// What can be seen, in pixels.
  var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

  /// Pixels that share a byte; 1 where none do.
  var pixelsPerByte: Int { max(1, 8 / bitsPerPixel) }

  /// Checks a driver's numbers against each other.
  ///
  /// - Parameter path: the device's, for messages.
  /// - Throws: `DisplayError` of kind `unsupported` or `contradictory`, with the numbers.
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
    coding = pixels.coding
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

  /// The same, where the driver's offset is that of one of two pages.
  func startingAtFirstPage(shown: Int) -> FramebufferLayout {
    var first = self
    first.start -= shown * height * stride
    return first
  }

  /// Where pixels of one row lie in the framebuffer's memory.
  ///
  /// - Parameters:
  ///   - row: on the display, or beyond it on a page below.
  ///   - minX: the first column.
  ///   - maxX: the first column that is not meant; above `minX`.
  func bytes(ofRow row: Int, from minX: Int, to maxX: Int) -> Range<Int> {
    let first = start + row * stride
    return first + (lead + minX) * bitsPerPixel / 8..<first + ((lead + maxX) * bitsPerPixel + 7) / 8
  }

  /// A rectangle widened to whole bytes, as far as they can be seen: a pixel cannot be written without those that share
  /// its byte, and what they were is not read back.
  func wholeBytes(_ rect: PixelRect) -> PixelRect {
    guard pixelsPerByte > 1, !rect.isEmpty else { return rect }
    var wide = rect
    wide.minX = max(0, (lead + rect.minX) / pixelsPerByte * pixelsPerByte - lead)
    wide.maxX = min(width, (lead + rect.maxX + pixelsPerByte - 1) / pixelsPerByte * pixelsPerByte - lead)
    return wide
  }
}
