import TouchPixels
import TouchViews

/// The pixels of a picture, such as that of a display. Two pictures are equal if all their
/// pixels are. (`UIImage`, as far as tests need it.)
public struct Picture: Hashable, Sendable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  private var pixels: [UInt32]

  init(_ surface: Surface) {
    width = surface.width
    height = surface.height
    pixels = Array(UnsafeBufferPointer(start: surface.pixels, count: surface.width * surface.height))
    // A display has no alpha, so that of its memory is invisible.
    for index in pixels.indices { pixels[index] |= 0xff00_0000 }
  }

  /// Reads a PNG file.
  ///
  /// - Throws: `ApplicationError`.
  public init(contentsOf path: String) throws(ApplicationError) {
    do {
      self.init(try PictureReader.read(path: path))
    } catch {
      throw ApplicationError(error)
    }
  }

  /// The colour of a pixel; `clear` outside of the picture.
  public subscript(x: Int, y: Int) -> Color {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return .clear }
    return Color(premultiplied: pixels[y * width + x])
  }

  /// Returns the first pixel, row by row, in which two pictures differ; nil if they are equal.
  ///
  /// If the common part of pictures of different sizes is equal, it
  /// is the first pixel that only one of them has.
  public func firstDifference(from other: Picture) -> (x: Int, y: Int)? {
    for y in 0..<max(height, other.height) {
      for x in 0..<max(width, other.width) where pixel(x, y) != other.pixel(x, y) { return (x, y) }
    }
    return nil
  }

  private func pixel(_ x: Int, _ y: Int) -> UInt32? { x < width && y < height ? pixels[y * width + x] : nil }

  /// Writes a PNG file, completely or not at all. Equal pictures give equal bytes.
  ///
  /// - Throws: `ApplicationError`.
  public func write(to path: String) throws(ApplicationError) {
    do {
      let surface = try Surface(width: width, height: height)
      surface.pixels.update(from: pixels, count: pixels.count)
      try PNGWriter.write(surface, to: path)
    } catch {
      throw ApplicationError(error)
    }
  }
}
