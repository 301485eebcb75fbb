import Testing

/// What is wrong with the declaration of a handler.
@Suite struct HandlerDiagnosticsTests {
  @Test(arguments: handlerRows)
  func `A wrong handler is refused where it stands`(text: String, expected: [String]) {
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
        "2:6: error: the handler \"a\" is the text \"plugin\"; give a mapping with kind, path, config, when, on, command, timeout or capture"
      ]
    ),
    ("a: ", ["2:5: error: the handler \"a\" has no value; give it a kind: {kind: plugin, path: libbell.so}"]),
    ("a: {}", ["2:6: error: a handler needs \"kind\"; give plugin or exec"]),
    ("a: {kind: plugi, path: b}", ["2:13: error: kind is the text \"plugi\"; did you mean \"plugin\"?"]),
    (
      "a: {kind: process, command: [b], wants: [began]}",
      [
        "2:13: error: a handler of the kind \"process\" is not supported yet; use plugin or exec",
        "2:36: error: \"wants\", a key of a handler, is not supported yet; remove it",
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
        "2:6: error: a handler needs \"when\"; give a trigger, such as pressed, or a list of them",
        "2:19: error: \"path\" is a key of a plugin, and this is an exec handler; change the kind or remove it",
      ]
    ),
    (
      "a: {kind: exec, on: [began, stationary, touchUpInside], command: aplay}",
      [
        "2:31: error: on is the text \"stationary\"; give began, moved, ended, cancelled, entered, left, "
          + "pressed, touch_down, touch_down_repeat, touch_drag_inside, touch_drag_outside, touch_drag_enter, "
          + "touch_drag_exit, touch_up_inside, touch_up_outside, touch_cancel, pointer_entered, pointer_moved, pointer_left, pointer_wheel, pointer_pressed, pointer_released or pointer_cancelled",
        "2:43: error: on is the text \"touchUpInside\"; did you mean \"touch_up_inside\"?",
        "2:68: error: command is the text \"aplay\"; "
          + "give the program and its arguments as a list: [aplay, ding.wav]",
      ]
    ),
    (
      "a: {kind: exec, on: [], command: []}",
      [
        "2:23: error: on is an empty list; give at least one trigger, such as pressed",
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
    (
      "a: {kind: exec, when: click, on: ended, command: [b]}",
      ["2:32: error: \"on\" is an older name of \"when\", which is here too; remove this one"]
    ),
    (
      "a: {kind: exec, when: [pressd, click, touch_drag_exit], command: [b]}",
      [
        "2:26: error: when is the text \"pressd\"; did you mean \"pressed\"?",
        "2:34: error: when is the text \"click\"; did you mean \"pressed\"?",
      ]
    ),
    (
      "a: {kind: exec, when: pressed, command: [b], timeout: 0}",
      ["2:57: error: timeout is 0; give a number above 0, up to 86400, or none"]
    ),
    (
      "a: {kind: exec, when: pressed, command: [b], timeout: \"5\"}",
      ["2:57: error: timeout is the text \"5\"; leave out the quotes to make it a number"]
    ),
    (
      "a: {kind: plugin, path: b, timeout: 5}",
      [
        "2:30: error: \"timeout\" is a key of an exec handler, and this is a plugin; change the kind or remove it"
      ]
    ),
  ]
}
