import TouchCore
import TouchSystem

/// Decodes one PNG or JPEG file piece by piece, whichever it is by its first bytes. A piece takes about a millisecond, so that a turn of the
/// loop can end after any of them.
package final class PictureDecoding {
  private enum Stage {
    case reading
    case decoding(any PictureRows)
    /// A photo, as its camera was held, and the rows that are turned already.
    case turning(Surface, to: Surface, orientation: Int, rows: Int)
  }

  private let bytes: PictureBytes
  private var stage = Stage.reading

  /// How many pixels a piece has, at least a row.
  static let piece = 16_384

  /// Opens a file; it is read piece by piece, too.
  ///
  /// - Throws: `DisplayError`.
  package init(path: String) throws(DisplayError) {
    bytes = try PictureBytes(path: path)
  }

  /// - Parameter path: the file's name, for messages.
  init(_ bytes: [UInt8], path: String) {
    self.bytes = PictureBytes(bytes, path: path)
  }

  /// Does one piece.
  ///
  /// - Returns: the picture when it is whole; nil while there is more to do.
  /// - Throws: `DisplayError`; nothing more is there to do then.
  package func advance() throws(DisplayError) -> Surface? {
    switch stage {
    case .reading:
      guard try bytes.readMore() else { return nil }
      let isPhoto = bytes.bytes.starts(with: PictureFile.jpegSignature)
      stage = .decoding(isPhoto ? try PhotoRows(bytes) : try PNGRows(bytes))
      return nil
    case .decoding(let rows):
      guard try rows.decode(Self.rows(of: rows.surface)) else { return nil }
      guard let orientation = (rows as? PhotoRows)?.file.orientation, orientation != 1 else {
        return rows.surface
      }
      let stored = rows.surface
      let (width, height) = orientation < 5 ? (stored.width, stored.height) : (stored.height, stored.width)
      guard let turned = try? Surface(width: width, height: height) else {
        throw .noMemory(width, height, bytes.path)
      }
      stage = .turning(stored, to: turned, orientation: orientation, rows: 0)
      return nil
    case .turning(let stored, let turned, let orientation, let first):
      let end = min(turned.height, first + Self.rows(of: turned))
      stored.turn(to: turned, by: orientation, rows: first..<end)
      if end == turned.height { return turned }
      stage = .turning(stored, to: turned, orientation: orientation, rows: end)
      return nil
    }
  }

  /// Does all of it.
  func finish() throws(DisplayError) -> Surface {
    while true {
      if let picture = try advance() { return picture }
    }
  }

  private static func rows(of surface: Surface) -> Int { max(1, piece / surface.width) }
}

/// What decodes one format.
protocol PictureRows: AnyObject {
  var surface: Surface { get }

  /// Decodes up to a number of rows more.
  ///
  /// - Returns: whether the picture is whole.
  func decode(_ count: Int) throws(DisplayError) -> Bool
}

/// Reads PNG and JPEG files, whichever they are by their first bytes.
package enum PictureReader {
  /// Reads a picture.
  ///
  /// - Throws: `DisplayError`.
  package static func read(path: String) throws(DisplayError) -> Surface {
    try PictureDecoding(path: path).finish()
  }

  /// Decodes a file's bytes.
  ///
  /// - Parameter path: the file's name, for messages.
  /// - Throws: `DisplayError`.
  package static func decode(_ bytes: [UInt8], path: String) throws(DisplayError) -> Surface {
    try PictureDecoding(bytes, path: path).finish()
  }

  /// The width and height of a picture as it is shown, in pixels, without decoding it; nil for what is neither PNG nor JPEG.
  package static func size(path: String) -> Size? {
    guard let picture = try? PictureFile(path) else { return nil }
    return Size(width: Double(picture.width), height: Double(picture.height))
  }
}

extension DisplayError {
  /// There is no memory for a picture's pixels.
  static func noMemory(_ width: Int, _ height: Int, _ path: String) -> DisplayError {
    DisplayError(.badPicture, path: path, detail: "no memory for \(width)x\(height) pixels")
  }
}
