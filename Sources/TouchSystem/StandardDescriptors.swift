import Glibc

/// Standard input, output and error, as a program expects them: open.
package enum StandardDescriptors {
  /// Takes the places of those that whoever started the program has closed. The next thing that is opened would get the
  /// number otherwise, and a line of the log would be drawn on the framebuffer.
  ///
  /// They are open the wrong way round, so that using them still fails.
  package static func fill() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The lowest free number: those below are open by now.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
