import Testing
import TouchExpressions
import TouchViews

@testable import TouchConfig

/// What newcomers write, and what they are told.
@Suite struct NewcomerTests {
  @Test(arguments: [
    ("{window: {}, canvas: 800x480}", "canvas: {size: [800, 480]}"),
    ("{window: {}, display: {canvas: 800x480}}", "write canvas: {size: [800, 480]}"),
    ("{window: {}, display: {resolution: [1, 2]}}", "write canvas: {size:"),
    ("{window: {}, mqtt: {host: a}}", "touchtree-mqtt --broker"), ("{window: {}, lang: de}", "\"language\""),
    ("{window: {}, timezone: UTC}", "timedatectl"), ("{window: {}, rotate: 90}", "display: {rotation: 90}"),
    ("{window: {}, pages: []}", "kind: pages"),
    ("{window: {gestures: [{kind: tap, actions: [goto: home]}]}}", "page: {screens: home}"),
    ("{window: {subviews: [{kind: label, frame: [0, 0, 1, 1], font: {bold: true}}]}}", "weight: bold"),
    ("{window: {subviews: [{kind: label, frame: [0, 0, 1, 1], style: title}]}}", "theme: dark"),
    ("{window: {subviews: [{id:\u{a0}b, frame: [0, 0, 1, 1]}]}}", "no-break space (U+00A0)"),
    ("{window: {subviews: [{kind: label, frame: [0, 0, 9, 9], text: \"{{ a }}\"}]}}", "write {a}"),
  ])
  func `a mistake is answered with the key that does it`(text: String, advice: String) {
    #expect(findings(in: text).contains { $0.contains(advice) }, "\(findings(in: text))")
  }

  @Test func `the halves of a character in JSON are one, and an escaped backslash begins none`() throws {
    #expect(try made(#"kind: label, text: "a\ud83d\ude00b""#, as: Label.self).text == "a😀b")
    #expect(try made(#"kind: label, text: "\\ud83d\\ude00""#, as: Label.self).text == #"\ud83d\ude00"#)
    #expect(!findings(in: withView(#"kind: label, text: "\ud83d""#)).isEmpty)
  }

  @Test(arguments: ["unit: V", "history: 60"])
  func `a value with a unit or a history takes no text`(key: String) throws {
    let value = try #require(try parse("{window: {}, values: {a: {value: null, \(key)}}}").values.first)
    #expect(try value.checked(.text("5"), isText: true) == .number(5))
    #expect(throws: PropertyError.self) { try value.checked(.text("abc"), isText: true) }
  }

  @Test func `words in another order are the same name`() {
    #expect(Suggestion.nearest(to: "left_turn", among: ["turn_right", "turn_left"]) == "turn_left")
  }
}
