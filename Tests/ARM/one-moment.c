// Preloaded into the programs that `compare` runs: the time of day stands still, so that a clock on a panel shows the same on both
// processors, however long each takes. What a program starts is not concerned.
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (clock != CLOCK_REALTIME) return syscall(SYS_clock_gettime, clock, now);
  *now = (struct timespec){.tv_sec = 1767268800};  // noon of 1 January 2026
  return 0;
}

__attribute__((constructor)) static void alone(void) { unsetenv("LD_PRELOAD"); }
