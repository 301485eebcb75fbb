import Testing

@testable import TouchConfig
@testable import TouchCore
@testable import TouchViews

/// What is wrong with the declaration of a handler.
@Suite struct HandlerDiagnosticsTests {
  @Test(arguments: handlerRows)
  func `A wrong handler is refused where it stands`(text: String, expected: [String]) {
    expect(findings(in: "handlers:\n  \(text)\nwindow: {}\n"), state: expected)
  }

  static let handlerRows: [(String, [String])] = [
    (
      "[a]",
      ["2:3: error: handlers … libbell.so"]
    ),
    (
      "log: {kind: exec, on: ended, command: [a]}",
      ["2:3: error: log … another name"]
    ),
    (
      "\" \": {kind: exec, on: ended, command: [a]}",
      ["2:3: error: name … empty"]
    ),
    (
      "a: plugin",
      [
        "2:6: error: plugin … capture"
      ]
    ),
    ("a: ", ["2:5: error: a … kind"]),
    ("a: {}", ["2:6: error: handler … kind"]),
    ("a: {kind: plugi, path: b}", ["2:13: error: kind … plugin"]),
    (
      "a: {kind: process, wants: [began, click], path: c, timeout: 3}",
      [
        "2:6: error: handler … command",
        "2:37: error: click … gesture",
        "2:45: error: path … process",
        "2:54: error: timeout … process",
      ]
    ),
    (
      "a: {kind: exec, when: ended, command: [b], forwards: true, wants: []}",
      [
        "2:46: error: forwards … exec",
        "2:62: error: wants … exec",
      ]
    ),
    ("a: {kind: process, command: [b], wants: [], config: [1, x], forwards: false}", []),
    (
      "a: {kind: plugin}",
      ["2:6: error: handler … path"]
    ),
    (
      "a: {kind: plugin, path: \"\", on: began, config: {x: [.nan]}}",
      [
        "2:27: error: path … libbell.so",
        "2:31: error: on … plugin",
        "2:55: error: .nan … JSON",
      ]
    ),
    (
      "a: {kind: exec, path: b}",
      [
        "2:6: error: handler … command",
        "2:6: error: handler … when",
        "2:19: error: path … exec",
      ]
    ),
    (
      "a: {kind: exec, on: [began, stationary, touchUpInside], command: aplay}",
      [
        "2:31: error: on … pointer_cancelled",
        "2:43: error: on … touch_up_inside",
        "2:68: error: command … [aplay]",
      ]
    ),
    (
      "a: {kind: exec, on: [], command: []}",
      [
        "2:23: error: on … pressed",
        "2:36: error: command … [aplay, ding.wav]",
      ]
    ),
    (
      "a: {kind: exec, on: ended, command: [\"\", [b], null]}",
      [
        "2:40: error: program … [aplay, ding.wav]",
        "2:44: error: argument … list",
        "2:49: error: argument … null",
      ]
    ),
    (
      "a: {kind: exec, when: click, on: ended, command: [b]}",
      ["2:32: error: on … older … when"]
    ),
    (
      "a: {kind: exec, when: [pressd, click, touch_drag_exit], command: [b]}",
      [
        "2:26: error: when … pressed",
        "2:34: error: when … pressed",
      ]
    ),
    (
      "a: {kind: exec, when: pressed, command: [b], timeout: 0}",
      ["2:57: error: timeout … up to 86400"]
    ),
    (
      "a: {kind: exec, when: pressed, command: [b], timeout: \"5\"}",
      ["2:57: error: timeout … quotes"]
    ),
    (
      "a: {kind: plugin, path: b, budget: 0}",
      ["2:38: error: budget … up to 60"]
    ),
    (
      "a: {kind: exec, when: pressed, command: [b], budget: 1}",
      ["2:48: error: budget … plugin"]
    ),
    ("a: {kind: plugin, path: b, budget: 0.02}", []),
    ("a: {kind: plugin, path: b, budget: null}", []),
    (
      "a: {kind: plugin, path: b, timeout: 5}",
      [
        "2:30: error: timeout … plugin"
      ]
    ),
  ]

  @Test(arguments: HandlerTrigger.allCases)
  func `every trigger can be given to when and, as before, to on`(trigger: HandlerTrigger) throws {
    for key in ["when", "on"] {
      let text = "window: {}\nhandlers: {a: {kind: exec, \(key): \(trigger.rawValue), command: [b]}}"
      #expect(
        try parse(text).handlers.map(\.kind) == [.exec(on: [trigger], command: ["b"], timeLimit: 10)])
    }
  }
}
