import TouchSystem

/// The lines for a reader. A move replaces an earlier move of the same touch; nothing else is left out.
package struct OutputQueue {
  /// The subject of a move: a touch or a gesture at one responder.
  package struct Subject: Hashable, Sendable {
    private let identity: Int
    private let responder: ObjectIdentifier?

    /// - Parameters:
    ///   - touch: the touch's id.
    ///   - responder: the responder that sees the touch; nil for a subscriber, which sees each touch once.
    package init(touch: Int, at responder: AnyObject? = nil) {
      identity = touch
      self.responder = responder.map { ObjectIdentifier($0) }
    }

    package init(of gesture: AnyObject) {
      identity = 0
      responder = ObjectIdentifier(gesture)
    }
  }

  package enum Kind: Hashable, Sendable {
    /// An answer to a request. Its peer waits for it, so it does not count towards the limit of events.
    case answer
    case event
    /// An event after which earlier moves of its subject stay.
    case change(of: Subject)
    /// An event that may be replaced by a later one of its subject.
    case move(of: Subject)
    /// A move that says everything an earlier one does, so that replacing that one loses nothing.
    case latest(of: Subject)
  }

  private struct Entry {
    var bytes: [UInt8]
    var file: MemoryFile?
    var isEvent: Bool
    var subject: Subject?
  }

  private var entries: [Entry] = []
  private var head = 0
  /// The written part of the entry at the head, in bytes.
  private var written = 0
  private var replaced = 0
  /// The places of the last move of each subject that may still be replaced.
  private var moves: [Subject: Int] = [:]

  /// The size of all waiting lines, in bytes.
  package private(set) var count = 0
  /// The size of the files that wait with them, in bytes. Files shared with others do not count.
  package private(set) var fileCount = 0
  /// The size of the waiting events, in bytes.
  package private(set) var eventCount = 0
  /// The number of moves that were replaced since `takeDropped()`.
  package private(set) var dropped = 0

  private static let portion = 32 << 10

  package init() {}

  package var isEmpty: Bool { count == 0 }

  /// Appends a line with its line feed, and a file that goes with its first byte.
  package mutating func append(_ line: [UInt8], as kind: Kind, with file: MemoryFile? = nil) {
    var entry = Entry(bytes: line, file: file, isEvent: true, subject: nil)
    switch kind {
    case .answer: entry.isEvent = false
    case .event: break
    case .change(let subject):
      if let index = moves.removeValue(forKey: subject) { entries[index].subject = nil }
    case .move(let subject), .latest(let subject):
      if let index = moves[subject], replace(index), kind == .move(of: subject) { dropped += 1 }
      moves[subject] = entries.count
      entry.subject = subject
    }
    entries.append(entry)
    count += line.count
    fileCount += file?.count ?? 0
    if entry.isEvent { eventCount += line.count }
  }

  /// - Returns: whether the entry was still there to be replaced.
  private mutating func replace(_ index: Int) -> Bool {
    // A partly written line has to be finished.
    guard index > head || written == 0 else { return false }
    count -= entries[index].bytes.count
    eventCount -= entries[index].bytes.count
    entries[index].bytes = []
    entries[index].subject = nil
    replaced += 1
    if replaced > 64, replaced > entries.count / 2 { compact() }
    return true
  }

  private mutating func compact() {
    var kept: [Entry] = []
    kept.reserveCapacity(entries.count - head - replaced + 1)
    moves.removeAll(keepingCapacity: true)
    for entry in entries[head...] where !entry.bytes.isEmpty {
      if let subject = entry.subject { moves[subject] = kept.count }
      kept.append(entry)
    }
    entries = kept
    head = 0
    replaced = 0
  }

  /// Returns the number of replaced moves, and begins again with 0.
  package mutating func takeDropped() -> Int {
    defer { dropped = 0 }
    return dropped
  }

  /// Writes as much as the other end takes.
  /// - Parameter body: gets bytes and the file that goes with the first
  ///   of them, and returns the number of bytes taken.
  package mutating func write<Failure: Error>(
    _ body: (UnsafeRawBufferPointer, MemoryFile?) throws(Failure) -> Int
  ) throws(Failure) {
    var scratch: [UInt8] = []
    while !isEmpty {
      let file = collect(into: &scratch)
      var result: Result<Int, Failure> = .success(0)
      scratch.withUnsafeBytes { bytes in
        do throws(Failure) {
          result = .success(try body(bytes, file))
        } catch {
          result = .failure(error)
        }
      }
      let taken = try result.get()
      consume(taken)
      if taken < scratch.count { return }
    }
  }

  /// Collects the next bytes to write: one line with a file, or several without.
  private mutating func collect(into scratch: inout [UInt8]) -> MemoryFile? {
    scratch.removeAll(keepingCapacity: true)
    var index = head
    var offset = written
    while index < entries.count, scratch.count < Self.portion {
      let entry = entries[index]
      if let file = entry.file {
        guard scratch.isEmpty else { return nil }
        scratch.append(contentsOf: entry.bytes[offset...])
        return file
      }
      scratch.append(contentsOf: entry.bytes[offset...].prefix(Self.portion - scratch.count))
      index += 1
      offset = 0
    }
    return nil
  }

  private mutating func consume(_ taken: Int) {
    count -= taken
    var left = taken
    while head < entries.count {
      let rest = entries[head].bytes.count - written
      if left > 0, let file = entries[head].file {
        fileCount -= file.count
        entries[head].file = nil
      }
      let part = min(left, rest)
      if entries[head].isEvent { eventCount -= part }
      left -= part
      written += part
      guard part == rest else { return }
      finishHead()
      if left == 0 && (head == entries.count || !entries[head].bytes.isEmpty) { break }
    }
    if head == entries.count {
      entries.removeAll(keepingCapacity: entries.capacity <= 64)
      moves.removeAll(keepingCapacity: true)
      (head, replaced) = (0, 0)
    } else if head > 256, head > entries.count / 2 {
      compact()
    }
  }

  private mutating func finishHead() {
    if let subject = entries[head].subject, moves[subject] == head { moves[subject] = nil }
    if entries[head].bytes.isEmpty { replaced -= 1 }
    entries[head] = Entry(bytes: [], file: nil, isEvent: false, subject: nil)
    head += 1
    written = 0
  }

  package mutating func removeAll() { self = OutputQueue() }
}
