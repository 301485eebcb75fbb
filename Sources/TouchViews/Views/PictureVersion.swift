/// A version of a picture's file, which distinguishes it from earlier ones.
package struct PictureVersion: Sendable {
  /// The identity of a file, which changes when the file is written: zeros for one that cannot be looked at.
  /// (stat(2))
  package struct Identity: Equatable, Sendable {
    package var device: UInt64 = 0
    package var inode: UInt64 = 0
    /// The size in bytes.
    package var size: Int64 = 0
    /// The time of the last write, in nanoseconds since 1970, as fine as the file system counts.
    package var modified: Int64 = 0

    package init() {}
  }

  private let identity: Identity
  /// The time of the examination, in nanoseconds of a clock that does not go back.
  package let time: Int64
  /// Whether it was written so shortly before that it may have been written again since, at the same time of
  /// its file system.
  private let isFresh: Bool

  /// - Parameter time: the time in nanoseconds of a clock that does not go back.
  /// - Parameter now: the time in nanoseconds since 1970.
  package init(_ identity: Identity, time: Int64, now: Int64) {
    (self.identity, self.time) = (identity, time)
    isFresh = identity.modified > now &- Self.coarsest
  }

  /// Whether the file has the content that it had at another time, for certain.
  package func isSameFile(as other: PictureVersion) -> Bool { identity == other.identity && !other.isFresh }

  /// The coarsest time of a file system, in nanoseconds. (FAT: two seconds.)
  private static let coarsest: Int64 = 2_000_000_000
}
