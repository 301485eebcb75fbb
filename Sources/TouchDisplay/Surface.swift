import CPixman
import TouchCore

/// A picture in ordinary memory that can be painted into: 32 bits a pixel, `0xAARRGGBB` in the machine's byte
/// order, colours premultiplied by alpha.
public final class Surface {
  /// In pixels.
  public let width: Int
  /// In pixels.
  public let height: Int
  /// Row by row without padding, `width * height` of them.
  public let pixels: UnsafeMutablePointer<UInt32>
  /// pixman's view of the same memory.
  let image: OpaquePointer

  /// pixman computes with 16.16 fixed-point coordinates: nothing larger can be painted.
  public static let largestSide = 16_384

  /// Makes a surface that is transparent black.
  ///
  /// - Throws: `DisplayError` when a side is not in 1 … `largestSide`, or when there is no memory.
  public init(width: Int, height: Int) throws(DisplayError) {
    guard (1...Self.largestSide).contains(width), (1...Self.largestSide).contains(height) else {
      throw DisplayError(
        .unsupported, path: "display",
        detail: "\(width)x\(height) pixels cannot be painted: each side must be 1 to \(Self.largestSide)")
    }
    let pixels = UnsafeMutablePointer<UInt32>.allocate(capacity: width * height)
    pixels.initialize(repeating: 0, count: width * height)
    guard
      let image = pixman_image_create_bits(
        PIXMAN_a8r8g8b8, Int32(width), Int32(height), pixels, Int32(width * 4))
    else {
      pixels.deallocate()
      throw DisplayError(.failed, path: "display", detail: "no memory for \(width)x\(height) pixels")
    }
    self.width = width
    self.height = height
    self.pixels = pixels
    self.image = image
  }

  deinit {
    pixman_image_unref(image)
    pixels.deallocate()
  }

  public var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

  /// The pixel's colour with its alpha taken out again; transparent black outside the surface.
  public func color(x: Int, y: Int) -> Color {
    guard bounds.contains(x: x, y: y) else { return Color(red: 0, green: 0, blue: 0, alpha: 0) }
    return Color(premultiplied: pixels[y * width + x])
  }
}
