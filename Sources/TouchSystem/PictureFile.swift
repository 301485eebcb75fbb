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
  /// - Throws: why no picture can be read from it, as a clause that follows the file's name.
  package init(_ path: String) throws(Failure) {
    let start: [UInt8]
    do {
      start = try FileContents.read(path, upTo: Self.headerLength, waits: false)
    } catch .noSuchFileOrDirectory {
      throw Failure(
        Self.isAddress(path)
          ? "is an address, and touchtree reads files alone; download it, and give the file's path"
          : "does not exist; paths are relative to the file that names them")
    } catch {
      throw Failure("cannot be read: \(error); check the file")
    }
    guard start.starts(with: Self.signature) else { throw Failure("is not a PNG file; convert it") }
    guard start.count == Self.headerLength else { throw Failure("is cut in its header; make the file again") }
    // The header chunk comes first. (PNG specification, 11.2.2.)
    func number(at offset: Int) -> Int { start[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    (width, height) = (number(at: 16), number(at: 20))
  }

  /// Why a file cannot be shown, as far as its beginning says, as a clause that follows its name; nil where it can.
  package static func problem(at path: String) -> String? {
    do throws(Failure) {
      let picture = try PictureFile(path)
      guard max(picture.width, picture.height) > largestSide else { return nil }
      return
        "is \(picture.width)x\(picture.height) pixels; at most \(largestSide)x\(largestSide) are read, so "
        + "make it smaller"
    } catch {
      return error.message
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
