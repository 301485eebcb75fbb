import TouchViews

/// The contents of image files by path, examined when a view is given one, and read again if changed.
struct PictureFiles<Content> {
  private final class Known {
    var version: PictureVersion
    let content: Content

    init(_ content: Content, _ version: PictureVersion) { (self.content, self.version) = (content, version) }
  }

  private var known: RecentlyUsed<String, Known>

  /// - Parameter limit: the most cost of all contents.
  init(limit: Int) { known = RecentlyUsed(limit: limit) }

  var cost: Int { known.cost }
  var count: Int { known.count }

  /// Returns the content of a file, and whether it was read for it, given the version shown (nil before the
  /// first look). `read` returns the content of a path and its cost.
  mutating func content(
    of path: String, shown: inout PictureVersion?, read: (String) -> (content: Content, cost: Int)
  ) -> (content: Content, isRead: Bool) {
    let found = known.value(for: path)
    // Another view may have been given the path since. All views show the newer file.
    if let found, let version = shown, version.time <= found.version.time { return (found.content, false) }
    let version = shown ?? PictureVersion(ofFile: path)
    shown = version
    if let found, version.isSameFile(as: found.version) {
      found.version = version
      return (found.content, false)
    }
    // The old content is removed first, since the two together may be too large.
    known.removeValue(for: path)
    let (content, cost) = read(path)
    known.insert(Known(content, version), for: path, cost: cost)
    return (content, true)
  }

  /// Inserts the content of a version of a file, which took long to read.
  mutating func insert(_ content: Content, _ version: PictureVersion, for path: String, cost: Int) {
    known.removeValue(for: path)
    known.insert(Known(content, version), for: path, cost: cost)
  }
}
