import CJPEG
import TouchSystem

/// Decodes a JPEG file with libjpeg-turbo, turned, and reduced if larger than any display.
final class PhotoRows: PictureRows {
  let surface: Surface
  private let file: PictureFile
  private let bytes: PictureBytes
  private let photo: UnsafeMutablePointer<touchtree_photo>
  private let stored: Surface
  private var (rows, height) = (0, 0)

  /// The bytes of the file that are read for a piece. A progressive photo has no rows before its last byte.
  private static let piece = 1 << 14

  init(_ bytes: PictureBytes, _ file: PictureFile) throws(DisplayError) {
    let path = bytes.path
    let isAcross = file.orientation >= 5
    let (width, height) = isAcross ? (file.height, file.width) : (file.width, file.height)
    guard let surface = try? Surface(width: file.width, height: file.height),
      let stored = try? Surface(width: width, height: min(height, max(1, PictureDecoding.piece / width)))
    else { throw .noMemory(width, height, path) }
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
    (self.bytes, self.file, self.surface, self.stored, self.photo) = (bytes, file, surface, stored, photo)
    self.height = height
  }

  deinit { touchtree_photo_end(photo) }

  func decode(pixels: Int) throws(DisplayError) -> Bool {
    // A photo that is reduced has more pixels to read than to show.
    let count = min(stored.height, max(1, pixels / (stored.width * file.reduction * file.reduction)))
    let answer = touchtree_photo_decode(
      photo, Self.piece, stored.pixels, UInt32(count), UInt32(clamping: pixels))
    guard answer >= 0 else {
      let reason = String(cString: touchtree_photo_message(photo))
      throw DisplayError(.badPicture, path: bytes.path, detail: "the picture cannot be decoded: \(reason)")
    }
    let hasInks = touchtree_photo_has_inks(photo) != 0
    for row in 0..<Int(answer) { place(row, hasInks: hasInks) }
    rows += Int(answer)
    return rows == height
  }

  /// Puts a row in its place. (EXIF 2.32, 4.6.4: the visible place of the first row and the first column.)
  private func place(_ row: Int, hasInks: Bool) {
    let (width, line) = (surface.width, rows + row)
    let (right, last) = (stored.width - 1, height - 1 - line)
    /// The index of the row's first pixel, and the distance to the next one.
    let (first, step) =
      switch file.orientation {
      case 2: (line * width + right, -1)
      case 3: (last * width + right, -1)
      case 4: (last * width, 1)
      case 5: (line, width)
      case 6: (last, width)
      case 7: (right * width + last, -width)
      case 8: (right * width + line, -width)
      default: (line * width, 1)
      }
    let pixels = stored.pixels + row * stored.width
    for column in 0..<stored.width {
      // The bytes are blue, green, red and alpha, or four inks, on every machine.
      let pixel = UInt32(littleEndian: pixels[column])
      surface.pixels[first + column * step] = hasInks ? Self.color(ofInks: pixel) : pixel | 0xff00_0000
    }
  }

  /// Returns the colour of cyan, magenta, yellow and black, each of them inverted.
  private static func color(ofInks inks: UInt32) -> UInt32 {
    let black = inks >> 24
    func light(_ ink: UInt32) -> UInt32 { ((ink & 255) * black + 127) / 255 }
    return 0xff00_0000 | light(inks) << 16 | light(inks >> 8) << 8 | light(inks >> 16)
  }
}

/// libjpeg-turbo, loaded when the first photo is read.
private enum PhotoLibrary {
  static let shared = Result { () throws(MissingLibrary) in
    try LoadedLibrary("libjpeg", touchtree_jpeg(), by: { touchtree_jpeg_load($1) })
  }
}
