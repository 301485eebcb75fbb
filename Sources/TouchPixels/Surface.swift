import CPixman
import Glibc
import TouchSystem
import TouchViews

/// A picture in ordinary memory, to paint into: 32 bits a pixel, `0xAARRGGBB` in the machine's byte order,
/// colours premultiplied by alpha.
@usableFromInline package final class Surface {
  /// The width in pixels.
  @usableFromInline package let width: Int
  /// The height in pixels.
  @usableFromInline package let height: Int
  /// `width * height` pixels, row by row without padding.
  package let pixels: UnsafeMutablePointer<UInt32>
  /// pixman's view of the same memory.
  package let image: OpaquePointer
  private let memory: PixelMemory

  /// The limit of pixman's 16.16 fixed-point coordinates, in pixels.
  package static let largestSide = 16_384

  /// Makes a surface that is transparent black.
  /// - Throws: `DisplayError` if a side is not in 1 … `largestSide`, or there is no memory.
  package convenience init(width: Int, height: Int) throws(DisplayError) {
    try Self.check(width: width, height: height)
    try self.init(width: width, height: height, memory: PixelMemory(count: width * height))
  }

  /// Makes a surface in memory that other surfaces may share. Its pixels are not cleared.
  /// - Parameter memory: at least `width * height` pixels.
  /// - Throws: `DisplayError`, as the other initializer.
  package init(width: Int, height: Int, memory: PixelMemory) throws(DisplayError) {
    try Self.check(width: width, height: height)
    guard width * height <= memory.count,
      let image = pixman_image_create_bits(
        PIXMAN_a8r8g8b8, Int32(width), Int32(height), memory.pixels, Int32(width * 4))
    else { throw PixelMemory.none(width * height) }
    self.width = width
    self.height = height
    self.memory = memory
    self.image = image
    pixels = memory.pixels
  }

  deinit { pixman_image_unref(image) }

  private static func check(width: Int, height: Int) throws(DisplayError) {
    guard (1...largestSide).contains(width), (1...largestSide).contains(height) else {
      throw DisplayError(
        .unsupported, path: "display",
        detail: "\(width)x\(height) pixels cannot be painted: each side must be 1 to \(largestSide)")
    }
  }

  package var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

  /// Returns the pixel's straight (not premultiplied) colour; transparent black outside the surface.
  package func color(x: Int, y: Int) -> Color {
    guard bounds.contains(x: x, y: y) else { return Color(red: 0, green: 0, blue: 0, alpha: 0) }
    return Color(premultiplied: pixels[y * width + x])
  }
}

/// Zeroed memory for pixels. The kernel allocates a page when it is first written.
package final class PixelMemory {
  package let count: Int
  package let pixels: UnsafeMutablePointer<UInt32>
  private let owner: Owner

  private enum Owner {
    case allocator(UnsafeMutableRawPointer)
    case kernel(byteCount: Int)
    case shared(SharedMemory)
  }

  /// The alignment in bytes. Pixels begin with a cache line, so that the widest registers store whole ones.
  private static let alignment = 64
  /// The least size of mapped memory, in bytes, which goes back to the kernel at once. The C library keeps
  /// blocks up to the largest one that was freed, which is a picture of the display from the second
  /// screenshot on. (mallopt(3), M_MMAP_THRESHOLD)
  private static let leastMapped = 1 << 20

  /// - Throws: `DisplayError` if there is not enough memory.
  package init(count: Int) throws(DisplayError) {
    self.count = count
    let byteCount = count * MemoryLayout<UInt32>.stride
    if byteCount >= Self.leastMapped {
      let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      guard let memory, memory != MAP_FAILED else { throw Self.none(count) }
      pixels = memory.bindMemory(to: UInt32.self, capacity: count)
      owner = .kernel(byteCount: byteCount)
      return
    }
    // The C library's aligned memory is not zeroed, and zeroing it would touch each page.
    guard let memory = calloc(1, byteCount + Self.alignment) else { throw Self.none(count) }
    pixels = memory.alignedUp(toMultipleOf: Self.alignment).bindMemory(to: UInt32.self, capacity: count)
    owner = .allocator(memory)
  }

  package init(_ memory: SharedMemory) {
    count = memory.count / MemoryLayout<UInt32>.stride
    pixels = memory.start.bindMemory(to: UInt32.self, capacity: count)
    owner = .shared(memory)
  }

  deinit {
    switch owner {
    case .allocator(let memory): free(memory)
    case .kernel(let byteCount): munmap(pixels, byteCount)
    case .shared: break
    }
  }

  package static func none(_ count: Int) -> DisplayError {
    DisplayError(.failed, path: "display", detail: "no memory for \(count) pixels")
  }
}
