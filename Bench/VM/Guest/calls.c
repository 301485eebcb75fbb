// Counts the system calls of a process that runs already, into the first eight bytes of a file, in the machine's byte
// order; until the process ends or this one does. (ptrace(2))
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

static uint64_t *counter(const char *path) {
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0 || ftruncate(file, sizeof(uint64_t)) < 0) fail_errno("%s", path);
  uint64_t *count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (count == MAP_FAILED) fail_errno("mapping %s", path);
  close(file);
  return count;
}

int calls_command(int count, char **arguments) {
  if (count != 2) fail("calls wants a process and a file");
  pid_t process = number(arguments[0]);
  uint64_t *calls = counter(arguments[1]);
  if (ptrace(PTRACE_SEIZE, process, 0, PTRACE_O_TRACESYSGOOD) < 0) fail_errno("process %d", process);
  if (ptrace(PTRACE_INTERRUPT, process, 0, 0) < 0) fail_errno("process %d", process);
  puts("counting");
  for (int status, is_entered = 0; waitpid(process, &status, 0) == process && WIFSTOPPED(status);) {
    int signal = WSTOPSIG(status);
    if (signal == (SIGTRAP | 0x80)) {
      // One stop before a call, and one after it.
      is_entered = !is_entered;
      if (is_entered) __atomic_fetch_add(calls, 1, __ATOMIC_RELAXED);
    }
    // What is left are the process's own signals, and stops of ours.
    int is_ours = signal == (SIGTRAP | 0x80) || status >> 16;
    if (ptrace(PTRACE_SYSCALL, process, 0, is_ours ? 0 : signal) < 0 && errno != ESRCH) fail_errno("PTRACE_SYSCALL");
  }
  return 0;
}
