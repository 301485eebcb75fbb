import ArgumentParser

extension CompletionKind {
  /// Returns words such as `auto`, and the present framebuffers and connectors, for `--display`.
  package static func displays(_ words: String...) -> CompletionKind {
    .shellCommand(
      "echo \(words.joined(separator: " ")); ls /dev/fb* 2>/dev/null; "
        + "ls /sys/class/drm 2>/dev/null | sed -n 's/^card[0-9]*-/kms:/p'")
  }

  package static var devices: CompletionKind { .shellCommand("ls /dev/input/event* 2>/dev/null") }

  package static var terminals: CompletionKind { .shellCommand("echo new; ls /dev/tty[1-9]* 2>/dev/null") }
}
