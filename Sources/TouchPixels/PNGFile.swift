import CPNG
import Glibc
import SystemPackage
import TouchCore
import TouchSystem
import TouchViews

/// Reads PNG files of any kind: grey, palette, 16-bit, interlaced.
package enum PNGReader {
  /// The largest side, in pixels.
  package static let largestSide = PictureFile.largestSide
  /// The largest file, in bytes: an uncompressed picture of the largest size and some more.
  package static let largestFile = 80 << 20

  /// Reads a picture.
  ///
  /// - Throws: `DisplayError`.
  package static func read(path: String) throws(DisplayError) -> Surface {
    try decode(try bytes(of: path), path: path)
  }

  /// Decodes a file's bytes.
  ///
  /// - Parameter path: the file's name, for messages.
  /// - Throws: `DisplayError`.
  package static func decode(_ bytes: [UInt8], path: String) throws(DisplayError) -> Surface {
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(DisplayError) in try decode(bytes, path) }
    }
    let surface = try result.get()
    premultiply(surface)
    return surface
  }

  /// Decodes to straight alpha. libpng reads from the bytes only during this call.
  private static func decode(_ bytes: UnsafeRawBufferPointer, _ path: String) throws(DisplayError) -> Surface
  {
    guard !bytes.isEmpty else { throw .broken(path, "the file is empty") }
    var image = png_image()
    guard touchtree_png_begin(&image, bytes.baseAddress, bytes.count) != 0 else {
      throw .broken(path, message(of: &image))
    }
    let (width, height) = (Int(image.width), Int(image.height))
    guard width <= largestSide, height <= largestSide else {
      touchtree_png_abandon(&image)
      throw DisplayError(
        .badPicture, path: path,
        detail: "the picture is \(width)x\(height) pixels; at most \(largestSide)x\(largestSide) are read")
    }
    guard let surface = try? Surface(width: width, height: height) else {
      touchtree_png_abandon(&image)
      throw .broken(path, "no memory for \(width)x\(height) pixels")
    }
    guard touchtree_png_finish(&image, surface.pixels) != 0 else {
      throw .broken(path, message(of: &image))
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

  static func bytes(of path: String) throws(DisplayError) -> [UInt8] {
    do {
      // Without blocking: a pipe instead of a file must not stop the daemon.
      let file = try FileContents.open(path, waits: false)
      defer { try? file.close() }
      var status = stat()
      guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw DisplayError.broken(path, "not a regular file")
      }
      guard status.st_size <= largestFile else {
        throw DisplayError(
          .badPicture, path: path,
          detail: "the file has \(status.st_size) bytes; at most \(largestFile) are read")
      }
      return try FileContents.read(file, upTo: Int(status.st_size))
    } catch let error as DisplayError {
      throw error
    } catch {
      throw .file(path, error)
    }
  }
}

/// Writes surfaces as PNG files: 8 bits each of red, green and blue, without alpha. Equal pixels give equal bytes.
package enum PNGWriter {
  /// The path that stands for standard output.
  package static let standardOutput = "-"

  /// Writes a picture to a file, completely or not at all: it writes a temporary file and renames it. A pipe or a device
  /// is written directly, and `-` is standard output, unless that is a terminal.
  ///
  /// - Throws: `DisplayError`.
  package static func write(_ surface: Surface, to path: String) throws(DisplayError) {
    let isStandardOutput = path == standardOutput
    if isStandardOutput && isatty(STDOUT_FILENO) == 1 {
      throw DisplayError(
        .terminalOutput, path: path,
        detail:
          "standard output is a terminal, and a picture is not text; use -o FILE.png, or redirect the output "
          + "with | or >")
    }
    let bytes = try encode(surface, path: path)
    do {
      if isStandardOutput {
        _ = try FileDescriptor.standardOutput.writeAll(bytes)
      } else {
        try FileContents.replace(path, with: bytes, for: .output)
      }
    } catch {
      throw .file(path, error)
    }
  }

  /// The file's bytes.
  ///
  /// - Parameter path: the file's name, for messages.
  /// - Throws: `DisplayError`.
  package static func encode(_ surface: Surface, path: String = "picture") throws(DisplayError) -> [UInt8] {
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
      throw DisplayError(
        .badPicture, path: path,
        detail: "the picture could not be encoded: \(String(cString: touchtree_png_message(&image)))")
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

extension PictureVersion {
  /// Looks at a file. (stat(2))
  package init(ofFile path: String) {
    var identity = Identity()
    var status = stat()
    if stat(path, &status) == 0 {
      identity.device = UInt64(status.st_dev)
      identity.inode = UInt64(status.st_ino)
      identity.size = Int64(status.st_size)
      identity.modified = Self.nanoseconds(status.st_mtim)
    }
    self.init(identity, time: Self.now(CLOCK_MONOTONIC), now: Self.now(CLOCK_REALTIME))
  }

  private static func now(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return nanoseconds(time)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension DisplayError {
  /// A picture that cannot be decoded.
  ///
  /// - Parameter reason: libpng's message, or what is wrong with the file.
  fileprivate static func broken(_ path: String, _ reason: String) -> DisplayError {
    DisplayError(.badPicture, path: path, detail: "not a readable PNG: \(reason)")
  }

  /// A picture's file that cannot be opened, read, written or renamed.
  fileprivate static func file(_ path: String, _ error: any Error) -> DisplayError {
    DisplayError(
      .file, path: path, cause: (error as? SystemError)?.errno ?? error as? Errno ?? .ioError)
  }
}
