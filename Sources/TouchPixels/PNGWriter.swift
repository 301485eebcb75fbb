import CPNG
import Glibc
import SystemPackage

/// Writes surfaces as PNG files: 8 bits of red, green and blue, without alpha. The same pixels give the same bytes.
package enum PNGWriter {
  /// The path that stands for standard output.
  package static let standardOutput = "-"

  /// Writes a picture to a path, wholly or not at all: it is written beside the path and then renamed.
  /// A path that leads to a pipe or a device is written to as it is, and `-` is standard output, unless that is a terminal.
  ///
  /// - Throws: `PNGError`.
  package static func write(_ surface: Surface, to path: String) throws(PNGError) {
    let isStandardOutput = path == standardOutput
    if isStandardOutput && isatty(STDOUT_FILENO) == 1 { throw PNGError(path: path, reason: .terminal) }
    let bytes = try encode(surface, path: path)
    do {
      if isStandardOutput {
        _ = try FileDescriptor.standardOutput.writeAll(bytes)
      } else {
        try FileReplacement.write(bytes, to: path)
      }
    } catch {
      throw PNGError(path: path, reason: .file(error as? Errno ?? .ioError))
    }
  }

  /// The file's bytes.
  ///
  /// - Parameter path: the file's name, for messages.
  /// - Throws: `PNGError`.
  package static func encode(_ surface: Surface, path: String = "picture") throws(PNGError) -> [UInt8] {
    let rows = rgb(surface)
    var image = png_image()
    let bound = touchtree_png_bound(UInt32(surface.width), UInt32(surface.height))
    var isEncoded = false
    let bytes = [UInt8](unsafeUninitializedCapacity: bound) { buffer, filled in
      var count = bound
      isEncoded =
        touchtree_png_encode(
          &image, UInt32(surface.width), UInt32(surface.height), rows, buffer.baseAddress, &count) != 0
      filled = isEncoded ? count : 0
    }
    guard isEncoded else {
      throw PNGError(path: path, reason: .notEncoded(String(cString: touchtree_png_message(&image))))
    }
    return bytes
  }

  private static func rgb(_ surface: Surface) -> [UInt8] {
    let count = surface.width * surface.height
    return [UInt8](unsafeUninitializedCapacity: count * 3) { buffer, filled in
      for index in 0..<count {
        let pixel = surface.pixels[index]
        buffer[index * 3] = UInt8(truncatingIfNeeded: pixel >> 16)
        buffer[index * 3 + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
        buffer[index * 3 + 2] = UInt8(truncatingIfNeeded: pixel)
      }
      filled = count * 3
    }
  }
}
