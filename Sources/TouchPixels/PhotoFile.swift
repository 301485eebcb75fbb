import CJPEG
import TouchCore
import TouchSystem

/// Reads PNG and JPEG files, whichever they are by their first bytes.
package enum PictureReader {
  /// Reads a picture.
  ///
  /// - Throws: `DisplayError`.
  package static func read(path: String) throws(DisplayError) -> Surface {
    try decode(try PNGReader.bytes(of: path), path: path)
  }

  /// Decodes a file's bytes.
  ///
  /// - Parameter path: the file's name, for messages.
  /// - Throws: `DisplayError`.
  package static func decode(_ bytes: [UInt8], path: String) throws(DisplayError) -> Surface {
    guard bytes.starts(with: PictureFile.jpegSignature) else {
      return try PNGReader.decode(bytes, path: path)
    }
    return try PhotoReader.decode(bytes, path: path)
  }

  /// The width and height of a picture as it is shown, in pixels, without decoding it; nil for what is neither PNG nor JPEG.
  package static func size(path: String) -> Size? {
    guard let picture = try? PictureFile(path) else { return nil }
    return Size(width: Double(picture.width), height: Double(picture.height))
  }
}

/// Decodes JPEG files with libjpeg-turbo, turns them as the camera was held, and makes those smaller that are larger than any display.
enum PhotoReader {
  static func decode(_ bytes: [UInt8], path: String) throws(DisplayError) -> Surface {
    let file: PictureFile
    do throws(Failure) {
      file = try PictureFile(bytes)
    } catch {
      throw DisplayError(.badPicture, path: path, detail: "the file \(error.message)")
    }
    let most = PictureFile.largestSide
    guard (1...most).contains(file.width), (1...most).contains(file.height) else {
      throw DisplayError(
        .badPicture, path: path,
        detail: "the picture is \(file.width)x\(file.height) pixels; at most \(most)x\(most) are read")
    }
    let isAcross = file.orientation >= 5
    let (width, height) = isAcross ? (file.height, file.width) : (file.width, file.height)
    guard let surface = try? Surface(width: width, height: height) else {
      throw DisplayError(.badPicture, path: path, detail: "no memory for \(width)x\(height) pixels")
    }
    try decompress(bytes, into: surface, path)
    guard file.orientation != 1 else { return surface }
    guard let turned = try? Surface(width: file.width, height: file.height) else {
      throw DisplayError(.badPicture, path: path, detail: "no memory for \(width)x\(height) pixels")
    }
    turn(surface, by: file.orientation, into: turned)
    return turned
  }

  private static func decompress(
    _ bytes: [UInt8], into surface: Surface, _ path: String
  ) throws(DisplayError) {
    let functions: touchtree_jpeg
    switch PhotoLibrary.shared {
    case .success(let library): functions = library.functions
    case .failure(let missing):
      throw DisplayError(
        .badPicture, path: path,
        detail: "\(missing.reason), which reads photos; install Debian's libturbojpeg0")
    }
    guard let handle = functions.begin() else {
      throw DisplayError(.badPicture, path: path, detail: "no memory for libjpeg-turbo")
    }
    defer { _ = functions.end(handle) }
    let answer = bytes.withUnsafeBufferPointer { bytes in
      functions.decompress(
        handle, bytes.baseAddress, UInt(bytes.count),
        UnsafeMutableRawPointer(surface.pixels).assumingMemoryBound(to: UInt8.self),
        Int32(surface.width), Int32(4 * surface.width), Int32(surface.height), touchtree_jpeg_pixels, 0)
    }
    // What is only odd, or cut at its end, is shown as far as it goes.
    guard answer == 0 || functions.code(handle) == touchtree_jpeg_warning else {
      let reason = functions.message(handle).map { String(cString: $0) } ?? "unknown"
      throw DisplayError(.badPicture, path: path, detail: "the picture cannot be decoded: \(reason)")
    }
    // The bytes are blue, green, red and alpha, on every machine.
    for index in 0..<surface.width * surface.height {
      surface.pixels[index] = UInt32(littleEndian: surface.pixels[index]) | 0xff00_0000
    }
  }

  /// (EXIF 2.32, 4.6.4: where the first row and the first column are seen.)
  private static func turn(_ stored: Surface, by orientation: Int, into shown: Surface) {
    let (right, bottom) = (stored.width - 1, stored.height - 1)
    for y in 0..<shown.height {
      for x in 0..<shown.width {
        let (column, row) =
          switch orientation {
          case 2: (right - x, y)
          case 3: (right - x, bottom - y)
          case 4: (x, bottom - y)
          case 5: (y, x)
          case 6: (y, bottom - x)
          case 7: (right - y, bottom - x)
          case 8: (right - y, x)
          default: (x, y)
          }
        shown.pixels[y * shown.width + x] = stored.pixels[row * stored.width + column]
      }
    }
  }
}

/// libjpeg-turbo, loaded when the first photo is read.
private struct PhotoLibrary: @unchecked Sendable {
  struct Missing: Error { let reason: String }

  let functions: touchtree_jpeg

  /// It is never unloaded.
  static let shared = Result { () throws(Missing) in try PhotoLibrary("libturbojpeg.so.0") }

  private init(_ name: String) throws(Missing) {
    var functions = touchtree_jpeg()
    if let reason = touchtree_jpeg_load(name, &functions) {
      throw Missing(reason: String(cString: reason))
    }
    self.functions = functions
  }
}
