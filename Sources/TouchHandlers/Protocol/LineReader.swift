import Glibc

/// Cuts bytes into lines. One longer than the longest is discarded up to its end, and reported once.
package struct LineReader {
  package enum Step: Hashable {
    case line
    /// The line is longer than the longest. Its rest is discarded as it arrives.
    case tooLong
    case incomplete
  }

  /// The longest line of the protocol with its line feed, in bytes.
  package static let longestMessage = 1 << 16

  /// The longest line with its line feed, in bytes.
  private let longest: Int
  private var buffer: [UInt8] = []
  /// The end of the part that has been taken.
  private var start = 0
  /// The end of the part without a line feed.
  private var searched = 0
  private var isDiscarding = false
  /// The discarded part of the line that is being read, in bytes.
  package private(set) var discarded = 0

  /// The buffer that is kept while no line is incomplete, in bytes.
  private static let mostKept = 4096
  /// The bytes that are read at once. The limit keeps a writer that never stops from keeping the loop.
  private static let portion = 16 << 10

  package init(longest: Int = Self.longestMessage) { self.longest = longest }

  /// The bytes that have arrived and were not taken yet.
  package var count: Int { buffer.count - start }

  /// Offers room to `body`, which returns the number of bytes it has filled, after all lines were taken.
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

  /// Takes the next line, without its line feed, valid until `body` returns.
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

  /// Takes a last line without a line feed, after the end of the writer.
  package mutating func rest(_ body: (UnsafeRawBufferPointer) -> Void) {
    guard count > 0, !isDiscarding else { return }
    buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    start = buffer.count
    searched = start
  }

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
