import Testing
import TouchSystem

@testable import TouchMQTT

/// What waits for a broker, without a broker.
@Suite("The outbox") struct OutboxTests {
  /// An outbox that holds few messages, and what was sent from it.
  private struct Sender {
    var outbox: Outbox
    var sent: [String] = []
    private var lastID: Int32 = 0

    init(messages: Int = 8, bytes: Int = 1 << 20, inFlight: Int = 100) {
      var limits = Outbox.Limits()
      (limits.messages, limits.bytes, limits.inFlight) = (messages, bytes, inFlight)
      outbox = Outbox(session: "s", limits: limits)
    }

    mutating func action(_ name: String) {
      outbox.append(.action, to: "p/ok/action", Array(#"{"action":"\#(name)"}"#.utf8))
    }

    mutating func value(_ view: String, _ number: Int) {
      outbox.append(
        .value, to: "p/\(view)/value", Array(#"{"value":\#(number)}"#.utf8), retained: true, replaces: "")
    }

    /// Sends what may be sent; returns how many.
    @discardableResult
    mutating func send() -> Int {
      let before = sent.count
      var lines: [String] = []
      var id = lastID
      while outbox.sendNext({ message in
        id += 1
        lines.append("\(message.topic) \(String(decoding: message.payload, as: UTF8.self))")
        return id
      }) {}
      lastID = id
      sent += lines
      return sent.count - before
    }

    mutating func acknowledge(_ id: Int32) { outbox.acknowledge(id) }
  }

  @Test func `messages leave in their order, and their numbers have no gaps`() {
    var sender = Sender()
    sender.action("a")
    sender.value("volume", 1)
    sender.action("b")
    sender.send()
    #expect(
      sender.sent == [
        #"p/ok/action {"action":"a","seq":1,"session":"s"}"#,
        #"p/volume/value {"value":1,"seq":2,"session":"s"}"#,
        #"p/ok/action {"action":"b","seq":3,"session":"s"}"#,
      ])
  }

  @Test func `what was not acknowledged comes again first, with the number it had`() {
    var sender = Sender()
    for name in ["a", "b", "c"] { sender.action(name) }
    sender.send()
    sender.acknowledge(1)
    sender.action("d")
    sender.outbox.sendAgain()
    sender.send()
    let numbers = sender.sent.compactMap { $0.firstMatch(of: /"action":"(\w)","seq":(\d)/) }.map {
      "\($0.1)\($0.2)"
    }
    #expect(numbers == ["a1", "b2", "c3", "b2", "c3", "d4"])
    for id in Int32(1)...6 { sender.acknowledge(id) }
    #expect(sender.outbox.isEmpty)
  }

  @Test func `no more are on their way than the limit`() {
    var sender = Sender(inFlight: 2)
    for name in ["a", "b", "c"] { sender.action(name) }
    var counts = [sender.send(), sender.send()]
    sender.acknowledge(1)
    counts.append(sender.send())
    #expect(counts == [2, 0, 1])
  }

  @Test func `a message that cannot be sent stays, and is the next one`() {
    var sender = Sender()
    sender.action("a")
    let wasSent = sender.outbox.sendNext { _ in nil }
    #expect(!wasSent)
    sender.send()
    #expect(sender.sent == [#"p/ok/action {"action":"a","seq":1,"session":"s"}"#])
  }

  @Test func `obsolete values go before anything else, the oldest of them first`() {
    var sender = Sender(messages: 8)
    for number in 1...4 {
      sender.action("a\(number)")
      sender.value("volume", number)
    }
    sender.value("tone", 1)
    // The ninth message: one eighth of the limit and what is too much go, which are two.
    let dropped = sender.outbox.takeDropped()
    #expect(dropped.map(\.kind) == [.value] && dropped.map(\.count) == [2])
    sender.send()
    let values = sender.sent.compactMap { $0.firstMatch(of: /(\w+)\/value {"value":(\d)/) }.map {
      "\($0.1)\($0.2)"
    }
    #expect(values == ["volume3", "volume4", "tone1"])
    #expect(sender.sent.count { $0.contains("action") } == 4)
  }

  @Test func `the only value of a view stays, however old it is, while another view has obsolete ones`() {
    var sender = Sender(messages: 8)
    sender.value("tone", 1)
    for number in 1...4 {
      sender.action("a\(number)")
      sender.value("volume", number)
    }
    sender.send()
    let values = sender.sent.compactMap { $0.firstMatch(of: /(\w+)\/value {"value":(\d)/) }.map {
      "\($0.1)\($0.2)"
    }
    #expect(values == ["tone1", "volume3", "volume4"])
  }

  @Test func `without obsolete values the oldest message goes, and is counted by its kind`() {
    var sender = Sender(messages: 3)
    sender.action("a")
    for view in ["x", "y"] { sender.value(view, 1) }
    for name in ["b", "c"] { sender.action(name) }
    let dropped = sender.outbox.takeDropped()
    #expect(dropped.map { "\($0.kind) \($0.count)" } == ["action 1", "value 1"])
    #expect(!sender.outbox.hasDropped)
    sender.send()
    #expect(sender.sent.map { $0.prefix { $0 != " " } } == ["p/y/value", "p/ok/action", "p/ok/action"])
  }

  @Test func `its memory is bounded in bytes, too`() {
    var sender = Sender(messages: 1000, bytes: 1000)
    for _ in 0..<100 { sender.action(String(repeating: "x", count: 80)) }
    // 80 bytes, the rest of the payload, the topic and 100 for the bookkeeping.
    #expect(sender.outbox.waitingCount == 4)
    let dropped = sender.outbox.takeDropped()
    #expect(dropped.map(\.count) == [96])
  }

  @Test func `a retained message is cleared by nothing at all`() {
    var sender = Sender()
    sender.outbox.append(.value, to: "p/gone/value", [], retained: true)
    sender.send()
    #expect(sender.sent == ["p/gone/value "])
  }

  /// A long outage with values and actions: it costs the same for each message, and no action goes.
  @Test func `ten thousand values in an outage cost no action`() {
    var sender = Sender(messages: 1000, inFlight: 10_000)
    for number in 0..<10_000 {
      sender.value("volume", number)
      if number % 20 == 0 { sender.action("a") }
    }
    let dropped = sender.outbox.takeDropped()
    #expect(dropped.map(\.kind) == [.value])
    sender.send()
    #expect(sender.sent.count { $0.contains("action") } == 500)
    #expect(sender.sent.last?.contains(#""value":9999,"#) == true)
  }
}
