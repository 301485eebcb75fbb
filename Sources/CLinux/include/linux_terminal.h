#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <termios.h>

/// TIOCGWINSZ: 0, or -1 with errno set.
static inline int touchtree_terminal_size(int fd, struct winsize *size) {
  return ioctl(fd, TIOCGWINSZ, size);
}

/// Makes a terminal raw, with what is typed readable at once and no signals from keys, and catches the fault signals.
/// Answers 0, or -1 with errno set. `farewell` is written before the settings come back after a fault; it and the
/// descriptor stay the caller's and must stay good until `touchtree_terminal_restore`. One for the process.
int touchtree_terminal_take(int fd, const uint8_t *farewell, size_t length);

/// Restores the terminal's settings, discards pending input, and releases the fault signals.
void touchtree_terminal_restore(void);
