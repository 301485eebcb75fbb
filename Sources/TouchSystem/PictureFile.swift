import SystemPackage

/// The beginning of a PNG file: whether it is one, and how large its picture is. Nothing is decoded.
package struct PictureFile {
  /// The largest side of a picture that is shown, in pixels.
  package static let largestSide = 4096

  /// In pixels.
  package let width: Int
  package let height: Int

  /// Looks at a file. A pipe is not waited for.
  ///
  /// - Throws: why no picture can be read from it.
  package init(_ path: String) throws(PictureProblem) {
    let start: [UInt8]
    do {
      start = try FileContents.read(path, upTo: Self.headerLength, waits: false)
    } catch .noSuchFileOrDirectory {
      throw Self.isAddress(path) ? .address : .missing
    } catch {
      throw .unreadable(error)
    }
    guard start.starts(with: Self.signature) else { throw .notPNG }
    guard start.count == Self.headerLength else { throw .broken }
    // The header chunk comes first. (PNG specification, 11.2.2.)
    func number(at offset: Int) -> Int { start[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    (width, height) = (number(at: 16), number(at: 20))
  }

  /// Why a file cannot be shown, as far as its beginning says; nil where it can.
  package static func problem(at path: String) -> PictureProblem? {
    do throws(PictureProblem) {
      let picture = try PictureFile(path)
      return max(picture.width, picture.height) <= largestSide
        ? nil : .tooLarge(width: picture.width, height: picture.height)
    } catch {
      return error
    }
  }

  /// (PNG specification, 5.2.)
  package static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// The signature, and the header chunk as far as the sides.
  private static let headerLength = 24

  /// Whether a path is an address of the web. A path that was made relative to a folder has it behind that.
  private static func isAddress(_ path: String) -> Bool {
    ["http:/", "https:/"].contains { scheme in
      path.hasPrefix(scheme) || path.split(separator: "/").contains { $0 + "/" == scheme }
    }
  }
}

/// Why a picture cannot be shown.
package enum PictureProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case missing
  /// It is no path but an address of the web.
  case address
  case unreadable(Errno)
  case notPNG
  /// Its header is cut.
  case broken
  /// In pixels.
  case tooLarge(width: Int, height: Int)

  /// What follows the file's name in a message.
  package var description: String {
    switch self {
    case .missing: "does not exist; paths are relative to the file that names them"
    case .address: "is an address, and touchtree reads files alone; download it, and give the file's path"
    case .unreadable(let cause): "cannot be read: \(cause); check the file"
    case .notPNG: "is not a PNG file; convert it"
    case .broken: "is cut in its header; make the file again"
    case .tooLarge(let width, let height):
      "is \(width)x\(height) pixels; at most \(PictureFile.largestSide)x\(PictureFile.largestSide) are read, so "
        + "make it smaller"
    }
  }
}
