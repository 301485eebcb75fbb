#include <signal.h>
#include <time.h>

#include "linux_display.h"

static void wake(int signal) {
  (void)signal;
}

int touchtree_fb_wait_for_vsync(int fd, int milliseconds) {
  // Not SA_RESTART: the signal is there to end the wait.
  const struct sigaction action = {.sa_handler = wake};
  struct sigaction previous;
  if (sigaction(touchtree_vsync_signal(), &action, &previous) != 0) return -1;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = touchtree_vsync_signal()};
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return -1;
  // Repeated, in case the first signal comes before the wait has begun.
  const struct timespec limit = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
  const struct itimerspec time = {.it_value = limit, .it_interval = limit};
  timer_settime(timer, 0, &time, NULL);
  uint32_t screen = 0;
  const int status = ioctl(fd, FBIO_WAITFORVSYNC, &screen);
  const int cause = errno;
  timer_delete(timer);
  sigaction(touchtree_vsync_signal(), &previous, NULL);
  errno = cause;
  return status;
}
