import SystemPackage

/// Why a PNG file could not be read or written.
package struct PNGError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, with the details that there are.
  package enum Reason: Hashable, Sendable {
    /// The file could not be opened, read, written or renamed.
    case file(Errno)
    /// The file is larger than `PNGReader.largestFile` bytes.
    case fileTooLarge(bytes: Int)
    /// The picture is larger than `PNGReader.largestSide` on a side.
    case pictureTooLarge(width: Int, height: Int)
    /// The file is no PNG, or a broken one: libpng's words.
    case broken(String)
    /// Standard output is a terminal, which would show the file's bytes as characters.
    case terminal
    /// libpng could not encode the picture, or there was no memory: libpng's words.
    case notEncoded(String)
  }

  /// The file, as it was named.
  package let path: String
  package let reason: Reason

  package var description: String {
    switch reason {
    case .file(let cause):
      "\(path): \(cause)"
    case .fileTooLarge(let bytes):
      "\(path): the file has \(bytes) bytes; at most \(PNGReader.largestFile) are read"
    case .pictureTooLarge(let width, let height):
      "\(path): the picture is \(width)x\(height) pixels; at most \(PNGReader.largestSide)x\(PNGReader.largestSide) "
        + "are read"
    case .broken(let message):
      "\(path): not a readable PNG: \(message)"
    case .terminal:
      "standard output is a terminal, and a picture is not text; write -o FILE.png, or send it on with | or >"
    case .notEncoded(let message):
      "\(path): the picture could not be encoded: \(message)"
    }
  }
}
