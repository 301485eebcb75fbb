// Measures how long it takes from a touch to its pixels: how long after a frame was written to a device two pixels of
// the framebuffer change, those of a rectangle's first and last corner.
//
//   vm-guest latency FRAMEBUFFER TOUCHES  X,Y,WxH COMMAND…  [-- X,Y,WxH COMMAND…]…
//
// Each command has a device of its own, whose node stands in for every @ in it, and has to change all of its rectangle
// while the middle of that is touched. They take turns, so that whatever else the machine does meets all of them. They
// run on the last processor; the one who measures stays on the first and never sleeps while it waits. On a machine with
// one processor it gives that up while it waits, and the times are those until the program sleeps again.
#define _GNU_SOURCE
#include <linux/input.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

enum { MOST_CONTENDERS = 8, WARM_UP = 20 };

// In nanoseconds.
enum : int64_t { PATIENCE = 5000000000 };

enum corner { FIRST, LAST, CORNERS };

struct contender {
  struct rectangle area;
  char **command;
  int device;
  pid_t process;
  int64_t *times[CORNERS];
};

static struct screen screen;
static long processors;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void use_processor(int number) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(number, &set);
  if (sched_setaffinity(0, sizeof set, &set) < 0) fail_errno("processor %d", number);
}

static void start(struct contender *contender, int index, int processor) {
  char description[512], node[64];
  snprintf(description, sizeof description,
           "name Bench panel %d\nproperty INPUT_PROP_DIRECT\nkey BTN_TOUCH\nabs ABS_MT_SLOT 0 9\n"
           "abs ABS_MT_TRACKING_ID 0 65535\nabs ABS_MT_POSITION_X 0 %u\nabs ABS_MT_POSITION_Y 0 %u\n"
           "abs ABS_X 0 %u\nabs ABS_Y 0 %u\ncreate\n",
           index, screen.width - 1, screen.height - 1, screen.width - 1, screen.height - 1);
  contender->device = make_device(description, node, sizeof node);
  for (char **word = contender->command; *word; word++)
    if (strcmp(*word, "@") == 0) *word = strdup(node);

  contender->process = fork();
  if (contender->process < 0) fail_errno("fork");
  if (contender->process > 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  use_processor(processor);
  execvp(contender->command[0], contender->command);
  fail_errno("%s", contender->command[0]);
}

// A panel's usual frame: slots, and what a program that knows none of them reads.
static void touch(const struct contender *contender, int is_down) {
  static int32_t contact;
  int32_t x = (int32_t)(contender->area.x + contender->area.width / 2);
  int32_t y = (int32_t)(contender->area.y + contender->area.height / 2);
  const struct input_event down[] = {
      {.type = EV_ABS, .code = ABS_MT_TRACKING_ID, .value = contact = (contact + 1) % 65536},
      {.type = EV_ABS, .code = ABS_MT_POSITION_X, .value = x},
      {.type = EV_ABS, .code = ABS_MT_POSITION_Y, .value = y},
      {.type = EV_KEY, .code = BTN_TOUCH, .value = 1},
      {.type = EV_ABS, .code = ABS_X, .value = x},
      {.type = EV_ABS, .code = ABS_Y, .value = y},
      {.type = EV_SYN, .code = SYN_REPORT},
  };
  static const struct input_event up[] = {
      {.type = EV_ABS, .code = ABS_MT_TRACKING_ID, .value = -1},
      {.type = EV_KEY, .code = BTN_TOUCH, .value = 0},
      {.type = EV_SYN, .code = SYN_REPORT},
  };
  size_t size = is_down ? sizeof down : sizeof up;
  if (write(contender->device, is_down ? down : up, size) != (ssize_t)size) fail_errno("writing events");
}

static volatile uint32_t *pixel(const struct contender *contender, enum corner corner) {
  struct rectangle area = contender->area;
  unsigned x = corner == FIRST ? area.x : area.x + area.width - 1;
  unsigned y = corner == FIRST ? area.y : area.y + area.height - 1;
  return screen.pixels + y * screen.stride + x;
}

// Touches, or lets go, and waits for the pixels to change. Returns whether they did; `times` are nanoseconds.
static int changes(const struct contender *contender, int is_down, int64_t patience, int64_t times[CORNERS]) {
  volatile uint32_t *pixels[CORNERS] = {pixel(contender, FIRST), pixel(contender, LAST)};
  uint32_t before[CORNERS] = {*pixels[FIRST], *pixels[LAST]};
  times[FIRST] = times[LAST] = -1;
  int64_t start = now();
  touch(contender, is_down);
  do {
    if (processors == 1) sched_yield();
    for (enum corner corner = FIRST; corner < CORNERS; corner++)
      if (times[corner] < 0 && *pixels[corner] != before[corner]) times[corner] = now() - start;
    if (times[FIRST] >= 0 && times[LAST] >= 0) return 1;
  } while (now() - start < patience);
  return 0;
}

// What was written is shown by the kernel after a while, which is to be over before the next touch.
static void rest(int index) { usleep(120000 + (useconds_t)(index * 7919 % 20000)); }

// It may take a while until a program reads its device.
static void await(const struct contender *contender) {
  int64_t times[CORNERS];
  for (int attempt = 0; attempt < 60; attempt++) {
    int lit = changes(contender, 1, PATIENCE / 16, times);
    int dark = changes(contender, 0, PATIENCE / 16, times);
    if (lit && dark) return;
    usleep(500000);
  }
  fail("%s does not show that it is touched", contender->command[0]);
}

static int ascending(const void *first, const void *second) {
  int64_t difference = *(const int64_t *)first - *(const int64_t *)second;
  return (difference > 0) - (difference < 0);
}

static double microseconds(const int64_t *sorted, int count, int percent) {
  return (double)sorted[(count - 1) * percent / 100] / 1000;
}

// Times in microseconds, and how they compare with the last contender's.
static void print_table(struct contender *contenders, int count, int touches) {
  puts("| program | pixel | p50 | p90 | p99 | p50 against the last |");
  puts("|---|---|---|---|---|---|");
  for (int i = 0; i < count; i++)
    for (enum corner corner = FIRST; corner < CORNERS; corner++)
      qsort(contenders[i].times[corner], (size_t)touches, sizeof(int64_t), ascending);
  for (int i = 0; i < count; i++)
    for (enum corner corner = FIRST; corner < CORNERS; corner++) {
      const int64_t *times = contenders[i].times[corner];
      double half = microseconds(times, touches, 50);
      printf("| %s %s | %s | %.0f µs | %.0f µs | %.0f µs | %.2f × |\n", contenders[i].command[0],
             contenders[i].command[1] ? contenders[i].command[1] : "", corner == FIRST ? "first" : "last", half,
             microseconds(times, touches, 90), microseconds(times, touches, 99),
             half / microseconds(contenders[count - 1].times[corner], touches, 50));
    }
}

int latency_command(int count, char **arguments) {
  if (count < 4) fail("latency wants a framebuffer, a number of touches, X,Y,WxH and a command");
  processors = sysconf(_SC_NPROCESSORS_ONLN);
  screen = map_screen(arguments[0]);
  int touches = number(arguments[1]);
  if (touches < 1) fail("at least one touch is needed");

  static struct contender contenders[MOST_CONTENDERS];
  int contender_count = 0;
  use_processor(0);
  for (char **next = arguments + 2; next < arguments + count;) {
    if (contender_count == MOST_CONTENDERS) fail("there may be %d commands", MOST_CONTENDERS);
    struct contender *contender = &contenders[contender_count];
    contender->area = rectangle(*next++);
    contender->command = next;
    while (next < arguments + count && strcmp(*next, "--") != 0) next++;
    if (next == contender->command) fail("a command is missing");
    *next++ = NULL;
    for (enum corner corner = FIRST; corner < CORNERS; corner++)
      contender->times[corner] = calloc((size_t)touches, sizeof(int64_t));
    start(contender, ++contender_count, (int)processors - 1);
    await(contender);
  }

  for (int index = -WARM_UP; index < touches; index++)
    for (int i = 0; i < contender_count; i++) {
      int64_t down[CORNERS], up[CORNERS];
      if (!changes(&contenders[i], 1, PATIENCE, down) || !changes(&contenders[i], 0, PATIENCE, up))
        fail("touch %d of %s was not shown in time", index, contenders[i].command[0]);
      for (enum corner corner = FIRST; index >= 0 && corner < CORNERS; corner++)
        contenders[i].times[corner][index] = down[corner];
      rest(index + WARM_UP);
    }

  for (int i = 0; i < contender_count; i++) {
    kill(contenders[i].process, SIGTERM);
    waitpid(contenders[i].process, NULL, 0);
  }
  print_table(contenders, contender_count, touches);
  return 0;
}
