import CJPEG
import TouchCore
import TouchSystem

/// Decodes a JPEG file with libjpeg-turbo, and makes one smaller that is larger than any display. It is not turned yet.
final class PhotoRows: PictureRows {
  let surface: Surface
  let file: PictureFile
  private let bytes: PictureBytes
  private let photo: UnsafeMutablePointer<touchtree_photo>

  /// How many bytes of the file are looked at for a piece. A progressive photo has no rows before its last byte.
  private static let piece = 1 << 14

  init(_ bytes: PictureBytes) throws(DisplayError) {
    let path = bytes.path
    do throws(Failure) {
      file = try PictureFile(bytes.header)
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
      throw .noMemory(width, height, path)
    }
    var functions: touchtree_jpeg
    switch PhotoLibrary.shared {
    case .success(let library): functions = library.functions
    case .failure(let missing):
      throw DisplayError(
        .badPicture, path: path,
        detail: "\(missing.reason), which reads photos; install Debian's libjpeg62-turbo")
    }
    guard
      let photo = touchtree_photo_begin(
        &functions, bytes.bytes.baseAddress, bytes.bytes.count, UInt32(width), UInt32(height),
        UInt32(file.reduction))
    else { throw DisplayError(.badPicture, path: path, detail: "no memory for libjpeg-turbo") }
    (self.bytes, self.surface, self.photo) = (bytes, surface, photo)
  }

  deinit { touchtree_photo_end(photo) }

  private var rows = 0

  func decode(_ count: Int) throws(DisplayError) -> Bool {
    let answer = Int(touchtree_photo_decode(photo, Self.piece, surface.pixels, UInt32(count)))
    guard answer >= 0 else {
      let reason = String(cString: touchtree_photo_message(photo))
      throw DisplayError(
        .badPicture, path: bytes.path, detail: "the picture cannot be decoded: \(reason)")
    }
    // The bytes are blue, green, red and alpha, on every machine.
    for index in rows * surface.width..<answer * surface.width {
      surface.pixels[index] = UInt32(littleEndian: surface.pixels[index]) | 0xff00_0000
    }
    rows = answer
    return rows == surface.height
  }
}

extension Surface {
  /// Turns rows of a photo as its camera was held. (EXIF 2.32, 4.6.4: where the first row and the first column are seen.)
  func turn(to shown: Surface, by orientation: Int, rows: Range<Int>) {
    let (right, bottom) = (width - 1, height - 1)
    for y in rows {
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
        shown.pixels[y * shown.width + x] = pixels[row * width + column]
      }
    }
  }
}

/// libjpeg-turbo, loaded when the first photo is read.
private struct PhotoLibrary: @unchecked Sendable {
  struct Missing: Error { let reason: String }

  let functions: touchtree_jpeg

  /// It is never unloaded.
  static let shared = Result { () throws(Missing) in try PhotoLibrary() }

  private init() throws(Missing) {
    var functions = touchtree_jpeg()
    if let reason = touchtree_jpeg_load(&functions) {
      throw Missing(reason: String(cString: reason))
    }
    self.functions = functions
  }
}
