#define _GNU_SOURCE
#include "linux_plugins.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "linux_faults.h"

int touchtree_open_entry(int folder, const char *name) {
  return openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

// The loader knows a library by the name under which it was loaded, and takes another file of that
// name for the same one. So a library that is already loaded is found by its inode. The folder's
// descriptor is part of the name, and is not used again.
static const char by_descriptor[] = "/proc/self/fd/";

struct loaded {
  struct stat status;
  char name[sizeof by_descriptor + 12 + NAME_MAX];
};

static int is_loaded(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  struct loaded *wanted = context;
  struct stat status;
  if (strncmp(info->dlpi_name, by_descriptor, sizeof by_descriptor - 1) != 0) return 0;
  if (stat(info->dlpi_name, &status) != 0) return 0;
  if (status.st_dev != wanted->status.st_dev || status.st_ino != wanted->status.st_ino) return 0;
  snprintf(wanted->name, sizeof wanted->name, "%s", info->dlpi_name);
  return 1;
}

void *touchtree_plugin_load(int folder, const char *name) {
  struct loaded wanted;
  snprintf(wanted.name, sizeof wanted.name, "%s%d/%s", by_descriptor, folder, name);
  const int is_known = stat(wanted.name, &wanted.status) == 0 && dl_iterate_phdr(is_loaded, &wanted) != 0;
  void *library = dlopen(wanted.name, RTLD_NOW | RTLD_LOCAL);
  if (!library || is_known) close(folder);
  return library;
}

int touchtree_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

static struct touchtree_plugin_call current;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

// A signal may come between any two of these lines. Without a handler's name there is no call.
static void enter(struct touchtree_plugin_call call) {
  current.handler = NULL;
  atomic_signal_fence(memory_order_seq_cst);
  current.function = call.function;
  current.responder = call.responder;
  current.began = call.began;
  atomic_signal_fence(memory_order_seq_cst);
  current.handler = call.handler;
}

struct touchtree_plugin_call touchtree_plugin_call_begin(const char *handler, const uint8_t *function,
                                                         const char *responder, int64_t *began) {
  const struct touchtree_plugin_call outer = current;
  *began = now();
  enter((struct touchtree_plugin_call){handler, function, responder, *began});
  // A call within another counts as a part of it.
  if (!outer.handler) touchtree_end_limit_call();
  return outer;
}

int64_t touchtree_plugin_call_end(struct touchtree_plugin_call outer, int64_t began) {
  const int64_t duration = now() - began;
  enter(outer);
  if (!outer.handler) touchtree_end_limit_lift();
  return duration;
}

int touchtree_plugin_is_called(void) {
  return current.handler != NULL;
}

// A line that a signal handler writes.
struct line {
  size_t length;
  char bytes[1024];
};

static void add(struct line *line, const char *text) {
  // Room is left for the line feed. A control character could make two lines of one, or command a terminal.
  for (; *text && line->length < sizeof line->bytes - 1; text++)
    line->bytes[line->length++] = (unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text;
}

static void add_number(struct line *line, int64_t number) {
  char digits[24];
  char *first = digits + sizeof digits - 1;
  *first = '\0';
  do {
    *--first = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  add(line, first);
}

static void add_signal(struct line *line, int signal) {
  const char *name = sigabbrev_np(signal);
  add(line, name ? "SIG" : "signal ");
  if (name)
    add(line, name);
  else
    add_number(line, signal);
}

static void add_call(struct line *line) {
  add(line, (const char *)current.function);
  if (!current.responder) return;
  add(line, " for ");
  add(line, current.responder);
}

static void write_out(struct line *line) {
  line->bytes[line->length++] = '\n';
  // A blocked reader of the log must not keep the process from ending.
  struct pollfd output = {.fd = STDERR_FILENO, .events = POLLOUT};
  if (poll(&output, 1, 0) == 1 && write(STDERR_FILENO, line->bytes, line->length) < 0) return;
}

// A signal from outside may end the process during any call. A shorter call is not called a hang.
static const int64_t shortest_hang = 100 * INT64_C(1000000);

void touchtree_plugin_call_report(const struct touchtree_end *end) {
  struct line line = {0};
  add(&line, end->log_head);
  const int64_t duration = now() - current.began;
  if (!end->is_loop_thread && !end->is_from_outside) {
    if (end->signal) {
      add_signal(&line, end->signal);
      add(&line, " in a thread that is not the loop's: a plugin or a library started it");
    } else {
      add(&line, "a thread that is not the loop's called exit: a plugin or a library started it");
    }
  } else if (!current.handler) {
    return;
  } else if (!end->signal) {
    add(&line, current.handler);
    add(&line, " called exit in ");
    add_call(&line);
  } else if (!end->is_from_outside) {
    add(&line, current.handler);
    add(&line, " crashed in ");
    add_call(&line);
    add(&line, " (");
    add_signal(&line, end->signal);
    // A failed check of Swift runs ud2 on x86, and brk on ARM.
    if (end->signal == SIGILL || end->signal == SIGTRAP) add(&line, ", as by a trap of Swift");
    add(&line, "); to see the line, build it for debugging and run: gdb -ex run -ex bt --args touchtree run FILE");
  } else {
    if (duration < shortest_hang) return;
    add(&line, current.handler);
    add(&line, " hangs in ");
    add_call(&line);
    add(&line, ", for ");
    add_number(&line, duration / 1000000);
    add(&line, " ms; touchtree ends by ");
    add_signal(&line, end->signal);
  }
  write_out(&line);
}

void touchtree_plugin_call_report_hang(const char *log_head) {
  if (!current.handler) return;
  const int saved_errno = errno;
  struct line line = {0};
  add(&line, log_head);
  add(&line, current.handler);
  add(&line, " hangs in ");
  add_call(&line);
  add(&line, ", for ");
  add_number(&line, (now() - current.began) / 1000000);
  add(&line, " ms so far; every touch and the screen wait for it");
  write_out(&line);
  errno = saved_errno;
}
