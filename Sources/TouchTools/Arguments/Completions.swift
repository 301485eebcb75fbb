import ArgumentParser

/// The completions that a shell offers for arguments of touchtree. Files are
/// offered by their ending at the argument itself.
extension CompletionKind {
  /// Returns displays for `--display`: words, and the present framebuffers and connectors.
  /// - Parameter words: words such as `auto` and `terminal`.
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
