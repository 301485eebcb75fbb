import Testing

@testable import TouchConfig

/// What is wrong with the declaration of a handler.
@Suite struct HandlerDiagnosticsTests {
  @Test("A wrong handler is refused where it stands", arguments: handlerRows)
  func handler(text: String, expected: [String]) {
    #expect(findings(in: "handlers:\n  \(text)\nwindow: {}\n") == expected)
  }

  static let handlerRows: [(String, [String])] = [
    (
      "[a]",
      ["2:3: error: handlers is a list; give each handler a name: bell: {kind: plugin, path: libbell.so}"]
    ),
    (
      "log: {kind: exec, on: ended, command: [a]}",
      ["2:3: error: the handler \"log\" is built in and needs no declaration; use another name"]
    ),
    (
      "\" \": {kind: exec, on: ended, command: [a]}",
      ["2:3: error: a handler's name is empty; give it a name"]
    ),
    (
      "a: plugin",
      [
        "2:6: error: the handler \"a\" is the text \"plugin\"; give a mapping with kind, path, config, on, command or capture"
      ]
    ),
    ("a: ", ["2:5: error: the handler \"a\" has no value; give it a kind: {kind: plugin, path: libbell.so}"]),
    ("a: {}", ["2:6: error: a handler needs \"kind\"; give plugin or exec"]),
    ("a: {kind: plugi, path: b}", ["2:13: error: kind is the text \"plugi\"; did you mean \"plugin\"?"]),
    (
      "a: {kind: process, command: [b], wants: [began]}",
      [
        "2:13: error: a handler of the kind \"process\" is not built yet; use plugin or exec",
        "2:36: error: \"wants\", a key of a handler, is not built yet; remove it",
      ]
    ),
    (
      "a: {kind: plugin}",
      ["2:6: error: a handler needs \"path\"; give the plugin's file, such as libbell.so"]
    ),
    (
      "a: {kind: plugin, path: \"\", on: began, config: {x: [.nan]}}",
      [
        "2:27: error: path is empty; give the plugin's file, such as libbell.so",
        "2:31: error: \"on\" is a key of an exec handler, and this is a plugin; change the kind or remove it",
        "2:55: error: a number of the plugin's configuration is .nan; "
          + "the plugin gets JSON, which has only finite numbers, so give one",
      ]
    ),
    (
      "a: {kind: exec, path: b}",
      [
        "2:6: error: a handler needs \"command\"; give the program and its arguments: [aplay, ding.wav]",
        "2:6: error: a handler needs \"on\"; give an occasion, such as ended, or a list of them",
        "2:19: error: \"path\" is a key of a plugin, and this is an exec handler; change the kind or remove it",
      ]
    ),
    (
      "a: {kind: exec, on: [began, stationary, touchUpInside], command: aplay}",
      [
        "2:31: error: on is the text \"stationary\"; give began, moved, ended, cancelled, entered, left, "
          + "pointer_entered, pointer_moved, pointer_left, pointer_wheel, pointer_pressed, pointer_released or pointer_cancelled",
        "2:43: error: on is the text \"touchUpInside\"; give began, moved, ended, cancelled, entered, left, "
          + "pointer_entered, pointer_moved, pointer_left, pointer_wheel, pointer_pressed, pointer_released or pointer_cancelled",
        "2:68: error: command is the text \"aplay\"; "
          + "give the program and its arguments as a list: [aplay, ding.wav]",
      ]
    ),
    (
      "a: {kind: exec, on: [], command: []}",
      [
        "2:23: error: on is an empty list; give at least one occasion, such as ended",
        "2:36: error: command is an empty list; give the program and its arguments as a list: [aplay, ding.wav]",
      ]
    ),
    (
      "a: {kind: exec, on: ended, command: [\"\", [b], null]}",
      [
        "2:40: error: the program in command is empty; "
          + "give the program and its arguments as a list: [aplay, ding.wav]",
        "2:44: error: an argument of command is a list; write \"\" for an empty one",
        "2:49: error: an argument of command is null; write \"\" for an empty one",
      ]
    ),
  ]
}
