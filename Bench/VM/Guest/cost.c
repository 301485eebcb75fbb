// Runs a command, and prints for how many nanoseconds it was on the processor: in a machine whose clock advances by one for each
// instruction, those are its instructions, and the kernel's for it.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

int cost_command(int count, char **arguments) {
  if (count < 1) fail("cost wants a COMMAND…");
  pid_t child = fork();
  if (child < 0) fail_errno("fork");
  if (child == 0) {
    execvp(arguments[0], arguments);
    fail_errno("%s", arguments[0]);
  }
  // It has ended, and the kernel still knows it.
  siginfo_t end;
  if (waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT) < 0) fail_errno("waitid");
  char path[64], line[128];
  snprintf(path, sizeof path, "/proc/%d/schedstat", (int)child);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(line, sizeof line, file)) fail_errno("%s", path);
  fclose(file);
  if (end.si_code != CLD_EXITED || end.si_status != 0) fail("%s ended with %d", arguments[0], end.si_status);
  printf("%lld\n", strtoll(line, NULL, 10));
  return 0;
}
