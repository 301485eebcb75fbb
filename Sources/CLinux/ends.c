#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "linux_faults.h"
#include "linux_loop.h"

// The loop's thread may be in a plugin that does not return. So the signals that request the end are caught
// instead of read between turns. A timer that runs from the request on ends the process in the loop's place.

static volatile sig_atomic_t event_fd = -1;
static volatile sig_atomic_t asked;
static volatile sig_atomic_t is_taken;
static volatile sig_atomic_t process;
static volatile sig_atomic_t loop_thread;
static volatile sig_atomic_t has_timer;
static timer_t timer;
static sigset_t caught;
static struct sigaction previous_actions[_NSIG];
static char log_head[64];

static void limit(int seconds) {
  if (!has_timer) return;
  const struct itimerspec time = {.it_value = {.tv_sec = seconds}};
  timer_settime(timer, 0, &time, NULL);
}

// The unit's TimeoutStopSec= is longer than both together.
enum { call_limit = 1, loop_limit = 3 };

// The time after which a call is reported. The timer runs for that while the process is not asked to end.
enum { hang_limit = 2 };

static void on_ask(int signal) {
  if (process != getpid()) {
    // This is a plugin's child that has not become another program.
    sigaction(signal, &previous_actions[signal], NULL);
    raise(signal);
    return;
  }
  const int saved_errno = errno;
  asked = signal;
  limit(touchtree_plugin_is_called() ? call_limit : loop_limit);
  const uint64_t one = 1;
  if (write(event_fd, &one, sizeof one) < 0) errno = 0;
  errno = saved_errno;
}

static void report(void) {
  struct touchtree_end end = *touchtree_faults_end();
  end.log_head = log_head;
  end.is_loop_thread = loop_thread == gettid();
  touchtree_plugin_call_report(&end);
}

int touchtree_ends_catch(const int32_t *signals, uint32_t count, const char *head) {
  const int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0) return -1;
  event_fd = fd;
  asked = is_taken = 0;
  process = getpid();
  loop_thread = gettid();
  snprintf(log_head, sizeof log_head, "%s", head);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  has_timer = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
  touchtree_faults_catch(touchtree_restorer_log, report);

  struct sigaction action = {.sa_handler = on_ask, .sa_flags = SA_ONSTACK | SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigemptyset(&caught);
  for (uint32_t i = 0; i < count; i++) sigaddset(&caught, signals[i]);
  for (int signal = 1; signal < _NSIG; signal++)
    if (sigismember(&caught, signal) == 1) sigaction(signal, &action, &previous_actions[signal]);
  // The parent may have blocked them, and the signals of the timer and of a watchdog.
  sigset_t open = caught;
  sigaddset(&open, SIGALRM);
  sigaddset(&open, SIGABRT);
  sigprocmask(SIG_UNBLOCK, &open, NULL);
  return fd;
}

int touchtree_ends_take(void) {
  uint64_t count;
  if (read(event_fd, &count, sizeof count) < 0) return 0;
  is_taken = 1;
  limit(0);
  return asked;
}

void touchtree_ends_release(void) {
  for (int signal = 1; signal < _NSIG; signal++)
    if (sigismember(&caught, signal) == 1) sigaction(signal, &previous_actions[signal], NULL);
  if (has_timer) timer_delete(timer);
  has_timer = 0;
  asked = 0;
  event_fd = -1;
  touchtree_faults_release(touchtree_restorer_log);
}

int touchtree_end_is_watch(int signal, int is_timer) {
  return has_timer && !asked && is_timer && signal == SIGALRM && process == getpid();
}

const char *touchtree_end_log_head(void) {
  return log_head;
}

int touchtree_end_overdue(int signal, int is_timer) {
  if (!asked || !is_timer || signal != SIGALRM) return signal;
  const int request = asked;
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigaction(request, &action, NULL);
  return request;
}

int touchtree_end_is_by_plugin(void) {
  return process == getpid() && event_fd >= 0 && (touchtree_plugin_is_called() || loop_thread != gettid());
}

void touchtree_end_limit_call(void) {
  limit(asked ? call_limit : hang_limit);
}

void touchtree_end_limit_lift(void) {
  limit(asked && !is_taken ? loop_limit : 0);
}

// A plugin may end the process without exit, which would call nothing of ours. The loader gives it this
// function in place of the C library's, because the program comes first.
void _exit(int status) {
  if (touchtree_end_is_by_plugin()) touchtree_faults_exit(&status);
  for (;;) syscall(SYS_exit_group, status);
}

void _Exit(int status) {
  _exit(status);
}
