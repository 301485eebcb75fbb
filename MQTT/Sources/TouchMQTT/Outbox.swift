import TouchSystem

/// The messages that wait for the broker, in the order of their events.
///
/// A message stays until the broker has acknowledged it (QoS 1). When the connection breaks, sent messages
/// without an acknowledgement wait again, before all others. They may arrive twice, with the same number. A
/// message gets its number when it is sent for the first time, so the numbers of a session have no gaps.
///
/// Memory is bounded. When it is full, obsolete values are dropped first, the oldest of them first. A
/// value is obsolete if a later one of the same view waits. Then the oldest message is dropped,
/// whatever it is. Dropped messages are counted.
package struct Outbox {
  package enum Kind: String, CaseIterable, Sendable {
    case action, value, text, page, gesture, message, missed, error
  }

  package struct Message {
    package let topic: String
    /// One JSON object, which gets its number when it is sent; empty to clear a retained message.
    fileprivate(set) package var payload: [UInt8]
    package let kind: Kind
    package let isRetained: Bool
    /// The subject, whose later message makes this one obsolete; nil for none.
    fileprivate let subject: Int?
    /// The number; nil until the message was sent.
    fileprivate(set) package var number: Int?

    fileprivate var size: Int { topic.utf8.count + payload.count + Outbox.overhead }
  }

  package struct Limits: Sendable {
    package var messages = 10_000
    /// The size of all messages, with their topics and overhead.
    package var bytes = 4 << 20
    /// The most messages that may be sent before the first of them is acknowledged.
    package var inFlight = 100

    package init() {}
  }

  /// The run of the program to which the numbers belong.
  package let session: String
  private let limits: Limits
  /// The sent messages without an acknowledgement, with the library's number for each.
  private var inFlight: [(id: Int32, message: Message)] = []
  private var waiting: [Message] = []
  /// The index of the first waiting message that was not sent.
  private var head = 0
  private var bytes = 0
  private var lastNumber = 0
  private var subjects: [String: Int] = [:]
  private var counts: [Int] = []
  private var obsolete = 0
  private var dropped: [Kind: Int] = [:]

  /// The overhead of one message, in bytes.
  private static let overhead = 100

  package init(session: String, limits: Limits = Limits()) { (self.session, self.limits) = (session, limits) }

  package var waitingCount: Int { waiting.count - head }
  package var count: Int { waitingCount + inFlight.count }
  package var isEmpty: Bool { count == 0 }

  /// - Parameters:
  ///   - payload: one JSON object that is not empty, to which `seq` and `session` are added; or nothing.
  ///   - replaces: the name of the subject. The message makes earlier
  ///     ones of the same kind, topic and name obsolete.
  package mutating func append(
    _ kind: Kind, to topic: String, _ payload: [UInt8], retained: Bool = false, replaces name: String? = nil
  ) {
    let subject = name.map { number(of: "\(topic) \($0)") }
    let message = Message(
      topic: topic, payload: payload, kind: kind, isRetained: retained, subject: subject, number: nil)
    bytes += message.size
    waiting.append(message)
    count(message, 1)
    if isFull { makeRoom() }
  }

  private mutating func number(of subject: String) -> Int {
    if let known = subjects[subject] { return known }
    subjects[subject] = counts.count
    counts.append(0)
    return counts.count - 1
  }

  private mutating func count(_ message: Message, _ change: Int) {
    guard let subject = message.subject else { return }
    obsolete -= max(0, counts[subject] - 1)
    counts[subject] += change
    obsolete += max(0, counts[subject] - 1)
  }

  private var isFull: Bool { waitingCount > limits.messages || bytes > limits.bytes }

  // MARK: Sending

  /// Sends the next message, if one waits and not too many are on their way.
  /// - Parameter publish: gets the message; returns the library's
  ///   number for it, or nil if it could not be sent.
  /// - Returns: whether one was sent.
  package mutating func sendNext(_ publish: (Message) -> Int32?) -> Bool {
    guard head < waiting.count, inFlight.count < limits.inFlight else { return false }
    var message = waiting[head]
    if message.number == nil {
      message.number = lastNumber + 1
      if !message.payload.isEmpty {
        message.payload.removeLast()
        message.payload += #","seq":\#(lastNumber + 1),"session":"\#(session)"}"#.utf8
      }
    }
    guard let id = publish(message) else { return false }
    lastNumber = max(lastNumber, message.number ?? 0)
    bytes -= waiting[head].size
    count(waiting[head], -1)
    head += 1
    if head == waiting.count || head > 1024 {
      waiting.removeFirst(head)
      head = 0
    }
    inFlight.append((id, message))
    return true
  }

  package mutating func acknowledge(_ id: Int32) {
    // Nearly always it is the first, because brokers acknowledge in order.
    guard let index = inFlight.firstIndex(where: { $0.id == id }) else { return }
    inFlight.remove(at: index)
  }

  /// Returns unacknowledged messages to the queue after the connection broke.
  package mutating func sendAgain() {
    guard !inFlight.isEmpty else { return }
    let again = inFlight.map(\.message)
    inFlight.removeAll()
    waiting.replaceSubrange(..<head, with: again)
    head = 0
    for message in again {
      bytes += message.size
      count(message, 1)
    }
    if isFull { makeRoom() }
  }

  // MARK: When it is full

  private mutating func makeRoom() {
    waiting.removeFirst(head)
    head = 0
    if obsolete > 0 { dropObsolete() }
    while isFull, head < waiting.count { dropFirst() }
  }

  /// Drops the oldest obsolete messages, an eighth of the limit at once, so that the next ones find room.
  private mutating func dropObsolete() {
    let (mostMessages, mostBytes) = (limits.messages / 8 * 7, limits.bytes / 8 * 7)
    var kept: [Message] = []
    kept.reserveCapacity(waiting.count)
    var left = waiting.count
    for message in waiting {
      guard left > mostMessages || bytes > mostBytes, let subject = message.subject, counts[subject] > 1
      else {
        kept.append(message)
        continue
      }
      note(message)
      left -= 1
    }
    waiting = kept
  }

  private mutating func dropFirst() {
    note(waiting[head])
    head += 1
  }

  private mutating func note(_ message: Message) {
    bytes -= message.size
    count(message, -1)
    dropped[message.kind, default: 0] += 1
  }

  package var hasDropped: Bool { !dropped.isEmpty }

  /// Returns the number of dropped messages by kind, and begins again with 0.
  package mutating func takeDropped() -> [(kind: Kind, count: Int)] {
    defer { dropped.removeAll() }
    return Kind.allCases.compactMap { kind in dropped[kind].map { (kind, $0) } }
  }
}
