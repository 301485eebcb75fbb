import Foundation
import ProtocolFuzzing
import Testing

@testable import TouchCore
@testable import TouchHandlers
@testable import TouchJSON
@testable import TouchSystem
@testable import TouchViews

/// Lines, queues and requests, without any connection.
@Suite struct ProtocolTests {
  private func lines(_ pieces: [String], longest: Int = 16) -> [String] {
    var reader = LineReader(longest: longest)
    var found: [String] = []
    for piece in pieces {
      var rest = Array(piece.utf8)[...]
      while !rest.isEmpty {
        let count = reader.read { room in
          let part = min(room.count, rest.count)
          room.copyBytes(from: rest.prefix(part))
          return part
        }
        rest = rest.dropFirst(count)
        taking: while true {
          switch reader.next({ found.append(String(decoding: $0, as: UTF8.self)) }) {
          case .line: break
          case .tooLong: found.append("too long")
          case .incomplete: break taking
          }
        }
      }
    }
    reader.rest { found.append(String(decoding: $0, as: UTF8.self)) }
    return found
  }

  @Test func `an event of focus has what a screen reader says`() throws {
    let slider = Slider(id: "volume", frame: LocalRect(x: 0, y: 0, width: 100, height: 40))
    slider.accessibilityLabel = "Volume"
    slider.accessibilityHint = "Of the kitchen"
    let context = FocusUpdateContext(previous: nil, next: .init(slider), heading: .next)
    let line = try JSONReader.read(String(decoding: Message.focus(context), as: UTF8.self))
    #expect(line["type"] == .text("focus") && line["view"] == .text("volume"))
    let spoken = line["accessibility"]
    #expect(spoken?["label"] == .text("Volume") && spoken?["hint"] == .text("Of the kitchen"))
    #expect(spoken?["value"]?.text != nil)
  }

  @Test(arguments: [
    (["a\nb", "c\n", "\nd"], ["a", "bc", "", "d"]),
    (["123456789012345\n"], ["123456789012345"]),
    (["1234567890123456\nx\n"], ["too long", "x"]),
    (["12345678901234567890", "12345678901234567890\nx"], ["too long", "x"]),
    (["12345678901234567890"], ["too long"]),
    ([], []),
  ])
  func `bytes become lines, and a line that is too long is reported once`(
    pieces: [String], expected: [String]
  ) {
    #expect(lines(pieces) == expected)
  }

  @Test func `what is discarded of a line is counted until that line ends`() {
    var reader = LineReader(longest: 16)
    func feed(_ text: String) {
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = reader.read { room in
          let part = min(room.count, rest.count)
          room.copyBytes(from: rest.prefix(part))
          return part
        }
        rest = rest.dropFirst(count)
        while reader.next({ _ in }) != .incomplete {}
      }
    }
    feed("short\n")
    #expect(reader.discarded == 0)
    feed(String(repeating: "x", count: 100))
    #expect(reader.discarded == 100)
    feed("yz\nshort\n")
    #expect(reader.discarded == 0)
  }

  @Test(arguments: [
    (#"{"a":[1,2.5,"x",true,null,{}]}"#, #"{"a":[1,2.5,"x",true,null,{}]}"#),
    (#"{"a":1e400}"#, nil), (#"{"a":99999999999999999999}"#, nil), (#"{"a":1,"a":2}"#, nil),
    ("{\"a\":\"\\u0000\"}", nil), ("[1] 2", nil), ("1", nil), ("", nil), ("{\"a\":\"\u{7}\"}", nil),
    (String(repeating: "[", count: 60_000), nil),
    (String(repeating: "[", count: 33) + String(repeating: "]", count: 33), nil),
    (
      String(repeating: "[", count: 32) + String(repeating: "]", count: 32),
      String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    ),
    (#"{"b":1,"a":"é \ud83d\ude00"}"#, #"{"b":1,"a":"é 😀"}"#), (#"{"a":"\ud83d"}"#, nil),
  ])
  func `JSON is read strictly, and hostile JSON is refused`(text: String, expected: String?) {
    #expect((try? JSONReader.read(text))?.json == expected)
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    let bytes: [UInt8] = [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]
    #expect(throws: Failure.self) { try bytes.withUnsafeBytes { try JSONReader.read($0) } }
  }

  @Test(arguments: [
    (#"[]"#, "a request is a JSON object"), (#"{}"#, "\"type\" is missing"),
    (#"{"type":"set"}"#, "set: \"view\" is missing; give the id of a view"),
    (#"{"type":"set","view":"a","properties":[]}"#, "set: \"properties\" is not right"),
    (#"{"type":"inject","phase":"down","x":1,"y":1}"#, "inject: \"phase\" is not right; give one of began"),
    (#"{"type":"inject","phase":"began"}"#, "inject: \"x\" is missing"),
    (
      #"{"type":"inject","phase":"began","x":1,"y":1,"finger":1.5}"#,
      "\"finger\" is not right; give a whole number"
    ),
    (#"{"type":"hit","x":1e300,"y":1}"#, "hit: \"x\" is not right"),
    (#"{"type":"hit","x":1,"y":1,"in":5}"#, "hit: \"in\" is not right; give the id of a view"),
    (#"{"type":"hit","x":1,"y":1,"all":"yes"}"#, "hit: \"all\" is not right; give true or false"),
    (#"{"type":"stats","format":"xml"}"#, "stats: \"format\" is not right; give text or json"),
    (#"{"type":"subscribe","events":["all"]}"#, "subscribe: \"events\" is not right; give a list of touch"),
    (#"{"type":"subscribe","views":"ok"}"#, "subscribe: \"views\" is not right"),
    (#"{"type":"tree","id":[1]}"#, "an id is a number or a text"), (#"{"type":"Tree"}"#, "does not know"),
  ])
  func `a request that is wrong is refused with what to give`(text: String, message: String) throws {
    let json = try JSONReader.read(text)
    do throws(RequestError) {
      _ = try Request(json)
      Issue.record("accepted")
    } catch {
      #expect(error.message.contains(message), "\(error.message)")
    }
  }

  @Test func `a few of the lines that make test feeds by the hundred thousand leave lines and queues whole`()
  {
    var messages = 0
    for seed in 1...500 as ClosedRange<UInt64> {
      let result = ProtocolFuzzer.run(seed: seed)
      #expect(result.fault == nil, "seed \(seed)")
      messages += result.messages
    }
    #expect(messages > 250)
  }

  @Test func `a line that says all that the one before it did replaces it, and nothing counts as left out`() {
    var queue = OutputQueue()
    var written = ""
    let subject = OutputQueue.Subject(touch: 1)
    for line in ["a\n", "b\n", "c\n"] {
      queue.append(Array(line.utf8), as: .latest(of: subject))
      // What is partly written stays.
      if line == "a\n" { queue.write { bytes, _ in min(bytes.count, 1) } }
    }
    #expect(queue.dropped == 0 && queue.eventCount == 3)
    queue.write { bytes, _ in
      written += String(decoding: bytes, as: UTF8.self)
      return bytes.count
    }
    #expect(written == "\nc\n" && queue.isEmpty)
  }
}
