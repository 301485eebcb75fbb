import Glibc

/// The ids of responders as C strings, each made once.
final class IdentifierTable {
  /// A tree whose views come and go for days must not grow the table with them.
  static let limit = 4096

  private var texts: [String: UnsafeMutablePointer<CChar>] = [:]

  deinit {
    removeAll()
  }

  /// Makes room for a call that needs no more than a few texts: those of earlier calls may become invalid,
  /// those made from now on stay until the next `beginCall()`.
  func beginCall() {
    if texts.count >= Self.limit { removeAll() }
  }

  func text(of id: String) -> UnsafePointer<CChar> {
    if let text = texts[id] { return UnsafePointer(text) }
    let size = id.utf8.count + 1
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: size)
    id.withCString { text.update(from: $0, count: size) }
    texts[id] = text
    return UnsafePointer(text)
  }

  private func removeAll() {
    for text in texts.values { text.deallocate() }
    texts.removeAll(keepingCapacity: true)
  }
}
