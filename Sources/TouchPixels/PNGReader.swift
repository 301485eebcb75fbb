import CPNG
import Glibc
import SystemPackage
import TouchCore

/// Reads PNG files of any kind: grey, palette, 16-bit, interlaced.
package enum PNGReader {
  /// The most pixels on a side.
  package static let largestSide = 4096
  /// The most bytes in a file: an uncompressed picture of the largest size, and some.
  package static let largestFile = 80 << 20

  /// Reads a picture.
  ///
  /// - Throws: `PNGError`.
  package static func read(path: String) throws(PNGError) -> Surface {
    try decode(try bytes(of: path), path: path)
  }

  /// Decodes a file's bytes.
  ///
  /// - Parameter path: the file's name, for messages.
  /// - Throws: `PNGError`.
  package static func decode(_ bytes: [UInt8], path: String) throws(PNGError) -> Surface {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(PNGError) in try decode(bytes, path) }
    }
    let surface = try result.get()
    premultiply(surface)
    return surface
  }

  /// Decodes to straight alpha. libpng reads from the bytes until the end of this.
  private static func decode(_ bytes: UnsafeRawBufferPointer, _ path: String) throws(PNGError) -> Surface {
    guard !bytes.isEmpty else { throw PNGError(path: path, reason: .broken("the file is empty")) }
    var image = png_image()
    guard touchtree_png_begin(&image, bytes.baseAddress, bytes.count) != 0 else {
      throw PNGError(path: path, reason: .broken(message(of: &image)))
    }
    let (width, height) = (Int(image.width), Int(image.height))
    guard width <= largestSide, height <= largestSide else {
      touchtree_png_abandon(&image)
      throw PNGError(path: path, reason: .pictureTooLarge(width: width, height: height))
    }
    guard let surface = try? Surface(width: width, height: height) else {
      touchtree_png_abandon(&image)
      throw PNGError(path: path, reason: .broken("no memory for \(width)x\(height) pixels"))
    }
    guard touchtree_png_finish(&image, surface.pixels) != 0 else {
      throw PNGError(path: path, reason: .broken(message(of: &image)))
    }
    return surface
  }

  private static func premultiply(_ surface: Surface) {
    let pixels = surface.pixels
    for index in 0..<surface.width * surface.height {
      let pixel = pixels[index]
      let alpha = pixel >> 24
      if alpha < 255 { pixels[index] = cover(pixel | 0xff00_0000, alpha) }
    }
  }

  private static func message(of image: inout png_image) -> String {
    String(cString: touchtree_png_message(&image))
  }

  private static func bytes(of path: String) throws(PNGError) -> [UInt8] {
    do {
      // Not blocking: a pipe in the place of a file must not stop the daemon.
      let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
      defer { try? file.close() }
      var status = stat()
      guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw PNGError(path: path, reason: .broken("not a regular file"))
      }
      guard status.st_size <= largestFile else {
        throw PNGError(path: path, reason: .fileTooLarge(bytes: Int(status.st_size)))
      }
      return try readAll(file, count: Int(status.st_size))
    } catch let error as PNGError {
      throw error
    } catch {
      throw PNGError(path: path, reason: .file(error as? Errno ?? .ioError))
    }
  }

  /// As many bytes as the file had when it was asked, or fewer if it shrank since.
  private static func readAll(_ file: FileDescriptor, count: Int) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let part = try file.read(into: rest)
        if part == 0 { break }
        filled += part
      }
    }
  }
}
