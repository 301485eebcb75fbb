import TouchCore
import TouchPixels
import TouchViews

/// What was read from the files of image views, by path.
///
/// A file is looked at when a view was given its path, and read again if it is not the one that was read before. Painting a
/// view again looks at no file.
struct PictureFiles<Content> {
  private final class Known {
    var version: PictureVersion
    let content: Content

    init(_ content: Content, _ version: PictureVersion) {
      self.content = content
      self.version = version
    }
  }

  private var known: RecentlyUsed<String, Known>

  /// - Parameter limit: of what all of it costs.
  init(limit: Int) {
    known = RecentlyUsed(limit: limit)
  }

  /// Of all that is kept.
  var cost: Int { known.cost }
  var count: Int { known.count }

  /// What is in a file, and whether it was read for that.
  ///
  /// - Parameters:
  ///   - shown: which state of the file is shown, by who shows it; nil while nothing has looked at it.
  ///   - read: the path's content, and what it costs to keep it.
  mutating func content(
    of path: String, shown: inout PictureVersion?, read: (String) -> (content: Content, cost: Int)
  ) -> (content: Content, isRead: Bool) {
    let found = known.value(for: path)
    // Another view may have been given the path since: all of them show the newer file.
    if let found, let version = shown, version.time <= found.version.time {
      return (found.content, false)
    }
    let version = shown ?? PictureVersion(ofFile: path)
    shown = version
    if let found, version.isSameFile(as: found.version) {
      found.version = version
      return (found.content, false)
    }
    // What is there goes first: the two may be too much together.
    known.removeValue(for: path)
    let (content, cost) = read(path)
    known.insert(Known(content, version), for: path, cost: cost)
    return (content, true)
  }

  /// What a state of a file has, which took long to read.
  mutating func insert(_ content: Content, _ version: PictureVersion, for path: String, cost: Int) {
    known.removeValue(for: path)
    known.insert(Known(content, version), for: path, cost: cost)
  }
}
