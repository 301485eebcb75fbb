import TouchSystem

/// What waits for the broker, in the order in which it happened.
///
/// A message stays until the broker has acknowledged it (QoS 1). When the connection breaks, those that were sent and not
/// acknowledged wait again, before all others: they may come twice, and carry the same number then. A message gets its
/// number when it is sent for the first time, so the numbers of a session have no gaps.
///
/// Memory is bounded. When it is full, values that a later value of the same view has made obsolete are dropped first,
/// the oldest of them first; then the oldest message, whatever it is. What was dropped is counted.
package struct Outbox {
  /// What a message reports.
  package enum Kind: String, CaseIterable, Sendable {
    case action, value, text, page, gesture, message, missed, error
  }

  /// A message on its way.
  package struct Message {
    package let topic: String
    /// One JSON object, without its number until it is sent; empty to clear a retained message.
    fileprivate(set) package var payload: [UInt8]
    package let kind: Kind
    package let isRetained: Bool
    /// What a later message of the same subject makes obsolete; nil for what is always worth sending.
    fileprivate let subject: Int?
    /// Nil until it was sent.
    fileprivate(set) package var number: Int?

    fileprivate var size: Int { topic.utf8.count + payload.count + Outbox.overhead }
  }

  /// How much may wait.
  package struct Limits: Sendable {
    package var messages = 10_000
    /// With topics, and what each message takes besides.
    package var bytes = 4 << 20
    /// How many may be sent before the first of them is acknowledged.
    package var inFlight = 100

    package init() {}
  }

  /// Which run of the program the numbers belong to.
  package let session: String
  private let limits: Limits
  /// Sent and not acknowledged, with the library's number for each.
  private var inFlight: [(id: Int32, message: Message)] = []
  private var waiting: [Message] = []
  /// What lies before it has been sent.
  private var head = 0
  private var bytes = 0
  private var lastNumber = 0
  private var subjects: [String: Int] = [:]
  /// How many messages of each subject wait.
  private var counts: [Int] = []
  /// How many of them are obsolete.
  private var obsolete = 0
  private var dropped: [Kind: Int] = [:]

  /// In bytes, for the bookkeeping of one message.
  private static let overhead = 100

  package init(session: String, limits: Limits = Limits()) {
    self.session = session
    self.limits = limits
  }

  package var waitingCount: Int { waiting.count - head }
  /// With those that are on their way.
  package var count: Int { waitingCount + inFlight.count }
  package var isEmpty: Bool { count == 0 }

  /// - Parameters:
  ///   - payload: one JSON object that is not empty, to which `seq` and `session` are added; or nothing.
  ///   - replaces: what it makes obsolete: messages of the same kind and topic that name the same.
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
  ///
  /// - Parameter publish: gets the message; returns the library's number for it, or nil if it could not be sent.
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

  /// The broker has acknowledged a message.
  package mutating func acknowledge(_ id: Int32) {
    // Nearly always the first: brokers acknowledge in order.
    guard let index = inFlight.firstIndex(where: { $0.id == id }) else { return }
    inFlight.remove(at: index)
  }

  /// The connection broke: what was not acknowledged is sent again.
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

  /// Drops the oldest messages that are obsolete: an eighth of the limit at once, so that the next ones find room.
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

  /// Answers how many messages were dropped, by kind, and counts from 0 again.
  package mutating func takeDropped() -> [(kind: Kind, count: Int)] {
    defer { dropped.removeAll() }
    return Kind.allCases.compactMap { kind in dropped[kind].map { (kind, $0) } }
  }
}
