#include "linux_faults.h"

#include <signal.h>
#include <stddef.h>

// The signals by which a program dies of its own fault. Swift's traps are ILL on x86 and TRAP on Arm.
static const int fault_signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSEGV, SIGBUS, SIGSYS};
#define FAULT_SIGNALS (sizeof fault_signals / sizeof *fault_signals)

static void (*volatile restore_now)(void);
static struct sigaction previous_actions[FAULT_SIGNALS];

// A stack of its own: the fault may be that the other one is full.
static char fault_stack[16 * 1024];

static void on_fault(int signal) {
  if (restore_now) restore_now();
  // Whoever caught the signal before, such as a backtrace printer, has it now. Without one it ends the process.
  for (size_t i = 0; i < FAULT_SIGNALS; i++) {
    if (fault_signals[i] != signal) continue;
    if (previous_actions[i].sa_handler == SIG_IGN) previous_actions[i].sa_handler = SIG_DFL;
    sigaction(signal, &previous_actions[i], NULL);
  }
  raise(signal);
}

void touchtree_faults_catch(void (*restore)(void)) {
  const int was_caught = restore_now != NULL;
  restore_now = restore;
  if (was_caught) return;

  const stack_t stack = {.ss_sp = fault_stack, .ss_size = sizeof fault_stack};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < FAULT_SIGNALS; i++) {
    sigaction(fault_signals[i], &action, &previous_actions[i]);
  }
}

void touchtree_faults_release(void) {
  if (!restore_now) return;
  restore_now = NULL;
  for (size_t i = 0; i < FAULT_SIGNALS; i++) {
    struct sigaction current;
    if (sigaction(fault_signals[i], NULL, &current) == 0 && current.sa_handler == on_fault) {
      sigaction(fault_signals[i], &previous_actions[i], NULL);
    }
  }
}
