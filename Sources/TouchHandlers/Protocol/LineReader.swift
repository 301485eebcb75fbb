import Glibc

/// Cuts bytes that arrive in pieces into lines. It never keeps more than one line of the longest length: a longer one is
/// discarded up to its end, and reported once.
package struct LineReader {
  package enum Step: Hashable {
    case line
    /// A line that is longer than the longest; the rest of it is discarded as it arrives.
    case tooLong
    /// No complete line is there; read more.
    case incomplete
  }

  /// Of a line of the protocol with its line feed, in bytes.
  package static let longestMessage = 1 << 16

  /// In bytes, with the line feed.
  private let longest: Int
  private var buffer: [UInt8] = []
  /// What lies before it has been taken.
  private var start = 0
  /// Up to here there is no line feed.
  private var searched = 0
  private var isDiscarding = false
  /// What was discarded of the line that is being read, in bytes.
  package private(set) var discarded = 0

  /// What is kept while no line is incomplete, in bytes.
  private static let mostKept = 4096
  /// What is read at once, in bytes: a writer that never stops must not keep the loop.
  private static let portion = 16 << 10

  package init(longest: Int = Self.longestMessage) {
    self.longest = longest
  }

  /// In bytes: what has arrived and was not taken yet.
  package var count: Int { buffer.count - start }

  /// Offers room to `body`, which answers how much of it was filled. Take all lines first.
  ///
  /// - Returns: what `body` answered.
  package mutating func read<Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    forgetTaken()
    let before = buffer.count
    let room = min(Self.portion, longest - before)
    buffer.append(contentsOf: repeatElement(0, count: room))
    var result: Result<Int, Failure> = .success(0)
    buffer.withUnsafeMutableBytes { bytes in
      do throws(Failure) {
        result = .success(try body(UnsafeMutableRawBufferPointer(rebasing: bytes[before...])))
      } catch {
        result = .failure(error)
      }
    }
    let filled = (try? result.get()) ?? 0
    buffer.removeLast(room - min(max(0, filled), room))
    return try result.get()
  }

  private mutating func forgetTaken() {
    guard start > 0 else { return }
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= Self.mostKept)
    } else {
      buffer.removeFirst(start)
    }
    searched -= start
    start = 0
  }

  /// Takes the next line.
  ///
  /// - Parameter body: gets the line without its line feed, good until it returns.
  package mutating func next(_ body: (UnsafeRawBufferPointer) -> Void) -> Step {
    guard let end = lineFeed() else {
      searched = buffer.count
      guard isDiscarding || count >= longest else { return .incomplete }
      discarded += count
      start = buffer.count
      defer { isDiscarding = true }
      return isDiscarding ? .incomplete : .tooLong
    }
    let line = start..<end
    start = end + 1
    searched = start
    guard !isDiscarding else {
      isDiscarding = false
      discarded = 0
      return next(body)
    }
    buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[line])) }
    return .line
  }

  /// Takes what has no line feed because the writer has ended.
  package mutating func rest(_ body: (UnsafeRawBufferPointer) -> Void) {
    guard count > 0, !isDiscarding else { return }
    buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    start = buffer.count
    searched = start
  }

  /// (memchr)
  private func lineFeed() -> Int? {
    buffer.withUnsafeBytes { bytes in
      let unseen = bytes[max(start, searched)...]
      guard let first = UnsafeRawBufferPointer(rebasing: unseen).baseAddress,
        let found = memchr(first, 0x0a, unseen.count)
      else { return nil }
      return unseen.startIndex + (UnsafeRawPointer(found) - first)
    }
  }
}
