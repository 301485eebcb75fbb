#include "linux_display.h"

#include <signal.h>
#include <stddef.h>
#include <termios.h>
#include <unistd.h>

// The signals by which a program dies of its own fault. Swift's traps are ILL on x86 and TRAP on Arm.
static const int fault_signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSEGV, SIGBUS, SIGSYS};
#define FAULT_SIGNALS (sizeof fault_signals / sizeof *fault_signals)

static volatile sig_atomic_t armed;
static volatile sig_atomic_t console_fd = -1;
static volatile sig_atomic_t console_keyboard;
static volatile sig_atomic_t has_line_settings;
static struct termios line_settings;
static struct sigaction previous_actions[FAULT_SIGNALS];

// A stack of its own: the fault may be that the other one is full.
static char fault_stack[16 * 1024];

void touchtree_console_restore(void) {
  if (!armed) return;
  armed = 0;
  const int saved_errno = errno;
  // What was typed meanwhile was not meant for whoever reads next.
  if (has_line_settings) tcsetattr(console_fd, TCSAFLUSH, &line_settings);
  has_line_settings = 0;
  ioctl(console_fd, KDSKBMODE, (int)console_keyboard);
  ioctl(console_fd, KDSETMODE, KD_TEXT);
  errno = saved_errno;
}

static void on_fault(int signal) {
  touchtree_console_restore();
  // Whoever caught the signal before, such as a backtrace printer, has it now. Without one it ends the process.
  for (size_t i = 0; i < FAULT_SIGNALS; i++) {
    if (fault_signals[i] != signal) continue;
    if (previous_actions[i].sa_handler == SIG_IGN) previous_actions[i].sa_handler = SIG_DFL;
    sigaction(signal, &previous_actions[i], NULL);
  }
  raise(signal);
}

void touchtree_console_arm(int fd, int keyboard_mode) {
  const int was_armed = armed;
  console_fd = fd;
  console_keyboard = keyboard_mode;
  armed = 1;
  if (was_armed) return;

  const stack_t stack = {.ss_sp = fault_stack, .ss_size = sizeof fault_stack};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < FAULT_SIGNALS; i++) {
    sigaction(fault_signals[i], &action, &previous_actions[i]);
  }
}

int touchtree_console_quiet(void) {
  if (tcgetpgrp(console_fd) != getpgrp()) return 0;
  if (tcgetattr(console_fd, &line_settings) != 0) return 0;
  struct termios quiet = line_settings;
  quiet.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON);
  quiet.c_lflag |= ISIG;
  has_line_settings = 1;
  if (tcsetattr(console_fd, TCSANOW, &quiet) == 0) return 1;
  has_line_settings = 0;
  return 0;
}

void touchtree_console_disarm(void) {
  armed = 0;
  for (size_t i = 0; i < FAULT_SIGNALS; i++) {
    struct sigaction current;
    if (sigaction(fault_signals[i], NULL, &current) == 0 && current.sa_handler == on_fault) {
      sigaction(fault_signals[i], &previous_actions[i], NULL);
    }
  }
}
