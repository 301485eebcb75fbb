import ArgumentParser

/// What a shell offers for arguments of touchtree: files by their ending are offered where the argument stands.
extension CompletionKind {
  /// Displays, for `--display`: words, and the framebuffers and connectors that are there.
  ///
  /// - Parameter words: such as `auto` and `terminal`.
  package static func displays(_ words: String...) -> CompletionKind {
    .shellCommand(
      "echo \(words.joined(separator: " ")); ls /dev/fb* 2>/dev/null; "
        + "ls /sys/class/drm 2>/dev/null | sed -n 's/^card[0-9]*-/kms:/p'")
  }

  /// The event nodes of input devices, for `--device`.
  package static var devices: CompletionKind { .shellCommand("ls /dev/input/event* 2>/dev/null") }

  /// Virtual terminals, for `--tty`.
  package static var terminals: CompletionKind { .shellCommand("echo new; ls /dev/tty[1-9]* 2>/dev/null") }
}
