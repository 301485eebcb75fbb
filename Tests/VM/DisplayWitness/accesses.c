// Every access to a framebuffer's mapped memory, seen one by one: nothing may be touched, so each instruction that does
// faults; it is let through alone, by the processor's single step, and then nothing may be touched again.
//
// WITNESS_ROWS names a file of 8-byte numbers in the machine's order: how often was read, how often was written, and then
// one for each row of the memory: how often it was written. Another process may set them to 0 at any time.
#define _GNU_SOURCE
#include "witness.h"

#include <fcntl.h>
#include <linux/fb.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { most_rows = 4096 };

static struct seen {
  uint64_t reads;
  uint64_t writes;
  uint64_t rows[most_rows];
} *seen;

static uint8_t *watched;
static size_t watched_length;
static uint32_t stride;

static void fail(const char *what) {
  perror(what);
  _exit(127);
}

#if defined(__x86_64__)

static const greg_t trap_flag = 0x100;
static const greg_t was_write = 2;

static int real_sigaction(int signal, const struct sigaction *action, struct sigaction *previous) {
  // glibc's own, under the name by which it calls it itself.
  extern int __sigaction(int, const struct sigaction *, struct sigaction *);
  return __sigaction(signal, action, previous);
}

static void on_fault(int signal, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  uint8_t *address = info->si_addr;
  if (!watched || address < watched || address >= watched + watched_length) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    real_sigaction(signal, &standard, NULL);
    return;
  }
  if (registers[REG_ERR] & was_write) {
    seen->writes++;
    const size_t row = (size_t)(address - watched) / stride;
    if (row < most_rows) seen->rows[row]++;
  } else {
    seen->reads++;
  }
  mprotect(watched, watched_length, PROT_READ | PROT_WRITE);
  registers[REG_EFL] |= trap_flag;
}

static void on_step(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info;
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
  if (watched) mprotect(watched, watched_length, PROT_NONE);
}

// The program's own handlers for these two do not matter here.
int sigaction(int signal, const struct sigaction *action, struct sigaction *previous) {
  if (seen && (signal == SIGSEGV || signal == SIGTRAP)) return 0;
  return real_sigaction(signal, action, previous);
}

static void catch_accesses(void) {
  struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  struct sigaction step = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
  if (real_sigaction(SIGSEGV, &fault, NULL) < 0 || real_sigaction(SIGTRAP, &step, NULL) < 0) fail("sigaction");
}

#else

static void catch_accesses(void) {
  fputs("witness: accesses can be seen one by one on x86-64 alone\n", stderr);
  _exit(127);
}

#endif

static void begin(const char *path) {
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0 || ftruncate(file, sizeof *seen) < 0) fail(path);
  void *shared = (void *)syscall(SYS_mmap, NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (shared == MAP_FAILED) fail(path);
  catch_accesses();
  seen = shared;
}

void witness_watch(void *memory, size_t length, int fd) {
  const char *path = getenv("WITNESS_ROWS");
  if (!path) return;
  struct fb_fix_screeninfo fixed;
  if (syscall(SYS_ioctl, fd, FBIOGET_FSCREENINFO, &fixed) < 0) fail("FBIOGET_FSCREENINFO");
  if (!seen) begin(path);
  watched = memory;
  watched_length = length;
  stride = fixed.line_length;
  if (mprotect(watched, watched_length, PROT_NONE) < 0) fail("mprotect");
}

unsigned long long witness_writes(void) { return seen ? seen->writes : 0; }

void witness_unwatch(void *memory) {
  if (memory == watched) watched = NULL;
}
