#include "linux_terminal.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "linux_faults.h"

static volatile sig_atomic_t taken_fd = -1;
static const uint8_t *farewell_bytes;
static size_t farewell_length;
static struct termios saved_settings;

static void restore(void) {
  if (taken_fd < 0) return;
  const int fd = taken_fd;
  taken_fd = -1;
  const int saved_errno = errno;
  // Nothing here waits for a terminal that takes no output: not TCSADRAIN, not TCSAFLUSH.
  tcflush(fd, TCIFLUSH);
  tcsetattr(fd, TCSANOW, &saved_settings);
  errno = saved_errno;
}

static void on_fault(void) {
  // The descriptor does not block. A terminal that is full keeps its picture.
  if (taken_fd >= 0 && write(taken_fd, farewell_bytes, farewell_length) < 0) errno = 0;
  restore();
}

int touchtree_terminal_take(int fd, const uint8_t *farewell, size_t length) {
  if (tcgetattr(fd, &saved_settings) != 0) return -1;
  struct termios raw = saved_settings;
  cfmakeraw(&raw);
  farewell_bytes = farewell;
  farewell_length = length;
  taken_fd = fd;
  touchtree_faults_catch(touchtree_restorer_console, on_fault);
  if (tcsetattr(fd, TCSANOW, &raw) == 0) return 0;
  const int cause = errno;
  taken_fd = -1;
  touchtree_faults_release(touchtree_restorer_console);
  errno = cause;
  return -1;
}

void touchtree_terminal_restore(void) {
  restore();
  touchtree_faults_release(touchtree_restorer_console);
}
