#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <termios.h>

/// TIOCGWINSZ: 0, or -1 with errno set.
static inline int touchtree_terminal_size(int fd, struct winsize *size) {
  return ioctl(fd, TIOCGWINSZ, size);
}

/// Makes a terminal raw, with keys readable at once and without
/// signals from keys, and catches the fault signals.
///
/// Returns 0, or -1 with errno set. After a fault, `farewell` is written before the settings are
/// restored. It and the descriptor stay the caller's and must stay valid until
/// `touchtree_terminal_restore`. There is one for the process.
int touchtree_terminal_take(int fd, const uint8_t *farewell, size_t length);

/// Restores the terminal's settings, discards pending input, and releases the fault signals.
void touchtree_terminal_restore(void);
