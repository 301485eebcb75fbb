import Glibc
import SystemPackage
import TouchCore
import TouchDisplay

/// Writes pictures of what happens to a folder: one at the start, one whenever touches come or go, and one for
/// every long way that a finger moved.
public final class PictureBook {
  /// Told each path that was written.
  public var onPicture: (String) -> Void = { _ in }

  private let folder: String
  private var count = 0
  /// The touches of the last picture, and where they were.
  private var shown: [(id: Int, location: WindowPoint)] = []
  /// How far a finger moves before there is another picture, in window units.
  private static let longWay = 48.0

  /// Makes the folder if it is not there.
  ///
  /// - Throws: `PictureError` when the folder cannot be made.
  public init(folder: String) throws {
    self.folder = folder
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
      throw PictureError(path: folder, cause: Errno(rawValue: errno))
    }
  }

  /// Writes a picture if something came, went or moved far.
  func consider(_ session: Session, _ display: any Display) {
    let touches = session.dispatcher.touches
    guard let what = change(to: touches) else { return }
    shown = touches.map { ($0.id, $0.location) }
    let number = count < 10 ? "0\(count)" : "\(count)"
    count += 1
    let path = "\(folder)/\(number)-\(what).png"
    do {
      try PNGWriter.write(display.surface, to: path)
      onPicture(path)
    } catch {
      onPicture("\(error)")
    }
  }

  /// The name of what changed since the last picture, or nil.
  private func change(to touches: [Touch]) -> String? {
    if count == 0 { return "start" }
    if let new = touches.first(where: { touch in !shown.contains { $0.id == touch.id } }) {
      return "began-\(new.view?.id ?? "nothing")"
    }
    if shown.count > touches.count { return "ended" }
    let far = touches.first { touch in
      shown.contains { $0.id == touch.id && $0.location.distance(to: touch.location) >= Self.longWay }
    }
    return far.map { "moved-\($0.view?.id ?? "nothing")" }
  }
}

/// A folder for pictures cannot be made.
public struct PictureError: Error, CustomStringConvertible {
  public let path: String
  public let cause: Errno

  public var description: String { "\(path): the folder for the pictures cannot be made (\(cause))." }
}
