#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "linux_display.h"
#include "linux_faults.h"

static volatile sig_atomic_t remembered_fd = -1;
static char text[24];
static volatile sig_atomic_t length;

// Only writes, because a fault handler calls it.
static void restore(void) {
  if (remembered_fd < 0) return;
  const int saved_errno = errno;
  // A failure cannot be helped.
  const ssize_t written = pwrite(remembered_fd, text, (size_t)length, 0);
  (void)written;
  errno = saved_errno;
}

void touchtree_backlight_remember(int fd, int64_t brightness) {
  remembered_fd = -1;
  length = snprintf(text, sizeof text, "%lld\n", (long long)brightness);
  remembered_fd = fd;
  touchtree_faults_catch(touchtree_restorer_backlight, restore);
}

void touchtree_backlight_forget(void) {
  remembered_fd = -1;
  touchtree_faults_release(touchtree_restorer_backlight);
}
