import TouchSystem

/// Copies the pixels of a camera or a video, as a program has written them: XRGB8888, after one line of text.
final class FrameRows: PictureRows {
  let surface: Surface
  private let bytes: PictureBytes
  private let start, stride: Int
  private var rows = 0

  /// - Parameters:
  ///   - start: the bytes before the first row.
  ///   - stride: the bytes from one row to the next.
  /// - Throws: `DisplayError` for a frame that is cut, or without memory.
  init(_ bytes: PictureBytes, _ file: PictureFile, start: Int, stride: Int) throws(DisplayError) {
    let length = start + stride * (file.height - 1) + 4 * file.width
    guard bytes.bytes.count >= length else {
      throw DisplayError(
        .badPicture, path: bytes.path,
        detail: "the frame is cut: it has fewer than \(length) bytes")
    }
    guard let surface = try? Surface(width: file.width, height: file.height) else {
      throw .noMemory(file.width, file.height, bytes.path)
    }
    (self.surface, self.bytes, self.start, self.stride) = (surface, bytes, start, stride)
  }

  func decode(pixels: Int) -> Bool {
    let end = min(surface.height, rows + max(1, pixels / surface.width))
    for row in rows..<end {
      let source = start + row * stride
      let target = surface.pixels + row * surface.width
      for column in 0..<surface.width {
        let pixel = bytes.bytes.loadUnaligned(fromByteOffset: source + 4 * column, as: UInt32.self)
        target[column] = UInt32(littleEndian: pixel) | 0xff00_0000
      }
    }
    rows = end
    return rows == surface.height
  }
}
