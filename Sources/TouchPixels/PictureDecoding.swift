import TouchCore
import TouchSystem

/// Decodes a PNG or JPEG file, or a frame, in pieces of about a millisecond, after any of which a turn can
/// end.
package final class PictureDecoding {
  private enum Stage {
    case reading
    case decoding(any PictureRows)
  }

  private let bytes: PictureBytes
  private var stage = Stage.reading

  /// The pixels of a piece, at least a row.
  static let piece = 16_384

  /// Opens a file; it is read piece by piece, too.
  package init(path: String) throws(DisplayError) { bytes = try PictureBytes(path: path) }

  /// - Parameter path: the file's name, for messages.
  init(_ bytes: [UInt8], path: String) { self.bytes = PictureBytes(bytes, path: path) }

  /// The length of the file, in bytes.
  package var length: Int { bytes.length }

  /// Decodes one piece: returns the picture when it is whole; nil before. An error ends it.
  package func advance() throws(DisplayError) -> Surface? {
    switch stage {
    case .reading:
      guard try bytes.readMore() else { return nil }
      stage = .decoding(try rows())
      return nil
    case .decoding(let rows): return try rows.decode(pixels: Self.piece) ? rows.surface : nil
    }
  }

  private func rows() throws(DisplayError) -> any PictureRows {
    let file: PictureFile
    do throws(Failure) {
      file = try PictureFile(bytes.header)
    } catch {
      throw DisplayError(.badPicture, path: bytes.path, detail: "the file \(error.message)")
    }
    if let problem = file.problem {
      throw DisplayError(.badPicture, path: bytes.path, detail: "the picture \(problem)")
    }
    return switch file.format {
    case .png: try PNGRows(bytes)
    case .jpeg: try PhotoRows(bytes, file)
    case .frame(let start, let stride): try FrameRows(bytes, file, start: start, stride: stride)
    }
  }

  func finish() throws(DisplayError) -> Surface {
    while true { if let picture = try advance() { return picture } }
  }
}

protocol PictureRows: AnyObject {
  var surface: Surface { get }

  /// Decodes up to a number of further pixels, at least a row. Returns whether the picture is whole.
  func decode(pixels: Int) throws(DisplayError) -> Bool
}

/// Reads PNG and JPEG files, and frames; their first bytes show the format.
package enum PictureReader {
  package static func read(path: String) throws(DisplayError) -> Surface {
    try PictureDecoding(path: path).finish()
  }

  /// Decodes a file's bytes; the path is for messages.
  package static func decode(_ bytes: [UInt8], path: String) throws(DisplayError) -> Surface {
    try PictureDecoding(bytes, path: path).finish()
  }

  /// Returns the size of a picture as shown, in pixels, by its header; nil for another format.
  package static func size(path: String) -> Size? {
    guard let picture = try? PictureFile(path) else { return nil }
    return Size(width: Double(picture.width), height: Double(picture.height))
  }
}

extension DisplayError {
  static func noMemory(_ width: Int, _ height: Int, _ path: String) -> DisplayError {
    DisplayError(.badPicture, path: path, detail: "no memory for \(width)x\(height) pixels")
  }
}
