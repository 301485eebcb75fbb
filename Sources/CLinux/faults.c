#define _DEFAULT_SOURCE
#include "linux_faults.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "linux_display.h"

// The signals that end a program by default and that the loop does not read: its own
// faults, and those that a user sends. Swift's traps are ILL on x86 and TRAP on Arm. The
// real-time signals belong to them too; see `ends`.
static const int ending_signals[] = {SIGILL,  SIGTRAP, SIGABRT,   SIGFPE,  SIGSEGV, SIGBUS,  SIGSYS,    SIGUSR1, SIGUSR2,
                                     SIGALRM, SIGIO,   SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGSTKFLT, SIGPWR};

static void (*volatile restorers[touchtree_restorer_count])(void);
static volatile sig_atomic_t process;
static struct sigaction previous_actions[_NSIG];
static struct touchtree_end end;
// Whether everything was restored for a call of exit.
static volatile sig_atomic_t has_exited;

// A separate stack, because the fault may be that the other one is full.
static char fault_stack[16 * 1024];

static int ends(int signal) {
  // The first two belong to the console.
  if (signal > touchtree_vt_release_signal() && signal <= SIGRTMAX) return 1;
  for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++)
    if (ending_signals[i] == signal) return 1;
  return 0;
}

static void restore_once(void) {
  // A child that has not yet become another program owns nothing.
  if (process != getpid()) return;
  for (int who = 0; who < touchtree_restorer_count; who++)
    if (restorers[who]) restorers[who]();
}

// A signal from the process itself is a fault: of an instruction, or by abort.
static int is_from_outside(const siginfo_t *info) {
  return info->si_code == SI_TIMER || (info->si_code <= 0 && info->si_pid != getpid());
}

static void on_end(int number, siginfo_t *info, void *context) {
  (void)context;
  if (touchtree_end_is_watch(number, info->si_code == SI_TIMER)) {
    touchtree_plugin_call_report_hang(touchtree_end_log_head());
    return;
  }
  const int signal = touchtree_end_overdue(number, info->si_code == SI_TIMER);
  end = (struct touchtree_end){.signal = signal, .is_from_outside = is_from_outside(info)};
  restore_once();
  if (signal == number) {
    // The earlier handler, such as a backtrace printer, gets it now. Without one it ends the process.
    if (previous_actions[signal].sa_handler == SIG_IGN) previous_actions[signal].sa_handler = SIG_DFL;
    sigaction(signal, &previous_actions[signal], NULL);
  }
  raise(signal);
}

static void on_exit_call(int status, void *context) {
  (void)context;
  // The caller's status shows the signal already.
  if (end.signal) return;
  if (has_exited) return;
  restore_once();
  // A plugin that ends the daemon is a failure, whatever status it gives.
  if (status != 0 || !touchtree_end_is_by_plugin()) return;
  fflush(NULL);
  has_exited = 1;
  _exit(EXIT_FAILURE);
}

void touchtree_faults_exit(int *status) {
  if (has_exited || end.signal) return;
  has_exited = 1;
  restore_once();
  if (*status == 0) *status = EXIT_FAILURE;
}

const struct touchtree_end *touchtree_faults_end(void) {
  return &end;
}

static int has_restorer(void) {
  for (int who = 0; who < touchtree_restorer_count; who++)
    if (restorers[who]) return 1;
  return 0;
}

void touchtree_faults_catch(enum touchtree_restorer who, void (*restore)(void)) {
  const int was_caught = has_restorer();
  restorers[who] = restore;
  process = getpid();
  if (was_caught) return;

  // A plugin may call exit.
  static int has_exit_handler;
  if (!has_exit_handler) has_exit_handler = on_exit(on_exit_call, NULL) == 0;

  const stack_t stack = {.ss_sp = fault_stack, .ss_size = sizeof fault_stack};
  sigaltstack(&stack, NULL);
  // Restarted, because a plugin may wait for something when it is reported to hang, and go on.
  struct sigaction action = {.sa_sigaction = on_end, .sa_flags = SA_ONSTACK | SA_SIGINFO | SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (int signal = 1; signal < _NSIG; signal++)
    if (ends(signal)) sigaction(signal, &action, &previous_actions[signal]);
}

void touchtree_faults_release(enum touchtree_restorer who) {
  if (!restorers[who]) return;
  restorers[who] = NULL;
  if (has_restorer()) return;
  for (int signal = 1; signal < _NSIG; signal++) {
    struct sigaction current;
    if (ends(signal) && sigaction(signal, NULL, &current) == 0 && current.sa_sigaction == on_end)
      sigaction(signal, &previous_actions[signal], NULL);
  }
}
