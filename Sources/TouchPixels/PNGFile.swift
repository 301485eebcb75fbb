import CPNG
import Glibc
import SystemPackage
import TouchSystem
import TouchViews

/// Reads PNG files of any kind: grey, palette, 16-bit, interlaced.
package enum PNGReader {
  /// The largest side, in pixels.
  package static let largestSide = PictureFile.largestSide
  /// The size of the largest file, in bytes: an uncompressed picture of the largest size and some more.
  package static let largestFile = 80 << 20

  /// Reads a picture.
  package static func read(path: String) throws(DisplayError) -> Surface {
    let bytes = try PictureBytes(path: path)
    while try !bytes.readMore() {}
    return try decode(bytes)
  }

  package static func decode(_ bytes: [UInt8], path: String) throws(DisplayError) -> Surface {
    try decode(PictureBytes(bytes, path: path))
  }

  private static func decode(_ bytes: PictureBytes) throws(DisplayError) -> Surface {
    let rows = try PNGRows(bytes)
    while try !rows.decode(pixels: .max) {}
    return rows.surface
  }
}

final class PNGRows: PictureRows {
  let surface: Surface
  private let bytes: PictureBytes
  private let reader: Reader

  /// Frees libpng's memory.
  private final class Reader {
    let png = UnsafeMutablePointer<touchtree_png>.allocate(capacity: 1)

    deinit {
      touchtree_png_end(png)
      png.deallocate()
    }

    var reason: String { String(cString: touchtree_png_reason(png)) }
  }

  init(_ bytes: PictureBytes) throws(DisplayError) {
    guard !bytes.bytes.isEmpty else { throw .broken(bytes.path, "the file is empty") }
    let reader = Reader()
    let png = reader.png
    guard touchtree_png_begin(png, bytes.bytes.baseAddress, bytes.bytes.count) != 0 else {
      throw .broken(bytes.path, reader.reason)
    }
    let (width, height) = (Int(png.pointee.width), Int(png.pointee.height))
    let most = PNGReader.largestSide
    guard width <= most, height <= most else {
      throw DisplayError(
        .badPicture, path: bytes.path,
        detail: "the picture is \(width)x\(height) pixels; at most \(most)x\(most) are read")
    }
    guard let surface = try? Surface(width: width, height: height) else {
      throw .broken(bytes.path, "no memory for \(width)x\(height) pixels")
    }
    guard touchtree_png_start(png) != 0 else { throw .broken(bytes.path, reader.reason) }
    (self.bytes, self.surface, self.reader) = (bytes, surface, reader)
  }

  func decode(pixels: Int) throws(DisplayError) -> Bool {
    let count = max(1, pixels / surface.width)
    let png = reader.png
    let isLastPass = png.pointee.pass + 1 >= png.pointee.passes
    let first = Int(png.pointee.row)
    guard touchtree_png_rows(png, surface.pixels, UInt32(clamping: count)) != 0 else {
      throw .broken(bytes.path, reader.reason)
    }
    guard isLastPass else { return false }
    let isWhole = png.pointee.pass == png.pointee.passes
    premultiply(first..<(isWhole ? surface.height : Int(png.pointee.row)))
    return isWhole
  }

  private func premultiply(_ rows: Range<Int>) {
    let pixels = surface.pixels
    for index in rows.lowerBound * surface.width..<rows.upperBound * surface.width {
      let pixel = pixels[index]
      let alpha = pixel >> 24
      if alpha < 255 { pixels[index] = cover(pixel | 0xff00_0000, alpha) }
    }
  }
}

/// Writes surfaces as PNG: 8 bits each of red, green and blue, no alpha, always the same bytes.
package enum PNGWriter {
  package static let standardOutput = "-"

  /// Writes a picture by a temporary file, or directly to a pipe, a device or `-`, unless that is a terminal.
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

  /// Returns the file's bytes; the path is for messages.
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
  /// Reads the status of a file. (stat(2))
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
  static func broken(_ path: String, _ reason: String) -> DisplayError {
    DisplayError(.badPicture, path: path, detail: "not a readable PNG: \(reason)")
  }

  static func file(_ path: String, _ error: any Error) -> DisplayError {
    DisplayError(.file, path: path, cause: (error as? SystemError)?.errno ?? error as? Errno ?? .ioError)
  }
}
