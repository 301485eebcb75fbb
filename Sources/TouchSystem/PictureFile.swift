/// The header of a PNG or a JPEG file, or of a frame: the format and the size of its picture. Nothing is
/// decoded.
package struct PictureFile {
  /// The format of a file, by its first bytes.
  package enum Format: Sendable, Equatable {
    case png, jpeg
    /// The pixels of a camera or a video, after a line `XRGB8888 WIDTH HEIGHT STRIDE`: the bytes before the
    /// first row, and those from one row to the next.
    case frame(start: Int, stride: Int)
  }

  /// The largest side of a picture that is shown, in pixels.
  package static let largestSide = 4096

  package let format: Format
  /// The width in pixels as it is shown: turned, and reduced if it is a photo that is too large.
  package private(set) var width: Int
  package private(set) var height: Int
  /// The way in which the camera was held: 1 to 8. (EXIF 2.32, 4.6.4: the tag Orientation.)
  package private(set) var orientation = 1
  package private(set) var reduction = 1
  private var storedWidth = 0, storedHeight = 0

  /// Reads a file's header without waiting for a pipe. An error is a clause that follows the file's name.
  package init(_ path: String) throws(Failure) {
    let start = try Self.start(of: path, Self.longestLine)
    if start.starts(with: Self.jpegSignature) {
      try self.init(ofPhoto: Self.start(of: path, Self.photoHeaderLength))
    } else {
      try self.init(start)
    }
  }

  /// Reads the header in the bytes of a file, or in enough of them, or throws as above.
  package init(_ bytes: [UInt8]) throws(Failure) {
    if bytes.starts(with: Self.jpegSignature) {
      try self.init(ofPhoto: bytes)
    } else if bytes.starts(with: Self.frameWord) {
      try self.init(ofFrame: bytes)
    } else {
      try self.init(ofDrawing: bytes)
    }
  }

  private init(ofDrawing bytes: [UInt8]) throws(Failure) {
    guard bytes.starts(with: Self.signature) else {
      guard !bytes.isEmpty else { throw Failure("is empty; write it again") }
      if let other = Self.otherFormat(bytes) { throw Failure("is \(other); convert it to PNG or JPEG") }
      throw Failure("is neither a PNG nor a JPEG file; convert it")
    }
    guard bytes.count >= Self.headerLength else { throw Failure("is cut in its header; make the file again") }
    // The header chunk comes first. (PNG specification, 11.2.2.)
    func number(at offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    format = .png
    (width, height) = (number(at: 16), number(at: 20))
  }

  /// Reads the line before the pixels of a frame.
  private init(ofFrame bytes: [UInt8]) throws(Failure) {
    let line = bytes.prefix(Self.longestLine).prefix { $0 != UInt8(ascii: "\n") }
    let numbers = line.dropFirst(Self.frameWord.count).split(separator: UInt8(ascii: " ")).map {
      Int(String(decoding: $0, as: UTF8.self)) ?? 0
    }
    guard line.count < min(bytes.count, Self.longestLine), numbers.count == 3, numbers[0] > 0, numbers[1] > 0,
      numbers[0] <= 1 << 20, numbers[2] >= 4 * numbers[0], numbers[2] <= 1 << 24
    else {
      throw Failure(
        "begins with no line XRGB8888 WIDTH HEIGHT STRIDE, with at least 4 bytes a pixel in STRIDE; mend it")
    }
    format = .frame(start: line.count + 1, stride: numbers[2])
    (width, height) = (numbers[0], numbers[1])
  }

  /// The format that people give in place of PNG or JPEG, by its first bytes.
  private static func otherFormat(_ bytes: [UInt8]) -> String? {
    func has(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
    if has("RIFF"), has("WEBP", at: 8) { return "a WebP picture" }
    if has("GIF8") { return "a GIF picture" }
    if has("BM") { return "a BMP picture" }
    if has("ftyp", at: 4) { return "a HEIF or AVIF picture" }
    if has("<svg") || has("<?xml") { return "an SVG drawing" }
    return nil
  }

  private static func start(of path: String, _ length: Int) throws(Failure) -> [UInt8] {
    do {
      return try FileContents.read(path, upTo: length, waits: false)
    } catch .noSuchFileOrDirectory {
      throw Failure(
        isAddress(path)
          ? "is an address, and touchtree reads files alone; download it, and give the file's path"
          : "does not exist; paths are relative to the file that names them")
    } catch {
      throw Failure("cannot be read: \(error); check the file")
    }
  }

  /// The reason why a file cannot be shown, by its header, as a clause that follows its name; nil if it can.
  package static func problem(at path: String) -> String? {
    do throws(Failure) {
      return try PictureFile(path).problem
    } catch {
      return error.message
    }
  }

  /// Why the picture is not shown, as a clause that follows the file's name; nil if it is.
  package var problem: String? {
    if width < 1 || height < 1 { return "has no pixels; make it again" }
    if max(width, height) > Self.largestSide {
      let most = Self.largestSide
      return "is \(width)x\(height) pixels; at most \(most)x\(most) are read, so make it smaller"
    }
    guard storedWidth * storedHeight > Self.mostPixels else { return nil }
    return "is \(storedWidth)x\(storedHeight) pixels; at most \(Self.mostPixels) are read, so make it smaller"
  }

  /// The most pixels, more than any camera has. A larger picture takes seconds of a processor.
  private static let mostPixels = 1 << 28

  /// The first bytes of a PNG file. (PNG specification, 5.2.)
  package static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  /// The start of the image, and the first byte of a marker. (ITU-T T.81, B.1.1.)
  package static let jpegSignature: [UInt8] = [0xff, 0xd8, 0xff]

  /// The first word of a frame: the kernel's name of its pixels, of which blue comes first in memory.
  /// (`DRM_FORMAT_XRGB8888`)
  private static let frameWord = Array("XRGB8888 ".utf8)
  /// The greatest length of a frame's first line.
  private static let longestLine = 64
  /// The length of the signature and of the header chunk up to the sides.
  private static let headerLength = 24
  /// The length of a camera's data before the picture: a small copy of it, and the place where it was taken.
  package static let photoHeaderLength = 1 << 18

  /// Whether a path is a web address, perhaps after the folder that it was made relative to.
  private static func isAddress(_ path: String) -> Bool {
    ["http:/", "https:/"].contains { scheme in
      path.hasPrefix(scheme) || path.split(separator: "/").contains { $0 + "/" == scheme }
    }
  }
}

// MARK: Photos

extension PictureFile {
  private static let mostReduction = 8

  /// Reads the segments up to the frame header, which has the sides. (ITU-T T.81, B.2.)
  private init(ofPhoto bytes: [UInt8]) throws(Failure) {
    format = .jpeg
    (width, height) = (0, 0)
    var offset = 2
    while offset + 4 <= bytes.count, bytes[offset] == 0xff {
      let marker = bytes[offset + 1]
      // Any number of 0xff may precede a marker.
      if marker == 0xff {
        offset += 1
        continue
      }
      let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
      let segment = bytes[
        min(offset + 4, bytes.count)..<min(max(offset + 4, offset + 2 + length), bytes.count)]
      switch marker {
      // The frames of every process; the others in the range are tables.
      case 0xc0...0xcf where marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
        guard segment.count >= 5 else { throw Failure("is cut in its header; make the file again") }
        let sides = segment.dropFirst().prefix(4).map(Int.init)
        setSize(width: sides[2] << 8 | sides[3], height: sides[0] << 8 | sides[1])
        return
      case 0xe1: orientation = Self.orientation(in: Array(segment)) ?? orientation
      default: break
      }
      offset += 2 + length
    }
    throw Failure("is cut in its header; make the file again")
  }

  private mutating func setSize(width: Int, height: Int) {
    (storedWidth, storedHeight) = (width, height)
    while reduction < Self.mostReduction, max(width, height) > Self.largestSide * reduction { reduction *= 2 }
    let sides = [width, height].map { ($0 + reduction - 1) / reduction }
    // From 5 on, the sides are exchanged.
    (self.width, self.height) = orientation < 5 ? (sides[0], sides[1]) : (sides[1], sides[0])
  }

  /// Returns the orientation that a camera noted in its own segment. (EXIF 2.32, 4.5; TIFF 6.0, section 2.)
  private static func orientation(in segment: [UInt8]) -> Int? {
    guard segment.starts(with: Array("Exif\0\0".utf8)), segment.count > 14 else { return nil }
    let tiff = Array(segment.dropFirst(6))
    let isLittle = tiff.starts(with: Array("II".utf8))
    func number(_ offset: Int, _ count: Int) -> Int {
      guard offset >= 0, offset + count <= tiff.count else { return 0 }
      let part = tiff[offset..<offset + count]
      return isLittle ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
    }
    let folder = number(4, 4)
    for entry in 0..<min(256, number(folder, 2)) {
      let place = folder + 2 + 12 * entry
      guard number(place, 2) == 0x112 else { continue }
      let value = number(place + 8, 2)
      return (1...8).contains(value) ? value : nil
    }
    return nil
  }
}
