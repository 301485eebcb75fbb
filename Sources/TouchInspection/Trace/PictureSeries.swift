import Glibc
import SystemPackage
import TouchCore
import TouchPixels
import TouchRender
import TouchSystem

/// Writes a run's pictures into a folder: the start, changes of touches, long ways, and the faded end.
package final class PictureSeries {
  /// Whether pictures and their names leave out private views, because the touches are those of a run.
  package var isLive = false
  private let folder: String
  private var count = 0
  private var shown: [(id: Int, location: WindowPoint)] = []
  /// The way of a finger that causes another picture, in window units.
  private static let longWay = 48.0

  /// Makes the folder if it is missing, or throws.
  package init(folder: String) throws {
    self.folder = folder
    try Self.makeFolder(folder)
  }

  /// Makes a folder for pictures if it is missing.
  /// - Throws: `SystemError` if it cannot be made.
  package static func makeFolder(_ folder: String) throws {
    if mkdir(folder, 0o777) == 0 { return }
    let cause = Errno(rawValue: errno)
    guard cause == .fileExists else { throw error(cause, folder) }
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw error(.notDirectory, folder)
    }
  }

  private static func error(_ cause: Errno, _ folder: String) -> SystemError {
    SystemError("mkdir", cause, path: folder, hint: "name another folder for the pictures")
  }

  /// Writes a picture if a touch was added, removed or moved far; throws if it cannot.
  package func consider(_ dispatcher: Dispatcher, _ renderer: Renderer) throws {
    let touches = dispatcher.touches
    guard let what = change(to: touches) else { return }
    shown = touches.map { ($0.id, $0.location) }
    try write(what, of: dispatcher.window, renderer)
  }

  /// Writes the last picture, after everything has faded.
  package func finish(_ dispatcher: Dispatcher, _ renderer: Renderer) throws {
    try write("end", of: dispatcher.window, renderer)
  }

  private func write(_ what: String, of window: Window, _ renderer: Renderer) throws {
    let digits = String(count)
    let number = String(repeating: "0", count: max(0, 3 - digits.utf8.count)) + digits
    count += 1
    // An id may contain any character, but a file's name may not.
    let name = what.map { $0 == "/" ? "_" : $0 }
    let picture = try isLive ? renderer.disclosedPicture(of: window) : renderer.picture(of: window)
    try PNGWriter.write(picture, to: "\(folder)/\(number)-\(String(name)).png")
  }

  /// Returns the name of the change since the last picture, or nil.
  private func change(to touches: [Touch]) -> String? {
    if count == 0 { return "start" }
    if let new = touches.first(where: { touch in !shown.contains { $0.id == touch.id } }) {
      return "began-\(id(of: new))"
    }
    if shown.count > touches.count { return "ended" }
    let far = touches.first { touch in
      shown.contains { $0.id == touch.id && $0.location.distance(to: touch.location) >= Self.longWay }
    }
    return far.map { "moved-\(id(of: $0))" }
  }

  private func id(of touch: Touch) -> String {
    (isLive ? touch.view?.disclosed : touch.view)?.id ?? "nothing"
  }
}
