import Testing
import TouchSystem

@testable import TouchJSON
@testable import TouchMQTT

@Suite("What is published") struct PublisherTests {
  /// A panel with a bit of everything.
  private static let tree = #"""
    {"views":[{"id":"mode","kind":"segmented","value":0,"segments":["Off","Auto"]},
     {"id":"screens","kind":"pages","page":"home"},{"id":"clock","kind":"label","text":"12:00"},
     {"id":"day","kind":"list","value":-1,"rows":["Mon","Tue"]},
     {"id":"warmer","kind":"button","text":"+","label":"Warmer"},{"id":"pad","kind":"view","private":true},
     {"id":"bay-0-on","kind":"switch","value":true,"row_key":"b1"},
     {"id":"window","kind":"window","backlight":null,"blank":false},
     {"id":"label-1","kind":"label","text":"set to"},{"id":"keys","kind":"control","value":null}]}
    """#

  private func publisher(hasTexts: Bool = true) throws -> Publisher {
    let topics = try #require(Topics(prefix: "k"))
    let publisher = Publisher(topics, views: [], hasTexts: hasTexts)
    publisher.follow(try JSONReader.read(Self.tree))
    return publisher
  }

  /// What leaves the outbox, without the time, the number and the session.
  private func sent(from publisher: Publisher) -> [String] {
    var lines: [String] = []
    while publisher.outbox.sendNext({ message in
      let payload = String(decoding: message.payload, as: UTF8.self).replacing(/,"time":.*/, with: "}")
      lines.append(message.topic + (message.isRetained ? " ! " : " ") + payload)
      return Int32(lines.count)
    }) {}
    return lines
  }

  @Test(arguments: [
    (
      #"{"type":"action","view":"ok","action":"touchUpInside"}"#,
      #"k/ok/action {"action":"touchUpInside"}"#
    ),
    (#"{"type":"action","view":"ok","action":"touchDragInside"}"#, nil),
    (#"{"type":"value","view":"a/b","value":0.45}"#, #"k/a%2fb/value ! {"value":0.45}"#),
    (#"{"type":"value","view":"light","value":true}"#, #"k/light/value ! {"value":true}"#),
    (#"{"type":"value","view":"mode","value":1}"#, #"k/mode/value ! {"value":1,"segment":"Auto"}"#),
    (#"{"type":"value","view":"mode","value":-1}"#, #"k/mode/value ! {"value":-1,"segment":null}"#),
    // The same view shows another row after a scroll, so the broker keeps nothing of it.
    (
      #"{"type":"value","view":"bay-0-on","row_key":"b19","value":true}"#,
      #"k/bay-0-on/value {"value":true,"row_key":"b19"}"#
    ),
    (
      #"{"type":"action","view":"bay-0-on","row_key":7,"action":"valueChanged"}"#,
      #"k/bay-0-on/action {"action":"valueChanged","row_key":7}"#
    ),
    (
      #"{"type":"message","from":"bay-0-on","row_key":"b19","message":1}"#,
      #"k/bay-0-on/message {"message":1,"row_key":"b19"}"#
    ),
    (#"{"type":"value","view":"day","value":1}"#, #"k/day/value ! {"value":1,"row":"Tue"}"#),
    (#"{"type":"value","view":"day","value":-1}"#, #"k/day/value ! {"value":-1,"row":null}"#),
    (
      #"{"type":"action","view":"warmer","label":"Warmer","action":"touchUpInside"}"#,
      #"k/warmer/action {"action":"touchUpInside","label":"Warmer"}"#
    ),
    (#"{"type":"page","view":"screens","page":"about"}"#, #"k/screens/page ! {"page":"about"}"#),
    (#"{"type":"text","view":"clock","text":"12:01"}"#, #"k/clock/text ! {"text":"12:01"}"#),
    (#"{"type":"text","view":"label-1","text":"x"}"#, nil),
    (
      #"{"type":"gesture","seq":3,"time_us":9,"view":"ok","gesture":"next","kind":"swipe","state":"ended","x":1}"#,
      #"k/ok/gesture {"gesture":"next","kind":"swipe","state":"ended","x":1}"#
    ),
    (
      #"{"type":"message","from":"mode","message":{"mode":"2"}}"#,
      #"k/mode/message {"message":{"mode":"2"}}"#
    ),
    (
      #"{"type":"display","backlight":40,"blank":false}"#,
      #"k/display/state ! {"state":"ON","brightness":40}"#
    ),
    (
      #"{"type":"display","backlight":0,"blank":false}"#, #"k/display/state ! {"state":"OFF","brightness":0}"#
    ),
    (
      #"{"type":"display","backlight":40,"blank":true}"#,
      #"k/display/state ! {"state":"OFF","brightness":40}"#
    ),
    (#"{"type":"done","id":"k/reload"}"#, nil), (#"{"type":"touch","view":"ok","phase":"moved"}"#, nil),
  ])
  func `an event has its topic`(event: String, line: String?) throws {
    let publisher = try publisher()
    publisher.take(try JSONReader.read(event))
    #expect(sent(from: publisher) == [line].compactMap(\.self))
  }

  @Test func `states are published when they changed, or all of them, and cleared with their views`() throws {
    let publisher = try publisher()
    let all = [
      #"k/mode/value ! {"value":0,"segment":"Off"}"#, #"k/screens/page ! {"page":"home"}"#,
      #"k/clock/text ! {"text":"12:00"}"#, #"k/day/value ! {"value":-1,"row":null}"#,
      #"k/display/state ! {"state":"ON"}"#,
    ]
    publisher.publishStates(all: true)
    #expect(sent(from: publisher) == all)
    publisher.publishStates(all: false)
    #expect(sent(from: publisher) == [])
    publisher.publishStates(all: true)
    #expect(sent(from: publisher) == all)
    publisher.follow(try JSONReader.read(#"{"views":[{"id":"clock","kind":"label","text":"13:00"}]}"#))
    publisher.publishStates(all: false)
    #expect(
      sent(from: publisher) == [
        #"k/clock/text ! {"text":"13:00"}"#, "k/day/value ! ", "k/display/state ! ", "k/mode/value ! ",
        "k/screens/page ! ",
      ])
  }

  @Test func `texts are published and asked for only where they are wanted`() throws {
    let publisher = try publisher(hasTexts: false)
    publisher.publishStates(all: true)
    #expect(!sent(from: publisher).contains { $0.contains("clock") })
    #expect(!String(decoding: publisher.subscription, as: UTF8.self).contains("text"))
  }
}
